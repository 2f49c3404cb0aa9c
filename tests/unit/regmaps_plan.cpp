#include "regmaps_layout_device.h"

#include <numeric>
#include <random>

#include <fmt/format.h>

using namespace barscope;
using namespace barscope::regmaps;
using namespace barscope::regmaps::test;
using safety::WordStatus;

namespace {

const std::string bar0 =
    R"("spaces": [{"name": "mem", "bar": 0, "size": "0x10000", "accessWidth": [8, 16, 32, 64]}])";

std::vector<Index> everything(const Layout& layout) {
    std::vector<Index> all(layout.instances.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

struct Planned {
    RegisterMap map;
    Layout layout;
    std::vector<PlannedRead> reads;

    explicit Planned(const std::string& rest, const std::vector<std::string>& wanted = {},
                     TestDevice device = {})
        : map(load(rest)), layout(device.must_place(map)) {
        std::vector<Index> indices;
        for (const std::string& name : wanted) {
            indices.push_back(instance_called(map, layout, name));
        }
        reads = plan_reads(map, layout, wanted.empty() ? everything(layout) : indices);
    }

    const PlannedRead& read_of(const std::string& name, std::size_t& position) const {
        const Index instance = instance_called(map, layout, name);
        for (const PlannedRead& read : reads) {
            for (position = 0; position < read.instances.size(); ++position) {
                if (read.instances[position] == instance) {
                    return read;
                }
            }
        }
        FAIL(name << " is in no plan");
        return reads.front();
    }
    WordStatus refused(const std::string& name) const {
        std::size_t at = 0;
        const PlannedRead& read = read_of(name, at);
        CHECK((read.word_of[at] == none) == (read.refused[at] != WordStatus::ok));
        return read.refused[at];
    }
    const safety::WordRequest& word(const std::string& name) const {
        std::size_t at = 0;
        const PlannedRead& read = read_of(name, at);
        REQUIRE(read.word_of[at] != none);
        return read.plan.words[read.word_of[at]];
    }
};

bool forbids(const PlannedRead& read, std::uint64_t begin, std::uint64_t end) {
    return std::any_of(read.plan.forbidden.begin(), read.plan.forbidden.end(),
                       [&](const auto& r) { return r.begin <= begin && end <= r.end; });
}

} // namespace

TEST_CASE("each distinct word is read once, in ascending order") {
    const Planned p(bar0 + R"(, "registers": [
        {"name": "B", "offset": 4, "readAction": "none"},
        {"name": "A", "offset": 0, "readAction": "none", "alternate": true},
        {"name": "A2", "offset": 0, "readAction": "none", "alternate": true},
        {"name": "A_LOW", "offset": 0, "width": 16, "readAction": "none", "alternate": true}])");
    REQUIRE(p.reads.size() == 1);
    const auto& words = p.reads[0].plan.words;
    REQUIRE(words.size() == 3);
    CHECK(words[0].offset == 0);
    CHECK(words[0].width == 16);
    CHECK(words[1].offset == 0);
    CHECK(words[1].width == 32);
    CHECK(words[2].offset == 4);
    CHECK(&p.word("A") == &p.word("A2"));
    CHECK(&p.word("A") == &words[1]);
    CHECK(&p.word("A_LOW") == &words[0]);
}

TEST_CASE("wanted registers may come in any order, and twice") {
    const RegisterMap map = load(bar0 + R"(, "registers": [
        {"name": "R", "offset": 0, "readAction": "none", "array": {"count": 8, "stride": 4, "index": "i"}}])");
    const Layout layout = TestDevice{}.must_place(map);
    const auto reads = plan_reads(map, layout, {5, 2, 5, 7});
    REQUIRE(reads.size() == 1);
    REQUIRE(reads[0].plan.words.size() == 3);
    CHECK(reads[0].instances == std::vector<Index>{5, 2, 5, 7});
    CHECK(reads[0].word_of == std::vector<Index>{1, 0, 1, 2});
    CHECK(reads[0].plan.words[1].offset == 20);
}

