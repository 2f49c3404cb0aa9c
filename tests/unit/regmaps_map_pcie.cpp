// Real configuration spaces through the pcie map. The dumps are facts from pciutils' test data (tests/cap-*,
// cut to what is used, the serial number replaced); the expected values are what lspci -vvv printed for the
// same bytes there.
#include <catch2/catch.hpp>

#include "regmaps_map_support.h"

using namespace maptest;
using regmaps::CheckResult;
using regmaps::Severity;

namespace {

// pciutils tests/cap-aer-hdr: Intel root port with a slot.
const char* const root_port = R"(
00: 86 80 10 9d 07 00 10 00 f1 00 04 06 00 00 81 00
10: 00 00 00 00 00 00 00 00 00 02 02 00 f0 00 00 20
20: 10 f1 10 f1 f1 ff 01 00 00 00 00 00 00 00 00 00
30: 00 00 00 00 40 00 00 00 00 00 00 00 ff 01 00 00
40: 10 80 42 01 01 80 00 00 20 00 10 00 13 48 72 01
50: 42 00 12 70 00 b2 04 00 00 00 40 01 00 00 00 00
60: 00 00 00 00 37 08 00 00 00 04 00 00 0e 00 00 00
70: 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
80: 05 90 00 00 00 00 00 00 00 00 00 00 00 00 00 00
90: 0d a0 00 00 aa 17 38 22 00 00 00 00 00 00 00 00
a0: 01 00 03 c8 00 00 00 00 00 00 00 00 00 00 00 00
100: 01 00 01 14 00 00 00 00 00 00 01 00 11 00 06 00
110: 00 00 00 00 00 20 00 00 00 00 00 00 00 00 00 00
140: 0d 00 01 20 0f 00 00 00 00 00 00 00 00 00 00 00
200: 1e 00 01 22 1f 28 28 00 0f 3c a0 40 31 00 00 00
220: 19 00 01 00 00 00 00 00 00 00 00 00 77 75 77 75
)";

// pciutils tests/cap-dpc: switch downstream port, first 256 bytes.
const char* const switch_port = R"(
00: b5 10 16 97 07 05 10 00 aa 00 04 06 08 00 01 00
10: 00 00 00 00 00 00 00 00 05 06 06 00 f1 01 00 00
20: c0 c6 f0 c6 c1 f9 f1 f9 3f 38 00 00 3f 38 00 00
30: 00 00 00 00 40 00 00 00 00 00 00 00 0a 01 12 00
40: 01 48 03 c8 08 00 00 00 05 68 87 01 d8 04 e0 fe
50: 00 00 00 00 00 00 00 00 fe 00 00 00 00 00 00 00
60: 00 00 00 00 00 00 00 00 10 a4 62 01 03 80 00 00
70: 00 08 09 00 43 68 79 01 00 00 43 60 fa 0c 08 00
80: f8 11 40 00 00 00 00 00 00 00 00 00 60 08 04 00
90: 20 00 00 00 0e 0f 00 00 03 00 1e 00 00 00 00 00
a0: 00 00 00 00 0d 00 00 00 b5 10 16 97 00 00 00 00
)";

// pciutils tests/cap-l1-pm: wireless card. The serial number is replaced.
const char* const endpoint = R"(
00: 86 80 5a 09 06 04 10 00 61 00 80 02 10 00 00 00
10: 04 00 00 d1 00 00 00 00 00 00 00 00 00 00 00 00
20: 00 00 00 00 00 00 00 00 00 00 00 00 86 80 10 50
30: 00 00 00 00 c8 00 00 00 00 00 00 00 00 01 00 00
40: 10 00 02 00 c0 8e 00 10 10 0c 10 00 11 e8 46 00
50: 42 01 11 10 00 00 00 00 00 00 00 00 00 00 00 00
60: 00 00 00 00 12 08 08 00 05 04 00 00 00 00 00 00
70: 01 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00
c0: 00 00 00 00 00 00 00 00 01 d0 23 c8 00 00 00 0d
d0: 05 40 81 00 0c f0 e0 fe 00 00 00 00 62 41 00 00
100: 01 00 01 14 00 00 00 00 00 00 00 00 31 20 46 00
110: 00 00 00 00 00 20 00 00 00 00 00 00 00 00 00 00
140: 03 00 c1 14 02 00 00 fe ff 01 00 00 18 00 41 15
150: 03 10 03 10 1e 00 01 00 1f 1e f0 00 0f 00 a0 40
160: f0 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00
)";

