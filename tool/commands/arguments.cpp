#include <commands/arguments.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include <CLI/CLI.hpp>

#include <commands/help.h>
#include <commands/lab_override.h>
#include <device/number.h>
#include <regmaps/names.h>

namespace barscope::tool {

namespace {

// Options that every command takes, and whether a value follows: needed to find the command among them.
constexpr const char* form_names = "auto|binary|bytes|words|big-words";
constexpr std::array<std::string_view, 5> common_with_value{"--root", "--map", "--format", "--color",
                                                            "--reason"};

Error usage(std::string cause, std::string what, std::string where, std::string remedy) {
    return {ErrorCode::usage, std::move(cause), std::move(what), std::move(where), std::move(remedy)};
}

// Options whose text is checked after CLI11 has found them: its own number parsing takes octal and strtol's
// leniency.
struct RawOptions {
    std::string format = "text", colour = "auto", source = "auto";
    std::string base, bar, retries, max_rate, offset, count, interval;
    std::string form = "auto", epoch, producer_epoch, consumer, producer, size, first, entry, stride, levels,
                directory_pages;
    bool bytes = false;
    std::vector<std::string> kinds;
    std::string dump_version;
    std::vector<std::string> parameters;
    std::string maps_action;
    std::string passes, timeout;
    std::string since, since_sequence, severity, fail_on, type;
    bool lab_override = false, no_timing = false, help = false;
    std::string reason, width;
    std::vector<std::string> audit_words;
};

class Parser {
  public:
    // Knows the options that occur in `words` only, or all of them: making each costs more than reading a
    // register.
    Parser(Command command, Arguments& arguments, const std::vector<std::string>* words)
        : args_(arguments), words_(words), app_(std::string(command_summary(command))) {
        args_.command = command;
        app_.name("barscope " + std::string(command_name(command)));
        app_.set_help_flag();
        flag("--help", raw_.help, "print this help");
        add_common();
        add_own();
    }

    Result<Invocation> parse(std::vector<std::string> words) {
        // CLI11 takes its words from the back.
        std::reverse(words.begin(), words.end());
        std::optional<Error> failed;
        try {
            app_.parse(words);
        } catch (const CLI::Error& error) {
            failed = explain(error);
        }
        if (raw_.help) {
            return Invocation{args_, app_.help()};
        }
        if (failed) {
            return fail(std::move(*failed));
        }
        if (auto finished = finish(); !finished) {
            return fail(std::move(finished.error()));
        }
        return Invocation{args_, {}};
    }

  private:
    bool occurs(std::string_view name) const {
        // "-o,--output" is an option of two names.
        const std::size_t comma = name.find(',');
        if (comma != std::string_view::npos) {
            return occurs(name.substr(0, comma)) || occurs(name.substr(comma + 1));
        }
        const bool one_letter = name.size() == 2; // its value may follow at once
        return words_ == nullptr || std::any_of(words_->begin(), words_->end(), [&](std::string_view word) {
                   return word.starts_with(name) &&
                          (one_letter || word.size() == name.size() || word[name.size()] == '=');
               });
    }
    bool given(const char* name) const {
        const CLI::Option* option = app_.get_option_no_throw(name);
        return option != nullptr && option->count() > 0;
    }
    void text(const char* name, std::string& out, const char* what, const char* value) {
        if (occurs(name)) {
            app_.add_option(name, out, what)->type_name(value);
        }
    }
    void repeatable(const char* name, std::vector<std::string>& out, const char* what,
                    const char* value = "NAME") {
        if (occurs(name)) {
            app_.add_option(name, out, what)->type_name(value)->allow_extra_args(false);
        }
    }
    void flag(const char* name, bool& out, const char* what) {
        if (occurs(name)) {
            app_.add_flag(name, out, what);
        }
    }

