#include <commands/program.h>

#include <csignal>
#include <cstdlib>

#include <sys/stat.h>
#include <unistd.h>

#include <commands/confinement.h>
#include <commands/context.h>
#include <commands/override_commands.h>
#include <render/identity.h>
#include <render/json_writer.h>
#include <safety/privileges.h>

namespace barscope::tool {

namespace {

bool wants_colour(ColourMode mode) {
    if (mode != ColourMode::automatic) {
        return mode == ColourMode::always;
    }
    const char* refused = std::getenv("NO_COLOR"); // NOLINT(concurrency-mt-unsafe): one thread
    const char* terminal = std::getenv("TERM");    // NOLINT(concurrency-mt-unsafe)
    const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
    return (refused == nullptr || refused[0] == '\0') && !dumb && ::isatty(STDOUT_FILENO) == 1;
}

Result<int> run_command(Context& context) {
    switch (context.arguments.command) {
    case Command::list:
        return run_list(context);
    case Command::info:
        return run_info(context);
    case Command::read:
        return run_read(context);
    case Command::dump:
        return run_dump(context);
    case Command::check:
        return run_check(context);
    case Command::snapshot:
        return run_snapshot(context);
    case Command::show:
        return run_show(context);
    case Command::diff:
        return run_diff(context);
    case Command::verify:
        return run_verify(context);
    case Command::decode:
        return run_decode(context);
    case Command::hwq:
        return run_hwq(context);
    case Command::driver_dump:
        return run_driver_dump(context);
    case Command::explain:
        return run_explain(context);
    case Command::fwlog:
        return run_fwlog(context);
    case Command::maps:
        return run_maps(context);
    case Command::doctor:
        return run_doctor(context);
    case Command::demo:
        return run_demo(context);
    case Command::write:
        return run_write(context);
    case Command::audit:
        return run_audit(context);
    }
    return 0;
}

// Standard error is where failures are told; a failure to tell them cannot be told.
void complain(const std::vector<std::string>& messages) {
    Output errors(STDERR_FILENO);
    for (const std::string& message : messages) {
        errors.text() += message;
    }
    static_cast<void>(errors.finish());
}

void print_error(Output& output, const Error& error, bool json, std::vector<std::string>& messages) {
    messages.push_back("barscope: error: " + to_string(error) + "\n");
    if (json) {
        JsonWriter writer(output.text());
        writer.begin_object();
        writer.key("error");
        write_error(writer, error);
        writer.end_object();
        output.text() += '\n';
    }
}

int finish(Output& output, int status, std::vector<std::string> messages) {
    if (auto written = output.finish(); !written) {
        messages.push_back("barscope: error: " + to_string(written.error()) + "\n");
        status = exit_status(ErrorCode::output);
    }
    complain(messages);
    return status;
}

} // namespace

namespace {

// Things that are wrong with any command line.
Result<Invocation> checked_arguments(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (word.empty() || (word.starts_with("--") && word.ends_with('='))) {
            return fail({.code = ErrorCode::usage,
                         .cause = "empty-argument",
                         .what = "an argument is empty",
                         .where = i > 1 ? "after " + std::string(argv[i - 1]) : "",
                         .remedy = "is a shell variable unset?"});
        }
    }
    auto invocation = parse_arguments(argc, argv);
    if (invocation && !invocation->arguments.root.empty()) {
        struct stat status {};
        if (::stat(invocation->arguments.root.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
            return fail({.code = ErrorCode::usage,
                         .cause = "no-root",
                         .what = "--root is not a folder",
                         .where = invocation->arguments.root,
                         .remedy = "name the folder that holds the copied sys/ and proc/"});
        }
    }
    return invocation;
}

} // namespace

int run_program(int argc, const char* const* argv) {
    // A reader that went away is a failed write, told like any other, and not a silent death.
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    Output output(STDOUT_FILENO);
    auto invocation = checked_arguments(argc, argv);
    if (!invocation) {
        std::vector<std::string> messages;
        print_error(output, invocation.error(), asks_for_json(argc, argv), messages);
        return finish(output, exit_status(invocation.error().code), std::move(messages));
    }
    if (!invocation->help.empty()) {
        output.text() = std::move(invocation->help);
        return finish(output, 0, {});
    }
    const Arguments& arguments = invocation->arguments;
    Context context{arguments, output, Style(wants_colour(arguments.colour)), {}};
    if (arguments.lab_override && arguments.command != Command::write && arguments.command != Command::read) {
        context.messages.emplace_back("barscope: note: --lab-override unlocks nothing here: it is for "
                                      "`write`, and `read` of one register\n");
    }
    if (reads_files_only(arguments)) {
        static_cast<void>(safety::confine({.reading_of_any_file = true})); // `doctor` tells what comes of it
    }
    const auto status =
        arguments.lab_override && !has_lab_override() ? fail(no_lab_override()) : run_command(context);
    if (!status) {
        print_error(output, status.error(), arguments.json, context.messages);
        // diff(1): 0 the same, 1 different, 2 trouble of any kind.
        const int trouble = arguments.command == Command::diff ? 2 : exit_status(status.error().code);
        return finish(output, trouble, std::move(context.messages));
    }
    return finish(output, *status, std::move(context.messages));
}

} // namespace barscope::tool
