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
const sock_filter instructions[] = {
#include "seccomp_instructions.inc"
};

} // namespace

int load_seccomp_filter() {
    std::array<sock_filter, std::size(instructions)> program{};
    std::copy(std::begin(instructions), std::end(instructions), program.begin());
    const sock_fprog whole{static_cast<unsigned short>(program.size()), program.data()};
    return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0 ? 0 : errno;
}

} // namespace barscope::safety
