// The nvme map against the property tables of the NVM Express Base Specification (2.2, figures 33 and 36 to
// 65; the registers of 1.4 are the same) and libnvme's shifts and masks, and devices whose values others have
// decoded.
#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "regmaps_map_support.h"

using namespace maptest;
using regmaps::CheckResult;
using regmaps::Severity;

namespace {

struct Property {
    const char* name;
    std::uint64_t offset;
    unsigned bytes;
};

// NVM Express Base Specification 2.2, figure 33 (INTMC's offset there is a misprint: figure 40 has 10h).
const Property properties[] = {
    {"CAP", 0x00, 8},     {"VS", 0x08, 4},       {"INTMS", 0x0c, 4},    {"INTMC", 0x10, 4},
    {"CC", 0x14, 4},      {"CSTS", 0x1c, 4},     {"NSSR", 0x20, 4},     {"AQA", 0x24, 4},
    {"ASQ", 0x28, 8},     {"ACQ", 0x30, 8},      {"CMBLOC", 0x38, 4},   {"CMBSZ", 0x3c, 4},
    {"BPINFO", 0x40, 4},  {"BPRSEL", 0x44, 4},   {"BPMBL", 0x48, 8},    {"CMBMSC", 0x50, 8},
    {"CMBSTS", 0x58, 4},  {"CMBEBS", 0x5c, 4},   {"CMBSWTP", 0x60, 4},  {"NSSD", 0x64, 4},
    {"CRTO", 0x68, 4},    {"PMRCAP", 0xe00, 4},  {"PMRCTL", 0xe04, 4},  {"PMRSTS", 0xe08, 4},
    {"PMREBS", 0xe0c, 4}, {"PMRSWTP", 0xe10, 4}, {"PMRMSCL", 0xe14, 4}, {"PMRMSCU", 0xe18, 4},
};

struct FieldBits {
    const char* reg;
    const char* field;
    unsigned shift;
    std::uint64_t mask; // after the shift
};

// libnvme src/nvme/types.h (NVME_x_y_SHIFT, NVME_x_y_MASK). Single bits of CAP.CSS, CAP.AMS, CAP.CRMS and
// PMRCAP.PMRWBM, bit 61 of CAP and the halves of PMRMSC: figures 36, 58, 63 and 64 of the specification.
const FieldBits fields[] = {
    {"CAP", "MQES", 0, 0xffff},
    {"CAP", "CQR", 16, 1},
    {"CAP", "AMS_WRRUPC", 17, 1},
    {"CAP", "AMS_VS", 18, 1},
    {"CAP", "TO", 24, 0xff},
    {"CAP", "DSTRD", 32, 0xf},
    {"CAP", "NSSRS", 36, 1},
    {"CAP", "CSS_NCSS", 37, 1},
    {"CAP", "CSS_IOCSS", 43, 1},
    {"CAP", "CSS_NOIOCSS", 44, 1},
    {"CAP", "BPS", 45, 1},
    {"CAP", "CPS", 46, 3},
    {"CAP", "MPSMIN", 48, 0xf},
    {"CAP", "MPSMAX", 52, 0xf},
    {"CAP", "PMRS", 56, 1},
    {"CAP", "CMBS", 57, 1},
    {"CAP", "NSSS", 58, 1},
    {"CAP", "CRMS_CRWMS", 59, 1},
    {"CAP", "CRMS_CRIMS", 60, 1},
    {"CAP", "NSSES", 61, 1},
    {"VS", "TER", 0, 0xff},
    {"VS", "MNR", 8, 0xff},
    {"VS", "MJR", 16, 0xffff},
    {"CC", "EN", 0, 1},
    {"CC", "CSS", 4, 7},
    {"CC", "MPS", 7, 0xf},
    {"CC", "AMS", 11, 7},
    {"CC", "SHN", 14, 3},
    {"CC", "IOSQES", 16, 0xf},
    {"CC", "IOCQES", 20, 0xf},
    {"CC", "CRIME", 24, 1},
    {"CSTS", "RDY", 0, 1},
    {"CSTS", "CFS", 1, 1},
    {"CSTS", "SHST", 2, 3},
    {"CSTS", "NSSRO", 4, 1},
    {"CSTS", "PP", 5, 1},
    {"CSTS", "ST", 6, 1},
    {"AQA", "ASQS", 0, 0xfff},
    {"AQA", "ACQS", 16, 0xfff},
    {"ASQ", "ASQB", 12, 0xfffffffffffff},
    {"ACQ", "ACQB", 12, 0xfffffffffffff},
    {"CMBLOC", "BIR", 0, 7},
    {"CMBLOC", "CQMMS", 3, 1},
    {"CMBLOC", "CQPDS", 4, 1},
    {"CMBLOC", "CDPMLS", 5, 1},
    {"CMBLOC", "CDPCILS", 6, 1},
    {"CMBLOC", "CDMMMS", 7, 1},
    {"CMBLOC", "CQDA", 8, 1},
    {"CMBLOC", "OFST", 12, 0xfffff},
    {"CMBSZ", "SQS", 0, 1},
    {"CMBSZ", "CQS", 1, 1},
    {"CMBSZ", "LISTS", 2, 1},
    {"CMBSZ", "RDS", 3, 1},
    {"CMBSZ", "WDS", 4, 1},
    {"CMBSZ", "SZU", 8, 0xf},
    {"CMBSZ", "SZ", 12, 0xfffff},
    {"BPINFO", "BPSZ", 0, 0x7fff},
    {"BPINFO", "BRS", 24, 3},
    {"BPINFO", "ABPID", 31, 1},
    {"BPRSEL", "BPRSZ", 0, 0x3ff},
    {"BPRSEL", "BPROF", 10, 0xfffff},
    {"BPRSEL", "BPID", 31, 1},
    {"BPMBL", "BMBBA", 12, 0xfffffffffffff},
    {"CMBMSC", "CRE", 0, 1},
    {"CMBMSC", "CMSE", 1, 1},
    {"CMBMSC", "CBA", 12, 0xfffffffffffff},
    {"CMBSTS", "CBAI", 0, 1},
    {"CMBEBS", "CMBSZU", 0, 0xf},
    {"CMBEBS", "CMBRBB", 4, 1},
    {"CMBEBS", "CMBWBZ", 8, 0xffffff},
    {"CMBSWTP", "CMBSWTU", 0, 0xf},
    {"CMBSWTP", "CMBSWTV", 8, 0xffffff},
    {"CRTO", "CRWMT", 0, 0xffff},
    {"CRTO", "CRIMT", 16, 0xffff},
    {"PMRCAP", "RDS", 3, 1},
    {"PMRCAP", "WDS", 4, 1},
    {"PMRCAP", "BIR", 5, 7},
    {"PMRCAP", "PMRTU", 8, 3},
    {"PMRCAP", "PMRWBM_CMR", 10, 1},
    {"PMRCAP", "PMRWBM_CPMRSTSR", 11, 1},
    {"PMRCAP", "PMRTO", 16, 0xff},
    {"PMRCAP", "CMSS", 24, 1},
    {"PMRCTL", "EN", 0, 1},
    {"PMRSTS", "ERR", 0, 0xff},
    {"PMRSTS", "NRDY", 8, 1},
    {"PMRSTS", "HSTS", 9, 7},
    {"PMRSTS", "CBAI", 12, 1},
    {"PMREBS", "PMRSZU", 0, 0xf},
    {"PMREBS", "PMRRBB", 4, 1},
    {"PMREBS", "PMRWBZ", 8, 0xffffff},
    {"PMRSWTP", "PMRSWTU", 0, 0xf},
    {"PMRSWTP", "PMRSWTV", 8, 0xffffff},
    {"PMRMSCL", "CMSE", 1, 1},
    {"PMRMSCL", "CBA", 12, 0xfffff},
    {"PMRMSCU", "CBA", 0, 0xffffffff},
    {"SQ.TDBL", "SQT", 0, 0xffff},
    {"CQ.HDBL", "CQH", 0, 0xffff},
};

const regmaps::RegisterMap& nvme() {
    static const regmaps::RegisterMap map = load("nvme");
    return map;
}

bool in_pcie(const regmaps::RegisterMap& map, const regmaps::Register& reg) {
    return map.spaces[reg.space].kind != regmaps::SpaceKind::bar;
}

// An NVMe function with MSI-X (65 vectors, on or off) and the given controller registers; the others are
// zero.
struct Drive : Device {
    explicit Drive(bool msix = true) {
        pci.vendor = 0x1b36;
        pci.device = 0x0010;
        pci.class_code = 0x010802;
        store(config, 0x00, 32, 0x00101b36);
        store(config, 0x04, 32, 0x00100006); // memory, bus master; capability list
        store(config, 0x08, 32, 0x01080202);
        store(config, 0x34, 8, 0x40);
        store(config, 0x40, 32, 0x00400011 | (msix ? 0x80000000u : 0u));
        store(config, 0x44, 32, 0x2000);
        store(config, 0x48, 32, 0x3000);
        bars[0] = std::vector<std::uint8_t>(0x4000, 0);
    }
    void set(std::uint64_t offset, unsigned width, std::uint64_t value) {
        store(bars[0], offset, width, value);
    }
};

} // namespace

