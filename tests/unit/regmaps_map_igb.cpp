// The igb map against ethtool's decoder, the Linux driver's header and the Intel data sheets.
#include <catch2/catch.hpp>

#include "regmaps_map_intel.h"

namespace {

using namespace maptest;
using barscope::safety::ReadAction;
using barscope::safety::WordStatus;

constexpr std::uint16_t id_82575 = 0x10a7; // Linux igb/e1000_hw.h
constexpr std::uint16_t id_82576 = 0x10c9;
constexpr std::uint16_t id_i350 = 0x1521;
constexpr std::uint16_t id_i210 = 0x1533;
constexpr std::uint16_t id_i211 = 0x1539;

const regmaps::RegisterMap& the_map() {
    static const regmaps::RegisterMap map = load("igb");
    return map;
}

// "RXQ.RDBAL", 3 -> "RXQ[3].RDBAL"; "EITR", 3 of 10 -> "EITR[3]"; "CTRL", 0 of 1 -> "CTRL".
std::string element(const std::string& name, unsigned index, unsigned count) {
    const std::string at = "[" + std::to_string(index) + "]";
    const auto dot = name.find('.');
    if (dot != std::string::npos) {
        return name.substr(0, dot) + at + name.substr(dot);
    }
    return count == 1 ? name : name + at;
}

} // namespace

TEST_CASE("igb: every register that ethtool -d prints is in the map at its place", "[maps]") {
    const Pass of_82575(the_map(), intel_device(id_82575));
    const Pass of_82576(the_map(), intel_device(id_82576));
    const Pass of_i210(the_map(), intel_device(id_i210));
    unsigned checked = 0;
    for (const auto& row : table("igb-ethtool-registers.csv")) {
        const unsigned count = static_cast<unsigned>(number(row.at(4)));
        const Pass& pass = row.at(1) == "HRMPC" ? of_82575 : row.at(1) == "RR2DCDELAY" ? of_i210 : of_82576;
        for (unsigned i = 0; i < count; ++i) {
            const std::string name = element(row.at(1), i, count);
            INFO("ethtool " << row.at(0) << ", map " << name);
            REQUIRE(pass.has(name));
            CHECK(pass.offset(name) == number(row.at(2)) + i * number(row.at(3)));
            ++checked;
        }
    }
    CHECK(checked > 500);
}

TEST_CASE("igb: every register that the Linux header marks R/clr is never read", "[maps]") {
    unsigned seen = 0;
    for (const auto& row : table("intel-read-clear.csv")) {
        if (row.at(0) != "igb" || row.at(1) == "CEXTERR" || row.at(1) == "TSCTFC") {
            continue; // those two places are HTDPMC and CBRMPC, checked below
        }
        INFO(row.at(1));
        const auto& reg = register_of(the_map(), row.at(1));
        CHECK(reg.offset == number(row.at(2)));
        CHECK(reg.read_action == ReadAction::clear);
        ++seen;
    }
    CHECK(seen == 58);
    CHECK(register_of(the_map(), "HTDPMC").offset == 0x403c);
    CHECK(register_of(the_map(), "CBRMPC").offset == 0x40fc);
}

