#include "decode_values.h"

#include <algorithm>

#include "decode_bits.h"
#include "decode_fields.h"

namespace barscope::regmaps {

DecodeValues::DecodeValues(const RegisterMap& map, const Layout& layout, const RawWords& raw,
                           const PciIdentity& pci)
    : map_(map), layout_(layout), raw_(raw), pci_(pci), progress_(map.derived.size(), Progress::untouched),
      derived_(map.derived.size()) {}

void DecodeValues::make_index() {
    const auto count = static_cast<Index>(std::min(raw_.instances.size(), raw_.words.size()));
    first_of_.assign(map_.registers.size() + 1, 0);
    for (Index i = 0; i < count; ++i) {
        ++first_of_[raw_.instances[i].reg + 1];
    }
    for (std::size_t r = 1; r < first_of_.size(); ++r) {
        first_of_[r] += first_of_[r - 1];
    }
    positions_.resize(count);
    std::vector<Index> next(first_of_.begin(), first_of_.end() - 1);
    for (Index i = 0; i < count; ++i) {
        positions_[next[raw_.instances[i].reg]++] = i;
    }
    const auto by_index = [&](Index a, Index b) { return raw_.instances[a].index < raw_.instances[b].index; };
    for (std::size_t r = 0; r < map_.registers.size(); ++r) {
        const auto begin = positions_.begin() + first_of_[r];
        const auto end = positions_.begin() + first_of_[r + 1];
        if (end - begin > 1 && !std::is_sorted(begin, end, by_index)) {
            std::sort(begin, end, by_index);
        }
    }
}

std::optional<std::uint64_t> DecodeValues::register_value(Index reg, const Indices& at) {
    if (first_of_.empty()) {
        make_index();
    }
    const auto begin = positions_.begin() + first_of_[reg];
    const auto end = positions_.begin() + first_of_[reg + 1];
    const auto found = std::lower_bound(
        begin, end, at, [&](Index p, const Indices& i) { return raw_.instances[p].index < i; });
    if (found == end || raw_.instances[*found].index != at || !safety::has_value(raw_.words[*found].status)) {
        return {};
    }
    return raw_.words[*found].value & low_mask(map_.registers[reg].width);
}

const DecodedValue& DecodeValues::derived(Index index) {
    DecodedValue& memo = derived_[index];
    if (progress_[index] != Progress::untouched || depth_ >= 2 * max_dependence) {
        return memo; // under way: a cycle, whose value is unknown
    }
    progress_[index] = Progress::under_way;
    ++depth_;
    const Derived& d = map_.derived[index];
    DecodeScope scope(*this);
    const auto when = d.when == none ? std::optional<std::uint64_t>(1) : evaluate_here(d.when, scope);
    DecodedValue result;
    result.derived = index;
    result.applies = when != 0U;
    if (when && *when != 0 && d.value != none) {
        result.value = evaluate_here(d.value, scope);
    }
    if (result.value) {
        result.enum_value = find_enum_value(map_, d.enumeration, *result.value);
    } else if (result.applies && (!when || d.value != none)) {
        // Once more, taking notes: the usual case, a value, is not to pay for them.
        DecodeScope noting(*this, &result.inputs);
        static_cast<void>(evaluate_here(when ? d.value : d.when, noting));
    }
    --depth_;
    memo = result;
    progress_[index] = Progress::done;
    return memo;
}

std::optional<std::uint64_t> DecodeValues::counter(Index index) const {
    return index < raw_.counters.size() ? raw_.counters[index] : std::nullopt;
}

std::optional<bool> DecodeValues::space_present(Index space) const {
    const SpaceState state =
        space < layout_.spaces.size() ? layout_.spaces[space].state : SpaceState::unknown;
    return state == SpaceState::unknown ? std::nullopt : std::optional<bool>(state == SpaceState::present);
}

std::optional<std::uint64_t> DecodeValues::evaluate_here(Index expression, Scope& scope) const {
    return evaluate(map_, pci_, expression, scope);
}

DecodeScope::DecodeScope(DecodeValues& values, Inputs* inputs)
    : Scope(values.map()), values_(values), inputs_(inputs) {}

void DecodeScope::stand_in(const Instance& instance, std::uint64_t value) {
    instance_ = &instance;
    own_ = value;
}

std::optional<std::uint64_t> DecodeScope::register_value(Index reg, const Indices& at) {
    const auto value = values() ? values()->register_value(reg, at) : std::nullopt;
    if (inputs_ != nullptr) {
        note(instance_name(map_, {0, reg, at}), value);
    }
    return value;
}

std::optional<std::uint64_t> DecodeScope::field_value(Index field, const Indices& at) {
    const Field& f = map_.fields[field];
    auto value = values() ? values()->register_value(f.owner, at) : std::nullopt;
    if (value) {
        value = bit_slice(*value, f.lsb, f.msb);
    }
    if (inputs_ != nullptr) {
        std::string name = instance_name(map_, {0, f.owner, at});
        name += '.';
        name += map_.text(f.name);
        note(std::move(name), value);
    }
    return value;
}

std::optional<std::uint64_t> DecodeScope::derived_value(Index derived) {
    const auto value = values() ? values()->derived(derived).value : std::nullopt;
    if (inputs_ != nullptr) {
        note(std::string(map_.text(map_.derived[derived].name)), value);
    }
    return value;
}

std::optional<std::uint64_t> DecodeScope::counter_value(Index counter) {
    const auto value = values() ? values()->counter(counter) : std::nullopt;
    if (inputs_ != nullptr) {
        note(std::string(map_.text(map_.counters[counter].name)), value);
    }
    return value;
}

std::optional<bool> DecodeScope::space_present(Index space) {
    return values() ? values()->space_present(space) : std::nullopt;
}

std::optional<std::uint64_t> DecodeScope::array_index(unsigned level) {
    return instance_ != nullptr && level < max_indices ? std::optional<std::uint64_t>(instance_->index[level])
                                                       : std::nullopt;
}

std::optional<std::uint64_t> DecodeScope::own_field(Index field) {
    return instance_ != nullptr && passes_back() == 0
               ? std::optional<std::uint64_t>(bit_slice(own_, map_.fields[field].lsb, map_.fields[field].msb))
               : std::nullopt;
}

// Nothing: there was no pass so long ago.
DecodeValues* DecodeScope::values() const {
    DecodeValues* of = &values_;
    for (unsigned i = 0; i < passes_back() && of != nullptr; ++i) {
        of = of->before();
    }
    return of;
}

void DecodeScope::note(std::string name, std::optional<std::uint64_t> value) {
    for (unsigned i = 0; i < passes_back(); ++i) {
        name = "previous(" + name + ")";
    }
    const auto known =
        std::find_if(inputs_->begin(), inputs_->end(), [&](const auto& i) { return i.first == name; });
    if (known == inputs_->end()) {
        inputs_->emplace_back(std::move(name), value);
    }
}

} // namespace barscope::regmaps
