// From a plan to runs of words that can be loaded in one go.
#pragma once

#include <vector>

#include "load.h"
#include "pass.h"
#include "word_check.h"

namespace barscope::safety {

// Writes the reason beside each word that must not be loaded. `window_of(word)` says in which window of the
// source a word lies; windows may grow while it is asked.
template <typename WindowOf>
std::vector<Segment> plan_segments(const SpacePlan& plan, const WordCheck& check, std::vector<Word>& words,
                                   WindowOf window_of) {
    std::vector<Segment> segments;
    words.assign(plan.words.size(), blank_word());
    bool open = false; // whether the next word may join the last segment
    for (std::size_t i = 0; i < plan.words.size(); ++i) {
        const WordRequest& word = plan.words[i];
        const WordStatus status = check(word);
        if (status != WordStatus::ok) {
            words[i].value = 0;
            words[i].status = status;
            open = false;
            continue;
        }
        const std::uint32_t window = window_of(word);
        const bool split = is_split(word);
        if (open && segments.back().width == word.width && segments.back().split == split &&
            segments.back().window == window) {
            ++segments.back().count;
            segments.back().contiguous &= word.offset == plan.words[i - 1].offset + word.width / 8U;
            continue;
        }
        segments.push_back({i, 1, word.width, split, true, window});
        open = true;
    }
    return segments;
}

} // namespace barscope::safety
