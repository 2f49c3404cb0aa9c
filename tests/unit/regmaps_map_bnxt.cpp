// The bnxt maps against the driver's rules. That they have the fields of the Linux headers is
// bnxt_truth.py's.
#include <catch2/catch.hpp>

#include <set>

#include <regmaps/parameters.h>

#include "regmaps_map_intel.h"

namespace {

using namespace maptest;
using barscope::safety::WordStatus;
using regmaps::CheckResult;
using regmaps::Severity;

const regmaps::RegisterMap& the_map(std::string_view name = "bnxt") {
    static std::map<std::string, regmaps::RegisterMap, std::less<>> maps;
    const auto found = maps.find(name);
    return found != maps.end() ? found->second : maps.emplace(name, load(name)).first->second;
}

const regmaps::RegisterMap& p4() {
    return the_map("bnxt-p4");
}
const regmaps::RegisterMap& p5() {
    return the_map("bnxt-p5");
}
const regmaps::RegisterMap& p7() {
    return the_map("bnxt-p7");
}

Device card(std::uint16_t id, std::uint32_t status = 0x8000) {
    Device device;
    device.pci.vendor = 0x14e4;
    device.pci.device = id;
    store(device.config, 0, 16, 0x14e4);
    store(device.config, 2, 16, id);
    device.bars[0] = std::vector<std::uint8_t>(0x10000, 0);
    device.bars[2] = std::vector<std::uint8_t>(0x20000, 0);
    store(device.bars[0], 0x520, 32, status);
    return device;
}

Index structure(std::string_view name) {
    for (Index s = 0; s < the_map().structures.size(); ++s) {
        if (the_map().text(the_map().structures[s].name) == name) {
            return s;
        }
    }
    return none;
}

// A card on which the driver has window 3 on the firmware's page, as Linux bnxt.c leaves it.
Device with_health(std::uint32_t status, std::uint32_t place = 0x031001f9) {
    Device device = card(0x1750, 0);
    store(device.bars[0], 0x408, 32, 0x03100000);
    store(device.bars[0], 0x31f0, 32, 0x48435301); // bnxt_hsi.h hcomm_status: "HCS", version 1
    store(device.bars[0], 0x31f4, 32, place);
    store(device.bars[0], 0x31f8, 32, status);
    return device;
}

std::set<std::uint64_t> bar_loads(const Pass& pass) {
    std::set<std::uint64_t> offsets;
    for (const Load& load : pass.loads()) {
        if (load.bar >= 0) {
            CHECK(load.bar == 0); // BAR 2 holds doorbells, BAR 4 the interrupt table: never read
            CHECK(load.width == 32);
            offsets.insert(load.offset);
        }
    }
    return offsets;
}

// The window registers of a function (15) or virtual function (3), and what else is named.
std::set<std::uint64_t> windows_and(unsigned windows, const std::set<std::uint64_t>& others) {
    std::set<std::uint64_t> offsets = others;
    for (unsigned n = 0; n < windows; ++n) {
        offsets.insert(0x400 + 4 * n);
    }
    return offsets;
}

regmaps::RegisterMap with(const regmaps::RegisterMap& map,
                          const std::vector<regmaps::Parameter>& parameters) {
    auto changed = regmaps::with_parameters(map, parameters);
    REQUIRE(changed);
    return *changed;
}

} // namespace

