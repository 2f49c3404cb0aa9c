#include <commands/context.h>

#include <capture/names.h>
#include <device/lookup.h>
#include <regmaps/catalog.h>
#include <render/explanation.h>

namespace barscope::tool {

Result<int> run_explain(Context& context) {
    const Arguments& arguments = context.arguments;
    const regmaps::Catalog catalog(map_folders(system_root(arguments.root)));
    const auto found = look_up(catalog, arguments.explain);
    if (!found) {
        return fail(found.error());
    }
    const auto& [map, definition] = *found;
    if (arguments.json) {
        render_explanation_json(context.output, map, definition);
    } else {
        render_explanation_text(context.output, context.style, map, definition);
    }
    return 0;
}

} // namespace barscope::tool
