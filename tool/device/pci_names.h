// Names of vendors, devices and classes from pci.ids through libpci. Loaded when the first name is asked for,
// because the list is a megabyte of text: only `list` and `info` ask.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <safety/gate.h>

namespace barscope::tool {

class PciNames {
  public:
    // The list below the root; where there is none, this machine's own: names are not facts about a machine.
    explicit PciNames(const safety::SystemRoot& root);
    ~PciNames();
    PciNames(const PciNames&) = delete;
    PciNames& operator=(const PciNames&) = delete;

    // Empty where the list is absent or does not know.
    std::string device(std::uint16_t vendor, std::uint16_t device);
    std::string device_class(std::uint32_t class_code);

    // The list's path; empty where none was found.
    static std::string list_path(const safety::SystemRoot& root);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace barscope::tool
