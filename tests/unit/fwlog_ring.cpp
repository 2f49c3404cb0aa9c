// Rings of device memory: order, entries that the device overwrites meanwhile, entries that could not be
// read.
#include <catch2/catch.hpp>

#include <fwlog/ring.h>
#include <regmaps/loader.h>

#include "fwlog_support.h"

using namespace fwlog_test;

namespace {

const regmaps::RegisterMap& map() {
    static const regmaps::RegisterMap loaded = [] {
        auto result = regmaps::load_map(R"({"formatVersion": 1, "name": "r", "title": "t", "version": "1",
            "sources": ["made for the tests"], "spaces": [{"name": "m", "bar": 0, "size": 64}], "registers": [],
            "structures": [{"name": "entry", "size": 8, "fields": [{"name": "SEQ", "bits": "31:0", "display": "dec"},
                                                                   {"name": "CODE", "at": 4, "bits": "31:0"}]}]})",
                                        "test", {});
        if (!result) {
            throw std::runtime_error(to_string(result.error()));
        }
        return std::move(*result);
    }();
    return loaded;
}

RingImage image_of(const std::vector<std::uint32_t>& sequences) {
    RingImage image;
    image.name = "r";
    image.count = sequences.size();
    image.unread.resize(sequences.size());
    for (const std::uint32_t sequence : sequences) {
        for (const std::uint32_t word : {sequence, sequence == 0 ? 0U : 0x40U}) {
            for (unsigned b = 0; b < 4; ++b) {
                image.bytes.push_back(static_cast<std::uint8_t>(word >> 8 * b));
            }
        }
    }
    return image;
}

struct Entry {
    std::uint64_t sequence;
    bool overwritten;
    RecordKind kind;
};
std::vector<Entry> entries(const RingImage& image) {
    const auto source = make_ring_source(image, map(), 0);
    std::vector<Entry> found;
    Record record;
    while (*source->next(record)) {
        found.push_back({record.sequence.value_or(0), record.overwritten, record.kind});
    }
    return found;
}
std::vector<std::uint64_t> sequences(const RingImage& image) {
    std::vector<std::uint64_t> found;
    for (const Entry& entry : entries(image)) {
        found.push_back(entry.sequence);
    }
    return found;
}

using Numbers = std::vector<std::uint64_t>;

} // namespace

TEST_CASE("a wrapped ring in order, a young one without its empty entries") {
    RingImage wrapped = image_of({7, 8, 5, 6});
    wrapped.before = wrapped.after = 2;
    CHECK(sequences(wrapped) == Numbers{5, 6, 7, 8});
    wrapped.before = wrapped.after = 4 * 1000 + 2; // a producer that runs on
    CHECK(sequences(wrapped) == Numbers{5, 6, 7, 8});
    RingImage young = image_of({1, 2, 0, 0});
    young.before = young.after = 2;
    CHECK(sequences(young) == Numbers{1, 2});
    CHECK(empty_entries(young, 8) == 2);
}

TEST_CASE("entries that the device wrote to during the read are marked") {
    const auto marked = [](std::uint64_t before, std::uint64_t after) {
        RingImage image = image_of({7, 8, 5, 6});
        image.before = before;
        image.after = after;
        std::size_t count = 0;
        for (const Entry& entry : entries(image)) {
            count += entry.overwritten ? 1 : 0;
        }
        return count;
    };
    CHECK(marked(2, 2) == 0);
    CHECK(marked(2, 3) == 1);
    CHECK(marked(2, 0) == 2);          // an index that wrapped: entries 2 and 3
    CHECK(marked(102, 104) == 2);      // a count that runs on
    CHECK(marked(102, 200) == 4);      // once round and more
    CHECK(marked(0xffffffff, 1) == 4); // the count began anew: nothing is certain
}

TEST_CASE("an entry that could not be read is kept as such") {
    RingImage image = image_of({1, 2, 3, 4});
    image.unread[1] = "the load faulted";
    const auto found = entries(image);
    REQUIRE(found.size() == 5); // with the gap that the missing number makes
    CHECK(found[1].kind == RecordKind::unparsed);
    CHECK(found[2].kind == RecordKind::gap);
}
