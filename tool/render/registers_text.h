// A capture as text for people: a register a line, its fields below it.
#pragma once

#include <capture/capture.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

struct TextOptions {
    bool all = false;     // also the registers that the device does not have
    bool compact = false; // flags that are not set are told by name, many to a line
    bool summary = false; // ends with counts: what was read and what was not
};

void render_text(Output& output, const Style& style, const Subject& subject, const Capture& capture,
                 const TextOptions& options);

} // namespace barscope::tool
