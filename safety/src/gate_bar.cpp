#include <safety/gate.h>

#include <cerrno>

#include <sys/stat.h>

#include <fmt/format.h>

#include "bar_files.h"
#include "gate.h"
#include "resource_rows.h"
#include "text.h"

namespace barscope::safety {
namespace {

bool is_memory(const Bar& row) {
    return row.kind == BarKind::memory32 || row.kind == BarKind::memory64;
}

// The kernel would map whatever lies at address 0.
bool has_address(const Bar& row) {
    return row.start != 0 && (row.flags & (resource_unset | resource_disabled)) == 0;
}

std::string usable_bars(const DeviceFacts& facts) {
    std::string text;
    for (unsigned i = 0; i < facts.bars.size(); ++i) {
        if (is_memory(facts.bars.at(i)) && has_address(facts.bars.at(i))) {
            text += fmt::format("{}{}", text.empty() ? "memory BARs of this device: " : ", ", i);
        }
    }
    return text.empty() ? "this device has no memory BAR" : text;
}

std::optional<Error> kind_refusal(const DeviceFacts& facts, unsigned bar) {
    const Bar& row = facts.bars.at(bar);
    const std::string where = facts.directory + "/resource";
    const auto refusal = [&](const char* cause, std::string what) {
        return Error{ErrorCode::refused, cause, std::move(what), where, usable_bars(facts)};
    };
    switch (row.kind) {
    case BarKind::absent:
        return refusal("bar-absent", fmt::format("BAR {} not implemented", bar));
    case BarKind::io:
        return refusal("bar-io", fmt::format("I/O port BAR {} cannot be mapped", bar));
    case BarKind::upper_half:
        return refusal("bar-upper-half", fmt::format("BAR {} belongs to BAR {} (64-bit)", bar, bar - 1));
    case BarKind::memory32:
    case BarKind::memory64:
        break;
    }
    if (!has_address(row)) {
        return refusal("bar-unassigned", fmt::format("BAR {} has no address", bar));
    }
    return std::nullopt;
}

} // namespace

std::string bar_file(const DeviceFacts& facts, unsigned bar) {
    return fmt::format("{}/resource{}", facts.directory, bar);
}

Verdict check_bar(const SystemRoot& /*root*/, const DeviceFacts& facts, unsigned bar) {
    const std::string check = fmt::format("bar{}", bar);
    if (bar >= facts.bars.size()) {
        return refused(check, {ErrorCode::usage, "bar-number",
                               fmt::format("a PCI function has no BAR {}", bar), "", "name one from 0 to 5"});
    }
    if (std::optional<Error> refusal = kind_refusal(facts, bar)) {
        return refused(check, std::move(*refusal));
    }
    const std::string path = bar_file(facts, bar);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return refused(check, {ErrorCode::absent, "bar-file-missing",
                               fmt::format("the file of BAR {} cannot be found: {}", bar, errno_name(errno)),
                               path, "the device was removed, or this copy of a tree holds no BAR contents"});
    }
    if (!S_ISREG(status.st_mode)) {
        return refused(check, {ErrorCode::bad_input, "bar-file-malformed",
                               fmt::format("BAR {} is not a file", bar), path, ""});
    }
    const Bar& row = facts.bars.at(bar);
    return passed(check, fmt::format("{:#x} bytes at {:#x}, {}{}", row.size, row.start,
                                     row.kind == BarKind::memory64 ? "64-bit" : "32-bit",
                                     row.prefetchable ? ", prefetchable" : ""));
}

} // namespace barscope::safety
