#include <logs/log_rings.h>

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include <capture/capture.h>
#include <capture/selection.h>
#include <capture/sources.h>
#include <capture/watch.h>
#include <fwlog/ring.h>
#include <regmaps/evaluate.h>

namespace barscope::tool {

namespace {

using regmaps::Index;

constexpr std::uint64_t largest_ring = std::uint64_t{1} << 24;

Error ring_error(std::string cause, std::string what, std::string_view name) {
    return {.code = ErrorCode::bad_input,
            .cause = std::move(cause),
            .what = std::move(what),
            .where = "log " + std::string(name),
            .remedy = "`barscope maps check` the map"};
}

std::optional<std::uint64_t> producer_value(const Capture& capture, const regmaps::Log& log) {
    for (std::size_t i = 0; i < capture.raw.instances.size(); ++i) {
        if (capture.raw.instances[i].reg == log.producer && safety::has_value(capture.raw.words[i].status)) {
            return capture.raw.words[i].value;
        }
    }
    return std::nullopt;
}

// Whether the window in front of the ring, if there is one, showed the ring in this pass.
bool window_shows(const Capture& capture, const regmaps::Log& log) {
    const regmaps::PlacedSpace& space = capture.layout.spaces[log.space];
    if (!space.window_select) {
        return true;
    }
    for (std::size_t i = 0; i < capture.raw.instances.size(); ++i) {
        const regmaps::Instance& instance = capture.raw.instances[i];
        if (instance.reg == space.window_select->reg && instance.offset == space.window_select->offset) {
            const safety::Word& word = capture.raw.words[i];
            return space.window_value && safety::has_value(word.status) && word.value == *space.window_value;
        }
    }
    return false;
}

// A variant's fields are those of another structure: then all of the map's count.
bool holds_pointers(const regmaps::RegisterMap& map, const regmaps::Structure& entry) {
    const auto fields = entry.variant_on == regmaps::none
                            ? std::span(map.fields).subspan(entry.fields.begin, entry.fields.count)
                            : std::span(map.fields);
    return std::any_of(fields.begin(), fields.end(), [](const regmaps::Field& field) {
        return field.sensitive == regmaps::Sensitive::kernel_pointer;
    });
}

class RingReader {
  public:
    RingReader(const Subject& subject, const CaptureOptions& options, const regmaps::Log& log)
        : subject_(subject), options_(options), log_(log), name_(subject.map.text(log.name)),
          entry_size_(subject.map.structures[log.entry].size) {}

    Result<fwlog::RingImage> run() {
        if (holds_pointers(subject_.map, subject_.map.structures[log_.entry])) {
            return fail({.code = ErrorCode::refused,
                         .cause = "ring-sensitive",
                         .what = "its entries hold kernel pointers, which are not shown",
                         .where = "log " + name_,
                         .remedy = "save an entry and use `barscope decode`"});
        }
        auto before = look();
        if (!before) {
            return fail(std::move(before.error()));
        }
        if (const Death dead = death(*before); dead != Death::none) {
            return fail(no_answer(dead));
        }
        if (!window_shows(*before, log_)) {
            return fail(window_elsewhere());
        }
        if (auto placed = place(*before); !placed) {
            return fail(std::move(placed.error()));
        }
        image_.before = producer_value(*before, log_);
        if (log_.producer != regmaps::none && !image_.before) {
            return fail(ring_error("producer-unread", "the producer register was not read", name_));
        }
        if (auto read = read_entries(before->layout); !read) {
            return fail(std::move(read.error()));
        }
        const auto after = look();
        if (behind_window(before->layout) && !(after && window_shows(*after, log_))) {
            return fail(window_elsewhere()); // somebody else moved it: nobody knows what was read
        }
        if (after) {
            image_.after = producer_value(*after, log_);
        }
        return std::move(image_);
    }

  private:
    bool behind_window(const regmaps::Layout& layout) const {
        return layout.spaces[log_.space].window_select.has_value();
    }

    Error no_answer(Death dead) const {
        const bool device = dead == Death::device;
        return {.code = ErrorCode::absent,
                .cause = device ? "device-gone" : "bar-dead",
                .what = device ? "the device does not answer"
                               : "the BAR does not answer, configuration space does",
                .where = "log " + name_,
                .remedy = "the kernel log may say why: `barscope fwlog DEV --source kernel-log`"};
    }

    Error window_elsewhere() const {
        return {.code = ErrorCode::absent,
                .cause = "window-not-selected",
                .what = "the window in front of the ring does not show it",
                .where = "log " + name_,
                .remedy = "nothing moves a window here; try again when the driver has set it"};
    }

    Result<Capture> look() const {
        return capture(subject_, options_,
                       [this](const regmaps::RegisterMap& map, const regmaps::Layout& layout) {
                           return Result<Selection>(select_for_log(map, layout, log_));
                       });
    }

