// The qemu-edu map against QEMU's docs/specs/edu.rst and hw/misc/edu.c.
#include <catch2/catch.hpp>

#include <set>

#include "regmaps_map_support.h"

using namespace maptest;
using regmaps::CheckResult;

namespace {

struct Word {
    const char* name;
    std::uint64_t offset; // in BAR 0
    unsigned width;
    bool readable;
};

// edu.rst: "Only size == 4 accesses are allowed for addresses < 0x80. size == 4 or size == 8 for the rest."
const Word words[] = {
    {"EDU_ID", 0x00, 32, true},        {"EDU_LIVENESS", 0x04, 32, true},   {"EDU_FACTORIAL", 0x08, 32, true},
    {"EDU_STATUS", 0x20, 32, true},    {"EDU_IRQ_STATUS", 0x24, 32, true}, {"EDU_IRQ_RAISE", 0x60, 32, false},
    {"EDU_IRQ_ACK", 0x64, 32, false},  {"EDU_DMA_SRC", 0x80, 64, true},    {"EDU_DMA_DST", 0x88, 64, true},
    {"EDU_DMA_COUNT", 0x90, 64, true}, {"EDU_DMA_CMD", 0x98, 64, true},
};

const regmaps::RegisterMap& edu() {
    static const regmaps::RegisterMap map = load("qemu-edu");
    return map;
}

Device board() {
    Device d;
    d.pci.vendor = 0x1234;
    d.pci.device = 0x11e8;
    d.bars[0] = std::vector<std::uint8_t>(0x100000,
                                          0xff); // what an unlisted offset gives
    auto& bar = d.bars[0];
    store(bar, 0x00, 32, 0x010000ed);
    store(bar, 0x04, 32, ~0x12345678u);
    store(bar, 0x08, 32, 120);
    store(bar, 0x20, 32, 0x80);
    store(bar, 0x24, 32, 0x101);
    store(bar, 0x80, 64, 0x40000);
    store(bar, 0x88, 64, 0x0abcd000);
    store(bar, 0x90, 64, 100);
    store(bar, 0x98, 64, 0x7);
    return d;
}

} // namespace

TEST_CASE("edu registers lie where QEMU has them and take the accesses that it takes", "[maps][edu]") {
    const auto device = board();
    const Pass p(edu(), device);
    for (const auto& w : words) {
        CAPTURE(w.name);
        CHECK(p.offset(w.name) == w.offset);
        CHECK(p.status(w.name) == (w.readable ? safety::WordStatus::ok : safety::WordStatus::write_only));
    }
    std::set<std::pair<std::uint64_t, unsigned>> expected;
    for (const auto& w : words) {
        if (w.readable) {
            expected.insert({w.offset, w.width});
        }
    }
    std::set<std::pair<std::uint64_t, unsigned>> loaded;
    for (const auto& l : p.loads()) {
        if (l.bar == 0) {
            CHECK(loaded.insert({l.offset, l.width}).second);
        }
    }
    CHECK(loaded == expected);
    for (const auto& s : edu().spaces) {
        if (edu().text(s.name) == "edu") {
            CHECK(unsigned{s.legal_widths} == 0x4u); // 32 only
        } else if (edu().text(s.name) == "edu_dma") {
            CHECK(unsigned{s.legal_widths} == 0xcu); // 32 and 64
        }
    }
}

TEST_CASE("edu values mean what QEMU says", "[maps][edu]") {
    auto device = board();
    {
        const Pass p(edu(), device);
        CHECK(p["EDU_ID.MAJOR"] == 1);
        CHECK(p["EDU_ID.MINOR"] == 0);
        CHECK(p.text("EDU_ID.MAGIC") == "edu");
        CHECK(p.unnamed("EDU_ID") == 0);
        CHECK(p["EDU_FACTORIAL"] == 120);
        CHECK(p["EDU_STATUS.COMPUTING"] == 0);
        CHECK(p["EDU_STATUS.IRQ_ENABLE"] == 1);
        CHECK(p["EDU_IRQ_STATUS.FACTORIAL"] == 1);
        CHECK(p["EDU_IRQ_STATUS.DMA"] == 1);
        CHECK(p["EDU_DMA_SRC"] == 0x40000);
        CHECK(p["EDU_DMA_COUNT"] == 100);
        CHECK(p["EDU_DMA_CMD.RUN"] == 1);
        CHECK(p.text("EDU_DMA_CMD.DIRECTION") == "device to memory");
        CHECK(p["EDU_DMA_CMD.IRQ"] == 1);
        CHECK(p.check("edu-identity") == CheckResult::passed);
    }
    store(device.bars[0], 0, 32, 0x010000ee);
    const Pass other(edu(), device);
    CHECK(other.check("edu-identity") == CheckResult::failed);
}

TEST_CASE("the edu map is for QEMU's device only", "[maps][edu]") {
    regmaps::PciIdentity id;
    id.vendor = 0x1234;
    id.device = 0x11e8;
    CHECK(regmaps::match_specificity(edu(), id).has_value());
    id.device = 0x1111; // QEMU's VGA
    CHECK_FALSE(regmaps::match_specificity(edu(), id).has_value());
}