// pciutils tests/cap-dvsec-cxl: root complex integrated endpoint with SR-IOV and a resizable BAR.
const char* const integrated = R"(
00: 86 80 93 0d 40 01 10 00 00 00 00 ff 08 40 80 00
10: 00 00 f0 a6 00 00 00 00 01 a4 00 00 00 00 00 00
20: 08 00 00 a0 00 00 00 00 00 00 00 00 00 00 00 00
30: 00 00 00 00 40 00 00 00 00 00 00 00 ff 01 00 00
40: 10 80 92 00 e1 8f 00 10 1f 21 00 00 00 00 00 00
60: 00 00 00 00 9f 0b 78 00 00 00 00 00 00 00 00 00
80: 05 a0 84 03 00 00 00 00 00 00 00 00 00 00 00 00
a0: 01 00 13 f8 08 00 00 00 00 00 00 00 00 00 00 00
100: 01 00 01 20 00 00 00 00 00 00 10 00 10 30 46 00
110: 00 00 00 00 00 20 00 00 e0 03 00 00 00 00 00 00
200: 08 00 01 30 00 00 00 00 01 00 00 00 00 00 00 00
300: 09 00 01 70 00 00 00 00 00 00 00 00 00 00 00 00
310: 00 00 00 00 ff 00 00 80 00 00 00 00 00 00 00 00
700: 15 00 41 71 00 03 00 00 24 04 00 00 00 00 00 00
710: 00 00 00 00 19 00 01 b8 00 00 00 00 00 00 00 00
b80: 10 00 01 00 02 00 00 00 00 00 00 00 06 00 06 00
b90: 00 00 00 00 10 00 02 00 00 00 52 0d 3f 00 00 00
ba0: 01 00 00 00 00 00 90 a6 00 00 00 00 00 80 02 a7
bb0: 00 00 00 00 00 00 00 94 00 00 00 00 00 00 00 00
)";

const regmaps::RegisterMap& pcie() {
    static const regmaps::RegisterMap map = load("pcie");
    return map;
}

} // namespace

