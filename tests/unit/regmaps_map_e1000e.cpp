// The e1000e map against published dumps, the Linux driver's header and the IEEE and Intel documents that it
// names.
#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include "regmaps_map_intel.h"

namespace {

using namespace maptest;
using barscope::safety::ReadAction;
using barscope::safety::WordStatus;
using regmaps::Severity;

constexpr std::uint16_t id_82574 = 0x10d3;    // Linux e1000e/hw.h E1000_DEV_ID_82574L
constexpr std::uint16_t id_82571 = 0x105e;    // E1000_DEV_ID_82571EB_COPPER
constexpr std::uint16_t id_80003 = 0x1096;    // E1000_DEV_ID_80003ES2LAN_COPPER_DPT
constexpr std::uint16_t id_i219_spt = 0x15b8; // E1000_DEV_ID_PCH_SPT_I219_V2
constexpr std::uint16_t id_i217 = 0x153a;     // E1000_DEV_ID_PCH_LPT_I217_LM

const regmaps::RegisterMap& the_map() {
    static const regmaps::RegisterMap map = load("intel-e1000e");
    return map;
}

} // namespace

TEST_CASE("e1000e: the published CTRL and STATUS pairs decode as published", "[maps]") {
    const auto document = nlohmann::json::parse(file_text(data_path("e1000-ctrl-status-pairs.json")));
    REQUIRE(document.at("pairs").size() == 4);
    for (const auto& pair : document.at("pairs")) {
        for (const auto& [reg, key] : {std::pair("CTRL", "ctrl"), std::pair("STATUS", "status")}) {
            const Decode decoded(the_map(), reg, number(pair.at(key).get<std::string>()));
            for (const auto& [field, value] : pair.at(reg).items()) {
                INFO(pair.at(key) << " " << reg << "." << field);
                CHECK(decoded[field] == value.get<std::uint64_t>());
            }
        }
    }
}

TEST_CASE("e1000e: an ethtool -d dump from 2003 has the same registers at the same places", "[maps]") {
    // "0x02808: RDLEN (Receive desc length)     0x00001000"
    std::istringstream lines(file_text(data_path("ethtool-d-e1000-82543gc.txt")));
    std::map<std::string, std::uint64_t> values;
    for (std::string line; std::getline(lines, line);) {
        if (line.substr(0, 2) != "0x") {
            continue;
        }
        const std::string name = line.substr(9, line.find(' ', 9) - 9);
        INFO(line);
        CHECK(register_of(the_map(), name).offset == number(line.substr(0, 7)));
        values[name] = number(line.substr(line.rfind("0x")));
    }
    REQUIRE(values.size() == 11);
    // What ethtool printed below CTRL and STATUS.
    const Decode ctrl(the_map(), "CTRL", values.at("CTRL"));
    CHECK(ctrl.text("FD") == "FULL");
    CHECK(ctrl["BEM"] == 0); // "Endian mode (buffers): little"
    CHECK(ctrl["LRST"] == 1);
    CHECK(ctrl["SLU"] == 1);
    CHECK(ctrl["ILOS"] == 0);
    CHECK(ctrl["RFCE"] == 1);
    CHECK(ctrl["TFCE"] == 0);
    CHECK(ctrl["VME"] == 0);
    CHECK(ctrl["ASDE"] == 0);
    CHECK(ctrl.text("SPEED") == "1000M");
    CHECK(ctrl["FRCSPD"] == 1);
    CHECK(ctrl["FRCDPLX"] == 1);
    const Decode status(the_map(), "STATUS", values.at("STATUS"));
    CHECK(status.text("FD") == "FULL");
    CHECK(status.text("LU") == "UP");
    CHECK(status["TBIMODE"] == 0);
    CHECK(status.text("SPEED") == "1000M");
    // RCTL 0x00008002, TCTL 0x0004010A, by hand: EN and BAM; EN, PSP, CT 16, COLD 64.
    const Decode rctl(the_map(), "RCTL", values.at("RCTL"));
    CHECK(rctl.text("EN") == "ENABLED");
    CHECK(rctl["BAM"] == 1);
    CHECK(rctl["BSIZE"] == 0);
    const Decode tctl(the_map(), "TCTL", values.at("TCTL"));
    CHECK(tctl.text("EN") == "ENABLED");
    CHECK(tctl["PSP"] == 1);
    CHECK(tctl["CT"] == 16);
    CHECK(tctl["COLD"] == 64);
}

TEST_CASE("e1000e: half duplex and a lost link are shown as such", "[maps]") {
    const Decode status(the_map(), "STATUS", 0x00080380 & ~0x3u);
    CHECK(status.text("LU") == "DOWN");
    CHECK(status.severity("LU") == Severity::warning);
    CHECK(status.text("FD") == "HALF");
    CHECK(status.severity("FD") == Severity::warning);
}

