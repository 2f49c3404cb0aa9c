#include <device/memory_config.h>

#include <algorithm>

#include <device/capabilities.h>

namespace barscope::tool {

namespace {

class MemoryConfig final : public safety::ConfigSpace {
  public:
    MemoryConfig(DumpImage image, std::string path) : image_(std::move(image)), path_(std::move(path)) {}

    std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) override {
        const auto value = image_.word(offset, width, safety::ByteOrder::little);
        if (!value) {
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(*value);
    }
    std::uint32_t size() const override {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(image_.end(), 4096));
    }
    std::vector<std::uint32_t> capabilities(std::uint8_t id) override {
        return capability_offsets(*this, false, id);
    }
    std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) override {
        return capability_offsets(*this, true, id);
    }
    std::string path() const override { return path_; }

  private:
    DumpImage image_;
    std::string path_;
};

} // namespace

std::shared_ptr<safety::ConfigSpace> make_memory_config(DumpImage image, std::string path) {
    return std::make_shared<MemoryConfig>(std::move(image), std::move(path));
}

} // namespace barscope::tool
