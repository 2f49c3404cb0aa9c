// write: from the command line to one store.
#include <commands/override_commands.h>

#include <override/write_named.h>
#include <override/write_raw.h>
#include <override/write_value.h>

namespace barscope::tool {

namespace {

Error usage(std::string cause, std::string what, const std::string& where, std::string remedy) {
    return {ErrorCode::usage, std::move(cause), std::move(what), where, std::move(remedy)};
}

} // namespace

bool has_lab_override() {
    return true;
}

Error no_lab_override() {
    return usage("lab-override-incomplete", "a write needs lab override", {},
                 "add --lab-override --reason TEXT, where the device is yours to break");
}

Result<int> run_write(Context& context) {
    const Arguments& arguments = context.arguments;
    const OverrideArguments& options = arguments.override_options;
    if (!arguments.lab_override) {
        return fail(no_lab_override());
    }
    const auto assignment = split_assignment(options.assignment);
    if (!assignment) {
        return fail(assignment.error());
    }
    const auto raw = parse_raw_place(assignment->name);
    if (!raw) {
        return fail(raw.error());
    }
    if (raw->has_value() != options.raw || (options.width && !options.raw)) {
        return fail(raw->has_value()
                        ? Error{ErrorCode::refused, "raw-access", "an offset is written with --raw only",
                                assignment->name, "name a register of the map, or add --raw"}
                        : usage("bad-arguments", "--raw and --width are for offsets", assignment->name,
                                "such as bar0+0x10=0x1"));
    }
    const auto subject = open_device_subject(arguments);
    if (!subject) {
        return fail(subject.error());
    }
    return *raw ? write_raw(context, *subject, **raw, assignment->name, assignment->value)
                : write_named(context, *subject, assignment->name, assignment->value);
}

} // namespace barscope::tool
