// Which system calls are left after confine().
#pragma once

namespace barscope::safety {

// 0, or the errno of what refused it. `stores`: what is open for writing may be mapped and locked, too.
int load_seccomp_filter(bool stores);

} // namespace barscope::safety