TEST_CASE("controller registers lie where the specification has them", "[maps][nvme]") {
    std::set<std::string> expected = {"SQ.TDBL", "CQ.HDBL"};
    for (const auto& p : properties) {
        CAPTURE(p.name);
        const Index r = find_register(nvme(), p.name);
        REQUIRE(r != none);
        CHECK(nvme().registers[r].offset == p.offset);
        CHECK(unsigned{nvme().registers[r].width} == p.bytes * 8);
        expected.insert(p.name);
    }
    for (Index r = 0; r < nvme().registers.size(); ++r) {
        if (!in_pcie(nvme(), nvme().registers[r])) {
            CAPTURE(register_name(nvme(), r));
            CHECK(expected.count(register_name(nvme(), r)) == 1);
        }
    }
}

TEST_CASE("fields lie where libnvme and the specification have them", "[maps][nvme]") {
    std::set<std::pair<std::string, std::string>> sourced;
    for (const auto& f : fields) {
        CAPTURE(f.reg, f.field);
        const Index r = find_register(nvme(), f.reg);
        REQUIRE(r != none);
        const Index field = find_field(nvme(), r, f.field);
        REQUIRE(field != none);
        CHECK(mask_of(nvme().fields[field]) == f.mask << f.shift);
        sourced.insert({f.reg, f.field});
    }
    for (Index r = 0; r < nvme().registers.size(); ++r) {
        const auto& reg = nvme().registers[r];
        for (Index f = reg.fields.begin; !in_pcie(nvme(), reg) && f < reg.fields.begin + reg.fields.count;
             ++f) {
            CAPTURE(register_name(nvme(), r), nvme().text(nvme().fields[f].name));
            CHECK(sourced.count(
                      {register_name(nvme(), r), std::string(nvme().text(nvme().fields[f].name))}) == 1);
        }
    }
}

