#include "seccomp_filter.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

namespace barscope::safety {
namespace {

// Made by safety/filter/make_filter.cpp.
const sock_filter for_reads[] = {
#include "seccomp_reads.inc"
};
const sock_filter for_stores[] = {
#include "seccomp_stores.inc"
};

template <std::size_t Size>
int load(const sock_filter (&instructions)[Size]) {
    std::array<sock_filter, Size> program{}; // the kernel's interface takes no constant ones
    std::copy(std::begin(instructions), std::end(instructions), program.begin());
    const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0 ? 0 : errno;
}

} // namespace

int load_seccomp_filter(bool stores) {
    return stores ? load(for_stores) : load(for_reads);
}

} // namespace barscope::safety
