// How long it was between two moments of two snapshots, and by which clock.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <evidence/evidence.h>

namespace barscope::tool {

// Nanoseconds since 1970 of an RFC 3339 time ("2026-11-30T23:42:20.5Z", "...+01:00"); nothing where it is
// none.
std::optional<std::int64_t> parse_rfc3339(std::string_view text);

struct Elapsed {
    std::optional<double> seconds; // positive; nothing: not known
    bool wall = false;             // by the wall clock, which may have been set meanwhile
    bool backwards = false;        // the second moment was before the first
};

// Between the last passes of both.
Elapsed elapsed_between(const Evidence& before, const Evidence& after);
// The same between two moments that members tell as decimal nanoseconds, where the boot is the same.
Elapsed elapsed_between(const Evidence& before, const Evidence& after, std::string_view before_ns,
                        std::string_view after_ns);
// Between two passes of one snapshot, in seconds.
std::optional<double> between_passes(const Evidence& evidence, std::size_t first, std::size_t last);

// Same boot, another one, or nobody knows.
enum class Boots { same, other, unknown };
Boots boots_of(const Snapshot& before, const Snapshot& after);

} // namespace barscope::tool
