// Carries out the plans of one pass: each distinct word is loaded once, and a page behind a window only while
// the window shows it.
#pragma once

#include <array>
#include <functional>
#include <unordered_map>
#include <vector>

#include <capture/options.h>
#include <capture/sources.h>
#include <regmaps/layout.h>

namespace barscope::tool {

struct RecordedPass;

// What one BAR or configuration space did in the pass.
struct SourceReport {
    Place place = 0;
    std::string description; // the path or call used
    std::uint64_t size = 0;  // bytes that can be addressed
    std::uint64_t loads = 0, sentinel_loads = 0;
    std::uint64_t started_ns = 0, elapsed_ns = 0; // CLOCK_REALTIME; the sum over the pass
    bool device_gone = false;
    std::string note;
};

// What became of a whole plan: a word for each request, or the refusal of its source.
struct PlanOutcome {
    std::vector<safety::Word> words;
    std::uint8_t refusal = 0; // 1 + index into WordLoader::refusals()
};

class WordLoader {
  public:
    // `recorded`: a pass that stands in the device's place; null: none.
    WordLoader(const regmaps::RegisterMap& map, const CaptureOptions& options, Sources& sources,
               const RecordedPass* recorded);

    // `keep`: the words are kept for later plans of the pass, which do not load them again. `planned` loses
    // the words that were loaded before.
    PlanOutcome carry_out(regmaps::PlannedRead& planned, const regmaps::Layout& layout, bool keep);
    // Words that a dump file holds and that no live device may be asked for; nothing where the source is
    // refused.
    std::vector<safety::Word> look_up(const regmaps::PlannedRead& planned, const regmaps::Layout& layout,
                                      std::vector<safety::WordRequest> words);

    // The word as the recording has it; null where it has none, or where there is no recording.
    const safety::Word* recorded(const regmaps::Layout& layout, const regmaps::Instance& instance) const;

    bool device_gone() const { return device_gone_; }
    // Whether a load was not made because CaptureOptions::watch said no.
    bool stopped() const { return stopped_; }
    const std::vector<Error>& refusals() const { return refusals_; }
    // 1 + index into refusals(), of each place; 0: not refused, or not asked.
    const std::array<std::uint8_t, place_count>& refusal_of_place() const { return refusal_of_place_; }
    // Of the sources that were used.
    std::vector<SourceReport> reports() const;

  private:
    struct WordKey {
        Place place = 0;
        std::uint64_t offset = 0;
        std::uint8_t width = 0;
        regmaps::Index page = regmaps::none; // behind a window, the same place is another word in each page
        bool operator==(const WordKey&) const = default;
    };
    struct WordKeyHash {
        std::size_t operator()(const WordKey& key) const noexcept {
            return std::hash<std::uint64_t>()(key.offset * 512 + key.width + key.place + key.page);
        }
    };

    PlanOutcome replay(const regmaps::PlannedRead& planned);
    std::string_view window_name(regmaps::Index window) const;
    bool all_loaded(Place place, const regmaps::PlannedRead& planned, regmaps::Index page) const;
    void load_words(Place place, regmaps::PlannedRead& planned, regmaps::Index page,
                    safety::WordSource& source, bool keep, PlanOutcome& outcome);
    bool read_source(Place place, const safety::SpacePlan& plan, safety::WordSource& source);
    bool window_unknown() const;
    bool window_shows(const regmaps::PlannedRead& planned, const regmaps::Layout& layout,
                      safety::WordSource& source);
    std::uint8_t refusal_number(Place place, const Error& error);

    const regmaps::RegisterMap& map_;
    Sources& sources_;
    const RecordedPass* recorded_;
    safety::ReadOptions read_options_;
    safety::SpaceCapture last_;
    bool device_gone_ = false, stopped_ = false;
    std::vector<Error> refusals_;
    std::unordered_map<WordKey, safety::Word, WordKeyHash> loaded_;
    std::array<safety::WordSource*, place_count> used_{};
    std::array<SourceReport, place_count> reports_;
    std::array<std::uint8_t, place_count> refusal_of_place_{};
};

} // namespace barscope::tool
