// The answer of `driver-dump`.
#pragma once

#include <capture/register_dump.h>
#include <render/output.h>
#include <render/style.h>

namespace barscope::tool {

void render_register_dump_text(Output& output, const Style& style, const regmaps::RegisterMap& map,
                               const RegisterDump& dump);
void render_register_dump_json(Output& output, const regmaps::RegisterMap& map, const RegisterDump& dump);

} // namespace barscope::tool
