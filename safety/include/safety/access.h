// The vocabulary between a read plan and whoever carries it out: which words, and what became of each.
// Knows offsets, widths and read actions; knows nothing of register names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <safety/error.h>

namespace barscope::safety {

// CMSIS-SVD readAction, plus `unclaimed` for a register whose map says nothing: refused like a side effect.
enum class ReadAction : std::uint8_t { none, clear, set, modify, modify_external, unclaimed };

enum class ByteOrder : std::uint8_t { little, big };

// How a register that is wider than its bus may be loaded.
enum class Split : std::uint8_t {
    none,     // one load of the declared width
    hi_lo_hi, // two 32-bit loads with a re-read of the high half; a torn value is retried once, then reported
};

struct WordRequest {
    std::uint64_t offset = 0; // bytes from the start of the BAR, configuration space or dump
    std::uint8_t width = 32;  // bits: 8, 16, 32, 64
    ReadAction action = ReadAction::unclaimed;
    Split split = Split::none;
    ByteOrder order = ByteOrder::little;
};

// Bytes [begin, end) that must not be touched: neighbours with a read side effect, write-only registers.
struct ForbiddenRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

// A value that means the bus or the device failed, not data: (value & mask) == pattern.
struct Poison {
    std::uint64_t mask = 0;
    std::uint64_t pattern = 0;
    std::uint8_t width = 32; // applies to words of this width
};

// The words of one space, distinct and in ascending order of offset.
struct SpacePlan {
    std::vector<WordRequest> words;
    std::vector<WordRequest> sentinels;    // `neverAllOnes` registers, side-effect free
    std::vector<ForbiddenRange> forbidden; // ascending, not overlapping
    std::vector<Poison> poison;
    std::uint64_t size_limit = UINT64_MAX; // end of the map's space; loads stay below it
    std::uint8_t legal_widths = 0xf;       // bit 0: 8, bit 1: 16, bit 2: 32, bit 3: 64 bits
};

enum class WordStatus : std::uint8_t {
    ok,                  // value holds what was loaded
    all_ones_alive,      // value is all ones and a sentinel says that the device answers: a value
    poison,              // value matches a poison pattern: the bus or device failed; not data
    torn,                // a split 64-bit value changed between both tries
    lost,                // the load faulted (SIGBUS/SIGSEGV): mapping revoked, device unplugged
    gone,                // device does not answer: all ones here, in the sentinel and in configuration space
    bar_dead,            // all ones here and in the sentinel while configuration space answers
    unconfirmed_ones,    // all ones, and no sentinel nor configuration space could be asked: a suspect, not a
                         // value
    not_attempted,       // an earlier word ended the pass (gone, stopped, time limit)
    side_effect,         // refused: reading it would change the device
    unclaimed,           // refused: the map does not say that reading is safe
    write_only,          // not readable
    out_of_range,        // beyond the BAR, the file or the map's space
    misaligned,          // offset is not a multiple of the width
    illegal_width,       // the space does not take loads of this width
    touches_forbidden,   // would touch a neighbour that must not be read
    short_source,        // the file or dump ends before this word
    not_covered,         // this source does not hold this word
    window_not_selected, // a windowed space whose select register points elsewhere
    redacted,            // it was read, and its value was taken out of the recording because it identifies
};

bool has_value(WordStatus status);           // ok, all_ones_alive
std::string_view name(WordStatus status);    // "not-attempted", ... (stable: JSON)
std::string_view explain(WordStatus status); // a sentence fragment for people

enum WordFlag : std::uint8_t {
    slow = 1,              // took 10 ms or more: a completion timeout on a sick link
    answered_on_retry = 2, // first try all ones, asked again on request
};

struct Word {
    std::uint64_t value =
        0; // already in host order; meaningless unless has_value() (or poison, bar_dead, ...)
    std::uint32_t nanoseconds = 0; // of the load; saturates; 0 when timing is off
    WordStatus status = WordStatus::not_attempted;
    std::uint8_t flags = 0;
};

// Who may end a pass early: a time limit, somebody at the keyboard. Asked between loads, for a load under way
// cannot be interrupted. Once it has said no, it stays with it.
class LoadWatch {
  public:
    virtual ~LoadWatch() = default;
    virtual bool go_on() = 0; // false: no further load is made
    // How many loads may be made before it is asked again, if they are quick ones; 0: none.
    virtual std::size_t grant() = 0;
    // `words` were loaded; `slow_ns`: what the last of them took, where that was long, else 0.
    virtual void loaded(std::size_t words, std::uint32_t slow_ns) = 0;
    // Sleeps so long, or until no further load may be made; the answer is go_on()'s.
    virtual bool wait(std::uint64_t ns) = 0;
    virtual std::string why() const = 0; // "the time limit of 1 s is over"
};

struct ReadOptions {
    bool timing = true;
    std::uint32_t max_rate = 0; // loads per second; 0 is unlimited
    unsigned retries = 0;       // extra tries where the device answered all ones
    LoadWatch* watch = nullptr; // null: nobody ends it
};

struct SpaceCapture {
    std::vector<Word> words; // parallel to SpacePlan::words
    std::uint64_t loads = 0; // load instructions issued to the device for `words`
    std::uint64_t sentinel_loads = 0;
    std::uint64_t started_ns = 0; // CLOCK_REALTIME
    std::uint64_t elapsed_ns = 0; // from before the first load to after the last
    bool device_gone = false;     // the pass ended because the device does not answer
    bool stopped = false;         // a load was not made because ReadOptions::watch said no
    std::string note;             // what happened to the pass as a whole, may be empty
};

// Where words come from: a guarded BAR mapping, configuration space, the driver's dump, a file.
class WordSource {
  public:
    virtual ~WordSource() = default;
    // Never fails as a whole: each word says what became of it.
    virtual SpaceCapture read(const SpacePlan& plan, const ReadOptions& options) = 0;
    virtual std::string describe() const = 0; // the path or call used, for every output's first line
    virtual std::uint64_t size() const = 0;   // bytes that can be addressed
};

} // namespace barscope::safety
