#include <commands/context.h>

#include <device/examination.h>
#include <device/lookup.h>
#include <device/selector.h>
#include <evidence/recorded_examination.h>
#include <render/examination.h>

namespace barscope::tool {

namespace {

Result<int> info_of_snapshot(Context& context, const safety::SystemRoot& root) {
    const Arguments& arguments = context.arguments;
    const auto snapshot = open_snapshot(arguments.device);
    if (!snapshot) {
        return fail(snapshot.error());
    }
    auto map = arguments.map.empty() ? embedded_map(*snapshot)
                                     : regmaps::Catalog(map_folders(root)).find(arguments.map);
    if (!map) {
        return fail(std::move(map.error()));
    }
    const auto device = recorded_examination(*snapshot, &*map);
    if (!device) {
        return fail(device.error());
    }
    if (arguments.json) {
        render_examination_json(context.output, *device);
    } else {
        render_examination_text(context.output, context.style, *device);
    }
    if (const std::string warning = integrity_warning(snapshot->integrity); !warning.empty()) {
        context.messages.push_back("barscope: warning: " + warning + " (" + escaped(arguments.device) +
                                   ")\n");
    }
    return 0;
}

} // namespace

Result<int> run_info(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
    if (const auto target = select_target(root, arguments.device);
        target && std::holds_alternative<DumpFile>(*target) && is_snapshot_file(arguments.device)) {
        return info_of_snapshot(context, root);
    }
    auto facts = find_device(root, arguments.device);
    if (!facts) {
        return fail(std::move(facts.error()));
    }
    const regmaps::Catalog catalog(map_folders(root));
    const Examination device =
        examine(root, std::move(*facts), catalog, arguments.map, arguments.capture.allow_vfio);
    if (device.map_error && !arguments.map.empty()) {
        return fail(*device.map_error);
    }
    if (arguments.json) {
        render_examination_json(context.output, device);
    } else {
        render_examination_text(context.output, context.style, device);
    }
    return 0;
}

} // namespace barscope::tool
