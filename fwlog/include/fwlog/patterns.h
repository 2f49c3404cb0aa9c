// Known messages of drivers and firmware, as data: fwlog/patterns/*.json and files that the user names.
// docs/fwlog.md describes the format.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fwlog/record.h>
#include <safety/error.h>

namespace barscope::fwlog {

// Names of numbers.
struct NameTable {
    std::string name;
    std::map<std::uint64_t, std::string> names;
    std::string_view find(std::uint64_t value) const; // empty: not named
};

enum class FieldKind : std::uint8_t {
    hex,  // digits with or without 0x
    dec,  // digits, with a sign where it is negative
    word, // up to a blank or the literal that follows
    text, // up to the literal that follows, or the end
};

struct BitRange {
    std::uint8_t lsb = 0, msb = 0;
};

struct PatternField {
    std::string name;
    FieldKind kind = FieldKind::word;
    std::uint8_t bits = 32;    // width of a hex field
    bool negative = false;     // hex: two's complement of `bits`
    bool error_number = false; // a (negative) errno
    bool series = false;       // a sequence number: the summary tells which are missing
    std::string unit;
    const NameTable* names = nullptr;
    std::string structure;       // "bnxt:fw-status": decoded by the register map's structure
    std::string map_names;       // "bnxt:cqe-req.STATUS": named by a field of the register map
    std::vector<BitRange> parts; // shown besides as these parts, joined by dots: a version
    std::string compare;         // "PATTERN.FIELD": whose latest text the parts are compared with
};

// minuend - subtrahend, modulo: what two indices of a ring leave between them.
struct Difference {
    std::string name, note;
    std::size_t minuend = 0, subtrahend = 0; // into Pattern::fields
    std::uint64_t modulus = 0;
};

enum class EventKind : std::uint8_t { none, reset, recovered, boot, gone };

struct Pattern {
    struct Piece {
        std::string literal;
        int field = -1; // that follows the literal; -1: none
    };
    std::string name, meaning;
    std::vector<Piece> pieces;
    std::vector<PatternField> fields;
    std::vector<Difference> differences;
    Severity severity = Severity::unknown; // unknown: the row's own level
    EventKind event = EventKind::none;
    int code_field = -1;
    bool remembered = false; // another pattern compares with a field of this one
};

class PatternSet {
  public:
    // The ones built into the program. An error is a fault of the build; the tests load them all.
    static Result<PatternSet> built_in();
    Result<void> add_built_in(); // behind those that are there

    // Those of a JSON document; earlier ones win.
    Result<void> add(std::string_view json, std::string_view origin);

    // The first pattern that fits at the message's start, behind one of its colons, or behind a bracket
    // there. Fills pattern, severity, code and fields. `all`: the message may be several records run
    // together; the most severe of the patterns that fit is taken.
    bool match(std::string_view message, Record& record, bool all = false) const;
    // True where the message begins with the name of a driver or subsystem that any pattern file speaks of.
    bool concerns(std::string_view message) const { return gate_hit(message); }
    // False where the places at which a pattern could begin tell already that none fits.
    bool may_match(std::string_view message) const;
    // False where four bytes tell already that it does not.
    bool may_concern(const char* message) const { return gates_[bucket_of(message)]; }

    const std::vector<std::unique_ptr<Pattern>>& patterns() const { return patterns_; }
    const std::vector<std::string>& drivers() const { return drivers_; }
    const NameTable* table(std::string_view name) const;

  private:
    static constexpr std::size_t buckets = 4096;
    static std::size_t bucket_of(const char* text) { // of its first four bytes
        std::uint32_t word = 0;
        std::memcpy(&word, text, sizeof word);
        return word * 2654435761U >> 20U;
    }
    static std::size_t bucket_of(std::string_view text) { return bucket_of(text.data()); }

    bool gate_hit(std::string_view message) const;
    template <typename Attempt>
    static bool try_starts(std::string_view& rest, const Attempt& attempt);
    bool match_next(std::string_view& rest, Record& record) const;
    void take_worse(std::string_view rest, Record& record) const;
    bool match_here(std::string_view text, Record& record) const;
    void index(std::size_t pattern);

    // Which buckets hold anything: small enough to stay in the nearest cache.
    std::array<bool, buckets> starts_{}, gates_{};
    std::vector<std::unique_ptr<Pattern>> patterns_;
    std::vector<std::unique_ptr<NameTable>> tables_;
    std::vector<std::string> drivers_;
    std::array<std::vector<std::uint16_t>, buckets> by_start_; // patterns that begin with four bytes or more
    std::array<std::vector<std::uint16_t>, 256> by_byte_;      // with fewer
    std::array<std::vector<std::uint16_t>, buckets> driver_starts_;
};

} // namespace barscope::fwlog