TEST_CASE("e1000e: every register that the Linux header marks R/clr is never read", "[maps]") {
    unsigned seen = 0;
    for (const auto& row : table("intel-read-clear.csv")) {
        if (row.at(0) != "e1000e") {
            continue;
        }
        INFO(row.at(1));
        const auto& reg = register_of(the_map(), row.at(1));
        CHECK(reg.offset == number(row.at(2)));
        CHECK(reg.read_action == ReadAction::clear);
        CHECK(regmaps::readability(the_map(), reg) == WordStatus::side_effect);
        ++seen;
    }
    CHECK(seen == 59);
}

TEST_CASE("e1000e: the other registers that a read changes are refused", "[maps]") {
    // I210 data sheet 8.7.1: SMBI is set by a read. 8.15.1: RXTT is cleared by a read of RXSTMPH. Linux
    // netdev.c: "latch SYSTIMH on read of SYSTIML", "SYNCH bit and IV bit are sticky", PBECCSTS is added up.
    const std::pair<const char*, ReadAction> expected[] = {
        {"SWSM", ReadAction::set},
        {"RXSTMPL", ReadAction::modify_external},
        {"RXSTMPH", ReadAction::modify_external},
        {"TXSTMPH", ReadAction::modify_external},
        {"RXSATRH", ReadAction::modify_external},
        {"SYSTIML", ReadAction::modify_external},
        {"RXCW", ReadAction::modify},
        {"PCS_LSTAT", ReadAction::modify},
        {"PBECCSTS", ReadAction::clear},
        {"IAC", ReadAction::clear},
        {"ICRXOC", ReadAction::clear},
    };
    for (const auto& [name, action] : expected) {
        INFO(name);
        CHECK(register_of(the_map(), name).read_action == action);
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::side_effect);
    }
    for (const char* name : {"ICS", "IMC"}) {
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::write_only);
    }
    for (const char* name : {"CTRL", "STATUS", "RCTL", "TCTL", "RDH", "TDT", "IMS", "MDIC"}) {
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::ok);
    }
}

TEST_CASE("e1000e: a pass over an 82574 touches no statistics, no ICR, no semaphore", "[maps]") {
    Device device = intel_device(id_82574);
    store(device.bars[0], 0xc0, 32, 0xcafe0001);
    const Pass pass(the_map(), device);
    CHECK_FALSE(pass["ICR"]);
    CHECK(pass.status("ICR") == WordStatus::side_effect);
    unsigned mapped = 0;
    for (const Load& load : pass.loads()) {
        if (load.bar != 0) {
            continue;
        }
        ++mapped;
        INFO("load at " << load.offset);
        CHECK(load.width == 32);
        CHECK(load.offset != 0xc0);                                                     // ICR
        CHECK((load.offset < 0x4000 || load.offset > 0x4124));                          // statistics
        CHECK(load.offset != 0x5b50);                                                   // SWSM
        CHECK((load.offset < 0xb618 || load.offset > 0xb630 || load.offset == 0xb620)); // stamps
    }
    CHECK(mapped > 300);
}

TEST_CASE("e1000e: the generation follows the device id and decides what exists", "[maps]") {
    const Pass discrete(the_map(), intel_device(id_82574));
    CHECK(discrete.derived("mac_type") == 4);
    CHECK(discrete.has("IVAR"));
    CHECK(discrete.has("EITR[4]"));
    CHECK(discrete.has("EERD"));
    CHECK(discrete.has("FCAL"));
    CHECK_FALSE(discrete.has("FEXTNVM7"));
    CHECK_FALSE(discrete.has("PBECCSTS"));
    CHECK(discrete.has("MTA[127]"));
    CHECK(discrete.has("RA[15].RAH"));
    CHECK(discrete.offset("RA[15].RAH") == 0x547c);

    const Pass integrated(the_map(), intel_device(id_i219_spt));
    CHECK(integrated.derived("mac_type") == 13);
    CHECK(integrated.has("FEXTNVM7"));
    CHECK(integrated.has("PBECCSTS"));
    CHECK_FALSE(integrated.has("IVAR"));
    CHECK_FALSE(integrated.has("FCAL"));
    CHECK(integrated.has("MTA[31]"));
    CHECK_FALSE(integrated.has("MTA[32]"));
    CHECK(integrated.offset("SHRA[0].RAL") == 0x5438);

    CHECK(Pass(the_map(), intel_device(id_82571)).derived("mac_type") == 1);
    CHECK(Pass(the_map(), intel_device(id_80003)).derived("mac_type") == 6);
    CHECK(Pass(the_map(), intel_device(id_i217)).derived("mac_type") == 12);
}

