// Errors are values: what happened, where, what to do about it, and which exit status it maps to.
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace barscope {

// The kinds of failure a caller can act on. Each has one exit status (docs/cli.md).
enum class ErrorCode {
    usage,      // the command line is wrong                                   exit 2
    refused,    // the guard refused: side effect, unmapped, asleep, ...       exit 3
    absent,     // the device is not there, gone, or does not answer           exit 4
    permission, // the kernel refused: privilege, lockdown, exclusive claim    exit 5
    bad_input,  // a map, dump or tree is malformed                            exit 6
    output,     // the output could not be written                             exit 7
};

int exit_status(ErrorCode code);
std::string_view name(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::usage;
    std::string cause;  // stable identifier for programs and tests, such as "kernel-lockdown"
    std::string what;   // what happened, without a full stop
    std::string where;  // device, file, JSON pointer with line and column, ... may be empty
    std::string remedy; // what to do about it, may be empty
};

// "WHAT (WHERE); REMEDY" in one line, control characters escaped.
std::string to_string(const Error& error);

// Text from outside made safe for one line of a terminal: bytes that are not UTF-8, control characters, line
// separators, changes of writing direction and invisible characters become \xNN, byte by byte; everything
// else stays.
std::string escaped(std::string_view text);

template <typename T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

} // namespace barscope
