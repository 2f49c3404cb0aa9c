#include <evidence/compare_fields.h>

#include <algorithm>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;
using regmaps::Severity;
using regmaps::Volatility;

Severity severity_of_enum(const RegisterMap& map, Index enum_value) {
    return enum_value == none ? Severity::unspecified : map.enum_values[enum_value].severity;
}

class Pairing {
  public:
    Pairing(const Comparison& comparison, Pair pair, std::vector<FieldPair>& out)
        : comparison_(comparison), before_(comparison.before), after_(comparison.after), pair_(pair),
          before_value_(before_.value(pair.before)), after_value_(after_.value(pair.after)), out_(out) {}

    void run() {
        const regmaps::Register& left = before_.definition(pair_.before);
        const regmaps::Register& right = after_.definition(pair_.after);
        const bool plain = left.fields.count == 0 || right.fields.count == 0;
        if (plain || right.enumeration != none) {
            add_whole(plain);
        }
        if (plain) {
            return;
        }
        const std::size_t first = out_.size();
        const auto fields_before = before_.fields(pair_.before);
        for (const DecodedField& field : after_.fields(pair_.after)) {
            add(partner(fields_before, field), &field);
        }
        for (const DecodedField& field : fields_before) {
            const bool told = std::any_of(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                                          [&](const FieldPair& known) { return known.before == &field; });
            if (!told) {
                add(&field, nullptr);
            }
        }
        std::stable_sort(out_.begin() + static_cast<std::ptrdiff_t>(first), out_.end(),
                         [](const FieldPair& a, const FieldPair& b) { return a.msb > b.msb; });
    }

  private:
    // Beside fields the whole is there for its name alone: what the fields say is not told twice.
    void add_whole(bool alone) {
        const regmaps::Register& right = after_.definition(pair_.after);
        const Index left_name = before_.capture().decoded.registers[pair_.before].enum_value;
        const Index right_name = after_.capture().decoded.registers[pair_.after].enum_value;
        FieldPair whole;
        whole.msb = right.width - 1U;
        whole.before_severity = severity_of_enum(before_.map(), left_name);
        whole.after_severity = severity_of_enum(after_.map(), right_name);
        if (alone) {
            whole.before_value = before_value_;
            whole.after_value = after_value_;
            whole.volatility = right.volatility;
        } else {
            whole.after_value =
                name_of(before_.map(), left_name) == name_of(after_.map(), right_name) ? 0 : 1;
            whole.volatility = is_count(right.volatility) ? Volatility::status : right.volatility;
        }
        out_.push_back(whole);
    }

    static std::string_view name_of(const RegisterMap& map, Index enum_value) {
        return enum_value == none ? std::string_view() : map.text(map.enum_values[enum_value].name);
    }

    static bool is_count(Volatility volatility) {
        return volatility == Volatility::counter || volatility == Volatility::index;
    }

    bool same_field(const DecodedField& a, const DecodedField& b) const {
        if (a.field == none || b.field == none) {
            return a.field == b.field && a.lsb == b.lsb && a.msb == b.msb;
        }
        if (comparison_.same_map) {
            return a.field == b.field;
        }
        return before_.map().text(before_.map().fields[a.field].name) ==
               after_.map().text(after_.map().fields[b.field].name);
    }

    const DecodedField* partner(std::span<const DecodedField> fields, const DecodedField& wanted) const {
        const auto found = std::find_if(fields.begin(), fields.end(),
                                        [&](const DecodedField& field) { return same_field(field, wanted); });
        return found == fields.end() ? nullptr : &*found;
    }

    Volatility volatility_of(const RegisterMap& map, const regmaps::Register& reg,
                             const DecodedField& field) const {
        if (field.field != none) {
            return map.fields[field.field].volatility;
        }
        return is_count(reg.volatility) ? Volatility::status : reg.volatility;
    }

    void add(const DecodedField* before, const DecodedField* after) {
        FieldPair pair;
        pair.before = before;
        pair.after = after;
        const DecodedField& known = after != nullptr ? *after : *before;
        pair.lsb = known.lsb;
        pair.msb = known.msb;
        pair.before_value = before != nullptr ? before->value : bits_of(before_value_, known.lsb, known.msb);
        pair.after_value = after != nullptr ? after->value : bits_of(after_value_, known.lsb, known.msb);
        pair.before_severity = before != nullptr ? before->severity : Severity::unspecified;
        pair.after_severity = after != nullptr ? after->severity : Severity::unspecified;
        pair.volatility = after != nullptr
                              ? volatility_of(after_.map(), after_.definition(pair_.after), known)
                              : volatility_of(before_.map(), before_.definition(pair_.before), known);
        out_.push_back(pair);
    }

    const Comparison& comparison_;
    const Side& before_;
    const Side& after_;
    Pair pair_;
    std::uint64_t before_value_, after_value_;
    std::vector<FieldPair>& out_;
};

// The tables are the same where the map is: by its content's hash, or because both use one.
bool have_same_map(const Evidence& a, const Evidence& b) {
    if (same_tables(a.map, b.map)) {
        return true;
    }
    const auto same_text = [](const std::string& x, const std::string& y) { return !x.empty() && x == y; };
    return (same_text(a.snapshot.map_sha256, b.snapshot.map_sha256) ||
            same_text(a.snapshot.map_hash, b.snapshot.map_hash)) &&
           a.map.registers.size() == b.map.registers.size() && a.map.fields.size() == b.map.fields.size();
}

} // namespace

Comparison::Comparison(const Evidence& first, const Evidence& second, const CompareOptions& wanted)
    : before(first), after(second), same_map(have_same_map(first, second)),
      pairs(match_registers(before.decoding(), after.decoding(), same_map)),
      boots(boots_of(first.snapshot, second.snapshot)), elapsed(elapsed_between(first, second)),
      options(wanted) {}

void pair_fields(const Comparison& comparison, Pair pair, std::vector<FieldPair>& out) {
    Pairing(comparison, pair, out).run();
}

Severity severity_of_change(Severity before, Severity after) {
    if (after == Severity::unspecified || (after == Severity::ok && before >= Severity::warning)) {
        return Severity::notice; // nobody says what it means, or it recovered: worth a look
    }
    return after;
}

Judgement judge(const FieldPair& pair, std::uint64_t moving) {
    Judgement out;
    out.severity = severity_of_change(pair.before_severity, pair.after_severity);
    const bool severity_changed = pair.before_severity != pair.after_severity;
    if (pair.volatility == Volatility::timestamp) {
        out.noise = true;
        out.remark = "a time";
    } else if (!severity_changed && bits_of(moving, pair.lsb, pair.msb) != 0) {
        out.noise = true;
        out.remark = "it moves within a snapshot too";
    } else if (pair.volatility == Volatility::constant) {
        out.severity = std::max(out.severity, Severity::warning);
    }
    return out;
}

} // namespace barscope::tool
