#include <capture/subject.h>

#include <device/dump_file.h>
#include <device/files.h>
#include <device/memory_config.h>
#include <evidence/snapshot.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_config_dump = std::size_t{1} << 20;

// Offsets of the type 0 header: PCI Local Bus Specification 3.0, 6.1.
regmaps::PciIdentity identity_in(safety::ConfigSpace& config) {
    const auto word = [&](std::uint32_t offset, unsigned width) {
        return config.read(offset, width).value_or(0);
    };
    return {.vendor = static_cast<std::uint16_t>(word(0x00, 16)),
            .device = static_cast<std::uint16_t>(word(0x02, 16)),
            .subsystem_vendor = static_cast<std::uint16_t>(word(0x2c, 16)),
            .subsystem_device = static_cast<std::uint16_t>(word(0x2e, 16)),
            .class_code = word(0x08, 32) >> 8,
            .revision = static_cast<std::uint8_t>(word(0x08, 8)),
            .is_vf = false};
}

Result<std::shared_ptr<safety::ConfigSpace>> open_config_dump(const std::string& path) {
    auto content = read_user_file(path, largest_config_dump);
    if (!content) {
        return fail(std::move(content.error()));
    }
    auto image = DumpImage::parse(std::move(*content), 0, path);
    if (!image) {
        return fail(std::move(image.error()));
    }
    const std::string description = path + " (" + image->format() + ")";
    return make_memory_config(std::move(*image), description);
}

Result<Subject> open_dump(Subject subject, const std::string& path, const SubjectOptions& options,
                          const regmaps::Catalog& catalog) {
    subject.file = path;
    if (options.map.empty()) {
        return fail({.code = ErrorCode::usage,
                     .cause = "map-needed",
                     .what = "a dump file does not say which device it is of",
                     .where = path,
                     .remedy = "name its map with --map; `barscope maps list` lists them"});
    }
    auto map = catalog.find(options.map);
    if (!map) {
        return fail(std::move(map.error()));
    }
    auto complete = regmaps::with_parameters(*map, options.parameters);
    if (!complete) {
        return fail(std::move(complete.error()));
    }
    subject.map = std::move(*complete);
    subject.specific = true;
    const bool begins_with_config =
        subject.map.spaces.empty() || subject.map.spaces.front().kind != regmaps::SpaceKind::bar;
    subject.file_is_config = begins_with_config && !options.dump_is_bar;
    const std::string& config_file = subject.file_is_config ? path : options.config_dump;
    if (!config_file.empty()) {
        auto config = open_config_dump(config_file);
        if (!config) {
            return fail(std::move(config.error()));
        }
        subject.dump_config = std::move(*config);
        subject.pci = identity_in(*subject.dump_config);
    }
    return subject;
}

Result<Subject> open_device(Subject subject, const safety::PciAddress& address, const SubjectOptions& options,
                            const regmaps::Catalog& catalog) {
    auto facts = safety::read_device_facts(subject.root, address);
    if (!facts) {
        return fail(std::move(facts.error()));
    }
    subject.facts = std::move(*facts);
    subject.pci = identity_of(*subject.facts);
    auto map = find_map(catalog, options.map, subject.pci);
    if (!map) {
        return fail(std::move(map.error()));
    }
    if (!*map) {
        return fail({.code = ErrorCode::bad_input,
                     .cause = "no-map",
                     .what = "no register map fits this device",
                     .where = to_string(address),
                     .remedy = "name one with --map"});
    }
    auto complete = regmaps::with_parameters(**map, options.parameters);
    if (!complete) {
        return fail(std::move(complete.error()));
    }
    subject.map = std::move(*complete);
    subject.specific = regmaps::match_specificity(subject.map, subject.pci).value_or(0) > 0;
    return subject;
}

} // namespace

Result<Subject> open_subject(const std::string& root_path, const SubjectOptions& options) {
    Subject subject;
    subject.root = system_root(root_path);
    subject.root_path = root_path;
    auto target = select_target(subject.root, options.device);
    if (!target) {
        return fail(std::move(target.error()));
    }
    const regmaps::Catalog catalog(map_folders(subject.root));
    if (const auto* dump = std::get_if<DumpFile>(&*target)) {
        if (is_snapshot_file(dump->path)) {
            auto snapshot = open_snapshot(dump->path);
            if (!snapshot) {
                return fail(std::move(snapshot.error()));
            }
            return subject_of(std::make_shared<const Snapshot>(std::move(*snapshot)), subject.root, root_path,
                              options);
        }
        return open_dump(std::move(subject), dump->path, options, catalog);
    }
    return open_device(std::move(subject), std::get<safety::PciAddress>(*target), options, catalog);
}

} // namespace barscope::tool
