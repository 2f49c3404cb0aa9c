// Which bytes of its space a register takes, as far as that is constant.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "loader_tables.h"

namespace barscope::regmaps {

struct Dimension {
    std::uint64_t count = 1, stride = 0;
    // The 0 that clang-tidy 14 sees is in what the compiler makes of it.
    friend auto operator<=>(const Dimension&, const Dimension&) = default; // NOLINT(modernize-use-nullptr)
};

// Elements at start + i * dims[0].stride + j * dims[1].stride + ..., the outermost dimension first. An array
// whose count or stride is not constant is seen as its element 0 only.
struct Footprint {
    Index anchor =
        none; // the block whose base is not constant: `start` counts from there; none: from the space's base
    std::uint64_t start = 0;
    std::array<Dimension, max_indices> dims;
    unsigned dim_count = 0;
    bool conditional = false;    // it or a block around it has a `when`
    bool beyond_64_bits = false; // the sum overflows; nothing else holds then

    // Behind the last byte of the last element, for elements of `bytes`; UINT64_MAX where that overflows.
    std::uint64_t end(std::uint64_t bytes) const;
};

class Footprints {
  public:
    explicit Footprints(const Tables& tables);
    Footprint of(const Register& reg) const;

  private:
    void add_array(const Array& array, Footprint& to) const;
    const Tables& tables_;
    std::vector<Footprint> blocks_; // of a block's own beginning
};

std::uint64_t bytes_of(const Register& reg);

// "BLOCK.SUB.NAME".
std::string path_of(const Tables& tables, const Register& reg);

} // namespace barscope::regmaps
