#include "ports.h"

#include <fmt/format.h>

#include <word_check.h>

namespace barscope::safety {

Result<void> check_port_word(const PortWord& word, std::uint64_t size, std::uint64_t readable,
                             std::uint8_t source_widths, const std::string& path) {
    const auto refuse = [&](std::string cause, std::string what) {
        return fail({ErrorCode::refused,
                     std::move(cause),
                     std::move(what),
                     fmt::format("{} at {:#x}", path, word.offset),
                     {}});
    };
    if (word.width == 64 && word.split == Split::hi_lo_hi) {
        return refuse("split-write",
                      "this register takes two accesses on its bus, and lab override makes one");
    }
    SpacePlan plan;
    plan.size_limit = word.size_limit;
    plan.legal_widths = word.legal_widths;
    const WordStatus status = WordCheck(plan, {size, readable}, source_widths)(
        {word.offset, word.width, ReadAction::none, Split::none, word.order});
    if (status != WordStatus::ok) {
        return refuse(std::string(name(status)),
                      fmt::format("{} bits cannot be accessed there: {}", word.width, explain(status)));
    }
    return {};
}

Error not_opened_for_stores(const std::string& path) {
    return {ErrorCode::refused, "opened-for-loads", "this file was opened for reading only", path, {}};
}

} // namespace barscope::safety
