// The state of RDMA queues as the kernel tells it: the JSON of iproute2's `rdma -d -d -j resource show
// qp|cq|srq|mr`, and with -r the raw hardware contexts. Facts about its fields: Linux
// drivers/infiniband/core/nldev.c, drivers/infiniband/hw/bnxt_re/main.c (bnxt_re_fill_res_*, later
// than 6.12), iproute2 rdma/res-*.c and rdma/utils.c.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <safety/error.h>

namespace barscope::tool {

enum class HwqKind { qp, cq, srq, mr };
inline constexpr std::size_t hwq_kinds = 4;
std::string_view name(HwqKind kind);
std::optional<HwqKind> find_hwq_kind(std::string_view name);

struct HwqValue {
    std::string name; // without rdma's "drv_"
    std::string text;
    std::string note;    // what it means, or what is wrong with it
    bool driver = false; // from the driver, not from the RDMA core
    bool hidden = false; // a kernel address: not shown unless asked for
};

struct HwqObject {
    HwqKind kind = HwqKind::qp;
    std::string device;                // "bnxt_re0"
    std::optional<std::uint64_t> id;   // lqpn, cqn, srqn, mrn; nothing for a raw context
    std::vector<HwqValue> values;      // in rdma's order
    std::vector<std::string> remarks;  // conclusions
    std::vector<std::uint8_t> context; // raw; without the prefix below
    bool raw = false;                  // has a context
    // The first 8 bytes that newer out-of-tree drivers put before the context of a QP or CQ: the object's
    // number. The context is cut by as much at its end.
    std::optional<std::uint32_t> prefix;
};

// Several documents may stand one behind the other. `assumed`: the kind of raw contexts, which do not say it.
Result<std::vector<HwqObject>> parse_hwq(std::string_view text, std::optional<HwqKind> assumed,
                                         const std::string& where);

// Finds the prefix where the numbers of the same device's objects are known, and says what can be said of the
// contexts.
void judge_contexts(std::vector<HwqObject>& objects);

} // namespace barscope::tool
