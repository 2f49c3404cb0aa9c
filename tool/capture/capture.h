// One pass over a device: what the layout depends on, then what was asked for; each distinct word loaded
// once.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <capture/kernel_counters.h>
#include <capture/options.h>
#include <capture/remembering_config.h>
#include <capture/selection.h>
#include <capture/sources.h>
#include <capture/subject.h>
#include <capture/word_loader.h>
#include <regmaps/decode.h>

namespace barscope::tool {

struct Capture {
    regmaps::Layout layout;
    // Parallel to `raw` and to decoded.registers: what was asked for and, besides, what the layout was made
    // from.
    regmaps::RawWords raw;
    std::vector<regmaps::Index> shown;                             // positions in `raw` that were asked for
    std::vector<bool> named;                                       // parallel to `raw`
    std::vector<std::pair<regmaps::Index, regmaps::Index>> fields; // (position in raw, field), ascending
    std::vector<bool> held; // parallel to `raw`: read on request only, and not asked for
    std::vector<std::uint8_t>
        refusal; // parallel to `raw`: 1 + index into `refusals` where the whole source was refused
    // Into layout.missing, of what was asked for as a part of the whole: what could not be placed, and what
    // the device does not have.
    std::vector<regmaps::Index> unplaced, absent;
    regmaps::Decoded decoded;
    std::vector<bool> undecided; // parallel to decoded.derived: asks for known() of what was not asked for
    std::vector<CounterReading> counters; // parallel to the map's; empty where none was asked for
    std::vector<SourceReport> sources;
    std::vector<Error> refusals;                              // sources that could not be opened at all
    std::array<std::uint8_t, place_count> refusal_of_place{}; // as in `refusal`
    std::uint64_t started_ns = 0, monotonic_ns = 0; // CLOCK_REALTIME, CLOCK_MONOTONIC at its beginning
    std::vector<ConfigRead> config_reads;           // with CaptureOptions::remember_config
    std::uint32_t config_size = 0;                  // bytes of configuration space at hand
    bool device_gone = false;
    std::string
        stopped; // not empty: words were left unread because of this ("the time limit of 1 s is over")
    bool offline = false; // from a dump file
};

// What to read of a layout: select_registers() or select_for_checks().
using Selector = std::function<Result<Selection>(const regmaps::RegisterMap&, const regmaps::Layout&)>;

// An error where nothing at all could be read; otherwise each word says what became of it.
// `wanted`: what the selector may choose; words that only other registers' places depend on are not loaded.
Result<Capture> capture(const Subject& subject, const CaptureOptions& options, const Selector& selector,
                        const regmaps::Wanted& wanted = {});

// Two passes, so that what moves can be told from what stands still: the second one, decoded with the first
// one as the one before. `go_on` is asked after the first; where it says no, that one is the answer.
Result<Capture> capture_twice(const Subject& subject, const CaptureOptions& options, const Selector& selector,
                              const regmaps::Wanted& wanted,
                              const std::function<bool(const Capture&)>& go_on);

// `count` passes over one device, each decoded with the first as the one before. `between` is asked after
// each but the last; where it says no, what there is is the answer. The passes end where the device is gone.
Result<std::vector<Capture>> capture_passes(const Subject& subject, const CaptureOptions& options,
                                            const Selector& selector, const regmaps::Wanted& wanted,
                                            unsigned count,
                                            const std::function<bool(const Capture&)>& between);

// One pass of the subject's recording, decoded with `before` as the one before.
Result<Capture> capture_recorded(const Subject& subject, const CaptureOptions& options,
                                 const Selector& selector, std::size_t pass, const Capture* before);

// What became of a register, in one word: the status of its word, "refused" or "on-request".
std::string_view status_name(const Capture& capture, std::size_t position);
// Why the register has no value, for people.
std::string reason(const regmaps::RegisterMap& map, const Capture& capture, std::size_t position);
// Whether this field of the register is to be shown: all are, unless NAME.FIELD was asked for.
bool shows_field(const Capture& capture, std::size_t position, regmaps::Index field);
// What was loaded where it is no value (poison, a torn or unconfirmed word): kept, so that nobody has to load
// it again.
bool was_loaded(safety::WordStatus status);
// Whether the device, or a BAR of it, was found not to answer.
enum class Death { none, bar, device };
Death death(const Capture& capture);
// The exit status of read and dump: docs/cli.md.
int exit_status(const Capture& capture);
// Whether this word is lost to a fault, as against one that may not or need not be read.
bool is_lost(const Capture& capture, std::size_t position);

} // namespace barscope::tool