    void add_common() {
        text("--root", args_.root, "look up every system path (/sys, /proc, /dev, /etc) below DIR", "DIR");
        text("--map", args_.map, "a map's file or name, instead of the best match", "FILE");
        text("--format", raw_.format, "one JSON document on standard output, messages on standard error",
             args_.command == Command::fwlog                                    ? "text|json|ndjson"
             : args_.command == Command::show || args_.command == Command::diff ? "text|json|markdown|html"
                                                                                : "text|json");
        text("--color", raw_.colour, "colour; NO_COLOR is honoured", "auto|always|never");
        flag("--lab-override", raw_.lab_override,
             "unlocks `write`, and reads with a side effect; needs --reason");
        text("--reason", raw_.reason, "why lab override is used", "TEXT");
    }

    void add_device(bool required) {
        CLI::Option* option = app_.add_option("DEV", args_.device,
                                              "PCI address, network interface, RDMA device, NVMe controller, "
                                              "vendor:device, or a dump file");
        option->required(required);
        option->type_name("");
    }

    void add_capture() {
        CaptureOptions& capture = args_.capture;
        repeatable("--group", capture.groups, "only registers of this group (repeatable)");
        repeatable("--space", capture.spaces, "only registers of this space (repeatable)");
        repeatable("--block", capture.blocks, "only registers of this block (repeatable)");
        text("--source", raw_.source, "where BAR words come from", "auto|bar|ethtool");
        text("--base", raw_.base, "the BAR offset of a binary dump file's first byte", "N");
        text("--bar", raw_.bar, "which BAR a dump file holds", "N");
        text("--dump-config", capture.config_dump, "configuration space that goes with a dump file", "FILE");
        text("--retry", raw_.retries, "extra tries where the device answered all ones", "N");
        text("--max-rate", raw_.max_rate, "loads per second at most", "N");
        add_timeout();
        flag("--no-timing", raw_.no_timing, "do not time each load");
        text("--access-log", capture.access_log, "write and fsync each intended load before it is made",
             "FILE");
        flag("--allow-vfio", capture.allow_vfio,
             "read a device that a virtual machine owns (vfio-pci, xen-pciback)");
        if (occurs("--set")) {
            app_.add_option("--set", raw_.parameters, "what the map does not know (repeatable)")
                ->type_name("NAME=VALUE")
                ->allow_extra_args(false);
        }
        flag("--all", capture.all, "also list the registers that this device does not have");
    }

    void add_timeout() {
        text("--timeout", raw_.timeout, "how long this may take on the device; then what was read is shown",
             "SECONDS");
    }

    void add_override() {
        OverrideArguments& options = args_.override_options;
        text("--width", raw_.width, "of raw access, in bits", "8|16|32|64");
        flag("--yes", options.yes, "do not ask before writing");
        flag("--with-driver", options.with_driver,
             "move a window although a driver that may use it is bound");
        text("--audit-log", options.audit_log, "instead of /var/log/barscope/audit.jsonl", "FILE");
    }

    void add_write() {
        add_device(true);
        app_.add_option("REG=VALUE", args_.override_options.assignment,
                        "NAME, NAME.FIELD, NAME[3], BLOCK[2].NAME; with --raw barN+0xOFF or config+0xOFF")
            ->required()
            ->type_name("");
        add_override();
        flag("--raw", args_.override_options.raw, "write to an offset that no map declares");
        flag("--allow-vfio", args_.capture.allow_vfio, "write to a device that a virtual machine owns");
        if (occurs("--set")) {
            app_.add_option("--set", raw_.parameters, "what the map does not know (repeatable)")
                ->type_name("NAME=VALUE")
                ->allow_extra_args(false);
        }
    }

    void add_audit() {
        app_.add_option("ACTION", raw_.audit_words, "list (the default), or undo ID: how to undo that write")
            ->type_name("");
        text("--audit-log", args_.override_options.audit_log, "instead of /var/log/barscope/audit.jsonl",
             "FILE");
    }

