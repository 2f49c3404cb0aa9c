#include <capture/recording.h>

#include <algorithm>
#include <tuple>

#include <device/capabilities.h>

namespace barscope::tool {

namespace {

class RecordedConfig final : public safety::ConfigSpace {
  public:
    RecordedConfig(std::shared_ptr<const Recording> recording, std::size_t pass, std::string path)
        : recording_(std::move(recording)), pass_(&recording_->passes[pass]), path_(std::move(path)) {}

    std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) override {
        // As it was read, or cut out of a wider word, or put together from bytes of narrower ones.
        if (const auto value = value_of(offset, width)) {
            return value;
        }
        std::uint32_t value = 0;
        for (unsigned i = 0; i < width / 8; ++i) {
            const auto part = byte(offset + i);
            if (!part) {
                return std::nullopt;
            }
            value |= *part << 8 * i;
        }
        return value;
    }
    std::uint32_t size() const override { return recording_->config_size; }
    std::vector<std::uint32_t> capabilities(std::uint8_t id) override { return offsets(false, id); }
    std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) override { return offsets(true, id); }
    std::string path() const override { return path_; }
    bool answers() override { return read(0, 16).value_or(0xffff) != 0xffff; }

  private:
    std::optional<std::uint32_t> value_of(std::uint32_t offset, unsigned width) const {
        const safety::Word* word = pass_->find(config_place, {}, width, offset);
        if (word == nullptr || !safety::has_value(word->status)) {
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(word->value);
    }
    std::optional<std::uint32_t> byte(std::uint32_t offset) const {
        for (const unsigned width : {8U, 16U, 32U}) {
            const std::uint32_t begin = offset / (width / 8) * (width / 8);
            if (const auto value = value_of(begin, width)) {
                return *value >> 8 * (offset - begin) & 0xff;
            }
        }
        return std::nullopt;
    }
    std::vector<std::uint32_t> offsets(bool extended, std::uint16_t id) {
        if (!walked_) {
            walked_ = walk_capabilities(*this);
        }
        std::vector<std::uint32_t> found;
        for (const Capability& capability : *walked_) {
            if (capability.extended == extended && capability.id == id) {
                found.push_back(capability.offset);
            }
        }
        return found;
    }

    std::shared_ptr<const Recording> recording_;
    const RecordedPass* pass_;
    std::string path_;
    std::optional<std::vector<Capability>> walked_;
};

} // namespace

const safety::Word* RecordedRun::find(std::uint64_t offset) const {
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), offset);
    return at != offsets.end() && *at == offset ? &words[static_cast<std::size_t>(at - offsets.begin())]
                                                : nullptr;
}

const RecordedRun* RecordedPass::run(Place place, std::string_view window, unsigned width) const {
    const auto found = std::find_if(runs.begin(), runs.end(), [&](const RecordedRun& run) {
        return run.place == place && run.width == width && run.window == window;
    });
    return found == runs.end() ? nullptr : &*found;
}

const safety::Word* RecordedPass::find(Place place, std::string_view window, unsigned width,
                                       std::uint64_t offset) const {
    const RecordedRun* found = run(place, window, width);
    return found == nullptr ? nullptr : found->find(offset);
}

const RecordedSource* RecordedPass::source(Place place) const {
    const auto found = std::find_if(sources.begin(), sources.end(),
                                    [&](const RecordedSource& source) { return source.place == place; });
    return found == sources.end() ? nullptr : &*found;
}

const RecordedCounter* RecordedPass::counter(std::string_view name) const {
    const auto found = std::find_if(counters.begin(), counters.end(),
                                    [&](const RecordedCounter& counter) { return counter.name == name; });
    return found == counters.end() ? nullptr : &*found;
}

std::shared_ptr<safety::ConfigSpace> recorded_config(std::shared_ptr<const Recording> recording,
                                                     std::size_t pass, std::string path) {
    return std::make_shared<RecordedConfig>(std::move(recording), pass, std::move(path));
}

} // namespace barscope::tool
