#include <commands/capture_steps.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <capture/watch.h>

namespace barscope::tool {

namespace {

std::string where_of(const Subject& subject) {
    return subject.facts ? to_string(subject.facts->address) : subject.file;
}

} // namespace

Result<void> check_options(const Subject& subject, const CaptureOptions& options) {
    const bool live = subject.facts.has_value();
    const bool snapshot = subject.recording != nullptr;
    const char* what = live ? "a device" : snapshot ? "a snapshot" : "a dump file";
    struct Given {
        const char* name;
        bool given, for_files;
    };
    const std::array given{Given{"--base", options.base.has_value(), true},
                           Given{"--bar", options.bar.has_value(), true},
                           Given{"--dump-config", !options.config_dump.empty(), true},
                           Given{"--source", options.source != SourceChoice::automatic, false},
                           Given{"--access-log", !options.access_log.empty(), false},
                           Given{"--allow-vfio", options.allow_vfio, false},
                           Given{"--timeout", options.timeout_ns.has_value(), false},
                           Given{"--retry", options.retries != 0, false},
                           Given{"--max-rate", options.max_rate != 0, false}};
    for (const Given& option : given) {
        if (option.given && (snapshot || option.for_files == live)) {
            return fail({.code = ErrorCode::usage,
                         .cause = "option-does-not-apply",
                         .what = fmt::format("{} is for {}, and this is {}", option.name,
                                             option.for_files ? "dump files" : "devices", what),
                         .where = where_of(subject),
                         .remedy = "leave it out"});
        }
    }
    return {};
}

SubjectOptions subject_options(const Arguments& arguments) {
    return {.device = arguments.device,
            .map = arguments.map,
            .config_dump = arguments.capture.config_dump,
            .parameters = arguments.capture.parameters,
            .dump_is_bar = arguments.capture.bar.has_value()};
}

// What the registers' own lines say, once more where scripts and tired people look for failures.
namespace {

// Reasons of refusals begin with "not read: " themselves.
std::string as_not_read(std::string reason) {
    return reason.starts_with("not read: ") ? std::move(reason) : "not read: " + reason;
}

// A status other than 0 always has a line that says why: here the words that could not or may not be read.
void warn_about_unread(Context& context, const Subject& subject, const Capture& capture) {
    const int status = exit_status(capture);
    // Where all is well, a map that is larger than the device is still worth a word.
    const auto worth_telling = [&](regmaps::Index position) {
        const safety::WordStatus word = capture.raw.words[position].status;
        return status == 0 ? word == safety::WordStatus::out_of_range && capture.refusal[position] == 0
                           : !safety::has_value(word);
    };
    // What was lost comes before what was left alone on purpose: it is why the status is what it is.
    auto unread = std::find_if(capture.shown.begin(), capture.shown.end(),
                               [&](regmaps::Index position) { return is_lost(capture, position); });
    if (unread == capture.shown.end()) {
        unread = std::find_if(capture.shown.begin(), capture.shown.end(), worth_telling);
    }
    if (unread == capture.shown.end()) {
        return;
    }
    const auto count = std::count_if(capture.shown.begin(), capture.shown.end(), worth_telling);
    const bool refused = status == exit_status(ErrorCode::refused);
    Error error{.code = refused ? ErrorCode::refused : ErrorCode::absent,
                .cause = std::string(safety::name(capture.raw.words[*unread].status)),
                .what = fmt::format("{} was {}{}",
                                    regmaps::instance_name(subject.map, capture.raw.instances[*unread]),
                                    as_not_read(reason(subject.map, capture, *unread)),
                                    count > 1 ? fmt::format(" ({} more not read)", count - 1) : ""),
                .where = where_of(subject),
                .remedy = ""};
    if (status == 0) {
        context.note(error);
    } else {
        context.warn(error);
    }
}

// The pass was ended before its time.
void warn_about_stop(Context& context, const Subject& subject, const Capture& capture) {
    const auto unread =
        std::count_if(capture.shown.begin(), capture.shown.end(), [&](regmaps::Index position) {
            return capture.refusal[position] == 0 && !capture.held[position] &&
                   capture.raw.words[position].status == safety::WordStatus::not_attempted;
        });
    context.warn(stopped_error(
        fmt::format("{}: {} of {} registers were not read", capture.stopped, unread, capture.shown.size()),
        where_of(subject)));
}

} // namespace

void warn_about(Context& context, const Subject& subject, const Capture& capture) {
    for (std::size_t i = 0; i < capture.refusals.size(); ++i) {
        const bool concerns =
            std::any_of(capture.shown.begin(), capture.shown.end(),
                        [&](regmaps::Index position) { return capture.refusal[position] == i + 1; });
        if (concerns || !capture.unplaced.empty()) {
            if (exit_status(capture) == 0) {
                context.note(capture.refusals[i]);
            } else {
                context.warn(capture.refusals[i]);
            }
        }
    }
    const Death dead = death(capture);
    if (dead == Death::device) {
        context.warn({.code = ErrorCode::absent,
                      .cause = "device-gone",
                      .what = "the device does not answer",
                      .where = where_of(subject),
                      .remedy = "what was read before it went is above; the kernel log may say why it went"});
    } else if (dead == Death::bar) {
        context.warn({.code = ErrorCode::absent,
                      .cause = "bar-dead",
                      .what = "the BAR does not answer, configuration space does",
                      .where = where_of(subject),
                      .remedy = "the device may be in reset or its memory side hung; `barscope dump --space "
                                "config` still works"});
    } else if (!capture.stopped.empty()) {
        warn_about_stop(context, subject, capture);
    } else if (context.messages.empty()) {
        warn_about_unread(context, subject, capture);
    }
    if (!subject.recorded.integrity.empty()) {
        context.messages.push_back(
            fmt::format("barscope: warning: {} ({})\n", subject.recorded.integrity, escaped(subject.file)));
    }
    if (subject.facts && safety::owner_of(subject.facts->driver) == safety::Owner::user_program) {
        context.messages.push_back(fmt::format(
            "barscope: warning: driver {} is bound: {}; what it does meanwhile may change what is read\n",
            escaped(subject.facts->driver), safety::explain(safety::Owner::user_program)));
    }
    if (subject.facts && !subject.map.match_rules.empty() &&
        !regmaps::match_specificity(subject.map, subject.pci)) {
        context.messages.push_back(fmt::format("barscope: warning: map {} is made for other devices than "
                                               "{:04x}:{:04x}; what it shows may mean nothing\n",
                                               subject.map.name, subject.pci.vendor, subject.pci.device));
    }
}

} // namespace barscope::tool
