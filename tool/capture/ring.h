// Entries of a ring judged together: which are new by their toggle, where the device stands, what failed
// first.
//
// The valid bit of a ring with a phase is 1 on the device's first pass and alternates with each pass. The
// consumer's epoch is 0 on its first pass. An entry of the consumer's own pass has bit == !epoch.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <regmaps/decode.h>

namespace barscope::tool {

struct RingOptions {
    std::optional<unsigned> epoch;                   // of the consumer
    std::optional<unsigned> producer_epoch;          // 0 on the producer's first pass
    std::optional<std::uint64_t> consumer, producer; // indices: the next entry to be read, to be written
    std::optional<std::uint64_t> size;               // entries of the whole ring
    std::uint64_t first = 0;                         // ring index of the first entry at hand

    bool any() const { return epoch || producer_epoch || consumer || producer || size || first != 0; }
};

enum class EntryState : std::uint8_t {
    unmarked,    // the structure has no valid bit
    blank,       // all zero: never written
    valid,       // of the consumer's pass; where its index is not known, it may have been read already
    stale,       // of another pass
    unread,      // written, and the consumer did not come to it yet
    consumed,    // of this pass, and the consumer is past it
    invalid,     // the valid bit is not what it must be
    cannot_tell, // the consumer's epoch is not known
};
std::string_view name(EntryState state);
inline constexpr std::size_t entry_states = 8;

struct RingEntry {
    EntryState state = EntryState::unmarked;
    regmaps::Severity severity = regmaps::Severity::unspecified; // the worst of its fields
    bool unknown_type = false;                                   // the map has no layout for its type
    bool unknown_status = false;                                 // an outcome that the map does not name
    bool second_half = false; // of the entry before, which takes two: it has no type of its own
    bool reserved = false;    // bits are set that the map does not name
    bool foreign = false;     // of another generation than the map's
};

struct Turn { // the valid bit of entry `at` differs from that of the entry before
    std::uint64_t at = 0;
    unsigned from = 0, to = 0;
};

// How far producer and consumer are apart, as far as what is known says it.
struct RingPosition {
    std::optional<std::uint64_t> used; // entries between consumer and producer
    std::optional<std::uint64_t> free;
    std::vector<std::string> remarks; // what comes next, and what is impossible
    bool impossible = false;
};

struct RingReport {
    std::vector<RingEntry> entries;
    bool phased = false;     // the structure's valid bit is a toggle
    std::vector<Turn> turns; // the first few
    std::uint64_t turn_count = 0;
    std::string foreign;                    // how the first entry of another generation is known
    std::optional<std::size_t> first_error; // into entries: severity warning or critical, not stale
    std::optional<RingPosition> position;

    std::uint64_t count(EntryState state) const;
    std::uint64_t count(regmaps::Severity severity, bool stale) const;
};

class RingJudge {
  public:
    RingJudge(const regmaps::RegisterMap& map, const RingOptions& options) : map_(map), options_(options) {}
    void add(const regmaps::DecodedStructure& decoded, std::span<const std::uint8_t> bytes);
    RingReport finish();

  private:
    EntryState state_of(const regmaps::DecodedStructure& decoded, std::span<const std::uint8_t> bytes);
    void note_turn(std::optional<std::uint64_t> bit);
    bool takes_two(const regmaps::DecodedStructure& decoded, std::span<const std::uint8_t> bytes) const;

    const regmaps::RegisterMap& map_;
    const RingOptions& options_;
    RingReport report_;
    std::optional<unsigned> bit_; // of the entry before
    bool half_open_ = false;      // the entry before is the first of two
};

// What is wrong with the options as such; nothing: they fit each other.
std::optional<std::string> ring_contradiction(const RingOptions& options, std::uint64_t entries);
std::optional<RingPosition> ring_position(const RingOptions& options);

// Whether a field tells an outcome: its enum has severities.
bool is_status(const regmaps::RegisterMap& map, const regmaps::Field& field);

} // namespace barscope::tool