    void add_decode() {
        DecodeArguments& decode = args_.decode;
        app_.add_option("MAP:NAME", decode.name, "a register or structure of a map")
            ->required()
            ->type_name("");
        app_.add_option("VALUE", decode.input.values,
                        "values, or the bytes of structures in hex (00 11 22 ...)")
            ->type_name("");
        flag("--bytes", raw_.bytes, "VALUE, or the file, is hex bytes in memory order");
        text("--file", decode.input.file, "take the bytes from FILE, - is standard input", "FILE");
        text("--form", raw_.form, "what the file holds, where its content does not tell", form_names);
        text("--offset", raw_.offset, "the first entry's place in the bytes", "N");
        text("--count", raw_.count, "how many entries at most", "N");
        text("--stride", raw_.stride, "bytes from an entry to the next, or slots: as its WQE_SIZE says",
             "N|slots");
        text("--epoch", raw_.epoch, "the consumer's epoch: 0 on its first pass over the ring", "0|1");
        text("--consumer", raw_.consumer, "index of the entry that the consumer reads next", "N");
        text("--producer", raw_.producer, "index of the entry that the producer writes next", "N");
        text("--producer-epoch", raw_.producer_epoch, "the producer's epoch", "0|1");
        text("--size", raw_.size, "entries of the whole ring", "N");
        text("--first", raw_.first, "the first entry's index in the ring", "N");
        text("--levels", raw_.levels, "walk page tables: 1: one table, 2: a directory and its tables", "1|2");
        text("--directory-pages", raw_.directory_pages, "with --levels 2: pages that the directory takes",
             "N");
        flag("--full", decode.full, "every field of every entry instead of a table");
        text("--entry", raw_.entry, "only this entry, in full", "N");
        flag("--show-pointers", decode.show_pointers, "also show kernel pointers");
    }

    void add_hwq() {
        HwqArguments& hwq = args_.hwq;
        app_.add_option("DEV|FILE", hwq.operands,
                        "a device, or files with the output of `rdma -d -d -j resource show qp|cq|srq|mr`")
            ->required()
            ->type_name("");
        repeatable("--kind", raw_.kinds, "only these: qp, cq, srq, mr (repeatable)");
        flag("--raw", hwq.raw, "ask for hardware contexts too: the firmware answers, not the kernel");
        flag("--full", hwq.full, "print the bytes of hardware contexts");
        flag("--show-pointers", hwq.show_pointers, "also show kernel pointers");
    }

    void add_snapshot() {
        SnapshotArguments& snapshot = args_.snapshot;
        text("-o,--output", snapshot.output, "write this file; .json.zst compresses", "FILE");
        flag("--force", snapshot.force, "replace an existing file");
        text("--label", snapshot.label, "a word on what this is: before, after the reset, ...", "TEXT");
        text("--passes", raw_.passes, "how often everything is read", "N");
        text("--interval", raw_.interval, "between two passes", "MS");
        flag("--no-logs", snapshot.no_logs, "without the logs");
        flag("--no-context", snapshot.no_context, "without counters, settings and queues of the kernel");
        flag("--redact", snapshot.redact, "replace what identifies host, people and networks by pseudonyms");
        text("--redact-key", snapshot.redact_key,
             "a file whose content keys the pseudonyms: equal in all snapshots made with it", "FILE");
    }

    void add_report() {
        ReportArguments& report = args_.report;
        text("-o,--output", report.output, "write this file instead of standard output", "FILE");
        flag("--force", report.force, "replace an existing file");
        flag("--all", report.all, "also what is noise");
    }

    void add_files(const char* name, const char* what) {
        app_.add_option(name, args_.report.files, what)->required()->type_name("");
    }

