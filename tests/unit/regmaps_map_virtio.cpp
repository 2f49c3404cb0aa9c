// The virtio-pci map against <linux/virtio_pci.h> and a network device that lspci has decoded.
#include <catch2/catch.hpp>

#include <cstddef>

#include <linux/virtio_config.h>
#include <linux/virtio_pci.h>

#include "regmaps_map_support.h"

using namespace maptest;
using regmaps::CheckResult;
using regmaps::SpaceState;

namespace {

struct Place {
    const char* name;
    std::uint64_t offset;
    unsigned width;
};

// <linux/virtio_pci.h>; 64-bit addresses are two 32-bit halves there.
const Place common[] = {
    {"DEVICE_FEATURE_SELECT", VIRTIO_PCI_COMMON_DFSELECT, 32},
    {"DEVICE_FEATURE", VIRTIO_PCI_COMMON_DF, 32},
    {"DEVICE_FEATURE_0_31", VIRTIO_PCI_COMMON_DF, 32},
    {"DEVICE_FEATURE_32_63", VIRTIO_PCI_COMMON_DF, 32},
    {"DRIVER_FEATURE_SELECT", VIRTIO_PCI_COMMON_GFSELECT, 32},
    {"DRIVER_FEATURE", VIRTIO_PCI_COMMON_GF, 32},
    {"DRIVER_FEATURE_0_31", VIRTIO_PCI_COMMON_GF, 32},
    {"DRIVER_FEATURE_32_63", VIRTIO_PCI_COMMON_GF, 32},
    {"CONFIG_MSIX_VECTOR", VIRTIO_PCI_COMMON_MSIX, 16},
    {"NUM_QUEUES", VIRTIO_PCI_COMMON_NUMQ, 16},
    {"DEVICE_STATUS", VIRTIO_PCI_COMMON_STATUS, 8},
    {"CONFIG_GENERATION", VIRTIO_PCI_COMMON_CFGGENERATION, 8},
    {"QUEUE_SELECT", VIRTIO_PCI_COMMON_Q_SELECT, 16},
    {"QUEUE_SIZE", VIRTIO_PCI_COMMON_Q_SIZE, 16},
    {"QUEUE_MSIX_VECTOR", VIRTIO_PCI_COMMON_Q_MSIX, 16},
    {"QUEUE_ENABLE", VIRTIO_PCI_COMMON_Q_ENABLE, 16},
    {"QUEUE_NOTIFY_OFF", VIRTIO_PCI_COMMON_Q_NOFF, 16},
    {"QUEUE_DESC", VIRTIO_PCI_COMMON_Q_DESCLO, 64},
    {"QUEUE_DRIVER", VIRTIO_PCI_COMMON_Q_AVAILLO, 64},
    {"QUEUE_DEVICE", VIRTIO_PCI_COMMON_Q_USEDLO, 64},
    {"QUEUE_NOTIFY_DATA", VIRTIO_PCI_COMMON_Q_NDATA, 16},
    {"QUEUE_RESET", VIRTIO_PCI_COMMON_Q_RESET, 16},
    // VIRTIO 1.3, 4.1.4.3: they follow queue_reset
    {"ADMIN_QUEUE_INDEX", VIRTIO_PCI_COMMON_Q_RESET + 2, 16},
    {"ADMIN_QUEUE_NUM", VIRTIO_PCI_COMMON_Q_RESET + 4, 16},
};

const Place capability[] = {
    {"LENGTH_OF_CAP", VIRTIO_PCI_CAP_LEN, 8}, {"CFG_TYPE", VIRTIO_PCI_CAP_CFG_TYPE, 8},
    {"BAR", VIRTIO_PCI_CAP_BAR, 8},           {"ID", offsetof(virtio_pci_cap, id), 8},
    {"OFFSET", VIRTIO_PCI_CAP_OFFSET, 32},    {"LENGTH", VIRTIO_PCI_CAP_LENGTH, 32},
};

const regmaps::RegisterMap& virtio() {
    static const regmaps::RegisterMap map = load("virtio-pci");
    return map;
}

// pciutils tests/cap-vendor-virtio, cut: lspci's words for it are
//   Region 0: I/O ports at c060; Region 1: Memory at febd6000; Region 2: Memory
//   at fea00000 [size=512K] [70] VirtIO: Notify BAR=2 offset=00003000
//   size=00040000     [60] VirtIO: DeviceCfg BAR=2 offset=00002000
//   size=00001000 [50] VirtIO: ISR BAR=2 offset=00001000 size=00001000 [40]
//   VirtIO: CommonCfg BAR=2 offset=00000000 size=00001000
const char* const network_device = R"(
00: f4 1a 00 10 07 05 10 00 00 00 00 02 00 00 00 00
10: 61 c0 00 00 00 60 bd fe 00 00 a0 fe 00 00 00 00
20: 00 00 00 00 00 00 00 00 00 00 00 00 f4 1a 01 00
30: 00 00 b8 fe 84 00 00 00 00 00 00 00 0a 01 00 00
40: 09 00 10 01 02 00 00 00 00 00 00 00 00 10 00 00
50: 09 40 10 03 02 00 00 00 00 10 00 00 00 10 00 00
60: 09 50 10 04 02 00 00 00 00 20 00 00 00 10 00 00
70: 09 60 14 02 02 00 00 00 00 30 00 00 00 00 04 00
80: 00 10 00 00 11 70 02 80 01 00 00 00 01 08 00 00
)";