TEST_CASE("a root port decodes as lspci decodes it", "[maps][pcie]") {
    const auto device = Device::from_lspci(root_port);
    const Pass p(pcie(), device);

    CHECK(p["PCI_VENDOR_ID"] == 0x8086);
    CHECK(p["PCI_COMMAND.IO"] == 1);
    CHECK(p["PCI_COMMAND.MEMORY"] == 1);
    CHECK(p["PCI_COMMAND.MASTER"] == 1);
    CHECK(p["PCI_COMMAND.SERR"] == 0);
    CHECK(p.text("PCI_CLASS_REVISION.BASE") == "bridge");
    CHECK(p["PCI_CLASS_REVISION.REVISION"] == 0xf1);
    CHECK(p.text("PCI_HEADER_TYPE.LAYOUT") == "PCI-PCI bridge");
    // Bus: primary=00, secondary=02, subordinate=02
    CHECK(p["PCI_PRIMARY_BUS"] == 0);
    CHECK(p["PCI_SECONDARY_BUS"] == 2);
    CHECK(p["PCI_SUBORDINATE_BUS"] == 2);
    CHECK(p["PCI_MEMORY_BASE.ADDRESS"] == 0xf11);
    CHECK(p["PCI_SEC_STATUS.REC_MASTER_ABORT"] == 1);
    // The other header's registers are not there.
    CHECK_FALSE(p.has("PCI_BAR2"));
    CHECK_FALSE(p.has("PCI_SUBSYSTEM_ID"));
    CHECK_FALSE(p.has("PCI_MIN_GNT"));
    CHECK(p.has("PCI_BRIDGE_CONTROL"));

    // Express (v2) Root Port (Slot+), MSI 00
    CHECK(p["PCIE_FLAGS.VERSION"] == 2);
    CHECK(p.text("PCIE_FLAGS.PORT_TYPE") == "root port");
    CHECK(p["PCIE_FLAGS.SLOT"] == 1);
    CHECK(p.text("PCIE_DEVCAP.MAX_PAYLOAD") == "256 bytes");
    CHECK(p.text("PCIE_DEVCTL.MAX_PAYLOAD") == "256 bytes");
    CHECK(p.text("PCIE_DEVCTL.MAX_READ_REQUEST") == "128 bytes");
    CHECK(p["PCIE_DEVSTA.AUX_POWER"] == 1);
    CHECK(p["PCIE_LNKCAP.PORT_NUMBER"] == 1);
    CHECK(p.text("PCIE_LNKCAP.MAX_SPEED") == "8 GT/s");
    CHECK(p.text("PCIE_LNKCAP.MAX_WIDTH") == "x1");
    CHECK(p.text("PCIE_LNKCAP.ASPM") == "L1");
    CHECK(p.text("PCIE_LNKCAP.L0S_EXIT") == "512 ns to 1 us");
    CHECK(p.text("PCIE_LNKCAP.L1_EXIT") == "8 to 16 us");
    CHECK(p["PCIE_LNKCAP.ASPM_OPTIONALITY"] == 1);
    CHECK(p.text("PCIE_LNKCTL.ASPM") == "L1");
    CHECK(p["PCIE_LNKCTL.COMMON_CLOCK"] == 1);
    CHECK(p.text("PCIE_LNKSTA.SPEED") == "5 GT/s");
    CHECK(p.text("PCIE_LNKSTA.WIDTH") == "x1");
    CHECK(p["PCIE_LNKSTA.DLL_ACTIVE"] == 1);
    CHECK(p["PCIE_LNKSTA.BANDWIDTH_MANAGEMENT"] == 1);
    // PowerLimit 10.000W; NoCompl+
    CHECK(p["PCIE_SLTCAP.POWER_VALUE"] == 100);
    CHECK(p.text("PCIE_SLTCAP.POWER_SCALE") == "0.1 W");
    CHECK(p["PCIE_SLTCAP.NO_COMMAND_COMPLETED"] == 1);
    CHECK(p.text("PCIE_SLTSTA.PRESENCE") == "occupied");
    CHECK(p["PCIE_SLTSTA.LINK_STATE_CHANGED"] == 1);
    CHECK(p.text("PCIE_DEVCAP2.TIMEOUT_RANGES") == "A B C");
    CHECK(p["PCIE_DEVCAP2.LTR"] == 1);
    CHECK(p.text("PCIE_DEVCTL2.TIMEOUT") == "50 us to 50 ms");
    CHECK(p["PCIE_DEVCTL2.LTR"] == 1);
    CHECK(p.text("PCIE_LNKCTL2.TARGET_SPEED") == "8 GT/s");

    CHECK(p["MSI_FLAGS.ENABLE"] == 0);
    CHECK(p["MSI_FLAGS.ADDRESS_64"] == 0);
    CHECK(p["MSI_DATA_32"] == 0);
    CHECK_FALSE(p.has("MSI_DATA_64"));
    CHECK_FALSE(p.has("MSI_MASK_32"));

    CHECK(p["AER_UNCOR_STATUS"] == 0);
    CHECK(p["AER_UNCOR_MASK.UNEXPECTED_COMPLETION"] == 1);
    CHECK(p["AER_UNCOR_SEVER.DLP"] == 1);
    CHECK(p["AER_UNCOR_SEVER.RECEIVER_OVERFLOW"] == 1);
    CHECK(p["AER_UNCOR_SEVER.MALFORMED_TLP"] == 1);
    CHECK(p["AER_COR_MASK.ADVISORY_NONFATAL"] == 1);
    CHECK(p.has("AER_ROOT_STATUS"));
    CHECK_FALSE(p.has("AER_PREFIX_LOG[0]"));
    CHECK(p["ACS_CAP.SOURCE_VALIDATION"] == 1);
    CHECK(p["ACS_CAP.COMPLETION_REDIRECT"] == 1);
    CHECK(p["ACS_CAP.UPSTREAM_FORWARDING"] == 0);
    CHECK_FALSE(p.has("ACS_EGRESS_CTL[0]"));
    // PortCommonModeRestoreTime=40us PortTPowerOnTime=10us; T_CommonMode=60us LTR1.2_Threshold=163840ns;
    // T_PwrOn=60us
    CHECK(p["L1SS_CAP.COMMON_MODE_RESTORE"] == 40);
    CHECK(p["L1SS_CAP.POWER_ON_VALUE"] == 5);
    CHECK(p.text("L1SS_CAP.POWER_ON_SCALE") == "2 us");
    CHECK(p["L1SS_CTL1.COMMON_MODE_RESTORE"] == 60);
    CHECK(p["L1SS_CTL1.L12_THRESHOLD_VALUE"] == 160);
    CHECK(p.text("L1SS_CTL1.L12_THRESHOLD_SCALE") == "1024 ns");
    CHECK(p["L1SS_CTL2.POWER_ON_VALUE"] == 6);
    CHECK(p.text("L1SS_CTL2.POWER_ON_SCALE") == "10 us");

    CHECK(p.derived("pcie_link_speed") == 50);
    CHECK(p.derived_text("pcie_link_speed") == "5 GT/s");
    CHECK(p.derived_text("pcie_link_speed_max") == "8 GT/s");
    CHECK(p.derived("pcie_link_slow") == 1);
    CHECK(p.derived("pcie_link_narrow") == 0);
    CHECK(p.derived("pcie_max_payload") == 256);
    // The device below decides the speed: a port is not judged by it, as lspci does not call it downgraded.
    CHECK(p.check("link-speed-full") == CheckResult::not_applicable);
    CHECK(p.check("link-not-training") == CheckResult::passed);
    CHECK(p.check("aer-root-clean") == CheckResult::passed);
    CHECK(p.check("slot-power-ok") == CheckResult::passed);
    CHECK(p.check("power-state-d0") == CheckResult::passed);
}

