#include <override/write_value.h>

#include <vector>

#include <fmt/format.h>

#include <device/number.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

constexpr const char* number_forms = "numbers are decimal, 0x hex or 0b binary";

Error usage(std::string cause, std::string what, const std::string& where, std::string remedy) {
    return {ErrorCode::usage, std::move(cause), std::move(what), where, std::move(remedy)};
}

} // namespace

Result<Assignment> split_assignment(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
        return fail(
            usage("bad-arguments", "write takes REG=VALUE", text, "such as CTRL=0x1, or CTRL.SPEED=1G"));
    }
    return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

Result<std::uint64_t> parse_value(const regmaps::RegisterMap& map, regmaps::Index reg, regmaps::Index field,
                                  const std::string& text) {
    if (const auto number = parse_number(text)) {
        return *number;
    }
    const regmaps::Index index =
        field == regmaps::none ? map.registers[reg].enumeration : map.fields[field].enumeration;
    if (index == regmaps::none) {
        return fail(usage("unknown-value", "this is no number that fits 64 bits", text, number_forms));
    }
    const regmaps::Range range = map.enums[index].values;
    std::vector<std::string_view> names;
    for (const regmaps::EnumValue& value : map.enum_values.subspan(range.begin, range.count)) {
        if (map.text(value.name) == text) {
            return value.value;
        }
        names.push_back(map.text(value.name));
    }
    std::string remedy = regmaps::did_you_mean(text, names);
    for (std::size_t i = 0; remedy.empty() && i < names.size() && i < 16; ++i) {
        remedy = fmt::format(
            "the map names {}",
            fmt::join(names.begin(),
                      names.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(names.size(), 16)),
                      ", "));
    }
    return fail(usage("unknown-value", "this is neither a number nor one of the values that the map names",
                      text, std::move(remedy)));
}

Result<std::uint64_t> parse_raw_value(const std::string& text, unsigned width) {
    const auto number = parse_number(text);
    if (!number) {
        return fail(usage("unknown-value", "this is no number that fits 64 bits", text, number_forms));
    }
    if ((*number & ~ones(width)) != 0) {
        return fail(usage("value-too-wide", fmt::format("{:#x} does not fit into {} bits", *number, width),
                          text, "--width says how wide the access is"));
    }
    return *number;
}

} // namespace barscope::tool
