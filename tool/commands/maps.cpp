// maps list | show | check | schema
#include <commands/context.h>

#include <device/lookup.h>
#include <regmaps/catalog.h>
#include <regmaps/schema.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <render/maps.h>

namespace barscope::tool {

namespace {

regmaps::Catalog open_catalog(const Arguments& arguments) {
    return regmaps::Catalog(map_folders(system_root(arguments.root)));
}

Result<int> list_maps(Context& context) {
    std::vector<Error> broken;
    const std::vector<regmaps::CatalogEntry> entries = open_catalog(context.arguments).list(&broken);
    if (context.arguments.json) {
        render_map_list_json(context.output, entries, broken);
    } else {
        render_map_list_text(context.output, context.style, entries);
    }
    for (const Error& error : broken) {
        context.warn(error);
    }
    return broken.empty() ? 0 : exit_status(ErrorCode::bad_input);
}

Result<int> show_map(Context& context) {
    const regmaps::Catalog catalog = open_catalog(context.arguments);
    const std::string& name = context.arguments.maps_operands.front();
    const auto map = catalog.find(name);
    if (!map) {
        return fail(map.error());
    }
    if (context.arguments.json) {
        auto text = catalog.source_text(name);
        if (!text) {
            return fail(std::move(text.error()));
        }
        context.output.text() += *text;
        return 0;
    }
    render_map_text(context.output, context.style, *map);
    return 0;
}

// A file is meant as a file, also where its name is that of a built-in map.
std::string as_path(const std::string& file) {
    return file.find('/') == std::string::npos ? "./" + file : file;
}

Result<int> check_maps(Context& context) {
    const regmaps::Catalog catalog = open_catalog(context.arguments);
    std::vector<CheckedMap> checked;
    bool failed = false;
    for (const std::string& file : context.arguments.maps_operands) {
        const auto map = catalog.find(as_path(file));
        checked.push_back(map ? summary_of(file, *map) : CheckedMap{file, {}, {}, {}, map.error()});
        if (!map) {
            failed = true;
            context.warn(map.error());
        }
    }
    if (context.arguments.json) {
        render_checked_maps_json(context.output, checked);
    } else {
        render_checked_maps_text(context.output, context.style, checked);
    }
    return failed ? exit_status(ErrorCode::bad_input) : 0;
}

} // namespace

Result<int> run_maps(Context& context) {
    switch (context.arguments.maps_action) {
    case MapsAction::list:
        return list_maps(context);
    case MapsAction::show:
        return show_map(context);
    case MapsAction::check:
        return check_maps(context);
    case MapsAction::schema:
        context.output.text() += regmaps::schema_text();
        return 0;
    }
    return 0;
}

} // namespace barscope::tool
