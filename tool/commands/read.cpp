// read and dump: the same capture, of what is named or of everything.
#include <commands/capture_steps.h>
#include <commands/device_watch.h>
#include <commands/override_commands.h>
#include <render/registers_json.h>
#include <render/registers_text.h>

namespace barscope::tool {

namespace {

// `patterns` empty: everything.
Result<int> capture_and_print(Context& context, const std::vector<std::string>& patterns,
                              const TextOptions& text) {
    const Arguments& arguments = context.arguments;
    const auto subject = open_subject(arguments.root, subject_options(arguments));
    if (!subject) {
        return fail(subject.error());
    }
    if (auto fitting = check_options(*subject, arguments.capture); !fitting) {
        return fail(std::move(fitting.error()));
    }
    DeviceWatch watch(arguments.capture, subject->facts.has_value(),
                      context.last && !arguments.lab_override ? Afterwards::nothing : Afterwards::more);
    CaptureOptions options = arguments.capture;
    options.watch = watch.get();
    const auto captured = capture(
        *subject, options,
        [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
            return select_registers(map, layout, patterns, arguments.capture);
        },
        wanted_registers(subject->map, patterns, arguments.capture));
    watch.done();
    if (!captured) {
        return fail(captured.error());
    }
    if (arguments.json) {
        render_json(context.output, *subject, *captured, arguments.capture.all);
    } else {
        render_text(context.output, context.style, *subject, *captured, text);
    }
    warn_about(context, *subject, *captured);
    return exit_status(*captured);
}

} // namespace

Result<int> run_read(Context& context) {
    const Arguments& arguments = context.arguments;
    if (auto done = run_override_read(context)) {
        return std::move(*done);
    }
    return capture_and_print(context, arguments.registers, {.all = arguments.capture.all});
}

Result<int> run_dump(Context& context) {
    const Arguments& arguments = context.arguments;
    return capture_and_print(context, {}, {.all = arguments.capture.all, .compact = true, .summary = true});
}

} // namespace barscope::tool
