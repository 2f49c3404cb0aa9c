#include <capture/capture.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include <ctime>

#include <fmt/format.h>

#include <capture/recording.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Instance;
using regmaps::none;
using regmaps::PlannedRead;
using safety::SpaceCapture;
using safety::SpacePlan;
using safety::Word;
using safety::WordRequest;
using safety::WordStatus;

Place place_of(const PlannedRead& planned) {
    return planned.config ? config_place : planned.bar;
}

struct WordKey {
    Place place = 0;
    std::uint64_t offset = 0;
    std::uint8_t width = 0;
    Index window = none; // behind one, the same place is another word in each
    bool operator==(const WordKey&) const = default;
};
struct WordKeyHash {
    std::size_t operator()(const WordKey& key) const noexcept {
        return std::hash<std::uint64_t>()(key.offset * 512 + key.width + key.place + key.window);
    }
};
struct InstanceHash {
    std::size_t operator()(const Instance& instance) const noexcept {
        std::size_t hash =
            std::hash<std::uint64_t>()(instance.offset) ^ (std::size_t{instance.reg} * 0x9e3779b97f4a7c15U);
        for (const std::uint32_t index : instance.index) {
            hash = hash * 31 + index;
        }
        return hash;
    }
};

bool never_read(WordStatus status) {
    return status == WordStatus::side_effect || status == WordStatus::unclaimed ||
           status == WordStatus::write_only;
}

// What became of a whole plan: a word for each request, or the refusal of its source.
struct Outcome {
    std::vector<Word> words;
    std::uint8_t refusal = 0; // as in Capture::refusal
};

class Pass {
  public:
    // `recorded`: which of a recording's passes stands in the device's place.
    Pass(const Subject& subject, const CaptureOptions& options, Sources& sources, std::size_t recorded = 0)
        : subject_(subject), options_(options), sources_(sources),
          recorded_(subject.recording == nullptr ? nullptr : &subject.recording->passes[recorded]) {
        read_options_.timing = options.timing;
        read_options_.max_rate = options.max_rate;
        read_options_.retries = options.retries;
        capture_.offline = sources_.offline() && recorded_ == nullptr;
    }

    Result<Capture> run(const Selector& selector, const Capture* before) {
        if (recorded_ != nullptr && recorded_->refusal) {
            return fail(*recorded_->refusal);
        }
        capture_.started_ns = now(CLOCK_REALTIME);
        capture_.monotonic_ns = now(CLOCK_MONOTONIC);
        if (auto placed = place(); !placed) {
            return fail(std::move(placed.error()));
        }
        auto selection = selector(subject_.map, capture_.layout);
        if (!selection) {
            return fail(better_error(selection.error()));
        }
        note_missing(*selection);
        arrange(*selection);
        for (PlannedRead& planned :
             regmaps::plan_reads(subject_.map, capture_.layout, selection->instances)) {
            read(planned);
        }
        if (auto nothing = nothing_read()) {
            return fail(std::move(*nothing));
        }
        decode(before);
        report_sources();
        return std::move(capture_);
    }

  private:
    // Reads what the layout depends on, as long as it asks for more, and then places the map.
    Result<void> place() {
        const regmaps::LayoutInputs inputs = layout_inputs();
        auto needs = regmaps::layout_needs(subject_.map, inputs);
        while (needs && !needs->empty()) {
            auto partial = regmaps::place_map(subject_.map, inputs);
            if (!partial) {
                return fail(std::move(partial.error()));
            }
            capture_.layout = std::move(*partial);
            for (const Instance& instance : *needs) {
                asked_.emplace(instance, std::nullopt);
            }
            for (PlannedRead& planned : regmaps::plan_instances(subject_.map, capture_.layout, *needs)) {
                read_needs(planned, *needs);
            }
            needs = regmaps::layout_needs(subject_.map, inputs);
        }
        if (!needs) {
            return fail(std::move(needs.error()));
        }
        auto layout = regmaps::place_map(subject_.map, inputs);
        if (!layout) {
            return fail(std::move(layout.error()));
        }
        capture_.layout = std::move(*layout);
        return {};
    }

