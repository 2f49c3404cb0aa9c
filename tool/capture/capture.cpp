#include <capture/capture.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include <ctime>

#include <capture/filters.h>
#include <capture/recording.h>
#include <capture/references.h>
#include <capture/space_order.h>
#include <capture/watch.h>

namespace barscope::tool {

namespace {

using regmaps::Index;
using regmaps::Instance;
using regmaps::none;
using regmaps::PlannedRead;
using safety::Word;
using safety::WordRequest;
using safety::WordStatus;

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

class Pass {
  public:
    // `recorded`: which of a recording's passes stands in the device's place, where there is one.
    Pass(const Subject& subject, const CaptureOptions& options, Sources& sources, std::size_t recorded = 0)
        : subject_(subject), options_(options), sources_(sources),
          recorded_(subject.recording == nullptr ? nullptr : &subject.recording->passes[recorded]),
          loader_(subject.map, options, sources, recorded_) {
        capture_.offline = sources_.offline() && recorded_ == nullptr;
    }

    Result<Capture> run(const Selector& selector, const regmaps::Wanted& wanted, const Capture* before) {
        if (recorded_ != nullptr && recorded_->refusal) {
            return fail(*recorded_->refusal);
        }
        note_time();
        if (options_.watch != nullptr) {
            options_.watch->begin(options_.reading);
        }
        auto placed = place(wanted);
        if (sources_.config_withheld()) {
            return fail(
                options_.watch->error(subject_.facts ? to_string(subject_.facts->address) : subject_.file));
        }
        if (!placed) {
            return fail(std::move(placed.error()));
        }
        auto selection = selector(subject_.map, capture_.layout);
        if (!selection) {
            return fail(better_error(selection.error()));
        }
        note_missing(*selection);
        arrange(*selection);
        std::vector<PlannedRead> plans =
            regmaps::plan_reads(subject_.map, capture_.layout, selection->instances);
        for (const PlannedRead& planned : plans) {
            expect(planned);
        }
        open_places(plans, false);
        for (PlannedRead& planned : plans) {
            read(planned);
        }
        capture_.refusals = loader_.refusals();
        capture_.device_gone = loader_.device_gone();
        capture_.stopped = recorded_ != nullptr ? recorded_->stopped
                           : loader_.stopped()  ? options_.watch->why()
                                                : std::string();
        if (auto nothing = nothing_read()) {
            return fail(std::move(*nothing));
        }
        read_counters(wanted.counters);
        decode(before);
        find_undecided(wanted);
        report_sources();
        return std::move(capture_);
    }

