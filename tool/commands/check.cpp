#include <commands/capture_steps.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <commands/device_watch.h>
#include <render/checks.h>

namespace barscope::tool {

namespace {

// How many of the chosen checks ended so; those of at least `least` severity.
std::ptrdiff_t count_of(const Subject& subject, const Capture& capture,
                        const std::vector<regmaps::Index>& checks, regmaps::CheckResult result,
                        regmaps::Severity least) {
    return std::count_if(capture.decoded.checks.begin(), capture.decoded.checks.end(),
                         [&](const regmaps::DecodedCheck& check) {
                             return check.result == result &&
                                    subject.map.checks[check.check].severity >= least &&
                                    std::find(checks.begin(), checks.end(), check.check) != checks.end();
                         });
}

// Whether anything is there to be compared: what the check looks at now has a value.
bool can_compare(const regmaps::DecodedCheck& check) {
    return check.result != regmaps::CheckResult::not_applicable &&
           std::all_of(check.inputs.begin(), check.inputs.end(), [](const auto& input) {
               return input.second || input.first.starts_with("previous(");
           });
}

// Whether one of the chosen checks applies here and compares with an earlier pass.
bool wants_comparison(const regmaps::RegisterMap& map, const Capture& capture,
                      const std::vector<regmaps::Index>& checks) {
    const std::vector<bool> compares = checks_that_compare(map);
    return std::any_of(checks.begin(), checks.end(), [&](regmaps::Index check) {
        return compares[check] && can_compare(capture.decoded.checks[check]);
    });
}

bool wait(Watch* watch, std::uint32_t milliseconds, std::optional<Error>& ended, const std::string& where) {
    if (watch == nullptr || watch->wait(std::uint64_t{milliseconds} * 1'000'000)) {
        return true;
    }
    ended = watch->error(where);
    return false;
}

} // namespace

Result<int> run_check(Context& context) {
    const Arguments& arguments = context.arguments;
    const auto subject = open_subject(arguments.root, subject_options(arguments));
    if (!subject) {
        return fail(subject.error());
    }
    if (auto fitting = check_options(*subject, arguments.capture); !fitting) {
        return fail(std::move(fitting.error()));
    }
    const auto checks = checks_in_groups(subject->map, arguments.capture.groups);
    if (!checks) {
        return fail(checks.error());
    }
    DeviceWatch watch(arguments.capture, subject->facts.has_value(),
                      context.last && !arguments.lab_override ? Afterwards::nothing : Afterwards::more);
    CaptureOptions options = arguments.capture;
    options.watch = watch.get();
    std::optional<Error> ended; // between the two passes
    const auto captured = capture_twice(
        *subject, options,
        [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
            return select_for_checks(map, layout, arguments.capture);
        },
        wanted_by_checks(subject->map, *checks),
        [&](const Capture& first) {
            return !first.offline && wants_comparison(subject->map, first, *checks) &&
                   (subject->recording != nullptr ||
                    wait(watch.get(), arguments.capture.interval_ms, ended, arguments.device));
        });
    watch.done();
    if (!captured) {
        return fail(captured.error());
    }
    if (arguments.json) {
        render_checks_json(context.output, *subject, *captured, *checks);
    } else {
        render_checks_text(context.output, context.style, *subject, *captured, *checks);
    }
    warn_about(context, *subject, *captured);
    if (count_of(*subject, *captured, *checks, regmaps::CheckResult::failed, regmaps::Severity::unspecified) >
        0) {
        return 1;
    }
    if (ended) {
        context.warn(*ended);
        return exit_status(ended->code);
    }
    const int status = exit_status(*captured);
    const auto open = count_of(*subject, *captured, *checks, regmaps::CheckResult::not_evaluated,
                               regmaps::Severity::warning);
    if (status != 0 || open == 0) {
        return status;
    }
    context.warn({.code = ErrorCode::absent,
                  .cause = "not-evaluated",
                  .what = fmt::format("{} of {} checks could not be evaluated: that is no all-clear", open,
                                      checks->size()),
                  .where = arguments.device,
                  .remedy = "`barscope dump` shows what was not read and why"});
    return exit_status(ErrorCode::absent);
}

} // namespace barscope::tool