    regmaps::LayoutInputs layout_inputs() {
        regmaps::LayoutInputs inputs;
        inputs.pci = subject_.pci;
        const bool asks_config =
            std::any_of(subject_.map.spaces.begin(), subject_.map.spaces.end(),
                        [](const regmaps::Space& space) { return space.kind != regmaps::SpaceKind::bar; });
        if (safety::ConfigSpace* config = asks_config ? sources_.config() : nullptr) {
            inputs.config_size = config->size();
            inputs.capabilities = [this, config](bool extended, std::uint16_t id) {
                return capabilities(*config, extended, id);
            };
            inputs.config = [config](std::uint32_t offset, unsigned width) {
                return config->read(offset, width);
            };
        }
        inputs.value = [this](const Instance& instance) {
            const auto found = asked_.find(instance);
            return found == asked_.end() ? std::nullopt : found->second;
        };
        inputs.asked = [this](const Instance& instance) { return asked_.contains(instance); };
        return inputs;
    }

    // Every space of the map asks, and asks again whenever the map is placed: the lists are walked once for
    // each id.
    std::vector<std::uint32_t> capabilities(safety::ConfigSpace& config, bool extended, std::uint16_t id) {
        const auto [entry, fresh] = capabilities_.try_emplace({extended, id});
        if (fresh) {
            entry->second = extended ? config.extended_capabilities(id)
                                     : config.capabilities(static_cast<std::uint8_t>(id));
        }
        return entry->second;
    }

