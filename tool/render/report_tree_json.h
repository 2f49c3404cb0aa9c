// Every register of a report in little room: what registers of one kind share is said once.
#pragma once

#include <functional>

#include <evidence/report.h>
#include <render/json_writer.h>

namespace barscope::tool {

// {"registers": [{"name", "offset", "shape", values, "fields": [...]}], "shapes": [{"space", "title",
// "width", "fields": [{"name", "msb", "lsb"}]}]}. A field that is the same in both snapshots and that nothing
// is to be said of is its text alone.
void append_tree_json(JsonWriter& json, const Report& report, const std::function<void()>& drain);

} // namespace barscope::tool
