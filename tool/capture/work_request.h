// The scatter/gather list of a work request: 16 bytes each behind its head of 32 bytes, as many as its
// WQE_SIZE leaves room for. Linux drivers/infiniband/hw/bnxt_re/roce_hsi.h sq_sge; qplib_fp.c
// bnxt_qplib_required_slots and bnxt_qplib_put_sges.
#pragma once

#include <cstdint>
#include <vector>

#include <capture/pasted.h>

namespace barscope::tool {

struct ScatterGather {
    std::uint64_t address = 0; // virtual or DMA, as the key says
    std::uint32_t key = 0, size = 0;
};

// Empty where the entry is no request with such a list, or holds its data itself (inline).
std::vector<ScatterGather> scatter_gather_of(const regmaps::RegisterMap& map, const PastedSet& set,
                                             const Pasted& entry);

} // namespace barscope::tool
