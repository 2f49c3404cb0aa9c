#include <commands/lab_override.h>

namespace barscope::tool {

Result<std::optional<safety::LabOverride>>
LabOverrideParser::from_options(bool flag, const std::optional<std::string>& reason) {
    if (!flag && !reason) {
        return std::optional<safety::LabOverride>();
    }
    const bool says_something = reason && reason->find_first_not_of(" \t\n") != std::string::npos;
    if (!flag || !says_something) {
        return fail({.code = ErrorCode::usage,
                     .cause = "lab-override-incomplete",
                     .what = !flag    ? "--reason goes with --lab-override only"
                             : reason ? "--reason is empty"
                                      : "--lab-override needs --reason TEXT",
                     .where = {},
                     .remedy = "give both on the same command line, or neither"});
    }
    return std::optional<safety::LabOverride>(safety::LabOverride(*reason));
}

} // namespace barscope::tool