TEST_CASE("registers that reading would change are in the plan as not to be read, and forbidden") {
    const Planned p(bar0 + R"(, "registers": [
        {"name": "OK", "offset": 0, "readAction": "none"},
        {"name": "ICR", "offset": 4, "readAction": "clear"},
        {"name": "FIFO", "offset": 8, "readAction": "modify"},
        {"name": "CMD", "offset": 16, "access": "write-only"},
        {"name": "ONE", "offset": 20, "width": 32, "readAction": "none",
         "fields": [{"name": "F", "bits": "3:0", "readAction": "clear"}]}])");
    CHECK(p.refused("OK") == WordStatus::ok);
    CHECK(p.refused("ICR") == WordStatus::side_effect);
    CHECK(p.refused("FIFO") == WordStatus::side_effect);
    CHECK(p.refused("CMD") == WordStatus::write_only);
    CHECK(p.refused("ONE") == WordStatus::side_effect); // one field taints the whole register
    REQUIRE(p.reads.size() == 1);
    CHECK(p.reads[0].plan.words.size() == 1);
    REQUIRE(p.reads[0].plan.forbidden.size() == 2); // neighbours are one range
    CHECK(p.reads[0].plan.forbidden[0].begin == 4);
    CHECK(p.reads[0].plan.forbidden[0].end == 12);
    CHECK(p.reads[0].plan.forbidden[1].begin == 16);
    CHECK(p.reads[0].plan.forbidden[1].end == 24);
}

TEST_CASE("what must not be touched comes from the whole map, not from what is wanted") {
    const Planned p(bar0 + R"(, "registers": [
        {"name": "OK", "offset": 0, "readAction": "none"},
        {"name": "CLR", "offset": 64, "readAction": "clear", "array": {"count": 4, "stride": 8, "index": "i"}},
        {"name": "ALIVE", "offset": 128, "readAction": "none", "neverAllOnes": true},
        {"name": "POISONED", "offset": 132, "readAction": "none",
         "poison": ["0xdeaddead", {"mask": "0xffff0000", "value": "0xbadf0000"}]}])",
                    {"OK"});
    REQUIRE(p.reads.size() == 1);
    const auto& plan = p.reads[0].plan;
    CHECK(plan.words.size() == 1);
    CHECK(plan.forbidden.size() == 4);
    REQUIRE(plan.sentinels.size() == 1);
    CHECK(plan.sentinels[0].offset == 128);
    CHECK(plan.sentinels[0].action == ReadAction::none);
    REQUIRE(plan.poison.size() == 2);
    for (const safety::Poison& poison : plan.poison) {
        CHECK(poison.width == 32);
        CHECK(((0xdeaddead & poison.mask) == poison.pattern || (0xbadf1234 & poison.mask) == poison.pattern));
    }
    CHECK(plan.size_limit == 0x10000);
}

TEST_CASE("the other reading of a write-only register's bytes may be loaded, that of a side effect may not") {
    const Planned p(bar0 + R"(, "registers": [
        {"name": "STATUS", "offset": 0, "access": "read-only", "readAction": "none", "alternate": true},
        {"name": "COMMAND", "offset": 0, "access": "write-only", "alternate": true},
        {"name": "PEEK", "offset": 8, "access": "read-only", "readAction": "none", "alternate": true},
        {"name": "POP", "offset": 8, "access": "read-only", "readAction": "modify", "alternate": true},
        {"name": "WIDE", "offset": 16, "width": 64, "readAction": "none", "alternate": true},
        {"name": "HALF", "offset": 16, "access": "write-only", "alternate": true}])");
    const auto& read = p.reads.at(0);
    CHECK_FALSE(forbids(read, 0, 4));
    CHECK(forbids(read, 8, 12));
    CHECK(forbids(read, 16, 20)); // not the same bytes: the map did not say that the wider load is safe
    CHECK(p.refused("COMMAND") == WordStatus::write_only);
    CHECK(p.refused("STATUS") == WordStatus::ok);
}

