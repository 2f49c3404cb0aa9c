// Work in a thread of its own; where there can be none, when its result is asked for.
#pragma once

#include <future>
#include <system_error>

namespace barscope::tool {

template <typename Work>
auto beside(const Work& work) {
    try {
        return std::async(std::launch::async, work);
    } catch (const std::system_error&) {
        return std::async(std::launch::deferred, work);
    }
}

} // namespace barscope::tool