Device network() {
    auto d = Device::from_lspci(network_device);
    d.bars[2] = std::vector<std::uint8_t>(0x80000, 0);
    auto& bar = d.bars[2];
    store(bar, VIRTIO_PCI_COMMON_DFSELECT, 32, 1);
    store(bar, VIRTIO_PCI_COMMON_DF, 32,
          0x00000131); // VERSION_1, ORDER_PLATFORM, SR_IOV, RING_RESET
    store(bar, VIRTIO_PCI_COMMON_GFSELECT, 32, 0);
    store(bar, VIRTIO_PCI_COMMON_GF, 32,
          0x30000020); // INDIRECT_DESC, EVENT_IDX, the network device's MAC
    store(bar, VIRTIO_PCI_COMMON_MSIX, 16, VIRTIO_MSI_NO_VECTOR);
    store(bar, VIRTIO_PCI_COMMON_NUMQ, 16, 3);
    store(bar, VIRTIO_PCI_COMMON_STATUS, 8, 0x0f);
    store(bar, VIRTIO_PCI_COMMON_Q_SIZE, 16, 256);
    store(bar, VIRTIO_PCI_COMMON_Q_ENABLE, 16, 1);
    store(bar, VIRTIO_PCI_COMMON_Q_DESCLO, 64, 0x0000000123456000);
    store(bar, 0x1000, 8, 0x3); // interrupt status
    return d;
}

bool loads_in(const Pass& p, std::uint64_t begin, std::uint64_t end) {
    return std::any_of(p.loads().begin(), p.loads().end(), [&](const Load& l) {
        return l.bar == 2 && l.offset < end && l.offset + l.width / 8 > begin;
    });
}

} // namespace

