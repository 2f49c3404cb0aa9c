#include "regmaps_layout_device.h"

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using Names = std::vector<std::string>;

namespace {

struct Fixture {
    RegisterMap map = load(R"("spaces": [{"name": "mem", "bar": 0, "size": 4096},
            {"name": "pm", "config": true, "capability": 1}],
        "registers": [
        {"name": "CTRL", "offset": 0, "readAction": "none", "group": "health",
         "fields": [{"name": "RST", "bits": "31"}, {"name": "SPEED", "bits": "9:8"}]},
        {"name": "STATUS", "offset": 4, "readAction": "none", "group": ["health", "link"],
         "fields": [{"name": "SPEED", "bits": "7:6"}]},
        {"name": "RAL", "offset": 8, "readAction": "none", "array": {"count": 3, "stride": 4, "index": "i"}},
        {"name": "Ctrl2", "offset": 32, "readAction": "none"},
        {"name": "PMCSR", "space": "pm", "offset": 4, "width": 16, "readAction": "none", "group": "power"},
        {"name": "MAYBE", "offset": 36, "readAction": "none", "when": "CTRL.RST"}],
        "blocks": [{"name": "Q", "base": "0x100", "array": {"count": 2, "stride": 64, "index": "q"}, "group": "queue",
            "registers": [
            {"name": "HEAD", "offset": 0, "readAction": "none", "fields": [{"name": "PTR", "bits": "15:0"}]},
            {"name": "TAIL", "offset": 4, "readAction": "none", "group": "doorbell"}]}])");
    Layout layout = TestDevice{}.must_place(map);

    Names selected(const std::vector<std::string>& patterns) const {
        return texts(select(map, layout, patterns));
    }
    Names grouped(const std::vector<std::string>& groups) const {
        return texts(select_groups(map, layout, groups));
    }
    Error refused(const std::string& pattern) const {
        const auto result = select(map, layout, {pattern});
        REQUIRE_FALSE(result);
        return result.error();
    }

  private:
    Names texts(const Result<std::vector<Selected>>& result) const {
        if (!result) {
            FAIL(to_string(result.error()));
        }
        Names out;
        for (const Selected& s : *result) {
            out.push_back(instance_name(map, layout.instances[s.instance]));
            if (s.field != none) {
                out.back() += "." + std::string(map.text(map.fields[s.field].name));
            }
        }
        return out;
    }
};

} // namespace

TEST_CASE("names select registers, fields, elements and blocks") {
    const Fixture f;
    CHECK(f.selected({"STATUS"}) == Names{"STATUS"});
    CHECK(f.selected({"STATUS.SPEED"}) == Names{"STATUS.SPEED"});
    CHECK(f.selected({"RAL"}) == Names{"RAL[0]", "RAL[1]", "RAL[2]"});
    CHECK(f.selected({"RAL[1]"}) == Names{"RAL[1]"});
    CHECK(f.selected({"Q[1].TAIL"}) == Names{"Q[1].TAIL"});
    CHECK(f.selected({"Q.TAIL"}) == Names{"Q[0].TAIL", "Q[1].TAIL"});
    CHECK(f.selected({"Q[1]"}) == Names{"Q[1].HEAD", "Q[1].TAIL"});
    CHECK(f.selected({"Q[0].HEAD.PTR"}) == Names{"Q[0].HEAD.PTR"});
    CHECK(f.selected({"Q.HEAD.PTR"}) == Names{"Q[0].HEAD.PTR", "Q[1].HEAD.PTR"});
}

TEST_CASE("patterns are answered in their order, and nothing twice") {
    const Fixture f;
    CHECK(f.selected({"STATUS", "CTRL", "STATUS"}) == Names{"STATUS", "CTRL"});
    CHECK(f.selected({"RAL[2]", "RAL"}) == Names{"RAL[2]", "RAL[0]", "RAL[1]"});
    CHECK(f.selected({"CTRL.RST", "CTRL", "CTRL.RST"}) == Names{"CTRL.RST", "CTRL"});
    CHECK(f.selected({}).empty());
}

