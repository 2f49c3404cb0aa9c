#include <commands/context.h>

#include <device/examination.h>
#include <device/inventory.h>
#include <device/lookup.h>
#include <device/machine.h>
#include <render/doctor.h>

namespace barscope::tool {

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
    if (arguments.json) {
        render_diagnosis_json(context.output, diagnosis);
    } else {
        render_diagnosis_text(context.output, context.style, diagnosis);
    }
    return 0;
}

} // namespace barscope::tool
