// Redaction of texts: whatever notation an identity stands in, it gets the pseudonym of its value; what is no
// identity stays as it is.
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>

#include <evidence/redact.h>
#include <evidence/redact_digits.h>
#include <evidence/sha256.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

const std::string test_key = "sixteen bytes or more of a key";

Redaction redaction(const std::string& key = test_key) {
    return Redaction(RedactionKey{key, true});
}

// RFC 2104 over kind, a zero byte and the value: tests/cli/check_secrets.py makes the same with Python's
// hmac.
std::string expected(const std::string& kind, const std::string& normal) {
    return kind + "-" + hmac_sha256_hex(test_key, kind + std::string(1, '\0') + normal).substr(0, 8);
}

std::string spread(const std::string& digits, std::size_t group, const std::string& separator) {
    std::string out;
    for (std::size_t i = 0; i < digits.size(); i += group) {
        out += (i == 0 ? "" : separator) + digits.substr(i, group);
    }
    return out;
}

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](char c) { return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c; });
    return text;
}

std::string random_mac(std::mt19937& source) {
    std::string digits;
    for (int i = 0; i < 12; ++i) {
        digits += "0123456789abcdef"[source() % 16];
    }
    digits[1] = "02468ace"[source() % 8]; // no multicast address
    return digits;
}

// Notations of which the form alone tells what they are.
std::vector<std::string> plain_forms(const std::string& mac) {
    // RFC 4291, appendix A.
    const std::string eui = eui64_of_mac(mac, false);
    const std::string modified = eui64_of_mac(mac, true);
    std::vector<std::string> forms{spread(mac, 2, ":"),
                                   spread(mac, 2, "-"),
                                   spread(mac, 4, "."),
                                   spread(eui, 2, "-"),
                                   spread(eui, 2, ":"),
                                   spread(modified, 4, ":"),
                                   "fe80:0000:0000:0000:" + spread(modified, 4, ":"),
                                   "fe80::" + spread(modified, 4, ":")};
    for (std::size_t i = 0, count = forms.size(); i < count; ++i) {
        forms.push_back(upper(forms[i]));
    }
    return forms;
}

// Notations in which only a known address is found.
std::vector<std::string> bare_forms(const std::string& mac) {
    std::string words; // little-endian words of its bytes in memory
    for (std::size_t i = 0; i < 12; i += 4) {
        words += (i == 0 ? "" : " ") + bytes_reversed(mac.substr(i, 4));
    }
    return {mac,
            upper(mac),
            "0x" + mac,
            bytes_reversed(mac),
            spread(bytes_reversed(mac), 2, ":"),
            eui64_of_mac(mac, false),
            "0x" + eui64_of_mac(mac, true),
            spread(mac, 2, " "),
            "0x" + spread(mac, 2, ", 0x"),
            "\\x" + spread(mac, 2, "\\x"),
            "0x0000" + mac,
            words};
}

} // namespace

TEST_CASE("EUI-64 from a MAC address", "[redact]") {
    // RFC 4291, appendix A, gives the rule; field case 62 the DSN.
    CHECK(eui64_of_mac("000001000002", false) == "000001fffe000002");
    CHECK(eui64_of_mac("000001000002", true) == "020001fffe000002");
    CHECK(eui64_of_mac("36562ef00001", true) == "34562efffef00001");
    CHECK(*mac_of_eui64("020001fffe000002", true, {}) == "000001000002");
    CHECK(*mac_of_eui64("000001fffe000002", false, {}) == "000001000002");
    CHECK(*mac_of_eui64("000001fffe000002", true, {"000001000002"}) == "000001000002");
    CHECK_FALSE(mac_of_eui64("b8cef60300112233", true, {}));
}

TEST_CASE("one MAC address has one pseudonym in all notations that tell themselves", "[redact]") {
    std::mt19937 source(5);
    for (int i = 0; i < 200; ++i) {
        const std::string mac = random_mac(source);
        Redaction r = redaction();
        for (const std::string& form : plain_forms(mac)) {
            INFO(form);
            CHECK(r.text("addr " + form + ", link up") == "addr " + expected("mac", mac) + ", link up");
        }
    }
}

TEST_CASE("a known MAC address is found without separators, turned round and within words", "[redact]") {
    std::mt19937 source(6);
    for (int i = 0; i < 200; ++i) {
        const std::string mac = random_mac(source);
        Redaction r = redaction();
        r.known().add_address(spread(mac, 2, ":"));
        std::vector<std::string> forms = bare_forms(mac);
        const std::vector<std::string> plain = plain_forms(mac);
        forms.insert(forms.end(), plain.begin(), plain.end());
        forms.push_back("enx" + mac);
        for (const std::string& form : forms) {
            INFO(form);
            const std::string out = r.text("row " + form + " end");
            CHECK(out.find(expected("mac", mac)) != std::string::npos);
            CHECK(hex_digits_of(out).find(mac) == std::string::npos);
            CHECK(out.starts_with("row "));
            CHECK(out.ends_with(" end"));
        }
    }
}