TEST_CASE("the drive of nvme-cli issue 2716 decodes, arbitration included", "[maps][nvme]") {
    // cap 8f0c030140307ff. nvme-cli 2.8 called weighted round robin "Not supported" although bit 17 is set.
    Drive drive;
    drive.set(0x00, 64, 0x08f0c030140307ff);
    drive.set(0x08, 32, 0x00020000);
    const Pass p(nvme(), drive);
    CHECK(p["CAP"] == 0x08f0c030140307ff);
    CHECK(p["CAP.CRMS_CRWMS"] == 1);
    CHECK(p["CAP.CRMS_CRIMS"] == 0);
    CHECK(p["CAP.NSSS"] == 0);
    CHECK(p["CAP.CMBS"] == 0);
    CHECK(p["CAP.PMRS"] == 0);
    CHECK(p.derived("nvme_page_size_max") == 134217728);
    CHECK(p.derived("nvme_page_size_min") == 4096);
    CHECK(p.text("CAP.CPS") == "NVM subsystem");
    CHECK(p["CAP.BPS"] == 0);
    CHECK(p["CAP.CSS_NCSS"] == 1);
    CHECK(p["CAP.CSS_IOCSS"] == 0);
    CHECK(p["CAP.CSS_NOIOCSS"] == 0);
    CHECK(p["CAP.NSSRS"] == 1);
    CHECK(p.derived("nvme_doorbell_stride") == 4);
    CHECK(p["CAP.AMS_WRRUPC"] == 1);
    CHECK(p["CAP.AMS_VS"] == 0);
    CHECK(p["CAP.CQR"] == 1);
    const Index cap = find_register(nvme(), "CAP");
    const auto text = [&](const char* field, std::uint64_t value) {
        return regmaps::field_text(nvme(), nvme().fields[find_field(nvme(), cap, field)], value);
    };
    CHECK(text("TO", *p["CAP.TO"]) == "10000 ms");
    CHECK(text("MQES", *p["CAP.MQES"]) == "2048 entries");
    CHECK(p.unnamed("CAP") == 0);
    CHECK(p["VS.MJR"] == 2);
    CHECK(p.has("CRTO"));
    CHECK(p.has("NSSR"));
    CHECK_FALSE(p.has("NSSD"));
    CHECK_FALSE(p.has("CMBMSC"));
    CHECK_FALSE(p.has("PMRCAP"));
    CHECK_FALSE(p.has("BPINFO"));
}