    void add_log() {
        LogOptions& log = args_.log;
        repeatable("--source", log.filter.sources,
                   "only records of this source: kernel-log, table, ring, devlink "
                   "(repeatable)");
        text("--since", raw_.since, "only records from then on: seconds since boot, or a date", "TIME");
        text("--since-seq", raw_.since_sequence, "only records with this sequence number or a later one",
             "N");
        text("--severity", raw_.severity, "only records of this severity or a worse one", "SEVERITY");
        repeatable("--code", log.filter.codes,
                   "only records of this pattern or code: a name, glob or number "
                   "(repeatable)",
                   "CODE");
        text("--device", log.device, "of a file: only rows that name this device or driver", "NAME");
        text("--fail-on", raw_.fail_on, "exit status 1 where a shown record is that severe", "SEVERITY");
        flag("--summary", log.summary_only, "the summary alone");
        flag("--follow", log.follow, "wait for more, until interrupted");
        text("--type", raw_.type, "what the file is, where its content does not tell",
             "rows|kmsg|dmesg-json|journal-json|table|coredump|binary");
        repeatable("--patterns", log.pattern_files, "message patterns of your own (repeatable)", "FILE");
        text("--extract", log.extract, "write a core dump's segments into this new folder", "DIR");
        flag("--devlink-diagnose", log.diagnose,
             "ask the driver to diagnose its firmware; can disturb a sick device");
        flag("--devlink-dump", log.dump, "ask for devlink's dump; the driver may have to make it first");
        flag("--bs-trace", log.bs_trace,
             "read the firmware trace buffers; the driver asks the firmware to flush them");
        flag("--allow-vfio", args_.capture.allow_vfio, "read a device that a virtual machine owns");
        add_timeout();
    }

    void add_own() {
        switch (args_.command) {
        case Command::list:
            return;
        case Command::info:
            add_device(true);
            flag("--allow-vfio", args_.capture.allow_vfio,
                 "judge as if a virtual machine's device may be read");
            return;
        case Command::read:
            add_device(true);
            app_.add_option("REG", args_.registers,
                            "NAME, NAME.FIELD, NAME[3], BLOCK[2].NAME, or a quoted glob")
                ->type_name("");
            add_capture();
            add_override();
            return;
        case Command::write:
            add_write();
            return;
        case Command::audit:
            add_audit();
            return;
        case Command::dump:
            add_device(true);
            add_capture();
            return;
        case Command::check:
            add_device(true);
            add_capture();
            text("--interval", raw_.interval, "between the two passes of checks that compare", "MS");
            return;
        case Command::snapshot:
            add_device(true);
            add_capture();
            add_snapshot();
            return;
        case Command::show:
            add_files("SNAPSHOT", "a file that `barscope snapshot` wrote");
            add_report();
            return;
        case Command::diff:
            add_files("SNAPSHOT", "BEFORE and AFTER; with --baseline only the one to judge");
            text("--baseline", args_.report.baseline, "compare with the many snapshots in this folder",
                 "DIR");
            add_report();
            return;
        case Command::verify:
            add_files("SNAPSHOT", "files that `barscope snapshot` wrote");
            return;
        case Command::fwlog:
            add_device(true);
            add_log();
            return;
        case Command::decode:
            add_decode();
            return;
        case Command::hwq:
            add_hwq();
            return;
        case Command::driver_dump:
            add_device(true);
            text("--dump-version", raw_.dump_version, "of a saved dump, where its length does not tell",
                 "0..4");
            return;
        case Command::explain:
            app_.add_option("MAP:REG", args_.explain, "a register, field or structure of a map")
                ->required()
                ->type_name("");
            return;
        case Command::maps:
            app_.add_option("ACTION", raw_.maps_action, "list, show MAP, check FILE..., or schema")
                ->type_name("");
            app_.add_option("OPERAND", args_.maps_operands, "a map's name or files")->type_name("");
            return;
        case Command::doctor:
            add_device(false);
            return;
        case Command::demo:
            app_.add_option("DIR", args_.directory, "keep the simulated machine in this new folder")
                ->type_name("");
            flag("--fault", args_.demo_fault, "the machine in DIR after its network card's firmware failed");
            return;
        }
    }

    Error explain(const CLI::Error& error) const {
        const std::string help = "`" + app_.get_name() + " --help` lists the options";
        if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
            return unexpected(help);
        }
        if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
            for (const CLI::Option* option : app_.get_options()) {
                if (option->count() > 1 && option->get_items_expected_max() == 1) {
                    return usage("bad-arguments", "this option is given more than once", option->get_name(),
                                 "give it once");
                }
            }
        }
        std::string what = error.what();
        for (char& c : what) {
            c = c == '\n' ? ' ' : c;
        }
        return usage("bad-arguments", std::move(what), {}, help);
    }

