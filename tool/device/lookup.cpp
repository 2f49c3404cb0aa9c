#include <device/lookup.h>

#include <cstdlib>

#include <device/selector.h>

namespace barscope::tool {

safety::SystemRoot system_root(const std::string& path) {
    return path.empty() ? safety::SystemRoot() : safety::SystemRoot(path);
}

std::vector<std::string> map_folders(const safety::SystemRoot& root) {
    std::vector<std::string> folders{root.path("/usr/share/barscope/regmaps"),
                                     root.path("/etc/barscope/regmaps")};
    const char* config = std::getenv("XDG_CONFIG_HOME"); // NOLINT(concurrency-mt-unsafe): one thread
    const char* home = std::getenv("HOME");              // NOLINT(concurrency-mt-unsafe)
    if (config != nullptr && config[0] == '/') {
        folders.push_back(std::string(config) + "/barscope/regmaps");
    } else if (home != nullptr && home[0] == '/') {
        folders.push_back(std::string(home) + "/.config/barscope/regmaps");
    }
    return folders;
}

regmaps::PciIdentity identity_of(const safety::DeviceFacts& facts) {
    return {.vendor = facts.vendor,
            .device = facts.device,
            .subsystem_vendor = facts.subsystem_vendor,
            .subsystem_device = facts.subsystem_device,
            .class_code = facts.class_code,
            .revision = facts.revision,
            .is_vf = facts.physical_function.has_value()};
}

Result<std::optional<regmaps::RegisterMap>> find_map(const regmaps::Catalog& catalog, const std::string& name,
                                                     const regmaps::PciIdentity& id) {
    if (name.empty()) {
        return catalog.match(id);
    }
    auto map = catalog.find(name);
    if (!map) {
        return fail(std::move(map.error()));
    }
    return std::optional<regmaps::RegisterMap>(std::move(*map));
}

Result<safety::DeviceFacts> find_device(const safety::SystemRoot& root, const std::string& device) {
    auto target = select_target(root, device);
    if (!target) {
        return fail(std::move(target.error()));
    }
    if (const auto* dump = std::get_if<DumpFile>(&*target)) {
        return fail({.code = ErrorCode::usage,
                     .cause = "not-a-device",
                     .what = "this is a file, not a device",
                     .where = dump->path,
                     .remedy = "name a device; `barscope list` shows what is there"});
    }
    return safety::read_device_facts(root, std::get<safety::PciAddress>(*target));
}

} // namespace barscope::tool