TEST_CASE("one plan for each BAR, one for configuration space") {
    TestDevice device;
    device.capabilities[{false, 0x10}] = {0x40};
    const Planned p(R"("spaces": [
        {"name": "a", "bar": 0, "size": 64}, {"name": "b", "bar": 2, "size": 64, "accessWidth": [8, 32]},
        {"name": "a2", "bar": 0, "base": 256, "size": 64, "accessWidth": [16]},
        {"name": "cfg", "config": true}, {"name": "exp", "config": true, "capability": "0x10"}],
        "registers": [
        {"name": "A", "space": "a", "offset": 4, "readAction": "none"},
        {"name": "B", "space": "b", "offset": 4, "readAction": "none"},
        {"name": "A2", "space": "a2", "offset": 0, "width": 16, "readAction": "none"},
        {"name": "CLR2", "space": "a2", "offset": 8, "width": 16, "readAction": "clear"},
        {"name": "VID", "space": "cfg", "offset": 0, "width": 16, "readAction": "none"},
        {"name": "LNK", "space": "exp", "offset": 18, "width": 16, "readAction": "none"}])",
                    {}, device);
    REQUIRE(p.reads.size() == 3);
    std::size_t at = 0;
    const PlannedRead& a = p.read_of("A", at);
    CHECK(a.bar == 0);
    CHECK_FALSE(a.config);
    CHECK(&a == &p.read_of("A2", at));
    CHECK(a.plan.size_limit == 320);
    CHECK(a.plan.legal_widths == 0x6);
    CHECK(forbids(a, 264, 266));
    const PlannedRead& b = p.read_of("B", at);
    CHECK(b.bar == 2);
    CHECK(b.plan.forbidden.empty());
    CHECK(b.plan.legal_widths == 0x5);
    CHECK(b.plan.size_limit == 64);
    const PlannedRead& c = p.read_of("LNK", at);
    CHECK(c.config);
    CHECK(&c == &p.read_of("VID", at));
    CHECK(c.plan.words.back().offset == 0x52);
    CHECK(c.plan.size_limit == 4096);
}

TEST_CASE("byte order and split are the register's") {
    const Planned p(R"("spaces": [{"name": "be", "bar": 0, "size": 64, "byteOrder": "big"}], "registers": [
        {"name": "BE", "offset": 0, "readAction": "none"},
        {"name": "LE", "offset": 4, "readAction": "none", "byteOrder": "little"},
        {"name": "WIDE", "offset": 12, "width": 64, "readAction": "none", "split": "hi_lo_hi"}])");
    CHECK(p.word("BE").order == safety::ByteOrder::big);
    CHECK(p.word("LE").order == safety::ByteOrder::little);
    CHECK(p.word("WIDE").width == 64);
    CHECK(p.word("WIDE").split == safety::Split::hi_lo_hi);
    CHECK(p.refused("WIDE") == WordStatus::ok); // two 32-bit loads on a bus that takes 32 bits
}

TEST_CASE("a register whose place turns out to be outside its space is refused by the plan") {
    TestDevice device;
    device.values["N"] = 20;
    const Planned p(R"("spaces": [
        {"name": "a", "bar": 0, "size": 64}, {"name": "b", "bar": 0, "base": 64, "size": 64}],
        "registers": [
        {"name": "N", "space": "a", "offset": 0, "readAction": "none"},
        {"name": "Q", "space": "a", "offset": 4, "readAction": "none", "array": {"count": "N", "stride": 4, "index": "i"}},
        {"name": "Z", "space": "b", "offset": 32, "readAction": "none"}])",
                    {}, device);
    CHECK(p.refused("Q[14]") == WordStatus::ok); // 4 + 14 * 4 + 4 == 64
    CHECK(p.refused("Q[15]") == WordStatus::out_of_range);
    CHECK(p.reads[0].plan.words.size() == 17);
}

