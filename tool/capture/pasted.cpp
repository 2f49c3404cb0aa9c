#include <capture/pasted.h>

#include <algorithm>
#include <span>

#include <device/files.h>
#include <device/number.h>

namespace barscope::tool {

namespace {

using regmaps::none;
using regmaps::RegisterMap;

constexpr std::size_t largest_file = std::size_t{1} << 30;

Error bad_value(std::string what, std::string where, std::string remedy) {
    return {ErrorCode::usage, "bad-value", std::move(what), std::move(where), std::move(remedy)};
}

std::size_t entry_size(const RegisterMap& map, const Definition& definition) {
    return definition.reg != none ? map.registers[definition.reg].width / 8U
                                  : map.structures[definition.structure].size;
}

safety::ByteOrder order_of(const RegisterMap& map, const Definition& definition) {
    return definition.reg != none ? map.registers[definition.reg].order
                                  : map.structures[definition.structure].order;
}

bool is_byte(const std::string& text) {
    return text.size() == 2 && parse_hex(text).has_value();
}

// "00 11 22 ...": as many two-digit groups as make whole entries. A single group is a number.
bool look_like_bytes(const std::vector<std::string>& values, std::size_t size) {
    return size > 1 && values.size() >= size && values.size() % size == 0 &&
           std::all_of(values.begin(), values.end(), is_byte);
}

// Hex digits in pairs; white space, commas, "0x" before a pair and ':' between pairs are passed over.
Result<std::vector<std::uint8_t>> parse_bytes(std::string_view text) {
    std::vector<std::uint8_t> bytes;
    std::string digits;
    const auto take = [&]() -> bool {
        std::string_view rest = digits;
        if (rest.starts_with("0x") || rest.starts_with("0X")) {
            rest.remove_prefix(2);
        }
        if (rest.size() % 2 != 0) {
            return false;
        }
        for (; !rest.empty(); rest.remove_prefix(2)) {
            const auto byte = parse_hex(rest.substr(0, 2));
            if (!byte) {
                return false;
            }
            bytes.push_back(static_cast<std::uint8_t>(*byte));
        }
        digits.clear();
        return true;
    };
    constexpr std::string_view separators = " \t\r\n,:";
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && separators.find(text[i]) == std::string_view::npos) {
            digits += text[i];
        } else if (!take()) {
            return fail(bad_value("these are not bytes in hex", digits,
                                  "give two hex digits a byte, such as 00 1f a0"));
        }
    }
    return bytes;
}

std::vector<std::uint8_t> to_bytes(std::uint64_t value, std::size_t size, safety::ByteOrder order) {
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t i = 0; i < size; ++i) {
        const std::size_t at = order == safety::ByteOrder::little ? i : size - 1 - i;
        bytes[at] = static_cast<std::uint8_t>(value >> (8 * i));
    }
    return bytes;
}

std::uint64_t from_bytes(std::span<const std::uint8_t> bytes, safety::ByteOrder order) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t at = order == safety::ByteOrder::big ? i : bytes.size() - 1 - i;
        value = (value << 8) | bytes[at];
    }
    return value;
}

class Decoder {
  public:
    Decoder(const RegisterMap& map, const Definition& definition, const PastedOptions& options)
        : map_(map), options_(options), size_(entry_size(map, definition)),
          order_(order_of(map, definition)) {
        set_.definition = definition;
        set_.show_pointers = options.show_pointers;
    }

    Result<PastedSet> run() {
        Result<void> done;
        if (!options_.file.empty()) {
            done = from_file();
        } else if (options_.values.empty()) {
            return fail(bad_value("there is no value to decode", {},
                                  "give a value, hex bytes, or --file FILE (- is standard input)"));
        } else if (options_.bytes || look_like_bytes(options_.values, size_)) {
            std::string text;
            for (const std::string& value : options_.values) {
                text += value + " ";
            }
            done = from_text(text);
        } else {
            done = from_values();
        }
        if (!done) {
            return fail(std::move(done.error()));
        }
        return std::move(set_);
    }

  private:
    Result<void> from_file() {
        if (!options_.values.empty()) {
            return fail(bad_value("give values or --file, not both", options_.values.front(), {}));
        }
        auto content = read_user_file(options_.file, largest_file);
        if (!content) {
            return fail(std::move(content.error()));
        }
        if (options_.bytes) {
            return from_text(*content);
        }
        return from_memory(std::vector<std::uint8_t>(content->begin(), content->end()));
    }

    Result<void> from_text(std::string_view text) {
        auto bytes = parse_bytes(text);
        return bytes ? from_memory(*bytes) : Result<void>(fail(std::move(bytes.error())));
    }

