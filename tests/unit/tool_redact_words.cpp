// Redaction of raw words, and how a snapshot keeps what stands for them.
#include <catch2/catch.hpp>

#include <array>
#include <random>

#include <evidence/captures_json.h>
#include <evidence/redact_words.h>

using namespace barscope;
using namespace barscope::tool;
using safety::WordStatus;

namespace {

// Words that hold `bytes` from `offset` on, as a little-endian device has them, amid noise.
RecordedRun run_of(const std::vector<std::uint8_t>& memory, std::uint8_t width, bool big) {
    RecordedRun run;
    run.width = width;
    const std::size_t size = width / 8U;
    for (std::size_t at = 0; at + size <= memory.size(); at += size) {
        safety::Word word;
        word.status = WordStatus::ok;
        for (std::size_t i = 0; i < size; ++i) {
            word.value |= std::uint64_t{memory[at + i]} << 8 * (big ? size - 1 - i : i);
        }
        run.offsets.push_back(at);
        run.words.push_back(word);
    }
    return run;
}

Pseudonyms pseudonyms() {
    return Pseudonyms(RedactionKey{"sixteen bytes or more of a key", true});
}

} // namespace

TEST_CASE("a known address is taken out of words of any width, place and byte order", "[redact]") {
    constexpr std::array<std::uint8_t, 6> mac{0x5c, 0x25, 0x73, 0xa1, 0xb2, 0xc4};
    KnownIdentities known;
    known.add_address("5c:25:73:a1:b2:c4");
    std::mt19937 source(11);
    for (int i = 0; i < 400; ++i) {
        std::vector<std::uint8_t> memory(64);
        for (std::uint8_t& byte : memory) {
            byte = static_cast<std::uint8_t>(source());
        }
        const std::size_t at = source() % (memory.size() - mac.size() + 1);
        const bool reversed = source() % 2 == 0;
        for (std::size_t n = 0; n < mac.size(); ++n) {
            memory[at + n] = mac.at(reversed ? mac.size() - 1 - n : n);
        }
        const auto width = static_cast<std::uint8_t>(8U << source() % 4);
        RecordedPass pass;
        pass.runs.push_back(run_of(memory, width, source() % 2 == 0));
        const RecordedRun before = pass.runs.front();
        Pseudonyms names = pseudonyms();
        redact_known_words(pass, known, names);
        const RecordedRun& run = pass.runs.front();
        const std::size_t size = width / 8U;
        for (std::size_t word = 0; word < run.words.size(); ++word) {
            const bool touched = (word + 1) * size > at && word * size < at + mac.size();
            INFO("width " << int{width} << ", word " << word << ", address at " << at);
            CHECK((run.words[word].status == WordStatus::redacted) == touched);
            CHECK(run.words[word].value == (touched ? 0 : before.words[word].value));
        }
        CHECK(run.pseudonyms.size() ==
              static_cast<std::size_t>((at + mac.size() - 1) / size - at / size + 1));
    }
}

TEST_CASE("redacted words and their pseudonyms are written and read again", "[redact]") {
    KnownIdentities known;
    known.add_address("5c:25:73:a1:b2:c4");
    Recording recording;
    recording.passes.emplace_back();
    const std::vector<std::uint8_t> memory{1, 2, 3, 4, 0x5c, 0x25, 0x73, 0xa1, 0xb2, 0xc4, 0, 0, 5, 6, 7, 8};
    recording.passes[0].runs.push_back(run_of(memory, 32, false));
    Pseudonyms names = pseudonyms();
    redact_known_words(recording.passes[0], known, names);
    std::string text;
    append_captures(text, recording);
    CHECK(text.find(R"("words":"04030201................08070605")") != std::string::npos);
    CHECK(text.find(R"([1,2,"redacted"])") != std::string::npos);
    const auto read = parse_captures(text, "test");
    REQUIRE(read);
    const RecordedRun& run = read->passes[0].runs[0];
    CHECK(run.words[1].status == WordStatus::redacted);
    CHECK(run.pseudonyms == recording.passes[0].runs[0].pseudonyms);
    CHECK(run.pseudonyms[0].first == 1);
    CHECK(run.pseudonyms[0].second == names.of(IdentityKind::word, "a173255c"));
}

TEST_CASE("marks and pseudonyms of wrong types or places are refused", "[redact]") {
    const auto with = [](const std::string& member) {
        return parse_captures(
            R"([{"configSize":"0x0","startedNs":"0","monotonicNs":"0","sources":[],"blocks":[)"
            R"({"space":"bar0","offset":"0x0","width":32,"stride":4,"count":2,)" +
                member + R"("words":"0000000100000002"}]}])",
            "test");
    };
    CHECK(with("").has_value());
    CHECK(with(R"("pseudonyms":[[0,"word-1"],[1,"word-2"]],)").has_value());
    for (const char* member :
         {R"("pseudonyms":"x",)", R"("pseudonyms":{"a":1},)", R"("pseudonyms":[[2,"x"]],)",
          R"("pseudonyms":[[0,1]],)", R"("pseudonyms":[["0","x"]],)", R"("pseudonyms":[[1,"x"],[0,"y"]],)",
          R"("pseudonyms":[[0,"x"],[0,"y"]],)", R"("pseudonyms":[0],)", R"("marks":"x",)",
          R"("marks":{"a":1},)", R"("slow":"x",)", R"("slow":{"a":1},)", R"("retried":"x",)",
          R"("retried":{"a":1},)"}) {
        INFO(member);
        const auto read = with(member);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == ErrorCode::bad_input);
    }
}
