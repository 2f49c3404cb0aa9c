#include "mapping.h"

#include <algorithm>
#include <cerrno>
#include <limits>

#include <sys/mman.h>

namespace barscope::safety {
namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t page) {
    const std::uint64_t down = value / page * page;
    return down == value || down > UINT64_MAX - page ? down : down + page;
}

} // namespace

BarGeometry::BarGeometry(const Bar& bar, std::uint64_t page_size)
    : page_(page_size), delta_(bar.start % page_size) {
    const std::uint64_t mappable = rounded_up(bar.size, page_);
    size_ = std::min(bar.size, mappable - std::min(mappable, delta_));
}

SourceBounds BarGeometry::bounds(std::uint64_t file_size, bool on_sysfs) const {
    if (on_sysfs) {
        return {size_, file_size == 0 ? size_ : std::min(size_, file_size)};
    }
    return {size_, std::min(size_, file_size - std::min(file_size, delta_))};
}

Mapping::Mapping(System& system, int fd, PageRun run) : system_(&system), run_(run) {
    const std::uint64_t length = run.end - run.begin;
    if (length > std::numeric_limits<std::size_t>::max()) {
        errno = ENOMEM;
        return;
    }
    void* address = system.mmap(static_cast<std::size_t>(length), PROT_READ, MAP_SHARED, fd,
                                static_cast<off_t>(run.begin));
    data_ = address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
}

Mapping::Mapping(Mapping&& other) noexcept
    : system_(other.system_), data_(std::exchange(other.data_, nullptr)), run_(other.run_) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    std::swap(system_, other.system_);
    std::swap(data_, other.data_);
    std::swap(run_, other.run_);
    return *this;
}

Mapping::~Mapping() {
    if (data_ != nullptr) {
        system_->munmap(data_, length());
    }
}

} // namespace barscope::safety
