// A device made of bytes, read and decoded through one of the maps in regmaps/definitions. The loads that a
// pass makes are recorded, so that a test can also say what was not read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <regmaps/decode.h>
#include <regmaps/layout.h>
#include <regmaps/loader.h>

namespace maptest {

namespace regmaps = barscope::regmaps;
namespace safety = barscope::safety;
using regmaps::Index;
using regmaps::none;

inline std::string file_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) {
        throw std::runtime_error("cannot read " + path);
    }
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::string definition_path(std::string_view name) {
    return std::string(BARSCOPE_SOURCE_DIR) + "/regmaps/definitions/" + std::string(name) + ".json";
}

inline regmaps::RegisterMap load(std::string_view name) {
    std::map<std::string, std::string, std::less<>> texts;
    const auto text_of = [&texts](std::string_view wanted) -> const std::string& {
        return texts.try_emplace(std::string(wanted), file_text(definition_path(wanted))).first->second;
    };
    const auto include = [&](std::string_view wanted) -> barscope::Result<regmaps::MapText> {
        return regmaps::MapText{text_of(wanted), definition_path(wanted)};
    };
    auto loaded = regmaps::load_map(text_of(name), definition_path(name), include);
    if (!loaded) {
        const auto& e = loaded.error();
        throw std::runtime_error(e.what + " (" + e.where + "); " + e.remedy);
    }
    return std::move(*loaded);
}

// Of a map: its registers by full name (array elements without index), and their fields.
inline std::string register_name(const regmaps::RegisterMap& map, Index reg) {
    std::string name(map.text(map.registers[reg].name));
    for (Index b = map.registers[reg].block; b != none; b = map.blocks[b].parent) {
        name = std::string(map.text(map.blocks[b].name)) + "." + name;
    }
    return name;
}

inline Index find_register(const regmaps::RegisterMap& map, std::string_view name) {
    for (Index r = 0; r < map.registers.size(); ++r) {
        if (register_name(map, r) == name) {
            return r;
        }
    }
    return none;
}

inline Index find_field(const regmaps::RegisterMap& map, Index reg, std::string_view name) {
    const auto range = map.registers[reg].fields;
    for (Index f = range.begin; f < range.begin + range.count; ++f) {
        if (map.text(map.fields[f].name) == name) {
            return f;
        }
    }
    return none;
}

// The enum's names of REG.FIELD by value.
inline std::map<std::uint64_t, std::string> enum_of(const regmaps::RegisterMap& map, std::string_view reg,
                                                    std::string_view field) {
    std::map<std::uint64_t, std::string> names;
    const Index r = find_register(map, reg);
    const Index f = r == none ? none : find_field(map, r, field);
    if (f == none || map.fields[f].enumeration == none) {
        throw std::runtime_error("no enum in " + std::string(reg) + "." + std::string(field));
    }
    const auto range = map.enums[map.fields[f].enumeration].values;
    for (const auto& v : map.enum_values.subspan(range.begin, range.count)) {
        names[v.value] = std::string(map.text(v.name));
    }
    return names;
}

inline std::uint64_t mask_of(const regmaps::Field& field) {
    const unsigned bits = field.msb - field.lsb + 1u;
    return (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << field.lsb;
}

inline std::uint64_t little_endian(const std::vector<std::uint8_t>& bytes, std::uint64_t offset,
                                   unsigned width) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width / 8; ++i) {
        value |= std::uint64_t{bytes.at(offset + i)} << (8 * i);
    }
    return value;
}

inline void store(std::vector<std::uint8_t>& bytes, std::uint64_t offset, unsigned width,
                  std::uint64_t value) {
    for (unsigned i = 0; i < width / 8; ++i) {
        bytes.at(offset + i) = static_cast<std::uint8_t>(value >> (8 * i));
    }
}

