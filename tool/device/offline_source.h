// Word sources that hold their words already: a dump file, the driver's dump. They judge all ones and poison
// by the same rules as a live read, and answer in any width that their bytes can.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <safety/access.h>

namespace barscope::tool {

struct OfflineWord {
    std::optional<std::uint64_t> value;
    safety::WordStatus status = safety::WordStatus::not_covered; // why there is none
};

struct OfflineContent {
    std::function<OfflineWord(const safety::WordRequest&)> fetch;
    std::string description;
    std::uint64_t size = 0;
    // Whether configuration space of the same moment answered; nothing: it is not at hand.
    std::optional<bool> config_answers;
};

std::unique_ptr<safety::WordSource> make_offline_source(OfflineContent content);

} // namespace barscope::tool
