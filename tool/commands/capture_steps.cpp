#include <commands/capture_steps.h>

#include <algorithm>

#include <fmt/format.h>

namespace barscope::tool {

namespace {

std::string where_of(const Subject& subject) {
    return subject.facts ? to_string(subject.facts->address) : subject.file;
}

bool holds_status(const Capture& capture, safety::WordStatus status) {
    return std::any_of(capture.shown.begin(), capture.shown.end(),
                       [&](regmaps::Index position) { return capture.raw.words[position].status == status; });
}

} // namespace

SubjectOptions subject_options(const Arguments& arguments) {
    return {.device = arguments.device,
            .map = arguments.map,
            .config_dump = arguments.capture.config_dump,
            .dump_is_bar = arguments.capture.bar.has_value()};
}

// What the registers' own lines say, once more where scripts and tired people look for failures.
namespace {

// A status other than 0 always has a line that says why: here the words that could not or may not be read.
void warn_about_unread(Context& context, const Subject& subject, const Capture& capture) {
    const int status = exit_status(capture);
    if (status == 0) {
        return;
    }
    const auto unread =
        std::find_if(capture.shown.begin(), capture.shown.end(), [&](regmaps::Index position) {
            return !safety::has_value(capture.raw.words[position].status);
        });
    if (unread == capture.shown.end()) {
        return;
    }
    const auto count =
        std::count_if(capture.shown.begin(), capture.shown.end(), [&](regmaps::Index position) {
            return !safety::has_value(capture.raw.words[position].status);
        });
    const bool refused = status == exit_status(ErrorCode::refused);
    context.warn({.code = refused ? ErrorCode::refused : ErrorCode::absent,
                  .cause = std::string(safety::name(capture.raw.words[*unread].status)),
                  .what = fmt::format("{} was not read: {}{}",
                                      regmaps::instance_name(subject.map, capture.raw.instances[*unread]),
                                      reason(capture, *unread),
                                      count > 1 ? fmt::format(" ({} more not read)", count - 1) : ""),
                  .where = where_of(subject),
                  .remedy = ""});
}

} // namespace

void warn_about(Context& context, const Subject& subject, const Capture& capture) {
    for (std::size_t i = 0; i < capture.refusals.size(); ++i) {
        const bool concerns =
            std::any_of(capture.shown.begin(), capture.shown.end(),
                        [&](regmaps::Index position) { return capture.refusal[position] == i + 1; });
        if (concerns || !capture.unplaced.empty()) {
            context.warn(capture.refusals[i]);
        }
    }
    if (capture.device_gone || holds_status(capture, safety::WordStatus::gone)) {
        context.warn({.code = ErrorCode::absent,
                      .cause = "device-gone",
                      .what = "the device does not answer",
                      .where = where_of(subject),
                      .remedy = "what was read before it went is above; the kernel log may say why it went"});
    } else if (holds_status(capture, safety::WordStatus::bar_dead)) {
        context.warn({.code = ErrorCode::absent,
                      .cause = "bar-dead",
                      .what = "the BAR does not answer, configuration space does",
                      .where = where_of(subject),
                      .remedy = "the device may be in reset or its memory side hung; `barscope dump --space "
                                "config` still works"});
    } else if (context.messages.empty()) {
        warn_about_unread(context, subject, capture);
    }
    if (subject.facts && !subject.map.match_rules.empty() &&
        !regmaps::match_specificity(subject.map, subject.pci)) {
        context.messages.push_back(fmt::format("barscope: warning: map {} is made for other devices than "
                                               "{:04x}:{:04x}; what it shows may mean nothing\n",
                                               subject.map.name, subject.pci.vendor, subject.pci.device));
    }
}

} // namespace barscope::tool
