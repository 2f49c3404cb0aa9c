// Carries out a pass's loads on a BAR: maps one window at a time, loads under the fault guard, asks sentinels
// and configuration space.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <safety/bar_mapping.h>

#include "fault_guard.h"
#include "load.h"
#include "mapping.h"
#include "pacing.h"
#include "pass.h"
#include "system.h"
#include "ticks.h"
#include "word_check.h"
#include "word_timing.h"

namespace barscope::safety {

struct BarContext {
    System& system;
    int fd = -1;
    const BarGeometry& geometry;
    std::string space; // "bar0", for the access log
    AccessLog* access_log = nullptr;
    // Whether configuration space answers; nothing where it cannot be asked.
    std::function<std::optional<bool>()> config_answers;
    // Why mmap was refused, from errno.
    std::function<Error(int)> explain_mmap;
};

class BarPort final : public LoadPort {
  public:
    BarPort(BarContext context, const SpacePlan& plan, const ReadOptions& options, const WordCheck& check,
            const std::vector<PageRun>& windows, TickScale& scale, SpaceCapture& capture);

    Result<void> enter(const Segment& segment) override;
    Step load(const Segment& segment, const WordRequest* requests, Word* words, std::size_t count) override;
    Answer ask(const WordRequest* suspect) override;
    void pause(std::chrono::milliseconds time) override;
    std::string why() const override { return refusal_; }

    // Turns the ticks in `nanoseconds` of all words into nanoseconds.
    void finish_times(std::vector<Word>& words);

  private:
    struct LongLoad {
        Word* word;
        std::uint32_t ns;
    };

    Step load_run(const Mapping& mapping, LoadOrder order);
    Step load_split_word(const Mapping& mapping, const WordRequest& request, Word& word);
    std::optional<std::uint32_t> load_half(const Mapping& mapping, std::uint64_t offset, bool big,
                                           Word& word);
    LoadOrder order(const WordRequest* requests, Word* words, std::size_t count, unsigned width) const;
    std::optional<LoadResult> guarded(const Mapping& mapping, LoadOrder order);
    Stop note_time(Word& word, std::uint64_t ticks);
    Step after_fault(Word* words, std::size_t count);
    bool may_load(std::uint64_t offset, unsigned width);
    bool stepwise() const { return context_.access_log != nullptr || pacing_.active(); }
    // Nothing where it could not be asked.
    std::optional<bool> sentinel_answers(const WordRequest& sentinel);
    const Mapping* sentinel_mapping(const WordRequest& sentinel);

    BarContext context_;
    const SpacePlan& plan_;
    LoadTiming timing_ = LoadTiming::off;
    Pacing pacing_;
    LoadWatch* watch_;
    const std::vector<PageRun>& windows_;
    TickScale& scale_;
    std::uint64_t doubtful_ticks_ = UINT64_MAX;
    OffCpuTime off_cpu_;
    SpaceCapture& capture_;
    std::vector<WordRequest> sentinels_; // those that can be loaded
    bool has_foreign_order_ = false;
    std::vector<LongLoad> long_loads_; // their time is known already and may not fit into ticks
    std::string refusal_;
    std::uint64_t issued_ = 0; // loads made by the last load_run or load_split_word

    std::uint32_t current_window_ = UINT32_MAX;
    Mapping window_;
    Mapping sentinel_window_;
    FaultGuard guard_; // last: in place before the first load, gone before the mappings
};

} // namespace barscope::safety
