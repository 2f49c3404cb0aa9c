#include <evidence/compare_registers.h>

#include <algorithm>

#include <evidence/compare_coverage.h>
#include <evidence/findings.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

// A changed register as far as it must be known to put it in its place: no texts yet.
struct Candidate {
    Pair pair;
    Severity severity = Severity::unspecified;
    bool noise = true;
};

std::string name_of_field(const RegisterMap& map, const DecodedField& field) {
    return field.field == none ? std::string() : std::string(map.text(map.fields[field.field].name));
}

// The fields of a register that has a value on one side only.
void add_fields(const Side& side, Index position, std::string ReportField::*text, ReportRegister& out) {
    for (const DecodedField& field : side.fields(position)) {
        ReportField row;
        row.name = name_of_field(side.map(), field);
        row.lsb = field.lsb;
        row.msb = field.msb;
        row.*text = text_of_field(side.map(), field);
        row.severity = field.severity;
        out.fields.push_back(std::move(row));
    }
}

std::string text_of_whole(const Side& side, Index position) {
    const Index named = side.capture().decoded.registers[position].enum_value;
    std::string text = regmaps::register_text(side.map(), side.definition(position), side.value(position));
    if (named != none) {
        text += ' ';
        text += side.map().text(side.map().enum_values[named].name);
    }
    return text;
}

// Whether the register as a whole has more to say than its digits.
bool has_meaning(const Side& side, Index position) {
    return side.capture().decoded.registers[position].enum_value != none ||
           side.definition(position).display != regmaps::Display::hex;
}

class RegisterComparison {
  public:
    explicit RegisterComparison(const Comparison& comparison)
        : comparison_(comparison), before_(comparison.before), after_(comparison.after) {}

    // False where nothing but what counts changed.
    bool judge_register(Pair pair, Candidate& out) {
        bool changed = false;
        out.pair = pair;
        const std::uint64_t moving = moving_bits(pair);
        fields_.clear();
        pair_fields(comparison_, pair, fields_);
        for (const FieldPair& field : fields_) {
            if (!field.changed() || field.counts()) {
                continue;
            }
            const Judgement judgement = judge(field, moving);
            changed = true;
            if (!judgement.noise) {
                out.severity = std::max(out.severity, judgement.severity);
                out.noise = false;
            }
        }
        return changed;
    }

    bool words_differ(Pair pair) const {
        return before_.has_value(pair.before) && after_.has_value(pair.after) &&
               before_.word(pair.before).value != after_.word(pair.after).value;
    }

    ReportRegister tell(Pair pair) {
        const bool in_after = pair.after != none;
        ReportRegister out =
            head_of_register(in_after ? after_ : before_, in_after ? pair.after : pair.before);
        if (before_.has_value(pair.before)) {
            out.before = hex_text(before_.value(pair.before), before_.definition(pair.before).width);
        } else {
            out.before_reason = why_no_value(comparison_, pair, false);
        }
        if (after_.has_value(pair.after)) {
            out.after = hex_text(after_.value(pair.after), after_.definition(pair.after).width);
        } else {
            out.after_reason = why_no_value(comparison_, pair, true);
        }
        if (before_.has_value(pair.before) && after_.has_value(pair.after)) {
            tell_fields(pair, out);
        } else if (after_.has_value(pair.after)) {
            add_fields(after_, pair.after, &ReportField::after, out);
        } else if (before_.has_value(pair.before)) {
            add_fields(before_, pair.before, &ReportField::before, out);
        }
        return out;
    }

  private:
    std::uint64_t moving_bits(Pair pair) const {
        return before_.moving(pair.before) | after_.moving(pair.after);
    }

    void tell_fields(Pair pair, ReportRegister& out) {
        const std::uint64_t moving = moving_bits(pair);
        out.changed_bits = before_.value(pair.before) ^ after_.value(pair.after);
        out.moving = moving != 0;
        fields_.clear();
        pair_fields(comparison_, pair, fields_);
        bool finding = false;
        for (const FieldPair& field : fields_) {
            const Judgement judgement = judge(field, moving);
            const bool told = field.changed() && !field.counts();
            out.changed = out.changed || field.changed();
            if (told && !judgement.noise) {
                out.severity = std::max(out.severity, judgement.severity);
                finding = true;
            }
            if (told && judgement.noise && out.remark.empty()) {
                out.remark = judgement.remark;
            }
            add_field(pair, field, judgement, out);
        }
        out.noise = out.changed && !finding;
        if (finding) {
            out.remark.clear();
        }
        if (!out.changed) {
            out.severity = present_severity();
        }
    }

    Severity present_severity() const {
        Severity worst = Severity::unspecified;
        for (const FieldPair& field : fields_) {
            worst = std::max(worst, field.after_severity);
        }
        return worst;
    }

