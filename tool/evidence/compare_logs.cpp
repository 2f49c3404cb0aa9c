#include <evidence/compare_logs.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include <device/number.h>
#include <evidence/elapsed.h>
#include <evidence/findings.h>
#include <evidence/head.h>
#include <evidence/log_reading.h>

namespace barscope::tool {

namespace {

using fwlog::Record;
using fwlog::RecordKind;
using nlohmann::json;

struct Counts {
    std::size_t records = 0, errors = 0, warnings = 0, gaps = 0;

    void see(const Record& record) {
        if (record.kind == RecordKind::gap) {
            ++gaps;
            return;
        }
        ++records;
        errors += record.severity >= fwlog::Severity::error ? 1 : 0;
        warnings += record.severity == fwlog::Severity::warning ? 1 : 0;
    }

    // "12 records: 3 errors, 2 warnings; 1 gap"
    std::string text(std::string_view kind) const {
        const auto number = [](std::size_t count, std::string_view one) {
            return fmt::format("{} {}{}", count, one, count == 1 ? "" : "s");
        };
        std::string out = number(records, fmt::format("{}record", kind));
        out += fmt::format(": {}, {}", number(errors, "error"), number(warnings, "warning"));
        return gaps == 0 ? out : out + "; " + number(gaps, "gap");
    }
};

const json* log_called(const Snapshot& snapshot, const std::string& name, const std::string& source) {
    const json* of_name = nullptr;
    for (const json& log : list_in_head(snapshot, "logs")) {
        if (text_of(member(&log, "name")) != name) {
            continue;
        }
        if (text_of(member(&log, "source")) == source) {
            return &log;
        }
        of_name = of_name == nullptr ? &log : of_name;
    }
    return of_name;
}

// What makes a record the same one in another snapshot. The kernel numbers its own; others are known by their
// text and, where they have one, the kernel's stamp.
std::string key_of(const Record& record, bool kernel) {
    if (record.kind == RecordKind::gap) {
        return fmt::format("gap {}", record.sequence.value_or(0));
    }
    if (kernel && record.sequence) {
        return fmt::format("record {}", *record.sequence);
    }
    const bool stamped = record.time_ns && record.clock == fwlog::Clock::kernel_monotonic;
    return fmt::format("{} {}", stamped ? *record.time_ns : 0,
                       record.message.empty() || !stamped ? record.raw : record.message);
}

// Only of a log that is whole does a missing number say that something was lost. Of the kernel's log a
// snapshot holds what concerns the device, unless it says that there was nothing else.
bool is_whole(const json& log) {
    const auto omitted = parse_number(text_of(member(&log, "omitted")));
    const auto others = parse_number(text_of(member(&log, "others")));
    const bool kernel = text_of(member(&log, "format")) == "kmsg";
    return omitted.value_or(0) == 0 && (others ? *others == 0 : !kernel);
}

class LogComparison {
  public:
    LogComparison(const Evidence& before, const Evidence& after, const CompareOptions& options,
                  Report& report)
        : before_(before.snapshot), after_(after.snapshot), options_(options), report_(report),
          patterns_(options), boots_(boots_of(before_, after_)) {}

    void run() {
        for (const json& log : list_in_head(after_, "logs")) {
            name_ = text_of(member(&log, "name"));
            const json* earlier = log_called(before_, name_, text_of(member(&log, "source")));
            // What a snapshot without this log would have held nobody knows.
            if (earlier != nullptr && text_of(member(earlier, "status")) == "read") {
                compared_ = true;
                compare(*earlier, log);
            }
        }
        report_.log_summary = compared_ ? counts_.text("new ") : std::string();
    }

  private:
    void compare(const json& earlier, const json& log) {
        kernel_ = text_of(member(&log, "format")) == "kmsg";
        whole_ = is_whole(earlier) && is_whole(log);
        known_.clear();
        highest_.reset();
        const json* rows = member(&earlier, "rows");
        const json* new_rows = member(&log, "rows");
        if (boots_ != Boots::other && !options_.all && rows != nullptr && new_rows != nullptr &&
            *rows == *new_rows) {
            return;
        }
        if (boots_ != Boots::other) {
            read_log(earlier, patterns_.get(), [this](const Record& record) {
                ++known_[key_of(record, kernel_)];
                highest_ = std::max(highest_, record.sequence);
            });
        }
        first_ = true;
        read_log(log, patterns_.get(), [this](const Record& record) { see(record); });
    }

    void see(const Record& record) {
        if (record.kind == RecordKind::gap && !whole_) {
            return;
        }
        if (first_ && kernel_ && whole_ && highest_ && record.sequence && *record.sequence > *highest_ + 1) {
            see_gap_between(record);
        }
        first_ = false;
        const auto known = known_.find(key_of(record, kernel_));
        const bool fresh = known == known_.end() || known->second == 0;
        if (!fresh) {
            --known->second;
        }
        tell(record, fresh);
    }

    // The kernel's ring has gone on and over what came right behind BEFORE.
    void see_gap_between(const Record& record) {
        Record gap;
        gap.kind = RecordKind::gap;
        gap.lost = *record.sequence - *highest_ - 1;
        tell(gap, true);
    }

    void tell(const Record& record, bool fresh) {
        if (!fresh && !options_.all) {
            return;
        }
        if (fresh) {
            counts_.see(record);
            const Severity severity = severity_of_record(record);
            if (severity != Severity::unspecified) {
                note(report_, severity, false);
            }
        }
        if (report_.logs.size() >= options_.most_entries) {
            report_.truncated = true;
            return;
        }
        report_.logs.push_back(told_record(record, name_));
        report_.logs.back().fresh = fresh;
    }

    const Snapshot& before_;
    const Snapshot& after_;
    const CompareOptions& options_;
    Report& report_;
    LogPatterns patterns_;
    Boots boots_;
    std::string name_;
    bool kernel_ = false, whole_ = true, first_ = true, compared_ = false;
    std::unordered_map<std::string, std::size_t> known_;
    std::optional<std::uint64_t> highest_; // sequence number in BEFORE
    Counts counts_;
};

} // namespace

void compare_logs(const Evidence& before, const Evidence& after, const CompareOptions& options,
                  Report& report) {
    LogComparison(before, after, options, report).run();
}

void describe_logs(const Evidence& one, const CompareOptions& options, Report& report) {
    LogPatterns patterns(options);
    Counts counts;
    for (const json& log : list_in_head(one.snapshot, "logs")) {
        const std::string name = text_of(member(&log, "name"));
        const bool whole = is_whole(log);
        read_log(log, patterns.get(), [&](const Record& record) {
            if (record.kind == RecordKind::gap && !whole) {
                return;
            }
            counts.see(record);
            const Severity severity = severity_of_record(record);
            if (severity >= Severity::warning) {
                note(report, severity, false);
            }
            if (report.logs.size() < options.most_entries) {
                report.logs.push_back(told_record(record, name));
            } else {
                report.truncated = true;
            }
        });
    }
    report.log_summary = list_in_head(one.snapshot, "logs").empty() ? std::string() : counts.text("");
}

} // namespace barscope::tool