TEST_CASE("virtio structures are laid out as Linux has them", "[maps][virtio]") {
    const auto at = [](const std::string& block, const Place& place) {
        CAPTURE(block, place.name);
        const Index r = find_register(virtio(), block + "." + place.name);
        REQUIRE(r != none);
        CHECK(virtio().registers[r].offset == place.offset);
        CHECK(unsigned{virtio().registers[r].width} == place.width);
        // VIRTIO 1.2, 4.1.3.1: 64-bit fields take 32-bit accesses.
        CHECK((virtio().registers[r].split == safety::Split::hi_lo_hi) == (place.width == 64));
    };
    for (const auto& p : common) {
        at("VIRTIO_COMMON", p);
    }
    for (const char* kind : {"COMMON", "NOTIFY", "ISR", "DEVICE", "PCI"}) {
        for (const auto& p : capability) {
            at(std::string("VIRTIO_CAP_") + kind, p);
        }
    }
    at("VIRTIO_CAP_NOTIFY", {"MULTIPLIER", VIRTIO_PCI_NOTIFY_CAP_MULT, 32});
    at("VIRTIO_CAP_PCI", {"DATA", offsetof(virtio_pci_cfg_cap, pci_cfg_data), 32});
    const std::pair<const char*, unsigned> kinds[] = {{"virtio_cap_common", VIRTIO_PCI_CAP_COMMON_CFG},
                                                      {"virtio_cap_notify", VIRTIO_PCI_CAP_NOTIFY_CFG},
                                                      {"virtio_cap_isr", VIRTIO_PCI_CAP_ISR_CFG},
                                                      {"virtio_cap_device", VIRTIO_PCI_CAP_DEVICE_CFG},
                                                      {"virtio_cap_pci", VIRTIO_PCI_CAP_PCI_CFG}};
    for (const auto& [name, kind] : kinds) {
        for (const auto& s : virtio().spaces) {
            if (virtio().text(s.name) == name) {
                CHECK(unsigned{s.capability} == 0x09u);
                CHECK(s.where_offset == VIRTIO_PCI_CAP_CFG_TYPE);
                CHECK(s.where_value == kind);
            }
        }
    }
}

TEST_CASE("virtio bits are Linux's", "[maps][virtio]") {
    struct Bit {
        const char* reg;
        const char* field;
        unsigned bit; // of the 64 features, or of the status
    };
    // Plain numbers: <linux/virtio_ring.h> (which C++ does not take) and VIRTIO 1.3, section 6.
    const Bit bits[] = {
        {"DEVICE_FEATURE_0_31", "NOTIFY_ON_EMPTY", VIRTIO_F_NOTIFY_ON_EMPTY},
        {"DEVICE_FEATURE_0_31", "ANY_LAYOUT", VIRTIO_F_ANY_LAYOUT},
        {"DEVICE_FEATURE_0_31", "INDIRECT_DESC", 28},
        {"DEVICE_FEATURE_0_31", "EVENT_IDX", 29},
        {"DEVICE_FEATURE_0_31", "UNUSED", 30},
        {"DEVICE_FEATURE_32_63", "VERSION_1", VIRTIO_F_VERSION_1},
        {"DEVICE_FEATURE_32_63", "ACCESS_PLATFORM", VIRTIO_F_ACCESS_PLATFORM},
        {"DEVICE_FEATURE_32_63", "RING_PACKED", VIRTIO_F_RING_PACKED},
        {"DEVICE_FEATURE_32_63", "IN_ORDER", VIRTIO_F_IN_ORDER},
        {"DEVICE_FEATURE_32_63", "ORDER_PLATFORM", VIRTIO_F_ORDER_PLATFORM},
        {"DEVICE_FEATURE_32_63", "SR_IOV", VIRTIO_F_SR_IOV},
        {"DEVICE_FEATURE_32_63", "NOTIFICATION_DATA", 38},
        {"DEVICE_FEATURE_32_63", "NOTIF_CONFIG_DATA", 39},
        {"DEVICE_FEATURE_32_63", "RING_RESET", VIRTIO_F_RING_RESET},
        {"DEVICE_FEATURE_32_63", "ADMIN_VQ", 41},
    };
    const auto mask = [](const std::string& reg, const char* field) {
        const Index r = find_register(virtio(), reg);
        REQUIRE(r != none);
        const Index f = find_field(virtio(), r, field);
        CAPTURE(reg, field);
        REQUIRE(f != none);
        return mask_of(virtio().fields[f]);
    };
    for (const auto& b : bits) {
        CAPTURE(b.field);
        CHECK(mask(std::string("VIRTIO_COMMON.") + b.reg, b.field) == 1u << b.bit % 32);
        // The driver's features are the device's.
        const std::string driver = "VIRTIO_COMMON.DRIVER" + std::string(b.reg).substr(6);
        CHECK(mask(driver, b.field) == 1u << b.bit % 32);
    }
    // Bits 0 to 23 and 50 to 127 belong to the device type.
    CHECK(mask("VIRTIO_COMMON.DEVICE_FEATURE_0_31", "DEVICE_TYPE") == 0x00ffffff);
    CHECK(mask("VIRTIO_COMMON.DEVICE_FEATURE_32_63", "DEVICE_TYPE") == 0xfffc0000);

    const std::string status = "VIRTIO_COMMON.DEVICE_STATUS";
    CHECK(mask(status, "ACKNOWLEDGE") == VIRTIO_CONFIG_S_ACKNOWLEDGE);
    CHECK(mask(status, "DRIVER") == VIRTIO_CONFIG_S_DRIVER);
    CHECK(mask(status, "DRIVER_OK") == VIRTIO_CONFIG_S_DRIVER_OK);
    CHECK(mask(status, "FEATURES_OK") == VIRTIO_CONFIG_S_FEATURES_OK);
    CHECK(mask(status, "NEEDS_RESET") == VIRTIO_CONFIG_S_NEEDS_RESET);
    CHECK(mask(status, "FAILED") == VIRTIO_CONFIG_S_FAILED);
    CHECK(mask("VIRTIO_ISR.STATUS", "CONFIG") == VIRTIO_PCI_ISR_CONFIG);
    CHECK(mask("VIRTIO_ISR.STATUS", "QUEUE") == 1);
}