    Error unexpected(const std::string& help) const {
        const std::vector<std::string> rest = app_.remaining();
        const std::string word = rest.empty() ? std::string() : rest.front();
        if (!word.starts_with("-")) {
            return usage("bad-arguments", "this argument is not expected", word, help);
        }
        std::vector<std::string> names;
        for (const CLI::Option* option : app_.get_options()) {
            for (const std::string& name : option->get_lnames()) {
                names.push_back("--" + name);
            }
        }
        const std::vector<std::string_view> views(names.begin(), names.end());
        const std::string near = regmaps::did_you_mean(word.substr(0, word.find('=')), views);
        return usage("unknown-option", "there is no such option", word, near.empty() ? help : near);
    }

    template <typename Value>
    Result<void> choose(const char* option, const std::string& text,
                        std::initializer_list<std::pair<const char*, Value>> among, Value& out) {
        std::string names;
        for (const auto& [name, value] : among) {
            if (text == name) {
                out = value;
                return {};
            }
            names += (names.empty() ? "" : ", ") + std::string(name);
        }
        return fail(usage("bad-arguments", std::string(option) + " takes " + names, text, {}));
    }

    template <typename Value>
    Result<void> number(const char* option, const std::string& text, std::uint64_t most, Value& out) {
        if (text.empty() && !given(option)) {
            return {};
        }
        const auto value = parse_number(text);
        if (!value || *value > most) {
            return fail(usage("bad-arguments",
                              std::string(option) + " takes a number from 0 to " + std::to_string(most), text,
                              "numbers are decimal, 0x hex or 0b binary"));
        }
        out = static_cast<typename ValueOf<Value>::type>(*value);
        return {};
    }
    template <typename T>
    struct ValueOf {
        using type = T;
    };
    template <typename T>
    struct ValueOf<std::optional<T>> {
        using type = T;
    };

    Result<void> finish() {
        auto lab = LabOverrideParser::from_options(
            raw_.lab_override, given("--reason") ? std::optional<std::string>(raw_.reason) : std::nullopt);
        if (!lab) {
            return fail(std::move(lab.error()));
        }
        args_.lab_override = std::move(*lab);
        args_.ndjson = args_.command == Command::fwlog && raw_.format == "ndjson";
        if (args_.command == Command::show || args_.command == Command::diff) {
            args_.json = raw_.format == "json";
            return choose<ReportFormat>("--format", raw_.format,
                                        {{"text", ReportFormat::text},
                                         {"json", ReportFormat::json},
                                         {"markdown", ReportFormat::markdown},
                                         {"html", ReportFormat::html}},
                                        args_.report.format)
                .and_then([&] { return choose_colour(); })
                .and_then([&] { return finish_report(); });
        }
        return choose<bool>("--format", args_.ndjson ? "json" : raw_.format,
                            {{"text", false}, {"json", true}}, args_.json)
            .and_then([&] { return choose_colour(); })
            .and_then([&] { return finish_own(); });
    }

    Result<void> choose_colour() {
        return choose<ColourMode>(
            "--color", raw_.colour,
            {{"auto", ColourMode::automatic}, {"always", ColourMode::always}, {"never", ColourMode::never}},
            args_.colour);
    }

    Result<void> finish_report() const {
        const bool diff = args_.command == Command::diff;
        const std::size_t wanted = diff && args_.report.baseline.empty() ? 2 : 1;
        if (args_.report.files.size() != wanted) {
            return fail(
                usage("bad-arguments",
                      std::string(diff ? "diff" : "show") +
                          (wanted == 2 ? " takes two snapshots, BEFORE and AFTER" : " takes one snapshot"),
                      {}, diff ? "with --baseline DIR it takes one" : ""));
        }
        return {};
    }

    Result<void> finish_snapshot() {
        if (!args_.snapshot.redact && given("--redact-key")) {
            args_.snapshot.redact = true;
        }
        return number("--passes", raw_.passes, 1000, args_.snapshot.passes)
            .and_then(
                [&] { return number("--interval", raw_.interval, 3600000, args_.snapshot.interval_ms); })
            .and_then([&]() -> Result<void> {
                if (args_.snapshot.passes == 0) {
                    return fail(usage("bad-arguments", "--passes takes a number from 1 to 1000", "0", {}));
                }
                return finish_capture();
            });
    }

