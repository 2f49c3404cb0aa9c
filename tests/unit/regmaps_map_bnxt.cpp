// The bnxt map against the fields of the Linux headers (tests/unit/data/bnxt-fields.csv) and the driver's
// rules.
#include <catch2/catch.hpp>

#include <set>

#include "regmaps_map_intel.h"

namespace {

using namespace maptest;
using barscope::safety::WordStatus;
using regmaps::CheckResult;
using regmaps::Severity;

const regmaps::RegisterMap& the_map() {
    static const regmaps::RegisterMap map = load("bnxt");
    return map;
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

std::string upper(std::string text) {
    for (char& c : text) {
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return text;
}

// The map's name for a field of the table: upper case, without the prefixes that repeat the structure.
std::string field_name(const std::string& table_name) {
    std::string name = upper(table_name);
    for (const std::string_view prefix : {"DB_", "TRUE_", "RAWETH_QP1_"}) {
        if (name.rfind(prefix, 0) == 0) {
            return name.substr(prefix.size());
        }
    }
    return name;
}

// "SQ=0x0;RQ=0x1", except for the header's constants that name no state.
std::map<std::uint64_t, std::string> enum_of(const std::string& cell) {
    std::map<std::uint64_t, std::string> values;
    std::istringstream parts(cell);
    for (std::string part; std::getline(parts, part, ';');) {
        const auto equals = part.find('=');
        if (part.substr(0, equals) != "VAL" && part.substr(0, equals) != "LATEST") {
            values[number(part.substr(equals + 1))] = part.substr(0, equals);
        }
    }
    return values;
}

const std::map<std::string, std::string> structures{
    {"dbr64", "doorbell"},
    {"dbc_dbc", "doorbell-words"},
    {"db32_p4", "doorbell32"},
    {"db_push_start", "doorbell-push-start"},
    {"db_push_end", "doorbell-push-end"},
    {"fw_status_reg", "fw-status"},
    {"hcomm_status", "hcomm-status"},
    {"input", "hwrm-input"},
    {"hwrm_short_input", "hwrm-short-input"},
    {"cmdq_init", "rcfw-cmdq-init"},
    {"cq_req", "cqe-req"},
    {"cq_res_rc", "cqe-res-rc"},
    {"cq_res_ud", "cqe-res-ud"},
    {"cq_res_ud_cfa", "cqe-res-ud-cfa"},
    {"cq_res_raweth_qp1", "cqe-res-raweth-qp1"},
    {"cq_no_op", "cqe-no-op"},
    {"cq_terminal", "cqe-terminal"},
    {"cq_cutoff", "cqe-cut-off"},
};

} // namespace

TEST_CASE("bnxt: structures have the fields of the Linux headers, bit for bit", "[maps]") {
    std::set<std::pair<std::string, std::string>> seen;
    for (const auto& row : table("bnxt-fields.csv")) {
        const auto found = structures.find(row.at(0));
        if (found == structures.end()) {
            continue;
        }
        const Index index = structure(found->second);
        REQUIRE(index != none);
        const auto range = the_map().structures[index].fields;
        INFO(row.at(0) << "." << row.at(4));
        const regmaps::Field* field = nullptr;
        for (const auto& candidate : the_map().fields.subspan(range.begin, range.count)) {
            if (the_map().text(candidate.name) == field_name(row.at(4))) {
                field = &candidate;
            }
        }
        REQUIRE(field != nullptr);
        CHECK(field->at == number(row.at(2)));
        if (number(row.at(3)) == 48) { // wider than a word of the format: bytes
            CHECK(field->bytes == 6);
        } else {
            CHECK(field->width == number(row.at(3)));
            CHECK(field->lsb == number(row.at(5)));
            CHECK(field->msb == number(row.at(6)));
        }
        const auto expected = enum_of(row.at(7));
        if (!expected.empty()) {
            REQUIRE(field->enumeration != none);
            const auto values = the_map().enums[field->enumeration].values;
            std::map<std::uint64_t, std::string> names;
            for (const auto& value : the_map().enum_values.subspan(values.begin, values.count)) {
                names[value.value] = std::string(the_map().text(value.name));
            }
            for (const auto& [value, name] : expected) {
                CHECK(names[value] == name);
            }
        }
        seen.insert({row.at(0), row.at(4)});
    }
    CHECK(seen.size() == 143);
}

TEST_CASE("bnxt: direct registers lie where the Linux headers say", "[maps]") {
    const Pass pass(the_map(), card(0x1750));
    const std::pair<const char*, std::uint64_t> places[] = {
        {"CHIMP_COMM[0]", 0x0},       {"CHIMP_COMM[31]", 0x7c},   {"CHIMP_TRIGGER", 0x100},
        {"WINDOW_BASE[0]", 0x400},    {"WINDOW_BASE[14]", 0x438}, {"FW_STATUS", 0x520},
        {"RCFW_CMDQ_PBL_LO", 0x600},  {"RCFW_CMDQ_SIZE", 0x608},  {"RCFW_CMDQ_PROD", 0x60c},
        {"RCFW_CMDQ_TRIGGER", 0x700}, {"KONG_COMM[0]", 0xa00},    {"KONG_TRIGGER", 0xb00},
        {"DOORBELL", 0x10000}, // DB_PF_OFFSET_P5
    };
    for (const auto& [name, offset] : places) {
        INFO(name);
        REQUIRE(pass.has(name));
        CHECK(pass.offset(name) == offset);
    }
    CHECK(pass.placed("doorbells").bar == 2);
    const Pass vf(the_map(), card(0x1806));
    CHECK(vf.offset("DOORBELL") == 0x4000); // DB_VF_OFFSET_P5
    CHECK(vf.has("WINDOW_BASE[2]"));
    CHECK_FALSE(vf.has("WINDOW_BASE[3]")); // a VF has windows 1 to 3
}

TEST_CASE("bnxt: the firmware status is the only register of a BAR that is read", "[maps]") {
    // Everything else is written by drivers and never read back, so nothing says that a read is safe.
    for (const std::uint16_t id :
         std::initializer_list<std::uint16_t>{0x1750, 0x1760, 0x1807, 0x16d7, 0x16c8, 0x1819}) {
        const Pass pass(the_map(), card(id));
        const bool newer = id != 0x16d7 && id != 0x16c8;
        std::vector<Load> loads;
        for (const Load& load : pass.loads()) {
            if (load.bar >= 0) {
                loads.push_back(load);
            }
        }
        INFO("device " << id);
        REQUIRE(loads.size() == (newer ? 1 : 0));
        if (newer) {
            CHECK(loads.front().bar == 0);
            CHECK(loads.front().offset == 0x520);
            CHECK(loads.front().width == 32);
        }
        CHECK(pass.status("CHIMP_TRIGGER") == WordStatus::write_only);
        CHECK(pass.status(newer ? "DOORBELL" : "DOORBELL32") == WordStatus::write_only);
    }
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
        const Pass pass(the_map(), card(0x1750, c.status));
        CHECK(pass.derived("fw_state") == c.state);
        CHECK(pass.check("firmware-ready") == c.ready);
    }
    const Pass crashed(the_map(), card(0x1750, 0x00248001)); // crash dump runs, crashed without a master
    CHECK(crashed["FW_STATUS.CRASHED_NO_MASTER"] == 1);
    CHECK(crashed["FW_STATUS.CRASHDUMP_ONGOING"] == 1);
    CHECK(crashed.severity("FW_STATUS.CRASHED_NO_MASTER") == Severity::critical);
    CHECK(crashed.check("firmware-has-master") == CheckResult::failed);
    CHECK(crashed.check("no-crash-dump-in-progress") == CheckResult::failed);
    CHECK(crashed.check("firmware-not-shut-down") == CheckResult::passed);
    const Pass ready(the_map(), card(0x1750));
    CHECK(ready.text("FW_STATUS.CODE") == "READY");
    CHECK(ready.severity("FW_STATUS.CODE") == Severity::ok);
    CHECK(ready.unnamed("FW_STATUS") == 0);
    CHECK(Pass(the_map(), card(0x1750, 0x80008000)).unnamed("FW_STATUS") == 0x80000000);
    // Older chips have no such register, so nothing is said of their firmware.
    const Pass old(the_map(), card(0x16d7));
    CHECK_FALSE(old.has("FW_STATUS"));
    CHECK(old.check("firmware-ready") == CheckResult::not_evaluated);
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
            CHECK(regmaps::match_specificity(the_map(), device.pci));
            CHECK(Pass(the_map(), device).derived("generation") == generation);
            ++count;
        }
    }
    CHECK(count == 73);
    CHECK_FALSE(regmaps::match_specificity(the_map(), card(0x1639).pci)); // BCM5709: driver bnx2
}