TEST_CASE("a switch port decodes as lspci decodes it", "[maps][pcie]") {
    const auto device = Device::from_lspci(switch_port);
    const Pass p(pcie(), device);
    CHECK(p["PCI_PRIMARY_BUS"] == 5);
    CHECK(p["PCI_SECONDARY_BUS"] == 6);
    CHECK(p["PCI_CACHE_LINE_SIZE"] == 8); // 32 bytes
    // Prefetchable memory behind bridge: 0000383ff9c00000-0000383ff9ffffff
    CHECK(p["PCI_PREF_BASE_UPPER32"] == 0x383f);
    CHECK(p["PCI_PREF_MEMORY_BASE.ADDRESS"] == 0xf9c);
    CHECK(p.text("PCI_PREF_MEMORY_BASE.TYPE") == "64-bit");
    CHECK(p["PCI_BRIDGE_CONTROL.SERR"] == 1);
    CHECK(p["PCI_BRIDGE_CONTROL.VGA16"] == 1);
    // MSI: Enable+ Count=1/8 Maskable+ 64bit+; Address: 00000000fee004d8  Data: 0000; Masking: 000000fe
    CHECK(p["MSI_FLAGS.ENABLE"] == 1);
    CHECK(p.text("MSI_FLAGS.QMASK") == "8");
    CHECK(p.text("MSI_FLAGS.QSIZE") == "1");
    CHECK(p["MSI_ADDRESS_LO"] == 0xfee004d8);
    CHECK(p["MSI_ADDRESS_HI"] == 0);
    CHECK(p["MSI_DATA_64"] == 0);
    CHECK(p["MSI_MASK_64"] == 0xfe);
    CHECK(p["MSI_PENDING_64"] == 0);
    CHECK_FALSE(p.has("MSI_DATA_32"));
    CHECK_FALSE(p.has("MSI_MASK_32"));
    CHECK(p.text("PCIE_FLAGS.PORT_TYPE") == "switch downstream port");
    CHECK(p.text("PCIE_DEVCAP.MAX_PAYLOAD") == "1024 bytes");
    // DevSta: CorrErr+ UnsuppReq+; LnkSta: Speed 8GT/s, Width x4
    CHECK(p["PCIE_DEVSTA.CORRECTABLE"] == 1);
    CHECK(p["PCIE_DEVSTA.UNSUPPORTED_REQUEST"] == 1);
    CHECK(p.severity("PCIE_DEVSTA.UNSUPPORTED_REQUEST") == Severity::notice);
    CHECK(p.text("PCIE_LNKSTA.SPEED") == "8 GT/s");
    CHECK(p.text("PCIE_LNKSTA.WIDTH") == "x4");
    CHECK(p["PCIE_SLTCAP.SLOT_NUMBER"] == 1);
    CHECK(p["PCIE_SLTCAP.POWER_VALUE"] == 25);
    CHECK(p.text("PCIE_SLTCAP.POWER_SCALE") == "1 W");
    // SltCtl: AttnInd Off, PwrInd On, Power-
    CHECK(p.text("PCIE_SLTCTL.ATTENTION_INDICATOR") == "off");
    CHECK(p.text("PCIE_SLTCTL.POWER_INDICATOR") == "on");
    CHECK(p.text("PCIE_SLTCTL.POWER") == "on");
    CHECK(p.text("PCIE_DEVCAP2.OBFF") == "message");
    CHECK(p["PCIE_LNKSTA2.EQ_COMPLETE"] == 1);
    CHECK(p["PCIE_LNKSTA2.EQ_PHASE3"] == 1);
    CHECK_FALSE(p.has("PCIE_RTSTA"));
    // 4 lanes of 8 GT/s: 31.504 Gb/s, as Linux's pcie_print_link_status() counts.
    CHECK(p.derived_text("pcie_link_bandwidth") == "31.504 Gb/s");
    // The dump ends before the extended capabilities.
    CHECK(p.space("aer") == regmaps::SpaceState::absent);
    CHECK(p.check("aer-correctable-clean") == CheckResult::not_applicable);
    CHECK(p.check("device-correctable-clean") == CheckResult::failed);
    CHECK(p.check("device-status-clean") == CheckResult::passed);
}

