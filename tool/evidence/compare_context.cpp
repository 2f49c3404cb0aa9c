#include <evidence/compare_context.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include <fmt/format.h>

#include <device/number.h>
#include <evidence/compare_counters.h>
#include <evidence/error_names.h>
#include <evidence/findings.h>
#include <evidence/head.h>

namespace barscope::tool {

namespace {

using nlohmann::json;

const json* collector_called(const Snapshot& snapshot, const std::string& name) {
    for (const json& entry : list_in_head(snapshot, "context")) {
        if (text_of(member(&entry, "name")) == name) {
            return &entry;
        }
    }
    return nullptr;
}

bool was_read(const json* collector) {
    return text_of(member(collector, "status")) == "read";
}

// Numbers as '#': a row of a table whose words are the same has only moved.
std::string words_of(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool begins =
            text[i] >= '0' && text[i] <= '9' &&
            (i == 0 || std::string_view(" :=,;/-([").find(text[i - 1]) != std::string_view::npos);
        if (!begins) {
            out += text[i];
            continue;
        }
        out += '#';
        i = std::min(text.find_first_not_of("0123456789abcdefABCDEFx", i), text.size()) - 1;
    }
    return out;
}

class CollectorComparison {
  public:
    CollectorComparison(const Evidence& before, const Evidence& after, const CompareOptions& options,
                        Report& report)
        : before_(before), after_(after), options_(options), report_(report),
          boots_(boots_of(before.snapshot, after.snapshot)) {}

    void compare(const json& first, const json& second) {
        name_ = text_of(member(&second, "name"));
        kind_ = text_of(member(&second, "kind"));
        elapsed_ = elapsed_between(before_, after_, text_of(member(&first, "monotonicNs")),
                                   text_of(member(&second, "monotonicNs")));
        std::map<std::string, std::pair<const json*, const json*>> values;
        add_values(first, [&](const std::string& key, const json& value) { values[key].first = &value; });
        add_values(second, [&](const std::string& key, const json& value) { values[key].second = &value; });
        for (const auto& [key, both] : values) {
            compare_value(key, text_of(both.first), text_of(both.second), both.first != nullptr,
                          both.second != nullptr);
        }
    }

    void row(std::string name, std::string before, std::string after, Severity severity, bool noise,
             std::string_view remark = {}) {
        note(report_, severity, noise);
        if (noise && !options_.all) {
            return;
        }
        ReportRow out;
        out.name = std::move(name);
        out.before = std::move(before);
        out.after = std::move(after);
        out.severity = severity;
        out.changed = true;
        out.noise = noise;
        out.remark = remark;
        report_.context.push_back(std::move(out));
    }

  private:
    template <typename Action>
    static void add_values(const json& collector, const Action& action) {
        const json* values = member(&collector, "values");
        if (values == nullptr || !values->is_object()) {
            return;
        }
        for (const auto& [key, value] : values->items()) {
            action(key, value);
        }
    }

    void compare_value(const std::string& key, std::string before, std::string after, bool in_before,
                       bool in_after) {
        if (before == after && in_before == in_after) {
            return;
        }
        const auto first = parse_number(before);
        const auto second = parse_number(after);
        if (kind_ == "counters" && first && second) {
            compare_counter(key, *first, *second);
            return;
        }
        if (is_told(before, after)) {
            return;
        }
        const bool moved = kind_ == "table" && in_before && in_after && words_of(before) == words_of(after);
        row(name_ + ": " + key, in_before ? std::move(before) : "not there",
            in_after ? std::move(after) : "not there", Severity::notice, moved,
            moved ? "only numbers moved" : "");
    }

    // The driver's and the firmware's versions and the module's parameters are part of the identity.
    bool is_told(const std::string& before, const std::string& after) const {
        return std::any_of(report_.identity.begin(), report_.identity.end(), [&](const ReportRow& known) {
            return known.before == before && known.after == after;
        });
    }

