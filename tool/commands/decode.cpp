#include <commands/context.h>

#include <capture/pasted.h>
#include <device/lookup.h>
#include <regmaps/catalog.h>
#include <render/pasted.h>

namespace barscope::tool {

Result<int> run_decode(Context& context) {
    const Arguments& arguments = context.arguments;
    const auto name = split_map_name(arguments.decode.name);
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
    const auto set = decode_pasted(*map, *definition, arguments.decode.input);
    if (!set) {
        return fail(set.error());
    }
    if (arguments.json) {
        render_pasted_json(context.output, *map, *set);
    } else {
        render_pasted_text(context.output, context.style, *map, *set);
    }
    return 0;
}

} // namespace barscope::tool
