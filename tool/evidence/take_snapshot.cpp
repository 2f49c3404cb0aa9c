#include <evidence/take_snapshot.h>

#include <algorithm>
#include <system_error>
#include <thread>

#include <context/collector.h>
#include <device/examination.h>
#include <device/lookup.h>
#include <evidence/captures_json.h>
#include <evidence/decoded_member.h>
#include <evidence/head_members.h>
#include <evidence/map_member.h>
#include <evidence/record_pass.h>
#include <evidence/redact.h>
#include <evidence/redact_collect.h>
#include <evidence/redact_members.h>
#include <evidence/redact_words.h>
#include <evidence/snapshot.h>
#include <fwlog/patterns.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

std::string quoted(std::string_view text) {
    std::string out;
    append_canonical_string(out, text);
    return out;
}

class Taking {
  public:
    Taking(const Subject& subject, const CaptureOptions& capture, const SnapshotOptions& options)
        : subject_(subject), capture_(capture), options_(options) {
        capture_.remember_config = true;
        capture_.watch = options.watch;
    }

    Result<TakenSnapshot> run() {
        created_ = created_member();
        // The registers first: every other question changes the machine a little.
        read_apart();
        examine();
        collect();
        read_logs();
        if (auto finished = finish(); !finished) {
            return fail(std::move(finished.error()));
        }
        return std::move(taken_);
    }

  private:
    bool is_over() const { return options_.watch != nullptr && !options_.watch->go_on(); }
    // The first thing that was cut short says where.
    void note_stop(const std::string& when) {
        if (taken_.stopped.empty() && is_over()) {
            taken_.stopped = options_.watch->why() + ", " + when;
        }
    }
    void begin_pass(unsigned number) {
        capture_.reading = "pass " + std::to_string(number) + " of " + std::to_string(options_.passes);
        tell(capture_.reading);
    }
    void tell(const std::string& what) const {
        if (options_.progress) {
            options_.progress(what);
        }
    }
    const Capture* last() const { return taken_.passes.empty() ? nullptr : &taken_.passes.back(); }

    // What is given up before the first load (Watch::opened) is given up by the thread that reads: what comes
    // afterwards runs helper programs and makes a file.
    void read_apart() {
        std::thread reading;
        try {
            reading = std::thread([this] { read_passes(); });
        } catch (const std::system_error&) { // no thread can be made
            if (capture_.watch != nullptr) {
                capture_.watch->keep_privileges();
            }
            read_passes();
            return;
        }
        reading.join();
    }

    void read_passes() {
        unsigned done = 0;
        regmaps::Wanted wanted = wanted_registers(subject_.map, {}, capture_);
        wanted.counters.assign(subject_.map.counters.size(), true);
        begin_pass(1);
        auto passes = capture_passes(
            subject_, capture_,
            [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
                return select_registers(map, layout, {}, capture_);
            },
            wanted, options_.passes,
            [&](const Capture&) {
                ++done;
                if (options_.watch != nullptr &&
                    !options_.watch->wait(std::uint64_t{options_.interval_ms} * 1'000'000)) {
                    note_stop("after pass " + std::to_string(done) + " of " +
                              std::to_string(options_.passes));
                    return false;
                }
                begin_pass(done + 1);
                return true;
            });
        if (!passes || passes->size() < options_.passes || !passes->back().stopped.empty()) {
            note_stop("in pass " + std::to_string(done + 1) + " of " + std::to_string(options_.passes));
        }
        if (!passes) {
            taken_.refusal = std::move(passes.error());
            return;
        }
        taken_.passes = std::move(*passes);
        for (const Capture& pass : taken_.passes) {
            recording_.passes.push_back(record_pass(subject_.map, pass));
            recording_.config_size = std::max(recording_.config_size, pass.config_size);
        }
        const Capture& newest = taken_.passes.back();
        taken_.words = newest.shown.size();
        taken_.unread = static_cast<std::uint64_t>(
            std::count_if(newest.shown.begin(), newest.shown.end(), [&](regmaps::Index position) {
                return newest.refusal[position] != 0 ||
                       (!newest.held[position] && !safety::has_value(newest.raw.words[position].status));
            }));
    }

    void examine() {
        const regmaps::Catalog catalog(map_folders(subject_.root));
        device_ = tool::examine(subject_.root, *subject_.facts, catalog, options_.map, capture_.allow_vfio,
                                !is_over());
    }

    // A firmware that a check found sick is not asked for more.
    std::string firmware_sick() const {
        if (last() == nullptr) {
            return "the device could not be read, and the driver would pass the question on to its firmware";
        }
        for (const regmaps::DecodedCheck& check : last()->decoded.checks) {
            const regmaps::Check& definition = subject_.map.checks[check.check];
            if (check.result == regmaps::CheckResult::failed &&
                definition.severity == regmaps::Severity::critical) {
                return "the check " + std::string(subject_.map.text(definition.name)) +
                       " failed, and the driver would pass the question on to its firmware";
            }
        }
        return {};
    }

    void collect() {
        if (!options_.context) {
            return;
        }
        context_ = collect_context({subject_.root, *subject_.facts, device_.names, firmware_sick(),
                                    [this](const std::string& what) { tell(what); }, options_.watch});
        note_stop("while counters, settings and queues were collected");
    }