TEST_CASE("bnxt: direct registers lie where the Linux headers say", "[maps]") {
    const Device device = card(0x1750);
    const Pass pass(p5(), device);
    const std::pair<const char*, std::uint64_t> places[] = {
        {"CHIMP_COMM[0]", 0x0},      {"CHIMP_COMM[31]", 0x7c},     {"CHIMP_TRIGGER", 0x100},
        {"WINDOW1_BASE", 0x400},     {"WINDOW15_BASE", 0x438},     {"FW_STATUS", 0x520},
        {"RCFW_CMDQ_PBL_LO", 0x600}, {"RCFW_CMDQ_SIZE", 0x608},    {"RCFW_CMDQ_PROD", 0x60c},
        {"KONG_COMM[0]", 0xa00},     {"RCFW_CMDQ_TRIGGER", 0x700}, {"KONG_TRIGGER", 0xb00},
        {"DOORBELL", 0x10000}, // DB_PF_OFFSET_P5
    };
    for (const auto& [name, offset] : places) {
        INFO(name);
        REQUIRE(pass.has(name));
        CHECK(pass.offset(name) == offset);
    }
    CHECK(pass.placed("doorbells").bar == 2);
    const Device virtual_function = card(0x1806);
    const Pass vf(p5(), virtual_function);
    CHECK(vf.offset("DOORBELL") == 0x4000); // DB_VF_OFFSET_P5
    CHECK(vf.has("WINDOW3_BASE"));
    CHECK_FALSE(vf.has("WINDOW4_BASE")); // a VF has windows 1 to 3
    // 576xx: only the firmware knows where the doorbells begin.
    const Device newer = card(0x1760);
    CHECK_FALSE(Pass(p7(), newer).has("DOORBELL"));
    const auto told = with(p7(), {{"l2_doorbell_offset", 0x8000}});
    CHECK(Pass(told, newer).offset("DOORBELL") == 0x8000);
}

TEST_CASE("bnxt: no more is read of the BARs than windows, firmware status and selected pages", "[maps]") {
    const auto loads = [](const regmaps::RegisterMap& map, std::uint16_t id) {
        const Device device = card(id);
        return bar_loads(Pass(map, device));
    };
    CHECK(loads(p5(), 0x1750) == windows_and(15, {0x520}));
    CHECK(loads(p5(), 0x1807) == windows_and(3, {0x520}));
    CHECK(loads(p7(), 0x1760) == windows_and(15, {0x520}));
    CHECK(loads(p7(), 0x1819) == windows_and(3, {0x520}));
    CHECK(loads(p4(), 0x16d7) == windows_and(15, {}));
    CHECK(loads(p4(), 0x16c8) == windows_and(15, {}));
    CHECK(loads(p4(), 0x16dc) == windows_and(3, {}));
    CHECK(loads(the_map(), 0x1770) == windows_and(15, {}));
    const Device device = card(0x1750);
    const Pass pass(p5(), device);
    for (const char* name :
         {"CHIMP_TRIGGER", "KONG_TRIGGER", "RCFW_CMDQ_PROD", "RCFW_CMDQ_TRIGGER", "DOORBELL"}) {
        CHECK(pass.status(name) == WordStatus::write_only);
    }
    const Device older = card(0x16d7);
    CHECK(Pass(p4(), older).status("DOORBELL32") == WordStatus::write_only);
    // The mailboxes are read on request only.
    for (const auto& reg : p5().registers) {
        const bool mailbox = p5().text(reg.name).starts_with("CHIMP_") || p5().text(reg.name) == "KONG_COMM";
        CHECK(reg.on_request == (mailbox && p5().text(reg.name) != "CHIMP_TRIGGER"));
    }
}

