// Where the pcie map has its registers, how wide they are and what a read or a write does to them, against
// Linux's header.
#include <catch2/catch.hpp>

#include <set>
#include <string>

#include <linux/pci_regs.h>

#include "regmaps_map_support.h"

using namespace maptest;

namespace {

struct Place {
    const char* reg;
    const char* space;
    std::uint64_t offset; // from the capability; in a block from its base
    unsigned width;       // what Linux's own accesses and comments use
};

// Plain numbers: AER prefix log PCIe 5.0 7.8.4.12, serial number 7.9.3, lanes 7.7.3, 16 GT/s 7.7.5 (also
// pciutils).
const Place places[] = {
    {"PCI_VENDOR_ID", "config", PCI_VENDOR_ID, 16},
    {"PCI_DEVICE_ID", "config", PCI_DEVICE_ID, 16},
    {"PCI_COMMAND", "config", PCI_COMMAND, 16},
    {"PCI_STATUS", "config", PCI_STATUS, 16},
    {"PCI_CLASS_REVISION", "config", PCI_CLASS_REVISION, 32},
    {"PCI_CACHE_LINE_SIZE", "config", PCI_CACHE_LINE_SIZE, 8},
    {"PCI_LATENCY_TIMER", "config", PCI_LATENCY_TIMER, 8},
    {"PCI_HEADER_TYPE", "config", PCI_HEADER_TYPE, 8},
    {"PCI_BIST", "config", PCI_BIST, 8},
    {"PCI_BAR0", "config", PCI_BASE_ADDRESS_0, 32},
    {"PCI_BAR1", "config", PCI_BASE_ADDRESS_1, 32},
    {"PCI_BAR1_HI", "config", PCI_BASE_ADDRESS_1, 32},
    {"PCI_BAR2", "config", PCI_BASE_ADDRESS_2, 32},
    {"PCI_BAR2_HI", "config", PCI_BASE_ADDRESS_2, 32},
    {"PCI_BAR3", "config", PCI_BASE_ADDRESS_3, 32},
    {"PCI_BAR3_HI", "config", PCI_BASE_ADDRESS_3, 32},
    {"PCI_BAR4", "config", PCI_BASE_ADDRESS_4, 32},
    {"PCI_BAR4_HI", "config", PCI_BASE_ADDRESS_4, 32},
    {"PCI_BAR5", "config", PCI_BASE_ADDRESS_5, 32},
    {"PCI_BAR5_HI", "config", PCI_BASE_ADDRESS_5, 32},
    {"PCI_CARDBUS_CIS", "config", PCI_CARDBUS_CIS, 32},
    {"PCI_SUBSYSTEM_VENDOR_ID", "config", PCI_SUBSYSTEM_VENDOR_ID, 16},
    {"PCI_SUBSYSTEM_ID", "config", PCI_SUBSYSTEM_ID, 16},
    {"PCI_ROM_ADDRESS", "config", PCI_ROM_ADDRESS, 32},
    {"PCI_CAPABILITY_LIST", "config", PCI_CAPABILITY_LIST, 8},
    {"PCI_INTERRUPT_LINE", "config", PCI_INTERRUPT_LINE, 8},
    {"PCI_INTERRUPT_PIN", "config", PCI_INTERRUPT_PIN, 8},
    {"PCI_MIN_GNT", "config", PCI_MIN_GNT, 8},
    {"PCI_MAX_LAT", "config", PCI_MAX_LAT, 8},
    {"PCI_PRIMARY_BUS", "config", PCI_PRIMARY_BUS, 8},
    {"PCI_SECONDARY_BUS", "config", PCI_SECONDARY_BUS, 8},
    {"PCI_SUBORDINATE_BUS", "config", PCI_SUBORDINATE_BUS, 8},
    {"PCI_SEC_LATENCY_TIMER", "config", PCI_SEC_LATENCY_TIMER, 8},
    {"PCI_IO_BASE", "config", PCI_IO_BASE, 8},
    {"PCI_IO_LIMIT", "config", PCI_IO_LIMIT, 8},
    {"PCI_SEC_STATUS", "config", PCI_SEC_STATUS, 16},
    {"PCI_MEMORY_BASE", "config", PCI_MEMORY_BASE, 16},
    {"PCI_MEMORY_LIMIT", "config", PCI_MEMORY_LIMIT, 16},
    {"PCI_PREF_MEMORY_BASE", "config", PCI_PREF_MEMORY_BASE, 16},
    {"PCI_PREF_MEMORY_LIMIT", "config", PCI_PREF_MEMORY_LIMIT, 16},
    {"PCI_PREF_BASE_UPPER32", "config", PCI_PREF_BASE_UPPER32, 32},
    {"PCI_PREF_LIMIT_UPPER32", "config", PCI_PREF_LIMIT_UPPER32, 32},
    {"PCI_IO_BASE_UPPER16", "config", PCI_IO_BASE_UPPER16, 16},
    {"PCI_IO_LIMIT_UPPER16", "config", PCI_IO_LIMIT_UPPER16, 16},
    {"PCI_ROM_ADDRESS1", "config", PCI_ROM_ADDRESS1, 32},
    {"PCI_BRIDGE_CONTROL", "config", PCI_BRIDGE_CONTROL, 16},
    {"PM_CAP", "pm", PCI_PM_PMC, 16},
    {"PM_CTRL", "pm", PCI_PM_CTRL, 16},
    {"PM_BRIDGE", "pm", PCI_PM_PPB_EXTENSIONS, 8},
    {"PM_DATA", "pm", PCI_PM_DATA_REGISTER, 8},
    {"VPD_ADDR", "vpd", PCI_VPD_ADDR, 16},
    {"MSI_FLAGS", "msi", PCI_MSI_FLAGS, 16},
    {"MSI_ADDRESS_LO", "msi", PCI_MSI_ADDRESS_LO, 32},
    {"MSI_ADDRESS_HI", "msi", PCI_MSI_ADDRESS_HI, 32},
    {"MSI_DATA_32", "msi", PCI_MSI_DATA_32, 16},
    {"MSI_EXT_DATA_32", "msi", PCI_MSI_DATA_32 + 2, 16},
    {"MSI_MASK_32", "msi", PCI_MSI_MASK_32, 32},
    {"MSI_PENDING_32", "msi", PCI_MSI_PENDING_32, 32},
    {"MSI_DATA_64", "msi", PCI_MSI_DATA_64, 16},
    {"MSI_EXT_DATA_64", "msi", PCI_MSI_DATA_64 + 2, 16},
    {"MSI_MASK_64", "msi", PCI_MSI_MASK_64, 32},
    {"MSI_PENDING_64", "msi", PCI_MSI_PENDING_64, 32},
    {"PCIE_FLAGS", "pcie", PCI_EXP_FLAGS, 16},
    {"PCIE_DEVCAP", "pcie", PCI_EXP_DEVCAP, 32},
    {"PCIE_DEVCTL", "pcie", PCI_EXP_DEVCTL, 16},
    {"PCIE_DEVSTA", "pcie", PCI_EXP_DEVSTA, 16},
    {"PCIE_LNKCAP", "pcie", PCI_EXP_LNKCAP, 32},
    {"PCIE_LNKCTL", "pcie", PCI_EXP_LNKCTL, 16},
    {"PCIE_LNKSTA", "pcie", PCI_EXP_LNKSTA, 16},
    {"PCIE_SLTCAP", "pcie", PCI_EXP_SLTCAP, 32},
    {"PCIE_SLTCTL", "pcie", PCI_EXP_SLTCTL, 16},
    {"PCIE_SLTSTA", "pcie", PCI_EXP_SLTSTA, 16},
    {"PCIE_RTCTL", "pcie", PCI_EXP_RTCTL, 16},
    {"PCIE_RTCAP", "pcie", PCI_EXP_RTCAP, 16},
    {"PCIE_RTSTA", "pcie", PCI_EXP_RTSTA, 32},
    {"PCIE_DEVCAP2", "pcie", PCI_EXP_DEVCAP2, 32},
    {"PCIE_DEVCTL2", "pcie", PCI_EXP_DEVCTL2, 16},
    {"PCIE_DEVSTA2", "pcie", PCI_EXP_DEVSTA2, 16},
    {"PCIE_LNKCAP2", "pcie", PCI_EXP_LNKCAP2, 32},
    {"PCIE_LNKCTL2", "pcie", PCI_EXP_LNKCTL2, 16},
    {"PCIE_LNKSTA2", "pcie", PCI_EXP_LNKSTA2, 16},
    {"PCIE_SLTCAP2", "pcie", PCI_EXP_SLTCAP2, 32},
    {"PCIE_SLTCTL2", "pcie", PCI_EXP_SLTCTL2, 16},
    {"PCIE_SLTSTA2", "pcie", PCI_EXP_SLTSTA2, 16},
    {"MSIX_FLAGS", "msix", PCI_MSIX_FLAGS, 16},
    {"MSIX_TABLE", "msix", PCI_MSIX_TABLE, 32},
    {"MSIX_PBA", "msix", PCI_MSIX_PBA, 32},
    {"AER_UNCOR_STATUS", "aer", PCI_ERR_UNCOR_STATUS, 32},
    {"AER_UNCOR_MASK", "aer", PCI_ERR_UNCOR_MASK, 32},
    {"AER_UNCOR_SEVER", "aer", PCI_ERR_UNCOR_SEVER, 32},
    {"AER_COR_STATUS", "aer", PCI_ERR_COR_STATUS, 32},
    {"AER_COR_MASK", "aer", PCI_ERR_COR_MASK, 32},
    {"AER_CAP", "aer", PCI_ERR_CAP, 32},
    {"AER_HEADER_LOG_0", "aer", PCI_ERR_HEADER_LOG, 32},
    {"AER_HEADER_LOG_1", "aer", PCI_ERR_HEADER_LOG + 4, 32},
    {"AER_HEADER_LOG_2", "aer", PCI_ERR_HEADER_LOG + 8, 32},
    {"AER_HEADER_LOG_3", "aer", PCI_ERR_HEADER_LOG + 12, 32},
    {"AER_ROOT_COMMAND", "aer", PCI_ERR_ROOT_COMMAND, 32},
    {"AER_ROOT_STATUS", "aer", PCI_ERR_ROOT_STATUS, 32},
    {"AER_ROOT_ERR_SRC", "aer", PCI_ERR_ROOT_ERR_SRC, 32},
    {"AER_PREFIX_LOG", "aer", 0x38, 32},
    {"VC_PORT_CAP1", "vc", PCI_VC_PORT_CAP1, 32},
    {"VC_PORT_CAP2", "vc", PCI_VC_PORT_CAP2, 32},
    {"VC_PORT_CTRL", "vc", PCI_VC_PORT_CTRL, 16},
    {"VC_PORT_STATUS", "vc", PCI_VC_PORT_STATUS, 16},
    {"VC9_PORT_CAP1", "vc9", PCI_VC_PORT_CAP1, 32},
    {"VC9_PORT_CAP2", "vc9", PCI_VC_PORT_CAP2, 32},
    {"VC9_PORT_CTRL", "vc9", PCI_VC_PORT_CTRL, 16},
    {"VC9_PORT_STATUS", "vc9", PCI_VC_PORT_STATUS, 16},
    {"DSN_LOW", "dsn", 4, 32},
    {"DSN_HIGH", "dsn", 8, 32},
    {"ACS_CAP", "acs", PCI_ACS_CAP, 16},
    {"ACS_CTRL", "acs", PCI_ACS_CTRL, 16},
    {"ACS_EGRESS_CTL", "acs", PCI_ACS_EGRESS_CTL_V, 32},
    {"ARI_CAP", "ari", PCI_ARI_CAP, 16},
    {"ARI_CTRL", "ari", PCI_ARI_CTRL, 16},
    {"SRIOV_CAP", "sriov", PCI_SRIOV_CAP, 32},
    {"SRIOV_CTRL", "sriov", PCI_SRIOV_CTRL, 16},
    {"SRIOV_STATUS", "sriov", PCI_SRIOV_STATUS, 16},
    {"SRIOV_INITIAL_VF", "sriov", PCI_SRIOV_INITIAL_VF, 16},
    {"SRIOV_TOTAL_VF", "sriov", PCI_SRIOV_TOTAL_VF, 16},
    {"SRIOV_NUM_VF", "sriov", PCI_SRIOV_NUM_VF, 16},
    {"SRIOV_FUNC_LINK", "sriov", PCI_SRIOV_FUNC_LINK, 8},
    {"SRIOV_VF_OFFSET", "sriov", PCI_SRIOV_VF_OFFSET, 16},
    {"SRIOV_VF_STRIDE", "sriov", PCI_SRIOV_VF_STRIDE, 16},
    {"SRIOV_VF_DID", "sriov", PCI_SRIOV_VF_DID, 16},
    {"SRIOV_SUP_PGSIZE", "sriov", PCI_SRIOV_SUP_PGSIZE, 32},
    {"SRIOV_SYS_PGSIZE", "sriov", PCI_SRIOV_SYS_PGSIZE, 32},
    {"SRIOV_BAR0", "sriov", PCI_SRIOV_BAR + 0, 32},
    {"SRIOV_BAR1", "sriov", PCI_SRIOV_BAR + 4, 32},
    {"SRIOV_BAR1_HI", "sriov", PCI_SRIOV_BAR + 4, 32},
    {"SRIOV_BAR2", "sriov", PCI_SRIOV_BAR + 8, 32},
    {"SRIOV_BAR2_HI", "sriov", PCI_SRIOV_BAR + 8, 32},
    {"SRIOV_BAR3", "sriov", PCI_SRIOV_BAR + 12, 32},
    {"SRIOV_BAR3_HI", "sriov", PCI_SRIOV_BAR + 12, 32},
    {"SRIOV_BAR4", "sriov", PCI_SRIOV_BAR + 16, 32},
    {"SRIOV_BAR4_HI", "sriov", PCI_SRIOV_BAR + 16, 32},
    {"SRIOV_BAR5", "sriov", PCI_SRIOV_BAR + 20, 32},
    {"SRIOV_BAR5_HI", "sriov", PCI_SRIOV_BAR + 20, 32},
    {"SRIOV_VFM", "sriov", PCI_SRIOV_VFM, 32},
    {"LTR_MAX_SNOOP", "ltr", PCI_LTR_MAX_SNOOP_LAT, 16},
    {"LTR_MAX_NOSNOOP", "ltr", PCI_LTR_MAX_NOSNOOP_LAT, 16},
    {"REBAR_CAP_0", "rebar", PCI_REBAR_CAP + 0, 32},
    {"REBAR_CTRL_0", "rebar", PCI_REBAR_CTRL + 0, 32},
    {"REBAR_CAP_1", "rebar", PCI_REBAR_CAP + 8, 32},
    {"REBAR_CTRL_1", "rebar", PCI_REBAR_CTRL + 8, 32},
    {"REBAR_CAP_2", "rebar", PCI_REBAR_CAP + 16, 32},
    {"REBAR_CTRL_2", "rebar", PCI_REBAR_CTRL + 16, 32},
    {"REBAR_CAP_3", "rebar", PCI_REBAR_CAP + 24, 32},
    {"REBAR_CTRL_3", "rebar", PCI_REBAR_CTRL + 24, 32},
    {"REBAR_CAP_4", "rebar", PCI_REBAR_CAP + 32, 32},
    {"REBAR_CTRL_4", "rebar", PCI_REBAR_CTRL + 32, 32},
    {"REBAR_CAP_5", "rebar", PCI_REBAR_CAP + 40, 32},
    {"REBAR_CTRL_5", "rebar", PCI_REBAR_CTRL + 40, 32},
    {"DPC_CAP", "dpc", PCI_EXP_DPC_CAP, 16},
    {"DPC_CTL", "dpc", PCI_EXP_DPC_CTL, 16},
    {"DPC_STATUS", "dpc", PCI_EXP_DPC_STATUS, 16},
    {"DPC_SOURCE_ID", "dpc", PCI_EXP_DPC_SOURCE_ID, 16},
    {"DPC_RP_PIO_STATUS", "dpc", PCI_EXP_DPC_RP_PIO_STATUS, 32},
    {"DPC_RP_PIO_MASK", "dpc", PCI_EXP_DPC_RP_PIO_MASK, 32},
    {"DPC_RP_PIO_SEVERITY", "dpc", PCI_EXP_DPC_RP_PIO_SEVERITY, 32},
    {"DPC_RP_PIO_SYSERROR", "dpc", PCI_EXP_DPC_RP_PIO_SYSERROR, 32},
    {"DPC_RP_PIO_EXCEPTION", "dpc", PCI_EXP_DPC_RP_PIO_EXCEPTION, 32},
    {"DPC_RP_PIO_HEADER_LOG", "dpc", PCI_EXP_DPC_RP_PIO_HEADER_LOG, 32},
    {"DPC_RP_PIO_IMPSPEC_LOG", "dpc", PCI_EXP_DPC_RP_PIO_IMPSPEC_LOG, 32},
    {"DPC_RP_PIO_PREFIX_LOG", "dpc", PCI_EXP_DPC_RP_PIO_TLPPREFIX_LOG, 32},
    {"SECPCI_LNKCTL3", "secpci", 0x4, 32},
    {"SECPCI_LANE_ERROR", "secpci", 0x8, 32},
    {"PL16G_STATUS", "pl16g", 0x0c, 32},
    {"PL16G_LOCAL_PARITY", "pl16g", 0x10, 32},
    {"PL16G_RETIMER1_PARITY", "pl16g", 0x14, 32},
    {"PL16G_RETIMER2_PARITY", "pl16g", 0x18, 32},
    {"L1SS_CAP", "l1ss", PCI_L1SS_CAP, 32},
    {"L1SS_CTL1", "l1ss", PCI_L1SS_CTL1, 32},
    {"L1SS_CTL2", "l1ss", PCI_L1SS_CTL2, 32},
    {"VC.CAP", "vc", 0, 32},
    {"VC.CTRL", "vc", PCI_VC_RES_CTRL - PCI_VC_RES_CAP, 32},
    {"VC.STATUS", "vc", PCI_VC_RES_STATUS - PCI_VC_RES_CAP, 16},
    {"VC9.CAP", "vc9", 0, 32},
    {"VC9.CTRL", "vc9", PCI_VC_RES_CTRL - PCI_VC_RES_CAP, 32},
    {"VC9.STATUS", "vc9", PCI_VC_RES_STATUS - PCI_VC_RES_CAP, 16},
};

struct Capability {
    const char* space;
    regmaps::SpaceKind kind;
    unsigned id;
};

const Capability capabilities[] = {
    {"pm", regmaps::SpaceKind::capability, PCI_CAP_ID_PM},
    {"vpd", regmaps::SpaceKind::capability, PCI_CAP_ID_VPD},
    {"msi", regmaps::SpaceKind::capability, PCI_CAP_ID_MSI},
    {"pcie", regmaps::SpaceKind::capability, PCI_CAP_ID_EXP},
    {"msix", regmaps::SpaceKind::capability, PCI_CAP_ID_MSIX},
    {"aer", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_ERR},
    {"vc", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_VC},
    {"vc9", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_VC9},
    {"dsn", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_DSN},
    {"acs", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_ACS},
    {"ari", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_ARI},
    {"sriov", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_SRIOV},
    {"rebar", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_REBAR},
    {"ltr", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_LTR},
    {"secpci", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_SECPCI},
    {"dpc", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_DPC},
    {"l1ss", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_L1SS},
    {"pl16g", regmaps::SpaceKind::extended_capability, PCI_EXT_CAP_ID_PL_16GT},
};

// Bits that software clears by writing 1: QEMU's w1cmask of the same registers (hw/pci/pci.c, pcie.c,
// pcie_aer.c), and where QEMU has none the RW1C bits of the register tables in PCIe 5.0 chapter 7.
struct Cleared {
    const char* reg;
    std::uint64_t mask;
};

const Cleared cleared[] = {
    {"PCI_STATUS", PCI_STATUS_PARITY | PCI_STATUS_SIG_TARGET_ABORT | PCI_STATUS_REC_TARGET_ABORT |
                       PCI_STATUS_REC_MASTER_ABORT | PCI_STATUS_SIG_SYSTEM_ERROR |
                       PCI_STATUS_DETECTED_PARITY},
    {"PCI_SEC_STATUS", 0xf900},
    {"PM_CTRL", PCI_PM_CTRL_PME_STATUS},
    {"PCIE_DEVSTA",
     PCI_EXP_DEVSTA_CED | PCI_EXP_DEVSTA_NFED | PCI_EXP_DEVSTA_FED | PCI_EXP_DEVSTA_URD | 0x40},
    {"PCIE_LNKSTA", PCI_EXP_LNKSTA_LBMS | PCI_EXP_LNKSTA_LABS},
    {"PCIE_SLTSTA", PCI_EXP_SLTSTA_ABP | PCI_EXP_SLTSTA_PFD | PCI_EXP_SLTSTA_MRLSC | PCI_EXP_SLTSTA_PDC |
                        PCI_EXP_SLTSTA_CC | PCI_EXP_SLTSTA_DLLSC},
    {"PCIE_RTSTA", PCI_EXP_RTSTA_PME},
    {"PCIE_LNKSTA2", 0x8020},
    {"PCI_BRIDGE_CONTROL", 0x0400},
    {"AER_ROOT_STATUS", 0x7f},
    {"SRIOV_STATUS", PCI_SRIOV_STATUS_VFM},
    {"DPC_STATUS", PCI_EXP_DPC_STATUS_TRIGGER | PCI_EXP_DPC_STATUS_INTERRUPT},
    {"PL16G_STATUS", 0x10},
};

// These are cleared by writing 1 as a whole.
const std::set<std::string> cleared_whole = {
    "AER_UNCOR_STATUS",   "AER_COR_STATUS",        "DPC_RP_PIO_STATUS",    "SECPCI_LANE_ERROR",
    "PL16G_LOCAL_PARITY", "PL16G_RETIMER1_PARITY", "PL16G_RETIMER2_PARITY"};

} // namespace

