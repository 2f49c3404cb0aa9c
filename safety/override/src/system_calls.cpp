#include "system_calls.h"

#include <unistd.h>

namespace barscope::safety {

ssize_t OverrideSystem::pread(int fd, void* data, std::size_t size, off_t offset) {
    return ::pread(fd, data, size, offset);
}

ssize_t OverrideSystem::pwrite(int fd, const void* data, std::size_t size, off_t offset) {
    return ::pwrite(fd, data, size, offset);
}

} // namespace barscope::safety