TEST_CASE("bnxt: the firmware status is found where the status structure says", "[maps]") {
    // Linux bnxt.c bnxt_try_map_fw_health_reg: structure first, fallback where its signature is missing.
    const Device device = with_health(0x8003);
    const Pass pass(p5(), device);
    CHECK(bar_loads(pass) == windows_and(15, {0x520, 0x31f0, 0x31f4, 0x31f8}));
    CHECK(pass["ANNOUNCED.FW_STATUS"] == 0x8003);
    CHECK(pass.derived("fw_status_word") == 0x8003);
    CHECK(pass.derived_text("fw_status_place") == "1");
    CHECK(pass.check("firmware-ready") == CheckResult::failed);

    Device unsigned_structure = device;
    store(unsigned_structure.bars[0], 0x31f0, 32, 0x12345601);
    store(unsigned_structure.bars[0], 0x520, 32, 0x8000);
    const Pass fallback(p5(), unsigned_structure);
    CHECK_FALSE(fallback.has("ANNOUNCED.FW_STATUS"));
    CHECK(fallback.derived("fw_status_word") == 0x8000);
    CHECK(fallback.derived("fw_status_place") == 3);

    const Device elsewhere = with_health(0x8003, 0x04200101); // GRC 0x04200100: window 3 does not show it
    const Pass hidden(p5(), elsewhere);
    CHECK(bar_loads(hidden) == windows_and(15, {0x520, 0x31f0, 0x31f4}));
    CHECK_FALSE(hidden["ANNOUNCED.FW_STATUS"].has_value());

    const Device direct = with_health(0, 0x0000052a); // BAR 0 + 0x528
    const Pass straight(p5(), direct);
    CHECK(straight.offset("ANNOUNCED_DIRECT.FW_STATUS") == 0x528);
    CHECK(straight.derived("fw_status_place") == 2);
}

TEST_CASE("bnxt: nothing is looked at through a window that points elsewhere", "[maps]") {
    for (const std::uint32_t select : {0x0u, 0xffffffffu, 0x03100001u, 0x03110000u, 0x00260000u}) {
        INFO("window 3 holds " << select);
        Device device = with_health(0x8003);
        store(device.bars[0], 0x408, 32, select);
        store(device.bars[0], 0x520, 32, 0x8000);
        const Pass pass(p5(), device);
        CHECK_FALSE(pass["HCOMM.SIG_VER"].has_value());
        CHECK_FALSE(pass["ANNOUNCED.FW_STATUS"].has_value());
        CHECK(pass.derived("fw_status_word") == 0x8000);
        const std::set<std::uint64_t> chip =
            select == 0x00260000 ? std::set<std::uint64_t>{0x3048} : std::set<std::uint64_t>{};
        std::set<std::uint64_t> expected = windows_and(15, chip);
        expected.insert(0x520);
        CHECK(bar_loads(pass) == expected);
    }
}

TEST_CASE("bnxt: the clock is read high, low, high through window 6", "[maps]") {
    Device device = card(0x1750);
    store(device.bars[0], 0x414, 32, 0x06401000); // bnxt_ptp.c maps this page
    store(device.bars[0], 0x680c, 32, 0x9abcdef0);
    store(device.bars[0], 0x6810, 32, 0x12345678);
    Pass pass(p5(), device);
    CHECK(pass["TIMESYNC_TS0"] == 0x123456789abcdef0);
    const Pass before(p5(), device);
    pass.compare_with(before);
    CHECK(pass.check("clock-moving") == CheckResult::failed);
    Device later = device;
    store(later.bars[0], 0x680c, 32, 0x9abcdef1);
    Pass moved(p5(), later);
    CHECK(moved.check("clock-moving") == CheckResult::not_evaluated); // one pass says nothing
    moved.compare_with(before);
    CHECK(moved.check("clock-moving") == CheckResult::passed);
    const Device none_there = card(0x1750);
    CHECK(Pass(p5(), none_there).check("clock-moving") == CheckResult::not_applicable);
}