TEST_CASE("registers of the pcie map lie where Linux has them", "[maps][pcie]") {
    const auto map = load("pcie");
    std::set<std::string> placed;
    for (const auto& p : places) {
        CAPTURE(p.reg);
        const Index r = find_register(map, p.reg);
        REQUIRE(r != none);
        const auto& reg = map.registers[r];
        CHECK(reg.offset == p.offset);
        CHECK(unsigned{reg.width} == p.width);
        CHECK(map.text(map.spaces[reg.space].name) == p.space);
        placed.insert(p.reg);
    }
    for (Index r = 0; r < map.registers.size(); ++r) {
        const auto name = register_name(map, r);
        CAPTURE(name);
        CHECK(placed.count(name) == 1);
    }
}

TEST_CASE("spaces of the pcie map are capabilities with Linux's ids", "[maps][pcie]") {
    const auto map = load("pcie");
    CHECK(map.spaces.size() == std::size(capabilities) + 1); // and the header
    for (const auto& c : capabilities) {
        CAPTURE(c.space);
        bool found = false;
        for (const auto& s : map.spaces) {
            if (map.text(s.name) == c.space) {
                found = true;
                CHECK(s.kind == c.kind);
                CHECK(unsigned{s.capability} == c.id);
            }
        }
        CHECK(found);
    }
}