    void read_needs(PlannedRead& planned, const std::vector<Instance>& needs) {
        const Outcome outcome = carry_out(planned);
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const Index at = planned.word_of[i];
            if (at != none && outcome.refusal == 0 && safety::has_value(outcome.words[at].status)) {
                asked_[needs[planned.instances[i]]] = outcome.words[at].value;
            }
        }
    }

    void decode(const Capture* before) {
        if (before == nullptr) {
            capture_.decoded = regmaps::decode(subject_.map, capture_.layout, capture_.raw, subject_.pci);
            return;
        }
        const regmaps::EarlierPass earlier{before->layout, before->raw};
        capture_.decoded =
            regmaps::decode(subject_.map, capture_.layout, capture_.raw, subject_.pci, &earlier);
    }

    // Positions: everything asked for and everything that the layout was made from, in the layout's order.
    // Leaves in the selection what is to be read.
    void arrange(Selection& selection) {
        std::vector<Index> wanted = selection.instances;
        for (const auto& [instance, value] : asked_) {
            const Index at = regmaps::find_instance(subject_.map, capture_.layout, instance);
            if (at != none) {
                wanted.push_back(at);
            }
        }
        if (!asked_.empty()) {
            std::sort(wanted.begin(), wanted.end());
            wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
        }
        position_.assign(capture_.layout.instances.size(), none);
        capture_.raw.instances.reserve(wanted.size());
        for (const Index instance : wanted) {
            position_[instance] = static_cast<Index>(capture_.raw.instances.size());
            capture_.raw.instances.push_back(capture_.layout.instances[instance]);
        }
        capture_.raw.words.resize(wanted.size());
        capture_.refusal.resize(wanted.size());
        capture_.named.resize(wanted.size());
        capture_.shown.reserve(selection.instances.size());
        for (std::size_t i = 0; i < selection.instances.size(); ++i) {
            const Index position = position_[selection.instances[i]];
            capture_.shown.push_back(position);
            capture_.named[position] = selection.named[i];
        }
        for (const auto& [instance, field] : selection.fields) {
            capture_.fields.emplace_back(position_[instance], field);
        }
        capture_.held.resize(wanted.size());
        for (std::size_t i = 0; i < selection.instances.size(); ++i) {
            const Instance& instance = capture_.layout.instances[selection.instances[i]];
            const bool at_hand = recorded_ != nullptr ? is_recorded(instance) : sources_.offline();
            if (selection.held[i] && !at_hand && !asked_.contains(instance)) {
                capture_.held[position_[selection.instances[i]]] = true;
                wanted.erase(std::lower_bound(wanted.begin(), wanted.end(), selection.instances[i]));
            }
        }
        selection.instances = std::move(wanted);
    }

    void read(PlannedRead& planned) {
        const Outcome outcome = carry_out(planned);
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const Index position = position_[planned.instances[i]];
            Word& word = capture_.raw.words[position];
            if (planned.word_of[i] == none) {
                word.status = planned.refused[i];
            } else if (outcome.refusal != 0) {
                capture_.refusal[position] = outcome.refusal;
            } else {
                word = outcome.words[planned.word_of[i]];
            }
        }
        if (recorded_ != nullptr && outcome.refusal == 0) {
            read_recorded_words(planned);
        } else if (sources_.offline() && outcome.refusal == 0) {
            read_recorded(planned);
        }
    }

    // A dump file holds what was read when it was taken: looking at it there changes no device.
    void read_recorded(const PlannedRead& planned) {
        SpacePlan plan;
        std::vector<Index> positions;
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const WordStatus why = planned.refused[i];
            if (planned.word_of[i] != none ||
                (why != WordStatus::side_effect && why != WordStatus::unclaimed)) {
                continue;
            }
            const Instance& instance = capture_.layout.instances[planned.instances[i]];
            const regmaps::Register& reg = subject_.map.registers[instance.reg];
            plan.words.push_back({.offset = instance.offset,
                                  .width = reg.width,
                                  .action = safety::ReadAction::none,
                                  .split = safety::Split::none,
                                  .order = reg.order});
            positions.push_back(position_[planned.instances[i]]);
        }
        if (plan.words.empty()) {
            return;
        }
        auto source = sources_.get(place_of(planned), capture_.layout);
        if (!source) {
            return;
        }
        used_[place_of(planned)] = *source;
        plan.sentinels = planned.plan.sentinels;
        plan.poison = planned.plan.poison;
        plan.legal_widths = 0xf;
        const SpaceCapture recorded = (*source)->read(plan, read_options_);
        for (std::size_t i = 0; i < positions.size(); ++i) {
            capture_.raw.words[positions[i]] = recorded.words[i];
        }
    }

    Outcome carry_out(PlannedRead& planned) {
        Outcome outcome;
        const Place place = place_of(planned);
        if (planned.plan.words.empty()) {
            return outcome; // nothing is opened for registers that are not to be read
        }
        if (recorded_ != nullptr) {
            return replay(place, planned);
        }
        auto source = sources_.get(place, capture_.layout);
        if (!source) {
            outcome.refusal = refusal_number(place, source.error());
            return outcome;
        }
        used_[place] = *source;
        outcome.words.resize(planned.plan.words.size());
        const bool looks = planned.window != none && !all_loaded(place, planned);
        if (looks && !window_shows(planned, **source)) {
            mark_all(outcome, WordStatus::window_not_selected);
            return outcome;
        }
        load_words(place, planned, **source, outcome);
        // Somebody else may have moved the window meanwhile: then nobody knows what was read.
        if (looks && !window_shows(planned, **source)) {
            mark_all(outcome, WordStatus::window_not_selected);
            std::erase_if(loaded_, [&](const auto& word) { return word.first.window == planned.window; });
        }
        return outcome;
    }

    bool all_loaded(Place place, const PlannedRead& planned) const {
        return std::all_of(planned.plan.words.begin(), planned.plan.words.end(),
                           [&](const WordRequest& word) {
                               return loaded_.contains({place, word.offset, word.width, planned.window});
                           });
    }

    // Words that the layout needed have been loaded in this pass already: they are not loaded again.
    void load_words(Place place, PlannedRead& planned, safety::WordSource& source, Outcome& outcome) {
        SpacePlan& plan = planned.plan;
        std::vector<WordRequest> fresh;
        std::vector<std::size_t> slots;
        for (std::size_t i = 0; i < plan.words.size(); ++i) {
            const auto found =
                loaded_.find({place, plan.words[i].offset, plan.words[i].width, planned.window});
            if (found != loaded_.end()) {
                outcome.words[i] = found->second;
            } else {
                fresh.push_back(plan.words[i]);
                slots.push_back(i);
            }
        }
        if (fresh.empty()) {
            return;
        }
        plan.words = std::move(fresh);
        if (!read_source(place, plan, source)) {
            return;
        }
        const bool remember = !arranged();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            outcome.words[slots[i]] = last_.words[i];
            if (remember) {
                loaded_.emplace(WordKey{place, plan.words[i].offset, plan.words[i].width, planned.window},
                                last_.words[i]);
            }
        }
    }

    // False where no more may be asked of this device.
    bool read_source(Place place, const SpacePlan& plan, safety::WordSource& source) {
        if (capture_.device_gone) {
            return false;
        }
        last_ = source.read(plan, read_options_);
        SourceReport& report = reports_[place];
        report.loads += last_.loads;
        report.sentinel_loads += last_.sentinel_loads;
        report.elapsed_ns += last_.elapsed_ns;
        report.started_ns = report.started_ns == 0 ? last_.started_ns : report.started_ns;
        report.device_gone = report.device_gone || last_.device_gone;
        report.note = last_.note.empty() ? report.note : last_.note;
        capture_.device_gone = capture_.device_gone || last_.device_gone;
        return true;
    }

    // Reads the select register anew: what it held earlier in the pass does not count.
    bool window_shows(const PlannedRead& planned, safety::WordSource& source) {
        const regmaps::PlacedSpace& placed = capture_.layout.spaces[planned.window];
        if (!placed.window_select || !placed.window_value) {
            return false;
        }
        const regmaps::Register& select = subject_.map.registers[placed.window_select->reg];
        if (regmaps::readability(subject_.map, select) != WordStatus::ok) {
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

    static void mark_all(Outcome& outcome, WordStatus status) {
        for (Word& word : outcome.words) {
            word = Word{};
            word.status = status;
        }
    }

    std::uint8_t refusal_number(Place place, const Error& error) {
        std::uint8_t& number = refusal_of_place_[place];
        if (number == 0) {
            const auto same =
                std::find_if(capture_.refusals.begin(), capture_.refusals.end(), [&](const Error& other) {
                    return other.cause == error.cause && other.what == error.what &&
                           other.where == error.where;
                });
            number = static_cast<std::uint8_t>(same - capture_.refusals.begin() + 1);
            if (same == capture_.refusals.end()) {
                capture_.refusals.push_back(error);
            }
        }
        return number;
    }

    bool arranged() const { return !position_.empty(); }

    // Where a register has no place because the device could not be read, that refusal is the cause.
    const Error& better_error(const Error& error) const {
        const bool unplaced = error.cause == "register-unknown" || error.cause == "group-absent";
        return unplaced && !capture_.refusals.empty() ? capture_.refusals.front() : error;
    }

    void note_missing(const Selection& selection) {
        for (Index i = 0; selection.whole && i < capture_.layout.missing.size(); ++i) {
            const regmaps::Missing& missing = capture_.layout.missing[i];
            if (within_filters(subject_.map, missing.reg, options_)) {
                (missing.unknown ? capture_.unplaced : capture_.absent).push_back(i);
            }
        }
    }

    // Everything asked for lies in sources that were refused.
    std::optional<Error> nothing_read() const {
        if (capture_.refusals.empty() || (capture_.shown.empty() && capture_.unplaced.empty())) {
            return std::nullopt;
        }
        const bool something =
            std::any_of(capture_.shown.begin(), capture_.shown.end(), [this](Index position) {
                return capture_.refusal[position] == 0 && !never_read(capture_.raw.words[position].status);
            });
        return something ? std::nullopt : std::optional<Error>(capture_.refusals.front());
    }

    void report_sources() {
        if (const safety::ConfigSpace* config = sources_.config_if_open()) {
            capture_.config_size = config->size();
        }
        capture_.config_reads = sources_.config_reads();
        capture_.refusal_of_place = refusal_of_place_;
        if (recorded_ != nullptr) {
            report_recorded();
            return;
        }
        for (Place place = 0; place < place_count; ++place) {
            if (used_[place] != nullptr) {
                reports_[place].place = place;
                reports_[place].description = used_[place]->describe();
                reports_[place].size = used_[place]->size();
                capture_.sources.push_back(reports_[place]);
            }
        }
    }

    void report_recorded() {
        capture_.started_ns = recorded_->started_ns;
        capture_.monotonic_ns = recorded_->monotonic_ns;
        for (const RecordedSource& source : recorded_->sources) {
            if (!source.refusal) {
                capture_.sources.push_back({source.place, source.description, source.size, source.loads,
                                            source.sentinel_loads, source.started_ns, source.elapsed_ns,
                                            source.device_gone, source.note});
                capture_.device_gone = capture_.device_gone || source.device_gone;
            }
        }
    }

    static std::uint64_t now(clockid_t clock) {
        timespec time{};
        ::clock_gettime(clock, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
               static_cast<std::uint64_t>(time.tv_nsec);
    }

    // The word as the recording has it; null where it has none.
    const Word* recorded_word(Place place, Index window, unsigned width, std::uint64_t offset) const {
        return recorded_->find(
            place, window == none ? std::string_view() : subject_.map.text(subject_.map.spaces[window].name),
            width, offset);
    }

    Outcome replay(Place place, const PlannedRead& planned) {
        Outcome outcome;
        const RecordedSource* source = recorded_->source(place);
        if (source != nullptr && source->refusal) {
            outcome.refusal = refusal_number(place, *source->refusal);
            return outcome;
        }
        outcome.words.resize(planned.plan.words.size());
        for (std::size_t i = 0; i < outcome.words.size(); ++i) {
            const WordRequest& request = planned.plan.words[i];
            const Word* word = recorded_word(place, planned.window, request.width, request.offset);
            if (word != nullptr) {
                outcome.words[i] = *word;
            } else {
                outcome.words[i].status = WordStatus::not_covered;
            }
        }
        return outcome;
    }

    // What was recorded counts, also where today's plan would not read it.
    void read_recorded_words(const PlannedRead& planned) {
        for (const Index wanted : planned.instances) {
            const Instance& instance = capture_.layout.instances[wanted];
            const Word* word = recorded_word(place_of(planned), planned.window,
                                             subject_.map.registers[instance.reg].width, instance.offset);
            if (word != nullptr) {
                capture_.raw.words[position_[wanted]] = *word;
            }
        }
    }

    bool is_recorded(const Instance& instance) const {
        const Index space = subject_.map.registers[instance.reg].space;
        const regmaps::PlacedSpace& placed = capture_.layout.spaces[space];
        return recorded_word(placed.config ? config_place : placed.bar, placed.window_select ? space : none,
                             subject_.map.registers[instance.reg].width, instance.offset) != nullptr;
    }

    const Subject& subject_;
    const CaptureOptions& options_;
    Sources& sources_;
    const RecordedPass* recorded_;
    safety::ReadOptions read_options_;
    Capture capture_;
    SpaceCapture last_;
    std::unordered_map<Instance, std::optional<std::uint64_t>, InstanceHash> asked_;
    std::map<std::pair<bool, std::uint16_t>, std::vector<std::uint32_t>> capabilities_;
    std::unordered_map<WordKey, Word, WordKeyHash> loaded_;
    std::vector<Index> position_; // of each of the layout's instances in raw; none: not asked for
    std::array<safety::WordSource*, place_count> used_{};
    std::array<SourceReport, place_count> reports_;
    std::array<std::uint8_t, place_count> refusal_of_place_{};
};

// A word that is lost to a fault, as against one that may not or need not be read.
// What a source does not hold is none where it was not named: the rest of the answer is whole.
bool is_failure(WordStatus status, bool offline, bool named) {
    switch (status) {
    case WordStatus::lost:
    case WordStatus::gone:
    case WordStatus::bar_dead:
    case WordStatus::unconfirmed_ones:
    case WordStatus::poison:
    case WordStatus::torn:
    case WordStatus::not_attempted:
        return true;
    case WordStatus::short_source:
        return named || !offline;
    case WordStatus::not_covered:
        return named;
    default:
        return false;
    }
}

// A dump file holds one BAR or configuration space; that it holds no other is no failure.
bool is_no_part(const Error& refusal) {
    return refusal.cause == not_in_dump;
}

} // namespace

Result<Capture> capture(const Subject& subject, const CaptureOptions& options, const Selector& selector) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    return Pass(subject, options, *sources).run(selector, nullptr);
}