TEST_CASE("bnxt: heartbeat and reset counter are compared between two passes", "[maps]") {
    const auto map = with(p5(), {{"fw_heartbeat_reg", 0x031001fd},
                                 {"fw_reset_count_reg", 0x03100201},
                                 {"fw_reset_inprogress_reg", 0x03100205},
                                 {"fw_reset_inprogress_mask", 0x2}});
    Device first = with_health(0x8000);
    store(first.bars[0], 0x31fc, 32, 41);
    store(first.bars[0], 0x3200, 32, 7);
    store(first.bars[0], 0x3204, 32, 0x1); // not a bit of the mask
    Device second = first;
    store(second.bars[0], 0x31fc, 32, 42);
    const Pass before(map, first);
    Pass after(map, second);
    after.compare_with(before);
    CHECK(after["HEARTBEAT.COUNT"] == 42);
    CHECK(after.check("firmware-heartbeat-moving") == CheckResult::passed);
    CHECK(after.check("firmware-not-reset") == CheckResult::passed);
    CHECK(after.check("no-firmware-reset-in-progress") == CheckResult::passed);

    store(second.bars[0], 0x31fc, 32, 41);
    store(second.bars[0], 0x3200, 32, 8);
    store(second.bars[0], 0x3204, 32, 0x2);
    Pass sick(map, second);
    sick.compare_with(before);
    CHECK(sick.check("firmware-heartbeat-moving") == CheckResult::failed);
    CHECK(sick.check("firmware-not-reset") == CheckResult::failed);
    CHECK(sick.check("no-firmware-reset-in-progress") == CheckResult::failed);

    // Without the firmware's word for where they are, nothing is said of them.
    const Pass untold(p5(), first);
    CHECK(untold.check("firmware-heartbeat-moving") == CheckResult::not_applicable);
    CHECK_FALSE(untold.has("HEARTBEAT.COUNT"));
    // A place that is not in GRC is not read; nor is one of page 0, which an unset window could seem to show.
    for (const std::uint64_t place : {0x031001fcu, 0x031001feu, 0x031001ffu, 0x1fdu}) {
        const auto other = with(p5(), {{"fw_heartbeat_reg", place}});
        CHECK_FALSE(Pass(other, first).has("HEARTBEAT.COUNT"));
    }
}

TEST_CASE("bnxt: doorbell FIFO occupancy uses the generation's depth and mask", "[maps]") {
    // Linux bnxt_re: 0x2c00 entries on 575xx, 0x8000 on 576xx where the firmware says 0.
    const auto used = [](const regmaps::RegisterMap& map, std::uint16_t id, std::uint32_t status) {
        Device device = card(id);
        store(device.bars[0], 0x404, 32, 0x04567000);
        store(device.bars[0], 0x2010, 32, status);
        const Pass pass(map, device);
        return std::make_tuple(pass.derived("doorbell_fifo_used"), pass.check("doorbell-fifo-plausible"),
                               pass.check("doorbell-fifo-not-full"));
    };
    const auto p5_map = with(p5(), {{"doorbell_fifo_reg", 0x04567011}});
    using Seen = std::tuple<std::optional<std::uint64_t>, CheckResult, CheckResult>;
    CHECK(used(p5_map, 0x1750, 0x2c00u << 15) == Seen{0, CheckResult::passed, CheckResult::passed});
    CHECK(used(p5_map, 0x1750, 0x2bf0u << 15 | 0x7fff) ==
          Seen{0x10, CheckResult::passed, CheckResult::passed});
    CHECK(used(p5_map, 0x1750, 0) == Seen{0x2c00, CheckResult::passed, CheckResult::failed});
    CHECK(used(p5_map, 0x1750, 0x2c01u << 15) ==
          Seen{std::nullopt, CheckResult::failed, CheckResult::passed});
    // The mask of 576xx is not public: without the firmware's own there is no answer.
    const auto p7_map = with(p7(), {{"doorbell_fifo_reg", 0x04567011}});
    CHECK(used(p7_map, 0x1760, 0) ==
          Seen{std::nullopt, CheckResult::not_evaluated, CheckResult::not_evaluated});
    const auto told = with(p7(), {{"doorbell_fifo_reg", 0x04567011},
                                  {"doorbell_fifo_room_mask", 0xffff0000},
                                  {"doorbell_fifo_room_shift", 16}});
    CHECK(used(told, 0x1760, 0x7fffu << 16) == Seen{1, CheckResult::passed, CheckResult::passed});
    CHECK(used(p5(), 0x1750, 0) ==
          Seen{std::nullopt, CheckResult::not_applicable, CheckResult::not_applicable});
}

