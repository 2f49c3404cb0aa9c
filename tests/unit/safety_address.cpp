#include <catch2/catch.hpp>

#include <safety/gate.h>

using namespace barscope::safety;

namespace {

std::string parsed(std::string_view text) {
    const auto address = parse_pci_address(text);
    return address ? to_string(*address) : address.error().cause + ": " + address.error().what;
}

} // namespace

TEST_CASE("addresses are hexadecimal, in either case, and a missing domain is 0000") {
    CHECK(parsed("02:00.0") == "0000:02:00.0");
    CHECK(parsed("0000:02:00.0") == "0000:02:00.0");
    CHECK(parsed("b3:00.0") == "0000:b3:00.0");
    CHECK(parsed("B3:00.0") == "0000:b3:00.0");
    CHECK(parsed("00:1f.7") == "0000:00:1f.7");
    CHECK(parsed("2:0.1") == "0000:02:00.1");
    CHECK(parse_pci_address("b3:00.0")->bus == 0xb3);
}

TEST_CASE("domains have up to 32 bits and are printed with at least four digits") {
    CHECK(parsed("10001:80:05.0") == "10001:80:05.0");
    CHECK(parsed("5d0505:00:00.0") == "5d0505:00:00.0");
    CHECK(parsed("ffffffff:ff:1f.7") == "ffffffff:ff:1f.7");
    CHECK(parsed("1:02:00.0") == "0001:02:00.0");
    CHECK(parse_pci_address("10001:80:05.0")->domain == 0x10001);
    CHECK(parse_pci_address("20000:70:00.0").value() != parse_pci_address("70:00.0").value());
}

TEST_CASE("impossible addresses are refused and say what is impossible") {
    CHECK_THAT(parsed("00:20.0"),
               Catch::StartsWith("bad-address") && Catch::Contains("device 20 is greater than 1f"));
    CHECK_THAT(parsed("00:1f.8"),
               Catch::StartsWith("bad-address") && Catch::Contains("function 8 is greater than 7"));
    CHECK_THAT(parsed("123456789:00:00.0"), Catch::Contains("1 to 8 hexadecimal digits"));
    CHECK_THAT(parsed("100:00.0"), Catch::Contains("1 or 2 hexadecimal digits"));
    CHECK_THAT(parsed("00:00000000000000020.0"), Catch::Contains("greater than 1f"));
    for (const char* text :
         {"", ".", ":", "0:0", "00.0", "0000:00:00", "0000:00:00.", ":00:00.0", "0000::00.0", "g0:00.0",
          "00:00.0 ", " 00:00.0", "00:00.0\n", "0x00:00.0", "-1:00.0", "1:2:3:4.0", "eth0", "14e4:1750"}) {
        INFO(text);
        CHECK_FALSE(parse_pci_address(text).has_value());
    }
    CHECK(parse_pci_address("00:20.0").error().code == barscope::ErrorCode::usage);
}

TEST_CASE("what has the shape of an address is told from other names") {
    for (const char* text : {"02:00.0", "00:20.0", "00:1f.8", "123456789:00:00.0", "10001:80:05.0"}) {
        INFO(text);
        CHECK(looks_like_pci_address(text));
    }
    for (const char* text :
         {"ens1f0np0", "14e4:1750", "nvme0", "bnxt_re0", "eth0.100", "./dump", "a:b", "a.b"}) {
        INFO(text);
        CHECK_FALSE(looks_like_pci_address(text));
    }
}

TEST_CASE("paths lie below the root") {
    CHECK(SystemRoot("/").path("/sys/x") == "/sys/x");
    CHECK(SystemRoot("/").is_live());
    CHECK(SystemRoot().is_live());
    CHECK(SystemRoot("").is_live());
    CHECK(SystemRoot("/copy/").path("/sys/x") == "/copy/sys/x");
    CHECK(SystemRoot("/copy//").path("sys/x") == "/copy/sys/x");
    CHECK_FALSE(SystemRoot("/copy").is_live());
}