TEST_CASE("igb: the other registers that a read changes are refused, ICS and EICS are not", "[maps]") {
    const std::pair<const char*, ReadAction> expected[] = {
        {"EICR", ReadAction::clear},
        {"HTDPMC", ReadAction::clear},
        {"CBRMPC", ReadAction::clear},
        {"RXQ.RQDPC", ReadAction::clear},
        {"WVBR", ReadAction::clear},
        {"TSICR", ReadAction::clear},
        {"IAC", ReadAction::clear},
        {"SWSM", ReadAction::set},
        {"PCS_LSTAT", ReadAction::modify},
        {"THSTAT", ReadAction::modify},
        {"LVMMC", ReadAction::modify},
        {"SYSTIML", ReadAction::modify_external},
        {"SYSTIMR", ReadAction::modify_external},
        {"RXSTMPH", ReadAction::modify_external},
        {"TXSTMPH", ReadAction::modify_external},
        {"AUXSTMPH0", ReadAction::modify_external},
    };
    for (const auto& [name, action] : expected) {
        INFO(name);
        CHECK(register_of(the_map(), name).read_action == action);
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::side_effect);
    }
    // Linux igb_get_regs: "Reading EICS for EICR because they read the same but EICS does not clear on read".
    for (const char* name : {"ICS", "EICS", "IMS", "EIMS"}) {
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::ok);
    }
    for (const char* name : {"IMC", "EIMC"}) {
        CHECK(regmaps::readability(the_map(), register_of(the_map(), name)) == WordStatus::write_only);
    }
}

TEST_CASE("igb: queues are where and as many as the device has", "[maps]") {
    // Linux e1000_regs.h RDBAL(n), TDBAL(n); 82576 data sheet: 16 queues, 82575: 4, I350: 8, I210: 4,
    // I211: 2.
    const Pass big(the_map(), intel_device(id_82576));
    CHECK(big.offset("RXQ[0].RDBAL") == 0xc000);
    CHECK(big.offset("RXQ[15].RDBAL") == 0xc3c0);
    CHECK(big.offset("TXQ[15].TDT") == 0xe3d8);
    CHECK_FALSE(big.has("RXQ[16].RDBAL"));
    const Pass old(the_map(), intel_device(id_82575));
    CHECK(old.offset("RXQ[3].RDBAL") == 0x2b00);
    CHECK(old.offset("TXQ[3].TDH") == 0x3b10);
    CHECK_FALSE(old.has("RXQ[4].RDBAL"));
    CHECK_FALSE(old.has("RXQ[0].RQDPC"));
    const Pass i350(the_map(), intel_device(id_i350));
    CHECK(i350.has("TXQ[7].TDBAL"));
    CHECK_FALSE(i350.has("TXQ[8].TDBAL"));
    CHECK(i350.has("RA2[15].RAH"));
    const Pass i211(the_map(), intel_device(id_i211));
    CHECK(i211.has("RXQ[1].RDBAL"));
    CHECK_FALSE(i211.has("RXQ[2].RDBAL"));
    CHECK(i211.derived("mac_type") == 7);
}

TEST_CASE("igb: a pass reads no interrupt cause, no statistics and no semaphore", "[maps]") {
    const Pass pass(the_map(), intel_device(id_82576));
    for (const Load& load : pass.loads()) {
        if (load.bar != 0) {
            continue;
        }
        INFO("load at " << load.offset);
        CHECK(load.width == 32);
        CHECK(load.offset != 0xc0);
        CHECK(load.offset != 0x1580);
        CHECK(load.offset != 0x5b50);
        CHECK((load.offset < 0x4000 || load.offset > 0x41ff));
        CHECK((load.offset & 0xff3f) != 0xc030); // RQDPC of any queue
    }
}

