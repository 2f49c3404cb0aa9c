// The demo runs the real commands on a simulated machine.
#include <commands/context.h>

#include <cstdlib>
#include <filesystem>

#include <demo/demo_tree.h>
#include <device/files.h>

namespace barscope::tool {

namespace {

constexpr const char* network_card = "0000:3b:00.0";

class TemporaryFolder {
  public:
    static Result<TemporaryFolder> create() {
        const char* base = std::getenv("TMPDIR"); // NOLINT(concurrency-mt-unsafe): one thread
        std::string path =
            std::string(base != nullptr && base[0] == '/' ? base : "/tmp") + "/barscope-demo-XXXXXX";
        if (::mkdtemp(path.data()) == nullptr) {
            const int error = errno;
            return fail({.code = ErrorCode::output,
                         .cause = "no-temporary-folder",
                         .what = "a temporary folder cannot be made: " + errno_text(error),
                         .where = path,
                         .remedy = "set TMPDIR to a folder that can be written, or give DIR"});
        }
        return TemporaryFolder(std::move(path));
    }
    ~TemporaryFolder() {
        if (!path_.empty()) {
            std::error_code ignored;
            std::filesystem::remove_all(path_, ignored);
        }
    }
    TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
    TemporaryFolder& operator=(TemporaryFolder&&) = delete;
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

  private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

std::optional<Error> refuse_used_folder(const std::string& path) {
    if (!exists(path) || list_directory(path).empty()) {
        return std::nullopt;
    }
    return Error{.code = ErrorCode::output,
                 .cause = "folder-not-empty",
                 .what = "the folder is not empty",
                 .where = path,
                 .remedy = "name a new one"};
}

// The command that is about to be shown, as the user would type it.
void announce(Context& context, const std::string& command) {
    std::string& out = context.output.text();
    out += out.empty() ? "" : "\n";
    context.style.put(out, Ink::heading, "$ barscope " + command);
    out += '\n';
}

Result<int> show(Context& context, const std::string& root, Command command, const std::string& typed,
                 const std::vector<std::string>& groups = {}) {
    Arguments arguments = context.arguments;
    arguments.command = command;
    arguments.root = root;
    arguments.json = false;
    arguments.device = network_card;
    arguments.capture.groups = groups;
    announce(context, typed);
    Context inner{arguments, context.output, context.style, {}, false};
    auto status = command == Command::list    ? run_list(inner)
                  : command == Command::check ? run_check(inner)
                                              : run_dump(inner);
    for (std::string& message : inner.messages) {
        context.messages.push_back(std::move(message));
    }
    return status;
}

void append_next_steps(std::string& out, const std::string& dir) {
    out += "\nNext, on the simulated machine:\n";
    for (const char* command :
         {"list", "info ens1f0np0", "read bnxt_re0 FW_STATUS", "dump nvme0", "check 3b:00.0 --format json"}) {
        out += "  barscope " + std::string(command) + " --root " + dir + "\n";
    }
    out += "  barscope snapshot ens1f0np0 --root " + dir + " -o before.json\n  barscope demo " + dir +
           " --fault; barscope snapshot ens1f0np0 --root " + dir +
           " -o after.json; barscope diff before.json after.json\n";
    out += "and on this one, as root: barscope list; barscope doctor\n";
}

// One file before, one after, one command to compare.
Result<int> show_difference(Context& context, const std::string& root) {
    const std::string before = root + "/before.json", after = root + "/after.json";
    Arguments arguments = context.arguments;
    arguments.root = root;
    arguments.json = false;
    arguments.device = network_card;
    arguments.snapshot.interval_ms = 0;
    for (const std::string& file : {before, after}) {
        if (file == after) {
            if (auto written = write_demo_tree(root, DemoState::fault); !written) {
                return fail(std::move(written.error()));
            }
        }
        const std::string name(last_component(file));
        announce(context, "snapshot ens1f0np0 -o " + name +
                              (file == after ? "        # its firmware has failed meanwhile" : ""));
        arguments.command = Command::snapshot;
        arguments.snapshot.output = file;
        Context inner{arguments, context.output, context.style, {}, false};
        if (auto taken = run_snapshot(inner); !taken) {
            return taken;
        }
    }
    announce(context, "diff before.json after.json");
    arguments.command = Command::diff;
    arguments.report.files = {before, after};
    Context inner{arguments, context.output, context.style, {}, false};
    return run_diff(inner);
}

Result<int> show_all(Context& context, const std::string& root) {
    auto listed = show(context, root, Command::list, "list");
    auto dumped = listed.and_then([&](int) { return show(context, root, Command::dump, "dump ens1f0np0"); });
    auto checked =
        dumped.and_then([&](int) { return show(context, root, Command::check, "check ens1f0np0"); });
    return checked.and_then([&](int) { return show_difference(context, root); });
}

} // namespace

Result<int> run_demo(Context& context) {
    const std::string& wanted = context.arguments.directory;
    const DemoState state = context.arguments.demo_fault ? DemoState::fault : DemoState::healthy;
    if (wanted.empty() && state == DemoState::fault) {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "--fault needs the folder of a simulated machine",
                     .where = {},
                     .remedy = "barscope demo DIR first, then barscope demo DIR --fault"});
    }
    if (!wanted.empty()) {
        // After its fault it is the same machine: the folder of an earlier demo is written again.
        if (auto refusal = refuse_used_folder(wanted); refusal && state == DemoState::healthy) {
            return fail(std::move(*refusal));
        }
        if (auto written = write_demo_tree(wanted, state); !written) {
            return fail(std::move(written.error()));
        }
        context.output.text() += "A simulated machine is in " + escaped(wanted) + ".\n";
        append_next_steps(context.output.text(), escaped(wanted));
        return 0;
    }
    const auto folder = TemporaryFolder::create();
    if (!folder) {
        return fail(folder.error());
    }
    if (auto written = write_demo_tree(folder->path()); !written) {
        return fail(std::move(written.error()));
    }
    // The check finds something on purpose: that is the demo's success, not its failure.
    if (auto shown = show_all(context, folder->path()); !shown) {
        return shown;
    }
    std::string& out = context.output.text();
    out += "\nKeep the simulated machine with `barscope demo DIR` (a new folder).";
    append_next_steps(out, "DIR");
    return 0;
}

} // namespace barscope::tool
