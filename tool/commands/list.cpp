#include <commands/context.h>

#include <device/inventory.h>
#include <device/lookup.h>
#include <render/inventory.h>

namespace barscope::tool {

Result<int> run_list(Context& context) {
    const Arguments& arguments = context.arguments;
    const safety::SystemRoot root = system_root(arguments.root);
    const regmaps::Catalog catalog(map_folders(root));
    const std::vector<ListedDevice> devices = take_inventory(root, catalog);
    if (arguments.json) {
        render_inventory_json(context.output, devices);
    } else {
        render_inventory_text(context.output, context.style, devices);
    }
    return 0;
}

} // namespace barscope::tool