  private:
    static std::uint64_t now(clockid_t clock) {
        timespec time{};
        ::clock_gettime(clock, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 +
               static_cast<std::uint64_t>(time.tv_nsec);
    }
    void note_time() {
        capture_.started_ns = recorded_ != nullptr ? recorded_->started_ns : now(CLOCK_REALTIME);
        capture_.monotonic_ns = recorded_ != nullptr ? recorded_->monotonic_ns : now(CLOCK_MONOTONIC);
    }

    void report_sources() {
        capture_.sources = loader_.reports();
        capture_.refusal_of_place = loader_.refusal_of_place();
        if (const safety::ConfigSpace* config = sources_.config_if_open()) {
            capture_.config_size = config->size();
        }
        capture_.config_reads = sources_.config_reads();
    }

    // Reads what the layout depends on, as long as it asks for more, and then places the map.
    Result<void> place(const regmaps::Wanted& wanted) {
        regmaps::LayoutInputs inputs = layout_inputs();
        inputs.wanted = wanted;
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
            std::vector<PlannedRead> plans = regmaps::plan_instances(subject_.map, capture_.layout, *needs);
            open_places(plans, true);
            for (PlannedRead& planned : plans) {
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

    // Whoever watches is told when all is open: no load was made yet, and what opening takes can be given up.
    // `more`: other reads follow that are not planned yet, so that each BAR that the map has is opened where
    // these read one.
    void open_places(const std::vector<PlannedRead>& plans, bool more) {
        if (recorded_ != nullptr || options_.watch == nullptr) {
            return;
        }
        bool bars = false;
        for (const PlannedRead& planned : plans) {
            if (!planned.plan.words.empty()) {
                static_cast<void>(sources_.get(planned.config ? config_place : planned.bar, capture_.layout));
                bars = bars || !planned.config;
            }
        }
        for (const regmaps::PlacedSpace& space : capture_.layout.spaces) {
            if (more && bars && !space.config && space.state == regmaps::SpaceState::present) {
                static_cast<void>(sources_.get(space.bar, capture_.layout));
            }
        }
        options_.watch->opened();
    }

    void expect(const PlannedRead& planned) const {
        if (options_.watch != nullptr) {
            options_.watch->expect(planned.plan.words.size());
        }
    }

    void read_needs(PlannedRead& planned, const std::vector<Instance>& needs) {
        expect(planned);
        const PlanOutcome outcome = loader_.carry_out(planned, capture_.layout, true);
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const Index at = planned.word_of[i];
            if (at != none && outcome.refusal == 0 && safety::has_value(outcome.words[at].status)) {
                asked_[needs[planned.instances[i]]] = outcome.words[at].value;
            }
        }
    }

    std::vector<CounterReading> recorded_counters(const std::vector<bool>& wanted) const {
        std::vector<CounterReading> readings(wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const RecordedCounter* counter =
                recorded_->counter(subject_.map.text(subject_.map.counters[i].name));
            readings[i] = counter != nullptr
                              ? CounterReading{counter->value, counter->why}
                              : CounterReading{std::nullopt, "the snapshot does not hold this counter"};
        }
        return readings;
    }

    void read_counters(const std::vector<bool>& wanted) {
        capture_.counters =
            recorded_ != nullptr ? recorded_counters(wanted) : read_kernel_counters(subject_, wanted);
        for (const CounterReading& reading : capture_.counters) {
            capture_.raw.counters.push_back(reading.value);
        }
    }

    void decode(const Capture* before) {
        if (!options_.decode) {
            return;
        }
        if (before == nullptr) {
            capture_.decoded = regmaps::decode(subject_.map, capture_.layout, capture_.raw, subject_.pci);
            return;
        }
        const regmaps::EarlierPass earlier{before->layout, before->raw};
        capture_.decoded =
            regmaps::decode(subject_.map, capture_.layout, capture_.raw, subject_.pci, &earlier);
    }

    // known(X) is 0 where X was not asked for, and so says nothing: such derived values are no answer here.
    void find_undecided(const regmaps::Wanted& wanted) {
        const regmaps::RegisterMap& map = subject_.map;
        capture_.undecided.resize(map.derived.size());
        if (wanted.everything()) {
            return;
        }
        std::vector<bool> at_hand = wanted.registers;
        for (const Instance& instance : capture_.raw.instances) {
            at_hand[instance.reg] = true;
        }
        for (Index i = 0; i < map.derived.size(); ++i) {
            References references(map);
            references.visit(map.derived[i].value);
            references.visit(map.derived[i].when);
            for (Index reg = 0; reg < at_hand.size() && references.asks_known(); ++reg) {
                capture_.undecided[i] = capture_.undecided[i] || (references.has(reg) && !at_hand[reg]);
            }
        }
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
        order_by_space(subject_.map, capture_.layout, capture_.raw.instances, capture_.shown);
        for (const auto& [instance, field] : selection.fields) {
            capture_.fields.emplace_back(position_[instance], field);
        }
        capture_.held.resize(wanted.size());
        for (std::size_t i = 0; i < selection.instances.size(); ++i) {
            const Instance& instance = capture_.layout.instances[selection.instances[i]];
            const auto at_hand = [&] {
                return recorded_ != nullptr ? loader_.recorded(capture_.layout, instance) != nullptr
                                            : sources_.offline();
            };
            if (selection.held[i] && !at_hand() && !asked_.contains(instance)) {
                capture_.held[position_[selection.instances[i]]] = true;
                wanted.erase(std::lower_bound(wanted.begin(), wanted.end(), selection.instances[i]));
            }
        }
        selection.instances = std::move(wanted);
    }

    void read(PlannedRead& planned) {
        const PlanOutcome outcome = loader_.carry_out(planned, capture_.layout, false);
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
            take_recorded(planned);
        } else if (sources_.offline() && outcome.refusal == 0) {
            read_recorded(planned);
        }
    }

    // What was recorded counts, also where today's plan would not read it.
    void take_recorded(const PlannedRead& planned) {
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const Instance& instance = capture_.layout.instances[planned.instances[i]];
            const Word* word =
                planned.word_of[i] == none ? loader_.recorded(capture_.layout, instance) : nullptr;
            if (word != nullptr) {
                capture_.raw.words[position_[planned.instances[i]]] = *word;
            }
        }
    }