TEST_CASE("globs take whole names, in which brackets are just brackets") {
    const Fixture f;
    CHECK(f.selected({"*TA*"}) == Names{"STATUS", "Q[0].TAIL", "Q[1].TAIL"});
    CHECK(f.selected({"RAL[?]"}) == Names{"RAL[0]", "RAL[1]", "RAL[2]"});
    CHECK(f.selected({"Q[1].*"}) == Names{"Q[1].HEAD", "Q[1].TAIL"});
    CHECK(f.selected({"Q.T???"}) == Names{"Q[0].TAIL", "Q[1].TAIL"});
    CHECK(f.selected({"*.SPEED"}) == Names{"CTRL.SPEED", "STATUS.SPEED"});
    CHECK(f.selected({"CTRL.*"}) == Names{"CTRL.RST", "CTRL.SPEED"});
}

TEST_CASE("case counts only where it must") {
    const Fixture f;
    CHECK(f.selected({"status"}) == Names{"STATUS"});
    CHECK(f.selected({"q[1].tail"}) == Names{"Q[1].TAIL"});
    CHECK(f.selected({"ctrl2"}) == Names{"Ctrl2"});
    CHECK(f.selected({"status.speed"}) == Names{"STATUS.SPEED"});
    CHECK(f.selected({"ra*"}) == Names{"RAL[0]", "RAL[1]", "RAL[2]"});
    CHECK(f.selected({"CTRL*"}) == Names{"CTRL"}); // Ctrl2 only where nothing fits exactly
}

TEST_CASE("an unknown name is a usage error with the closest names") {
    const Fixture f;
    const Error e = f.refused("STATSU");
    CHECK(e.code == ErrorCode::usage);
    CHECK(e.cause == "unknown-register");
    CHECK(e.remedy.find("STATUS") != std::string::npos);
    const Error field = f.refused("STATUS.SPED");
    CHECK(field.code == ErrorCode::usage);
    CHECK(field.cause == "unknown-field");
    CHECK(field.what.find("STATUS has no field 'SPED'") != std::string::npos);
    CHECK(field.remedy.find("STATUS.SPEED") != std::string::npos);
    CHECK(f.refused("Q[0].HEDA").remedy.find("Q.HEAD") != std::string::npos);
    CHECK(f.refused("Q[0].HEAD.PRT").remedy.find("Q.HEAD.PTR") != std::string::npos);
    CHECK(f.refused("XYZ*").code == ErrorCode::usage);
    CHECK(f.refused("").code == ErrorCode::usage);
    CHECK(f.refused("CTRL[0]").code == ErrorCode::usage); // not an array
    CHECK(f.refused("RAL[x]").code == ErrorCode::usage);
    CHECK(f.refused("RAL[1").code == ErrorCode::usage);
    CHECK(f.refused("CTRL..RST").code == ErrorCode::usage);
}

TEST_CASE("an element beyond an array is a usage error that says where the array ends") {
    const Error e = Fixture().refused("RAL[3]");
    CHECK(e.code == ErrorCode::usage);
    CHECK(e.cause == "no-such-element");
    CHECK(e.remedy.find("RAL[2]") != std::string::npos);
    CHECK(Fixture().refused("RAL[4294967296]").code == ErrorCode::usage);
}

TEST_CASE("a register that the map knows and the device lacks is refused with why") {
    const Fixture f;
    for (const std::string name : {"PMCSR", "pmcsr", "PM*"}) {
        const Error e = f.refused(name);
        CHECK(e.code == ErrorCode::absent);
        CHECK(e.cause == "register-absent");
        CHECK(e.what.find("capability 0x01 is not present") != std::string::npos);
    }
    const Error unknown = f.refused("MAYBE");
    CHECK(unknown.code == ErrorCode::absent);
    CHECK(unknown.cause == "register-unknown");
    CHECK(unknown.what.find("CTRL was not read") != std::string::npos);
}

TEST_CASE("groups are those of registers and of the blocks around them") {
    const Fixture f;
    CHECK(f.grouped({"health"}) == Names{"CTRL", "STATUS"});
    CHECK(f.grouped({"queue"}) == Names{"Q[0].HEAD", "Q[0].TAIL", "Q[1].HEAD", "Q[1].TAIL"});
    CHECK(f.grouped({"doorbell", "link"}) == Names{"STATUS", "Q[0].TAIL", "Q[1].TAIL"});
    const auto unknown = select_groups(f.map, f.layout, {"helth"});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == ErrorCode::usage);
    CHECK(unknown.error().remedy.find("doorbell, health, link, power, queue") != std::string::npos);
    const auto absent = select_groups(f.map, f.layout, {"power"});
    REQUIRE_FALSE(absent);
    CHECK(absent.error().code == ErrorCode::absent);
    CHECK(absent.error().what.find("capability 0x01 is not present") != std::string::npos);
}