TEST_CASE("igb: values decode as the driver writes them", "[maps]") {
    // igb.h: IGB_START_ITR 648 is "~6000 ints/sec": 648 >> 2 = 162 us.
    CHECK(Decode(the_map(), "EITR", 648).shown("INTERVAL") == "162 us");
    // e1000_82575.h: SRRCTL_DESCTYPE_ADV_ONEBUF 0x02000000, DROP_EN, 2 KiB packets and 256-byte headers.
    const Decode srrctl(the_map(), "RXQ.SRRCTL", 0x82000402);
    CHECK(srrctl.text("DESCTYPE") == "ADVANCED_ONE_BUFFER");
    CHECK(srrctl["DROP_EN"] == 1);
    CHECK(srrctl.shown("BSIZEPACKET") == "2 KiB");
    CHECK(srrctl["BSIZEHEADER"] == 4);
    // MRQC_ENABLE_RSS_MQ with the IPv4, IPv4 TCP and IPv6 TCP hashes.
    const Decode mrqc(the_map(), "MRQC", 0x00230002);
    CHECK(mrqc.text("ENABLE") == "RSS");
    CHECK(mrqc["IPV4"] == 1);
    CHECK(mrqc["IPV4_TCP"] == 1);
    CHECK(mrqc["IPV6_TCP"] == 1);
    CHECK(mrqc["IPV6"] == 0);
    // STATUS of an 82576 with 3 virtual functions, up at 1000 Mb/s: NUM_VFS 17:14, IOV_MODE 18,
    // GIO_MASTER 19.
    const Decode status(the_map(), "STATUS", 0x000cc783);
    CHECK(status["NUM_VFS"] == 3);
    CHECK(status["IOV_MODE"] == 1);
    CHECK(status["GIO_MASTER_EN"] == 1);
    CHECK(status.text("SPEED") == "1000M");
    CHECK(status.text("LU") == "UP");
}

TEST_CASE("igb: rings and link are checked", "[maps]") {
    Device device = intel_device(id_82576);
    auto& bar = device.bars[0];
    store(bar, 0x0008, 32, 0x00080783);
    store(bar, 0x0100, 32, 0x04008002);
    store(bar, 0xc008, 32, 0x1000);     // RDLEN
    store(bar, 0xc010, 32, 5);          // RDH
    store(bar, 0xc018, 32, 4);          // RDT
    store(bar, 0xc028, 32, 0x02000000); // RXDCTL: on
    store(bar, 0xe008, 32, 0x1000);
    store(bar, 0xe010, 32, 255);
    store(bar, 0xe018, 32, 1);
    const Pass pass(the_map(), device);
    CHECK(pass.derived("rx_ring_ready") == 255);
    CHECK(pass.derived("tx_ring_pending") == 2);
    CHECK(pass.check("link-up") == regmaps::CheckResult::passed);
    CHECK(pass.check("receiver-has-descriptors") == regmaps::CheckResult::passed);
    CHECK(pass.check("dma-in-sync") == regmaps::CheckResult::passed);
    store(bar, 0xc018, 32, 5);
    store(bar, 0x00c8, 32, 1u << 28); // ICS shows ICR: DOUTSYNC
    const Pass sick(the_map(), device);
    CHECK(sick.check("receiver-has-descriptors") == regmaps::CheckResult::failed);
    CHECK(sick.check("dma-in-sync") == regmaps::CheckResult::failed);
}

TEST_CASE("igb: the driver's dump is laid out as igb_get_regs fills it, and clears IAC", "[maps]") {
    // Linux 6.12 igb_ethtool.c: index into regs_buff.
    const std::map<std::string, std::uint64_t> some{
        {"CTRL", 0},  {"STATUS", 1}, {"EECD", 12}, {"EICS", 14},  {"ICS", 20},        {"IAC", 23},
        {"RCTL", 32}, {"TCTL", 38},  {"WUPL", 46}, {"TDFH", 547}, {"RR2DCDELAY", 739}};
    const auto& space = the_map().spaces[register_of(the_map(), "CTRL").space];
    std::map<std::string, std::uint64_t> places;
    for (const auto& place :
         the_map().dump_registers.subspan(space.dump_registers.begin, space.dump_registers.count)) {
        places[register_name(the_map(), place.reg)] = place.offset;
    }
    for (const auto& [name, index] : some) {
        INFO(name);
        REQUIRE(places.count(name) == 1);
        CHECK(places.at(name) == 4 * index);
    }
    // Filled from another register, or from the driver's own totals.
    for (const char* name : {"ICR", "EICR", "CRCERRS", "GPRC"}) {
        CHECK(places.count(name) == 0);
    }
    CHECK_FALSE(space.dump_side_effect_free);
}
