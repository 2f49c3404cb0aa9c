#include <commands/context.h>

#include <device/examination.h>
#include <device/lookup.h>
#include <render/examination.h>

namespace barscope::tool {

Result<int> run_info(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
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