    void compare_counter(const std::string& key, std::uint64_t before, std::uint64_t after) {
        Readings readings;
        readings.before = before;
        readings.after = after;
        readings.boots = boots_;
        readings.seconds = elapsed_.seconds;
        const Counted counted = count(readings);
        const CountJudgement judgement = judge_counter(counted, true, counts_errors(key));
        note(report_, judgement.severity, judgement.noise);
        if (judgement.noise && !options_.all) {
            return;
        }
        ReportCounter out;
        out.name = key;
        out.source = name_;
        out.before = fmt::format("{}", before);
        out.after = fmt::format("{}", after);
        out.changed = true;
        out.severity = judgement.severity;
        out.noise = judgement.noise;
        tell_counted(counted, readings, elapsed_, out);
        report_.counters.push_back(std::move(out));
    }

    const Evidence& before_;
    const Evidence& after_;
    const CompareOptions& options_;
    Report& report_;
    Boots boots_;
    Elapsed elapsed_;
    std::string name_, kind_;
};

struct State {
    std::string_view name, path;
    Severity severity;
};
// A device's state that the kernel tells: a link that came back slower is trouble.
constexpr std::array<State, 6> states{
    {{"device: link speed", "device.link.speed", Severity::warning},
     {"device: link width", "device.link.width", Severity::warning},
     {"device: largest link speed", "device.link.maxSpeed", Severity::notice},
     {"device: largest link width", "device.link.maxWidth", Severity::notice},
     {"device: power state", "device.powerState", Severity::warning},
     {"host: lockdown", "host.lockdown", Severity::notice}}};

bool worse_first(bool noise_a, Severity a, bool noise_b, Severity b) {
    return noise_a != noise_b ? noise_b : a > b;
}

} // namespace

void compare_context(const Evidence& before, const Evidence& after, const CompareOptions& options,
                     Report& report) {
    CollectorComparison comparison(before, after, options, report);
    for (const State& state : states) {
        std::string first = text_in_head(before.snapshot, state.path);
        std::string second = text_in_head(after.snapshot, state.path);
        if (first != second && !first.empty() && !second.empty()) {
            comparison.row(std::string(state.name), std::move(first), std::move(second), state.severity,
                           false);
        }
    }
    for (const json& second : list_in_head(after.snapshot, "context")) {
        const json* first = collector_called(before.snapshot, text_of(member(&second, "name")));
        if (was_read(first) && was_read(&second)) {
            comparison.compare(*first, second);
        }
    }
    std::stable_sort(report.context.begin(), report.context.end(), [](const auto& a, const auto& b) {
        return worse_first(a.noise, a.severity, b.noise, b.severity);
    });
    std::stable_sort(report.counters.begin(), report.counters.end(), [](const auto& a, const auto& b) {
        return worse_first(a.noise, a.severity, b.noise, b.severity);
    });
    cut_to_size(report.context, options, "values of the context", report);
    cut_to_size(report.counters, options, "counters", report);
}

void describe_context(const Evidence& one, Report& report) {
    for (const json& collector : list_in_head(one.snapshot, "context")) {
        const json* values = member(&collector, "values");
        if (values == nullptr || !values->is_object()) {
            continue;
        }
        const std::string name = text_of(member(&collector, "name"));
        const bool counters = text_of(member(&collector, "kind")) == "counters";
        for (const auto& [key, value] : values->items()) {
            const std::string text = text_of(&value);
            if (counters && parse_number(text)) {
                ReportCounter out;
                out.name = key;
                out.source = name;
                out.after = text;
                out.severity = counts_errors(key) && text != "0" ? Severity::notice : Severity::unspecified;
                report.counters.push_back(std::move(out));
            } else {
                ReportRow out;
                out.name = fmt::format("{}: {}", name, key);
                out.after = text;
                report.context.push_back(std::move(out));
            }
        }
    }
}

} // namespace barscope::tool
