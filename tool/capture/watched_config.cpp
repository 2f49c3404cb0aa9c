#include <capture/watched_config.h>

#include <device/capabilities.h>

namespace barscope::tool {

std::optional<std::uint32_t> WatchedConfig::read(std::uint32_t offset, unsigned width) {
    if (!watch_.go_on()) {
        withheld_ = true;
        return std::nullopt;
    }
    return config_->read(offset, width);
}

std::vector<std::uint32_t> WatchedConfig::capabilities(std::uint8_t id) {
    return capability_offsets(*this, false, id);
}

std::vector<std::uint32_t> WatchedConfig::extended_capabilities(std::uint16_t id) {
    return capability_offsets(*this, true, id);
}

} // namespace barscope::tool
