// Memory that is about to be filled, brought in with one call to the kernel instead of one fault a page: for
// a map of a megabyte the faults cost as much time as everything else (in a virtual machine more).
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

namespace barscope::regmaps {

// Best effort: a kernel before 5.14 does nothing.
void prefault(void* memory, std::size_t bytes);
// The same with huge pages where they fit.
void prefault_huge(void* memory, std::size_t bytes);

// While it lives, a document of that size is read and loaded into huge pages: most of the time that a large
// map takes beyond the loader's own work is the kernel's first touch of each small page. Best effort, glibc
// only.
class HugePageHeap {
  public:
    explicit HugePageHeap(std::size_t document_size);
    ~HugePageHeap() { std::free(gap_); }
    HugePageHeap(const HugePageHeap&) = delete;
    HugePageHeap& operator=(const HugePageHeap&) = delete;

  private:
    void* gap_ = nullptr; // what lies before the first huge page, never touched
};

template <typename T>
void prefault_reserved(std::vector<T>& table) {
    prefault(table.data(), table.capacity() * sizeof(T));
}

} // namespace barscope::regmaps
