// The short way for plain rows gives what the long way gives, row by row, and misses none.
#include <catch2/catch.hpp>

#include <random>

#include "fwlog_support.h"

using namespace fwlog_test;

namespace {

struct Both {
    Log log;               // as told by plain() and next() together
    std::size_t plain = 0; // rows of it that came by plain()
};

// `piece`: so many bytes come at a time, so that rows are torn where the bytes end.
class Pieces final : public ByteStream {
  public:
    Pieces(std::string_view bytes, std::size_t piece) : rest_(bytes), piece_(piece) {}
    Result<std::size_t> read(std::span<char> out) override {
        return rest_.read(out.first(std::min(out.size(), piece_)));
    }

  private:
    MemoryStream rest_;
    std::size_t piece_;
};

Both read_both(const std::string& text, std::size_t piece) {
    Pieces stream(text, piece);
    const auto source = make_source(stream, Format::rows, patterns());
    Both both;
    Summarizer summarizer;
    Record record;
    while (true) {
        if (const PlainRows rows = source->plain(); !rows.rows.empty()) {
            summarizer.see(rows);
            both.plain += rows.rows.size();
            for (std::size_t i = 0; i < rows.rows.size(); ++i) {
                fill(record, rows, i);
                both.log.records.push_back(copy(record));
            }
            continue;
        }
        const auto more = source->next(record);
        if (!more.value()) {
            break;
        }
        summarizer.see(record);
        both.log.records.push_back(copy(record));
    }
    both.log.summary = summarizer.finish();
    return both;
}

bool same(const Seen& a, const Seen& b) {
    return a.kind == b.kind && a.line == b.line && a.time_ns == b.time_ns && a.clock == b.clock &&
           a.severity == b.severity && a.pattern == b.pattern && a.message == b.message && a.raw == b.raw &&
           a.parse_error == b.parse_error && a.program == b.program && a.time_text == b.time_text &&
           a.new_boot == b.new_boot;
}

void check_same(const std::string& text, std::size_t piece) {
    const Log log = read(text, Format::rows);
    const Both both = read_both(text, piece);
    REQUIRE(both.log.records.size() == log.records.size());
    for (std::size_t i = 0; i < log.records.size(); ++i) {
        if (!same(both.log.records[i], log.records[i])) {
            FAIL("row " << i + 1 << ": " << log.records[i].raw);
        }
    }
    const Summary& a = both.log.summary;
    const Summary& b = log.summary;
    CHECK(a.rows == b.rows);
    CHECK(a.entries == b.entries);
    CHECK(a.unparsed == b.unparsed);
    CHECK(a.by_severity == b.by_severity);
    CHECK(a.stamps_back == b.stamps_back);
    CHECK(a.more_spans == b.more_spans);
    REQUIRE(a.spans.size() == b.spans.size());
    for (std::size_t i = 0; i < a.spans.size(); ++i) {
        CHECK(a.spans[i].rows == b.spans[i].rows);
        CHECK(a.spans[i].first_line == b.spans[i].first_line);
        CHECK(a.spans[i].earliest_ns == b.spans[i].earliest_ns);
        CHECK(a.spans[i].latest_ns == b.spans[i].latest_ns);
    }
}

// Every kind of row that could be taken for a plain one, or the other way round.
std::string any_row(std::mt19937& random) {
    static const std::vector<std::string> stamps{"[    0.000000] ",
                                                 "[    1.000000] ",
                                                 "[    9.999999] ",
                                                 "[   10.000000] ",
                                                 "[   10.000001] ",
                                                 "[99999.999999] ",
                                                 "[100000.000000] ",
                                                 "[1234567.123456] ",
                                                 "[12345678.1] ",
                                                 "[123456789.123456] ",
                                                 "[    5.000000]",
                                                 "[    5.000000][    T1] ",
                                                 "[    5. 00000] ",
                                                 "[    5.000000 ",
                                                 "[    x.000000] ",
                                                 "[    2.000000 <    0.000012>] ",
                                                 "",
                                                 "Aug 15 12:21:39 h ",
                                                 "<6>[    5.000000] ",
                                                 "[18446744073709551616.0] ",
                                                 "[    3.000000]  ",
                                                 "[Mon Jul  7 12:37:37 2025] "};
    static const std::vector<std::string> texts{"usb 1-1: new device",
                                                "systemd[1]: Started Session 3 of user root, with a text of "
                                                "more than sixty-four characters behind it",
                                                "bnxt_en 0000:45:00.0 eth0: NIC Link is Down",
                                                "bnxt_en 0000:45:00.0 eth0: something that no pattern has",
                                                "audit: type=1400 audit(1600000000.136:80874): apparmor",
                                                "host kernel: bnxt_en 0000:45:00.0 eth0: NIC Link is Down",
                                                "averyveryverylonghostname kernel: usb 1-1",
                                                "kernel: usb",
                                                "Linux version 6.12.0",
                                                "",
                                                " ",
                                                "x",
                                                "ab",
                                                "temp 3\xb0 C",
                                                "\033[31mred",
                                                std::string("a\0b", 3),
                                                "Gr\xc3\xbc\xc3\x9f"
                                                "e",
                                                "carriage\r",
                                                "tab\there",
                                                "del\x7f",
                                                "trailing blanks   "};
    const auto pick = [&](const std::vector<std::string>& of) { return of[random() % of.size()]; };
    const bool common = random() % 4 != 0;
    return (common ? stamps[random() % 5] : pick(stamps)) + pick(texts) + "\n";
}

} // namespace

