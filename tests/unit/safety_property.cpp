// Random plans against a file of known contents, judged by an obvious model: which words must be readable,
// and which bytes they are made of.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

#include "safety_tree.h"

using namespace barscope::safety;
using namespace barscope::safety::test;

namespace {

using Random = std::mt19937_64;

struct Case {
    std::string file;
    std::uint64_t start = 0;
    std::uint64_t size = 0;
    SpacePlan plan;
};

Case make_case(Random& random) {
    Case made;
    const bool small = random() % 4 == 0;
    made.size = small ? 1ULL << (4 + random() % 7) : 0x1000 * (1 + random() % 8);
    made.start = 0xfe000000 + (small ? made.size * (random() % (0x1000 / made.size)) : 0);
    const std::uint64_t in_file = (made.start % 0x1000) + made.size;
    made.file.resize(random() % 3 == 0 ? random() % (in_file + 1) : in_file);
    for (char& byte : made.file) {
        byte = static_cast<char>(random() % 255); // no byte is ff, so no word is all ones
    }
    std::set<std::pair<std::uint64_t, std::uint8_t>> distinct;
    const std::size_t count = random() % 300;
    for (std::size_t i = 0; i < count; ++i) {
        const auto width = static_cast<std::uint8_t>(8U << (random() % 4));
        const std::uint64_t offset = random() % 20 == 0 ? random() : random() % (made.size + 64);
        distinct.insert({random() % 8 == 0 ? offset : offset / (width / 8U) * (width / 8U), width});
    }
    for (const auto& [offset, width] : distinct) {
        WordRequest request = word(offset, width, random() % 2 == 0 ? ByteOrder::little : ByteOrder::big);
        request.split = random() % 3 == 0 ? Split::hi_lo_hi : Split::none;
        request.action = random() % 10 == 0 ? static_cast<ReadAction>(random() % 6) : ReadAction::none;
        made.plan.words.push_back(request);
    }
    for (std::uint64_t i = 0; i < random() % 4; ++i) {
        const std::uint64_t begin = random() % (made.size + 1);
        made.plan.forbidden.push_back({begin, begin + random() % 16});
    }
    made.plan.size_limit = random() % 4 == 0 ? random() % (made.size + 8) : UINT64_MAX;
    made.plan.legal_widths = random() % 4 == 0 ? static_cast<std::uint8_t>(random() % 16) : 0xf;
    return made;
}

// What the design says, byte by byte and without regard to speed.
WordStatus expected_status(const Case& made, const WordRequest& request) {
    if (request.action == ReadAction::unclaimed) {
        return WordStatus::unclaimed;
    }
    if (request.action != ReadAction::none) {
        return WordStatus::side_effect;
    }
    const bool halves = request.width == 64 && request.split == Split::hi_lo_hi;
    const unsigned load_bytes = halves ? 4 : request.width / 8U;
    if ((made.plan.legal_widths & load_bytes) == 0) {
        return WordStatus::illegal_width;
    }
    if (request.offset % load_bytes != 0) {
        return WordStatus::misaligned;
    }
    bool touches = false;
    bool missing = false;
    for (unsigned i = 0; i < request.width / 8U; ++i) {
        const std::uint64_t byte = request.offset + i;
        if (byte < request.offset || byte >= made.size || byte >= made.plan.size_limit) {
            return WordStatus::out_of_range;
        }
        for (const ForbiddenRange& range : made.plan.forbidden) {
            touches |= byte >= range.begin && byte < range.end;
        }
        missing |= made.start % 0x1000 + byte >= made.file.size();
    }
    return touches ? WordStatus::touches_forbidden : missing ? WordStatus::short_source : WordStatus::ok;
}

std::uint64_t expected_value(const Case& made, const WordRequest& request) {
    std::uint64_t value = 0;
    const unsigned bytes = request.width / 8U;
    for (unsigned i = 0; i < bytes; ++i) {
        const unsigned place = request.order == ByteOrder::little ? bytes - 1 - i : i;
        value =
            value << 8U | static_cast<std::uint8_t>(made.file[made.start % 0x1000 + request.offset + place]);
    }
    return value;
}

} // namespace

TEST_CASE(
    "random plans: every word is refused for its reason or holds the file's bytes, and loads are counted") {
    Random random(20231);
    const Tree tree;
    std::size_t readable_in_all = 0;
    for (int round = 0; round < 400; ++round) {
        const Case made = make_case(random);
        INFO("round " << round);
        // Removed first: ext4 syncs a file that is cut and written again.
        std::filesystem::remove_all(tree.device());
        add_bar(tree, made.start, made.size, made.file);
        const bool timing = random() % 2 == 0;
        const SpaceCapture capture = open_source(tree)->read(made.plan, {timing, 0, 0});
        REQUIRE(capture.words.size() == made.plan.words.size());
        std::size_t loads = 0;
        for (std::size_t i = 0; i < capture.words.size(); ++i) {
            const WordRequest& request = made.plan.words[i];
            const WordStatus expected = expected_status(made, request);
            const bool readable = expected == WordStatus::ok;
            const std::uint64_t value = readable ? expected_value(made, request) : 0;
            if (capture.words[i].status != expected || capture.words[i].value != value) {
                FAIL("offset " << request.offset << " width " << int{request.width} << " is "
                               << name(capture.words[i].status) << " " << capture.words[i].value
                               << ", expected " << name(expected) << " " << value);
            }
            const bool halves = request.width == 64 && request.split == Split::hi_lo_hi;
            loads += !readable ? 0 : halves ? 3 : 1;
            readable_in_all += readable ? 1 : 0;
        }
        REQUIRE(capture.loads == loads);
        REQUIRE(capture.sentinel_loads == 0);
    }
    CHECK(readable_in_all > 10000); // the cases are not all refusals
}

TEST_CASE("a plan out of order is read correctly all the same") {
    Random random(7);
    const Tree tree;
    std::string file(0x8000, '\0');
    for (std::size_t i = 0; i < file.size(); i += 4) {
        put(file, i, i + 1, 4);
    }
    add_bar(tree, 0xfe000000, file.size(), file);
    SpacePlan plan;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        plan.words.push_back(word(4 * i * 8));
    }
    std::shuffle(plan.words.begin(), plan.words.end(), random);
    const SpaceCapture capture = open_source(tree)->read(plan, {});
    for (std::size_t i = 0; i < plan.words.size(); ++i) {
        REQUIRE(capture.words[i].value == plan.words[i].offset + 1);
    }
}
