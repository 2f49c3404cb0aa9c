#include <safety/gate.h>

namespace barscope::safety {

// The kernel's and Xen's ways of handing a device to a virtual machine (vendors' variants of the former are
// called *_vfio_pci, *-vfio-pci and the like; Xen's driver is "pciback" or "xen-pciback" by version), those
// that let a program map it (uio), and those that only keep others away.
Owner owner_of(std::string_view driver) {
    if (driver.empty() || driver == "pci-stub" || driver == "pci-pf-stub") {
        return Owner::nobody;
    }
    if (driver.find("vfio") != std::string_view::npos || driver.ends_with("pciback")) {
        return Owner::virtual_machine;
    }
    if (driver.starts_with("uio") || driver.ends_with("_uio")) {
        return Owner::user_program;
    }
    return Owner::kernel_driver;
}

std::string_view name(Owner owner) {
    switch (owner) {
    case Owner::nobody:
        return "nobody";
    case Owner::kernel_driver:
        return "kernel-driver";
    case Owner::virtual_machine:
        return "virtual-machine";
    case Owner::user_program:
        return "user-program";
    }
    return "nobody";
}

std::string_view explain(Owner owner) {
    switch (owner) {
    case Owner::nobody:
        return "a placeholder: nobody drives the device";
    case Owner::kernel_driver:
        return "";
    case Owner::virtual_machine:
        return "a virtual machine may own the device";
    case Owner::user_program:
        return "a program in user space may drive the device (DPDK, for example)";
    }
    return "";
}

} // namespace barscope::safety
