// snapshot: one file that holds all that is to be known of a device at a moment.
#include <commands/capture_steps.h>
#include <commands/context.h>
#include <commands/device_watch.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <optional>

#include <fmt/format.h>

#include <evidence/compression.h>
#include <evidence/document.h>
#include <evidence/new_file.h>
#include <evidence/take_snapshot.h>
#include <render/escape.h>
#include <render/identity.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

// "barscope-0000-3b-00.0-20261130T233403Z.json": sorts by device, then by time, and needs no quoting.
std::string made_name(const Subject& subject) {
    std::string address = to_string(subject.facts->address);
    std::replace(address.begin(), address.end(), ':', '-');
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    ::gmtime_r(&now, &utc);
    std::array<char, 32> text{};
    const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
    return "barscope-" + address + "-" + std::string(text.data(), size) + ".json";
}

Result<std::string> output_path(const Subject& subject, const SnapshotArguments& arguments) {
    if (arguments.output.empty()) {
        return made_name(subject);
    }
    if (arguments.output == "-") {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "a snapshot is written to a file, whole or not at all",
                     .where = "-o -",
                     .remedy = "name a file"});
    }
    if (!arguments.output.ends_with(".json") && !arguments.output.ends_with(".json.zst")) {
        return fail({.code = ErrorCode::usage,
                     .cause = "bad-arguments",
                     .what = "a snapshot's name ends in .json or .json.zst",
                     .where = arguments.output,
                     .remedy = "name it " + escaped(arguments.output) + ".json"});
    }
    return arguments.output;
}

struct Written {
    std::string path;
    std::size_t bytes = 0;
};

void render_text(Context& context, const Subject& subject, const TakenSnapshot& taken, const Written& written,
                 std::optional<bool> keyed) {
    std::string& out = context.output.text();
    append_identity(out, context.style, subject, taken.passes.empty() ? nullptr : &taken.passes.back());
    append_safe(out, written.path);
    out += fmt::format(": {} bytes, {} pass{}, {} registers", written.bytes, taken.passes.size(),
                       taken.passes.size() == 1 ? "" : "es", taken.words);
    out +=
        taken.unread == 0 ? "\n" : fmt::format(", {} of them not read (the file says why)\n", taken.unread);
    if (keyed) {
        out += *keyed ? "redacted: pseudonyms are equal in all snapshots made with this key\n"
                      : "redacted with a key of this run only: its pseudonyms compare with no other snapshot "
                        "(--redact-key FILE)\n";
    }
}

void render_json(Context& context, const Subject& subject, const TakenSnapshot& taken, const Written& written,
                 std::optional<bool> keyed) {
    JsonWriter json(context.output.text());
    json.begin_object();
    write_tool(json);
    write_subject(json, subject);
    write_map(json, subject.map);
    json.member("file", written.path);
    json.member_number("bytes", written.bytes);
    json.member_number("passes", taken.passes.size());
    json.member_number("registers", taken.words);
    json.member_number("unread", taken.unread);
    if (keyed) {
        json.key("redaction");
        json.begin_object();
        json.member_bool("keyed", *keyed);
        json.end_object();
    }
    json.end_object();
    context.output.text() += '\n';
}

Result<Written> write(const TakenSnapshot& taken, const std::string& path, bool replace) {
    auto text = document_text(taken.members);
    if (text && path.ends_with(".zst")) {
        text = compress_zstd(*text);
    }
    if (!text) {
        return fail(std::move(text.error()));
    }
    if (auto done = write_new_file(path, *text, {.replace = replace}); !done) {
        return fail(std::move(done.error()));
    }
    return Written{path, text->size()};
}

} // namespace

Result<int> run_snapshot(Context& context) {
    const Arguments& arguments = context.arguments;
    std::optional<RedactionKey> key;
    if (arguments.snapshot.redact) {
        auto read = redaction_key(arguments.snapshot.redact_key);
        if (!read) {
            return fail(std::move(read.error()));
        }
        key = std::move(*read);
    }
    const auto subject = open_subject(arguments.root, subject_options(arguments));
    if (!subject) {
        return fail(subject.error());
    }
    if (!subject->facts) {
        return fail({.code = ErrorCode::usage,
                     .cause = "not-a-device",
                     .what = "a snapshot is taken of a device, and this is a file",
                     .where = arguments.device,
                     .remedy = "`barscope show` shows a snapshot"});
    }
    if (auto fitting = check_options(*subject, arguments.capture); !fitting) {
        return fail(std::move(fitting.error()));
    }
    const auto path = output_path(*subject, arguments.snapshot);
    if (!path) {
        return fail(path.error());
    }
    // Before the device is asked for anything.
    if (auto possible = check_new_file(*path, {.replace = arguments.snapshot.force}); !possible) {
        return fail(std::move(possible.error()));
    }
    const std::optional<bool> keyed = key ? std::optional(key->keyed) : std::nullopt;
    DeviceWatch watch(arguments.capture, true, Afterwards::nothing);
    const SnapshotOptions options{.label = arguments.snapshot.label,
                                  .passes = arguments.snapshot.passes,
                                  .interval_ms = arguments.snapshot.interval_ms,
                                  .logs = !arguments.snapshot.no_logs,
                                  .context = !arguments.snapshot.no_context,
                                  .redact = std::move(key),
                                  .map = arguments.map,
                                  .progress = [&](const std::string& what) { watch.progress().show(what); },
                                  .watch = watch.get()};
    const auto taken = take_snapshot(*subject, arguments.capture, options);
    if (!taken) {
        return fail(taken.error());
    }
    const auto written = write(*taken, *path, arguments.snapshot.force);
    watch.done();
    if (!written) {
        return fail(written.error());
    }
    if (arguments.json) {
        render_json(context, *subject, *taken, *written, keyed);
    } else {
        render_text(context, *subject, *taken, *written, keyed);
    }
    if (taken->refusal) {
        context.warn(*taken->refusal);
        return exit_status(taken->refusal->code);
    }
    warn_about(context, *subject, taken->passes.back());
    if (!taken->stopped.empty() && taken->passes.back().stopped.empty()) {
        context.warn(stopped_error(taken->stopped, *path));
    }
    const int status = exit_status(taken->passes.back());
    return taken->stopped.empty() ? status : exit_status(ErrorCode::absent);
}

} // namespace barscope::tool
