#include <safety/config_space.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cerrno>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "device_files.h"
#include "pci_library.h"
#include "process_status.h"
#include "text.h"

namespace barscope::safety {
namespace {

constexpr std::uint32_t extended_begin = 0x100;
constexpr std::uint32_t extended_end = 0x1000;

class LibpciConfigSpace final : public ConfigSpace {
  public:
    LibpciConfigSpace(PciLibraryDevice device, std::string path, std::uint32_t size,
                      std::shared_ptr<ConfigSpace> physical_function)
        : device_(std::move(device)), path_(std::move(path)), size_(size),
          physical_function_(std::move(physical_function)) {}

    std::optional<std::uint32_t> read(std::uint32_t offset, unsigned width) override {
        const unsigned bytes = width / 8;
        const bool legal = width == 8 || width == 16 || width == 32;
        if (!legal || offset % bytes != 0 || offset >= size_ || size_ - offset < bytes) {
            return std::nullopt;
        }
        std::array<std::uint8_t, 4> raw{};
        if (!device_.read(offset, raw.data(), bytes)) {
            return std::nullopt;
        }
        return std::uint32_t{raw[0]} | std::uint32_t{raw[1]} << 8U | std::uint32_t{raw[2]} << 16U |
               std::uint32_t{raw[3]} << 24U;
    }

    std::uint32_t size() const override { return size_; }
    std::string path() const override { return path_; }

    std::vector<std::uint32_t> capabilities(std::uint8_t id) override;
    std::vector<std::uint32_t> extended_capabilities(std::uint16_t id) override;

    bool answers() override {
        return physical_function_ ? physical_function_->answers() : ConfigSpace::answers();
    }

    // Lowers the size to what this process is really given. The kernel shows a size of 256 or 4096 to
    // everybody and ends the reads of an unprivileged process at 64. Only capability headers are touched,
    // which are free of side effects; other offsets may not be (virtio's pci_cfg_data).
    void limit_to_permitted(bool has_sys_admin) {
        if (size_ > 64 && !(first_capability() ? readable(*first_capability()) : has_sys_admin)) {
            size_ = 64;
        }
        if (size_ > extended_begin && !read(extended_begin, 32)) {
            size_ = extended_begin;
        }
    }

  private:
    bool readable(std::uint32_t offset) { return read(offset, 8).has_value(); }

    // PCI Local Bus Specification 3.0, 6.7: Status bit 4, pointer at 34h; CardBus bridges keep it at 14h.
    std::optional<std::uint32_t> first_capability() {
        const auto status = read(0x06, 16);
        const auto header_type = read(0x0e, 8);
        if (!status || !header_type || (*status & 0x10U) == 0) {
            return std::nullopt;
        }
        return pointer_at((*header_type & 0x7fU) == 2 ? 0x14 : 0x34);
    }

    std::optional<std::uint32_t> pointer_at(std::uint32_t offset) {
        const auto pointer = read(offset, 8);
        if (!pointer || (*pointer & 0xfcU) < 0x40) {
            return std::nullopt;
        }
        return *pointer & 0xfcU;
    }