TEST_CASE("interrupt masks are left alone while MSI-X is on", "[maps][nvme]") {
    // Base Specification 1.4, 3.1.3: any access is undefined then.
    const auto touched = [](const Pass& p) {
        return std::any_of(p.loads().begin(), p.loads().end(),
                           [](const Load& l) { return l.bar == 0 && l.offset >= 0x0c && l.offset < 0x14; });
    };
    const Drive with(true);
    const Pass on(nvme(), with);
    CHECK_FALSE(on.has("INTMS"));
    CHECK_FALSE(on.has("INTMC"));
    CHECK_FALSE(touched(on));

    Drive without(false);
    without.set(0x0c, 32, 0x5);
    const Pass off(nvme(), without);
    CHECK(off["INTMS"] == 0x5);
    CHECK(off.has("INTMC"));
    CHECK(touched(off));

    Drive pins(false);
    store(pins.config, 0x34, 8, 0);
    const Pass none_at_all(nvme(), pins);
    CHECK(none_at_all.has("INTMS"));
}

TEST_CASE("old controllers have fewer registers", "[maps][nvme]") {
    Drive drive;
    drive.set(0x00, 64, 0x0000002028010fff);
    for (const auto& [version, buffer] : {std::pair{0x00010000u, false},
                                          {0x00010100u, false},
                                          {0x00010200u, true},
                                          {0x00010300u, true},
                                          {0x00010400u, true}}) {
        drive.set(0x08, 32, version);
        const Pass p(nvme(), drive);
        CAPTURE(version);
        CHECK(p.has("CMBLOC") == buffer);
        CHECK(p.has("CMBSZ") == buffer);
        CHECK_FALSE(p.has("CMBMSC"));
        CHECK_FALSE(p.has("CRTO"));
        CHECK_FALSE(p.has("NSSR"));
        CHECK(p.derived("nvme_cmb_size") == std::nullopt);
    }
}

