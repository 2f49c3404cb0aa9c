// Expressions within a map: names, where errors are, cycles.
#include "regmaps_loader_support.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

std::string derived(const std::string& list, const std::string& more = "") {
    return bar_map("\"registers\": [{\"name\": \"R\", \"offset\": 0, \"readAction\": \"none\", \"fields\": "
                   "[{\"name\": \"LOW\", \"bits\": \"7:0\"}]}],\n\"derived\": [" +
                   list + "]" + more);
}

// An expression that must not compile; the mark stands at the character that is wrong.
void bad(const std::string& expression, const std::string& says) {
    check_bad(derived("{\"name\": \"D\", \"value\": \"" + expression + "\"}"), "/derived/0/value", says,
              "map-expression");
}

} // namespace

TEST_CASE("the error of an expression stands at its character") {
    bad("R + @@Q", "no \"Q\"");
    bad("R.@@HIGH", "no \"HIGH\" in this register");
    bad("R + @@", "but the expression ends");
    bad("@@", "expected a number");
    bad("(R @@", "expected )");
    bad("R @@R", "unexpected \"R\"");
    bad("1 + @@0x", "not a number");
    bad("1 + @@012", "octal");
    bad("@@18446744073709551616", "64 bits");
    bad("R @@$ 1", "unexpected");
    bad("R ? 1 @@", "expected :");
    bad("pci.@@colour", "pci.colour does not exist");
    bad("present(@@nowhere)", "no space \"nowhere\"");
    bad("R@@[0]", "not an array");
    bad("@@D2 + LOW", "no \"D2\""); // the first error counts
}

TEST_CASE("names that nothing has are answered with what is close") {
    const auto map = load_text(derived(R"({"name": "D", "value": "R.LOV"})"));
    REQUIRE_FALSE(map.has_value());
    CHECK(map.error().remedy == "did you mean LOW?");
    CHECK_THAT(map.error().what, Catch::Contains("(character 3 of the expression \"R.LOV\")"));
}

TEST_CASE("an expression with escapes is reported at its beginning") {
    check_bad(derived(R"({"name": "D", "value": @@"R \u002b Q"})"), "/derived/0/value", "no \"Q\"",
              "map-expression");
}

TEST_CASE("expressions have bounded size and depth") {
    check_bad(derived("{\"name\": \"D\", \"value\": \"@@" + std::string(5000, '1') + "\"}"),
              "/derived/0/value", "more than 4096 characters", "map-expression");
    const auto nested = [](std::size_t depth) {
        return derived("{\"name\": \"D\", \"value\": \"" + std::string(depth, '(') + "R" +
                       std::string(depth, ')') + "\"}");
    };
    CHECK(load_text(nested(16)).has_value());
    const auto map = load_text(nested(1000));
    REQUIRE_FALSE(map.has_value());
    CHECK_THAT(map.error().what, Catch::Contains("nests too deeply"));
}

TEST_CASE("indices, own fields and the map's names") {
    const RegisterMap map = must_load(bar_map(R"x("registers": [
        {"name": "N", "offset": 0, "readAction": "none", "fields": [{"name": "COUNT", "bits": "7:0"}]},
        {"name": "T", "offset": 4, "readAction": "none", "array": {"count": "N.COUNT", "stride": 8, "index": "n"},
         "when": "n < N.COUNT", "fields": [
            {"name": "MODE", "bits": "1:0"}, {"name": "N", "bits": "9:8", "when": "MODE == N"}]}],
        "blocks": [{"name": "Q", "base": 2048, "array": {"count": 4, "stride": 64, "index": "q"}, "when": "q < N", "blocks": [
            {"name": "P", "array": {"count": 2, "stride": 32, "index": "p"}, "registers": [
                {"name": "X", "offset": 0, "readAction": "none", "when": "p + q + i", "array": {"count": "q + 1", "stride": 4, "index": "i"}}]}]}],
        "derived": [{"name": "D", "value": "Q[1].P[0].X[N] + T[2].MODE + pci.class + present(bar0)"}])x"));
    const auto codes = [&](Index expression) {
        const Range code = map.expressions[expression].code;
        return map.codes.subspan(code.begin, code.count);
    };
    const Index t = static_cast<Index>(&reg_called(map, "T") - map.registers.data());
    const Index x = static_cast<Index>(&reg_called(map, "X") - map.registers.data());

    const auto when = codes(map.registers[t].when); // n < N.COUNT
    REQUIRE(when.size() == 3);
    CHECK(when[0].op == Op::index);
    CHECK(when[0].ref == 0);
    CHECK(when[1].op == Op::field);
    CHECK(map.text(map.fields[when[1].ref].name) == "COUNT");
    CHECK(when[2].op == Op::lt);

    // Within T, N is T's own field and not the register.
    const auto own = codes(field_called(map, "T", "N").when);
    REQUIRE(own.size() == 3);
    CHECK(own[1].op == Op::own_field);
    CHECK(map.text(map.fields[own[1].ref].name) == "N");

    const auto levels = codes(map.registers[x].when); // p + q + i
    REQUIRE(levels.size() == 5);
    CHECK(levels[0].ref == 1);
    CHECK(levels[1].ref == 0);
    CHECK(levels[3].ref == 2);
    CHECK(codes(map.registers[x].array.count)[0].op == Op::index); // q, of the block outside
    CHECK(codes(map.blocks[0].when)[0].op == Op::index);

    const auto value = codes(map.derived[0].value);
    CHECK(value[0].imm == 1);      // Q[1]
    CHECK(value[1].imm == 0);      // P[0]
    CHECK(value[2].op == Op::reg); // N, the register
    CHECK(value[3].op == Op::reg);
    CHECK(value[3].ref == x);
    CHECK(value[3].argument == 3);
    CHECK(value[5].op == Op::field);
    CHECK(value[5].argument == 1);
    CHECK(map.text(map.expressions[map.derived[0].value].source) ==
          "Q[1].P[0].X[N] + T[2].MODE + pci.class + present(bar0)");
}

