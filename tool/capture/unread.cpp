#include <capture/unread.h>

#include <algorithm>

#include <fmt/format.h>

#include <capture/names.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

// "NAME" in "NAME", and in "NAME.FIELD".
bool names_it(std::string_view input, std::string_view name) {
    return input == name || (input.size() > name.size() && input.starts_with(name) &&
                             input[name.size()] == '.' && input.rfind('.') == name.size());
}

// The register that an input is of, whatever its indices.
Index register_of(const RegisterMap& map, std::string_view input) {
    const std::string name = regmaps::without_indices(input);
    for (Index reg = 0; reg < map.registers.size(); ++reg) {
        if (names_it(name, definition_name(map, reg))) {
            return reg;
        }
    }
    return none;
}

// Names are made of the elements of one register only: there may be a hundred thousand of others.
std::optional<std::size_t> find_element(const RegisterMap& map, Index reg,
                                        const std::vector<regmaps::Instance>& instances,
                                        std::string_view input) {
    for (std::size_t position = 0; position < instances.size(); ++position) {
        if (instances[position].reg == reg &&
            names_it(input, regmaps::instance_name(map, instances[position]))) {
            return position;
        }
    }
    return std::nullopt;
}

const regmaps::DecodedValue* find_derived(const RegisterMap& map, const Capture& capture,
                                          std::string_view name) {
    for (const regmaps::DecodedValue& value : capture.decoded.derived) {
        if (map.text(map.derived[value.derived].name) == name) {
            return &value;
        }
    }
    return nullptr;
}

std::optional<Index> find_counter(const RegisterMap& map, std::string_view name) {
    for (Index i = 0; i < map.counters.size(); ++i) {
        if (map.text(map.counters[i].name) == name) {
            return i;
        }
    }
    return std::nullopt;
}

using Input = std::pair<std::string, std::optional<std::uint64_t>>;

const Input* first_without_value(const std::vector<Input>& inputs) {
    const auto found =
        std::find_if(inputs.begin(), inputs.end(), [](const Input& input) { return !input.second; });
    return found == inputs.end() ? nullptr : &*found;
}

Unread why_no_value(const RegisterMap& map, const Capture& capture, const regmaps::DecodedValue& value) {
    if (!value.applies) {
        return {Lack::absent, "it does not apply to this device"};
    }
    const Input* input = first_without_value(value.inputs);
    if (input == nullptr && map.derived[value.derived].parameter) {
        return {Lack::failed, fmt::format("nothing that was read tells it; --set {}=VALUE does",
                                          map.text(map.derived[value.derived].name))};
    }
    if (input == nullptr) {
        return {Lack::failed, "its expression has no result for these values (a division by zero)"};
    }
    Unread unread = why_unread(map, capture, input->first);
    unread.why = input->first + ": " + unread.why;
    return unread;
}

} // namespace

Unread why_unread(const RegisterMap& map, const Capture& capture, std::string_view input) {
    if (input.starts_with("previous(")) {
        return {Lack::failed, "it has no value from an earlier pass"};
    }
    if (const auto counter = find_counter(map, input); counter && !capture.counters.empty()) {
        return {Lack::failed, capture.counters[*counter].why};
    } else if (counter) {
        return {Lack::not_asked_for, "counters of the kernel are read by `check` alone"};
    }
    if (const regmaps::DecodedValue* derived = find_derived(map, capture, input)) {
        return why_no_value(map, capture, *derived);
    }
    const Index reg = register_of(map, input);
    if (const auto position = find_element(map, reg, capture.raw.instances, input)) {
        return {Lack::failed, reason(map, capture, *position)};
    }
    for (const regmaps::Missing& missing : capture.layout.missing) {
        if (missing.reg == reg) {
            return {missing.unknown ? Lack::unplaced : Lack::absent, std::string(missing.why)};
        }
    }
    if (find_element(map, reg, capture.layout.instances, input)) {
        return {Lack::not_asked_for, "it lies outside of --group, --space and --block"};
    }
    return {Lack::absent, "the device has no such element"};
}

std::optional<std::string> why_unknown(const RegisterMap& map, const Capture& capture,
                                       const regmaps::DecodedValue& value) {
    if (!value.applies || value.value) {
        return std::nullopt;
    }
    Unread unread = why_no_value(map, capture, value);
    if (unread.lack == Lack::absent || unread.lack == Lack::not_asked_for) {
        return std::nullopt;
    }
    return std::move(unread.why);
}

} // namespace barscope::tool
