// Pattern files: the built-in ones, and what is refused.
#include <catch2/catch.hpp>

#include "fwlog_support.h"

using namespace fwlog_test;

namespace {

std::string example(const PatternField& field) {
    switch (field.kind) {
    case FieldKind::hex:
        return "0x1f";
    case FieldKind::dec:
        return "7";
    case FieldKind::word:
        return "word";
    case FieldKind::text:
        break;
    }
    return "some text";
}

std::string refusal(const std::string& document) {
    PatternSet set;
    const auto added = set.add(document, "test.json");
    return added ? std::string() : to_string(added.error());
}

std::string file_with(const std::string& patterns) {
    return R"({"formatVersion": 1, "name": "t", "drivers": ["test_drv"], "patterns": [)" + patterns + "]}";
}

} // namespace

TEST_CASE("every built-in pattern can be reached: none hides another") {
    for (const auto& pattern : patterns().patterns()) {
        std::string message = "driver 0000:01:00.0: ";
        for (const Pattern::Piece& piece : pattern->pieces) {
            message += piece.literal;
            message += piece.field < 0 ? "" : example(pattern->fields[static_cast<std::size_t>(piece.field)]);
        }
        Record record;
        INFO(message);
        REQUIRE(patterns().match(message, record));
        CHECK(record.pattern->name == pattern->name);
        CHECK(record.fields.size() == pattern->fields.size());
        CHECK_FALSE(pattern->meaning.empty());
    }
}

TEST_CASE("a message is known wherever its prefix ends, and not where a number is none") {
    Record record;
    CHECK(patterns().match(
        "bnxt_en 0000:3b:00.0 (unnamed net_device) (uninitialized): hwrm req_type 0x16 seq id 0x2 "
        "error 0x10",
        record));
    CHECK(record.pattern->name == "hwrm-error");
    CHECK(record.code == 0x10);
    CHECK(record.code_name == "busy");
    CHECK(record.severity == Severity::error);
    Record masked;
    CHECK_FALSE(patterns().match("bnxt_en: hwrm req_type 0x## seq id 0x## error 0x##", masked));
    Record longer; // more digits than fit 64 bits are no number
    CHECK_FALSE(patterns().match("bnxt_en: hwrm req_type 0x11112222333344445 seq id 0x0 error 0x0", longer));
}

TEST_CASE("a hexadecimal errno is signed in its 32 bits (field case 57)") {
    const auto shown = [](const std::string& digits) {
        Record record;
        REQUIRE(patterns().match("x: hwrm_ring_free type 1 failed. rc:" + digits + " err:0", record));
        FieldText text(nullptr);
        return text.value(record.fields.at(1));
    };
    CHECK(shown("fffffff0") == "-16 EBUSY");
    CHECK(shown("ffffffed") == "-19 ENODEV");
    CHECK(shown("ffffff92") == "-110 ETIMEDOUT");
    CHECK(shown("fffffff5") == "-11 EAGAIN");
}

TEST_CASE("names come from the register map where it has them") {
    const Log log =
        read("[    1.000000] infiniband bnxt_re0: QPLIB: FP: CQ Processed Req wr_id[3] = 0x10 with status "
             "0x9\n");
    CHECK(log.of("roce-cqe-error").at(0).field("status").shown == "0x9 RNR_NAK_RETRY_CNT_ERR");
    const Log ready =
        read("[    1.000000] bnxt_en 0000:01:00.0 eth0: Driver recovery watchdog, role: primary, firmware "
             "status: 0x8000 (healthy), resets: 2\n");
    CHECK(ready.of("recovery-watchdog").at(0).field("status").shown == "0x8000 (CODE 0x8000 READY)");
    CHECK(ready.of("recovery-watchdog").at(0).field("resets").value == 2);
}

TEST_CASE("what a pattern file must not hold") {
    CHECK(refusal("{").find("not JSON") != std::string::npos);
    CHECK(refusal(R"({"formatVersion": 2})").find("/formatVersion") != std::string::npos);
    CHECK(refusal(R"({"formatVersion": 1, "colour": 1})").find("/colour") != std::string::npos);
    CHECK(refusal(file_with(R"({"name": "a", "pattern": "%{x} y", "meaning": "m"})"))
              .find("/patterns/0/pattern") != std::string::npos);
    CHECK(refusal(file_with(R"({"name": "a", "pattern": "b %{x", "meaning": "m"})"))
              .find("/patterns/0/pattern") != std::string::npos);
    CHECK(refusal(file_with(R"({"name": "a", "pattern": "b", "meaning": "m", "severity": "bad"})"))
              .find("/severity") != std::string::npos);
    CHECK(
        refusal(file_with(R"({"name": "a", "pattern": "b %{x}", "meaning": "m", "fields": {"x": "octal"}})"))
            .find("/fields/x") != std::string::npos);
    CHECK(refusal(file_with(R"({"name": "a", "pattern": "b", "meaning": "m", "code": "x"})"))
              .find("no field") != std::string::npos);
    CHECK(refusal(file_with(R"({"name": "a", "pattern": 3, "meaning": "m"})")).find("must be text") !=
          std::string::npos);
    CHECK(refusal(R"({"formatVersion": 1, "drivers": ["ab"]})").find("four letters") != std::string::npos);
    CHECK(
        refusal(file_with(R"({"name": "a", "pattern": "bold %{x}", "meaning": "m", "fields": {"x": "hex"}})"))
            .empty());
}
