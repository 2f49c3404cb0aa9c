#include "ports.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/mman.h>

#include <fmt/format.h>

#include <bar_files.h>
#include <byte_order.h>
#include <fault_guard.h>
#include <load_kernels.h>
#include <mapping.h>
#include <refusal.h>

#include "store.h"

namespace barscope::safety {
namespace {

int protection_of(PortUse use) {
    return use == PortUse::stores ? PROT_READ | PROT_WRITE : PROT_READ;
}

// The pages of one word, mapped for as long as one access takes.
class Pages {
  public:
    Pages(OverrideSystem& system, int fd, PageRun run, PortUse use)
        : system_(system), length_(static_cast<std::size_t>(run.end - run.begin)) {
        void* address =
            system.mmap(length_, protection_of(use), MAP_SHARED, fd, static_cast<off_t>(run.begin));
        data_ = address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
    }
    ~Pages() {
        if (data_ != nullptr) {
            system_.munmap(data_, length_);
        }
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    std::byte* data() const { return data_; }
    std::size_t length() const { return length_; }

  private:
    OverrideSystem& system_;
    std::size_t length_;
    std::byte* data_ = nullptr;
};

void store_word(std::byte* address, unsigned width, std::uint64_t value) {
    switch (width) {
    case 8:
        store_once(address, static_cast<std::uint8_t>(value));
        return;
    case 16:
        store_once(address, static_cast<std::uint16_t>(value));
        return;
    case 32:
        store_once(address, static_cast<std::uint32_t>(value));
        return;
    default: // 64; a host of 32 bits was refused in check()
        store_once(address, value);
        return;
    }
}

std::uint64_t load_word(const std::byte* address, unsigned width) {
    switch (width) {
    case 8:
        return load_once<std::uint8_t>(address);
    case 16:
        return load_once<std::uint16_t>(address);
    case 32:
        return load_once<std::uint32_t>(address);
    default:
        return load_once<std::uint64_t>(address);
    }
}

class BarPort final : public OverridePort {
  public:
    BarPort(std::shared_ptr<OverrideSystem> system, SystemRoot root, DeviceFacts facts, unsigned bar,
            PortUse use)
        : system_(std::move(system)), root_(std::move(root)), facts_(std::move(facts)),
          path_(bar_file(facts_, bar)), use_(use), geometry_(facts_.bars.at(bar), system_->page_size()) {}

    Result<void> open() {
        const int flags = (use_ == PortUse::stores ? O_RDWR : O_RDONLY) | O_CLOEXEC;
        fd_ = UniqueFd(system_->open(path_.c_str(), flags, 0));
        if (!fd_) {
            return fail(refusal(SystemCall::open));
        }
        const Pages probe(*system_, fd_.get(), geometry_.pages(0, 1), use_);
        return probe.data() == nullptr ? Result<void>(fail(refusal(SystemCall::mmap))) : Result<void>();
    }

    Result<void> check(const PortWord& word) const override {
        struct stat status {};
        if (system_->fstat(fd_.get(), status) != 0) {
            return fail(refusal(SystemCall::fstat));
        }
        const SourceBounds bounds = geometry_.bounds(
            static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0)), system_->on_sysfs(fd_.get()));
        return check_port_word(word, bounds.size, bounds.readable, 0xf, path_);
    }

    Result<std::uint64_t> load(const LabOverride& /*proof*/, const PortWord& word) override {
        std::uint64_t loaded = 0;
        const auto done = access(word, [&loaded, &word](std::byte* address) {
            const_cast<volatile std::uint64_t&>(loaded) = load_word(address, word.width);
        });
        return done ? Result<std::uint64_t>(to_host(loaded, word.width, word.order)) : fail(done.error());
    }

    Result<void> store(const LabOverride& /*proof*/, const PortWord& word, std::uint64_t value) override {
        if (use_ != PortUse::stores) {
            return fail(not_opened_for_stores(path_));
        }
        const std::uint64_t bytes = to_host(value, word.width, word.order); // swapping is its own inverse
        return access(word, [&word, bytes](std::byte* address) { store_word(address, word.width, bytes); });
    }

    std::string describe() const override {
        return path_ + (use_ == PortUse::stores ? " (mmap, read and write)" : " (mmap, read-only)");
    }

  private:
    Error refusal(SystemCall call) const { return explain_refusal(root_, facts_, path_, call, errno); }

    template <typename Work>
    Result<void> access(const PortWord& word, Work work) {
        if (auto possible = check(word); !possible) {
            return possible;
        }
        const PageRun run = geometry_.pages(word.offset, word.width / 8U);
        const Pages pages(*system_, fd_.get(), run, use_);
        if (pages.data() == nullptr) {
            return fail(refusal(SystemCall::mmap));
        }
        std::byte* const address = pages.data() + (geometry_.delta() + word.offset - run.begin);
        FaultGuard guard;
        if (!guard.run(pages.data(), pages.length(), [&work, address] { work(address); })) {
            return fail({ErrorCode::absent, "access-faulted",
                         "the access faulted: the mapping was revoked, or the device was unplugged",
                         fmt::format("{} at {:#x}", path_, word.offset),
                         "whether it reached the device is not known; the kernel log may say more"});
        }
        return {};
    }

    std::shared_ptr<OverrideSystem> system_;
    SystemRoot root_;
    DeviceFacts facts_;
    std::string path_;
    PortUse use_;
    BarGeometry geometry_;
    UniqueFd fd_;
};

} // namespace

Result<std::unique_ptr<OverridePort>> open_bar_port_with(std::shared_ptr<OverrideSystem> system,
                                                         const SystemRoot& root, const DeviceFacts& facts,
                                                         unsigned bar, PortUse use) {
    Verdict verdict = check_bar(root, facts, bar);
    if (!verdict.passed) {
        return fail(std::move(*verdict.refusal));
    }
    auto port = std::make_unique<BarPort>(std::move(system), root, facts, bar, use);
    if (auto opened = port->open(); !opened) {
        return fail(std::move(opened.error()));
    }
    return port;
}

Result<std::unique_ptr<OverridePort>> OverridePort::open_bar(const LabOverride& /*proof*/,
                                                             const SystemRoot& root, const DeviceFacts& facts,
                                                             unsigned bar, PortUse use) {
    return open_bar_port_with(std::make_shared<OverrideSystem>(), root, facts, bar, use);
}

} // namespace barscope::safety
