#include "loader_prefault.h"

#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

namespace barscope::regmaps {

void prefault(void* memory, std::size_t bytes) {
    constexpr std::size_t worth_a_call = 64 << 10;
    if (bytes < worth_a_call) {
        return;
    }
#ifdef MADV_POPULATE_WRITE
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(memory) + page - 1;
    const std::size_t skipped = page - 1 - begin % page;
    const std::size_t whole_pages = (bytes - skipped) / page * page;
    ::madvise(static_cast<char*>(memory) + skipped, whole_pages, MADV_POPULATE_WRITE);
#else
    static_cast<void>(memory);
#endif
}

} // namespace barscope::regmaps