TEST_CASE("an endpoint decodes as lspci decodes it", "[maps][pcie]") {
    const auto device = Device::from_lspci(endpoint);
    const Pass p(pcie(), device);
    CHECK(p.text("PCI_CLASS_REVISION.BASE") == "network");
    CHECK(p["PCI_BAR0.ADDRESS"] == 0xd100000); // d1000000, 64-bit
    CHECK(p.text("PCI_BAR0.TYPE") == "64-bit");
    CHECK_FALSE(p.has("PCI_BAR1"));
    CHECK(p["PCI_BAR1_HI"] == 0);
    CHECK(p.has("PCI_BAR2"));
    CHECK(p["PCI_SUBSYSTEM_ID"] == 0x5010);
    CHECK(p["PM_CAP.DSI"] == 1);
    CHECK(p["PM_CAP.PME_D3COLD"] == 1);
    CHECK(p.text("PM_CTRL.STATE") == "D0");
    CHECK(p["MSI_ADDRESS_LO"] == 0xfee0f00c);
    CHECK(p["MSI_DATA_64"] == 0x4162);
    CHECK_FALSE(p.has("MSI_MASK_64"));
    CHECK(p.text("PCIE_DEVCAP.L0S_LATENCY") == "512 ns");
    CHECK(p.text("PCIE_DEVCAP.L1_LATENCY") == "no limit");
    CHECK(p["PCIE_DEVCAP.FLR"] == 1);
    CHECK(p.text("PCIE_LNKCAP.L0S_EXIT") == "2 to 4 us");
    CHECK(p.text("PCIE_LNKCAP.L1_EXIT") == "16 to 32 us");
    CHECK(p["PCIE_LNKCTL.CLOCK_PM"] == 1);
    CHECK(p.text("PCIE_DEVCAP2.OBFF") == "WAKE#");
    CHECK(p.text("PCIE_DEVCTL2.TIMEOUT") == "16 ms to 55 ms");
    CHECK(p.text("PCIE_LNKSTA2.DEEMPHASIS") == "-3.5 dB");
    CHECK_FALSE(p.has("PCIE_SLTCAP"));
    CHECK_FALSE(p.has("AER_ROOT_STATUS"));
    CHECK(p.derived("device_serial_number") == 0x000001fffe000002);
    CHECK(p.derived_text("device_serial_number") == "0x000001fffe000002"); // lspci: 00-00-01-ff-fe-00-00-02
    // Max snoop latency: 3145728ns
    CHECK(p.derived("ltr_max_snoop") == 3145728);
    CHECK(p.derived("ltr_max_nosnoop") == 3145728);
    CHECK(p.derived_text("pcie_link_speed") == "2.5 GT/s");
    for (const auto& check : p.decoded().checks) {
        CAPTURE(pcie().text(pcie().checks[check.check].name));
        CHECK(check.result != CheckResult::failed);
        CHECK(check.result != CheckResult::not_evaluated);
    }
}

