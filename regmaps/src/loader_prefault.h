// Memory that is about to be filled, brought in with one call to the kernel instead of one fault a page: for
// a map of a megabyte the faults cost as much time as everything else (in a virtual machine more).
#pragma once

#include <cstddef>
#include <vector>

namespace barscope::regmaps {

// Best effort: a kernel before 5.14 does nothing.
void prefault(void* memory, std::size_t bytes);

template <typename T>
void prefault_reserved(std::vector<T>& table) {
    prefault(table.data(), table.capacity() * sizeof(T));
}

} // namespace barscope::regmaps
