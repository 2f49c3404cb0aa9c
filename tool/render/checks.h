// The verdicts of `check`.
#pragma once

#include <vector>

#include <capture/capture.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_checks_text(Output& output, const Style& style, const Subject& subject, const Capture& capture,
                        const std::vector<regmaps::Index>& checks);
void render_checks_json(Output& output, const Subject& subject, const Capture& capture,
                        const std::vector<regmaps::Index>& checks);

} // namespace barscope::tool
