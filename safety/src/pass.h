// One pass over a plan's words: what all ones, poison, slow loads and faults mean, when the device is asked
// whether it is alive, and when to stop. Knows nothing of how a word is loaded.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <safety/access.h>

namespace barscope::safety {

// Consecutive words of the plan that may be loaded, all of one width, in one window of the source.
struct Segment {
    std::size_t first = 0;
    std::size_t count = 0;
    unsigned width = 32; // of the words; a split one is loaded in halves
    bool split = false;
    bool contiguous = true;   // each word follows the one before it
    std::uint32_t window = 0; // means something to the port
};

enum class Stop {
    none,     // all of the words were loaded
    all_ones, // the last word loaded is all ones
    fault,    // the last word faulted
    slow,     // the last word took 10 ms or more
    refused,  // the word after the last one must not be loaded any more; why() says why
};

struct Step {
    std::size_t done = 0; // words that were dealt with, including the one that stopped it
    Stop stop = Stop::none;
};

enum class Answer {
    alive,    // a sentinel answers
    gone,     // neither the BAR nor configuration space answers
    bar_dead, // configuration space answers, the BAR's sentinel does not
    unknown,  // nothing could be asked, or only configuration space, which answers
};

// What carries out the loads.
class LoadPort {
  public:
    virtual ~LoadPort() = default;
    virtual Result<void> enter(const Segment& segment) = 0;
    // Gets blank words. Those that were loaded have their value in host order afterwards and status torn, ok
    // or, for speed, still not_attempted; lost ones have that status.
    virtual Step load(const Segment& segment, const WordRequest* requests, Word* words,
                      std::size_t count) = 0;
    // Whether the device is alive; `suspect` is a word that was just read as all ones, if any.
    virtual Answer ask(const WordRequest* suspect) = 0;
    virtual void pause(std::chrono::milliseconds time) = 0;
    virtual std::string why() const = 0;
};

class Pass {
  public:
    static constexpr std::size_t block_words = 64;

    Pass(const SpacePlan& plan, const ReadOptions& options, LoadPort& port, SpaceCapture& capture);
    void run(std::span<const Segment> segments);
    // Gives every word that was loaded without a remark its status; to be called once, after run.
    void finish();

  private:
    // These return false where the pass is over.
    bool run_segment(const Segment& segment);
    std::size_t granted(std::size_t wanted);
    void note_loaded(std::size_t done, std::size_t wanted);
    bool judge_last(Stop stop);
    bool on_all_ones(std::size_t index);
    bool close_block();
    bool settle(Answer answer);
    bool stop_at(std::size_t index, const std::string& why);
    bool is_over() const { return options_.watch != nullptr && !options_.watch->go_on(); }

    void find_poison(std::size_t begin, std::size_t end, unsigned width);
    Answer ask_with_retries(Answer answer);
    Answer try_again();
    void load_again(std::size_t index);
    bool watched() const { return !pending_.empty() || suspicious_ || !plan_.poison.empty(); }
    bool is_sentinel(const WordRequest& word) const;
    bool holds_all_ones(std::size_t index) const;
    WordStatus alive_status(std::size_t index) const;
    std::string last_loads() const;

    const SpacePlan& plan_;
    const ReadOptions& options_;
    LoadPort& port_;
    SpaceCapture& capture_;
    std::span<const Segment> segments_;
    std::size_t block_ = 0; // of the word that was loaded last
    std::size_t last_loaded_ = 0;
    std::size_t loaded_end_ = 0; // words of the segments before this index have been dealt with
    std::size_t asked_block_ = SIZE_MAX;
    std::size_t grant_ = 0;   // loads that the watch has granted and that were not made yet
    bool suspicious_ = false; // poison or a slow load in this block
    bool any_slow_ = false;
    std::vector<std::size_t> pending_; // all ones since the device last answered
};

} // namespace barscope::safety
