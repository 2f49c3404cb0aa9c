// read and dump: the same capture, of what is named or of everything.
#include <commands/capture_steps.h>
#include <render/registers_json.h>
#include <render/registers_text.h>

namespace barscope::tool {

namespace {

Result<int> capture_and_print(Context& context, const Selector& selector, const TextOptions& text) {
    const Arguments& arguments = context.arguments;
    const auto subject = open_subject(arguments.root, subject_options(arguments));
    if (!subject) {
        return fail(subject.error());
    }
    if (auto fitting = check_options(*subject, arguments.capture); !fitting) {
        return fail(std::move(fitting.error()));
    }
    const auto captured = capture(*subject, arguments.capture, selector);
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
    const Selector selector = [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
        return select_registers(map, layout, arguments.registers, arguments.capture);
    };
    return capture_and_print(context, selector, {.all = arguments.capture.all});
}

Result<int> run_dump(Context& context) {
    const Arguments& arguments = context.arguments;
    const Selector selector = [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
        return select_registers(map, layout, {}, arguments.capture);
    };
    return capture_and_print(context, selector,
                             {.all = arguments.capture.all, .compact = true, .summary = true});
}

} // namespace barscope::tool
