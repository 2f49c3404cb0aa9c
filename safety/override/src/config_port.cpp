#include "ports.h"

#include <algorithm>
#include <array>
#include <cerrno>

#include <fcntl.h>

#include <fmt/format.h>

#include <byte_order.h>
#include <refusal.h>
#include <text.h>

namespace barscope::safety {
namespace {

constexpr std::uint8_t config_widths = 0x7; // 8, 16 and 32 bits: what a configuration request carries

// One pread or pwrite of the declared width is one configuration access: the kernel splits only what is not
// aligned (drivers/pci/pci-sysfs.c pci_read_config, pci_write_config).
class ConfigPort final : public OverridePort {
  public:
    ConfigPort(std::shared_ptr<OverrideSystem> system, SystemRoot root, DeviceFacts facts, PortUse use)
        : system_(std::move(system)), root_(std::move(root)), facts_(std::move(facts)),
          path_(facts_.directory + "/config"), use_(use) {}

    Result<void> open() {
        const int flags = (use_ == PortUse::stores ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
        fd_ = UniqueFd(system_->open(path_.c_str(), flags, 0));
        if (!fd_) {
            return fail(refusal(SystemCall::open, errno));
        }
        struct stat status {};
        if (system_->fstat(fd_.get(), status) != 0) {
            return fail(refusal(SystemCall::fstat, errno));
        }
        if (!S_ISREG(status.st_mode)) {
            return fail({ErrorCode::bad_input, "config-malformed", "configuration space is not a file", path_,
                         "a copy of a tree needs the device's file config here"});
        }
        size_ = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
        return {};
    }

    Result<void> check(const PortWord& word) const override {
        return check_port_word(word, size_, size_, config_widths, path_);
    }

    Result<std::uint64_t> load(const LabOverride& /*proof*/, const PortWord& word) override {
        if (auto possible = check(word); !possible) {
            return fail(std::move(possible.error()));
        }
        std::array<std::uint8_t, 8> bytes{};
        const std::size_t count = word.width / 8U;
        const ssize_t got = system_->pread(fd_.get(), bytes.data(), count, static_cast<off_t>(word.offset));
        if (got != static_cast<ssize_t>(count)) {
            return fail(refusal(SystemCall::pread, got < 0 ? errno : EIO));
        }
        std::uint64_t value = 0;
        for (std::size_t i = count; i-- > 0;) {
            value = value << 8U | bytes.at(i);
        }
        return in_order(value, word);
    }

    Result<void> store(const LabOverride& /*proof*/, const PortWord& word, std::uint64_t value) override {
        if (use_ != PortUse::stores) {
            return fail(not_opened_for_stores(path_));
        }
        if (auto possible = check(word); !possible) {
            return possible;
        }
        std::array<std::uint8_t, 8> bytes{};
        const std::size_t count = word.width / 8U;
        const std::uint64_t little = in_order(value, word);
        for (std::size_t i = 0; i < count; ++i) {
            bytes.at(i) = static_cast<std::uint8_t>(little >> (8 * i));
        }
        const ssize_t put = system_->pwrite(fd_.get(), bytes.data(), count, static_cast<off_t>(word.offset));
        if (put != static_cast<ssize_t>(count)) {
            return fail(refusal(SystemCall::pwrite, put < 0 ? errno : EIO));
        }
        return {};
    }

    std::string describe() const override {
        return path_ + (use_ == PortUse::stores ? " (read and write)" : " (read-only)");
    }

  private:
    Error refusal(SystemCall call, int error) const {
        return explain_refusal(root_, facts_, path_, call, error);
    }
    // Configuration space is little-endian; a map may still call a register big-endian.
    static std::uint64_t in_order(std::uint64_t value, const PortWord& word) {
        return word.order == ByteOrder::big ? swap_bytes(value, word.width) : value;
    }

    std::shared_ptr<OverrideSystem> system_;
    SystemRoot root_;
    DeviceFacts facts_;
    std::string path_;
    PortUse use_;
    UniqueFd fd_;
    std::uint64_t size_ = 0;
};

} // namespace

Result<std::unique_ptr<OverridePort>> open_config_port_with(std::shared_ptr<OverrideSystem> system,
                                                            const SystemRoot& root, const DeviceFacts& facts,
                                                            PortUse use) {
    auto port = std::make_unique<ConfigPort>(std::move(system), root, facts, use);
    if (auto opened = port->open(); !opened) {
        return fail(std::move(opened.error()));
    }
    return port;
}

Result<std::unique_ptr<OverridePort>> OverridePort::open_config(const LabOverride& /*proof*/,
                                                                const SystemRoot& root,
                                                                const DeviceFacts& facts, PortUse use) {
    return open_config_port_with(std::make_shared<OverrideSystem>(), root, facts, use);
}

} // namespace barscope::safety