TEST_CASE("three kinds of virtio register are not read, and no others", "[maps][virtio]") {
    for (Index r = 0; r < virtio().registers.size(); ++r) {
        const auto name = register_name(virtio(), r);
        CAPTURE(name);
        const auto expected = name == "VIRTIO_ISR.STATUS" || name == "VIRTIO_CAP_PCI.DATA"
                                  ? safety::WordStatus::side_effect
                              : name == "VIRTIO_NOTIFY.ADDRESS" ? safety::WordStatus::write_only
                                                                : safety::WordStatus::ok;
        CHECK(regmaps::readability(virtio(), virtio().registers[r]) == expected);
    }
}

TEST_CASE("the network device of pciutils' tests is found where lspci finds it", "[maps][virtio]") {
    const auto device = network();
    const Pass p(virtio(), device);
    const std::tuple<const char*, std::uint64_t, std::uint64_t> spaces[] = {
        {"virtio_common", 0x0, 0x1000}, {"virtio_isr", 0x1000, 0x1000}, {"virtio_notify", 0x3000, 0x40000}};
    for (const auto& [name, base, size] : spaces) {
        CAPTURE(name);
        CHECK(p.placed(name).state == SpaceState::present);
        CHECK(p.placed(name).bar == 2);
        CHECK(p.placed(name).base == base);
        CHECK(p.placed(name).size == size);
    }
    CHECK(p["VIRTIO_CAP_DEVICE.OFFSET"] == 0x2000);
    CHECK(p.text("VIRTIO_CAP_NOTIFY.CFG_TYPE") == "notify");
    CHECK(p["VIRTIO_CAP_NOTIFY.MULTIPLIER"] == 0x1000);
    // No window capability here.
    CHECK(p.space("virtio_cap_pci") == SpaceState::absent);
    CHECK_FALSE(p.has("VIRTIO_CAP_PCI.DATA"));
    CHECK(p["MSIX_FLAGS.ENABLE"] == 1);
    CHECK(p["PCI_BAR0.IO"] == 1);
}

TEST_CASE("the interrupt status is not read", "[maps][virtio]") {
    const auto device = network();
    const Pass p(virtio(), device);
    CHECK(p.status("VIRTIO_ISR.STATUS") == safety::WordStatus::side_effect);
    CHECK(p.offset("VIRTIO_ISR.STATUS") == 0x1000);
    CHECK(p["VIRTIO_ISR.STATUS"] == std::nullopt);
    CHECK_FALSE(loads_in(p, 0x1000, 0x80000));
    // 3 queues: each has its address, 0x1000 apart, and none is read.
    CHECK(p.offset("VIRTIO_NOTIFY.ADDRESS[0]") == 0x3000);
    CHECK(p.offset("VIRTIO_NOTIFY.ADDRESS[2]") == 0x5000);
    CHECK_FALSE(p.has("VIRTIO_NOTIFY.ADDRESS[3]"));
    CHECK(p.status("VIRTIO_NOTIFY.ADDRESS[0]") == safety::WordStatus::write_only);
}