TEST_CASE("IP addresses in every spelling", "[redact]") {
    Redaction r = redaction();
    const std::string v6 = expected("ip", "20010db8000000000000000000000001");
    for (const char* form : {"2001:db8::1", "2001:DB8::1", "2001:0db8:0000:0000:0000:0000:0000:0001",
                             "2001:db8:0:0:0:0:0:1", "2001:db8::0:1"}) {
        INFO(form);
        CHECK(r.text(std::string("peer ") + form) == "peer " + v6);
    }
    CHECK(r.text("[2001:db8::1]:4420") == "[" + v6 + "]:4420");
    CHECK(r.text("net 2001:db8::1/64.") == "net " + v6 + "/64.");
    const std::string v4 = expected("ip", "192.0.2.10");
    CHECK(r.text("addr 192.0.2.10:4420") == "addr " + v4 + ":4420");
    CHECK(r.text("::ffff:192.0.2.10") == v4);
    CHECK(r.text("gid 0000:0000:0000:0000:0000:ffff:c000:020a") == "gid " + v4); // RoCE v2
    CHECK(r.text("192.0.2.10-192.0.2.10") == v4 + "-" + v4);
    CHECK(r.text("10.1.2.0/24").ends_with("/24"));
    CHECK(r.text("10.1.2.0/24").find("10.1.2") == std::string::npos);
}

TEST_CASE("what looks like an identity and is none", "[redact]") {
    Redaction r = redaction();
    r.known().add_address("b8:59:9f:01:02:03");
    r.known().add_name(IdentityKind::host, "db1");
    for (const char* text :
         {"bnxt_en 0000:3b:00.0 ens1f0np0: NIC Link is Up",
          "pci0000:3a 10000:e1:00.0",
          "at 12:34:56 and 23:59:59.999",
          "2026-12-01T00:26:22Z",
          "firmware-version: 228.0.116.0/pkg 228.0.116.0",
          "fw 218.0.153.0/pkg 218.0.169.0",
          "HWRM interface 1.10.2.118",
          "Linux version 6.1.0-18-amd64",
          "5.15.0.91-generic",
          "fw_ver 16.24.1000",
          "version changed from 1.2.3.4 to 1.2.3.5",
          "bnxt_en.rdma.0: worker",
          "0x00000000600d0001 0xffffffff",
          "00 11 22 33 44 55 66 77 88 99 aa bb cc dd ee ff",
          "cmdq[0x41d]=0x3 timedout (20000)msec",
          "hwrm_ring_free type 2 failed. rc:fffffff0 err:0",
          "tx{fw_ring: 0 prod: 1e7 cons: 1e4}",
          "[ 1009.251015] bnxt_en 0000:45:00.0 eth0: [2]: tx{fw_ring: 2 prod: af cons: 9b}",
          "drivers/infiniband/core/cq.c:322 ib_free_cq+0x109/0x150 [ib_core]",
          "std::string fec::add a::b ::",
          "3,7,978631877,-;bnxt_en 0000:3b:00.0 ens1f0np0: TX timeout detected",
          "127.0.0.1 ::1 0.0.0.0 255.255.255.0",
          "00:00:00:00:00:00 ff:ff:ff:ff:ff:ff 0000:0000:0000:0000",
          "db10 adb1 db1_x",
          "console=ttyS0 serial8250",
          "63.008 Gb/s available PCIe bandwidth (8.0 GT/s PCIe x8 link)",
          "assert_var[0] 0xfc3fc043",
          "Nov 29 13:04:29.123 x",
          "nqn.2014-08.org.nvmexpress.discovery",
          "kernel log",
          "PCI-Express 6:7:8"}) {
        CHECK(r.text(text) == text);
    }
}

TEST_CASE("random texts without identities stay", "[redact]") {
    std::mt19937 source(7);
    const std::vector<std::string> words{
        "0000:3b:00.0", "link",    "0x8000", "12:34:56", "down", "queue",  "[3]:", "rc:fffffff0",
        "(20000)msec",  "err:",    "ens1f0", "tx",       "1e7",  "100000", "Gb/s", "bnxt_en",
        "=0x3",         "failed.", "-110",   "6.1.0",    "0xe",  "fw",     "at",   "{cons:"};
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (std::size_t n = source() % 12; n > 0; --n) {
            text += words[source() % words.size()] + (source() % 4 == 0 ? ", " : " ");
        }
        Redaction r = redaction();
        r.known().add_name(IdentityKind::host, "storage-node-17");
        r.known().add_address("b8:59:9f:01:02:03");
        CHECK(r.text(text) == text);
    }
}