Result<Capture> capture_twice(const Subject& subject, const CaptureOptions& options, const Selector& selector,
                              const std::function<bool(const Capture&)>& go_on) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    auto first = Pass(subject, options, *sources).run(selector, nullptr);
    const std::size_t last = subject.recording == nullptr ? 1 : subject.recording->passes.size() - 1;
    if (!first || first->device_gone || last == 0 || !go_on(*first)) {
        return first;
    }
    return Pass(subject, options, *sources, last).run(selector, &*first);
}

Result<std::vector<Capture>> capture_passes(const Subject& subject, const CaptureOptions& options,
                                            const Selector& selector, unsigned count,
                                            const std::function<bool(const Capture&)>& between) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    std::vector<Capture> passes;
    passes.reserve(count);
    while (passes.size() < count) {
        if (!passes.empty() && (passes.back().device_gone || !between(passes.back()))) {
            break;
        }
        auto pass = Pass(subject, options, *sources, passes.size())
                        .run(selector, passes.empty() ? nullptr : &passes.front());
        if (!pass) {
            if (passes.empty()) {
                return fail(std::move(pass.error()));
            }
            break; // what was read before counts
        }
        passes.push_back(std::move(*pass));
    }
    return passes;
}

Result<Capture> capture_recorded(const Subject& subject, const CaptureOptions& options,
                                 const Selector& selector, std::size_t pass, const Capture* before) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    return Pass(subject, options, *sources, pass).run(selector, before);
}

