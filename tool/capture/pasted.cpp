#include <capture/pasted.h>

#include <algorithm>

#include <device/files.h>
#include <device/number.h>
#include <device/paste_bytes.h>

namespace barscope::tool {

namespace {

using regmaps::none;
using regmaps::RegisterMap;

// Half a million CQEs; more is no ring.
constexpr std::size_t largest_input = std::size_t{64} << 20;
constexpr std::uint64_t slot_size = 16; // bytes a unit of WQE_SIZE: KR roce_hsi.h sq_send

Error bad_value(std::string what, std::string where, std::string remedy) {
    return {ErrorCode::usage, "bad-value", std::move(what), std::move(where), std::move(remedy)};
}

std::uint32_t entry_size(const RegisterMap& map, const Definition& definition) {
    return definition.reg != none ? map.registers[definition.reg].width / 8U
                                  : map.structures[definition.structure].size;
}

safety::ByteOrder order_of(const RegisterMap& map, const Definition& definition) {
    return definition.reg != none ? map.registers[definition.reg].order
                                  : map.structures[definition.structure].order;
}

// The length that an entry itself gives, in units; nothing: it has no such field.
std::optional<std::uint64_t> slots_of(const RegisterMap& map, const regmaps::DecodedStructure& decoded) {
    for (const regmaps::DecodedField& field : decoded.fields) {
        if (field.field != none && map.text(map.fields[field.field].name) == "WQE_SIZE") {
            return field.value;
        }
    }
    return std::nullopt;
}

class Decoder {
  public:
    Decoder(const RegisterMap& map, const Definition& definition, const PastedOptions& options)
        : map_(map), options_(options) {
        set_.definition = definition;
        set_.entry_size = entry_size(map, definition);
    }

    Result<PastedSet> run() {
        if (auto taken = take_input(); !taken) {
            return fail(std::move(taken.error()));
        }
        if (set_.definition.structure == none && options_.ring.any()) {
            return fail(bad_value("a register is no entry of a ring", {}, "name a structure"));
        }
        if (auto judged = judge(); !judged) {
            return fail(std::move(judged.error()));
        }
        if (const auto wrong = ring_contradiction(options_.ring, set_.places.size())) {
            return fail(bad_value(*wrong, {}, {}));
        }
        return std::move(set_);
    }

  private:
    Result<void> take_input() {
        if (!options_.file.empty()) {
            return from_file();
        }
        if (options_.values.empty()) {
            // Two indices explain each other without any entry.
            return options_.ring.consumer || options_.ring.producer
                       ? Result<void>()
                       : fail(bad_value("there is no value to decode", {},
                                        "give a value, hex bytes, or --file FILE (- is standard input)"));
        }
        if (options_.form != InputForm::automatic || look_like_bytes(options_.values, set_.entry_size)) {
            std::string text;
            for (const std::string& value : options_.values) {
                text += value + " ";
            }
            const bool bytes = options_.form == InputForm::automatic || options_.form == InputForm::bytes;
            return bytes ? from_digits(text) : from_text(text, options_.form, "the values");
        }
        return from_values();
    }

    Result<void> from_file() {
        if (!options_.values.empty()) {
            return fail(bad_value("give values or --file, not both", options_.values.front(), {}));
        }
        auto content = read_user_file(options_.file, largest_input);
        if (!content) {
            return fail(std::move(content.error()));
        }
        return from_text(*content, options_.form,
                         options_.file == "-" ? std::string("standard input") : options_.file);
    }

    Result<void> from_text(std::string_view text, InputForm form, const std::string& where) {
        auto input = parse_input(text, form, largest_input, where);
        if (!input) {
            return fail(std::move(input.error()));
        }
        set_.form = std::move(input->form);
        return from_memory(std::move(input->bytes));
    }

    Result<void> from_digits(std::string_view text) {
        auto bytes = parse_bytes(text);
        return bytes ? from_memory(std::move(*bytes)) : Result<void>(fail(std::move(bytes.error())));
    }

    Result<void> from_memory(std::vector<std::uint8_t> bytes) {
        set_.from_bytes = true;
        set_.bytes = std::move(bytes);
        const std::uint64_t size = set_.entry_size;
        const std::uint64_t first = first_offset();
        if (first > set_.bytes.size() || set_.bytes.size() - first < size) {
            Error error = bad_value(std::to_string(set_.bytes.size()) + " bytes do not hold an entry of " +
                                        std::to_string(size) + " bytes at offset " + std::to_string(first),
                                    options_.file, {});
            error.code = options_.file.empty() ? ErrorCode::usage : ErrorCode::bad_input;
            return fail(std::move(error));
        }
        if (options_.stride != 0 && options_.stride < size) {
            return fail(bad_value("--stride is shorter than an entry of " + std::to_string(size) + " bytes",
                                  std::to_string(options_.stride), {}));
        }
        return options_.slots ? place_by_slots() : place_evenly();
    }

