// Why the kernel refused a BAR: each cause is tested for, none is guessed from the errno alone.
#pragma once

#include <string>

#include <safety/gate.h>

namespace barscope::safety {

enum class SystemCall { open, fstat, mmap, pread, pwrite };

Error explain_refusal(const SystemRoot& root, const DeviceFacts& facts, const std::string& path,
                      SystemCall call, int error);

} // namespace barscope::safety
