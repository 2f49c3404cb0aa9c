// The answer of `info`.
#pragma once

#include <device/examination.h>
#include <render/json_writer.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_examination_text(Output& output, const Style& style, const Examination& device);
void render_examination_json(Output& output, const Examination& device);

void append_verdicts(std::string& out, const Style& style, const std::vector<safety::Verdict>& verdicts);
void write_verdicts(JsonWriter& json, const std::vector<safety::Verdict>& verdicts);

} // namespace barscope::tool