std::string_view status_name(const Capture& capture, std::size_t position) {
    return capture.refusal[position] != 0 ? "refused"
           : capture.held[position]       ? "on-request"
                                          : safety::name(capture.raw.words[position].status);
}

namespace {

// What it lies beyond, and how large that is.
std::string beyond_the_end(const regmaps::RegisterMap& map, const Capture& capture,
                           const Instance& instance) {
    const regmaps::Register& reg = map.registers[instance.reg];
    const regmaps::PlacedSpace& space = capture.layout.spaces[reg.space];
    const Place place = space.config ? config_place : space.bar;
    const auto source = std::find_if(capture.sources.begin(), capture.sources.end(),
                                     [&](const SourceReport& report) { return report.place == place; });
    const std::uint64_t end = instance.offset + reg.width / 8U;
    if (source != capture.sources.end() && end > source->size) {
        return space.config ? fmt::format("configuration space: it is {:#x} bytes", source->size)
                            : fmt::format("BAR {}: the BAR is {:#x} bytes", space.bar, source->size);
    }
    return fmt::format("its space: the space is {:#x} bytes", space.size);
}

} // namespace

std::string reason(const regmaps::RegisterMap& map, const Capture& capture, std::size_t position) {
    if (capture.held[position]) {
        return "only on request: by its name, its group or its block";
    }
    if (capture.refusal[position] != 0) {
        return capture.refusals[capture.refusal[position] - 1U].what;
    }
    const WordStatus status = capture.raw.words[position].status;
    if (status == WordStatus::out_of_range) {
        return "not read: it lies beyond the end of " +
               beyond_the_end(map, capture, capture.raw.instances[position]);
    }
    return std::string(safety::explain(status));
}

