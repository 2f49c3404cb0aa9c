// A device made of numbers, for tests of layout, plans and decoding.
#pragma once

#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include <regmaps/decode.h>
#include <regmaps/loader.h>

namespace barscope::regmaps::test {

// A map's text: the keys that every map has, and `rest`.
inline std::string map_text(const std::string& rest) {
    return R"({"formatVersion": 1, "name": "test", "title": "t", "version": "1", "sources": ["hand"], )" +
           rest + "}";
}

inline RegisterMap load(const std::string& rest) {
    const auto none_included = [](std::string_view) -> Result<MapText> {
        return fail(Error{ErrorCode::bad_input, "no-map", "no such map", {}, {}});
    };
    auto map = load_map(map_text(rest), "test.json", none_included);
    if (!map) {
        FAIL(to_string(map.error()));
    }
    return std::move(*map);
}

struct TestDevice {
    std::map<std::string, std::uint64_t> values; // by instance name: what a read gives; others cannot be read
    std::map<std::pair<bool, std::uint16_t>, std::vector<std::uint32_t>> capabilities; // (extended, id)
    std::map<std::uint32_t, std::uint32_t> config;
    PciIdentity pci;
    std::uint64_t max_instances = 8'000'000;
    std::vector<std::string> wanted; // names; none: the whole map
    std::vector<std::string> asked;  // names, in the order in which the layout wanted them

    LayoutInputs inputs(const RegisterMap& map) {
        LayoutInputs in;
        in.pci = pci;
        in.max_instances = max_instances;
        in.wanted.registers = wanted.empty() ? std::vector<bool>{} : registers_meant(map, wanted);
        in.capabilities = [this](bool extended, std::uint16_t id) {
            const auto found = capabilities.find({extended, id});
            return found == capabilities.end() ? std::vector<std::uint32_t>{} : found->second;
        };
        in.config = [this](std::uint32_t offset, unsigned) -> std::optional<std::uint32_t> {
            const auto found = config.find(offset);
            return found == config.end() ? std::nullopt : std::optional<std::uint32_t>(found->second);
        };
        in.value = [this, &map](const Instance& i) -> std::optional<std::uint64_t> {
            const std::string name = instance_name(map, i);
            if (std::find(asked.begin(), asked.end(), name) == asked.end() || values.count(name) == 0) {
                return {};
            }
            return values.at(name);
        };
        in.asked = [this, &map](const Instance& i) {
            return std::find(asked.begin(), asked.end(), instance_name(map, i)) != asked.end();
        };
        return in;
    }

    // As a caller does: reads what is needed until nothing is.
    Result<Layout> place(const RegisterMap& map) {
        for (int round = 0; round < 100; ++round) {
            auto needs = layout_needs(map, inputs(map));
            if (!needs) {
                return fail(needs.error());
            }
            if (needs->empty()) {
                return place_map(map, inputs(map));
            }
            for (const Instance& i : *needs) {
                asked.push_back(instance_name(map, i));
            }
        }
        FAIL("the layout never has enough");
        return Layout{};
    }

    Layout must_place(const RegisterMap& map) {
        auto layout = place(map);
        if (!layout) {
            FAIL(to_string(layout.error()));
        }
        return std::move(*layout);
    }
};

inline std::vector<std::string> names(const RegisterMap& map, const Layout& layout) {
    std::vector<std::string> out;
    for (const Instance& i : layout.instances) {
        out.push_back(instance_name(map, i));
    }
    return out;
}

inline Index instance_called(const RegisterMap& map, const Layout& layout, const std::string& name) {
    for (Index i = 0; i < layout.instances.size(); ++i) {
        if (instance_name(map, layout.instances[i]) == name) {
            return i;
        }
    }
    FAIL("no instance " << name);
    return none;
}

inline std::uint64_t offset_of(const RegisterMap& map, const Layout& layout, const std::string& name) {
    return layout.instances[instance_called(map, layout, name)].offset;
}

inline const Missing& missing_called(const RegisterMap& map, const Layout& layout, const std::string& name) {
    for (const Missing& m : layout.missing) {
        if (map.text(map.registers[m.reg].name) == name) {
            return m;
        }
    }
    FAIL(name << " is not missing");
    return layout.missing.front();
}

// Every instance with the value that the device holds; others are lost.
inline RawWords read_all(const RegisterMap& map, const Layout& layout, const TestDevice& device) {
    RawWords raw;
    for (const Instance& i : layout.instances) {
        safety::Word word;
        const auto found = device.values.find(instance_name(map, i));
        word.status = found == device.values.end() ? safety::WordStatus::lost : safety::WordStatus::ok;
        word.value = found == device.values.end() ? 0xbad0bad0 : found->second;
        raw.instances.push_back(i);
        raw.words.push_back(word);
    }
    return raw;
}

} // namespace barscope::regmaps::test