TEST_CASE("e1000e: only ids of the Linux driver's table match", "[maps]") {
    const auto matches = [](std::uint16_t vendor, std::uint16_t device) {
        regmaps::PciIdentity id;
        id.vendor = vendor;
        id.device = device;
        return regmaps::match_specificity(the_map(), id).has_value();
    };
    for (const std::uint16_t id : {id_82574, id_82571, id_80003, id_i219_spt, id_i217}) {
        CHECK(matches(0x8086, id));
    }
    CHECK_FALSE(matches(0x8086, 0x100e)); // 82540EM: driver e1000
    CHECK_FALSE(matches(0x8086, 0x10c9)); // 82576: driver igb
    CHECK_FALSE(matches(0x14e4, 0x10d3));
}

TEST_CASE("e1000e: derived values and checks of a ring and a link", "[maps]") {
    Device device = intel_device(id_82574);
    auto& bar = device.bars[0];
    store(bar, 0x0000, 32, 0x00180240); // CTRL
    store(bar, 0x0008, 32, 0x00080783); // STATUS: up, full, 1000, DMA
    store(bar, 0x0100, 32, 0x04008002); // RCTL: EN, BAM, SECRC; 2048-byte buffers
    store(bar, 0x2808, 32, 0x1000);     // RDLEN: 256 descriptors
    store(bar, 0x2810, 32, 250);        // RDH
    store(bar, 0x2818, 32, 10);         // RDT
    store(bar, 0x3808, 32, 0x1000);     // TDLEN
    store(bar, 0x3810, 32, 7);          // TDH
    store(bar, 0x3818, 32, 7);          // TDT
    const Pass pass(the_map(), device);
    CHECK(pass.derived("rx_buffer_size") == 2048);
    CHECK(pass.derived("rx_ring_size") == 256);
    CHECK(pass.derived("rx_ring_ready") == 16); // 250..255 and 0..9
    CHECK(pass.derived("tx_ring_pending") == 0);
    for (const char* check : {"link-up", "full-duplex", "dma-possible", "no-reset-pending", "not-paused",
                              "receiver-has-descriptors", "no-loopback"}) {
        INFO(check);
        CHECK(pass.check(check) == regmaps::CheckResult::passed);
    }
    store(bar, 0x0100, 32, 0x06018042); // BSEX with code 1: 16384; MAC loopback
    store(bar, 0x0008, 32, 0x00000000);
    store(bar, 0x2818, 32, 250);
    const Pass sick(the_map(), device);
    CHECK(sick.derived("rx_buffer_size") == 16384);
    CHECK(sick.check("link-up") == regmaps::CheckResult::failed);
    CHECK(sick.check("full-duplex") == regmaps::CheckResult::not_applicable);
    CHECK(sick.check("dma-possible") == regmaps::CheckResult::failed);
    CHECK(sick.check("receiver-has-descriptors") == regmaps::CheckResult::failed);
    CHECK(sick.check("no-loopback") == regmaps::CheckResult::failed);
}

TEST_CASE("e1000e: times and thresholds are in the units of the data sheet", "[maps]") {
    // 82574 data sheet: ITR and EITR count 256 ns, RDTR, RADV, TIDV and TADV 1.024 us; FCRTH is in bytes in
    // place.
    CHECK(Decode(the_map(), "ITR", 500).shown("INTERVAL") == "128 us");
    CHECK(Decode(the_map(), "RDTR", 0x20).shown("DELAY") == "32.768 us");
    CHECK(Decode(the_map(), "FCRTH", 0x4000).shown("RTH").find("4000") != std::string::npos);
    CHECK(Decode(the_map(), "PBA", 0x00140014).shown("RXA") == "20 KiB");
}

TEST_CASE("e1000e: the driver's dump is laid out as e1000_get_regs fills it, and is not called harmless",
          "[maps]") {
    // Linux 6.12 e1000e/ethtool.c: regs_buff[0] to [11].
    const char* order[] = {"CTRL", "STATUS", "RCTL",  "RDLEN", "RDH", "RDT",
                           "RDTR", "TCTL",   "TDLEN", "TDH",   "TDT", "TIDV"};
    const auto& space = the_map().spaces[register_of(the_map(), "CTRL").space];
    REQUIRE(space.dump_registers.count == std::size(order));
    for (const auto& place :
         the_map().dump_registers.subspan(space.dump_registers.begin, space.dump_registers.count)) {
        REQUIRE(place.offset % 4 == 0);
        CHECK(register_name(the_map(), place.reg) == order[place.offset / 4]);
    }
    CHECK_FALSE(space.dump_side_effect_free);
    // regs->version = 1 << 24 | revision << 16 | device id
    CHECK((0x0100'10d3 & space.dump_version_mask) == space.dump_version_value);
    CHECK((0x0200'10d3 & space.dump_version_mask) != space.dump_version_value);
}
