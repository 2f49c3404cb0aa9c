// A capture as the JSON document of read and dump: docs/cli.md.
#pragma once

#include <capture/capture.h>
#include <render/json_writer.h>
#include <render/output.h>

namespace barscope::tool {

void render_json(Output& output, const Subject& subject, const Capture& capture, bool all);

// {"name", "bits", "value", "text", "enum", "severity"} or, for bits without a name, {"name": null, ...,
// "reserved": true}.
void write_field(JsonWriter& json, const regmaps::RegisterMap& map, const regmaps::DecodedField& field,
                 std::string& scratch);
// The members "sources" and "refusals".
void write_sources(JsonWriter& json, const Capture& capture);

} // namespace barscope::tool
