#include <evidence/compare_coverage.h>

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include <evidence/compare_registers.h>
#include <evidence/findings.h>
#include <evidence/head.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using safety::WordStatus;

constexpr std::size_t fold_from = 5; // fewer registers are told one by one

// Why there is no value, as cheap numbers: thousands of registers share a reason.
struct Lack {
    int status = -1; // WordStatus; -1: it has a value; -2: the snapshot has no such register
    int refusal = 0;
    bool held = false;
    // The 0 that clang-tidy 14 sees is in what the compiler makes of it.
    auto operator<=>(const Lack&) const = default; // NOLINT(modernize-use-nullptr)
};
constexpr int has_value = -1, not_there = -2;

Lack lack_of(const Side& side, Index position) {
    if (position == none) {
        return {.status = not_there};
    }
    if (side.has_value(position)) {
        return {.status = has_value};
    }
    const Capture& capture = side.capture();
    return {.status = static_cast<int>(side.word(position).status),
            .refusal = capture.refusal[position],
            .held = capture.held[position]};
}

// Lost to a fault, as against what may not or need not be read.
Severity severity_of(const Lack& lack) {
    if (lack.status < 0 || lack.held) {
        return Severity::notice;
    }
    if (lack.refusal != 0) {
        return Severity::warning;
    }
    switch (static_cast<WordStatus>(lack.status)) {
    case WordStatus::gone:
    case WordStatus::bar_dead:
    case WordStatus::lost:
    case WordStatus::poison:
        return Severity::critical;
    case WordStatus::unconfirmed_ones:
    case WordStatus::not_attempted:
    case WordStatus::torn:
        return Severity::warning;
    default:
        return Severity::notice;
    }
}

class Coverage {
  public:
    Coverage(const Comparison& comparison, Report& report) : comparison_(comparison), report_(report) {}

    void registers() {
        for (const Pair& pair : comparison_.pairs) {
            const Lack before = lack_of(comparison_.before, pair.before);
            const Lack after = lack_of(comparison_.after, pair.after);
            if (before.status == has_value && after.status == has_value) {
                continue;
            }
            groups_[{before, after, space_of(pair)}].push_back(pair);
        }
        for (const auto& [key, pairs] : groups_) {
            tell(std::get<0>(key), std::get<1>(key), pairs);
        }
    }

    void row(std::string name, std::string before, std::string after, Severity severity, bool noise,
             std::string remark = {}) {
        note(report_, severity, noise);
        if (noise && !comparison_.options.all) {
            return;
        }
        ReportRow out;
        out.name = std::move(name);
        out.before = std::move(before);
        out.after = std::move(after);
        out.severity = severity;
        out.changed = out.before != out.after;
        out.noise = noise;
        out.remark = std::move(remark);
        report_.coverage.push_back(std::move(out));
    }

  private:
    const Side& side_of(Pair pair) const {
        return pair.after != none ? comparison_.after : comparison_.before;
    }

    Index space_of(Pair pair) const {
        return side_of(pair).definition(pair.after != none ? pair.after : pair.before).space;
    }

    std::string name_of(Pair pair) const {
        return side_of(pair).name(pair.after != none ? pair.after : pair.before);
    }

    std::string told(Pair pair, bool in_after) const {
        const Side& side = in_after ? comparison_.after : comparison_.before;
        return side.has_value(in_after ? pair.after : pair.before)
                   ? "read"
                   : why_no_value(comparison_, pair, in_after);
    }

    std::string value_of(Pair pair) const {
        const bool left = comparison_.before.has_value(pair.before);
        const bool right = comparison_.after.has_value(pair.after);
        if (!left && !right) {
            return {};
        }
        const Side& side = left ? comparison_.before : comparison_.after;
        const Index position = left ? pair.before : pair.after;
        return hex_text(side.value(position), side.definition(position).width);
    }

