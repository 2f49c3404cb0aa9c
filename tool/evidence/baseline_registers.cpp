#include <evidence/baseline_registers.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <evidence/compare_registers.h>
#include <evidence/findings.h>
#include <evidence/majority.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::none;

// A field by its place; the register as a whole comes first.
using FieldKey = std::tuple<bool, unsigned, unsigned>;
FieldKey key_of(const FieldPair& field) {
    return {!field.whole(), field.lsb, field.msb};
}

struct Odd { // a field whose value nearly all others do not have
    std::size_t count = 0, of = 0, example = 0;
    Severity severity = Severity::unspecified;
};

class FleetComparison {
  public:
    FleetComparison(const std::vector<Comparison>& fleet, Report& report)
        : fleet_(fleet), one_(fleet.front().after), report_(report) {
        for (const Comparison& comparison : fleet_) {
            std::vector<Index> partner(one_.size(), none);
            for (const Pair& pair : comparison.pairs) {
                if (pair.after != none) {
                    partner[pair.after] = pair.before;
                }
            }
            partners_.push_back(std::move(partner));
        }
    }

    void run() {
        for (Index position = 0; position < one_.size(); ++position) {
            if (!one_.has_value(position)) {
                see_unread(position);
            } else if (may_be_odd(position)) {
                see_register(position);
            }
        }
        tell_unread();
        std::stable_sort(report_.registers.begin(), report_.registers.end(),
                         [](const auto& a, const auto& b) { return a.severity > b.severity; });
        cut_to_size(report_.registers, fleet_.front().options, "registers", report_);
    }

  private:
    bool member_has(std::size_t member, Index position) const {
        return fleet_[member].before.has_value(partners_[member][position]);
    }

    // Where one in ten has the very same word, no field of it is odd.
    bool may_be_odd(Index position) const {
        std::size_t read = 0, same = 0;
        for (std::size_t member = 0; member < fleet_.size(); ++member) {
            if (member_has(member, position)) {
                ++read;
                same += fleet_[member].before.value(partners_[member][position]) == one_.value(position) ? 1U
                                                                                                         : 0U;
            }
        }
        return read >= smallest_fleet && same * 10 <= read;
    }

    void see_register(Index position) {
        const std::map<FieldKey, Odd> odd = odd_fields(position);
        if (odd.empty()) {
            return;
        }
        const Odd& first = odd.begin()->second;
        const Pair pair{partners_[first.example][position], position};
        ReportRegister out = told_pair(fleet_[first.example], pair);
        out.severity = Severity::unspecified;
        out.changed_bits = 0;
        out.changed = true;
        out.noise = false;
        out.remark = share_text(first.count, first.of);
        for (ReportField& field : out.fields) {
            const auto found = odd.find({field.name != "(value)", field.lsb, field.msb});
            field.changed = found != odd.end();
            if (!field.changed) {
                continue;
            }
            field.severity = found->second.severity;
            field.before = text_before(found->second, position, found->first);
            out.changed_bits |=
                field.name == "(value)" ? 0 : low_bits(field.msb - field.lsb + 1) << field.lsb;
        }
        for (const auto& [key, one] : odd) {
            out.severity = std::max(out.severity, one.severity);
            out.changed_bits |= std::get<0>(key) ? 0 : one_.value(position) ^ value_before(one, position);
        }
        note(report_, out.severity, false);
        report_.registers.push_back(std::move(out));
    }

    std::uint64_t value_before(const Odd& odd, Index position) const {
        return fleet_[odd.example].before.value(partners_[odd.example][position]);
    }

    // Each field has an example of its own: the first member may be odd in another one.
    std::string text_before(const Odd& odd, Index position, const FieldKey& key) const {
        const ReportRegister example =
            told_pair(fleet_[odd.example], {partners_[odd.example][position], position});
        const auto found =
            std::find_if(example.fields.begin(), example.fields.end(), [&](const ReportField& field) {
                return FieldKey{field.name != "(value)", field.lsb, field.msb} == key;
            });
        return found == example.fields.end() ? std::string() : found->before;
    }

    std::map<FieldKey, Odd> odd_fields(Index position) {
        std::map<FieldKey, Tally<std::uint64_t>> tallies;
        std::map<FieldKey, std::uint64_t> own;
        const std::uint64_t moving = one_.moving(position);
        for (std::size_t member = 0; member < fleet_.size(); ++member) {
            if (!member_has(member, position)) {
                continue;
            }
            fields_.clear();
            pair_fields(fleet_[member], {partners_[member][position], position}, fields_);
            for (const FieldPair& field : fields_) {
                if (is_compared(field, moving)) {
                    tallies[key_of(field)].add(field.before_value, member);
                    own[key_of(field)] = field.after_value;
                }
            }
        }
        std::map<FieldKey, Odd> out;
        for (const auto& [key, tally] : tallies) {
            const auto majority = tally.majority();
            if (majority.value != nullptr && *majority.value != own[key]) {
                out[key] = {majority.count, tally.total(), majority.example,
                            severity_of(position, majority.example, key)};
            }
        }
        return out;
    }

    static bool is_compared(const FieldPair& field, std::uint64_t moving) {
        return !field.counts() && field.volatility != regmaps::Volatility::timestamp &&
               bits_of(moving, field.lsb, field.msb) == 0;
    }

    Severity severity_of(Index position, std::size_t member, const FieldKey& key) {
        fields_.clear();
        pair_fields(fleet_[member], {partners_[member][position], position}, fields_);
        for (const FieldPair& field : fields_) {
            if (key_of(field) == key) {
                return judge(field, 0).severity;
            }
        }
        return Severity::notice;
    }

    void see_unread(Index position) {
        std::size_t read = 0;
        for (std::size_t member = 0; member < fleet_.size(); ++member) {
            read += member_has(member, position) ? 1U : 0U;
        }
        if (nearly_all(read, fleet_.size())) {
            unread_[one_.reason(position)].push_back(position);
        }
    }

    void tell_unread() {
        for (const auto& [reason, positions] : unread_) {
            ReportRow row;
            row.name = positions.size() == 1
                           ? one_.name(positions.front())
                           : fmt::format("{} to {} ({} registers)", one_.name(positions.front()),
                                         one_.name(positions.back()), positions.size());
            row.before = "read";
            row.after = reason;
            row.severity = Severity::warning;
            row.changed = true;
            note(report_, row.severity, false);
            report_.coverage.push_back(std::move(row));
        }
    }

    const std::vector<Comparison>& fleet_;
    const Side& one_;
    Report& report_;
    std::vector<std::vector<Index>> partners_; // of each member, by the one's position
    std::vector<FieldPair> fields_;
    std::map<std::string, std::vector<Index>> unread_;
};

} // namespace

void compare_registers_with_fleet(const std::vector<Comparison>& fleet, Report& report) {
    FleetComparison(fleet, report).run();
}

} // namespace barscope::tool