    Result<void> place(const Capture& before) {
        const regmaps::PlacedSpace& space = before.layout.spaces[log_.space];
        const auto value = [&](Index expression) {
            return regmaps::evaluate(subject_.map, before.layout, before.raw, subject_.pci, expression);
        };
        const auto base = value(log_.base);
        const auto count = value(log_.count);
        if (!base || !count || space.state != regmaps::SpaceState::present) {
            return fail(
                ring_error("ring-unknown", "where the ring is could not be read from the device", name_));
        }
        const bool fits = *count <= largest_ring / entry_size_ && *base <= space.size &&
                          *count * entry_size_ <= space.size - *base && *base % 4 == 0 &&
                          entry_size_ % 4 == 0;
        if (*count == 0 || !fits) {
            return fail(ring_error("ring-impossible",
                                   fmt::format("{} entries of {} bytes at {:#x} do not lie within the space",
                                               *count, entry_size_, *base),
                                   name_));
        }
        image_.name = name_;
        image_.count = *count;
        begin_ = space.base + *base;
        return {};
    }

    // What the map says of the BAR, as seen through the ring's own window where there are registers behind
    // it, else as seen through none: then nothing that any window might show is touched either.
    safety::SpacePlan guarded(const regmaps::Layout& layout) const {
        const regmaps::PlacedSpace& space = layout.spaces[log_.space];
        std::vector<Index> own;
        std::vector<Index> direct;
        for (Index i = 0; i < layout.instances.size(); ++i) {
            const Index home = subject_.map.registers[layout.instances[i].reg].space;
            const regmaps::PlacedSpace& other = layout.spaces[home];
            if (home == log_.space) {
                own.push_back(i);
            } else if (other.config == space.config && other.bar == space.bar &&
                       subject_.map.spaces[home].window_select == regmaps::none) {
                direct.push_back(i);
            }
        }
        auto planned = regmaps::plan_reads(subject_.map, layout, own.empty() ? direct : own);
        return planned.empty() ? safety::SpacePlan{} : std::move(planned.front().plan);
    }

    safety::SpacePlan plan(const regmaps::Layout& layout) const {
        const regmaps::PlacedSpace& space = layout.spaces[log_.space];
        safety::SpacePlan plan = guarded(layout);
        plan.words.clear();
        plan.words.reserve(static_cast<std::size_t>(image_.count * entry_size_ / 4));
        plan.size_limit = space.base + space.size;
        for (std::uint64_t at = 0; at < image_.count * entry_size_; at += 4) {
            plan.words.push_back({.offset = begin_ + at,
                                  .width = 32,
                                  .action = safety::ReadAction::none, // the map says so by calling it a log
                                  .split = safety::Split::none,
                                  .order = safety::ByteOrder::little});
        }
        return plan;
    }

    Result<void> read_entries(const regmaps::Layout& layout) {
        const regmaps::PlacedSpace& space = layout.spaces[log_.space];
        auto sources = Sources::open(subject_, options_);
        if (!sources) {
            return fail(std::move(sources.error()));
        }
        const auto source = sources->get(space.config ? config_place : space.bar, layout);
        if (!source) {
            return fail(source.error());
        }
        const safety::SpaceCapture words = (*source)->read(plan(layout), {.watch = options_.watch});
        image_.bytes.resize(static_cast<std::size_t>(image_.count * entry_size_));
        image_.unread.resize(static_cast<std::size_t>(image_.count));
        for (std::size_t i = 0; i < words.words.size(); ++i) {
            const safety::Word& word = words.words[i];
            if (!safety::has_value(word.status)) {
                const bool stopped = words.stopped && word.status == safety::WordStatus::not_attempted;
                image_.unread[i * 4 / entry_size_] =
                    stopped ? options_.watch->why() : std::string(safety::explain(word.status));
                continue;
            }
            for (unsigned b = 0; b < 4; ++b) {
                image_.bytes[i * 4 + b] = static_cast<std::uint8_t>(word.value >> 8 * b);
            }
        }
        return {};
    }

    const Subject& subject_;
    const CaptureOptions& options_;
    const regmaps::Log& log_;
    std::string name_;
    std::uint64_t entry_size_, begin_ = 0;
    fwlog::RingImage image_;
};

} // namespace

std::vector<LogInput> read_rings(const std::shared_ptr<const Subject>& subject,
                                 const CaptureOptions& options) {
    std::vector<LogInput> inputs;
    inputs.reserve(subject->map.logs.size());
    for (const regmaps::Log& log : subject->map.logs) {
        const std::string name(subject->map.text(log.name));
        LogInput input{.name = "ring " + name,
                       .where = std::string(subject->map.text(subject->map.spaces[log.space].name)) +
                                " of map " + std::string(subject->map.name)};
        auto image = RingReader(*subject, options, log).run();
        if (image) {
            const std::size_t size = subject->map.structures[log.entry].size;
            const std::uint64_t empty = fwlog::empty_entries(*image, size);
            input.note =
                empty == 0 ? std::string() : fmt::format("{} of {} entries are empty", empty, image->count);
            auto shared = std::make_shared<const fwlog::RingImage>(std::move(*image));
            input.open = [subject, shared, entry = log.entry] {
                return fwlog::make_ring_source(*shared, subject->map, entry);
            };
        } else {
            input.error = std::move(image.error());
        }
        inputs.push_back(std::move(input));
    }
    return inputs;
}

} // namespace barscope::tool
