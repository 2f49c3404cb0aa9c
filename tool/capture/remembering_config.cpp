#include <capture/remembering_config.h>

#include <utility>

namespace barscope::tool {

namespace {

class RememberingConfig final : public safety::ConfigSpace {
  public:
    RememberingConfig(std::shared_ptr<safety::ConfigSpace> config,
                      std::shared_ptr<std::vector<ConfigRead>> reads)
        : config_(std::move(config)), reads_(std::move(reads)) {}

    std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) override {
        const auto value = config_->read(offset, width);
        reads_->push_back({offset, static_cast<std::uint8_t>(width), value});
        return value;
    }
    std::uint32_t size() const override { return config_->size(); }
    std::vector<std::uint32_t> capabilities(std::uint8_t id) override { return config_->capabilities(id); }
    std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) override {
        return config_->extended_capabilities(id);
    }
    std::string path() const override { return config_->path(); }
    bool answers() override { return config_->answers(); }

  private:
    std::shared_ptr<safety::ConfigSpace> config_;
    std::shared_ptr<std::vector<ConfigRead>> reads_;
};

} // namespace

std::shared_ptr<safety::ConfigSpace> remembering_config(std::shared_ptr<safety::ConfigSpace> config,
                                                        std::shared_ptr<std::vector<ConfigRead>> reads) {
    return std::make_shared<RememberingConfig>(std::move(config), std::move(reads));
}

} // namespace barscope::tool
