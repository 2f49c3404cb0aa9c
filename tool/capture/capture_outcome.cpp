// What became of what was asked for: of single registers, of the device, of the capture as a whole.
#include <algorithm>

#include <fmt/format.h>

#include <capture/capture.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Instance;
using safety::Word;
using safety::WordStatus;

// What a source does not hold is none where it was not named: the rest of the answer is whole.
bool is_failure(WordStatus status, bool offline, bool named) {
    switch (status) {
    case WordStatus::lost:
    case WordStatus::gone:
    case WordStatus::bar_dead:
    case WordStatus::unconfirmed_ones:
    case WordStatus::poison:
    case WordStatus::torn:
    case WordStatus::not_attempted:
        return true;
    case WordStatus::short_source:
        return named || !offline;
    case WordStatus::not_covered:
        return named;
    default:
        return false;
    }
}

// A dump file holds one BAR or configuration space; that it holds no other is no failure.
bool is_no_part(const Error& refusal) {
    return refusal.cause == not_in_dump;
}

} // namespace

std::string_view status_name(const Capture& capture, std::size_t position) {
    return capture.refusal[position] != 0 ? "refused"
           : capture.held[position]       ? "on-request"
                                          : safety::name(capture.raw.words[position].status);
}

namespace {

// What it lies beyond, and how large that is.
std::string beyond_the_end(const regmaps::RegisterMap& map, const Capture& capture,
                           const Instance& instance) {
    const regmaps::Register& reg = map.registers[instance.reg];
    const regmaps::PlacedSpace& space = capture.layout.spaces[reg.space];
    const Place place = space.config ? config_place : space.bar;
    const auto source = std::find_if(capture.sources.begin(), capture.sources.end(),
                                     [&](const SourceReport& report) { return report.place == place; });
    const std::uint64_t end = instance.offset + reg.width / 8U;
    if (source != capture.sources.end() && end > source->size) {
        return space.config ? fmt::format("configuration space: it is {:#x} bytes", source->size)
                            : fmt::format("BAR {}: the BAR is {:#x} bytes", space.bar, source->size);
    }
    return fmt::format("its space: the space is {:#x} bytes", space.size);
}

} // namespace

std::string reason(const regmaps::RegisterMap& map, const Capture& capture, std::size_t position) {
    if (capture.held[position]) {
        return "only on request: by its name, its group or its block";
    }
    if (capture.refusal[position] != 0) {
        return capture.refusals[capture.refusal[position] - 1U].what;
    }
    const WordStatus status = capture.raw.words[position].status;
    if (status == WordStatus::out_of_range) {
        return "not read: it lies beyond the end of " +
               beyond_the_end(map, capture, capture.raw.instances[position]);
    }
    if (status == WordStatus::not_attempted && !capture.stopped.empty()) {
        return capture.stopped;
    }
    return std::string(safety::explain(status));
}

bool shows_field(const Capture& capture, std::size_t position, Index field) {
    const auto before = [](const auto& entry, std::size_t wanted) { return entry.first < wanted; };
    auto entry = std::lower_bound(capture.fields.begin(), capture.fields.end(), position, before);
    if (entry == capture.fields.end() || entry->first != position) {
        return true;
    }
    for (; entry != capture.fields.end() && entry->first == position; ++entry) {
        if (entry->second == field) {
            return true;
        }
    }
    return false;
}

bool was_loaded(WordStatus status) {
    return status == WordStatus::poison || status == WordStatus::torn || status == WordStatus::gone ||
           status == WordStatus::bar_dead || status == WordStatus::unconfirmed_ones;
}

Death death(const Capture& capture) {
    const auto holds = [&](WordStatus status) {
        return std::any_of(capture.raw.words.begin(), capture.raw.words.end(),
                           [&](const Word& word) { return word.status == status; });
    };
    if (capture.device_gone || holds(WordStatus::gone)) {
        return Death::device;
    }
    return holds(WordStatus::bar_dead) ? Death::bar : Death::none;
}

bool is_lost(const Capture& capture, std::size_t position) {
    return !capture.held[position] && capture.refusal[position] == 0 &&
           is_failure(capture.raw.words[position].status, capture.offline, capture.named[position]);
}

int exit_status(const Capture& capture) {
    bool failed = capture.device_gone || !capture.stopped.empty();
    bool refused = false;
    std::uint8_t refusal = 0;
    for (const Index position : capture.shown) {
        const WordStatus status = capture.raw.words[position].status;
        const bool named = capture.named[position];
        if (capture.held[position]) {
            continue;
        }
        if (capture.refusal[position] != 0) {
            const bool fine = !named && is_no_part(capture.refusals[capture.refusal[position] - 1U]);
            refusal = refusal == 0 && !fine ? capture.refusal[position] : refusal;
        } else if (is_lost(capture, position)) {
            failed = true;
        } else if (!safety::has_value(status)) {
            refused = refused || named;
        }
    }
    if (failed) {
        return exit_status(ErrorCode::absent);
    }
    if (refusal != 0) {
        return exit_status(capture.refusals[refusal - 1U].code);
    }
    if (!capture.unplaced.empty() && !capture.offline) {
        return exit_status(capture.refusals.empty() ? ErrorCode::absent : capture.refusals.front().code);
    }
    return refused ? exit_status(ErrorCode::refused) : 0;
}

} // namespace barscope::tool
