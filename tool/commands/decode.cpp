#include <commands/context.h>

#include <capture/page_table.h>
#include <capture/pasted.h>
#include <device/lookup.h>
#include <regmaps/catalog.h>
#include <render/page_table.h>
#include <render/pasted.h>

namespace barscope::tool {

namespace {

Result<int> show_pages(Context& context, const regmaps::RegisterMap& map, const PastedSet& set) {
    const DecodeArguments& arguments = context.arguments.decode;
    if (*arguments.levels == 0 || set.definition.structure == regmaps::none || set.places.empty()) {
        return fail({ErrorCode::usage,
                     "bad-arguments",
                     *arguments.levels == 0
                         ? "with 0 levels there is no table: the queue's one page is its memory"
                         : "--levels is for page table entries in bytes",
                     {},
                     "name pte or pde, such as bnxt:pte, and --levels 1 or 2"});
    }
    const auto walk = walk_pages(map, set, *arguments.levels, arguments.directory_pages);
    if (!walk) {
        return fail(walk.error());
    }
    if (context.arguments.json) {
        render_pages_json(context.output, map, set, *walk);
    } else {
        render_pages_text(context.output, context.style, map, set, *walk, arguments.full);
    }
    return 0;
}

} // namespace

Result<int> run_decode(Context& context) {
    const Arguments& arguments = context.arguments;
    const regmaps::Catalog catalog(map_folders(system_root(arguments.root)));
    const auto found = look_up(catalog, arguments.decode.name);
    if (!found) {
        return fail(found.error());
    }
    const auto& [map, definition] = *found;
    const auto set = decode_pasted(map, definition, arguments.decode.input);
    if (!set) {
        return fail(set.error());
    }
    if (arguments.decode.directory_pages && arguments.decode.levels != 2U) {
        return fail({ErrorCode::usage, "bad-arguments", "--directory-pages goes with --levels 2", {}, {}});
    }
    if (arguments.decode.levels) {
        return show_pages(context, map, *set);
    }
    const PastedView view{arguments.decode.input.ring, arguments.decode.full, arguments.decode.entry,
                          arguments.decode.show_pointers};
    if (view.entry &&
        (*view.entry < view.ring.first || *view.entry - view.ring.first >= set->places.size())) {
        return fail({ErrorCode::usage, "no-such-entry", "there is no entry of this index",
                     std::to_string(*view.entry), "entries are counted from --first"});
    }
    if (arguments.json) {
        render_pasted_json(context.output, map, *set, view);
    } else {
        render_pasted_text(context.output, context.style, map, *set, view);
    }
    return 0;
}

} // namespace barscope::tool