TEST_CASE("virtual channel resources follow at the distance that Linux has", "[maps][pcie]") {
    const auto map = load("pcie");
    for (const auto& b : map.blocks) {
        REQUIRE(b.base != none);
        REQUIRE(b.array.stride != none);
        const auto constant = [&](Index expression) {
            const auto code = map.expressions[expression].code;
            REQUIRE(code.count == 1);
            return map.codes[code.begin].imm;
        };
        CHECK(constant(b.base) == PCI_VC_RES_CAP);
        CHECK(constant(b.array.stride) == PCI_CAP_VC_PER_VC_SIZEOF);
    }
}

TEST_CASE("no read of configuration space changes anything", "[maps][pcie]") {
    const auto map = load("pcie");
    for (const auto& reg : map.registers) {
        CAPTURE(map.text(reg.name));
        CHECK(reg.read_action == safety::ReadAction::none);
        CHECK(regmaps::readability(map, reg) == safety::WordStatus::ok);
    }
    // Reading product data takes a write to the address register first: the data register is not described.
    for (const auto& reg : map.registers) {
        if (map.text(map.spaces[reg.space].name) == "vpd") {
            CHECK(reg.offset + reg.width / 8 <= PCI_VPD_DATA);
        }
    }
}

TEST_CASE("bits that software clears are marked, and no others", "[maps][pcie]") {
    const auto map = load("pcie");
    std::map<std::string, std::uint64_t> expected;
    for (const auto& c : cleared) {
        expected[c.reg] = c.mask;
    }
    for (Index r = 0; r < map.registers.size(); ++r) {
        const auto& reg = map.registers[r];
        const auto name = register_name(map, r);
        CAPTURE(name);
        const bool whole = reg.modified_write == regmaps::ModifiedWrite::one_to_clear;
        CHECK(whole == (cleared_whole.count(name) == 1));
        if (whole) {
            continue;
        }
        std::uint64_t marked = 0;
        for (Index f = reg.fields.begin; f < reg.fields.begin + reg.fields.count; ++f) {
            if (map.fields[f].modified_write == regmaps::ModifiedWrite::one_to_clear) {
                marked |= mask_of(map.fields[f]);
            }
        }
        CHECK(marked == expected[name]);
    }
}