struct Load {
    int bar = -1; // -1: configuration space
    std::uint64_t offset = 0;
    unsigned width = 0;
    friend bool operator<(const Load& a, const Load& b) {
        return std::tie(a.bar, a.offset, a.width) < std::tie(b.bar, b.offset, b.width);
    }
};

struct Device {
    std::vector<std::uint8_t> config = std::vector<std::uint8_t>(4096, 0);
    std::map<unsigned, std::vector<std::uint8_t>> bars;
    regmaps::PciIdentity pci;

    // Lines such as "40: 01 00 ..." as lspci -xxxx prints them; others are skipped, missing ones are zero.
    static Device from_lspci(const std::string& dump) {
        Device d;
        std::istringstream lines(dump);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream row(line);
            std::string head;
            row >> head;
            const bool hex = !head.empty() && head.back() == ':' &&
                             head.find_first_not_of("0123456789abcdef:") == std::string::npos &&
                             head.find(':') == head.size() - 1;
            if (!hex) {
                continue;
            }
            std::uint64_t at = std::stoull(head, nullptr, 16);
            for (std::string byte; row >> byte;) {
                d.config.at(at++) = static_cast<std::uint8_t>(std::stoul(byte, nullptr, 16));
            }
        }
        d.pci.vendor = static_cast<std::uint16_t>(little_endian(d.config, 0, 16));
        d.pci.device = static_cast<std::uint16_t>(little_endian(d.config, 2, 16));
        d.pci.class_code = static_cast<std::uint32_t>(little_endian(d.config, 9, 24));
        d.pci.revision = d.config[8];
        return d;
    }

    std::vector<std::uint32_t> capabilities(bool extended, std::uint16_t id) const {
        std::vector<std::uint32_t> found;
        if (extended) {
            for (std::uint64_t at = 0x100; at >= 0x100 && found.size() < 64;) {
                const auto header = little_endian(config, at, 32);
                if (header == 0) {
                    break;
                }
                if ((header & 0xffff) == id) {
                    found.push_back(static_cast<std::uint32_t>(at));
                }
                at = header >> 20 & 0xffc;
            }
            return found;
        }
        for (std::uint64_t at = config[0x34] & 0xfc; at != 0 && found.size() < 64;
             at = config[at + 1] & 0xfc) {
            if (config[at] == id) {
                found.push_back(static_cast<std::uint32_t>(at));
            }
        }
        return found;
    }
};

// One pass over a device: layout, every load that the map allows, decoding.
class Pass {
  public:
    Pass(const regmaps::RegisterMap& map, const Device& device) : map_(map), device_(device) { run(); }

    bool has(std::string_view name) const { return by_name_.find(name) != by_name_.end(); }

    // Of NAME or NAME.FIELD; nothing where it was not read or does not apply.
    std::optional<std::uint64_t> operator[](std::string_view name) const {
        if (const auto* reg = find(name)) {
            return safety::has_value(reg->word.status) ? std::optional(reg->word.value) : std::nullopt;
        }
        if (const auto* field = find_field(name)) {
            return field->value;
        }
        return {};
    }

    // The enum's name for the value of NAME or NAME.FIELD; empty where there is none.
    std::string text(std::string_view name) const {
        Index value = none;
        if (const auto* reg = find(name)) {
            value = reg->enum_value;
        } else if (const auto* field = find_field(name)) {
            value = field->enum_value;
        }
        return value == none ? std::string() : std::string(map_.text(map_.enum_values[value].name));
    }

    std::optional<regmaps::Severity> severity(std::string_view name) const {
        const auto* field = find_field(name);
        return field == nullptr ? std::nullopt : std::optional(field->severity);
    }

    std::optional<safety::WordStatus> status(std::string_view name) const {
        const auto* reg = find(name);
        return reg == nullptr ? std::nullopt : std::optional(reg->word.status);
    }