TEST_CASE("an index is in scope in its own elements only") {
    const auto with = [](const std::string& array, const std::string& when) {
        return bar_map(
            "\"registers\": [{\"name\": \"A\", \"offset\": 0, \"readAction\": \"none\", \"array\": " + array +
            ", \"when\": \"" + when + "\"}], \"derived\": [{\"name\": \"D\", \"value\": \"1\"}]");
    };
    CHECK(load_text(with(R"({"count": 2, "stride": 4, "index": "i"})", "i")).has_value());
    check_bad(with(R"({"count": "@@i", "stride": 4, "index": "i"})", "1"), "/registers/0/array/count",
              "no \"i\"", "map-expression");
    check_bad(
        bar_map(
            R"("blocks": [{"name": "B", "base": "@@b", "array": {"count": 2, "stride": 4, "index": "b"}}])"),
        "/blocks/0/base", "no \"b\"", "map-expression");
    // A register's own fields are no part of where it is: they could be read only if it were there.
    check_bad(bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "when": "@@F",
        "fields": [{"name": "F", "bits": "0"}]}])"),
              "/registers/0/when", "no \"F\"", "map-expression");
}

TEST_CASE("arrays need an index, other things have none") {
    const auto value = [](const std::string& expression) {
        return bar_map(
            R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "array": {"count": 2, "stride": 4}}],
            "blocks": [{"name": "B", "base": 64, "array": {"count": 2, "stride": 8}, "registers": [
            {"name": "C", "offset": 0, "readAction": "none"}]}],
            "derived": [{"name": "D", "value": ")" +
            expression + "\"}]");
    };
    CHECK(load_text(value("A[1] + B[0].C")).has_value());
    check_bad(value("@@A"), "/derived/0/value", "needs an index", "map-expression");
    check_bad(value("@@B.C"), "/derived/0/value", "needs an index", "map-expression");
    check_bad(value("B[0].C@@[1]"), "/derived/0/value", "not an array", "map-expression");
    check_bad(value("@@B[0]"), "/derived/0/value", "is a block", "map-expression");
    check_bad(value("B[0].@@X"), "/derived/0/value", "no \"X\" in this block", "map-expression");
}

TEST_CASE("cycles are refused, chains are not") {
    const std::string cause = "map-cycle";
    check_bad(derived("{\"name\": \"D\", \"value\": @@\"D + 1\"}"), "/derived/0/value",
              "D depends on itself: D -> D", cause);
    check_bad(derived("{\"name\": \"D\", \"value\": \"E\"},\n{\"name\": \"E\", \"value\": @@\"R + D\"}"),
              "/derived/1/value", "D depends on itself: D -> E -> D", cause);
    check_bad(derived("{\"name\": \"D\", \"value\": 1, \"when\": @@\"D\"}"), "/derived/0/when",
              "depends on itself", cause);
    // A register's place must not depend on its own value.
    check_bad(
        bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "when": @@"A == 1"}])"),
        "/registers/0/when", "A depends on itself", cause);
    check_bad(bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": "none",
        "array": {"count": @@"A[0]", "stride": 4}}])"),
              "/registers/0/array/count", "A depends on itself", cause);
    check_bad(bar_map(R"("blocks": [{"name": "B", "base": @@"B.A", "registers": [
        {"name": "A", "offset": 0, "readAction": "none"}]}])"),
              "/blocks/0/base", "depends on itself", cause);
    // Nor its space's.
    check_bad(map_text(R"("spaces": [{"name": "s", "bar": 0, "size": @@"A"}],
        "registers": [{"name": "A", "offset": 0, "readAction": "none"}])"),
              "/spaces/0/size", "depends on itself", cause);
    check_bad(map_text(R"x("spaces": [{"name": "s", "bar": 0, "size": 64, "when": @@"present(s)"}])x"),
              "/spaces/0/when", "space s depends on itself", cause);
    // Through a derived value and a field.
    check_bad(
        bar_map("\"registers\": [{\"name\": \"A\", \"offset\": 0, \"readAction\": \"none\", \"when\": \"D\", "
                "\"fields\": "
                "[{\"name\": \"F\", \"bits\": \"0\"}]}],\n\"derived\": [{\"name\": \"D\", \"value\": "
                "@@\"A.F\"}]"),
        "/derived/0/value", "A depends on itself: A -> D -> A", cause);
    // A field's own condition is about the value that was read, not about where the register is.
    CHECK(load_text(bar_map(R"("registers": [{"name": "A", "offset": 0, "readAction": "none", "fields": [
        {"name": "F", "bits": "0", "when": "A.G == 1"}, {"name": "G", "bits": "1"}]}])"))
              .has_value());

    const auto chain = [](int length) {
        std::string list;
        for (int i = 0; i < length; ++i) {
            list += fmt::format("{}{{\"name\": \"D{}\", \"value\": \"{}\"}}", i > 0 ? ",\n" : "", i,
                                i + 1 < length ? fmt::format("D{}", i + 1) : "R");
        }
        return derived(list);
    };
    CHECK(load_text(chain(60)).has_value());
    for (const int length : {100, 20000}) {
        const auto map = load_text(chain(length));
        REQUIRE_FALSE(map.has_value());
        CHECK(map.error().cause == cause);
        CHECK_THAT(map.error().what, Catch::Contains("chain of more than 64"));
    }
}
