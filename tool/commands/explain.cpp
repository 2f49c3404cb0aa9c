#include <commands/context.h>

#include <capture/names.h>
#include <device/lookup.h>
#include <regmaps/catalog.h>
#include <render/explanation.h>

namespace barscope::tool {

Result<int> run_explain(Context& context) {
    const Arguments& arguments = context.arguments;
    const auto name = split_map_name(arguments.explain);
    if (!name) {
        return fail(name.error());
    }
    const regmaps::Catalog catalog(map_folders(system_root(arguments.root)));
    const auto map = catalog.find(name->map);
    if (!map) {
        return fail(map.error());
    }
    const auto definition = find_definition(*map, name->name);
    if (!definition) {
        return fail(definition.error());
    }
    if (arguments.json) {
        render_explanation_json(context.output, *map, *definition);
    } else {
        render_explanation_text(context.output, context.style, *map, *definition);
    }
    return 0;
}

} // namespace barscope::tool