    // A dump file holds what was read when it was taken: looking at it there changes no device.
    void read_recorded(const PlannedRead& planned) {
        std::vector<WordRequest> words;
        std::vector<Index> positions;
        for (std::size_t i = 0; i < planned.instances.size(); ++i) {
            const WordStatus why = planned.refused[i];
            if (planned.word_of[i] != none ||
                (why != WordStatus::side_effect && why != WordStatus::unclaimed)) {
                continue;
            }
            const Instance& instance = capture_.layout.instances[planned.instances[i]];
            const regmaps::Register& reg = subject_.map.registers[instance.reg];
            words.push_back({.offset = instance.offset,
                             .width = reg.width,
                             .action = safety::ReadAction::none,
                             .split = safety::Split::none,
                             .order = reg.order});
            positions.push_back(position_[planned.instances[i]]);
        }
        if (words.empty()) {
            return;
        }
        const std::vector<Word> recorded = loader_.look_up(planned, capture_.layout, std::move(words));
        for (std::size_t i = 0; i < recorded.size(); ++i) {
            capture_.raw.words[positions[i]] = recorded[i];
        }
    }

    // Where a register has no place because the device could not be read, that refusal is the cause.
    const Error& better_error(const Error& error) const {
        const bool unplaced = error.cause == "register-unknown" || error.cause == "group-absent";
        return unplaced && !loader_.refusals().empty() ? loader_.refusals().front() : error;
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

    const Subject& subject_;
    const CaptureOptions& options_;
    Sources& sources_;
    const RecordedPass* recorded_;
    WordLoader loader_;
    Capture capture_;
    std::unordered_map<Instance, std::optional<std::uint64_t>, InstanceHash> asked_;
    std::map<std::pair<bool, std::uint16_t>, std::vector<std::uint32_t>> capabilities_;
    std::vector<Index> position_; // of each of the layout's instances in raw; none: not asked for
};

} // namespace

namespace {

bool is_live(const Subject& subject) {
    return subject.recording == nullptr;
}

} // namespace

Result<Capture> capture(const Subject& subject, const CaptureOptions& options, const Selector& selector,
                        const regmaps::Wanted& wanted) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    return Pass(subject, options, *sources).run(selector, wanted, nullptr);
}

Result<Capture> capture_twice(const Subject& subject, const CaptureOptions& options, const Selector& selector,
                              const regmaps::Wanted& wanted,
                              const std::function<bool(const Capture&)>& go_on) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    auto first = Pass(subject, options, *sources).run(selector, wanted, nullptr);
    const std::size_t last = subject.recording == nullptr ? 1 : subject.recording->passes.size() - 1;
    if (!first || first->device_gone || last == 0 || (is_live(subject) && !first->stopped.empty()) ||
        !go_on(*first)) {
        return first;
    }
    return Pass(subject, options, *sources, last).run(selector, wanted, &*first);
}

Result<std::vector<Capture>> capture_passes(const Subject& subject, const CaptureOptions& options,
                                            const Selector& selector, const regmaps::Wanted& wanted,
                                            unsigned count,
                                            const std::function<bool(const Capture&)>& between) {
    auto sources = Sources::open(subject, options);
    if (!sources) {
        return fail(std::move(sources.error()));
    }
    std::vector<Capture> passes;
    while (passes.size() < count) {
        if (!passes.empty() &&
            (passes.back().device_gone || (is_live(subject) && !passes.back().stopped.empty()) ||
             !between(passes.back()))) {
            break;
        }
        auto pass = Pass(subject, options, *sources, passes.size())
                        .run(selector, wanted, passes.empty() ? nullptr : &passes.front());
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
    regmaps::Wanted wanted;
    wanted.counters.assign(subject.map.counters.size(), true);
    return Pass(subject, options, *sources, pass).run(selector, wanted, before);
}

} // namespace barscope::tool