    Result<void> finish_own() {
        switch (args_.command) {
        case Command::read:
            if (args_.registers.empty() && args_.capture.groups.empty() && args_.capture.blocks.empty() &&
                args_.capture.spaces.empty()) {
                return fail(
                    usage("bad-arguments", "read needs a register's name", {},
                          "`barscope dump` reads everything; --group, --block and --space narrow it down"));
            }
            return finish_capture().and_then([&] { return finish_width(); });
        case Command::write:
            return finish_parameters().and_then([&] { return finish_width(); });
        case Command::audit:
            return finish_audit();
        case Command::dump:
        case Command::check:
            return finish_capture();
        case Command::snapshot:
            return finish_snapshot();
        case Command::decode:
            return finish_decode();
        case Command::hwq:
            return finish_hwq();
        case Command::driver_dump:
            return number("--dump-version", raw_.dump_version, 4, args_.dump_version);
        case Command::fwlog:
            return finish_log();
        case Command::maps:
            return finish_maps();
        default:
            return {};
        }
    }

    Result<void> finish_width() {
        return given("--width")
                   ? choose<std::optional<unsigned>>("--width", raw_.width,
                                                     {{"8", 8U}, {"16", 16U}, {"32", 32U}, {"64", 64U}},
                                                     args_.override_options.width)
                   : Result<void>();
    }

    Result<void> finish_audit() {
        const std::vector<std::string>& words = raw_.audit_words;
        const bool undo = words.size() == 2 && words.front() == "undo";
        const auto id = undo ? parse_number(words.back()) : std::nullopt;
        const bool list = words.empty() || (words.size() == 1 && words.front() == "list");
        if (!list && !id) {
            return fail(usage("bad-arguments", "audit takes list, or undo and a number",
                              words.empty() ? "" : words.front(), "`barscope audit` lists the numbers"));
        }
        args_.override_options.undo = undo;
        args_.override_options.undo_id = id.value_or(0);
        return {};
    }

    Result<void> finish_hwq() {
        for (const std::string& text : raw_.kinds) {
            const auto kind = find_hwq_kind(text);
            if (!kind) {
                return fail(usage("bad-arguments", "--kind takes qp, cq, srq or mr", text, {}));
            }
            args_.hwq.kinds.push_back(*kind);
        }
        return {};
    }

    Result<void> finish_decode() {
        PastedOptions& input = args_.decode.input;
        RingOptions& ring = input.ring;
        constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
        constexpr std::uint64_t most_index = std::numeric_limits<std::uint32_t>::max();
        input.slots = raw_.stride == "slots";
        return choose<InputForm>("--form", raw_.form,
                                 {{"auto", InputForm::automatic},
                                  {"binary", InputForm::binary},
                                  {"bytes", InputForm::bytes},
                                  {"words", InputForm::words},
                                  {"big-words", InputForm::big_words}},
                                 input.form)
            .and_then([&] { return number("--offset", raw_.offset, most, input.offset); })
            .and_then([&] { return number("--count", raw_.count, most, input.count); })
            .and_then([&] {
                return input.slots ? Result<void>()
                                   : number("--stride", raw_.stride, most_index, input.stride);
            })
            .and_then([&] { return number("--epoch", raw_.epoch, 1, ring.epoch); })
            .and_then([&] { return number("--producer-epoch", raw_.producer_epoch, 1, ring.producer_epoch); })
            .and_then([&] { return number("--consumer", raw_.consumer, most_index, ring.consumer); })
            .and_then([&] { return number("--producer", raw_.producer, most_index, ring.producer); })
            .and_then([&] { return number("--size", raw_.size, most_index, ring.size); })
            .and_then([&] { return number("--first", raw_.first, most_index, ring.first); })
            .and_then([&] { return number("--entry", raw_.entry, most_index, args_.decode.entry); })
            .and_then([&] { return number("--levels", raw_.levels, 2, args_.decode.levels); })
            .and_then([&] {
                return number("--directory-pages", raw_.directory_pages, most_index,
                              args_.decode.directory_pages);
            })
            .and_then([&] { return bytes_option(input); });
    }