TEST_CASE("doorbells are named, spaced by the stride and never read", "[maps][nvme]") {
    // NVMe over PCIe Transport 1.0, 3.1.2: SQyTDBL at 1000h + 2y * (4 << DSTRD), CQyHDBL at 1000h + (2y + 1)
    // * (4 << DSTRD).
    for (const unsigned stride : {0u, 1u, 4u}) {
        Drive drive;
        drive.set(0x00, 64, 0x00000020ff0107ff | std::uint64_t{stride} << 32);
        const Pass p(nvme(), drive);
        for (const unsigned y : {0u, 1u, 2u, 64u}) {
            const auto n = std::to_string(y);
            CAPTURE(stride, y);
            CHECK(p.offset("SQ[" + n + "].TDBL") == 0x1000 + (2 * y) * (4u << stride));
            CHECK(p.offset("CQ[" + n + "].HDBL") == 0x1000 + (2 * y + 1) * (4u << stride));
            CHECK(p.status("SQ[" + n + "].TDBL") == safety::WordStatus::write_only);
            CHECK(p.status("CQ[" + n + "].HDBL") == safety::WordStatus::write_only);
        }
        for (const auto& l : p.loads()) {
            CHECK((l.bar == -1 || l.offset + l.width / 8 <= 0x1000));
            CHECK((l.bar == -1 || l.width == 32));
        }
    }
}

TEST_CASE("health of a controller", "[maps][nvme]") {
    Drive drive;
    drive.set(0x00, 64, 0x004000300f0107ff);
    drive.set(0x08, 32, 0x00010400);
    drive.set(0x14, 32, 0x00460001); // enabled, 64-byte and 16-byte entries
    drive.set(0x1c, 32, 0x1);
    drive.set(0x24, 32, 0x001f001f);
    drive.set(0x28, 64, 0x0000000104a00000);
    drive.set(0x30, 64, 0x0000000104a01000);
    {
        const Pass p(nvme(), drive);
        for (const auto& check : p.decoded().checks) {
            CAPTURE(nvme().text(nvme().checks[check.check].name));
            CHECK(check.result != CheckResult::failed);
            CHECK(check.result != CheckResult::not_evaluated);
        }
        CHECK(p.derived("nvme_page_size") == 4096);
        CHECK(p.derived("nvme_sq_entry_size") == 64);
        CHECK(p.derived("nvme_cq_entry_size") == 16);
        CHECK(p["AQA.ASQS"] == 31);
        CHECK(p["ASQ"] == 0x104a00000);
        CHECK(p["ACQ.ACQB"] == 0x104a01);
        CHECK(p.check("nvme-ready") == CheckResult::passed);
        CHECK(p.check("nvme-cmb-address-valid") == CheckResult::not_applicable);
    }
    SECTION("fatal error") {
        drive.set(0x1c, 32, 0x3);
        const Pass p(nvme(), drive);
        CHECK(p.check("nvme-no-fatal") == CheckResult::failed);
        CHECK(p.severity("CSTS.CFS") == Severity::critical);
    }
    SECTION("enabled but not ready") {
        drive.set(0x1c, 32, 0);
        const Pass p(nvme(), drive);
        CHECK(p.check("nvme-ready") == CheckResult::failed);
        CHECK(p.check("nvme-not-paused") == CheckResult::not_applicable);
    }
    SECTION("no driver") {
        drive.set(0x14, 32, 0);
        drive.set(0x1c, 32, 0);
        const Pass p(nvme(), drive);
        CHECK(p.check("nvme-enabled") == CheckResult::failed);
        CHECK(p.check("nvme-ready") == CheckResult::not_applicable);
        CHECK(p.derived("nvme_page_size") == std::nullopt);
    }
    SECTION("shut down") {
        drive.set(0x1c, 32, 0x9);
        const Pass p(nvme(), drive);
        CHECK(p.text("CSTS.SHST") == "complete");
        CHECK(p.text("CSTS.ST") == "controller");
        CHECK(p.check("nvme-not-shut-down") == CheckResult::failed);
    }
    SECTION("lost its queues to a reset") {
        drive.set(0x28, 64, 0);
        const Pass p(nvme(), drive);
        CHECK(p.check("nvme-admin-queues") == CheckResult::failed);
    }
    SECTION("may not use DMA") {
        store(drive.config, 0x04, 16, 0x0002);
        const Pass p(nvme(), drive);
        CHECK(p.check("nvme-bus-master") == CheckResult::failed);
    }
}