TEST_CASE("bnxt: the firmware's state and the checks follow the status word", "[maps]") {
    // Linux bnxt_hsi.h fw_status_reg and bnxt.h BNXT_FW_IS_BOOTING, BNXT_FW_IS_HEALTHY, BNXT_FW_IS_ERR.
    struct Case {
        std::uint32_t status;
        std::uint64_t state;
        CheckResult ready;
    };
    for (const Case& c :
         {Case{0x8000, 1, CheckResult::passed}, Case{0x7fff, 0, CheckResult::failed},
          Case{0x0001, 0, CheckResult::failed}, Case{0x8001, 2, CheckResult::failed},
          Case{0x0000, 3, CheckResult::not_applicable}, Case{0x00038000, 1, CheckResult::passed}}) {
        INFO("status " << c.status);
        const Device device = card(0x1750, c.status);
        const Pass pass(p5(), device);
        CHECK(pass.derived("fw_state") == c.state);
        CHECK(pass.check("firmware-ready") == c.ready);
    }
    const Device dead = card(0x1750, 0x00248001); // crash dump runs, crashed without a master
    const Pass crashed(p5(), dead);
    CHECK(crashed["FW_STATUS.CRASHED_NO_MASTER"] == 1);
    CHECK(crashed["FW_STATUS.CRASHDUMP_ONGOING"] == 1);
    CHECK(crashed.severity("FW_STATUS.CRASHED_NO_MASTER") == Severity::critical);
    CHECK(crashed.check("firmware-has-master") == CheckResult::failed);
    CHECK(crashed.check("no-crash-dump-in-progress") == CheckResult::failed);
    CHECK(crashed.check("firmware-not-shut-down") == CheckResult::passed);
    const Device fine = card(0x1750);
    const Pass ready(p5(), fine);
    CHECK(ready.text("FW_STATUS.CODE") == "READY");
    CHECK(ready.severity("FW_STATUS.CODE") == Severity::ok);
    CHECK(ready.unnamed("FW_STATUS") == 0);
    const Device odd = card(0x1750, 0x80008000);
    CHECK(Pass(p5(), odd).unnamed("FW_STATUS") == 0x80000000);
    // Older chips have no such register; where the window does not show the status either, nothing is said.
    const Device older = card(0x16d7);
    const Pass old(p4(), older);
    CHECK_FALSE(old.has("FW_STATUS"));
    CHECK(old.check("firmware-ready") == CheckResult::not_evaluated);
    Device announced = with_health(0x8000);
    announced.pci.device = 0x16d7;
    CHECK(Pass(p4(), announced).check("firmware-ready") == CheckResult::passed);
}

TEST_CASE("bnxt: a doorbell value decodes", "[maps]") {
    // By hand: NQ_ARM (b), valid (bit 58), L2 path (1), ring 0x12, epoch 1, index 0x345.
    const std::uint64_t value = 0xb500'0012'0100'0345;
    std::vector<std::uint8_t> bytes(8);
    store(bytes, 0, 64, value);
    for (const char* name : {"doorbell", "doorbell-words"}) {
        const auto decoded = regmaps::decode_structure(the_map(), structure(name), bytes);
        REQUIRE(decoded);
        std::map<std::string, std::pair<std::uint64_t, std::string>> fields;
        for (const auto& f : decoded->fields) {
            REQUIRE(f.field != none);
            fields[std::string(the_map().text(the_map().fields[f.field].name))] = {
                f.value, f.enum_value == none
                             ? ""
                             : std::string(the_map().text(the_map().enum_values[f.enum_value].name))};
        }
        CHECK(fields["TYPE"] == std::pair<std::uint64_t, std::string>(0xb, "NQ_ARM"));
        CHECK(fields["PATH"] == std::pair<std::uint64_t, std::string>(1, "L2"));
        CHECK(fields["VALID"].first == 1);
        CHECK(fields["XID"].first == 0x12);
        CHECK(fields["EPOCH"].first == 1);
        CHECK(fields["TOGGLE"].first == 0);
        CHECK(fields["INDEX"].first == 0x345);
    }
}