    Result<void> place_evenly() {
        const std::uint64_t step = options_.stride != 0 ? options_.stride : set_.entry_size;
        const std::uint64_t room = set_.bytes.size() - first_offset();
        const std::uint64_t there = (room - set_.entry_size) / step + 1;
        const std::uint64_t wanted = options_.count.value_or(there);
        if (wanted > there) {
            return fail(
                {ErrorCode::bad_input, "too-few-bytes",
                 "the bytes hold " + std::to_string(there) + " entries, not " + std::to_string(wanted),
                 options_.file, "ask for fewer with --count"});
        }
        for (std::uint64_t i = 0; i < wanted; ++i) {
            set_.places.push_back(first_offset() + i * step);
        }
        set_.left_over = options_.count ? 0 : room - std::min(room, there * step);
        return {};
    }

    Result<void> place_by_slots() {
        std::uint64_t at = first_offset();
        while (set_.bytes.size() - at >= set_.entry_size &&
               (!options_.count || set_.places.size() < *options_.count)) {
            auto decoded = regmaps::decode_structure(map_, set_.definition.structure, bytes_at(at));
            if (!decoded) {
                return fail(std::move(decoded.error()));
            }
            const auto slots = slots_of(map_, *decoded);
            set_.places.push_back(at);
            if (!slots || *slots == 0) {
                set_.stopped =
                    slots ? "it says that it takes 0 units of 16 bytes" : "it does not say how long it is";
                at += set_.entry_size;
                break;
            }
            at += std::min<std::uint64_t>(*slots * slot_size, set_.bytes.size() - at);
        }
        set_.left_over = options_.count ? 0 : set_.bytes.size() - at;
        return {};
    }

    std::uint64_t first_offset() const { return options_.offset.value_or(0); }

    Result<void> from_values() {
        if (options_.offset || options_.count) {
            return fail(bad_value("--offset and --count choose among bytes; these are values, each decoded",
                                  options_.values.front(),
                                  "leave them out, or give bytes: 00 11 22 ..., --bytes or --file"));
        }
        const std::uint32_t size = set_.entry_size;
        if (size > 8) {
            return fail(bad_value("a structure of " + std::to_string(size) + " bytes is more than one number",
                                  options_.values.front(),
                                  "give its bytes: 00 11 22 ... or --bytes 001122..."));
        }
        for (const std::string& text : options_.values) {
            const auto value = parse_number(text);
            if (!value) {
                return fail(bad_value("this is not a number", text,
                                      "numbers are decimal, 0x hex or 0b binary; bytes need --bytes"));
            }
            if (size < 8 && *value >> (8 * size) != 0) {
                return fail(bad_value("this does not fit " + std::to_string(8 * size) + " bits", text,
                                      wider_structures()));
            }
            set_.places.push_back(set_.bytes.size());
            append_value(*value, size, order_of(map_, set_.definition), set_.bytes);
        }
        return {};
    }

    // Structures of the same group that a number of 64 bits could be: "as 64 bits: doorbell".
    std::string wider_structures() const {
        std::string names;
        if (set_.definition.structure == none) {
            return names;
        }
        const auto groups_of = [&](const regmaps::Structure& s) {
            return map_.text_list.subspan(s.groups.begin, s.groups.count);
        };
        const auto own = groups_of(map_.structures[set_.definition.structure]);
        for (const regmaps::Structure& other : map_.structures) {
            const auto groups = groups_of(other);
            const bool alike = std::any_of(groups.begin(), groups.end(), [&](regmaps::Text group) {
                return std::any_of(own.begin(), own.end(),
                                   [&](regmaps::Text mine) { return map_.text(mine) == map_.text(group); });
            });
            if (other.size == 8 && alike) {
                names += names.empty() ? "structures of 64 bits are " : ", ";
                names += map_.text(other.name);
            }
        }
        return names;
    }

    std::span<const std::uint8_t> bytes_at(std::uint64_t at) const {
        return std::span(set_.bytes).subspan(static_cast<std::size_t>(at), set_.entry_size);
    }

    // Also where a bad map would show, so that what is printed later cannot fail any more.
    Result<void> judge() {
        if (set_.definition.structure == none) {
            return {};
        }
        RingJudge judge(map_, options_.ring);
        set_.ring.entries.reserve(set_.places.size());
        for (const std::uint64_t at : set_.places) {
            const auto decoded = regmaps::decode_structure(map_, set_.definition.structure, bytes_at(at));
            if (!decoded) {
                return fail(decoded.error());
            }
            judge.add(*decoded, bytes_at(at));
        }
        set_.ring = judge.finish();
        return {};
    }

    const RegisterMap& map_;
    const PastedOptions& options_;
    PastedSet set_;
};

} // namespace

Result<PastedSet> decode_pasted(const RegisterMap& map, const Definition& definition,
                                const PastedOptions& options) {
    return Decoder(map, definition, options).run();
}

} // namespace barscope::tool