    // --bytes is the short way to say --form bytes.
    Result<void> bytes_option(PastedOptions& input) const {
        if (raw_.bytes && given("--form") && input.form != InputForm::bytes) {
            return fail(usage("bad-arguments", "--bytes and --form contradict each other", raw_.form, {}));
        }
        input.form = raw_.bytes ? InputForm::bytes : input.form;
        return {};
    }

    Result<void> finish_timeout() {
        if (!given("--timeout")) {
            return {};
        }
        args_.capture.timeout_ns = parse_seconds(raw_.timeout);
        if (!args_.capture.timeout_ns) {
            return fail(usage("bad-arguments", "--timeout takes seconds, more than 0 and at most 86400",
                              raw_.timeout, "such as 5 or 0.5"));
        }
        return {};
    }

    Result<void> finish_capture() {
        CaptureOptions& capture = args_.capture;
        capture.timing = !raw_.no_timing;
        constexpr std::uint64_t most32 = std::numeric_limits<std::uint32_t>::max();
        return choose<SourceChoice>("--source", raw_.source,
                                    {{"auto", SourceChoice::automatic},
                                     {"bar", SourceChoice::bar},
                                     {"ethtool", SourceChoice::ethtool}},
                                    capture.source)
            .and_then([&] {
                return number("--base", raw_.base, std::numeric_limits<std::uint64_t>::max(), capture.base);
            })
            .and_then([&] { return number("--bar", raw_.bar, 5, capture.bar); })
            .and_then([&] { return number("--retry", raw_.retries, 100, capture.retries); })
            .and_then([&] { return number("--max-rate", raw_.max_rate, most32, capture.max_rate); })
            .and_then([&] { return number("--interval", raw_.interval, 600000, capture.interval_ms); })
            .and_then([&] { return finish_timeout(); })
            .and_then([&] { return finish_parameters(); });
    }

    Result<void> finish_parameters() {
        for (const std::string& text : raw_.parameters) {
            const std::size_t equals = text.find('=');
            const auto value =
                equals == std::string::npos ? std::nullopt : parse_number(text.substr(equals + 1));
            if (!value || equals == 0) {
                return fail(usage("bad-arguments", "--set takes NAME=VALUE", text,
                                  "numbers are decimal, 0x hex or 0b binary"));
            }
            args_.capture.parameters.push_back({text.substr(0, equals), *value});
        }
        return {};
    }

    Result<void> severity(const char* option, const std::string& word, fwlog::Severity& out) {
        if (!given(option)) {
            return {};
        }
        const auto parsed = fwlog::parse_severity(word);
        if (!parsed) {
            return fail(usage("bad-arguments",
                              std::string(option) + " takes debug, info, notice, warning, error or critical",
                              word, {}));
        }
        out = *parsed;
        return {};
    }

    Result<void> finish_log() {
        LogOptions& log = args_.log;
        if (given("--since")) {
            log.filter.since = fwlog::parse_since(raw_.since);
            if (!log.filter.since) {
                return fail(usage("bad-arguments", "--since takes seconds since boot or a date", raw_.since,
                                  "978.6, \"2025-07-07 12:37:38\" or \"Aug 15 12:21:39\""));
            }
        }
        if (given("--type")) {
            log.type = fwlog::parse_format(raw_.type);
            if (!log.type) {
                return fail(usage(
                    "bad-arguments",
                    "--type takes rows, kmsg, dmesg-json, journal-json, table, text, coredump or binary",
                    raw_.type, {}));
            }
        }
        if (log.follow && args_.json && !args_.ndjson) {
            return fail(usage("bad-arguments", "--follow has no end that a JSON document could have", {},
                              "use --format ndjson"));
        }
        if (auto timeout = finish_timeout(); !timeout) {
            return timeout;
        }
        return severity("--severity", raw_.severity, log.filter.least)
            .and_then([&] { return severity("--fail-on", raw_.fail_on, log.fail_on); })
            .and_then([&] {
                return number("--since-seq", raw_.since_sequence, std::numeric_limits<std::uint64_t>::max(),
                              log.filter.since_sequence);
            });
    }