TEST_CASE("an integrated endpoint has no link and shows SR-IOV and resizable BARs", "[maps][pcie]") {
    const auto device = Device::from_lspci(integrated);
    const Pass p(pcie(), device);
    CHECK(p.text("PCIE_FLAGS.PORT_TYPE") == "root complex integrated endpoint");
    CHECK_FALSE(p.has("PCIE_LNKSTA"));
    CHECK_FALSE(p.has("PCIE_LNKCAP2"));
    CHECK(p.has("PCIE_DEVCAP2"));
    CHECK(p.derived("pcie_link_speed") == std::nullopt);
    CHECK(p.check("link-width-full") == CheckResult::not_applicable);
    // Region 2: I/O ports at a400; Region 4: Memory at a0000000 (32-bit, prefetchable)
    CHECK(p["PCI_BAR2.IO"] == 1);
    CHECK(p["PCI_BAR2.PORT"] == 0xa400 >> 2);
    CHECK(p["PCI_BAR2.PREFETCH"] == std::nullopt);
    CHECK(p["PCI_BAR4.PREFETCH"] == 1);
    CHECK(p.text("PCI_BAR4.TYPE") == "32-bit");
    // MaxEETLPPrefixes 1; 32bit+ 64bit+ 128bitCAS+
    CHECK(p.text("PCIE_DEVCAP2.MAX_TLP_PREFIX") == "1");
    CHECK(p["PCIE_DEVCAP2.ATOMIC_128"] == 1);
    CHECK(p["AER_CAP.MULTI_HEADER_CAPABLE"] == 1);
    CHECK(p["AER_UNCOR_MASK.UNSUPPORTED_REQUEST"] == 1);
    // Virtual channel under id 9: Ctrl: Enable+ ID=0 TC/VC=ff
    CHECK_FALSE(p.has("VC_PORT_CAP1"));
    CHECK(p["VC9[0].CTRL.ENABLE"] == 1);
    CHECK(p["VC9[0].CTRL.TC_MAP"] == 0xff);
    CHECK_FALSE(p.has("VC9[1].CTRL"));
    // BAR 4: current size: 16MB, supported: 16MB 32MB
    CHECK(p["REBAR_CTRL_0.BAR"] == 4);
    CHECK(p["REBAR_CTRL_0.COUNT"] == 1);
    CHECK(p.text("REBAR_CTRL_0.SIZE") == "16 MiB");
    CHECK(p["REBAR_CAP_0.SIZES"] == 0x30);
    CHECK_FALSE(p.has("REBAR_CAP_1"));
    // Initial VFs: 6, Total VFs: 6, Number of VFs: 0; VF offset: 16, stride: 2, Device ID: 0d52
    CHECK(p["SRIOV_INITIAL_VF"] == 6);
    CHECK(p["SRIOV_TOTAL_VF"] == 6);
    CHECK(p["SRIOV_NUM_VF"] == 0);
    CHECK(p["SRIOV_VF_OFFSET"] == 16);
    CHECK(p["SRIOV_VF_STRIDE"] == 2);
    CHECK(p["SRIOV_VF_DID"] == 0x0d52);
    CHECK(p["SRIOV_SUP_PGSIZE"] == 0x3f);
    CHECK(p["SRIOV_BAR0"] == 0xa6900000);
    CHECK(p["SRIOV_BAR2"] == 0xa7028000);
    CHECK(p["SRIOV_BAR4"] == 0x94000000);
    CHECK_FALSE(p.has("SRIOV_VFM"));
}

TEST_CASE("each word of configuration space is read once and at its own width", "[maps][pcie]") {
    for (const char* dump : {root_port, switch_port, endpoint, integrated}) {
        const auto device = Device::from_lspci(dump);
        const Pass p(pcie(), device);
        std::uint64_t end = 0;
        for (const auto& load : p.loads()) {
            CAPTURE(load.offset, load.width);
            CHECK(load.bar == -1);
            CHECK(load.offset >= end); // ascending: no overlap, so no byte twice
            CHECK(load.offset % (load.width / 8) == 0);
            end = load.offset + load.width / 8;
        }
        CHECK(p.loads().size() >= 50);
    }
}