TEST_CASE("the window into the BARs is not read", "[maps][virtio]") {
    auto device = network();
    // In place of the device-specific capability, one that points at the interrupt status.
    store(device.config, 0x71, 8, 0x90);
    store(device.config, 0x90, 32, VIRTIO_PCI_CAP_PCI_CFG << 24 | 0x145009);
    store(device.config, 0x94, 32, 2);
    store(device.config, 0x98, 32, 0x1000);
    store(device.config, 0x9c, 32, 1);
    const Pass p(virtio(), device);
    CHECK(p["VIRTIO_CAP_PCI.OFFSET"] == 0x1000);
    CHECK(p.status("VIRTIO_CAP_PCI.DATA") == safety::WordStatus::side_effect);
    CHECK(p.offset("VIRTIO_CAP_PCI.DATA") == 0xa0);
    for (const auto& l : p.loads()) {
        CHECK((l.bar != -1 || l.offset + l.width / 8 <= 0xa0 || l.offset >= 0xa4));
    }
    CHECK_FALSE(p.has("VIRTIO_CAP_DEVICE.OFFSET"));
}

TEST_CASE("common configuration means what the specification says", "[maps][virtio]") {
    auto device = network();
    {
        const Pass p(virtio(), device);
        // Only the half that the driver left selected can be seen.
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE_32_63.VERSION_1"] == 1);
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE_32_63.RING_PACKED"] == 0);
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE_32_63.ORDER_PLATFORM"] == 1);
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE_32_63.SR_IOV"] == 1);
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE_32_63.RING_RESET"] == 1);
        CHECK_FALSE(p.has("VIRTIO_COMMON.DEVICE_FEATURE_0_31"));
        CHECK_FALSE(p.has("VIRTIO_COMMON.DEVICE_FEATURE"));
        CHECK(p["VIRTIO_COMMON.DRIVER_FEATURE_0_31.INDIRECT_DESC"] == 1);
        CHECK(p["VIRTIO_COMMON.DRIVER_FEATURE_0_31.EVENT_IDX"] == 1);
        CHECK(p["VIRTIO_COMMON.DRIVER_FEATURE_0_31.DEVICE_TYPE"] == 0x20);
        CHECK(p.text("VIRTIO_COMMON.CONFIG_MSIX_VECTOR") == "none");
        CHECK(p["VIRTIO_COMMON.NUM_QUEUES"] == 3);
        CHECK(p["VIRTIO_COMMON.DEVICE_STATUS.DRIVER_OK"] == 1);
        CHECK(p["VIRTIO_COMMON.DEVICE_STATUS.FEATURES_OK"] == 1);
        CHECK(p["VIRTIO_COMMON.QUEUE_DESC"] == 0x123456000);
        CHECK(p.text("VIRTIO_COMMON.QUEUE_ENABLE") == "on");
        CHECK(p.check("virtio-device-ok") == CheckResult::passed);
        CHECK(p.check("virtio-driver-ok") == CheckResult::passed);
        CHECK(p.check("virtio-running") == CheckResult::passed);
        CHECK(p.has("VIRTIO_COMMON.ADMIN_QUEUE_NUM"));
    }
    SECTION("the other half, and none that is known") {
        store(device.bars[2], VIRTIO_PCI_COMMON_DFSELECT, 32, 2);
        store(device.bars[2], VIRTIO_PCI_COMMON_GFSELECT, 32, 1);
        store(device.bars[2], VIRTIO_PCI_COMMON_GF, 32, 1);
        const Pass p(virtio(), device);
        CHECK(p["VIRTIO_COMMON.DRIVER_FEATURE_32_63.VERSION_1"] == 1);
        CHECK_FALSE(p.has("VIRTIO_COMMON.DRIVER_FEATURE_0_31"));
        CHECK(p["VIRTIO_COMMON.DEVICE_FEATURE"] == 0x131);
        CHECK_FALSE(p.has("VIRTIO_COMMON.DEVICE_FEATURE_32_63"));
    }
    SECTION("a broken device") {
        store(device.bars[2], VIRTIO_PCI_COMMON_STATUS, 8, 0x4f);
        const Pass p(virtio(), device);
        CHECK(p.check("virtio-device-ok") == CheckResult::failed);
    }
    SECTION("a driver that gave up") {
        store(device.bars[2], VIRTIO_PCI_COMMON_STATUS, 8, 0x83);
        const Pass p(virtio(), device);
        CHECK(p.check("virtio-driver-ok") == CheckResult::failed);
        CHECK(p.severity("VIRTIO_COMMON.DEVICE_STATUS.FAILED") == regmaps::Severity::critical);
        CHECK(p.check("virtio-running") == CheckResult::failed);
    }
    SECTION("a structure that ends before the later fields") {
        store(device.config, 0x4c, 32, VIRTIO_PCI_COMMON_Q_NDATA);
        const Pass p(virtio(), device);
        CHECK_FALSE(p.has("VIRTIO_COMMON.QUEUE_NOTIFY_DATA"));
        CHECK_FALSE(p.has("VIRTIO_COMMON.ADMIN_QUEUE_NUM"));
        CHECK(p.has("VIRTIO_COMMON.QUEUE_DEVICE"));
    }
}

