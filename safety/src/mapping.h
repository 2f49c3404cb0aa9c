// Where a BAR's bytes lie in its file, and read-only mappings of some of its pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <safety/access.h>
#include <safety/gate.h>

#include "system.h"
#include "word_check.h"

namespace barscope::safety {

struct PageRun {
    std::uint64_t begin = 0; // bytes in the file, whole pages
    std::uint64_t end = 0;
};

// The kernel maps whole pages, counted from the page in which the BAR starts: a BAR that is smaller than a
// page begins at (start mod page) of the mapping, and nothing beyond the BAR rounded up to pages may be asked
// for.
class BarGeometry {
  public:
    BarGeometry(const Bar& bar, std::uint64_t page_size);
    std::uint64_t size() const { return size_; }
    std::uint64_t page_size() const { return page_; }
    std::uint64_t delta() const { return delta_; }
    // The pages of [offset, offset + bytes), which must lie in the BAR.
    PageRun pages(std::uint64_t offset, std::uint64_t bytes) const {
        const std::uint64_t in_page = page_ - 1;
        return {(delta_ + offset) & ~in_page, (delta_ + offset + bytes + in_page) & ~in_page};
    }
    // Bounds given the file's length; on sysfs that is the BAR's own length, otherwise it counts from the
    // mapping's start.
    SourceBounds bounds(std::uint64_t file_size, bool on_sysfs) const;

  private:
    std::uint64_t page_; // a power of two
    std::uint64_t delta_, size_;
};

class Mapping {
  public:
    Mapping() = default;
    // Always PROT_READ. On failure the errno is left in place and the mapping is empty.
    Mapping(System& system, int fd, PageRun run);
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();
    explicit operator bool() const { return data_ != nullptr; }
    bool covers(PageRun run) const {
        return data_ != nullptr && run.begin >= run_.begin && run.end <= run_.end;
    }
    const std::byte* data() const { return data_; }
    std::size_t length() const { return static_cast<std::size_t>(run_.end - run_.begin); }
    std::uint64_t begin() const { return run_.begin; }

  private:
    System* system_ = nullptr;
    std::byte* data_ = nullptr;
    PageRun run_;
};

} // namespace barscope::safety
