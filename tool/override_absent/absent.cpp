// In the place of tool/override, where a program is to be unable to write.
#include <commands/override_commands.h>

namespace barscope::tool {

bool has_lab_override() {
    return false;
}

Error no_lab_override() {
    return {.code = ErrorCode::refused,
            .cause = "no-lab-override",
            .what = "this build has no lab override: it cannot write to a device",
            .where = {},
            .remedy = "a build with BARSCOPE_LAB_OVERRIDE=ON has it"};
}

Result<int> run_write(Context& /*context*/) {
    return fail(no_lab_override());
}

std::optional<Result<int>> run_override_read(Context& /*context*/) {
    return std::nullopt;
}

} // namespace barscope::tool
