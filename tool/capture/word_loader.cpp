#include <capture/word_loader.h>

#include <algorithm>

#include <capture/recording.h>
#include <capture/watch.h>

namespace barscope::tool {

namespace {

using regmaps::Layout;
using regmaps::none;
using regmaps::PlannedRead;
using safety::SpacePlan;
using safety::Word;
using safety::WordRequest;
using safety::WordStatus;

Place place_of(const PlannedRead& planned) {
    return planned.config ? config_place : planned.bar;
}

void mark_all(PlanOutcome& outcome, WordStatus status) {
    for (Word& word : outcome.words) {
        word = Word{};
        word.status = status;
    }
}

// Spaces that show the same page through the same window are one: the first of them stands for all.
regmaps::Index page_of(const PlannedRead& planned, const Layout& layout) {
    if (planned.window == none || !layout.spaces[planned.window].window_select) {
        return planned.window;
    }
    const regmaps::PlacedSpace& shown = layout.spaces[planned.window];
    for (regmaps::Index s = 0; s < planned.window; ++s) {
        const regmaps::PlacedSpace& other = layout.spaces[s];
        if (other.window_select && other.window_select->reg == shown.window_select->reg &&
            shown.window_value && other.window_value == shown.window_value) {
            return s;
        }
    }
    return planned.window;
}

} // namespace

WordLoader::WordLoader(const regmaps::RegisterMap& map, const CaptureOptions& options, Sources& sources,
                       const RecordedPass* recorded)
    : map_(map), sources_(sources), recorded_(recorded) {
    read_options_.timing = options.timing;
    read_options_.max_rate = options.max_rate;
    read_options_.retries = options.retries;
    read_options_.watch = options.watch;
}

PlanOutcome WordLoader::carry_out(PlannedRead& planned, const Layout& layout, bool keep) {
    PlanOutcome outcome;
    const Place place = place_of(planned);
    if (planned.plan.words.empty()) {
        return outcome; // nothing is opened for registers that are not to be read
    }
    if (recorded_ != nullptr) {
        return replay(planned);
    }
    auto source = sources_.get(place, layout);
    if (!source) {
        outcome.refusal = refusal_number(place, source.error());
        return outcome;
    }
    used_.at(place) = *source;
    outcome.words.resize(planned.plan.words.size());
    const regmaps::Index page = page_of(planned, layout);
    const bool looks = planned.window != none && !all_loaded(place, planned, page);
    if (looks && !window_shows(planned, layout, **source)) {
        mark_all(outcome, window_unknown() ? WordStatus::not_attempted : WordStatus::window_not_selected);
        return outcome;
    }
    load_words(place, planned, page, **source, keep || page != none, outcome);
    // Somebody else may have moved the window meanwhile: then nobody knows what was read.
    if (looks && !window_shows(planned, layout, **source)) {
        mark_all(outcome, window_unknown() ? WordStatus::not_attempted : WordStatus::window_not_selected);
        std::erase_if(loaded_, [&](const auto& word) { return word.first.page == page; });
    }
    return outcome;
}

std::string_view WordLoader::window_name(regmaps::Index window) const {
    return window == none ? std::string_view() : map_.text(map_.spaces[window].name);
}

PlanOutcome WordLoader::replay(const PlannedRead& planned) {
    PlanOutcome outcome;
    const Place place = place_of(planned);
    const RecordedSource* source = recorded_->source(place);
    if (source != nullptr && source->refusal) {
        outcome.refusal = refusal_number(place, *source->refusal);
        return outcome;
    }
    outcome.words.resize(planned.plan.words.size());
    const RecordedRun* run = nullptr;
    std::size_t next = 0; // both ascend, so that the next one is usually right behind
    for (std::size_t i = 0; i < outcome.words.size(); ++i) {
        const WordRequest& request = planned.plan.words[i];
        if (run == nullptr || run->width != request.width) {
            run = recorded_->run(place, window_name(planned.window), request.width);
        }
        const bool at_hand =
            run != nullptr && next < run->offsets.size() && run->offsets[next] == request.offset;
        const Word* word = run == nullptr ? nullptr : at_hand ? &run->words[next] : run->find(request.offset);
        if (word != nullptr) {
            next = static_cast<std::size_t>(word - run->words.data()) + 1;
            outcome.words[i] = *word;
        } else {
            outcome.words[i].status = WordStatus::not_covered;
        }
    }
    device_gone_ = device_gone_ || (source != nullptr && source->device_gone);
    return outcome;
}

const Word* WordLoader::recorded(const Layout& layout, const regmaps::Instance& instance) const {
    if (recorded_ == nullptr) {
        return nullptr;
    }
    const regmaps::Register& reg = map_.registers[instance.reg];
    const regmaps::PlacedSpace& space = layout.spaces[reg.space];
    const RecordedRun* run = recorded_->run(space.config ? config_place : space.bar,
                                            window_name(space.window_select ? reg.space : none), reg.width);
    return run == nullptr ? nullptr : run->find(instance.offset);
}

std::vector<Word> WordLoader::look_up(const PlannedRead& planned, const Layout& layout,
                                      std::vector<WordRequest> words) {
    const Place place = place_of(planned);
    auto source = sources_.get(place, layout);
    if (!source) {
        return {};
    }
    used_.at(place) = *source;
    SpacePlan plan;
    plan.words = std::move(words);
    plan.sentinels = planned.plan.sentinels;
    plan.poison = planned.plan.poison;
    plan.legal_widths = 0xf;
    return (*source)->read(plan, read_options_).words;
}

bool WordLoader::all_loaded(Place place, const PlannedRead& planned, regmaps::Index page) const {
    return std::all_of(planned.plan.words.begin(), planned.plan.words.end(), [&](const WordRequest& word) {
        return loaded_.contains({place, word.offset, word.width, page});
    });
}

// Words that the layout needed have been loaded in this pass already: they are not loaded again.
void WordLoader::load_words(Place place, PlannedRead& planned, regmaps::Index page,
                            safety::WordSource& source, bool keep, PlanOutcome& outcome) {
    SpacePlan& plan = planned.plan;
    std::vector<WordRequest> fresh;
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < plan.words.size(); ++i) {
        const auto found = loaded_.find({place, plan.words[i].offset, plan.words[i].width, page});
        if (found != loaded_.end()) {
            outcome.words[i] = found->second;
        } else {
            fresh.push_back(plan.words[i]);
            slots.push_back(i);
        }
    }
    if (read_options_.watch != nullptr && fresh.size() < outcome.words.size()) {
        read_options_.watch->loaded(outcome.words.size() - fresh.size(), 0);
    }
    if (fresh.empty()) {
        return;
    }
    plan.words = std::move(fresh);
    if (!read_source(place, plan, source)) {
        return;
    }
    for (std::size_t i = 0; i < slots.size(); ++i) {
        outcome.words[slots[i]] = last_.words[i];
        if (keep) {
            loaded_.emplace(WordKey{place, plan.words[i].offset, plan.words[i].width, page}, last_.words[i]);
        }
    }
}

