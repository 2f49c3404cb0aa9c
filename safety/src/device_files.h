// One device's folder in sysfs: its attributes as numbers and text, its links. Errors name the file and the
// line.
#pragma once

#include <cstdint>
#include <string>

#include <safety/gate.h>

namespace barscope::safety {

std::string device_directory(const SystemRoot& root, const PciAddress& address);
bool directory_exists(const std::string& path);
bool file_exists(const std::string& path);

// "device 0000:.. is not present now", with what is present as the remedy.
Error device_absent(const SystemRoot& root, const PciAddress& address);

class DeviceFiles {
  public:
    DeviceFiles(const SystemRoot& root, const PciAddress& address);
    const std::string& directory() const { return directory_; }

    Result<std::string> text(std::string_view attribute) const;
    // "0x" and hex digits in one line, at most `greatest`.
    Result<std::uint64_t> number(std::string_view attribute, std::uint64_t greatest) const;
    // The first line; empty where the attribute does not exist (older kernels lack some).
    Result<std::string> optional_line(std::string_view attribute) const;
    // Last component of where a link points; empty where there is none.
    Result<std::string> link_name(std::string_view link) const;
    std::string file(std::string_view attribute) const;

  private:
    Error unreadable(std::string_view attribute, int error) const;

    const SystemRoot& root_;
    PciAddress address_;
    std::string directory_;
};

} // namespace barscope::safety