    Result<void> from_memory(const std::vector<std::uint8_t>& bytes) {
        set_.from_bytes = true;
        const std::uint64_t first = options_.offset.value_or(0);
        if (first > bytes.size() || bytes.size() - first < size_) {
            Error error = bad_value(std::to_string(bytes.size()) + " bytes do not hold an entry of " +
                                        std::to_string(size_) + " bytes at offset " + std::to_string(first),
                                    options_.file, {});
            error.code = options_.file.empty() ? ErrorCode::usage : ErrorCode::bad_input;
            return fail(std::move(error));
        }
        std::uint64_t at = first;
        const std::uint64_t most = options_.count.value_or((bytes.size() - at) / size_);
        for (std::uint64_t i = 0; i < most; ++i, at += size_) {
            if (bytes.size() - at < size_) {
                return fail({ErrorCode::bad_input, "too-few-bytes",
                             "the bytes hold " + std::to_string(i) + " entries, not " + std::to_string(most),
                             options_.file, "ask for fewer with --count"});
            }
            if (auto added = add(std::span(bytes).subspan(static_cast<std::size_t>(at), size_), at); !added) {
                return added;
            }
        }
        set_.left_over = options_.count ? 0 : bytes.size() - at;
        return {};
    }

    Result<void> from_values() {
        if (options_.offset || options_.count) {
            return fail(bad_value("--offset and --count choose among bytes; these are values, each decoded",
                                  options_.values.front(),
                                  "leave them out, or give bytes: 00 11 22 ..., --bytes or --file"));
        }
        if (size_ > 8) {
            return fail(
                bad_value("a structure of " + std::to_string(size_) + " bytes is more than one number",
                          options_.values.front(), "give its bytes: 00 11 22 ... or --bytes 001122..."));
        }
        for (std::size_t i = 0; i < options_.values.size(); ++i) {
            const std::string& text = options_.values[i];
            const auto value = parse_number(text);
            if (!value) {
                return fail(bad_value("this is not a number", text,
                                      "numbers are decimal, 0x hex or 0b binary; bytes need --bytes"));
            }
            if (size_ < 8 && *value >> (8 * size_) != 0) {
                return fail(bad_value("this does not fit " + std::to_string(8 * size_) + " bits", text, {}));
            }
            if (auto added = add(to_bytes(*value, size_, order_), i); !added) {
                return added;
            }
        }
        return {};
    }

    Result<void> add(std::span<const std::uint8_t> bytes, std::uint64_t offset) {
        Pasted entry;
        entry.offset = offset;
        entry.bytes.assign(bytes.begin(), bytes.end());
        if (set_.definition.structure != none) {
            auto decoded = regmaps::decode_structure(map_, set_.definition.structure, bytes);
            if (!decoded) {
                return fail(std::move(decoded.error()));
            }
            entry.structure = std::move(*decoded);
            entry.fields = entry.structure.fields;
        } else {
            const regmaps::Register& reg = map_.registers[set_.definition.reg];
            entry.value = from_bytes(bytes, order_);
            entry.suspect = suspicion(reg, entry.value);
            entry.enum_value = enum_value_of(reg, entry.value);
            regmaps::decode_fields(map_, reg, entry.value, entry.fields);
        }
        if (set_.definition.field != none) {
            std::erase_if(entry.fields, [this](const regmaps::DecodedField& f) {
                return f.field != set_.definition.field;
            });
        }
        set_.entries.push_back(std::move(entry));
        return {};
    }

    // As a read would judge it, where there is no device to ask.
    std::string_view suspicion(const regmaps::Register& reg, std::uint64_t value) const {
        const auto poisons = map_.poisons.subspan(reg.poison.begin, reg.poison.count);
        if (std::any_of(poisons.begin(), poisons.end(), [&](const regmaps::Poison& poison) {
                return (value & poison.mask) == poison.value;
            })) {
            return safety::explain(safety::WordStatus::poison);
        }
        const bool ones = value == UINT64_MAX >> (64U - reg.width);
        return ones && reg.never_all_ones
                   ? "all ones, which this register never holds: the device did not answer"
                   : std::string_view();
    }

    regmaps::Index enum_value_of(const regmaps::Register& reg, std::uint64_t value) const {
        if (reg.enumeration == none) {
            return none;
        }
        const regmaps::Range values = map_.enums[reg.enumeration].values;
        for (regmaps::Index i = values.begin; i < values.begin + values.count; ++i) {
            if (map_.enum_values[i].value == value) {
                return i;
            }
        }
        return none;
    }

    const RegisterMap& map_;
    const PastedOptions& options_;
    std::size_t size_;
    safety::ByteOrder order_;
    PastedSet set_;
};

} // namespace

Result<PastedSet> decode_pasted(const RegisterMap& map, const Definition& definition,
                                const PastedOptions& options) {
    return Decoder(map, definition, options).run();
}

} // namespace barscope::tool