    // Bits that are set and that the map does not name, of a register.
    std::uint64_t unnamed(std::string_view name) const {
        std::uint64_t bits = 0;
        if (const auto* reg = find(name)) {
            for (const auto& f : fields(*reg)) {
                bits |= f.field == none ? f.value << f.lsb : 0;
            }
        }
        return bits;
    }

    std::optional<std::uint64_t> offset(std::string_view name) const {
        const auto* reg = find(name);
        return reg == nullptr ? std::nullopt : std::optional(reg->instance.offset);
    }

    std::optional<std::uint64_t> derived(std::string_view name) const {
        for (const auto& d : decoded_.derived) {
            if (map_.text(map_.derived[d.derived].name) == name) {
                return d.applies ? d.value : std::nullopt;
            }
        }
        throw std::runtime_error("no derived value " + std::string(name));
    }

    std::string derived_text(std::string_view name) const {
        for (const auto& d : decoded_.derived) {
            if (map_.text(map_.derived[d.derived].name) == name) {
                return d.applies && d.value ? regmaps::derived_text(map_, map_.derived[d.derived], *d.value)
                                            : std::string();
            }
        }
        throw std::runtime_error("no derived value " + std::string(name));
    }

    regmaps::CheckResult check(std::string_view name) const {
        for (const auto& c : decoded_.checks) {
            if (map_.text(map_.checks[c.check].name) == name) {
                return c.result;
            }
        }
        throw std::runtime_error("no check " + std::string(name));
    }

    regmaps::SpaceState space(std::string_view name) const {
        for (std::size_t i = 0; i < map_.spaces.size(); ++i) {
            if (map_.text(map_.spaces[i].name) == name) {
                return layout_.spaces[i].state;
            }
        }
        throw std::runtime_error("no space " + std::string(name));
    }

    const regmaps::PlacedSpace& placed(std::string_view name) const {
        for (std::size_t i = 0; i < map_.spaces.size(); ++i) {
            if (map_.text(map_.spaces[i].name) == name) {
                return layout_.spaces[i];
            }
        }
        throw std::runtime_error("no space " + std::string(name));
    }

    const std::vector<Load>& loads() const { return loads_; }
    const regmaps::Layout& layout() const { return layout_; }
    const regmaps::Decoded& decoded() const { return decoded_; }
    // Decodes anew, with another pass over the device as the one before.
    void compare_with(const Pass& before) {
        const regmaps::EarlierPass earlier{before.layout_, before.raw_};
        decoded_ = regmaps::decode(map_, layout_, raw_, device_.pci, &earlier);
    }

  private:
    using Key = std::pair<Index, std::array<std::uint32_t, regmaps::max_indices>>;

    std::optional<std::uint64_t> load(const regmaps::Instance& instance, const regmaps::Layout& layout) {
        const auto& reg = map_.registers[instance.reg];
        const auto& space = layout.spaces[reg.space];
        if (regmaps::readability(map_, reg) != safety::WordStatus::ok || reg.on_request ||
            !window_shows(space)) {
            return {};
        }
        const auto bar = device_.bars.find(space.bar);
        if (!space.config && bar == device_.bars.end()) {
            return {};
        }
        const auto& bytes = space.config ? device_.config : bar->second;
        if (instance.offset + reg.width / 8 > bytes.size()) {
            return {};
        }
        const int where = space.config ? -1 : static_cast<int>(space.bar);
        if (reg.split == safety::Split::hi_lo_hi) {
            loads_.push_back({where, instance.offset, 32});
            loads_.push_back({where, instance.offset + 4, 32});
        } else {
            loads_.push_back({where, instance.offset, reg.width});
        }
        return little_endian(bytes, instance.offset, reg.width);
    }

    // A windowed space shows only while its select register holds the page.
    bool window_shows(const regmaps::PlacedSpace& space) const {
        if (!space.window_select) {
            return true;
        }
        const auto bar = device_.bars.find(space.bar);
        const unsigned width = map_.registers[space.window_select->reg].width;
        return bar != device_.bars.end() && space.window_value &&
               little_endian(bar->second, space.window_select->offset, width) == *space.window_value;
    }

