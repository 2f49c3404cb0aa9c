#include <algorithm>

#include <fmt/format.h>

#include <capture/register_dump.h>
#include <commands/context.h>
#include <device/discover.h>
#include <device/files.h>
#include <device/lookup.h>
#include <device/selector.h>
#include <regmaps/catalog.h>
#include <render/register_dump.h>
#include <safety/ethtool_dump.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 20; // the longest known version has some 16 KiB

Result<RegisterDump> from_file(const regmaps::RegisterMap& map, const std::string& path,
                               std::optional<std::uint32_t> version) {
    auto content = read_user_file(path, largest_file);
    if (!content) {
        return fail(std::move(content.error()));
    }
    const std::vector<std::uint8_t> bytes(content->begin(), content->end());
    return decode_register_dump(map, bytes, version, path);
}

Result<std::string> interface_of(const safety::SystemRoot& root, const safety::DeviceFacts& facts) {
    const NamesByAddress names = kernel_names(root);
    const auto found = names.find(facts.address);
    if (found == names.end() || found->second.net.empty()) {
        return fail({ErrorCode::absent,
                     "no-interface",
                     "the device has no network interface to ask for the driver's register dump",
                     to_string(facts.address),
                     {}});
    }
    return found->second.net.front();
}

// Taking the dump makes the driver do something: only the map can say that it does the device no harm.
Result<const regmaps::DriverDump*> claim_of(const regmaps::RegisterMap& map,
                                            const safety::DeviceFacts& facts) {
    const auto refuse = [&](const char* cause, std::string what, std::string remedy) {
        return fail(
            {ErrorCode::refused, cause, std::move(what), to_string(facts.address), std::move(remedy)});
    };
    if (facts.driver.empty()) {
        return refuse("driver-dump-unknown", "no driver is bound that could be asked", {});
    }
    const auto claim =
        std::find_if(map.driver_dumps.begin(), map.driver_dumps.end(),
                     [&](const regmaps::DriverDump& dump) { return map.text(dump.driver) == facts.driver; });
    if (claim == map.driver_dumps.end()) {
        return refuse("driver-dump-unknown",
                      "the layout of " + facts.driver + "'s register dump is not known",
                      "this command knows bnxt_en's");
    }
    if (!claim->side_effect_free) {
        return refuse(
            "driver-dump-side-effect",
            fmt::format("the map {} ({}) does not say that {}'s register dump is free of side effects",
                        map.name, map.origin, facts.driver),
            "take it with `ethtool -d INTERFACE raw on > FILE` if you accept that, and name the file");
    }
    return &*claim;
}

Result<RegisterDump> from_driver(const safety::SystemRoot& root, const regmaps::RegisterMap& map,
                                 const safety::DeviceFacts& facts) {
    const auto claim = claim_of(map, facts);
    if (!claim) {
        return fail(claim.error());
    }
    if (!root.is_live()) {
        return fail({ErrorCode::refused, "not-this-machine",
                     "the driver can be asked on the running machine only, not below --root",
                     to_string(facts.address), "name a file saved with `ethtool -d INTERFACE raw on`"});
    }
    auto interface = interface_of(root, facts);
    if (!interface) {
        return fail(std::move(interface.error()));
    }
    auto dump = safety::read_ethtool_dump(safety::ReadOnly{}, *interface, (*claim)->side_effect_free);
    if (!dump) {
        return fail(std::move(dump.error()));
    }
    return decode_register_dump(map, dump->bytes, dump->version, *interface + " (ETHTOOL_GREGS)");
}

} // namespace

Result<int> run_driver_dump(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
    const regmaps::Catalog catalog(map_folders(root));
    const auto map = catalog.find("bnxt-dumps");
    if (!map) {
        return fail(map.error());
    }
    auto target = select_target(root, arguments.device);
    if (!target) {
        return fail(std::move(target.error()));
    }
    Result<RegisterDump> dump;
    if (const auto* file = std::get_if<DumpFile>(&*target)) {
        dump = from_file(*map, file->path, arguments.dump_version);
    } else {
        const auto facts = safety::read_device_facts(root, std::get<safety::PciAddress>(*target));
        dump = facts ? from_driver(root, *map, *facts) : fail(facts.error());
    }
    if (!dump) {
        return fail(std::move(dump.error()));
    }
    if (arguments.json) {
        render_register_dump_json(context.output, *map, *dump);
    } else {
        render_register_dump_text(context.output, context.style, *map, *dump);
    }
    return 0;
}

} // namespace barscope::tool
