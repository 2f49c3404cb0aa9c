// What this machine holds about a device: the kernel's log, tables in debugfs, devlink's health reporters.
#include <logs/log_inputs.h>

#include <capture/watch.h>
#include <device/child.h>
#include <device/discover.h>
#include <device/files.h>
#include <logs/devlink_text.h>

namespace barscope::tool {

namespace {

using fwlog::Format;

constexpr std::size_t largest_table = std::size_t{1} << 26;
constexpr std::chrono::milliseconds look_time{3'000}, dump_time{30'000};
constexpr std::size_t most_output = std::size_t{1} << 24;

class DeviceLogs {
  public:
    DeviceLogs(const safety::SystemRoot& root, safety::DeviceFacts facts, const LogOptions& options,
               const fwlog::PatternSet& patterns)
        : root_(root), options_(options), patterns_(patterns), places_(log_places(root, facts)) {
        inputs_.names = places_.names;
        inputs_.facts = std::move(facts);
    }

    LogInputs take() {
        add_kernel_log();
        add_tables();
        add_devlink("devlink health", {"health", "show"}, look_time);
        if (options_.diagnose) {
            add_devlink("devlink diagnose", {"health", "diagnose", device(), "reporter", "fw"}, look_time);
        }
        if (options_.dump) {
            add_devlink("devlink dump", {"health", "dump", "show", device(), "reporter", "fw"}, dump_time);
        }
        if (options_.bs_trace) {
            add_traces();
        }
        return std::move(inputs_);
    }

  private:
    std::string device() const { return "pci/" + inputs_.names.address; }

    void add_text(std::string name, std::string where, Format format, std::string text) {
        LogInput input{.name = name, .where = std::move(where), .format = format};
        input.open = text_source(std::make_shared<const std::string>(std::move(text)), format,
                                 format == Format::kmsg ? std::string() : std::move(name), patterns_);
        inputs_.list.push_back(std::move(input));
    }
    void add_error(std::string name, std::string where, Error error) {
        LogInput input{.name = std::move(name), .where = std::move(where)};
        input.error = std::move(error);
        inputs_.list.push_back(std::move(input));
    }
    void add_note(std::string name, std::string where, std::string note) {
        LogInput input{.name = std::move(name), .where = std::move(where)};
        input.note = std::move(note);
        inputs_.list.push_back(std::move(input));
    }

    void add_kernel_log() {
        const std::string& path = places_.kernel_log;
        auto text = read_kmsg(path);
        if (!text) {
            add_error("kernel log", path, std::move(text.error()));
            return;
        }
        add_text("kernel log", path, Format::kmsg, std::move(*text));
    }

    void add_tables() {
        bool found = false;
        for (const std::string& path : places_.tables) {
            if (!exists(path)) {
                continue;
            }
            found = true;
            auto text = read_user_file(path, largest_table);
            if (text) {
                add_text("table", path, Format::table, std::move(*text));
            } else {
                add_error("table", path, std::move(text.error()));
            }
        }
        if (!found) {
            add_note("table", root_.path("/sys/kernel/debug/bnxt_re*/fwlog"),
                     "not there, which is normal: no public driver provides it");
        }
    }

    void add_devlink(const std::string& name, const std::vector<std::string>& words,
                     std::chrono::milliseconds time) {
        std::string call = "devlink";
        for (const std::string& word : words) {
            call += " " + word;
        }
        if (!root_.is_live()) {
            add_note(name, call, "not asked: below --root there is no driver to ask");
            return;
        }
        const auto program = find_program("devlink");
        if (!program) {
            add_note(name, call, "not asked: the program devlink is not installed (package iproute2)");
            return;
        }
        auto output =
            run_child(*program, words, within(options_.watch, {.time = time, .output = most_output}));
        if (!output) {
            add_error(name, call, std::move(output.error()));
        } else if (output->status != 0) {
            const std::string said = output->err.substr(0, output->err.find('\n'));
            add_note(name, call, said.empty() ? "exit status " + std::to_string(output->status) : said);
        } else if (words.back() == "show") {
            add_reporters(name, call, output->out);
        } else {
            add_text(name, call, Format::text, std::move(output->out));
        }
    }

    void add_reporters(const std::string& name, const std::string& call, std::string_view output) {
        std::string rows = devlink_section(output, device());
        if (rows.empty()) {
            add_note(name, call, "the kernel has no health reporter of this device");
        } else {
            add_text(name, call, Format::text, std::move(rows));
        }
    }

    // The bytes have no public format: named and counted here, written whole with --extract.
    void add_traces() {
        const std::string folder =
            root_.path("/sys/kernel/debug/bnxt_en/" + inputs_.names.address + "/bs_trace");
        std::string rows;
        for (const std::string& name : list_directory(folder)) {
            const auto bytes = read_user_file(folder + "/" + name, largest_table);
            rows += bytes ? name + ": " + std::to_string(bytes->size()) + " bytes, not decoded"
                          : name + ": " + bytes.error().what;
            rows += '\n';
            if (bytes) {
                inputs_.blobs.emplace_back("bs_trace-" + name + ".bin", *bytes);
            }
        }
        if (rows.empty()) {
            add_note("bs_trace", folder, "not there: only Broadcom's own driver provides it");
            return;
        }
        add_text("bs_trace", folder, Format::text, std::move(rows));
    }

    const safety::SystemRoot& root_;
    const LogOptions& options_;
    const fwlog::PatternSet& patterns_;
    LogPlaces places_;
    LogInputs inputs_;
};

} // namespace

// Tables: debugfs/bnxt_re0/fwlog, debugfs/bnxt_re/ADDRESS/fwlog or debugfs/bnxt_re/bnxt_re0/fwlog.
LogPlaces log_places(const safety::SystemRoot& root, const safety::DeviceFacts& facts) {
    LogPlaces places;
    places.kernel_log = root.path("/dev/kmsg");
    places.names.address = to_string(facts.address);
    places.names.driver = facts.driver;
    const std::string debugfs = root.path("/sys/kernel/debug");
    std::vector<std::string> rdma;
    const NamesByAddress known = kernel_names(root);
    if (const auto found = known.find(facts.address); found != known.end()) {
        rdma = found->second.rdma;
        for (const auto* list : {&found->second.net, &found->second.rdma, &found->second.nvme}) {
            places.names.names.insert(places.names.names.end(), list->begin(), list->end());
        }
    }
    for (const std::string& name : rdma) {
        places.tables.push_back(debugfs + "/" + name + "/fwlog");
    }
    for (const char* driver : {"/bnxt_re/", "/bnxt_en/"}) {
        places.tables.push_back(debugfs + driver + places.names.address + "/fwlog");
        for (const std::string& name : rdma) {
            places.tables.push_back(debugfs + driver + name + "/fwlog");
        }
    }
    return places;
}

LogInputs open_device_logs(const safety::SystemRoot& root, safety::DeviceFacts facts,
                           const LogOptions& options, const fwlog::PatternSet& patterns) {
    return DeviceLogs(root, std::move(facts), options, patterns).take();
}

} // namespace barscope::tool
