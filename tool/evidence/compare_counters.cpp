#include <evidence/compare_counters.h>

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include <evidence/compare_registers.h>
#include <evidence/error_names.h>
#include <evidence/findings.h>
#include <regmaps/evaluate.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;
using regmaps::Volatility;

// A counter that has something to tell, as numbers: texts are made of those that are shown.
struct Candidate {
    Pair pair;
    std::size_t field = 0; // into what pair_fields() gives
    Readings readings;
    Counted counted;
    CountJudgement judgement;
    bool index = false;
};

bool is_count(Volatility volatility) {
    return volatility == Volatility::counter || volatility == Volatility::index;
}

class CounterComparison {
  public:
    explicit CounterComparison(const Comparison& comparison)
        : comparison_(comparison), before_(comparison.before), after_(comparison.after),
          counts_(counting_registers(after_.map())),
          evaluator_(after_.map(), after_.capture().layout, after_.capture().raw,
                     after_.evidence().snapshot.pci) {}

    void judge_register(Pair pair, std::vector<Candidate>& out) {
        if (!before_.has_value(pair.before) || !after_.has_value(pair.after) ||
            !counts_[after_.instance(pair.after).reg]) {
            return;
        }
        if (before_.word(pair.before).value == after_.word(pair.after).value &&
            before_.moving(pair.before) == 0) {
            return;
        }
        fields_.clear();
        pair_fields(comparison_, pair, fields_);
        for (std::size_t i = 0; i < fields_.size(); ++i) {
            if (fields_[i].counts()) {
                judge_field(pair, i, out);
            }
        }
    }

    ReportCounter tell(const Candidate& candidate) {
        fields_.clear();
        pair_fields(comparison_, candidate.pair, fields_);
        const FieldPair& field = fields_[candidate.field];
        ReportCounter out;
        out.name = after_.name(candidate.pair.after);
        out.source = "register";
        if (field.whole()) {
            out.before = regmaps::register_text(before_.map(), before_.definition(candidate.pair.before),
                                                field.before_value);
            out.after = regmaps::register_text(after_.map(), after_.definition(candidate.pair.after),
                                               field.after_value);
        } else {
            const RegisterMap& map = after_.map();
            if (field.after != nullptr && field.after->field != none) {
                out.name += '.';
                out.name += map.text(map.fields[field.after->field].name);
            }
            out.before = text_of(before_, field.before, field.before_value);
            out.after = text_of(after_, field.after, field.after_value);
        }
        out.index = candidate.index;
        out.changed = field.changed();
        out.severity = candidate.judgement.severity;
        out.noise = candidate.judgement.noise;
        tell_counted(candidate.counted, candidate.readings, comparison_.elapsed, out);
        return out;
    }

  private:
    static std::string text_of(const Side& side, const regmaps::DecodedField* field, std::uint64_t value) {
        return field != nullptr && field->field != none
                   ? regmaps::field_text(side.map(), side.map().fields[field->field], value)
                   : fmt::format("{:#x}", value);
    }

    // The modulus that the map states, and that can be told; else the width.
    void set_modulus(Pair pair, const FieldPair& field, Readings& readings) {
        const RegisterMap& map = after_.map();
        const regmaps::Register& reg = after_.definition(pair.after);
        const Index expression = field.whole() ? reg.modulus
                                 : field.after != nullptr && field.after->field != none
                                     ? map.fields[field.after->field].modulus
                                     : none;
        const unsigned bits = field.msb - field.lsb + 1;
        readings.modulus = bits >= 64 ? 0 : std::uint64_t{1} << bits;
        if (expression == none) {
            return;
        }
        const auto stated =
            evaluator_.evaluate(expression, after_.instance(pair.after), after_.value(pair.after));
        if (stated && *stated > 0) {
            readings.modulus = *stated;
            readings.stated = true;
        }
    }

    static Motion motion(const Side& side, Index position, const FieldPair& field, unsigned lsb, unsigned msb,
                         std::uint64_t modulus) {
        auto samples = side.samples(position);
        for (auto& [pass, value] : samples) {
            value = field.whole() ? value : bits_of(value, lsb, msb);
        }
        Motion out = motion_of(samples, modulus);
        if (samples.size() > 1) {
            out.seconds = between_passes(side.evidence(), samples.front().first, samples.back().first);
        }
        return out;
    }

    Readings readings_of(Pair pair, const FieldPair& field) {
        Readings out;
        out.before = field.before_value;
        out.after = field.after_value;
        out.boots = comparison_.boots;
        out.seconds = comparison_.elapsed.seconds;
        set_modulus(pair, field, out);
        const bool own = field.before != nullptr; // with another map its place may differ
        out.motion_before = motion(before_, pair.before, field, own ? field.before->lsb : field.lsb,
                                   own ? field.before->msb : field.msb, out.modulus);
        out.motion_after = motion(after_, pair.after, field, field.lsb, field.msb, out.modulus);
        return out;
    }

