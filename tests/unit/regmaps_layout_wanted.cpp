// A layout that is made for a part of the map asks for no more than that part needs.
#include "regmaps_layout_device.h"

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using Names = std::vector<std::string>;

namespace {

// A page behind a window whose place another register tells, a register whose existence a third one tells,
// and two sources that no BAR of these is.
RegisterMap pages() {
    return load(R"("spaces": [
        {"name": "mem", "bar": 0, "size": "0x1000"}, {"name": "other", "bar": 2, "size": "0x1000"},
        {"name": "cfg", "config": true},
        {"name": "page", "bar": 0, "size": "0x1000", "window": {"select": "SELECT", "value": "WHERE & 0xff", "at": "0x8000", "size": "0x1000"}}],
        "registers": [
        {"name": "SELECT", "offset": 0, "readAction": "none"},
        {"name": "WHERE", "offset": 4, "readAction": "none"},
        {"name": "N", "offset": 8, "readAction": "none"},
        {"name": "QUEUE", "offset": 16, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}},
        {"name": "BEHIND", "space": "page", "offset": 0, "readAction": "none"},
        {"name": "FAR", "space": "other", "offset": 0, "readAction": "none", "fields": [{"name": "UP", "bits": "0"}]},
        {"name": "ID", "space": "cfg", "offset": 0, "readAction": "none"}])");
}

Names asked_for(const RegisterMap& map, Names wanted) {
    TestDevice device;
    device.wanted = std::move(wanted);
    device.values = {{"WHERE", 1}, {"N", 2}, {"ON", 1}};
    device.must_place(map);
    return device.asked;
}

} // namespace

TEST_CASE("what a wanted register's place does not depend on is not asked for") {
    const RegisterMap map = pages();
    CHECK(asked_for(map, {}) == Names{"WHERE", "N"});
    CHECK(asked_for(map, {"ID"}).empty());
    CHECK(asked_for(map, {"FAR.UP"}).empty());
    CHECK(asked_for(map, {"SELECT", "N"}).empty());
    CHECK(asked_for(map, {"BEHIND"}) == Names{"WHERE"});
    CHECK(asked_for(map, {"QUEUE[1]"}) == Names{"N"});
    CHECK(asked_for(map, {"queue"}) == Names{"N"});
}

TEST_CASE("globs mean all that they may mean before anything is placed") {
    const RegisterMap map = pages();
    CHECK(asked_for(map, {"QU*"}) == Names{"N"});
    CHECK(asked_for(map, {"QUEUE[?]"}) == Names{"N"});
    CHECK(asked_for(map, {"*1]"}) == Names{"N"});
    CHECK(asked_for(map, {"F*.U*"}).empty());
    CHECK(asked_for(map, {"I?"}).empty());
}

TEST_CASE("a layout for a part leaves the rest unknown, and places the part") {
    const RegisterMap map = pages();
    TestDevice device;
    device.wanted = {"BEHIND"};
    device.values = {{"WHERE", 0x17}, {"N", 2}};
    const Layout layout = device.must_place(map);
    CHECK(layout.spaces[3].window_value == 0x17U);
    CHECK(offset_of(map, layout, "BEHIND") == 0x8000);
    CHECK(missing_called(map, layout, "QUEUE").unknown);
}

TEST_CASE("registers that no load may touch are placed with whatever lies in their BAR") {
    const RegisterMap map = load(
        R"("spaces": [{"name": "mem", "bar": 0, "size": "0x1000", "accessWidth": [32, 64]}, {"name": "two", "bar": 2, "size": "0x1000"},
        {"name": "cfg", "config": true}],
        "registers": [
        {"name": "ON", "offset": 0, "readAction": "none"},
        {"name": "WIDE", "offset": 8, "width": 64, "readAction": "none", "alternate": true},
        {"name": "POP", "offset": 12, "readAction": "modify", "when": "ON == 1"},
        {"name": "ELSEWHERE", "space": "two", "offset": 0, "readAction": "none"},
        {"name": "ID", "space": "cfg", "offset": 0, "readAction": "none"}])");
    CHECK(asked_for(map, {"WIDE"}) == Names{"ON"});
    CHECK(asked_for(map, {"ELSEWHERE"}).empty());
    CHECK(asked_for(map, {"ID"}).empty());
}

TEST_CASE("so are the registers that tell whether the device answers") {
    const RegisterMap map = load(R"("spaces": [{"name": "mem", "bar": 0, "size": "0x1000"}], "registers": [
        {"name": "ON", "offset": 0, "readAction": "none"},
        {"name": "ALIVE", "offset": 4, "readAction": "none", "neverAllOnes": true, "when": "ON == 1"},
        {"name": "A", "offset": 8, "readAction": "none"}])");
    CHECK(asked_for(map, {"A"}) == Names{"ON"});
}
