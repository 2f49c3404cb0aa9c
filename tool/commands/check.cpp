#include <commands/capture_steps.h>

#include <algorithm>

#include <render/checks.h>

namespace barscope::tool {

Result<int> run_check(Context& context) {
    const Arguments& arguments = context.arguments;
    const auto subject = open_subject(arguments.root, subject_options(arguments));
    if (!subject) {
        return fail(subject.error());
    }
    const auto checks = checks_in_groups(subject->map, arguments.capture.groups);
    if (!checks) {
        return fail(checks.error());
    }
    const auto captured = capture(*subject, arguments.capture,
                                  [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
                                      return select_for_checks(map, layout, arguments.capture);
                                  });
    if (!captured) {
        return fail(captured.error());
    }
    if (arguments.json) {
        render_checks_json(context.output, *subject, *captured, *checks);
    } else {
        render_checks_text(context.output, context.style, *subject, *captured, *checks);
    }
    warn_about(context, *subject, *captured);
    const bool failed =
        std::any_of(captured->decoded.checks.begin(), captured->decoded.checks.end(),
                    [&](const regmaps::DecodedCheck& check) {
                        return check.result == regmaps::CheckResult::failed &&
                               std::find(checks->begin(), checks->end(), check.check) != checks->end();
                    });
    return failed ? 1 : exit_status(*captured);
}

} // namespace barscope::tool
