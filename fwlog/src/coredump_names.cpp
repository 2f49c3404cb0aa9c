#include "coredump_names.h"

#include <array>
#include <utility>

#include <fwlog/coredump.h>

namespace barscope::fwlog {

namespace {

constexpr std::array<std::pair<std::uint32_t, std::string_view>, 13> traces{{{1, "SRT trace"},
                                                                             {2, "SRT2 trace"},
                                                                             {3, "CRT trace"},
                                                                             {4, "CRT2 trace"},
                                                                             {5, "RIGP0 trace"},
                                                                             {6, "L2 HWRM trace"},
                                                                             {7, "RoCE HWRM trace"},
                                                                             {8, "CA0 trace"},
                                                                             {9, "CA1 trace"},
                                                                             {0xa, "CA2 trace"},
                                                                             {0xb, "RIGP1 trace"},
                                                                             {0xc, "ERR QPC trace"},
                                                                             {0xd, "AFM Kong HWRM trace"}}};
// 0x200 + the context's type.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 19> contexts{
    {{0x200, "QP context"},
     {0x201, "SRQ context"},
     {0x202, "CQ context"},
     {0x203, "VNIC context"},
     {0x204, "STAT context"},
     {0x205, "slow-path TQM context"},
     {0x206, "fast-path TQM context"},
     {0x20e, "MRAV context"},
     {0x20f, "TIM context"},
     {0x213, "crypto key context (0x13)"},
     {0x214, "crypto key context (0x14)"},
     {0x215, "MP TQM context"},
     {0x216, "SQ doorbell shadow"},
     {0x217, "RQ doorbell shadow"},
     {0x218, "SRQ doorbell shadow"},
     {0x219, "CQ doorbell shadow"},
     {0x21c, "table scope context"},
     {0x21d, "XID partition context"},
     {0x225, "pacing ring"}}};

} // namespace

std::string_view segment_name(std::uint32_t component, std::uint32_t id) {
    if (component == 2 && id == 0) {
        return "HWRM_VER_GET response";
    }
    if (component != driver_component) {
        return {};
    }
    for (const auto& [known, segment] : traces) {
        if (known == id) {
            return segment;
        }
    }
    for (const auto& [known, segment] : contexts) {
        if (known == id) {
            return segment;
        }
    }
    return id == 0 ? "driver state" : std::string_view();
}

bool is_trace(const Segment& segment) {
    return !segment.unrecognised && segment.component == driver_component && segment.id >= 1 &&
           segment.id <= 0xd;
}

} // namespace barscope::fwlog