TEST_CASE("controller memory buffer and persistent memory region", "[maps][nvme]") {
    Drive drive;
    drive.set(0x00, 64, 0x034000300f0107ff); // CMBS, PMRS
    drive.set(0x08, 32, 0x00010400);
    drive.set(0x38, 32, 0x00000002);         // BAR 2, offset 0
    drive.set(0x3c, 32, 0x0004021f);         // 64 units of 1 MiB, all uses
    drive.set(0x50, 64, 0x00000010fe000003); // enabled at 0x10fe000000
    drive.set(0xe00, 32,
              0x01050980); // BAR 4, 5 minutes, PMRSTS is a write barrier
    drive.set(0xe04, 32, 1);
    drive.set(0xe08, 32, 3u << 9);
    drive.set(0xe14, 32, 0xfd000002);
    drive.set(0xe18, 32, 0x20);
    const Pass p(nvme(), drive);
    CHECK(p.derived("nvme_cmb_size") == std::uint64_t{64} << 20);
    CHECK(p.derived("nvme_cmb_offset") == 0);
    CHECK(p.text("CMBSZ.SZU") == "1 MiB");
    CHECK(p["CMBLOC.BIR"] == 2);
    CHECK(p["CMBMSC.CRE"] == 1);
    CHECK(p["CMBMSC.CBA"] == 0x10fe000);
    CHECK(p["PMRCAP.BIR"] == 4);
    CHECK(p["PMRCAP.PMRWBM_CPMRSTSR"] == 1);
    CHECK(p["PMRCAP.PMRWBM_CMR"] == 0);
    CHECK(p.derived("nvme_pmr_timeout") == 300000);
    CHECK(p.derived("nvme_pmr_base") == 0x20fd000000);
    CHECK(p.text("PMRSTS.HSTS") == "unreliable");
    CHECK(p.severity("PMRSTS.HSTS") == Severity::critical);
    CHECK(p.check("nvme-pmr-healthy") == CheckResult::failed);
}

TEST_CASE("values have the specification's meaning", "[maps][nvme]") {
    using Names = std::map<std::uint64_t, std::string>;
    const auto names = [](const char* reg, const char* field) { return enum_of(nvme(), reg, field); };
    CHECK(names("CAP", "CPS") ==
          Names{{0, "not reported"}, {1, "controller"}, {2, "domain"}, {3, "NVM subsystem"}});
    CHECK(names("CC", "CSS") ==
          Names{{0, "NVM"}, {6, "all supported I/O command sets"}, {7, "administrative commands only"}});
    CHECK(names("CC", "AMS") ==
          Names{{0, "round robin"}, {1, "weighted round robin with urgent class"}, {7, "vendor specific"}});
    CHECK(names("CC", "SHN") == Names{{0, "none"}, {1, "normal"}, {2, "abrupt"}});
    CHECK(names("CSTS", "SHST") == Names{{0, "not shutting down"}, {1, "in progress"}, {2, "complete"}});
    CHECK(names("CSTS", "ST") == Names{{0, "controller"}, {1, "NVM subsystem"}});
    CHECK(names("CMBSZ", "SZU") == Names{{0, "4 KiB"},
                                         {1, "64 KiB"},
                                         {2, "1 MiB"},
                                         {3, "16 MiB"},
                                         {4, "256 MiB"},
                                         {5, "4 GiB"},
                                         {6, "64 GiB"}});
    CHECK(names("BPINFO", "BRS") ==
          Names{{0, "none asked for"}, {1, "in progress"}, {2, "succeeded"}, {3, "failed"}});
    const Names units = {{0, "byte"}, {1, "KiB"}, {2, "MiB"}, {3, "GiB"}};
    const Names rates = {{0, "byte/s"}, {1, "KiB/s"}, {2, "MiB/s"}, {3, "GiB/s"}};
    CHECK(names("CMBEBS", "CMBSZU") == units);
    CHECK(names("PMREBS", "PMRSZU") == units);
    CHECK(names("CMBSWTP", "CMBSWTU") == rates);
    CHECK(names("PMRSWTP", "PMRSWTU") == rates);
    CHECK(names("PMRCAP", "PMRTU") == Names{{0, "500 ms"}, {1, "1 min"}});
    CHECK(names("PMRSTS", "HSTS") ==
          Names{{0, "normal"}, {1, "restore error"}, {2, "read only"}, {3, "unreliable"}});
}