TEST_CASE("values of the pcie map have Linux's meaning", "[maps][pcie]") {
    using Names = std::map<std::uint64_t, std::string>;
    const auto map = load("pcie");
    const auto names = [&](const char* reg, const char* field) { return enum_of(map, reg, field); };
    const Names speeds = {{PCI_EXP_LNKSTA_CLS_2_5GB, "2.5 GT/s"}, {PCI_EXP_LNKSTA_CLS_5_0GB, "5 GT/s"},
                          {PCI_EXP_LNKSTA_CLS_8_0GB, "8 GT/s"},   {PCI_EXP_LNKSTA_CLS_16_0GB, "16 GT/s"},
                          {PCI_EXP_LNKSTA_CLS_32_0GB, "32 GT/s"}, {PCI_EXP_LNKSTA_CLS_64_0GB, "64 GT/s"}};
    CHECK(names("PCIE_LNKSTA", "SPEED") == speeds);
    CHECK(names("PCIE_LNKCAP", "MAX_SPEED") == speeds);
    CHECK(names("PCIE_LNKCTL2", "TARGET_SPEED") == speeds);
    const Names widths = {{1, "x1"}, {2, "x2"}, {4, "x4"}, {8, "x8"}, {12, "x12"}, {16, "x16"}, {32, "x32"}};
    CHECK(names("PCIE_LNKCAP", "MAX_WIDTH") == widths);
    auto now = widths;
    now[0] = "none";
    CHECK(names("PCIE_LNKSTA", "WIDTH") == now);
    CHECK(names("PCIE_FLAGS", "PORT_TYPE") == Names{{PCI_EXP_TYPE_ENDPOINT, "endpoint"},
                                                    {PCI_EXP_TYPE_LEG_END, "legacy endpoint"},
                                                    {PCI_EXP_TYPE_ROOT_PORT, "root port"},
                                                    {PCI_EXP_TYPE_UPSTREAM, "switch upstream port"},
                                                    {PCI_EXP_TYPE_DOWNSTREAM, "switch downstream port"},
                                                    {PCI_EXP_TYPE_PCI_BRIDGE, "PCIe to PCI bridge"},
                                                    {PCI_EXP_TYPE_PCIE_BRIDGE, "PCI to PCIe bridge"},
                                                    {PCI_EXP_TYPE_RC_END, "root complex integrated endpoint"},
                                                    {PCI_EXP_TYPE_RC_EC, "root complex event collector"}});
    const Names sizes = {
        {PCI_EXP_DEVCTL_PAYLOAD_128B >> 5, "128 bytes"},   {PCI_EXP_DEVCTL_PAYLOAD_256B >> 5, "256 bytes"},
        {PCI_EXP_DEVCTL_PAYLOAD_512B >> 5, "512 bytes"},   {PCI_EXP_DEVCTL_PAYLOAD_1024B >> 5, "1024 bytes"},
        {PCI_EXP_DEVCTL_PAYLOAD_2048B >> 5, "2048 bytes"}, {PCI_EXP_DEVCTL_PAYLOAD_4096B >> 5, "4096 bytes"}};
    CHECK(names("PCIE_DEVCTL", "MAX_PAYLOAD") == sizes);
    CHECK(names("PCIE_DEVCTL", "MAX_READ_REQUEST") == sizes);
    CHECK(names("PCIE_DEVCAP", "MAX_PAYLOAD") == sizes);
    CHECK(names("PCIE_LNKCTL", "ASPM") ==
          Names{{0, "disabled"},
                {PCI_EXP_LNKCTL_ASPM_L0S, "L0s"},
                {PCI_EXP_LNKCTL_ASPM_L1, "L1"},
                {PCI_EXP_LNKCTL_ASPM_L0S | PCI_EXP_LNKCTL_ASPM_L1, "L0s and L1"}});
    CHECK(names("PCIE_SLTCTL", "POWER") ==
          Names{{PCI_EXP_SLTCTL_PWR_ON, "on"}, {PCI_EXP_SLTCTL_PWR_OFF >> 10, "off"}});
    CHECK(names("PCIE_SLTCTL", "ATTENTION_INDICATOR") ==
          Names{{0, "reserved"},
                {PCI_EXP_SLTCTL_ATTN_IND_ON >> 6, "on"},
                {PCI_EXP_SLTCTL_ATTN_IND_BLINK >> 6, "blinking"},
                {PCI_EXP_SLTCTL_ATTN_IND_OFF >> 6, "off"}});
    CHECK(names("PCI_HEADER_TYPE", "LAYOUT") == Names{{PCI_HEADER_TYPE_NORMAL, "device"},
                                                      {PCI_HEADER_TYPE_BRIDGE, "PCI-PCI bridge"},
                                                      {PCI_HEADER_TYPE_CARDBUS, "CardBus bridge"}});
    CHECK(names("PCI_BAR0", "TYPE") == Names{{PCI_BASE_ADDRESS_MEM_TYPE_32 >> 1, "32-bit"},
                                             {PCI_BASE_ADDRESS_MEM_TYPE_1M >> 1, "below 1 MiB"},
                                             {PCI_BASE_ADDRESS_MEM_TYPE_64 >> 1, "64-bit"}});
    CHECK(names("DPC_CTL", "TRIGGER") == Names{{0, "nothing (off)"},
                                               {PCI_EXP_DPC_CTL_EN_FATAL, "fatal errors"},
                                               {PCI_EXP_DPC_CTL_EN_NONFATAL, "non-fatal and fatal errors"}});
    CHECK(names("PCIE_DEVCTL2", "OBFF") == Names{{0, "off"},
                                                 {PCI_EXP_DEVCTL2_OBFF_MSGA_EN >> 13, "message A"},
                                                 {PCI_EXP_DEVCTL2_OBFF_MSGB_EN >> 13, "message B"},
                                                 {PCI_EXP_DEVCTL2_OBFF_WAKE_EN >> 13, "WAKE#"}});
    // PCIe 5.0, 7.8.6.3: 0 is 1 MiB and each step doubles.
    const auto bars = names("REBAR_CTRL_0", "SIZE");
    CHECK(bars.size() == 44);
    CHECK(bars.at(0) == "1 MiB");
    CHECK(bars.at(9) == "512 MiB");
    CHECK(bars.at(10) == "1 GiB");
    CHECK(bars.at(27) == "128 TiB");
    CHECK(bars.at(43) == "8 EiB");
}
