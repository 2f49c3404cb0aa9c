// Configuration space that is not read any more once a watch has said no.
#pragma once

#include <memory>

#include <safety/config_space.h>

namespace barscope::tool {

class WatchedConfig final : public safety::ConfigSpace {
  public:
    WatchedConfig(std::shared_ptr<safety::ConfigSpace> config, safety::LoadWatch& watch)
        : config_(std::move(config)), watch_(watch) {}

    std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) override;
    std::uint32_t size() const override { return config_->size(); }
    std::vector<std::uint32_t> capabilities(std::uint8_t id) override;
    std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) override;
    std::string path() const override { return config_->path(); }
    bool answers() override { return config_->answers(); }
    // Whether a read was asked for and not made: then what else was answered is no whole.
    bool withheld() const { return withheld_; }

  private:
    std::shared_ptr<safety::ConfigSpace> config_;
    safety::LoadWatch& watch_;
    bool withheld_ = false;
};

} // namespace barscope::tool
