#include <device/inventory.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <device/files.h>
#include <device/lookup.h>
#include <device/pci_names.h>

namespace barscope::tool {

namespace {

// Looking a map up for a device may parse files: devices of the same kind share the answer.
class MapFinder {
  public:
    explicit MapFinder(const regmaps::Catalog& catalog) : catalog_(catalog) {}

    struct Match {
        std::string name, version;
        bool specific = false;
        bool needs_bar = false;
        std::vector<unsigned> bars;
        std::optional<Error> error;
    };

    const Match& find(const regmaps::PciIdentity& id) {
        const auto key = std::tuple(id.vendor, id.device, id.subsystem_vendor, id.subsystem_device,
                                    id.class_code, id.revision);
        const auto [entry, fresh] = known_.try_emplace(key);
        if (fresh) {
            entry->second = look_up(id);
        }
        return entry->second;
    }

  private:
    Match look_up(const regmaps::PciIdentity& id) const {
        Match match;
        const auto map = catalog_.match(id);
        if (!map) {
            match.error = map.error();
        } else if (*map) {
            match.name = (*map)->name;
            match.version = (*map)->version;
            match.specific = regmaps::match_specificity(**map, id).value_or(0) > 0;
            match.bars = fixed_bars(**map);
            match.needs_bar =
                std::any_of((*map)->spaces.begin(), (*map)->spaces.end(), [](const regmaps::Space& space) {
                    return space.kind == regmaps::SpaceKind::bar;
                });
        }
        return match;
    }

    const regmaps::Catalog& catalog_;
    std::map<
        std::tuple<std::uint16_t, std::uint16_t, std::uint16_t, std::uint16_t, std::uint32_t, std::uint8_t>,
        Match>
        known_;
};

std::optional<Error> readability(const safety::SystemRoot& root, const safety::DeviceFacts& facts,
                                 const MapFinder::Match& match, const std::optional<Error>& lockdown) {
    if (match.error) {
        return match.error;
    }
    if (auto refusal = safety::first_refusal(safety::check_device(root, facts, {}))) {
        return refusal;
    }
    for (const unsigned bar : match.bars) {
        const safety::Verdict verdict = safety::check_bar(root, facts, bar);
        if (!verdict.passed) {
            return verdict.refusal;
        }
    }
    return match.needs_bar ? lockdown : std::nullopt;
}

} // namespace

std::vector<unsigned> fixed_bars(const regmaps::RegisterMap& map) {
    std::vector<unsigned> bars;
    for (const regmaps::Space& space : map.spaces) {
        if (space.kind != regmaps::SpaceKind::bar || space.bar == regmaps::none) {
            continue;
        }
        const regmaps::Range code = map.expressions[space.bar].code;
        const regmaps::Code& first = map.codes[code.begin];
        if (code.count == 1 && first.op == regmaps::Op::push && first.imm < 6) {
            bars.push_back(static_cast<unsigned>(first.imm));
        }
    }
    std::sort(bars.begin(), bars.end());
    bars.erase(std::unique(bars.begin(), bars.end()), bars.end());
    return bars;
}

std::optional<Error> lockdown_refusal(const safety::SystemRoot& root) {
    const std::string path = root.path("/sys/kernel/security/lockdown");
    const auto state = read_attribute(path);
    if (!state || (state->find("[integrity]") == std::string::npos &&
                   state->find("[confidentiality]") == std::string::npos)) {
        return std::nullopt;
    }
    return Error{
        .code = ErrorCode::permission,
        .cause = "kernel-lockdown",
        .what = "the kernel is locked down (" + *state + ") and refuses BAR mappings",
        .where = path,
        .remedy =
            "configuration space stays readable; a driver's own register dump may be (--source ethtool)"};
}

std::vector<ListedDevice> take_inventory(const safety::SystemRoot& root, const regmaps::Catalog& catalog) {
    NamesByAddress names = kernel_names(root);
    PciNames ids(root);
    MapFinder maps(catalog);
    const std::optional<Error> lockdown = lockdown_refusal(root);
    std::vector<ListedDevice> devices;
    for (const safety::PciAddress& address : list_addresses(root)) {
        ListedDevice& device = devices.emplace_back();
        device.address = address;
        auto facts = safety::read_device_facts(root, address);
        if (!facts) {
            device.reason = std::move(facts.error());
            continue;
        }
        device.facts = std::move(*facts);
        device.class_name = ids.device_class(device.facts->class_code);
        device.description = ids.device(device.facts->vendor, device.facts->device);
        if (const auto found = names.find(address); found != names.end()) {
            device.names = std::move(found->second);
        }
        const MapFinder::Match& match = maps.find(identity_of(*device.facts));
        device.map = match.name;
        device.map_version = match.version;
        device.specific = match.specific;
        device.reason = readability(root, *device.facts, match, lockdown);
    }
    return devices;
}

} // namespace barscope::tool
