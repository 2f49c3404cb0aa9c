#include <evidence/error_names.h>

#include <algorithm>
#include <array>
#include <string>

namespace barscope::tool {

namespace {

// Words of the drivers' statistics (ethtool -S, RDMA hw_counters) that count what should not happen.
constexpr std::array<std::string_view, 20> bad_words{
    "drop", "discard",     "retrans",         "timeout",      "timed_out", "overrun", "underrun", "overflow",
    "fail", "abort",       "fatal",           "lost",         "nak",       "missed",  "invalid",  "bad_",
    "crc",  "correctable", "out_of_sequence", "out_of_order",
};

// "err" is also a part of other words.
constexpr std::array<std::string_view, 5> harmless{"interr", "ferr", "overrid", "terrain", "berry"};

std::string lower(std::string_view text) {
    std::string out(text);
    for (char& c : out) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return out;
}

} // namespace

bool counts_errors(std::string_view name) {
    std::string text = lower(name);
    for (const std::string_view word : harmless) {
        for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word)) {
            text.replace(at, word.size(), "-");
        }
    }
    const auto holds = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    return holds("err") || std::any_of(bad_words.begin(), bad_words.end(), holds);
}

} // namespace barscope::tool