    void add_field(Pair pair, const FieldPair& field, const Judgement& judgement, ReportRegister& out) const {
        ReportField row;
        row.lsb = field.lsb;
        row.msb = field.msb;
        row.changed = field.changed();
        row.severity = !row.changed      ? field.after_severity
                       : field.counts()  ? Severity::unspecified
                       : judgement.noise ? field.after_severity
                                         : judgement.severity;
        if (field.whole()) {
            if (!has_meaning(before_, pair.before) && !has_meaning(after_, pair.after)) {
                return;
            }
            row.name = "(value)";
            row.before = text_of_whole(before_, pair.before);
            row.after = text_of_whole(after_, pair.after);
        } else {
            const DecodedField& known = field.after != nullptr ? *field.after : *field.before;
            const RegisterMap& map = field.after != nullptr ? after_.map() : before_.map();
            row.name = name_of_field(map, known);
            row.before = side_text(before_, field.before, field, field.before_value);
            row.after = side_text(after_, field.after, field, field.after_value);
        }
        out.fields.push_back(std::move(row));
    }

    static std::string side_text(const Side& side, const DecodedField* decoded, const FieldPair& field,
                                 std::uint64_t value) {
        return decoded != nullptr ? text_of_field(side.map(), *decoded)
                                  : hex_text(value, field.msb - field.lsb + 1);
    }

    const Comparison& comparison_;
    const Side& before_;
    const Side& after_;
    std::vector<FieldPair> fields_;
};

} // namespace

std::string hex_text(std::uint64_t value, unsigned bits) {
    std::string out;
    append_hex(out, value, (bits + 3) / 4);
    return out;
}

std::string text_of_field(const RegisterMap& map, const DecodedField& field) {
    if (field.field == none) {
        return hex_text(field.value, field.msb - field.lsb + 1U);
    }
    std::string out;
    regmaps::append_field_text(map, map.fields[field.field], field.value, out);
    if (field.enum_value != none) {
        out += ' ';
        out += map.text(map.enum_values[field.enum_value].name);
    }
    return out;
}

ReportRegister head_of_register(const Side& side, Index position) {
    const RegisterMap& map = side.map();
    const regmaps::Register& reg = side.definition(position);
    ReportRegister out;
    out.name = side.name(position);
    out.space = map.text(map.spaces[reg.space].name);
    out.title = map.text(reg.title);
    if (reg.groups.count != 0) {
        out.group = map.text(map.text_list[reg.groups.begin]);
    }
    out.offset = side.instance(position).offset;
    out.width = reg.width;
    out.volatility = reg.volatility;
    return out;
}

Severity severity_of_register(const Side& side, Index position) {
    const Index named = side.capture().decoded.registers[position].enum_value;
    Severity worst = named == none ? Severity::unspecified : side.map().enum_values[named].severity;
    for (const DecodedField& field : side.fields(position)) {
        worst = std::max(worst, field.severity);
    }
    return worst;
}

ReportRegister told_pair(const Comparison& comparison, Pair pair) {
    return RegisterComparison(comparison).tell(pair);
}

ReportRegister told_register(const Side& side, Index position) {
    ReportRegister out = head_of_register(side, position);
    if (!side.has_value(position)) {
        out.after_reason = side.reason(position);
        return out;
    }
    out.after = hex_text(side.value(position), side.definition(position).width);
    out.severity = severity_of_register(side, position);
    out.moving = side.moving(position) != 0;
    if (has_meaning(side, position)) {
        ReportField whole;
        whole.name = "(value)";
        whole.msb = side.definition(position).width - 1U;
        whole.after = text_of_whole(side, position);
        whole.severity = out.severity;
        out.fields.push_back(std::move(whole));
    }
    add_fields(side, position, &ReportField::after, out);
    return out;
}

void compare_registers(const Comparison& comparison, Report& report) {
    RegisterComparison registers(comparison);
    std::vector<Candidate> found;
    for (const Pair& pair : comparison.pairs) {
        Candidate candidate;
        if (!registers.words_differ(pair) || !registers.judge_register(pair, candidate)) {
            continue;
        }
        note(report, candidate.severity, candidate.noise);
        if (!candidate.noise || comparison.options.all) {
            found.push_back(candidate);
        }
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
        return a.noise != b.noise ? b.noise : a.severity > b.severity;
    });
    cut_to_size(found, comparison.options, "registers", report);
    report.registers.reserve(found.size());
    for (const Candidate& candidate : found) {
        report.registers.push_back(registers.tell(candidate.pair));
    }
}

void fill_tree(const Comparison& comparison, Report& report) {
    RegisterComparison registers(comparison);
    report.tree.reserve(comparison.pairs.size());
    for (const Pair& pair : comparison.pairs) {
        report.tree.push_back(registers.tell(pair));
    }
}

} // namespace barscope::tool