TEST_CASE("bnxt: a completion's status is read with the codes of its type", "[maps]") {
    // Byte 24: type << 1 | toggle; byte 25: status. Requester 9 is RNR retries exceeded, responder 9 does not
    // exist, responder 4 is a queue pair error while requester 4 is a protection error (roce_hsi.h cq_req,
    // cq_res_rc).
    struct Case {
        unsigned type, status;
        const char* layout;
        const char* name;
    };
    for (const Case& c :
         {Case{0, 9, "cqe-req", "RNR_NAK_RETRY_CNT_ERR"}, Case{0, 4, "cqe-req", "LOCAL_PROTECTION_ERR"},
          Case{1, 4, "cqe-res-rc", "LOCAL_QP_OPERATION_ERR"}, Case{1, 9, "cqe-res-rc", ""},
          Case{14, 0, "cqe-terminal", "OK"}}) {
        INFO("type " << c.type << " status " << c.status);
        std::vector<std::uint8_t> bytes(32);
        store(bytes, 8, 16, 0x123);
        store(bytes, 24, 8, c.type << 1u | 1u);
        store(bytes, 25, 8, c.status);
        const auto decoded = regmaps::decode_structure(the_map(), structure("cqe"), bytes);
        REQUIRE(decoded);
        CHECK(the_map().text(the_map().structures[decoded->structure].name) == c.layout);
        CHECK(decoded->valid == 1);
        bool seen = false;
        for (const auto& f : decoded->fields) {
            if (f.field != none && the_map().text(the_map().fields[f.field].name) == "STATUS") {
                seen = true;
                CHECK(f.value == c.status);
                CHECK(
                    (f.enum_value == none ? "" : the_map().text(the_map().enum_values[f.enum_value].name)) ==
                    c.name);
            }
        }
        CHECK(seen);
    }
    std::vector<std::uint8_t> unknown(32);
    store(unknown, 24, 8, 7 << 1); // no such type
    const auto decoded = regmaps::decode_structure(the_map(), structure("cqe"), unknown);
    REQUIRE(decoded);
    CHECK(decoded->variant_unknown);
}

TEST_CASE("bnxt: handles that may be kernel pointers are marked, and nothing else", "[maps]") {
    // Drivers put kernel addresses into these (facts of bnxt_re's qplib_fp.c, qplib_rcfw.c).
    unsigned marked = 0;
    for (const auto& field : the_map().fields) {
        const std::string_view name = the_map().text(field.name);
        const bool handle =
            name.ends_with("_HANDLE") || name.ends_with("_HANDLE_LOW") || name.ends_with("_HANDLE_HIGH");
        INFO(name);
        CHECK((field.sensitive == regmaps::Sensitive::kernel_pointer) == handle);
        marked += handle ? 1 : 0;
    }
    CHECK(marked >= 20);
}

