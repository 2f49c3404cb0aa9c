#include <device/offline_source.h>

#include <algorithm>
#include <utility>

namespace barscope::tool {

namespace {

using safety::SpacePlan;
using safety::Word;
using safety::WordRequest;
using safety::WordStatus;

std::uint64_t all_ones(unsigned width) {
    return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

class OfflineSource final : public safety::WordSource {
  public:
    explicit OfflineSource(OfflineContent content) : content_(std::move(content)) {}

    safety::SpaceCapture read(const SpacePlan& plan, const safety::ReadOptions&) override {
        safety::SpaceCapture capture;
        capture.words.reserve(plan.words.size());
        for (const WordRequest& request : plan.words) {
            capture.words.push_back(judge(request, plan));
        }
        return capture;
    }
    std::string describe() const override { return content_.description; }
    std::uint64_t size() const override { return content_.size; }

  private:
    Word judge(const WordRequest& request, const SpacePlan& plan) const {
        Word word;
        const OfflineWord found = content_.fetch(request);
        if (!found.value) {
            word.status = found.status;
            return word;
        }
        word.value = *found.value;
        word.status = WordStatus::ok;
        const bool poisoned =
            std::any_of(plan.poison.begin(), plan.poison.end(), [&](const safety::Poison& poison) {
                return poison.width == request.width && (word.value & poison.mask) == poison.pattern;
            });
        if (poisoned) {
            word.status = WordStatus::poison;
        } else if (word.value == all_ones(request.width)) {
            word.status = judge_all_ones(plan);
        }
        return word;
    }

    // The file's own sentinel answers for the device of that moment.
    WordStatus judge_all_ones(const SpacePlan& plan) const {
        bool asked = false;
        for (const WordRequest& sentinel : plan.sentinels) {
            const OfflineWord answer = content_.fetch(sentinel);
            if (!answer.value) {
                continue;
            }
            asked = true;
            if (*answer.value != all_ones(sentinel.width)) {
                return WordStatus::all_ones_alive;
            }
        }
        if (!content_.config_answers) {
            return WordStatus::unconfirmed_ones;
        }
        if (!*content_.config_answers) {
            return WordStatus::gone;
        }
        return asked ? WordStatus::bar_dead : WordStatus::unconfirmed_ones;
    }

    OfflineContent content_;
};

} // namespace

std::unique_ptr<safety::WordSource> make_offline_source(OfflineContent content) {
    return std::make_unique<OfflineSource>(std::move(content));
}

} // namespace barscope::tool
