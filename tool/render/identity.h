// What every output begins with: which device, under which driver, read from where, explained by which map.
#pragma once

#include <string>

#include <capture/capture.h>
#include <render/json_writer.h>
#include <render/style.h>

namespace barscope::tool {

// One line. `capture` may be null: nothing was read (yet).
void append_identity(std::string& out, const Style& style, const Subject& subject, const Capture* capture);
// "14e4:1750 rev 0x11  driver bnxt_en"
void append_facts(std::string& out, const safety::DeviceFacts& facts);
// "map bnxt 1.0.0 (built in)"
void append_map(std::string& out, const regmaps::RegisterMap& map);

// The members "tool", "device", "map" of a document.
void write_tool(JsonWriter& json);
void write_device(JsonWriter& json, const safety::DeviceFacts& facts, std::string_view description);
void write_subject(JsonWriter& json, const Subject& subject);
void write_map(JsonWriter& json, const regmaps::RegisterMap& map);
void write_error(JsonWriter& json, const Error& error); // the object itself

} // namespace barscope::tool
