// The system calls that only lab override makes, beside those of System; a test can make each of them fail.
#pragma once

#include <cstdint>

#include <sys/types.h>

#include <system.h>

namespace barscope::safety {

class OverrideSystem : public System {
  public:
    virtual ssize_t pread(int fd, void* data, std::size_t size, off_t offset);
    virtual ssize_t pwrite(int fd, const void* data, std::size_t size, off_t offset);
};

} // namespace barscope::safety