TEST_CASE("64-bit BARs take the register behind them, wherever they start", "[maps][pcie]") {
    auto device = Device::from_lspci(endpoint);
    const std::uint32_t bars[] = {0xe0000000, 0xf000000c, 0x00000038, 0x0000e001, 0xd0000004, 0x00000001};
    for (unsigned i = 0; i < 6; ++i) {
        store(device.config, 0x10 + 4 * i, 32, bars[i]);
    }
    const Pass p(pcie(), device);
    CHECK(p["PCI_BAR0"] == 0xe0000000);
    CHECK(p.text("PCI_BAR1.TYPE") == "64-bit");
    CHECK(p["PCI_BAR1.PREFETCH"] == 1);
    CHECK_FALSE(p.has("PCI_BAR2"));
    CHECK(p["PCI_BAR2_HI"] == 0x38); // though its low bits look like a BAR's
    CHECK(p["PCI_BAR3.IO"] == 1);
    CHECK(p.text("PCI_BAR4.TYPE") == "64-bit");
    CHECK_FALSE(p.has("PCI_BAR5"));
    CHECK(p["PCI_BAR5_HI"] == 1);
    CHECK_FALSE(p.has("PCI_BAR3_HI"));
}

TEST_CASE("a link below what the device can is found", "[maps][pcie]") {
    auto device = Device::from_lspci(endpoint);
    // LnkCap: 8 GT/s x8; LnkSta: 5 GT/s x4
    store(device.config, 0x4c, 32, (little_endian(device.config, 0x4c, 32) & ~0x3ffu) | 0x083);
    store(device.config, 0x52, 16, 0x1042);
    const Pass p(pcie(), device);
    CHECK(p.check("link-width-full") == CheckResult::failed);
    CHECK(p.check("link-speed-full") == CheckResult::failed);
    CHECK(p.derived("pcie_link_narrow") == 1);
    CHECK(p.derived("pcie_link_bandwidth") == 16000); // 4 lanes x 5 GT/s x 8/10

    SECTION("a virtual function shows no link and is not judged") {
        store(device.config, 0x52, 16, 0);
        const Pass vf(pcie(), device);
        CHECK(vf.check("link-width-full") == CheckResult::not_applicable);
        CHECK(vf.check("link-speed-full") == CheckResult::not_applicable);
        CHECK(vf.derived("pcie_link_speed") == std::nullopt);
    }
    SECTION("a speed code without a meaning gives no number") {
        store(device.config, 0x52, 16, 0x104f);
        const Pass odd(pcie(), device);
        CHECK(odd["PCIE_LNKSTA.SPEED"] == 0xf);
        CHECK(odd.text("PCIE_LNKSTA.SPEED").empty());
        CHECK(odd.derived("pcie_link_speed") == std::nullopt);
        CHECK(odd.derived("pcie_link_bandwidth") == std::nullopt);
    }
}

TEST_CASE("logged errors are found and told apart", "[maps][pcie]") {
    auto device = Device::from_lspci(endpoint);
    const unsigned aer = 0x100;

    SECTION("unsupported request: left over from enumeration") {
        store(device.config, aer + 4, 32, 1u << 20);
        const Pass p(pcie(), device);
        CHECK(p.severity("AER_UNCOR_STATUS.UNSUPPORTED_REQUEST") == Severity::notice);
        CHECK(p.check("aer-unsupported-request-clean") == CheckResult::failed);
        CHECK(p.check("aer-uncorrectable-clean") == CheckResult::passed);
        CHECK(p.check("aer-fatal-clean") == CheckResult::passed);
    }
    SECTION("completion timeout: not fatal by this device's severity register") {
        store(device.config, aer + 4, 32, 1u << 14);
        // First error 14; memory read of 1 word, requester 01:00.0, tag 5, 32-bit address 0xfebd6010.
        store(device.config, aer + 0x18, 32, 14);
        store(device.config, aer + 0x1c, 32, 0x00000001);
        store(device.config, aer + 0x20, 32, 0x0100050f);
        store(device.config, aer + 0x24, 32, 0xfebd6010);
        const Pass p(pcie(), device);
        CHECK(p.severity("AER_UNCOR_STATUS.COMPLETION_TIMEOUT") == Severity::warning);
        CHECK(p.check("aer-uncorrectable-clean") == CheckResult::failed);
        CHECK(p.check("aer-fatal-clean") == CheckResult::passed);
        CHECK(p["AER_CAP.FIRST_ERROR"] == 14);
        CHECK(p.text("AER_HEADER_LOG_0.FMT_TYPE") == "MRd32");
        CHECK(p["AER_HEADER_LOG_0.LENGTH"] == 1);
        CHECK(p["AER_HEADER_LOG_1.SENDER"] == 0x0100);
        CHECK(p["AER_HEADER_LOG_1.TAG"] == 5);
        CHECK(p["AER_HEADER_LOG_1.FIRST_BE"] == 0xf);
        CHECK(p["AER_HEADER_LOG_2"] == 0xfebd6010);
    }
    SECTION("malformed packet: fatal by this device's severity register") {
        store(device.config, aer + 4, 32, 1u << 18);
        const Pass p(pcie(), device);
        CHECK(p.severity("AER_UNCOR_STATUS.MALFORMED_TLP") == Severity::critical);
        CHECK(p.check("aer-fatal-clean") == CheckResult::failed);
        CHECK(p.check("aer-uncorrectable-clean") == CheckResult::failed);
        CHECK(p.check("aer-unsupported-request-clean") == CheckResult::passed);
    }
    SECTION("receiver error: repaired") {
        store(device.config, aer + 0x10, 32, 1);
        const Pass p(pcie(), device);
        CHECK(p.severity("AER_COR_STATUS.RECEIVER") == Severity::warning);
        CHECK(p.check("aer-correctable-clean") == CheckResult::failed);
        CHECK(p.check("aer-uncorrectable-clean") == CheckResult::passed);
    }
    SECTION("device status") {
        store(device.config, 0x4a, 16, 0x14);
        const Pass p(pcie(), device);
        CHECK(p.severity("PCIE_DEVSTA.FATAL") == Severity::critical);
        CHECK(p.check("device-status-clean") == CheckResult::failed);
    }
    SECTION("a reserved bit is shown, not hidden") {
        store(device.config, aer + 4, 32, 1u << 2);
        const Pass p(pcie(), device);
        CHECK(p.unnamed("AER_UNCOR_STATUS") == 1u << 2);
    }
}

