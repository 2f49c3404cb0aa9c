#include <catch2/catch.hpp>

#include <cstring>

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ethtool_dump.h"
#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;
using barscope::ErrorCode;

namespace {

// A network driver's side of SIOCETHTOOL, after net/ethtool/ioctl.c: the length that comes back is the
// driver's own, and no more bytes than were asked for are filled.
class FakeDriver final : public System {
  public:
    std::uint32_t announced = 8;
    std::uint32_t returned_length = 8;
    int info_error = 0;
    int dump_error = 0;
    int socket_error = 0;
    bool stuck = false;
    std::vector<std::string> calls;

    int socket(int domain, int type, int protocol) override {
        calls.emplace_back("socket");
        CHECK(domain == AF_INET);
        CHECK((type & SOCK_CLOEXEC) != 0);
        if (socket_error != 0) {
            errno = socket_error;
            return -1;
        }
        return System::socket(domain, type, protocol);
    }

    int ioctl(int fd, unsigned long request, void* argument) override {
        CHECK(fd >= 0);
        CHECK(request == SIOCETHTOOL);
        const auto* interface = static_cast<const ifreq*>(argument);
        CHECK(std::string(static_cast<const char*>(interface->ifr_name)) == "ens1f0np0");
        std::uint32_t command = 0;
        std::memcpy(&command, interface->ifr_data, sizeof command);
        return command == ETHTOOL_GDRVINFO ? drvinfo(interface->ifr_data)
                                           : dump(command, interface->ifr_data);
    }

  private:
    int drvinfo(char* data) {
        calls.emplace_back("info");
        if (info_error != 0) {
            errno = info_error;
            return -1;
        }
        ethtool_drvinfo info{};
        std::memcpy(&info, data, sizeof info);
        std::strcpy(static_cast<char*>(info.driver), "bnxt_en");
        info.regdump_len = announced;
        std::memcpy(data, &info, sizeof info);
        return 0;
    }

    int dump(std::uint32_t command, char* data) {
        calls.emplace_back("dump");
        CHECK(command == ETHTOOL_GREGS);
        if (stuck) {
            ::sleep(30);
        }
        if (dump_error != 0) {
            errno = dump_error;
            return -1;
        }
        ethtool_regs regs{};
        std::memcpy(&regs, data, sizeof regs);
        for (std::uint32_t i = 0; i < std::min(regs.len, returned_length); ++i) {
            data[sizeof regs + i] = static_cast<char>(i + 1);
        }
        regs.version = 0x0102;
        regs.len = returned_length;
        std::memcpy(data, &regs, sizeof regs);
        return 0;
    }
};

std::string cause(FakeDriver& driver) {
    const auto result = read_ethtool_dump_with(driver, "ens1f0np0", true);
    return result ? "" : result.error().cause;
}

} // namespace

TEST_CASE("the driver's dump comes with its name and version") {
    FakeDriver driver;
    const EthtoolDump dump = read_ethtool_dump_with(driver, "ens1f0np0", true).value();
    CHECK(dump.driver == "bnxt_en");
    CHECK(dump.version == 0x0102);
    CHECK(dump.bytes == std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(driver.calls == std::vector<std::string>{"socket", "info", "dump"});
}

TEST_CASE("a dump that may change the device is refused without a call") {
    FakeDriver driver;
    const auto result = read_ethtool_dump_with(driver, "ens1f0np0", false);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().code == ErrorCode::refused);
    CHECK(result.error().cause == "dump-side-effect");
    CHECK(driver.calls.empty());
}

