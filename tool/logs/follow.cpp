#include <logs/follow.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>

#include <fcntl.h>
#include <unistd.h>

#include <device/files.h>
#include <device/lookup.h>
#include <device/stop_signals.h>
#include <logs/follow_table.h>
#include <logs/log_inputs.h>
#include <logs/log_streams.h>
#include <render/fwlog_output.h>

namespace barscope::tool {

namespace {

fwlog::Format format_of(const std::string& path) {
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    std::string beginning(65536, '\0');
    const ssize_t got = file.fd() < 0 ? 0 : ::read(file.fd(), beginning.data(), beginning.size());
    const fwlog::Format format =
        fwlog::detect_format({beginning.data(), got > 0 ? static_cast<std::size_t>(got) : 0});
    const bool rows = format != fwlog::Format::coredump && format != fwlog::Format::binary;
    return rows ? format : fwlog::Format::rows;
}

// A file may come later; one that may not be read, and a kernel's ring that is not there, never do.
Result<void> check_readable(const FollowOptions& options) {
    const OpenFile file(::open(options.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    const int error = errno;
    const bool permission = error == EACCES || error == EPERM;
    if (file.fd() >= 0 || (!options.kernel_ring && !permission)) {
        return {};
    }
    return fail({.code = permission ? ErrorCode::permission : ErrorCode::absent,
                 .cause = options.kernel_ring ? "kernel-log-unreadable" : "file-unreadable",
                 .what = "the log cannot be read: " + errno_text(error),
                 .where = options.path,
                 .remedy = permission ? "run as root" : "follow a file that the system's log is written to"});
}

class Follower {
  public:
    Follower(Context& context, FollowOptions options, const fwlog::PatternSet& patterns)
        : context_(context), options_(std::move(options)),
          catalog_(map_folders(system_root(context.arguments.root))), field_text_(&catalog_),
          writer_(make_log_writer(context.arguments.ndjson ? LogForm::ndjson : LogForm::text, context.output,
                                  context.style, field_text_)),
          patterns_(patterns), present_(options_.device_folder.empty() || exists(options_.device_folder)) {
        take_places();
    }

    Result<int> run() {
        FollowStream stream(options_.path, options_.kernel_ring,
                            {.idle = [this] { idle(); },
                             .notice = [this](const std::string& text) { tell(options_.path, text); },
                             .wait = [this](int milliseconds) { return stopped(milliseconds); }});
        const auto source =
            fwlog::make_source(stream, options_.format.value_or(format_of(options_.path)), patterns_);
        fwlog::Record record;
        while (true) {
            const auto more = source->next(record);
            if (!more) {
                return fail(more.error());
            }
            if (!*more) {
                break;
            }
            show(record, options_.filter);
        }
        writer_->summary(summarizer_.finish(), left_out_);
        const fwlog::Severity limit = context_.arguments.log.fail_on;
        return limit != fwlog::Severity::unknown && worst_ >= limit ? 1 : 0;
    }

  private:
    void show(const fwlog::Record& record, const fwlog::Filter& filter) {
        if (filter.active() && !filter.passes(record)) {
            ++left_out_;
            return;
        }
        summarizer_.see(record);
        if (record.kind == fwlog::RecordKind::entry || record.kind == fwlog::RecordKind::unparsed) {
            worst_ = std::max(worst_, record.severity);
        }
        writer_->record(record);
    }

    // The names of before are still in the kernel's log.
    void take_places() {
        if (!options_.places) {
            return;
        }
        LogPlaces places = options_.places();
        if (options_.filter.device) {
            const auto& names = options_.filter.device->names;
            places.names.names.insert(places.names.names.end(), names.begin(), names.end());
        }
        options_.filter.device = std::move(places.names);
        for (std::string& path : places.tables) {
            const bool known = std::any_of(tables_.begin(), tables_.end(),
                                           [&](const FollowedTable& table) { return table.path() == path; });
            if (!known) {
                tables_.emplace_back(std::move(path), patterns_);
            }
        }
    }

    void look_at_tables() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_look_) {
            return;
        }
        next_look_ = now + std::chrono::seconds(1);
        fwlog::Filter filter = options_.filter;
        filter.device.reset(); // a table is the device's own
        for (FollowedTable& table : tables_) {
            table.look([&](const fwlog::Record& record) { show(record, filter); });
        }
    }

    void idle() {
        look_at_tables();
        static_cast<void>(context_.output.finish()); // an error stays and is told at the end
        const bool present = options_.device_folder.empty() || exists(options_.device_folder);
        if (present != present_) {
            present_ = present;
            tell(context_.arguments.device, present ? "the device is back" : "the device is gone");
            if (present) {
                take_places();
            }
        }
    }
    bool stopped(int milliseconds) { return signals_.wait(milliseconds) || context_.output.failed(); }

    static void tell(const std::string& where, const std::string& text) {
        Output errors(STDERR_FILENO);
        errors.text() = "barscope: " + escaped(text) + " (" + escaped(where) + ")\n";
        static_cast<void>(errors.finish());
    }

    Context& context_;
    FollowOptions options_;
    regmaps::Catalog catalog_;
    fwlog::FieldText field_text_;
    std::unique_ptr<LogWriter> writer_;
    StopSignals signals_;
    fwlog::Summarizer summarizer_;
    std::uint64_t left_out_ = 0;
    fwlog::Severity worst_ = fwlog::Severity::unknown;
    const fwlog::PatternSet& patterns_;
    std::deque<FollowedTable> tables_;
    std::chrono::steady_clock::time_point next_look_{};
    bool present_;
};

} // namespace

Result<int> follow_log(Context& context, FollowOptions options, const fwlog::PatternSet& patterns) {
    if (options.path == "-") {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "standard input cannot be followed by name",
                     .where = "-",
                     .remedy = "name the file"});
    }
    if (auto readable = check_readable(options); !readable) {
        return fail(std::move(readable.error()));
    }
    return Follower(context, std::move(options), patterns).run();
}

} // namespace barscope::tool
