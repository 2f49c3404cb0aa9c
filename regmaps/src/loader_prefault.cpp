#include <regmaps/prefault.h>

#include <cstdint>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <sys/mman.h>
#include <unistd.h>

namespace barscope::regmaps {

namespace {
constexpr std::size_t huge_page = 2 << 20;
}

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

void prefault_huge(void* memory, std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    const std::size_t skipped =
        (huge_page - reinterpret_cast<std::uintptr_t>(memory) % huge_page) % huge_page;
    if (bytes >= skipped + huge_page) {
        ::madvise(static_cast<char*>(memory) + skipped, (bytes - skipped) / huge_page * huge_page,
                  MADV_HUGEPAGE);
    }
#endif
    prefault(memory, bytes);
}

HugePageHeap::HugePageHeap(std::size_t document_size) {
    if (document_size < huge_page / 8) {
        return;
    }
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    // From now on large blocks come from the heap, not from mappings of their own, and the heap is not given
    // back.
    ::mallopt(M_MMAP_THRESHOLD, 1 << 30);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
    // The text itself and, for each byte of it, some four bytes of nodes and tables; and a page to be
    // aligned.
    const std::size_t expected = document_size * 5 + 2 * huge_page;
    char* const heap = static_cast<char*>(std::malloc(expected)); // shows where the heap is going to grow
    if (heap == nullptr) {
        return;
    }
    const std::size_t gap = huge_page - reinterpret_cast<std::uintptr_t>(heap) % huge_page;
    ::madvise(heap + gap, (expected - gap) / huge_page * huge_page, MADV_HUGEPAGE);
    std::free(heap);
    gap_ = std::malloc(gap);
#endif
}

} // namespace barscope::regmaps