    PciLibraryDevice device_;
    std::string path_;
    std::uint32_t size_;
    std::shared_ptr<ConfigSpace> physical_function_; // set for a VF
};

std::vector<std::uint32_t> LibpciConfigSpace::capabilities(std::uint8_t id) {
    std::vector<std::uint32_t> found;
    std::bitset<256> seen; // also bounds the walk: 48 places at most
    for (auto at = first_capability(); at && !seen.test(*at); at = pointer_at(*at + 1)) {
        seen.set(*at);
        const auto here = read(*at, 8);
        if (!here || *here == 0xff) {
            break;
        }
        if (*here == id) {
            found.push_back(*at);
        }
    }
    return found;
}

// PCI Express Base Specification: header of 32 bits, id in 15:0, next in 31:20.
std::vector<std::uint32_t> LibpciConfigSpace::extended_capabilities(std::uint16_t id) {
    std::vector<std::uint32_t> found;
    std::bitset<extended_end> seen; // bounds the walk: 960 places at most
    std::uint32_t at = extended_begin;
    while (at >= extended_begin && !seen.test(at)) {
        seen.set(at);
        const auto header = read(at, 32);
        if (!header || *header == 0 || *header == UINT32_MAX) {
            break;
        }
        if ((*header & 0xffffU) == id) {
            found.push_back(at);
        }
        at = (*header >> 20U) & 0xffcU;
    }
    return found;
}

bool lies_on_sysfs(const std::string& path) {
    struct statfs status {};
    return ::statfs(path.c_str(), &status) == 0 && status.f_type == SYSFS_MAGIC;
}

std::shared_ptr<ConfigSpace> open_physical_function(const SystemRoot& root, const DeviceFiles& files,
                                                    const PciAddress& self) {
    const Result<std::string> target = files.link_name("physfn");
    if (!target || target->empty()) {
        return nullptr;
    }
    const Result<PciAddress> address = parse_pci_address(*target);
    if (!address || *address == self ||
        !DeviceFiles(root, *address).link_name("physfn").value_or("").empty()) {
        return nullptr; // a physical function has none itself: a link that says otherwise could go round in
                        // circles
    }
    return ConfigSpace::open(root, *address).value_or(nullptr);
}

} // namespace

bool ConfigSpace::answers() {
    const auto vendor = read(0, 16);
    return vendor && *vendor != 0xffff;
}

Result<std::shared_ptr<ConfigSpace>> ConfigSpace::open(const SystemRoot& root, const PciAddress& address) {
    const DeviceFiles files(root, address);
    if (!directory_exists(files.directory())) {
        return fail(device_absent(root, address));
    }
    const std::string path = files.file("config");
    // The kernel resumes a device in D3cold when somebody reads its configuration space
    // (pci_config_pm_runtime_get in drivers/pci/pci.c).
    if (files.optional_line("power_state").value_or("") == "D3cold") {
        return fail({ErrorCode::refused, "asleep-or-gone",
                     fmt::format("device {} is asleep or gone: power_state D3cold, and reading configuration "
                                 "space would make the kernel wake it",
                                 to_string(address)),
                     path, "barscope never wakes a device; its driver does when the device is in use"});
    }
    struct stat status {};
    const bool there = ::stat(path.c_str(), &status) == 0;
    // libpci says of a refusal only that it could not open the file.
    if ((there ? ::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0 : errno == EACCES)) {
        return fail({ErrorCode::permission, "config-permission",
                     fmt::format("configuration space may not be read: {}", errno_name(errno)), path,
                     "run as root, or as a user who may read the file"});
    }
    if (!there) {
        return fail({ErrorCode::absent, "config-missing",
                     fmt::format("configuration space cannot be opened: {}", errno_name(errno)), path,
                     "the device was removed, or this copy of a tree lacks the file"});
    }
    if (!S_ISREG(status.st_mode)) {
        return fail({ErrorCode::bad_input, "config-malformed", "configuration space is not a file", path,
                     "a copy of a tree needs the device's file config here"});
    }
    Result<PciLibraryDevice> device = PciLibraryDevice::open(root, address);
    if (!device) {
        return fail(device.error());
    }
    const auto shown = static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0));
    const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(shown, extended_end));
    std::array<std::uint8_t, 2> vendor{};
    if (size >= 2 && !device->read(0, vendor.data(), 2)) {
        return fail({ErrorCode::permission, "config-unreadable",
                     fmt::format("configuration space cannot be read: {}", device->last_message()), path,
                     "run as root"});
    }
    auto config = std::make_shared<LibpciConfigSpace>(std::move(*device), path, size,
                                                      open_physical_function(root, files, address));
    if (lies_on_sysfs(path)) {
        config->limit_to_permitted(has_capability(root, sys_admin));
    }
    return config;
}

} // namespace barscope::safety
