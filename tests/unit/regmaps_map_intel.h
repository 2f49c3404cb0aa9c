// What the tests of the two Intel maps share: decoding one value, and the small tables in tests/unit/data.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "regmaps_map_support.h"

namespace maptest {

inline std::string data_path(const std::string& name) {
    return std::string(BARSCOPE_SOURCE_DIR) + "/tests/unit/data/" + name;
}

// Rows of a comma-separated file; "..." may hold commas; lines that begin with # are skipped.
inline std::vector<std::vector<std::string>> table(const std::string& name) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(file_text(data_path(name)));
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line.front() == '#') {
            continue;
        }
        std::vector<std::string> cells(1);
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        rows.push_back(std::move(cells));
    }
    return rows;
}

inline std::uint64_t number(const std::string& text) {
    return std::stoull(text, nullptr, 0);
}

// One register's value decoded on its own: fields by name.
class Decode {
  public:
    Decode(const regmaps::RegisterMap& map, std::string_view reg, std::uint64_t value) : map_(map) {
        const Index index = find_register(map, reg);
        if (index == none) {
            throw std::runtime_error("no register " + std::string(reg));
        }
        regmaps::decode_fields(map, map.registers[index], value, fields_);
    }
    std::uint64_t operator[](std::string_view field) const { return find(field).value; }
    std::string text(std::string_view field) const {
        const auto& found = find(field);
        return found.enum_value == none ? std::string()
                                        : std::string(map_.text(map_.enum_values[found.enum_value].name));
    }
    // The value as people see it, without its enum name.
    std::string shown(std::string_view field) const {
        const auto& found = find(field);
        return regmaps::field_text(map_, map_.fields[found.field], found.value);
    }
    regmaps::Severity severity(std::string_view field) const { return find(field).severity; }

  private:
    const regmaps::DecodedField& find(std::string_view name) const {
        for (const auto& f : fields_) {
            if (f.field != none && map_.text(map_.fields[f.field].name) == name) {
                return f;
            }
        }
        throw std::runtime_error("no field " + std::string(name));
    }
    const regmaps::RegisterMap& map_;
    std::vector<regmaps::DecodedField> fields_;
};

inline const regmaps::Register& register_of(const regmaps::RegisterMap& map, std::string_view name) {
    const Index index = find_register(map, name);
    if (index == none) {
        throw std::runtime_error("no register " + std::string(name));
    }
    return map.registers[index];
}

// A device with an empty BAR 0 of 128 KiB.
inline Device intel_device(std::uint16_t id) {
    Device device;
    device.pci.vendor = 0x8086;
    device.pci.device = id;
    device.pci.class_code = 0x020000;
    store(device.config, 0, 16, 0x8086);
    store(device.config, 2, 16, id);
    device.bars[0] = std::vector<std::uint8_t>(0x20000, 0);
    return device;
}

} // namespace maptest
