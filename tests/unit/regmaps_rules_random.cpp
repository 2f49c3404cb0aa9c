// The overlap rule against the obvious way to check it: a map of bytes.
#include "regmaps_loader_support.h"

#include <random>

using namespace barscope::regmaps;
using namespace barscope::regmaps::test;

namespace {

struct Shape {
    std::uint64_t base = 0, outer_count = 1, outer_stride = 0, count = 1, stride = 0, bytes = 4;
    bool conditional = false;
};

// Whether bytes are taken by two elements that may not share them.
bool overlaps(const std::vector<Shape>& shapes) {
    std::vector<int> always(1 << 16, -1);
    std::vector<std::vector<int>> sometimes(1 << 16);
    int element = 0;
    for (const Shape& s : shapes) {
        for (std::uint64_t i = 0; i < s.outer_count; ++i) {
            for (std::uint64_t j = 0; j < s.count; ++j, ++element) {
                for (std::uint64_t b = 0; b < s.bytes; ++b) {
                    const std::uint64_t at = s.base + i * s.outer_stride + j * s.stride + b;
                    if (always[at] >= 0 || (!s.conditional && !sometimes[at].empty())) {
                        return true;
                    }
                    if (s.conditional) {
                        sometimes[at].push_back(element);
                    } else {
                        always[at] = element;
                    }
                }
            }
        }
    }
    return false;
}

std::string block_of(const Shape& s, std::size_t name) {
    const std::string when = s.conditional ? R"("when": "pci.revision",)" : "";
    return fmt::format(
        R"({{"name": "B{}", "base": {}, {} "array": {{"count": {}, "stride": {}}}, "registers": [
        {{"name": "R", "offset": 0, "width": {}, "readAction": "none", "array": {{"count": {}, "stride": {}}}}}]}})",
        name, s.base, when, s.outer_count, s.outer_stride, s.bytes * 8, s.count, s.stride);
}

} // namespace

TEST_CASE("random arrays overlap where a map of their bytes says so") {
    std::mt19937 random(7);
    const auto pick = [&](std::uint64_t from, std::uint64_t to) { return from + random() % (to - from + 1); };
    int bad = 0;
    int good = 0;
    for (int round = 0; round < 4000; ++round) {
        std::vector<Shape> shapes(pick(1, 4));
        const std::uint64_t period = pick(1, 8) * 16; // often shared, so that arrays interleave
        for (Shape& s : shapes) {
            s.base = pick(0, 24) * 4;
            s.outer_count = pick(1, 4);
            s.outer_stride = pick(0, 1) != 0 ? period : pick(1, 20) * 4;
            s.count = pick(1, 3);
            s.stride = pick(0, 1) != 0 ? period / 4 : pick(1, 6) * 4;
            s.bytes = pick(0, 2) == 0 ? 1 : 4;
            s.conditional = pick(0, 3) == 0;
        }
        std::string blocks;
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            blocks += (i > 0 ? ",\n" : "") + block_of(shapes[i], i);
        }
        const auto map = load_text(map_text(
            R"("spaces": [{"name": "s", "bar": 0, "size": "0x10000", "accessWidth": [8, 32]}], "blocks": [)" +
            blocks + "]"));
        INFO(blocks);
        INFO((map ? std::string("loaded") : to_string(map.error())));
        CHECK((map.has_value() || map.error().cause == "map-registers-overlap"));
        CHECK(map.has_value() == !overlaps(shapes));
        (map ? good : bad) += 1;
    }
    CHECK(good > 300); // both answers occur often
    CHECK(bad > 300);
}
