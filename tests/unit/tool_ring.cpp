// A ring that is driven step by step as the kernel drives one (qplib_res.h bnxt_qplib_hwq_incr_prod and
// _cons): what is told of its entries must be what the model did to them.
#include <catch2/catch.hpp>

#include <vector>

#include <capture/ring.h>
#include <regmaps/loader.h>

using namespace barscope;
using namespace barscope::tool;

namespace {

constexpr const char* map_text = R"({
  "formatVersion": 1, "name": "rings", "title": "t", "version": "1", "sources": ["made for the tests"],
  "structures": [
    {"name": "entry", "size": 2, "valid": {"field": "V", "phase": true},
     "fields": [{"name": "V", "width": 16, "bits": "0"},
                {"name": "STATUS", "width": 16, "bits": "7:4",
                 "enum": {"0": {"name": "OK", "severity": "ok"}, "1": {"name": "BAD", "severity": "warning"}}},
                {"name": "N", "width": 16, "bits": "15:8", "display": "dec"}]}]
})";

regmaps::RegisterMap load() {
    auto map = regmaps::load_map(map_text, "test", [](std::string_view) -> Result<regmaps::MapText> {
        return fail({ErrorCode::bad_input, "none", "no includes", "", ""});
    });
    REQUIRE(map);
    return std::move(*map);
}

struct Model {
    std::uint64_t size;
    std::vector<std::uint16_t> entries;
    std::uint64_t producer = 0, consumer = 0, held = 0;
    unsigned producer_epoch = 0, consumer_epoch = 0;

    explicit Model(std::uint64_t count) : size(count), entries(count, 0) {}

    void produce(unsigned number) {
        entries[producer] =
            static_cast<std::uint16_t>((producer_epoch == 0 ? 1 : 0) | (number % 255 + 1) << 8);
        ++held;
        if (++producer == size) {
            producer = 0;
            producer_epoch ^= 1U;
        }
    }
    void consume() {
        --held;
        if (++consumer == size) {
            consumer = 0;
            consumer_epoch ^= 1U;
        }
    }
    bool holds(std::uint64_t index) const { return (index + size - consumer) % size < held; }
    RingOptions options() const {
        RingOptions out;
        out.epoch = consumer_epoch;
        out.producer_epoch = producer_epoch;
        out.consumer = consumer;
        out.producer = producer;
        out.size = size;
        return out;
    }
};

RingReport report(const regmaps::RegisterMap& map, const Model& model, const RingOptions& options) {
    RingJudge judge(map, options);
    for (const std::uint16_t entry : model.entries) {
        const std::vector<std::uint8_t> bytes{static_cast<std::uint8_t>(entry),
                                              static_cast<std::uint8_t>(entry >> 8)};
        const auto decoded = regmaps::decode_structure(map, 0, bytes);
        REQUIRE(decoded);
        judge.add(*decoded, bytes);
    }
    return judge.finish();
}

void check(const regmaps::RegisterMap& map, const Model& model) {
    const RingOptions options = model.options();
    CAPTURE(model.size, model.producer, model.consumer, model.producer_epoch, model.consumer_epoch);
    CHECK_FALSE(ring_contradiction(options, model.size));
    const RingReport told = report(map, model, options);
    for (std::uint64_t i = 0; i < model.size; ++i) {
        CAPTURE(i);
        CHECK((told.entries[i].state == EntryState::unread) == model.holds(i));
    }
    REQUIRE(told.position);
    CHECK_FALSE(told.position->impossible);
    CHECK(told.position->used == model.held);
    CHECK(told.position->free == model.size - model.held);
    CHECK(told.turn_count <= 1);
    if (told.turn_count == 1) {
        CHECK(told.turns.front().at == model.producer);
    }
}

} // namespace

TEST_CASE("Of a ring driven step by step, unread entries and their number are told exactly") {
    const regmaps::RegisterMap map = load();
    for (const std::uint64_t size : {1U, 2U, 5U, 8U}) {
        Model model(size);
        unsigned random = 12345;
        for (unsigned step = 0; step < 400; ++step) {
            check(map, model);
            random = random * 1103515245U + 12345U;
            const bool produce = model.held == 0 || (model.held < size && (random >> 16) % 2 == 0);
            produce ? model.produce(step) : model.consume();
        }
    }
}

TEST_CASE(
    "Without the consumer's index an entry of its pass is valid, and without its epoch nothing is told") {
    const regmaps::RegisterMap map = load();
    Model model(4);
    for (unsigned i = 0; i < 6; ++i) {
        model.produce(i);
        model.consume();
    }
    RingOptions options;
    options.epoch = model.consumer_epoch;
    const RingReport told = report(map, model, options);
    CHECK(told.entries[0].state == EntryState::valid);
    CHECK(told.entries[1].state == EntryState::valid);
    CHECK(told.entries[2].state == EntryState::stale);
    CHECK(report(map, model, {}).count(EntryState::cannot_tell) == 4);
}

TEST_CASE("The first error is not one of a pass that is over") {
    const regmaps::RegisterMap map = load();
    Model model(4);
    model.entries = {0x101, 0x101, 0x110, 0x100}; // toggles 1 1 0 0; entry 2 failed a pass ago
    RingOptions options;
    options.epoch = 0;
    const RingReport told = report(map, model, options);
    CHECK_FALSE(told.first_error);
    CHECK(told.count(regmaps::Severity::warning, true) == 1);
    CHECK(report(map, model, {}).first_error == 2U); // without the epoch it may be new
}

TEST_CASE("Indices that contradict each other are told") {
    RingOptions options;
    options.size = 8;
    options.consumer = 8;
    CHECK(ring_contradiction(options, 0));
    options.consumer = 7;
    CHECK_FALSE(ring_contradiction(options, 0));
    options.first = 4;
    CHECK(ring_contradiction(options, 5));
    CHECK_FALSE(ring_contradiction(options, 4));
    options = {};
    options.producer = 1;
    options.consumer = 1;
    CHECK(ring_contradiction(options, 0)); // how far apart needs the size
}
