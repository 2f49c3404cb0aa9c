// The answer of `hwq`.
#pragma once

#include <string>
#include <vector>

#include <capture/hwq.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

struct HwqView {
    std::vector<std::string> sources; // where it came from
    bool full = false;                // the bytes of contexts too
    bool show_pointers = false;
};

void render_hwq_text(Output& output, const Style& style, const std::vector<HwqObject>& objects,
                     const HwqView& view);
void render_hwq_json(Output& output, const std::vector<HwqObject>& objects, const HwqView& view);

} // namespace barscope::tool
