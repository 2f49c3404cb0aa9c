// What stands before the message of a kernel-log row, in the many forms in which people save logs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <fwlog/record.h>

namespace barscope::fwlog {

struct RowHeader {
    std::optional<std::uint64_t> time_ns;
    Clock clock = Clock::none;
    std::string_view time_text, received, program, message;
    Severity level = Severity::unknown;
};

// dmesg (also -x, -T, -d, --time-format iso), journalctl (short, short-iso, short-monotonic, short-full),
// syslog with either kind of stamp, "facility.level:" or "<pri>" before any of them, ESXi's vmkernel log. The
// kernel's own stamp is preferred to the one of the program that received the row. False where none of them
// fits.
bool parse_row_header(std::string_view row, RowHeader& out);

// "  978.631877]", also with a "<    0.000012>" before the bracket: nanoseconds, and what stands for them.
std::optional<std::uint64_t> take_stamp(std::string_view& text, std::string_view& written);
bool take_seconds(std::string_view& text, RowHeader& out);

// "[  978.631877] " and its relatives off the front.
bool take_kernel_stamp(std::string_view& text, RowHeader& out);

} // namespace barscope::fwlog