TEST_CASE("bnxt: entries of the queues choose their layout, also a shorter one", "[maps]") {
    struct Case {
        const char* outer;
        std::size_t size;
        std::vector<std::pair<unsigned, unsigned>> bytes; // offset, value
        const char* layout;
    };
    // roce_hsi.h nq_base, creq_base, creq_qp_event, sq_base; bnxt_hsi.h hwrm_async_event_cmpl.
    for (const Case& c :
         {Case{"nqe", 16, {{0, 0x30}}, "nqe-cn"}, Case{"nqe", 16, {{0, 0x32}}, "nqe-srq-event"},
          Case{"creq", 16, {{0, 0x38}, {9, 0xc0}}, "creq-qp-error-notification"},
          Case{"creq", 16, {{0, 0x38}, {9, 0xc1}}, "creq-cq-error-notification"},
          Case{"creq", 16, {{0, 0x38}, {9, 0x01}}, "creq-response"},
          Case{"sq-wqe", 128, {{0, 0x00}}, "sq-send"}, Case{"sq-wqe", 128, {{0, 0x0d}}, "sq-fr-pmr"},
          Case{"sq-wqe", 128, {{0, 0x1a}}, "sq-localinvalidate-v3"},
          Case{"sq-wqe-hdr", 32, {{0, 0x06}}, "sq-rdma-hdr"},
          Case{"l2-completion", 16, {{0, 0x2e}, {2, 0x45}, {12, 5}}, "async-event-error-report-thermal"},
          Case{"cqe-v2", 32, {{24, 2 << 1}}, "cqe-res-ud-v2"}}) {
        INFO(c.outer << " " << c.layout);
        std::vector<std::uint8_t> bytes(c.size);
        for (const auto& [offset, value] : c.bytes) {
            bytes[offset] = static_cast<std::uint8_t>(value);
        }
        const auto decoded = regmaps::decode_structure(the_map(), structure(c.outer), bytes);
        REQUIRE(decoded);
        CHECK(the_map().text(the_map().structures[decoded->structure].name) == c.layout);
        CHECK_FALSE(decoded->variant_unknown);
    }
}

TEST_CASE("bnxt: the device ids of the Linux driver match and have their generation", "[maps]") {
    // Linux 6.12 bnxt_pci_tbl; generations by chip (bnxt.h BNXT_CHIP_*).
    const std::map<std::uint64_t, std::vector<std::uint16_t>> ids{
        {3,
         {0x16c8, 0x16c9, 0x16ca, 0x16d0, 0x16d1, 0x16d2, 0x16d4, 0x16d5, 0x16e7, 0x16e8, 0x16e9, 0x16ea,
          0x16cb, 0x16e1, 0x16e5, 0x16c2, 0x16c3, 0x16e6}},
        {4, {0x1604, 0x1605, 0x1614, 0x16c0, 0x16cc, 0x16cd, 0x16ce, 0x16cf, 0x16df, 0x16d6, 0x16d7, 0x16d8,
             0x16d9, 0x16de, 0x16eb, 0x16e2, 0x16e3, 0x16ec, 0x16ed, 0x16ee, 0x16ef, 0x16f0, 0x16f1, 0xd802,
             0xd804, 0x1606, 0x1607, 0x1608, 0x1609, 0x16c1, 0x16d3, 0x16dc, 0x16bd, 0x16c4, 0x16c5, 0xd800}},
        {5,
         {0x1750, 0x1751, 0x1752, 0x1800, 0x1801, 0x1802, 0x1803, 0x1804, 0x1805, 0x1806, 0x1807, 0x1808,
          0x1809}},
        {7, {0x1760, 0x1761, 0x1762, 0x1763, 0x1819, 0x181b}},
    };
    std::size_t count = 0;
    for (const auto& [generation, list] : ids) {
        for (const std::uint16_t id : list) {
            INFO("device " << id);
            const Device device = card(id);
            const auto& map = generation < 5 ? p4() : generation == 5 ? p5() : p7();
            for (const auto* each : {&p4(), &p5(), &p7(), &the_map()}) {
                CHECK(regmaps::match_specificity(*each, device.pci).has_value() == (each == &map));
            }
            CHECK(Pass(map, device).derived("generation") == generation);
            ++count;
        }
    }
    CHECK(count == 73);
    CHECK(regmaps::match_specificity(the_map(), card(0x1770).pci));       // a later generation
    CHECK_FALSE(regmaps::match_specificity(the_map(), card(0x1639).pci)); // BCM5709: driver bnx2
}