TEST_CASE("what cannot be mapped or is not there has no registers", "[maps][virtio]") {
    auto device = network();
    SECTION("structure in an I/O BAR") {
        store(device.config, 0x44, 8, 0);
        const Pass p(virtio(), device);
        CHECK(p.space("virtio_common") == SpaceState::absent);
        CHECK(p.check("virtio-device-ok") == CheckResult::not_applicable);
        CHECK_FALSE(p.has("VIRTIO_COMMON.DEVICE_STATUS"));
    }
    SECTION("reserved BAR number") {
        store(device.config, 0x44, 8, 6);
        const Pass p(virtio(), device);
        CHECK(p.space("virtio_common") == SpaceState::absent);
    }
    SECTION("legacy device without capabilities") {
        store(device.config, 0x34, 8, 0);
        const Pass p(virtio(), device);
        CHECK(p.space("virtio_common") == SpaceState::absent);
        CHECK(p.space("virtio_isr") == SpaceState::absent);
        CHECK(p["PCI_VENDOR_ID"] == 0x1af4);
        CHECK(std::none_of(p.loads().begin(), p.loads().end(), [](const Load& l) { return l.bar != -1; }));
    }
    SECTION("no multiplier: all queues share one address") {
        store(device.config, 0x80, 32, 0);
        const Pass p(virtio(), device);
        CHECK(p.offset("VIRTIO_NOTIFY.ADDRESS[0]") == 0x3000);
        CHECK_FALSE(p.has("VIRTIO_NOTIFY.ADDRESS[1]"));
    }
}

TEST_CASE("virtio devices are 1af4:1000 to 107f", "[maps][virtio]") {
    regmaps::PciIdentity id;
    id.vendor = 0x1af4;
    for (const auto& [device, fits] : {std::pair<std::uint16_t, bool>{0x0fff, false},
                                       {0x1000, true},
                                       {0x1041, true},
                                       {0x107f, true},
                                       {0x1080, false},
                                       {0x1110, false}}) {
        id.device = device;
        CAPTURE(device);
        CHECK(regmaps::match_specificity(virtio(), id).has_value() == fits);
    }
    id.vendor = 0x1af5;
    id.device = 0x1000;
    CHECK_FALSE(regmaps::match_specificity(virtio(), id).has_value());
}
