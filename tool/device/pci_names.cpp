#include <device/pci_names.h>

#include <array>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include <pci/pci.h>
}

#include <device/files.h>

namespace barscope::tool {

namespace {

// libpci calls this only where memory runs out, and requires that it does not return.
__attribute__((noreturn)) void give_up(char*, ...) {
    std::abort();
}

void stay_quiet(char*, ...) {}

struct AccessDeleter {
    void operator()(pci_access* access) const { pci_cleanup(access); }
};

} // namespace

struct PciNames::State {
    std::string path;
    std::unique_ptr<pci_access, AccessDeleter> access;

    std::string look_up(int flags, int first, int second) {
        if (path.empty()) {
            return {};
        }
        if (access == nullptr) {
            access.reset(pci_alloc());
            // pci_init() would look for an access method and touch the machine; the names need none of it.
            access->error = give_up;
            access->warning = stay_quiet;
            access->debug = stay_quiet;
            pci_set_name_list_path(access.get(), path.data(), 0);
        }
        std::array<char, 512> buffer{};
        // No hwdb and no DNS: the answer comes from the named list or not at all.
        const char* name = pci_lookup_name(access.get(), buffer.data(), static_cast<int>(buffer.size()),
                                           flags | PCI_LOOKUP_NO_NUMBERS | PCI_LOOKUP_NO_HWDB, first, second);
        return name == nullptr ? std::string() : std::string(name);
    }
};

std::string PciNames::list_path(const safety::SystemRoot& root) {
    for (const char* place : {"/usr/share/misc/pci.ids", "/usr/share/hwdata/pci.ids"}) {
        for (std::string path : {root.path(place), std::string(place)}) {
            if (is_regular(path)) {
                return path;
            }
        }
    }
    return {};
}

PciNames::PciNames(const safety::SystemRoot& root) : state_(std::make_unique<State>()) {
    state_->path = list_path(root);
}

PciNames::~PciNames() = default;

std::string PciNames::device(std::uint16_t vendor, std::uint16_t device) {
    std::string text = state_->look_up(PCI_LOOKUP_VENDOR, vendor, 0);
    const std::string name = state_->look_up(PCI_LOOKUP_DEVICE, vendor, device);
    if (!text.empty() && !name.empty()) {
        text += ' ';
    }
    return text + name;
}

std::string PciNames::device_class(std::uint32_t class_code) {
    return state_->look_up(PCI_LOOKUP_CLASS, static_cast<int>(class_code >> 8), 0);
}

} // namespace barscope::tool
