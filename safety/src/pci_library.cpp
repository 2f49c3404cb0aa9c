#include "pci_library.h"

#include <array>
#include <csetjmp>
#include <cstdarg>
#include <cstdio>
#include <utility>

extern "C" {
#include <pci/pci.h>
}

#include <fmt/format.h>

namespace barscope::safety {
namespace {

struct Call {
    std::jmp_buf back{};
    std::array<char, 512> message{};
};

// libpci's callbacks get a format string and nothing of the caller's, so the call in progress can only be
// found through its thread.
thread_local Call* call_in_progress = nullptr;

void keep(const char* format, std::va_list arguments) {
    if (call_in_progress != nullptr) {
        std::vsnprintf(call_in_progress->message.data(), call_in_progress->message.size(), format, arguments);
    }
}

// libpci requires that this does not return. Only libpci's own C frames lie between here and the setjmp.
// GNU's spelling, because to clang only that one is a part of the function's type, which libpci's pointer
// asks for.
__attribute__((noreturn)) void on_error(char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
    std::longjmp(call_in_progress->back, 1);
}

void on_warning(char* format, ...) {
    std::va_list arguments;
    va_start(arguments, format);
    keep(format, arguments);
    va_end(arguments);
}

void on_debug(char* /*format*/, ...) {}

// `work` must own nothing: a longjmp leaves it in the middle.
template <typename Work>
bool guarded(Call& call, Work work) {
    call_in_progress = &call;
    const bool returned = setjmp(call.back) == 0;
    if (returned) {
        work();
    }
    call_in_progress = nullptr;
    return returned;
}

} // namespace

Result<PciLibraryDevice> PciLibraryDevice::open(const SystemRoot& root, const PciAddress& address) {
    PciLibraryDevice opened;
    std::string tree = root.path("/sys/bus/pci");
    std::array<char, 11> parameter{"sysfs.path"};
    Call call;
    opened.access_ = pci_alloc();
    opened.access_->method = PCI_ACCESS_SYS_BUS_PCI;
    opened.access_->writeable = 0;
    opened.access_->error = on_error;
    opened.access_->warning = on_warning;
    opened.access_->debug = on_debug;
    pci_dev** device = &opened.device_;
    pci_access* access = opened.access_;
    int known = -1;
    int* parameter_known = &known;
    const bool done = guarded(call, [&] {
        *parameter_known = pci_set_param(access, parameter.data(), tree.data());
        pci_init(access);
        *device = pci_get_dev(access, static_cast<int>(address.domain), address.bus, address.device,
                              address.function);
    });
    if (!done || known != 0) {
        return fail(
            {ErrorCode::bad_input, "libpci", fmt::format("libpci: {}", call.message.data()), tree, ""});
    }
    return opened;
}

PciLibraryDevice::PciLibraryDevice(PciLibraryDevice&& other) noexcept
    : access_(std::exchange(other.access_, nullptr)), device_(std::exchange(other.device_, nullptr)),
      message_(std::move(other.message_)) {}

PciLibraryDevice::~PciLibraryDevice() {
    if (access_ == nullptr) {
        return;
    }
    Call call;
    guarded(call, [this] {
        if (device_ != nullptr) {
            pci_free_dev(device_);
        }
        pci_cleanup(access_);
    });
}

bool PciLibraryDevice::read(std::uint32_t offset, std::uint8_t* bytes, unsigned size) {
    Call call;
    int got = 0;
    int* answer = &got;
    const bool returned = guarded(call, [=, this] {
        *answer = pci_read_block(device_, static_cast<int>(offset), bytes, static_cast<int>(size));
    });
    message_ = call.message.data();
    return returned && got != 0;
}

} // namespace barscope::safety
