#include <commands/context.h>

#include <algorithm>

#include <fmt/format.h>

#include <device/examination.h>
#include <device/inventory.h>
#include <device/lookup.h>
#include <device/machine.h>
#include <render/doctor.h>
#include <safety/privileges.h>

namespace barscope::tool {

namespace {

// One file that cannot be understood stands in the way of every device that it might fit.
void add_maps(const regmaps::Catalog& catalog, std::vector<MachineFact>& facts) {
    std::vector<Error> broken;
    const std::vector<regmaps::CatalogEntry> entries = catalog.list(&broken);
    const auto own = std::count_if(entries.begin(), entries.end(), [](const regmaps::CatalogEntry& entry) {
        return entry.origin != "built in";
    });
    facts.push_back(
        {"maps", Finding::good, fmt::format("{} maps, {} of them from files", entries.size(), own), {}});
    for (const Error& error : broken) {
        facts.push_back({"maps", Finding::obstacle, to_string(error),
                         "no device's map is chosen by itself until this file is mended or removed; "
                         "`barscope maps check FILE` checks it"});
    }
}

// What reading a device or a file gives up, tried in a process of its own.
void add_confinement(std::vector<MachineFact>& facts) {
    const safety::ConfinementTrial trial = safety::try_confinement();
    std::string seen =
        fmt::format("no_new_privs {}, effective capabilities {} (before: {}), seccomp mode {}",
                    trial.no_new_privileges, trial.capabilities, trial.capabilities_before, trial.seccomp);
    const bool all = trial.said.why_not.empty();
    if (!all) {
        seen += "; " + trial.said.why_not;
    }
    facts.push_back({"confinement", all ? Finding::good : Finding::note, std::move(seen),
                     all ? "in force while a device is read and files are looked at: docs/safety.md"
                         : "what is missing is no obstacle to reading: the rest is in force"});
}

} // namespace

Result<int> run_doctor(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
    Diagnosis diagnosis;
    if (!arguments.device.empty()) {
        auto facts = find_device(root, arguments.device);
        if (!facts) {
            return fail(std::move(facts.error()));
        }
        std::vector<unsigned> bars;
        const auto map = find_map(regmaps::Catalog(map_folders(root)), arguments.map, identity_of(*facts));
        if (!map && !arguments.map.empty()) {
            return fail(map.error());
        }
        if (map && *map) {
            bars = fixed_bars(**map);
        }
        diagnosis.verdicts = examine_access(root, *facts, bars, false);
        diagnosis.device = std::move(*facts);
    }
    diagnosis.machine = examine_machine(root);
    add_confinement(diagnosis.machine);
    add_maps(regmaps::Catalog(map_folders(root)), diagnosis.machine);
    if (arguments.json) {
        render_diagnosis_json(context.output, diagnosis);
    } else {
        render_diagnosis_text(context.output, context.style, diagnosis);
    }
    return 0;
}

} // namespace barscope::tool
