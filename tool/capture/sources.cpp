#include <capture/sources.h>

#include <capture/watch.h>
#include <device/capabilities.h>
#include <device/driver_dump.h>
#include <device/dump_file.h>
#include <device/files.h>
#include <device/offline_source.h>

namespace barscope::tool {

namespace {

constexpr std::size_t largest_dump = std::size_t{1} << 32;

} // namespace

bool concerns_bars_only(const safety::Verdict& verdict) {
    return verdict.check == "memory-decode" || verdict.check == "driver" || verdict.check.starts_with("bar");
}

std::string place_name(Place place) {
    return place == config_place ? "config" : "bar" + std::to_string(place);
}

Result<Sources> Sources::open(const Subject& subject, const CaptureOptions& options) {
    Sources sources(subject, options);
    if (!options.access_log.empty()) {
        auto log = safety::AccessLog::create(options.access_log);
        if (!log) {
            return fail(std::move(log.error()));
        }
        sources.access_log_ = std::move(*log);
    }
    if (!subject.facts) {
        return sources;
    }
    for (const safety::Verdict& verdict :
         safety::check_device(subject.root, *subject.facts, {.allow_vfio = options.allow_vfio})) {
        if (verdict.passed || !verdict.refusal) {
            continue;
        }
        if (!concerns_bars_only(verdict)) {
            return fail(*verdict.refusal);
        }
        if (!sources.bar_refusal_) {
            sources.bar_refusal_ = verdict.refusal;
        }
    }
    return sources;
}

Result<safety::WordSource*> Sources::get(Place place, const regmaps::Layout& layout) {
    Slot& slot = slots_.at(place);
    if (!slot.tried) {
        slot.tried = true;
        auto opened = open_place(place, layout);
        if (opened) {
            slot.source = std::move(*opened);
        } else {
            slot.error = std::move(opened.error());
        }
    }
    if (slot.error) {
        return fail(*slot.error);
    }
    return slot.source.get();
}

safety::ConfigSpace* Sources::config() {
    if (!config_tried_) {
        config_tried_ = true;
        if (!subject_->facts) {
            config_ = subject_->dump_config;
        } else if (auto opened = safety::ConfigSpace::open(subject_->root, subject_->facts->address)) {
            config_ = std::move(*opened);
        } else {
            config_error_ = std::move(opened.error());
        }
        if (config_ != nullptr && options_->remember_config) {
            config_reads_ = std::make_shared<std::vector<ConfigRead>>();
            config_ = remembering_config(std::move(config_), config_reads_);
        }
        if (config_ != nullptr && options_->watch != nullptr && subject_->facts) {
            watched_config_ = std::make_unique<WatchedConfig>(config_, *options_->watch);
        }
        if (config_reads_ != nullptr) {
            // The lists themselves, whichever of their entries the map asks for.
            static_cast<void>(walk_capabilities(*config()));
        }
    }
    return watched_config_ != nullptr ? watched_config_.get() : config_.get();
}

std::vector<ConfigRead> Sources::config_reads() const {
    return config_reads_ == nullptr ? std::vector<ConfigRead>() : *config_reads_;
}

std::optional<bool> Sources::config_answers() {
    safety::ConfigSpace* space = config();
    return space == nullptr ? std::nullopt : std::optional<bool>(space->answers());
}

Result<std::unique_ptr<safety::WordSource>> Sources::open_place(Place place, const regmaps::Layout& layout) {
    if (place == config_place) {
        return open_config();
    }
    return offline() ? open_dump(place, layout) : open_bar(place, layout);
}

Result<std::unique_ptr<safety::WordSource>> Sources::open_config() {
    if (config() != nullptr) {
        return safety::make_config_source(config_);
    }
    if (config_error_) {
        return fail(*config_error_);
    }
    return fail({.code = ErrorCode::absent,
                 .cause = not_in_dump,
                 .what = "the dump file does not hold configuration space",
                 .where = subject_->file,
                 .remedy = "give it with --dump-config"});
}

Result<std::unique_ptr<safety::WordSource>> Sources::open_bar(unsigned bar, const regmaps::Layout& layout) {
    if (options_->source == SourceChoice::ethtool) {
        return open_driver_dump(subject_->root, *subject_->facts, subject_->map, layout, bar,
                                config_answers());
    }
    if (bar_refusal_) {
        return fail(*bar_refusal_);
    }
    const safety::Verdict verdict = safety::check_bar(subject_->root, *subject_->facts, bar);
    if (!verdict.passed && verdict.refusal) {
        return fail(*verdict.refusal);
    }
    auto opened = safety::open_bar(safety::ReadOnly{}, subject_->root, *subject_->facts, bar,
                                   {.access_log = access_log_.get()});
    if (!opened) {
        return fail(with_driver_dump(std::move(opened.error()), bar, layout));
    }
    return opened;
}

// Where the kernel refuses, the driver's own dump may be a way: only the map can say whether. It is offered,
// never taken silently.
Error Sources::with_driver_dump(Error error, unsigned bar, const regmaps::Layout& layout) const {
    if (error.cause != "kernel-lockdown" && error.cause != "exclusive-claim") {
        return error;
    }
    const std::string& driver = subject_->facts->driver;
    switch (driver_dump_offer(subject_->map, layout, bar, driver)) {
    case DumpOffer::none:
        error.remedy = "the map knows no register dump of the driver that could stand in";
        break;
    case DumpOffer::safe:
        error.remedy = driver + "'s own dump holds these registers: add --source ethtool";
        break;
    case DumpOffer::side_effects:
        error.remedy =
            driver + "'s own dump holds these registers, but the map does not say that taking it is free of "
                     "side effects, so it is not used";
        break;
    }
    if (error.cause == "exclusive-claim") {
        error.remedy += "; in a lab, boot with iomem=relaxed";
    }
    return error;
}

Result<std::unique_ptr<safety::WordSource>> Sources::open_dump(unsigned bar, const regmaps::Layout& layout) {
    const bool holds_bar = !subject_->file_is_config &&
                           (options_->bar ? bar == *options_->bar : bar == layout.spaces.front().bar);
    if (!holds_bar) {
        return fail({.code = ErrorCode::absent,
                     .cause = not_in_dump,
                     .what = "the dump file does not hold BAR " + std::to_string(bar),
                     .where = subject_->file,
                     .remedy = "say with --bar which BAR the file holds"});
    }
    auto content = read_user_file(subject_->file, largest_dump);
    if (!content) {
        return fail(std::move(content.error()));
    }
    auto image = DumpImage::parse(std::move(*content), options_->base.value_or(0), subject_->file);
    if (!image) {
        return fail(std::move(image.error()));
    }
    OfflineContent offline;
    offline.description = subject_->file + " (" + image->format() + ")";
    offline.size = image->end();
    offline.config_answers = config_answers();
    const bool contiguous = image->contiguous();
    auto shared = std::make_shared<const DumpImage>(std::move(*image));
    offline.fetch = [shared, contiguous](const safety::WordRequest& request) -> OfflineWord {
        const auto value = shared->word(request.offset, request.width, request.order);
        const bool beyond = contiguous && request.offset + request.width / 8U > shared->end();
        return {value, beyond ? safety::WordStatus::short_source : safety::WordStatus::not_covered};
    };
    return make_offline_source(std::move(offline));
}

} // namespace barscope::tool