    Result<void> finish_maps() {
        if (raw_.maps_action.empty()) {
            return {};
        }
        auto chosen = choose<MapsAction>("maps", raw_.maps_action,
                                         {{"list", MapsAction::list},
                                          {"show", MapsAction::show},
                                          {"check", MapsAction::check},
                                          {"schema", MapsAction::schema}},
                                         args_.maps_action);
        if (!chosen) {
            return chosen;
        }
        const std::size_t operands = args_.maps_operands.size();
        if (args_.maps_action == MapsAction::show && operands != 1) {
            return fail(usage("bad-arguments", "maps show takes one map's name", {},
                              "`barscope maps list` lists them"));
        }
        if (args_.maps_action == MapsAction::check && operands == 0) {
            return fail(usage("bad-arguments", "maps check needs at least one file", {}, {}));
        }
        if ((args_.maps_action == MapsAction::list || args_.maps_action == MapsAction::schema) &&
            operands != 0) {
            return fail(
                usage("bad-arguments", "this argument is not expected", args_.maps_operands.front(), {}));
        }
        return {};
    }

    Arguments& args_;
    const std::vector<std::string>* words_; // null: know every option
    RawOptions raw_;
    CLI::App app_;
};

// Splits off the command: the first word that is neither an option nor an option's value.
struct Split {
    std::string command;
    std::vector<std::string> rest;
};

Split split_command(int argc, const char* const* argv) {
    Split split;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        if (split.command.empty() && !word.starts_with("-")) {
            split.command = word;
            continue;
        }
        split.rest.emplace_back(word);
        const bool takes_value =
            std::find(common_with_value.begin(), common_with_value.end(), word) != common_with_value.end();
        if (split.command.empty() && takes_value && i + 1 < argc) {
            split.rest.emplace_back(argv[++i]);
        }
    }
    return split;
}

bool holds(const std::vector<std::string>& words, std::string_view wanted) {
    return std::find(words.begin(), words.end(), wanted) != words.end();
}

} // namespace

bool asks_for_json(int argc, const char* const* argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const std::string_view next = word == "--format" && i + 1 < argc ? argv[i + 1] : "";
        if (word == "--format=json" || word == "--format=ndjson" || next == "json" || next == "ndjson") {
            return true;
        }
    }
    return false;
}

Result<Invocation> parse_arguments(int argc, const char* const* argv) {
    Split split = split_command(argc, argv);
    if (split.command.empty()) {
        if (holds(split.rest, "--version")) {
            return Invocation{{}, "barscope " BARSCOPE_VERSION "\n"};
        }
        if (holds(split.rest, "--help") || holds(split.rest, "-h") || argc <= 1) {
            return Invocation{{}, overview()};
        }
        return fail(
            usage("bad-arguments", "no command is given", {}, "`barscope --help` lists the commands"));
    }
    // `barscope help read` is `barscope read --help`.
    if (split.command == "help" && !split.rest.empty() && find_command(split.rest.front())) {
        split.command = split.rest.front();
        split.rest = {"--help"};
    }
    if (split.command == "help" || split.command == "version") {
        return Invocation{{}, split.command == "help" ? overview() : "barscope " BARSCOPE_VERSION "\n"};
    }
    const auto command = find_command(split.command);
    if (!command) {
        return fail(unknown_command(split.command));
    }
    const bool help = holds(split.rest, "--help") || holds(split.rest, "-h");
    if (!help) {
        Arguments arguments;
        auto parsed = Parser(*command, arguments, &split.rest).parse(split.rest);
        if (parsed) {
            return parsed;
        }
    }
    // Help and errors speak of every option.
    Arguments arguments;
    std::vector<std::string> words = help ? std::vector<std::string>{"--help"} : std::move(split.rest);
    return Parser(*command, arguments, nullptr).parse(std::move(words));
}

} // namespace barscope::tool