TEST_CASE("containment is described where a port has it", "[maps][pcie]") {
    auto device = Device::from_lspci(root_port);
    // lspci on tests/cap-dpc: INT Msg #0, RPExt- PoisonedTLP+ SwTrigger+ DL_ActiveErr+; Trigger:2 Cmpl+ INT+
    store(device.config, 0x220, 32, 0x0001001d);
    store(device.config, 0x224, 16, 0x10c0);
    store(device.config, 0x226, 16, 0x000e);
    store(device.config, 0x228, 16, 0);
    {
        const Pass p(pcie(), device);
        CHECK(p["DPC_CAP.POISONED_BLOCKING"] == 1);
        CHECK(p["DPC_CAP.RP_EXTENSIONS"] == 0);
        CHECK(p.text("DPC_CTL.TRIGGER") == "non-fatal and fatal errors");
        CHECK(p.check("dpc-not-triggered") == CheckResult::passed);
        CHECK_FALSE(p.has("DPC_RP_PIO_STATUS"));
    }
    // Triggered by a root port I/O error, log of 6 words.
    store(device.config, 0x224, 16, 0x10c0 | 0x20 | 6 << 8);
    store(device.config, 0x228, 16, 1 | 3 << 1 | 18 << 8);
    store(device.config, 0x22c, 32, 1u << 18);
    const Pass p(pcie(), device);
    CHECK(p.check("dpc-not-triggered") == CheckResult::failed);
    CHECK(p.text("DPC_STATUS.REASON") == "see REASON_EXT");
    CHECK(p.text("DPC_STATUS.REASON_EXT") == "root port I/O error");
    CHECK(p["DPC_STATUS.RP_PIO_FIRST_ERROR"] == 18);
    CHECK(p["DPC_RP_PIO_STATUS.MEM_CTO"] == 1);
    CHECK(p.has("DPC_RP_PIO_HEADER_LOG[3]"));
    CHECK(p.has("DPC_RP_PIO_IMPSPEC_LOG"));
    CHECK(p.has("DPC_RP_PIO_PREFIX_LOG[0]"));
    CHECK_FALSE(p.has("DPC_RP_PIO_PREFIX_LOG[1]"));
}

TEST_CASE("the pcie map fits every device, and nothing prevails less", "[maps][pcie]") {
    for (const std::uint16_t vendor : std::initializer_list<std::uint16_t>{0x0000, 0x14e4, 0xffff}) {
        regmaps::PciIdentity id;
        id.vendor = vendor;
        CHECK(regmaps::match_specificity(pcie(), id) == 0u);
    }
}