    std::string_view name_of_space(Pair pair) const {
        const regmaps::RegisterMap& map = side_of(pair).map();
        return map.text(map.spaces[space_of(pair)].name);
    }

    void tell(const Lack& before, const Lack& after, const std::vector<Pair>& pairs) {
        const bool neither = before.status != has_value && after.status != has_value;
        const Severity severity = after.status == has_value ? Severity::notice : severity_of(after);
        if (pairs.size() < fold_from) {
            for (const Pair& pair : pairs) {
                row(name_of(pair), told(pair, false), told(pair, true), severity, neither, value_of(pair));
            }
            return;
        }
        row(fmt::format("{} to {} ({} registers of {})", name_of(pairs.front()), name_of(pairs.back()),
                        pairs.size(), name_of_space(pairs.front())),
            told(pairs.front(), false), told(pairs.front(), true), severity, neither);
    }

    const Comparison& comparison_;
    Report& report_;
    std::map<std::tuple<Lack, Lack, Index>, std::vector<Pair>> groups_;
};

struct Told {
    std::string status, why;
    bool read() const { return status == "read"; }
    std::string text() const {
        return status.empty() ? "not recorded" : read() || why.empty() ? status : status + ": " + why;
    }
};

// The collectors or logs of a snapshot by name.
std::map<std::string, Told> told_by(const Snapshot& snapshot, std::string_view list) {
    std::map<std::string, Told> out;
    for (const nlohmann::json& entry : list_in_head(snapshot, list)) {
        out.emplace(text_of(member(&entry, "name")),
                    Told{text_of(member(&entry, "status")), text_of(member(&entry, "why"))});
    }
    return out;
}

void compare_sources(const Comparison& comparison, std::string_view list, std::string_view kind,
                     Coverage& coverage) {
    const auto before = told_by(comparison.before.evidence().snapshot, list);
    auto after = told_by(comparison.after.evidence().snapshot, list);
    for (const auto& [name, told] : before) {
        after.try_emplace(name);
    }
    for (const auto& [name, told] : after) {
        const auto found = before.find(name);
        const Told other = found == before.end() ? Told{} : found->second;
        if (told.read() != other.read()) {
            coverage.row(fmt::format("{} {}", kind, name), other.text(), told.text(), Severity::notice,
                         false);
        }
    }
}

std::string why_missing(const Side& side, const regmaps::Instance& instance) {
    if (side.evidence().passes.empty()) {
        return "nothing could be read";
    }
    const auto& missing = side.capture().layout.missing;
    const auto found = std::find_if(missing.begin(), missing.end(),
                                    [&](const regmaps::Missing& m) { return m.reg == instance.reg; });
    if (found != missing.end()) {
        return fmt::format("{}: {}", found->unknown ? "not known whether it is there" : "not on this device",
                           found->why);
    }
    const Index placed = regmaps::find_instance(side.map(), side.capture().layout, instance);
    return placed == none ? "the device has no such element" : "not captured: it was not asked for";
}

} // namespace

std::string why_no_value(const Comparison& comparison, Pair pair, bool in_after) {
    const Side& side = in_after ? comparison.after : comparison.before;
    const Index position = in_after ? pair.after : pair.before;
    if (position != none) {
        return side.reason(position);
    }
    if (!comparison.same_map) {
        return fmt::format("map {} {} has no such register", side.map().name, side.map().version);
    }
    const Side& other = in_after ? comparison.before : comparison.after;
    return why_missing(side, other.instance(in_after ? pair.before : pair.after));
}

void compare_coverage(const Comparison& comparison, Report& report) {
    Coverage coverage(comparison, report);
    coverage.registers();
    compare_sources(comparison, "context", "collector", coverage);
    compare_sources(comparison, "logs", "log", coverage);
    std::stable_sort(report.coverage.begin(), report.coverage.end(), [](const auto& a, const auto& b) {
        return a.noise != b.noise ? b.noise : a.severity > b.severity;
    });
}

} // namespace barscope::tool
