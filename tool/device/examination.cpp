#include <device/examination.h>

#include <algorithm>
#include <array>

#include <device/files.h>
#include <device/inventory.h>
#include <device/lookup.h>
#include <device/pci_names.h>
#include <safety/bar_mapping.h>
#include <safety/config_space.h>

namespace barscope::tool {

namespace {

constexpr std::uint16_t pci_express = 0x10;

std::string attribute(const safety::DeviceFacts& facts, const char* name) {
    return read_attribute(facts.directory + "/" + name).value_or("");
}

Link read_link(const safety::DeviceFacts& facts) {
    return {attribute(facts, "current_link_speed"), attribute(facts, "current_link_width"),
            attribute(facts, "max_link_speed"), attribute(facts, "max_link_width")};
}

// PCI Express Base Specification, 7.5.3.6 and 7.5.3.8: Link Capabilities at 0Ch, Link Status at 12h; speed in
// bits 3:0, width in bits 9:4 of both.
ConfigLink read_config_link(safety::ConfigSpace& config, const std::vector<Capability>& capabilities) {
    for (const Capability& capability : capabilities) {
        if (capability.extended || capability.id != pci_express) {
            continue;
        }
        const auto most = config.read(capability.offset + 0x0c, 32);
        const auto status = config.read(capability.offset + 0x12, 16);
        if (most && status) {
            return {*status & 0xf, (*status >> 4) & 0x3f, *most & 0xf, (*most >> 4) & 0x3f};
        }
    }
    return {};
}

// A sleeping device's configuration space is left alone; so is one that does not answer.
bool may_read_config(const std::vector<safety::Verdict>& verdicts) {
    return std::all_of(verdicts.begin(), verdicts.end(), [](const safety::Verdict& verdict) {
        return verdict.passed || (verdict.check != "device-present" && verdict.check != "config-answers" &&
                                  verdict.check != "power-state");
    });
}

} // namespace

std::string_view link_speed_name(unsigned code) {
    static constexpr std::array<std::string_view, 7> names{"",          "2.5 GT/s",  "5.0 GT/s", "8.0 GT/s",
                                                           "16.0 GT/s", "32.0 GT/s", "64.0 GT/s"};
    return code < names.size() ? names.at(code) : std::string_view();
}

std::vector<safety::Verdict> examine_access(const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                                            const std::vector<unsigned>& bars, bool allow_vfio) {
    std::vector<safety::Verdict> verdicts = safety::check_device(root, facts, {.allow_vfio = allow_vfio});
    const bool passed = !safety::first_refusal(verdicts).has_value();
    for (unsigned bar = 0; bar < facts.bars.size(); ++bar) {
        const bool wanted = bars.empty() ? facts.bars.at(bar).kind == safety::BarKind::memory32 ||
                                               facts.bars.at(bar).kind == safety::BarKind::memory64
                                         : std::find(bars.begin(), bars.end(), bar) != bars.end();
        if (!wanted) {
            continue;
        }
        verdicts.push_back(safety::check_bar(root, facts, bar));
        // The mapping is tried only where a read would try it.
        if (passed && verdicts.back().passed) {
            verdicts.push_back(safety::probe_mapping(root, facts, bar));
        }
    }
    return verdicts;
}

Examination examine(const safety::SystemRoot& root, safety::DeviceFacts facts,
                    const regmaps::Catalog& catalog, const std::string& map_name, bool allow_vfio,
                    bool ask_device) {
    Examination result;
    result.facts = std::move(facts);
    const safety::DeviceFacts& device = result.facts;
    PciNames ids(root);
    result.class_name = ids.device_class(device.class_code);
    result.description = ids.device(device.vendor, device.device);
    NamesByAddress names = kernel_names(root);
    if (const auto found = names.find(device.address); found != names.end()) {
        result.names = std::move(found->second);
    }
    if (!device.driver.empty()) {
        result.driver_version =
            read_attribute(root.path("/sys/module/" + device.driver + "/version")).value_or("");
    }
    result.numa_node = attribute(device, "numa_node");
    if (const auto group = link_text(device.directory + "/iommu_group")) {
        result.iommu_group = last_component(*group);
    }
    auto map = find_map(catalog, map_name, identity_of(device));
    std::vector<unsigned> bars;
    if (!map) {
        result.map_error = std::move(map.error());
    } else if (*map) {
        result.map = std::move(*map);
        result.specific = regmaps::match_specificity(*result.map, identity_of(device)).value_or(0) > 0;
        bars = fixed_bars(*result.map);
    }
    if (!ask_device) {
        return result;
    }
    result.verdicts = examine_access(root, device, bars, allow_vfio);
    if (may_read_config(result.verdicts)) {
        result.link = read_link(device);
        if (const auto config = safety::ConfigSpace::open(root, device.address)) {
            result.capabilities = walk_capabilities(**config);
            result.config_link = read_config_link(**config, result.capabilities);
        }
    }
    return result;
}

} // namespace barscope::tool