TEST_CASE("a window has its own plan, with the guard of what it shows") {
    TestDevice device;
    const Planned p(R"("spaces": [
        {"name": "grc", "bar": 0, "size": "0x1000"},
        {"name": "one", "bar": 0, "size": "0x1000",
         "window": {"select": "BASE", "value": "0x1000", "at": "0x3000", "size": "0x1000"}},
        {"name": "two", "bar": 0, "size": "0x1000",
         "window": {"select": "BASE", "value": "0x2000", "at": "0x3000", "size": "0x1000"}}],
        "registers": [
        {"name": "BASE", "space": "grc", "offset": "0x408", "readAction": "none"},
        {"name": "STS", "space": "grc", "offset": "0x410", "readAction": "none", "neverAllOnes": true},
        {"name": "CLR", "space": "grc", "offset": "0x414", "readAction": "clear"},
        {"name": "ONE", "space": "one", "offset": 0, "readAction": "none"},
        {"name": "ONE_CLR", "space": "one", "offset": 8, "readAction": "clear"},
        {"name": "TWO", "space": "two", "offset": 0, "readAction": "none", "neverAllOnes": true},
        {"name": "TWO_CLR", "space": "two", "offset": 16, "readAction": "clear"}])",
                    {}, device);
    REQUIRE(p.reads.size() == 3);
    std::size_t at = 0;
    const PlannedRead& base = p.read_of("STS", at);
    CHECK(base.window == none);
    CHECK(base.plan.words.size() == 2);
    CHECK(base.plan.size_limit == 0x1000);
    CHECK(base.plan.sentinels.size() == 1); // TWO is behind a window
    const PlannedRead& one = p.read_of("ONE", at);
    CHECK(one.window == 1);
    CHECK(one.bar == 0);
    REQUIRE(one.plan.words.size() == 1);
    CHECK(one.plan.words[0].offset == 0x3000);
    CHECK(one.plan.size_limit == 0x4000);
    CHECK(one.plan.sentinels.size() == 1);
    CHECK(forbids(one, 0x3008, 0x300c));
    CHECK(forbids(one, 0x414, 0x418));
    CHECK_FALSE(forbids(one, 0x3010, 0x3014)); // that of the other window
    const PlannedRead& two = p.read_of("TWO", at);
    CHECK(two.window == 2);
    CHECK(two.plan.sentinels.size() == 2);
}

TEST_CASE("every word of a random map is planned exactly once") {
    std::mt19937 random(7);
    for (int round = 0; round < 30; ++round) {
        std::string registers;
        std::set<std::pair<std::uint64_t, unsigned>> words;
        for (int i = 0; i < 120; ++i) {
            constexpr unsigned widths[] = {8, 16, 32, 64};
            const unsigned width = widths[random() % 4];
            const std::uint64_t offset = random() % 64 * (width / 8);
            const bool safe = random() % 4 != 0;
            registers +=
                fmt::format("{}{{\"name\": \"R{}\", \"offset\": {}, \"width\": {}, \"alternate\": true, "
                            "\"readAction\": \"{}\"}}",
                            i == 0 ? "" : ",", i, offset, width, safe ? "none" : "clear");
            if (safe) {
                words.insert({offset, width});
            }
        }
        const Planned p(bar0 + ", \"registers\": [" + registers + "]");
        REQUIRE(p.reads.size() == 1);
        const PlannedRead& read = p.reads[0];
        std::vector<std::pair<std::uint64_t, unsigned>> planned;
        for (const safety::WordRequest& w : read.plan.words) {
            planned.emplace_back(w.offset, w.width);
        }
        REQUIRE(planned == std::vector<std::pair<std::uint64_t, unsigned>>(words.begin(), words.end()));
        REQUIRE(read.instances.size() == 120);
        for (std::size_t i = 0; i < read.instances.size(); ++i) {
            const Instance& instance = p.layout.instances[read.instances[i]];
            const Register& reg = p.map.registers[instance.reg];
            const bool safe = reg.read_action == ReadAction::none;
            REQUIRE((read.word_of[i] != none) == safe);
            if (safe) {
                REQUIRE(read.plan.words[read.word_of[i]].offset == instance.offset);
                REQUIRE(read.plan.words[read.word_of[i]].width == reg.width);
            } else {
                REQUIRE(forbids(read, instance.offset, instance.offset + reg.width / 8));
            }
        }
        for (std::size_t i = 1; i < read.plan.forbidden.size(); ++i) {
            REQUIRE(read.plan.forbidden[i - 1].end < read.plan.forbidden[i].begin);
        }
    }
}
