// Which system calls are left after confine().
#pragma once

namespace barscope::safety {

// 0, or the errno of what refused it.
int load_seccomp_filter();

} // namespace barscope::safety
