// What a 64-bit doorbell word says, and what one of the map's generation cannot say. Facts: Linux
// drivers/net/ethernet/broadcom/bnxt/bnxt.h (DBR_*, bnxt_db_nq and its like) and
// drivers/infiniband/hw/bnxt_re/qplib_res.h (bnxt_qplib_ring_db and its like).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include <regmaps/model.h>

namespace barscope::tool {

// Empty where the structure is no such word.
std::vector<std::string> doorbell_remarks(const regmaps::RegisterMap& map, regmaps::Index structure,
                                          std::span<const std::uint8_t> bytes,
                                          std::optional<std::uint64_t> ring_size);

} // namespace barscope::tool