    template <class T>
    static T must(barscope::Result<T> result) {
        if (!result) {
            throw std::runtime_error(result.error().what);
        }
        return std::move(*result);
    }

    void run() {
        std::map<Key, std::optional<std::uint64_t>> values;
        regmaps::LayoutInputs inputs;
        inputs.pci = device_.pci;
        inputs.capabilities = [this](bool extended, std::uint16_t id) {
            return device_.capabilities(extended, id);
        };
        inputs.config = [this](std::uint32_t offset, unsigned width) -> std::optional<std::uint32_t> {
            return static_cast<std::uint32_t>(little_endian(device_.config, offset, width));
        };
        inputs.value = [&](const regmaps::Instance& i) -> std::optional<std::uint64_t> {
            const auto found = values.find({i.reg, i.index});
            return found == values.end() ? std::nullopt : found->second;
        };
        inputs.asked = [&](const regmaps::Instance& i) { return values.count({i.reg, i.index}) != 0; };
        for (unsigned round = 0;; ++round) {
            const auto needs = must(regmaps::layout_needs(map_, inputs));
            if (needs.empty()) {
                break;
            }
            if (round > 64) {
                throw std::runtime_error("the layout never settles");
            }
            const auto places = must(regmaps::place_map(map_, inputs));
            for (const auto& need : needs) {
                values[{need.reg, need.index}] = load(need, places);
            }
        }
        layout_ = must(regmaps::place_map(map_, inputs));
        regmaps::RawWords& raw = raw_;
        for (const auto& instance : layout_.instances) {
            const auto& reg = map_.registers[instance.reg];
            safety::Word word;
            word.status = regmaps::readability(map_, reg);
            if (word.status == safety::WordStatus::ok) {
                const auto known = values.find({instance.reg, instance.index});
                const auto value = known != values.end() ? known->second : load(instance, layout_);
                word.value = value.value_or(0);
                word.status = value ? safety::WordStatus::ok : safety::WordStatus::not_attempted;
            }
            raw.instances.push_back(instance);
            raw.words.push_back(word);
        }
        decoded_ = regmaps::decode(map_, layout_, raw, device_.pci);
        for (std::size_t i = 0; i < decoded_.registers.size(); ++i) {
            by_name_[regmaps::instance_name(map_, decoded_.registers[i].instance)] = i;
        }
        std::sort(loads_.begin(), loads_.end());
    }

    const regmaps::DecodedRegister* find(std::string_view name) const {
        const auto found = by_name_.find(name);
        return found == by_name_.end() ? nullptr : &decoded_.registers[found->second];
    }

    std::vector<regmaps::DecodedField> fields(const regmaps::DecodedRegister& reg) const {
        const auto begin = decoded_.fields.begin() + reg.fields.begin;
        return {begin, begin + reg.fields.count};
    }

    const regmaps::DecodedField* find_field(std::string_view name) const {
        const auto dot = name.rfind('.');
        const auto* reg = dot == std::string_view::npos ? nullptr : find(name.substr(0, dot));
        if (reg == nullptr) {
            return nullptr;
        }
        for (Index i = reg->fields.begin; i < reg->fields.begin + reg->fields.count; ++i) {
            const auto& f = decoded_.fields[i];
            if (f.field != none && map_.text(map_.fields[f.field].name) == name.substr(dot + 1)) {
                return &f;
            }
        }
        return nullptr;
    }

    const regmaps::RegisterMap& map_;
    const Device& device_;
    regmaps::Layout layout_;
    regmaps::RawWords raw_;
    regmaps::Decoded decoded_;
    std::map<std::string, std::size_t, std::less<>> by_name_;
    std::vector<Load> loads_;
};

} // namespace maptest