    // The map says so by a severity of a value, a group or a name.
    bool is_bad(Pair pair, const FieldPair& field) const {
        const RegisterMap& map = after_.map();
        const regmaps::Register& reg = after_.definition(pair.after);
        for (const regmaps::Text group : map.text_list.subspan(reg.groups.begin, reg.groups.count)) {
            if (map.text(group) == "error" || map.text(group) == "errors") {
                return true;
            }
        }
        if (std::max(field.before_severity, field.after_severity) >= Severity::warning) {
            return true;
        }
        if (field.after == nullptr || field.after->field == none) {
            return counts_errors(map.text(reg.name));
        }
        const regmaps::Field& definition = map.fields[field.after->field];
        const auto severities =
            map.field_severities.subspan(definition.severities.begin, definition.severities.count);
        return counts_errors(map.text(definition.name)) || counts_errors(map.text(reg.name)) ||
               std::any_of(severities.begin(), severities.end(), [](const regmaps::FieldSeverity& known) {
                   return known.severity >= Severity::warning;
               });
    }

    void judge_field(Pair pair, std::size_t number, std::vector<Candidate>& out) {
        const FieldPair& field = fields_[number];
        Candidate candidate;
        candidate.pair = pair;
        candidate.field = number;
        candidate.index = field.volatility == Volatility::index;
        candidate.readings = readings_of(pair, field);
        candidate.counted = candidate.index ? count_index(candidate.readings) : count(candidate.readings);
        if (!field.changed() && !candidate.counted.stalled) {
            return;
        }
        if (candidate.index) {
            candidate.judgement = {candidate.counted.stalled ? Severity::warning : Severity::notice,
                                   !candidate.counted.stalled};
        } else {
            candidate.judgement = judge_counter(candidate.counted, field.changed(), is_bad(pair, field));
        }
        out.push_back(candidate);
    }

    const Comparison& comparison_;
    const Side& before_;
    const Side& after_;
    std::vector<bool> counts_;
    regmaps::Evaluator evaluator_;
    std::vector<FieldPair> fields_;
};

void add_remark(std::string& out, std::string_view text) {
    out += out.empty() ? "" : "; ";
    out += text;
}

} // namespace

std::vector<bool> counting_registers(const RegisterMap& map) {
    std::vector<bool> out(map.registers.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
        const regmaps::Register& reg = map.registers[i];
        const auto fields = map.fields.subspan(reg.fields.begin, reg.fields.count);
        out[i] = fields.empty() ? is_count(reg.volatility)
                                : std::any_of(fields.begin(), fields.end(), [](const regmaps::Field& field) {
                                      return is_count(field.volatility);
                                  });
    }
    return out;
}

std::string rate_text(double rate) {
    return rate >= 100 ? fmt::format("{:.0f}/s", rate) : fmt::format("{:.3g}/s", rate);
}

CountJudgement judge_counter(const Counted& counted, bool advanced, bool errors) {
    if (errors && advanced && !counted.reset) {
        return {Severity::warning, false};
    }
    if (counted.reset || counted.stalled) {
        return {Severity::notice, false};
    }
    return {Severity::notice, counted.rebooted || counted.usual};
}

void tell_counted(const Counted& counted, const Readings& readings, const Elapsed& elapsed,
                  ReportCounter& out) {
    out.wrapped = counted.wrapped;
    out.reset = counted.reset;
    out.stalled = counted.stalled;
    if (counted.delta && out.changed) {
        out.delta = fmt::format("+{}", *counted.delta);
        if (elapsed.seconds) {
            out.rate = rate_text(static_cast<double>(*counted.delta) / *elapsed.seconds);
        }
    }
    if (counted.reset) {
        add_remark(out.remark, readings.boots == Boots::other
                                   ? "it began anew: the machine was booted between"
                                   : "it went backwards: somebody or something reset it");
    }
    if (counted.rebooted) {
        add_remark(out.remark, "the machine was booted between: how far it advanced cannot be told");
    }
    if (counted.stalled) {
        add_remark(out.remark, out.index && !readings.motion_before.moved()
                                   ? "it moved between the snapshots and stands still within AFTER"
                                   : "it moved within BEFORE and stands still within AFTER");
    }
    if (counted.assumed) {
        add_remark(out.remark, "taken as a wrap at its width; a reset would look the same");
    }
    if (counted.laps) {
        add_remark(out.remark, "at its rate it may have gone round more than once");
    }
    if (!counted.usual && counted.delta) {
        add_remark(out.remark, "by another rate than within the snapshots");
    }
    if (elapsed.wall && !out.rate.empty()) {
        add_remark(out.remark, "rate by the wall clock");
    }
}

void compare_register_counters(const Comparison& comparison, Report& report) {
    CounterComparison counters(comparison);
    std::vector<Candidate> found;
    std::vector<Candidate> of_register;
    for (const Pair& pair : comparison.pairs) {
        of_register.clear();
        counters.judge_register(pair, of_register);
        for (const Candidate& candidate : of_register) {
            note(report, candidate.judgement.severity, candidate.judgement.noise);
            if (!candidate.judgement.noise || comparison.options.all) {
                found.push_back(candidate);
            }
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.judgement.noise != b.judgement.noise ? b.judgement.noise
                                                      : a.judgement.severity > b.judgement.severity;
    });
    cut_to_size(found, comparison.options, "counters", report);
    for (const Candidate& candidate : found) {
        report.counters.push_back(counters.tell(candidate));
    }
}

} // namespace barscope::tool