TEST_CASE("any bytes are taken, and identities in them are found", "[redact]") {
    std::mt19937 source(8);
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (std::size_t n = source() % 40; n > 0; --n) {
            text += ":.-/= 0123456789abcdefxX@\"'\n\xc3serialnqfor"[source() % 40];
        }
        Redaction r = redaction();
        r.known().add_name(IdentityKind::host, "storage-node-17");
        const std::string out = r.text(text + " storage-node-17 " + text);
        CHECK(out.find("storage-node-17") == std::string::npos);
    }
}

TEST_CASE("names: hosts within qualified names, users, serial numbers, command lines", "[redact]") {
    Redaction r = redaction();
    r.known().add_name(IdentityKind::host, "Storage-Node-17.dc2.example.com");
    r.known().add_name(IdentityKind::user, "mallory");
    r.known().add_name(IdentityKind::serial, "MT2116X01234");
    r.known().add_path("/srv/mallory/trees/acme/");
    const std::string host = expected("host", "storage-node-17");
    CHECK(r.text("storage-node-17 kernel") == host + " kernel");
    CHECK(r.text("at STORAGE-NODE-17.dc2.example.com: up") == "at " + host + ": up");
    CHECK(r.text("xstorage-node-17y") == "x" + host + "y");
    CHECK(r.text("of dc2.example.com") == "of " + expected("domain", "dc2.example.com"));
    CHECK(r.text("/home/mallory/x") == "/home/" + expected("user", "mallory") + "/x");
    CHECK(r.text("/home/alice/x") == "/home/" + expected("user", "alice") + "/x");
    CHECK(r.text("/srv/mallory/trees/acme/sys/class/net") ==
          expected("path", "/srv/mallory/trees/acme") + "/sys/class/net");
    CHECK(r.text("card mt2116x01234.") == "card " + expected("serial", "mt2116x01234") + ".");
    CHECK(r.text("Serial Number: PHKS1234567") == "Serial Number: " + expected("serial", "phks1234567"));
    CHECK(r.text("mail bob@example.org now") == "mail " + expected("user", "bob@example.org") + " now");
    CHECK(r.text("to db7.corp.example.net:443") == "to " + expected("host", "db7.corp.example.net") + ":443");
    CHECK(r.text("Kernel command line: ro pw=hunter2") ==
          "Kernel command line: " + expected("cmdline", "ro pw=hunter2"));
    CHECK(r.text("boot 4c4c4544-0042-3010-8057-b4c04f4e3132") == "boot " + expected("uuid",
                                                                                    "4c4c454400423010"
                                                                                    "8057b4c04f4e3132"));
    CHECK(r.text("Aug 15 12:21:39 host-a kernel: x") ==
          "Aug 15 12:21:39 " + expected("host", "host-a") + " kernel: x");
    CHECK(r.value("firmware-version", "10.2.3.4") == "10.2.3.4");
    CHECK(r.value("board.serial_number", "AB12") == expected("serial", "ab12"));
    CHECK(r.value("serial", "00-00-01-ff-fe-00-00-02") == expected("mac", "000001000002"));
}

TEST_CASE("another key gives other pseudonyms; the document says how many there were", "[redact]") {
    Redaction one = redaction();
    Redaction other = redaction("another sixteen bytes and more");
    const std::string text = "00:00:01:00:00:02 and 192.0.2.10 and 00-00-01-00-00-02";
    CHECK(one.text(text) != other.text(text));
    CHECK(one.text(text) == redaction().text(text));
    CHECK(one.pseudonyms().member() == R"({"keyed":true,"kinds":{"ip":1,"mac":1}})");
}

TEST_CASE("key files: too short ones are refused, none means a random key", "[redact]") {
    const auto first = redaction_key("");
    const auto second = redaction_key("");
    REQUIRE(first);
    REQUIRE(second);
    CHECK_FALSE(first->keyed);
    CHECK(first->bytes.size() >= shortest_redaction_key);
    CHECK(first->bytes != second->bytes);
    const std::string path = "redaction-key-of-the-test";
    for (const std::size_t size : {std::size_t{0}, std::size_t{15}, std::size_t{16}, std::size_t{100}}) {
        std::ofstream(path, std::ios::binary) << std::string(size, 'k');
        const auto key = redaction_key(path);
        CHECK(key.has_value() == (size >= 16));
        CHECK((!key || key->keyed));
        CHECK((key || key.error().code == ErrorCode::bad_input));
    }
    std::remove(path.c_str());
    CHECK_FALSE(redaction_key("/nonexistent/key"));
}