TEST_CASE("a dump that comes back shorter or longer than announced") {
    FakeDriver driver;
    driver.returned_length = 5;
    CHECK(read_ethtool_dump_with(driver, "ens1f0np0", true)->bytes.size() == 5);
    driver.returned_length = 0;
    CHECK(read_ethtool_dump_with(driver, "ens1f0np0", true)->bytes.empty());
    driver.returned_length = 0xffffffff; // only what there was room for was written
    CHECK(read_ethtool_dump_with(driver, "ens1f0np0", true)->bytes ==
          std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("lengths that no dump has") {
    FakeDriver driver;
    driver.announced = 0;
    CHECK(cause(driver) == "dump-unsupported");
    CHECK(driver.calls.back() == "info");
    driver.announced = (64U << 20U) + 1;
    CHECK(cause(driver) == "dump-too-large");
    CHECK(driver.calls.back() == "info");
    driver.announced = 0xffffffff;
    CHECK(cause(driver) == "dump-too-large");
}

TEST_CASE("refusals of the driver and of the kernel each have their cause") {
    struct Row {
        int error;
        const char* cause;
        ErrorCode code;
    };
    const auto row = GENERATE(
        Row{EOPNOTSUPP, "dump-unsupported", ErrorCode::absent},
        Row{EPERM, "privilege", ErrorCode::permission}, Row{EACCES, "privilege", ErrorCode::permission},
        Row{ENODEV, "interface-absent", ErrorCode::absent}, Row{EIO, "dump-failed", ErrorCode::absent},
        Row{ENOMEM, "dump-failed", ErrorCode::absent});
    FakeDriver driver;
    int& failing = GENERATE(0, 1, 2) == 0 ? driver.info_error : driver.dump_error;
    failing = row.error;
    const auto result = read_ethtool_dump_with(driver, "ens1f0np0", true);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().cause == row.cause);
    CHECK(result.error().code == row.code);
    CHECK_THAT(result.error().what,
               Catch::Contains(&failing == &driver.info_error ? "ETHTOOL_GDRVINFO" : "ETHTOOL_GREGS"));
    CHECK(result.error().where == "ens1f0np0");
}

TEST_CASE("asked for in a child, the answer is the same, whether dump or refusal, also a large one") {
    constexpr std::chrono::milliseconds limit{20'000};
    FakeDriver driver;
    for (const std::uint32_t length : {8U, 100'000U, 3'000'000U}) { // a pipe holds 65,536 bytes
        driver.announced = length;
        driver.returned_length = length;
        const auto direct = read_ethtool_dump_with(driver, "ens1f0np0", true);
        const auto asked = read_ethtool_dump_in_child(driver, "ens1f0np0", true, limit);
        REQUIRE(asked.has_value());
        CHECK(asked->bytes.size() == length);
        CHECK(asked->bytes == direct->bytes);
        CHECK(asked->driver == direct->driver);
        CHECK(asked->version == direct->version);
    }
    driver.dump_error = EIO;
    const auto direct = read_ethtool_dump_with(driver, "ens1f0np0", true);
    const auto asked = read_ethtool_dump_in_child(driver, "ens1f0np0", true, limit);
    REQUIRE_FALSE(asked.has_value());
    CHECK(asked.error().code == direct.error().code);
    CHECK(asked.error().cause == direct.error().cause);
    CHECK(asked.error().what == direct.error().what);
    CHECK(asked.error().where == direct.error().where);
    CHECK(asked.error().remedy == direct.error().remedy);
    CHECK(read_ethtool_dump_in_child(driver, "ens1f0np0", false, limit).error().cause == "dump-side-effect");
}

TEST_CASE("a driver that is stuck is given up in time") {
    FakeDriver driver;
    driver.stuck = true;
    const auto begin = std::chrono::steady_clock::now();
    const auto result = read_ethtool_dump_in_child(driver, "ens1f0np0", true, std::chrono::milliseconds(100));
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(10));
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().cause == "dump-timed-out");
    CHECK(result.error().code == ErrorCode::absent);
    CHECK_THAT(result.error().what, Catch::Contains("100 ms"));
}

TEST_CASE("no socket") {
    FakeDriver driver;
    driver.socket_error = EMFILE;
    CHECK(cause(driver) == "dump-failed");
}

TEST_CASE("names that no interface can have are not passed on") {
    FakeDriver driver;
    for (const std::string& name :
         {std::string(), std::string("a/b"), std::string(16, 'x'), std::string("a\0b", 3)}) {
        CHECK(read_ethtool_dump_with(driver, name, true).error().code == ErrorCode::usage);
    }
    CHECK(driver.calls.empty());
}

TEST_CASE("the real call answers for an interface that does not exist") {
    const auto result = read_ethtool_dump(ReadOnly{}, "barscopenone0", true);
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().cause == "interface-absent");
}