bool shows_field(const Capture& capture, std::size_t position, Index field) {
    const auto before = [](const auto& entry, std::size_t wanted) { return entry.first < wanted; };
    auto entry = std::lower_bound(capture.fields.begin(), capture.fields.end(), position, before);
    if (entry == capture.fields.end() || entry->first != position) {
        return true;
    }
    for (; entry != capture.fields.end() && entry->first == position; ++entry) {
        if (entry->second == field) {
            return true;
        }
    }
    return false;
}

bool was_loaded(WordStatus status) {
    return status == WordStatus::poison || status == WordStatus::torn || status == WordStatus::gone ||
           status == WordStatus::bar_dead || status == WordStatus::unconfirmed_ones;
}

Death death(const Capture& capture) {
    const auto holds = [&](WordStatus status) {
        return std::any_of(capture.raw.words.begin(), capture.raw.words.end(),
                           [&](const Word& word) { return word.status == status; });
    };
    if (capture.device_gone || holds(WordStatus::gone)) {
        return Death::device;
    }
    return holds(WordStatus::bar_dead) ? Death::bar : Death::none;
}

int exit_status(const Capture& capture) {
    bool failed = capture.device_gone;
    bool refused = false;
    std::uint8_t refusal = 0;
    for (const Index position : capture.shown) {
        const WordStatus status = capture.raw.words[position].status;
        const bool named = capture.named[position];
        if (capture.held[position]) {
            continue;
        }
        if (capture.refusal[position] != 0) {
            const bool fine = !named && is_no_part(capture.refusals[capture.refusal[position] - 1U]);
            refusal = refusal == 0 && !fine ? capture.refusal[position] : refusal;
        } else if (is_failure(status, capture.offline, named)) {
            failed = true;
        } else if (!safety::has_value(status)) {
            refused = refused || named;
        }
    }
    if (failed) {
        return exit_status(ErrorCode::absent);
    }
    if (refusal != 0) {
        return exit_status(capture.refusals[refusal - 1U].code);
    }
    if (!capture.unplaced.empty() && !capture.offline) {
        return exit_status(capture.refusals.empty() ? ErrorCode::absent : capture.refusals.front().code);
    }
    return refused ? exit_status(ErrorCode::refused) : 0;
}

} // namespace barscope::tool
