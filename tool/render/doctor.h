// The answer of `doctor`.
#pragma once

#include <optional>
#include <vector>

#include <device/machine.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

struct Diagnosis {
    std::vector<MachineFact> machine;
    std::optional<safety::DeviceFacts> device;
    std::vector<safety::Verdict> verdicts; // on the device
};

void render_diagnosis_text(Output& output, const Style& style, const Diagnosis& diagnosis);
void render_diagnosis_json(Output& output, const Diagnosis& diagnosis);

} // namespace barscope::tool