TEST_CASE("plain rows by the short way are what the long way gives") {
    std::mt19937 random(20261130);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (auto rows = random() % 120; rows > 0; --rows) {
            text += any_row(random);
        }
        text.resize(text.size() - std::min<std::size_t>(text.size(), random() % 40)); // a torn last row
        check_same(text, 1 + random() % 300);
        check_same(text, 1 << 20);
    }
}

TEST_CASE("a long log of plain rows does go the short way") {
    std::string text;
    for (unsigned i = 0; i < 5000; ++i) {
        const std::string micros = std::to_string(1'000'000 + i % 1'000'000).substr(1);
        text += "[" + std::string(i < 3000 ? "  999." : " 1000.") + micros + "] usb 1-1: row " +
                std::to_string(i) + (i % 100 == 50 ? " with a \xb0" : "") + "\n";
    }
    const Both both = read_both(text, 1 << 20);
    CHECK(both.log.records.size() == 5000);
#ifdef __SSE2__
    CHECK(both.plain > 4900);
#endif
    check_same(text, 1 << 20);
    check_same(text, 100'000);
}

TEST_CASE("a row of megabytes among plain ones is cut by both ways alike") {
    const std::string stamp = "[    1.000000] ";
    for (const std::size_t size : {Rows::longest - 20, Rows::longest, Rows::longest + 5, 2 * Rows::longest}) {
        const std::string text =
            stamp + "usb a\n" + stamp + std::string(size, 'x') + "\n" + stamp + "usb b\n";
        check_same(text, 1 << 20);
    }
}

TEST_CASE("more boots than the summary has spans for: counted, and not mixed into the last one") {
    std::string text;
    for (unsigned boot = 0; boot < 300; ++boot) {
        text += "[  900.000000] usb 1-1: end\n[    0.500000] usb 1-1: begin\n[    1.500000] usb 1-1: more\n";
    }
    const Log log = read(text, Format::rows);
    REQUIRE(log.summary.spans.size() == 256);
    CHECK(log.summary.more_spans == 301 - 256);
    CHECK(log.summary.spans.back().rows == 3);
    CHECK(log.summary.stamps_back == 0);
    check_same(text, 1 << 20);
}
