// The answer of `list`.
#pragma once

#include <vector>

#include <device/inventory.h>
#include <render/json_writer.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_inventory_text(Output& output, const Style& style, const std::vector<ListedDevice>& devices);
void render_inventory_json(Output& output, const std::vector<ListedDevice>& devices);

void write_names(JsonWriter& json, const KernelNames& names); // the member "names"

} // namespace barscope::tool