TEST_CASE("a buffer address that the controller refuses is found", "[maps][nvme]") {
    Drive drive;
    drive.set(0x00, 64, 0x024000300f0107ff); // CMBS
    drive.set(0x08, 32, 0x00010400);
    CHECK(Pass(nvme(), drive).check("nvme-cmb-address-valid") == CheckResult::passed);
    drive.set(0x58, 32, 1);
    CHECK(Pass(nvme(), drive).check("nvme-cmb-address-valid") == CheckResult::failed);
}

TEST_CASE("boot partitions", "[maps][nvme]") {
    Drive drive;
    drive.set(0x00, 64, 0x004020300f0107ff); // BPS
    drive.set(0x08, 32, 0x00010300);
    drive.set(0x40, 32,
              0x82000010);           // partition 1 active, last read succeeded, 16 x 128 KiB
    drive.set(0x44, 32, 0x00001002); // offset 4 x 4 KiB, size 2 x 4 KiB
    drive.set(0x48, 64, 0x12345000);
    const Pass p(nvme(), drive);
    CHECK(p["BPINFO.ABPID"] == 1);
    CHECK(p.text("BPINFO.BRS") == "succeeded");
    CHECK(p.derived("nvme_boot_partition_size") == 2097152);
    const Index r = find_register(nvme(), "BPRSEL");
    const auto text = [&](const char* field) {
        const Index f = find_field(nvme(), r, field);
        return regmaps::field_text(nvme(), nvme().fields[f], *p[std::string("BPRSEL.") + field]);
    };
    CHECK(text("BPROF") == "16 KiB");
    CHECK(text("BPRSZ") == "8 KiB");
    CHECK(p["BPMBL"] == 0x12345000);
}

TEST_CASE("any NVMe controller gets this map before the pcie map", "[maps][nvme]") {
    regmaps::PciIdentity id;
    id.vendor = 0x144d;
    id.class_code = 0x010802;
    CHECK(regmaps::match_specificity(nvme(), id).value_or(0) > 0);
    id.class_code = 0x010601;
    CHECK(regmaps::match_specificity(nvme(), id) == std::nullopt);
}

TEST_CASE("registers that no driver may lose to a read are marked as safe only "
          "where they are",
          "[maps][nvme]") {
    for (Index r = 0; r < nvme().registers.size(); ++r) {
        const auto& reg = nvme().registers[r];
        if (in_pcie(nvme(), reg)) {
            continue;
        }
        CAPTURE(register_name(nvme(), r));
        const bool doorbell = reg.block != none;
        CHECK(regmaps::readability(nvme(), reg) ==
              (doorbell ? safety::WordStatus::write_only : safety::WordStatus::ok));
        CHECK((reg.split == safety::Split::hi_lo_hi) == (reg.width == 64));
        const std::string name = register_name(nvme(), r);
        if (name == "CSTS") { // RWC in figure 42
            CHECK(nvme().fields[find_field(nvme(), r, "NSSRO")].modified_write ==
                  regmaps::ModifiedWrite::one_to_clear);
        }
        CHECK(reg.never_all_ones == (name == "CAP" || name == "VS" || name == "CSTS"));
    }
}