// False where no more may be asked of this device.
bool WordLoader::read_source(Place place, const SpacePlan& plan, safety::WordSource& source) {
    if (device_gone_ || stopped_) {
        return false;
    }
    last_ = source.read(plan, read_options_);
    SourceReport& report = reports_.at(place);
    report.loads += last_.loads;
    report.sentinel_loads += last_.sentinel_loads;
    report.elapsed_ns += last_.elapsed_ns;
    report.started_ns = report.started_ns == 0 ? last_.started_ns : report.started_ns;
    report.device_gone = report.device_gone || last_.device_gone;
    report.note = last_.note.empty() ? report.note : last_.note;
    device_gone_ = device_gone_ || last_.device_gone;
    stopped_ = last_.stopped;
    return true;
}

// Where the select register could not be read (any more), nothing is known of the window.
bool WordLoader::window_unknown() const {
    return device_gone_ || stopped_ ||
           (last_.words.size() == 1 && !safety::has_value(last_.words.front().status));
}

// Reads the select register anew: what it held earlier in the pass does not count.
bool WordLoader::window_shows(const PlannedRead& planned, const Layout& layout, safety::WordSource& source) {
    const regmaps::PlacedSpace& placed = layout.spaces[planned.window];
    if (!placed.window_select || !placed.window_value) {
        return false;
    }
    const regmaps::Register& select = map_.registers[placed.window_select->reg];
    if (regmaps::readability(map_, select) != WordStatus::ok) {
        return false;
    }
    SpacePlan plan;
    plan.words.push_back({.offset = placed.window_select->offset,
                          .width = select.width,
                          .action = safety::ReadAction::none,
                          .split = select.split,
                          .order = select.order});
    plan.sentinels = planned.plan.sentinels;
    plan.forbidden = planned.plan.forbidden;
    plan.poison = planned.plan.poison;
    if (!read_source(place_of(planned), plan, source)) {
        return false;
    }
    const Word& word = last_.words.front();
    return safety::has_value(word.status) && word.value == *placed.window_value;
}

// The same refusal of several sources is one.
std::uint8_t WordLoader::refusal_number(Place place, const Error& error) {
    std::uint8_t& number = refusal_of_place_.at(place);
    if (number == 0) {
        const auto same = std::find_if(refusals_.begin(), refusals_.end(), [&](const Error& other) {
            return other.cause == error.cause && other.what == error.what && other.where == error.where;
        });
        number = static_cast<std::uint8_t>(same - refusals_.begin() + 1);
        if (same == refusals_.end()) {
            refusals_.push_back(error);
        }
    }
    return number;
}

std::vector<SourceReport> WordLoader::reports() const {
    std::vector<SourceReport> reports;
    for (const RecordedSource& source :
         recorded_ == nullptr ? std::vector<RecordedSource>() : recorded_->sources) {
        if (!source.refusal) {
            reports.push_back({source.place, source.description, source.size, source.loads,
                               source.sentinel_loads, source.started_ns, source.elapsed_ns,
                               source.device_gone, source.note});
        }
    }
    for (Place place = 0; place < place_count; ++place) {
        if (used_.at(place) != nullptr) {
            SourceReport report = reports_.at(place);
            report.place = place;
            report.description = used_.at(place)->describe();
            report.size = used_.at(place)->size();
            if (stopped_ && report.loads == 0 && report.note.empty()) {
                report.note = "nothing was loaded: " + read_options_.watch->why();
            }
            reports.push_back(std::move(report));
        }
    }
    return reports;
}

} // namespace barscope::tool
