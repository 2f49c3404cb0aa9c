#include <safety/access.h>

namespace barscope::safety {

bool has_value(WordStatus status) {
    return status == WordStatus::ok || status == WordStatus::all_ones_alive;
}

std::string_view name(WordStatus status) {
    switch (status) {
    case WordStatus::ok:
        return "ok";
    case WordStatus::all_ones_alive:
        return "all-ones-alive";
    case WordStatus::poison:
        return "poison";
    case WordStatus::torn:
        return "torn";
    case WordStatus::lost:
        return "lost";
    case WordStatus::gone:
        return "gone";
    case WordStatus::bar_dead:
        return "bar-dead";
    case WordStatus::unconfirmed_ones:
        return "unconfirmed-ones";
    case WordStatus::not_attempted:
        return "not-attempted";
    case WordStatus::side_effect:
        return "side-effect";
    case WordStatus::unclaimed:
        return "unclaimed";
    case WordStatus::write_only:
        return "write-only";
    case WordStatus::out_of_range:
        return "out-of-range";
    case WordStatus::misaligned:
        return "misaligned";
    case WordStatus::illegal_width:
        return "illegal-width";
    case WordStatus::touches_forbidden:
        return "touches-forbidden";
    case WordStatus::short_source:
        return "short-source";
    case WordStatus::not_covered:
        return "not-covered";
    case WordStatus::window_not_selected:
        return "window-not-selected";
    case WordStatus::redacted:
        return "redacted";
    }
    return "not-attempted";
}

std::string_view explain(WordStatus status) {
    switch (status) {
    case WordStatus::ok:
        return "read";
    case WordStatus::all_ones_alive:
        return "all ones, and the device answers: a value";
    case WordStatus::poison:
        return "a bus error pattern of this device family, not data";
    case WordStatus::torn:
        return "changed while its two halves were read, twice";
    case WordStatus::lost:
        return "the load faulted: the mapping was revoked or the device was unplugged";
    case WordStatus::gone:
        return "the device does not answer";
    case WordStatus::bar_dead:
        return "the BAR does not answer, configuration space does";
    case WordStatus::unconfirmed_ones:
        return "all ones, and nothing here can tell whether that is a value";
    case WordStatus::not_attempted:
        return "the pass ended before this word";
    case WordStatus::side_effect:
        return "not read: reading it would change the device";
    case WordStatus::unclaimed:
        return "not read: the map does not say that reading it is safe";
    case WordStatus::write_only:
        return "not read: write-only";
    case WordStatus::out_of_range:
        return "not read: it lies beyond the end of its space";
    case WordStatus::misaligned:
        return "not read: its offset is not a multiple of its width";
    case WordStatus::illegal_width:
        return "not read: this space does not take loads of this width";
    case WordStatus::touches_forbidden:
        return "not read: the load would touch a neighbour that must not be read";
    case WordStatus::short_source:
        return "not read: the source ends before this word";
    case WordStatus::not_covered:
        return "not read: this source does not hold this word";
    case WordStatus::window_not_selected:
        return "not read: the window points elsewhere";
    case WordStatus::redacted:
        return "redacted: it was read, and its value identifies";
    }
    return "not read";
}

} // namespace barscope::safety
