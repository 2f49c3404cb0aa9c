#include <capture/ring.h>

#include <algorithm>
#include <array>

#include <capture/generation.h>
#include <regmaps/structure_field.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedStructure;
using regmaps::none;
using regmaps::RegisterMap;
using regmaps::Severity;

constexpr std::size_t most_turns = 16;

bool counts_as_error(Severity severity) {
    return severity == Severity::warning || severity == Severity::critical;
}

bool is_past(EntryState state) {
    return state == EntryState::stale || state == EntryState::blank || state == EntryState::invalid;
}

// The structure whose valid rule gave DecodedStructure::valid.
const regmaps::Structure* valid_rule(const RegisterMap& map, const DecodedStructure& decoded) {
    if (map.structures[decoded.structure].valid_field != none) {
        return &map.structures[decoded.structure];
    }
    const auto outer = std::find_if(decoded.chain.rbegin(), decoded.chain.rend(),
                                    [&](regmaps::Index i) { return map.structures[i].valid_field != none; });
    return outer == decoded.chain.rend() ? nullptr : &map.structures[*outer];
}

} // namespace

std::string_view name(EntryState state) {
    switch (state) {
    case EntryState::unmarked:
        return "unmarked";
    case EntryState::blank:
        return "all zero";
    case EntryState::valid:
        return "valid";
    case EntryState::stale:
        return "stale";
    case EntryState::unread:
        return "unread";
    case EntryState::consumed:
        return "consumed";
    case EntryState::invalid:
        return "not valid";
    case EntryState::cannot_tell:
        return "cannot tell";
    }
    return "";
}

bool is_status(const RegisterMap& map, const regmaps::Field& field) {
    if (field.enumeration == none) {
        return false;
    }
    const regmaps::Range values = map.enums[field.enumeration].values;
    const auto all = map.enum_values.subspan(values.begin, values.count);
    return std::any_of(all.begin(), all.end(), [](const regmaps::EnumValue& value) {
        return value.severity != Severity::unspecified;
    });
}

std::uint64_t RingReport::count(EntryState state) const {
    return static_cast<std::uint64_t>(
        std::count_if(entries.begin(), entries.end(), [&](const RingEntry& e) { return e.state == state; }));
}

std::uint64_t RingReport::count(Severity severity, bool stale) const {
    return static_cast<std::uint64_t>(std::count_if(entries.begin(), entries.end(), [&](const RingEntry& e) {
        return e.severity == severity && is_past(e.state) == stale;
    }));
}

EntryState RingJudge::state_of(const DecodedStructure& decoded, std::span<const std::uint8_t> bytes) {
    const regmaps::Structure* rule = valid_rule(map_, decoded);
    if (rule == nullptr || !decoded.valid) {
        return EntryState::unmarked;
    }
    report_.phased = report_.phased || rule->valid_phase;
    if (rule->valid_phase) {
        note_turn(decoded.valid);
    }
    if (std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; })) {
        return EntryState::blank;
    }
    if (!rule->valid_phase) {
        return *decoded.valid == rule->valid_value ? EntryState::valid : EntryState::invalid;
    }
    if (!options_.epoch) {
        return EntryState::cannot_tell;
    }
    const bool of_this_pass = *decoded.valid != *options_.epoch;
    if (!options_.consumer) {
        return of_this_pass ? EntryState::valid : EntryState::stale;
    }
    if (options_.first + report_.entries.size() >= *options_.consumer) {
        return of_this_pass ? EntryState::unread : EntryState::stale;
    }
    return of_this_pass ? EntryState::consumed : EntryState::unread; // the device is on the next pass there
}

void RingJudge::note_turn(std::optional<std::uint64_t> bit) {
    const auto now = static_cast<unsigned>(*bit);
    if (bit_ && *bit_ != now) {
        ++report_.turn_count;
        if (report_.turns.size() < most_turns) {
            report_.turns.push_back({options_.first + report_.entries.size(), *bit_, now});
        }
    }
    bit_ = now;
}

// Receive completions of Ethernet: Linux drivers/net/ethernet/broadcom/bnxt/bnxt.h struct rx_cmp and
// rx_cmp_ext, rx_tpa_start_cmp, rx_tpa_end_cmp and theirs; the types are CMP_TYPE_*.
bool RingJudge::takes_two(const DecodedStructure& decoded, std::span<const std::uint8_t> bytes) const {
    constexpr std::array<std::uint64_t, 5> types{0x11, 0x13, 0x15, 0x17, 0x19};
    const regmaps::Index outer = decoded.chain.empty() ? decoded.structure : decoded.chain.front();
    const regmaps::Structure& structure = map_.structures[outer];
    if (map_.text(structure.name) != "l2-completion" || structure.variant_on == none) {
        return false;
    }
    const auto type = regmaps::decode_structure_field(map_, structure.variant_on, bytes);
    return type && std::find(types.begin(), types.end(), type->value) != types.end();
}

void RingJudge::add(const DecodedStructure& decoded, std::span<const std::uint8_t> bytes) {
    RingEntry entry;
    entry.state = state_of(decoded, bytes);
    entry.second_half = half_open_;
    half_open_ = !half_open_ && takes_two(decoded, bytes);
    if (entry.state != EntryState::blank && !entry.second_half) {
        entry.unknown_type = decoded.variant_unknown;
        if (auto foreign = wrong_generation(map_, decoded, bytes)) {
            entry.foreign = true;
            report_.foreign = report_.foreign.empty() ? std::move(*foreign) : report_.foreign;
        }
        for (const regmaps::DecodedField& field : decoded.fields) {
            entry.severity = std::max(entry.severity, field.severity);
            entry.reserved = entry.reserved || field.field == none;
            entry.unknown_status = entry.unknown_status || (field.field != none && field.enum_value == none &&
                                                            is_status(map_, map_.fields[field.field]));
        }
    }
    if (!report_.first_error && counts_as_error(entry.severity) && !is_past(entry.state)) {
        report_.first_error = report_.entries.size();
    }
    report_.entries.push_back(entry);
}

RingReport RingJudge::finish() {
    report_.position = ring_position(options_);
    return std::move(report_);
}

} // namespace barscope::tool
