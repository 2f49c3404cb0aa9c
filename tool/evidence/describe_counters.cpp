#include <evidence/describe_counters.h>

#include <fmt/format.h>

#include <evidence/compare_counters.h>
#include <evidence/error_names.h>
#include <evidence/findings.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::Index;
using regmaps::none;
using regmaps::Volatility;

class CounterDescription {
  public:
    CounterDescription(const Side& side, Report& report)
        : side_(side), report_(report), counts_(counting_registers(side.map())) {}

    void run() {
        for (Index position = 0; position < side_.size(); ++position) {
            if (!side_.has_value(position) || !counts_[side_.instance(position).reg]) {
                continue;
            }
            const regmaps::Register& reg = side_.definition(position);
            if (reg.fields.count == 0) {
                add(position, nullptr, reg.width - 1U, 0, reg.volatility);
            }
            for (const DecodedField& field : side_.fields(position)) {
                if (field.field != none && counts(side_.map().fields[field.field].volatility)) {
                    add(position, &field, field.msb, field.lsb, side_.map().fields[field.field].volatility);
                }
            }
        }
    }

  private:
    static bool counts(Volatility volatility) {
        return volatility == Volatility::counter || volatility == Volatility::index;
    }

    void add(Index position, const DecodedField* field, unsigned msb, unsigned lsb, Volatility volatility) {
        const std::uint64_t value = bits_of(side_.value(position), lsb, msb);
        auto samples = side_.samples(position);
        for (auto& [pass, sample] : samples) {
            sample = bits_of(sample, lsb, msb);
        }
        const unsigned bits = msb - lsb + 1;
        const Motion motion = motion_of(samples, bits >= 64 ? 0 : std::uint64_t{1} << bits);
        if (value == 0 && !motion.moved()) {
            return;
        }
        ReportCounter out;
        out.name = side_.name(position);
        out.source = "register";
        out.index = volatility == Volatility::index;
        const regmaps::RegisterMap& map = side_.map();
        if (field != nullptr) {
            out.name += '.';
            out.name += map.text(map.fields[field->field].name);
            out.after = regmaps::field_text(map, map.fields[field->field], value);
        } else {
            out.after = regmaps::register_text(map, side_.definition(position), value);
        }
        const bool bad = !out.index && counts_errors(out.name);
        out.severity = bad && value != 0 ? Severity::notice : Severity::unspecified;
        tell_motion(samples, motion, out);
        report_.counters.push_back(std::move(out));
    }

    // An index' movement is told by diff, which knows its depth.
    void tell_motion(std::span<const std::pair<std::size_t, std::uint64_t>> samples, const Motion& motion,
                     ReportCounter& out) const {
        if (out.index || !motion.moved()) {
            return;
        }
        out.delta = fmt::format("+{}", motion.steps);
        if (const auto seconds =
                between_passes(side_.evidence(), samples.front().first, samples.back().first)) {
            out.rate = rate_text(static_cast<double>(motion.steps) / *seconds);
        }
    }

    const Side& side_;
    Report& report_;
    std::vector<bool> counts_;
};

} // namespace

void describe_counters(const Side& side, const CompareOptions& options, Report& report) {
    CounterDescription(side, report).run();
    std::stable_sort(report.counters.begin(), report.counters.end(),
                     [](const auto& a, const auto& b) { return a.severity > b.severity; });
    cut_to_size(report.counters, options, "counters", report);
}

} // namespace barscope::tool