    void read_logs() {
        if (!options_.logs) {
            return;
        }
        if (is_over()) {
            CollectedLog none;
            none.sources.push_back({.name = "logs",
                                    .where = {},
                                    .state = SourceState::absent,
                                    .note = "not collected: " + options_.watch->why(),
                                    .error = std::nullopt});
            logs_ = logs_member(none);
            return;
        }
        tell("logs");
        fwlog::PatternSet patterns;
        if (auto built_in = patterns.add_built_in(); !built_in) {
            taken_.failures.push_back(std::move(built_in.error()));
            return;
        }
        const CollectedLog log =
            collect_device_log(subject_.root, *subject_.facts, nullptr, capture_, patterns);
        logs_ = logs_member(log);
        note_stop("while logs were collected");
    }

    void add(std::string name, std::string text) {
        taken_.members.push_back({std::move(name), std::move(text)});
    }

    Result<void> finish() {
        tell("the document");
        if (recording_.passes.empty()) {
            RecordedPass nothing;
            nothing.refusal = taken_.refusal;
            recording_.passes.push_back(std::move(nothing));
        }
        context_text_ = context_member(context_);
        if (auto redacted = redact(); !redacted) {
            return redacted;
        }
        const regmaps::Catalog catalog(map_folders(subject_.root));
        auto map = map_member(catalog, options_.map.empty() ? std::string(subject_.map.name) : options_.map,
                              subject_.map, capture_.parameters);
        if (!map) {
            return fail(std::move(map.error()));
        }
        add("format", quoted(snapshot_format));
        add("formatVersion", std::to_string(snapshot_format_version));
        add("tool", R"({"name":"barscope","version":)" + quoted(BARSCOPE_VERSION) + "}");
        add("created", created_);
        add("label", options_.label.empty() ? "null" : quoted(options_.label));
        if (!taken_.stopped.empty()) {
            add("stopped", quoted(taken_.stopped));
        }
        add("host", host_member(subject_.root));
        add("device", device_member(device_, subject_, last(), context_));
        if (last() != nullptr) {
            add("checks", checks_member(subject_, shown()));
        }
        if (options_.logs) {
            add("logs", logs_);
        }
        if (options_.context) {
            add("context", std::move(context_text_));
        }
        std::string captures;
        append_captures(captures, recording_);
        add("captures", std::move(captures));
        if (last() != nullptr) {
            add("decoded", decoded_member(subject_.map, shown(), taken_.passes.size()));
        }
        add("map", std::move(*map));
        return redact_members();
    }

    // What is written of the last pass: as it was read, or decoded again without what was redacted.
    const Capture& shown() const { return redacted_ ? *redacted_ : *last(); }

    Result<void> redact() {
        if (!options_.redact) {
            return {};
        }
        redaction_.emplace(*options_.redact);
        collect_identities(subject_.root, subject_.root_path, redaction_->known());
        if (last() != nullptr) {
            redaction_->known().add_address(serial_number(subject_, last()));
        }
        learn_from_context(context_text_, *redaction_);
        for (std::size_t i = 0; i < taken_.passes.size(); ++i) {
            redact_marked_words(subject_.map, taken_.passes[i], recording_.passes[i],
                                redaction_->pseudonyms());
        }
        for (RecordedPass& pass : recording_.passes) {
            redact_known_words(pass, redaction_->known(), redaction_->pseudonyms());
        }
        redaction_->recording(recording_);
        return last() == nullptr ? Result<void>() : decode_again();
    }

    // Neither decoded nor derived values nor checks then give away what a word held.
    Result<void> decode_again() {
        const auto recording = std::make_shared<const Recording>(recording_);
        Subject subject;
        subject.file = "snapshot";
        subject.pci = subject_.pci;
        subject.map = subject_.map;
        subject.recording = recording;
        CaptureOptions options;
        options.groups = capture_.groups;
        options.spaces = capture_.spaces;
        options.blocks = capture_.blocks;
        const Selector selector = [&](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
            return select_registers(map, layout, {}, options);
        };
        const std::size_t newest = recording->passes.size() - 1;
        subject.dump_config = recorded_config(recording, 0, subject.file);
        auto first = capture_recorded(subject, options, selector, 0, nullptr);
        if (first && newest > 0) {
            subject.dump_config = recorded_config(recording, newest, subject.file);
            auto second = capture_recorded(subject, options, selector, newest, &*first);
            first = std::move(second);
        }
        if (!first) {
            return fail(std::move(first.error()));
        }
        redacted_ = std::move(*first);
        return {};
    }

    Result<void> redact_members() {
        if (!redaction_) {
            return {};
        }
        for (DocumentMember& member : taken_.members) {
            if (auto done = redact_member(member, *redaction_); !done) {
                return done;
            }
        }
        add("redaction", redaction_->pseudonyms().member());
        return {};
    }

    const Subject& subject_;
    CaptureOptions capture_;
    const SnapshotOptions& options_;
    TakenSnapshot taken_;
    Recording recording_;
    Examination device_;
    std::vector<Collected> context_;
    std::string created_, logs_ = "[]", context_text_;
    std::optional<Redaction> redaction_;
    std::optional<Capture> redacted_; // the last pass
};

} // namespace

Result<TakenSnapshot> take_snapshot(const Subject& subject, const CaptureOptions& capture,
                                    const SnapshotOptions& options) {
    return Taking(subject, capture, options).run();
}

} // namespace barscope::tool
