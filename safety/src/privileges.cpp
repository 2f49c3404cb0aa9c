#include <safety/privileges.h>

#include <array>
#include <cerrno>
#include <cstdint>

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "seccomp_filter.h"
#include "text.h"

namespace barscope::safety {
namespace {

// Bits of linux/capability.h.
constexpr unsigned dac_read_search = 2;
constexpr unsigned sys_admin = 21;
constexpr unsigned most_capabilities = 64;

// Needs a capability itself; what stays in the bounding set could be gained by running a program only.
void empty_bounding_set() {
    for (unsigned capability = 0; capability < most_capabilities; ++capability) {
        if (::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
            return;
        }
    }
}

// Those of `kept` that the process has stay effective; nothing is inherited by anybody.
int drop_capabilities(std::uint64_t kept) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (::syscall(SYS_capget, &header, data.data()) != 0) {
        return errno;
    }
    for (unsigned i = 0; i < data.size(); ++i) {
        const auto half = static_cast<std::uint32_t>(kept >> (32 * i));
        data.at(i).permitted &= half;
        data.at(i).effective = data.at(i).permitted;
        data.at(i).inheritable = 0;
    }
    return ::syscall(SYS_capset, &header, data.data()) == 0 ? 0 : errno;
}

void add_reason(Confinement& confinement, std::string_view what, int error) {
    confinement.why_not += confinement.why_not.empty() ? "" : "; ";
    confinement.why_not += std::string(what) + ": " + errno_name(error);
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#elif defined(__has_feature)
constexpr bool sanitized = __has_feature(address_sanitizer);
#else
constexpr bool sanitized = false;
#endif

} // namespace

Confinement confine(const Keep& keep) {
    Confinement confinement;
    empty_bounding_set();
    static_cast<void>(::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)); // Linux 4.3
    confinement.no_new_privileges = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (!confinement.no_new_privileges) {
        add_reason(confinement, "no_new_privs", errno);
    }
    const std::uint64_t kept = (keep.reading_of_any_file ? std::uint64_t{1} << dac_read_search : 0) |
                               (keep.stores ? std::uint64_t{1} << sys_admin : 0);
    const int dropped = drop_capabilities(kept);
    confinement.capabilities_dropped = dropped == 0;
    if (dropped != 0) {
        add_reason(confinement, "capabilities", dropped);
    }
    if (sanitized) {
        confinement.why_not += confinement.why_not.empty() ? "" : "; ";
        confinement.why_not += "system calls: not filtered in a build with sanitizers";
        return confinement;
    }
    const int filtered = load_seccomp_filter(keep.stores);
    confinement.filter = filtered == 0;
    if (filtered != 0) {
        add_reason(confinement, "system calls", filtered);
    }
    return confinement;
}

} // namespace barscope::safety
