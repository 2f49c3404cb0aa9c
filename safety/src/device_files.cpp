#include "device_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "text.h"

namespace barscope::safety {
namespace {

std::vector<PciAddress> present_devices(const SystemRoot& root) {
    std::vector<PciAddress> found;
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(root.path("/sys/bus/pci/devices").c_str()),
                                                        [](DIR* d) { return ::closedir(d); });
    while (directory) {
        const dirent* entry = ::readdir(directory.get());
        if (entry == nullptr) {
            break;
        }
        const auto address = parse_pci_address(entry->d_name);
        if (address && directory_exists(device_directory(root, *address))) {
            found.push_back(*address);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::string present_ones(const SystemRoot& root) {
    constexpr std::size_t shown = 8;
    const std::vector<PciAddress> present = present_devices(root);
    if (present.empty()) {
        return "no PCI device is present there";
    }
    std::string text = "present are ";
    for (std::size_t i = 0; i < std::min(shown, present.size()); ++i) {
        text += (i == 0 ? "" : ", ") + to_string(present[i]);
    }
    if (present.size() > shown) {
        text += fmt::format(" and {} more", present.size() - shown);
    }
    return text;
}

} // namespace

std::string device_directory(const SystemRoot& root, const PciAddress& address) {
    return root.path("/sys/bus/pci/devices/" + to_string(address));
}

bool directory_exists(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

bool file_exists(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

Error device_absent(const SystemRoot& root, const PciAddress& address) {
    const std::string directory = device_directory(root, address);
    struct stat status {};
    if (::lstat(directory.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
        return {ErrorCode::absent, "device-link-dangling",
                fmt::format("the folder of device {} is a link that leads nowhere", to_string(address)),
                directory,
                "the device was removed just now, or a copy of the tree lacks what the link points to, "
                "below /sys/devices"};
    }
    return {ErrorCode::absent, "device-absent",
            fmt::format("device {} is not present now", to_string(address)), directory,
            present_ones(root) + "; `barscope list` describes them"};
}

DeviceFiles::DeviceFiles(const SystemRoot& root, const PciAddress& address)
    : root_(root), address_(address), directory_(device_directory(root, address)) {}

std::string DeviceFiles::file(std::string_view attribute) const {
    return fmt::format("{}/{}", directory_, attribute);
}

Error DeviceFiles::unreadable(std::string_view attribute, int error) const {
    // A VF can vanish between two attributes: say that, not that a file is missing.
    if (!directory_exists(directory_)) {
        return device_absent(root_, address_);
    }
    const bool denied = error == EACCES || error == EPERM;
    return {denied ? ErrorCode::permission : ErrorCode::bad_input,
            error == ENOENT ? "attribute-missing" : "attribute-unreadable",
            fmt::format("cannot read the attribute '{}': {}", attribute, errno_name(error)), file(attribute),
            denied            ? "run as root"
            : error == ENOENT ? "every PCI device has this file: a copy of a tree needs it, too"
                              : "the kernel log may say more; in a copy of a tree, copy the file anew"};
}

Result<std::string> DeviceFiles::text(std::string_view attribute) const {
    FileText content = read_small_file(file(attribute));
    if (content.error != 0) {
        return fail(unreadable(attribute, content.error));
    }
    return std::move(content.text);
}

Result<std::uint64_t> DeviceFiles::number(std::string_view attribute, std::uint64_t greatest) const {
    const Result<std::string> content = text(attribute);
    if (!content) {
        return fail(content.error());
    }
    const std::string_view digits = trimmed(*content);
    const std::optional<std::uint64_t> value = parse_0x(digits);
    if (!value || *value > greatest) {
        return fail(
            {ErrorCode::bad_input, "attribute-malformed",
             fmt::format("'{}' is not a hexadecimal number up to {:#x}", digits.substr(0, 40), greatest),
             file(attribute) + ":1", "the kernel writes such a number here; copy the file anew"});
    }
    return *value;
}

Result<std::string> DeviceFiles::optional_line(std::string_view attribute) const {
    FileText content = read_small_file(file(attribute));
    if (content.error == ENOENT && directory_exists(directory_)) {
        return std::string{};
    }
    if (content.error != 0) {
        return fail(unreadable(attribute, content.error));
    }
    const std::string_view line = content.text;
    return std::string(trimmed(line.substr(0, line.find('\n'))));
}

Result<std::string> DeviceFiles::link_name(std::string_view link) const {
    std::array<char, 4096> target{};
    const ssize_t length = ::readlink(file(link).c_str(), target.data(), target.size());
    if (length >= 0) {
        return std::string(base_name({target.data(), static_cast<std::size_t>(length)}));
    }
    if (errno == ENOENT && directory_exists(directory_)) {
        return std::string{};
    }
    if (errno == EINVAL) {
        return fail({ErrorCode::bad_input, "attribute-malformed",
                     fmt::format("'{}' is not a symbolic link", link), file(link),
                     "copy the tree with its symbolic links kept (cp -a, tar)"});
    }
    return fail(unreadable(link, errno));
}

} // namespace barscope::safety
