// Reports as Markdown. The rules are CommonMark's (code spans: a run of backticks up to the next run of the
// same length) and GFM's (cells end at a pipe without a backslash before it, in code spans too).
#include "tool_report_support.h"

#include <random>
#include <sstream>

#include <render/markdown.h>
#include <render/report_markdown.h>
#include <safety/error.h>
#include <samples.h>

using namespace barscope::tool;

namespace {

std::string markdown_of(const Report& report, bool all = false) {
    return rendered([&](Output& out) { render_report_markdown(out, report, all); });
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 1; i < row.size(); ++i) { // the first pipe opens the row
        if (row[i] == '|' && row[i - 1] == '\\') {
            cells.back().back() = '|';
        } else if (row[i] == '|') {
            cells.emplace_back();
        } else {
            cells.back() += row[i];
        }
    }
    cells.pop_back(); // behind the last pipe
    return cells;
}

struct Spans {
    std::string outside;
    std::vector<std::string> code;
};

std::size_t run_at(const std::string& text, std::size_t at) {
    std::size_t length = 0;
    while (at + length < text.size() && text[at + length] == '`') {
        ++length;
    }
    return length;
}

Spans spans_of(const std::string& text) {
    Spans spans;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t fence = run_at(text, i);
        if (fence == 0) {
            spans.outside += text[i++];
            continue;
        }
        std::size_t end = i + fence;
        while (end < text.size() && run_at(text, end) != fence) {
            end += std::max<std::size_t>(run_at(text, end), 1);
        }
        REQUIRE(end < text.size()); // else the backticks are text
        std::string inside = text.substr(i + fence, end - i - fence);
        if (inside.size() > 2 && inside.front() == ' ' && inside.back() == ' ' &&
            inside.find_first_not_of(' ') != std::string::npos) {
            inside = inside.substr(1, inside.size() - 2);
        }
        spans.code.push_back(inside);
        i = end + fence;
    }
    return spans;
}

// Nothing outside of code spans but words, our own marks and our own tags.
void check_outside(std::string outside) {
    INFO(outside);
    for (const char* ours : {"<details><summary>", "</summary>", "</details>", "**", "### ", "→"}) {
        for (std::size_t at = outside.find(ours); at != std::string::npos; at = outside.find(ours)) {
            outside.erase(at, std::string(ours).size());
        }
    }
    CHECK(outside.find_first_of("<>&@#!*_[]~\\$^{}+=`") == std::string::npos);
    CHECK(outside.find("://") == std::string::npos);
}

} // namespace

TEST_CASE("Report as Markdown: the verdict is in the first three lines") {
    const std::vector<std::string> lines = lines_of(markdown_of(samples::difference()));
    CHECK(lines[0] ==
          "**Firmware is not ready: `FW.FW_STATUS.CODE` went from `0x8000` READY to `0xc00d` CRASH**");
    CHECK(lines[1] == "- The link of port 1 is down");
    CHECK(lines[2] == "- 1 log record is an error");
    CHECK(lines_of(markdown_of(Report{}))[0] == "**no findings**");
}

TEST_CASE("Report as Markdown: tables, folds, values in code spans") {
    const std::string text = markdown_of(samples::difference());
    CHECK(text.find(
              "| **critical** | `FW.FW_STATUS.CODE` | `0x8000 READY` | `0xc00d CRASH` | 14, 3:2, 0 | |") !=
          std::string::npos);
    CHECK(count_of(text, "<details><summary>") == count_of(text, "</details>"));
    // GitHub reads Markdown within a fold only after an empty line.
    CHECK(count_of(text, "</summary>\n\n") == count_of(text, "</summary>"));
    CHECK(count_of(text, "\n\n</details>\n") == count_of(text, "</details>"));
    CHECK(text.ends_with("\n6 findings, 34 noise left out (--all).\n"));
    CHECK(text.find("NIC Link is Up") == std::string::npos);
    CHECK(markdown_of(samples::difference(), true).find("NIC Link is Up") != std::string::npos);
}

TEST_CASE("Report as Markdown: every table has as many cells in each row") {
    for (const Report& report :
         {samples::difference(), samples::snapshot(), samples::hostile(samples::hostile_text()),
          samples::hostile("|"), samples::hostile("\\"), samples::hostile("`|`\\|"),
          samples::hostile("\\`|")}) {
        std::size_t cells = 0;
        for (const std::string& line : lines_of(markdown_of(report, true))) {
            if (line.empty() || line[0] != '|') {
                cells = 0;
                continue;
            }
            INFO(line);
            CHECK((cells == 0 || cells_of(line).size() == cells));
            cells = cells_of(line).size();
            CHECK(line.back() == '|');
        }
    }
}

TEST_CASE("Report as Markdown: outside text stays in code spans and on its line") {
    const Report report = samples::hostile(samples::hostile_text());
    const std::string shown = barscope::escaped(samples::hostile_text());
    const std::string text = markdown_of(report, true);
    std::size_t whole = 0;
    for (const std::string& line : lines_of(text)) {
        for (const std::string& cell :
             line.starts_with("|") ? cells_of(line) : std::vector<std::string>{line}) {
            const Spans spans = spans_of(cell);
            check_outside(spans.outside);
            for (const std::string& code : spans.code) {
                whole += code == shown ? 1U : 0U;
            }
        }
    }
    CHECK(whole > 20); // it comes back as it was
}

TEST_CASE("Markdown: whatever is in a code span comes back, in a table and outside") {
    std::mt19937 random(1); // the same texts in every run
    const std::string letters = "`|\\ a<@#*";
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t i = random() % 12 + 1; i > 0; --i) {
            text += letters[random() % letters.size()];
        }
        if (text.find_first_not_of(' ') == std::string::npos) {
            continue; // spaces alone are nothing to be seen
        }
        INFO(text);
        std::string out;
        append_code(out, text, false);
        CHECK(spans_of(out).code == std::vector<std::string>{text});
        std::string cell;
        append_code(cell, text, true);
        std::string row;
        append_markdown_row(row, {cell, "x"});
        row.pop_back();
        const std::vector<std::string> cells = cells_of(row);
        REQUIRE(cells.size() == 2);
        const Spans spans = spans_of(cells[0]);
        CHECK(spans.code == std::vector<std::string>{text});
        CHECK(spans.outside.find_first_not_of(' ') == std::string::npos);

        std::string prose;
        append_prose(prose, text, false);
        check_outside(spans_of(prose).outside);
    }
}

TEST_CASE("Markdown: plain words stay plain, what a tracker would link does not") {
    const auto prose = [](std::string_view text) {
        std::string out;
        append_prose(out, text, false);
        return out;
    };
    CHECK(prose("The link is down, again (3 times).") == "The link is down, again (3 times).");
    CHECK(prose("see #123 and @octocat or GH-12 or ABC-7") ==
          "see `#123` and `@octocat` or `GH-12` or `ABC-7`");
    CHECK(prose("commit deadbeef0 at http://x.example www.x.example") ==
          "commit `deadbeef0` at `http://x.example www.x.example`");
    CHECK(prose("do not run `devlink health diagnose`, it waits") ==
          "do not run `devlink health diagnose`, it waits");
    CHECK(prose("deadbee") == "`deadbee`");
    CHECK(prose("1. not a list") == "1. not a list"); // never at the start of a line
    CHECK(prose("FW.STATUS = 0x1") == "`FW.STATUS = 0x1`");
    CHECK(prose("über größer") == "über größer");
    CHECK(prose("").empty());
}

TEST_CASE("Report as Markdown: a long report is cut, says so, and GitHub takes it") {
    const std::string text = markdown_of(samples::large(30'000));
    CHECK(text.size() < 65'536);
    CHECK(text.find("<details><summary>The other registers (280)</summary>") != std::string::npos);
    CHECK(text.find("\n200 more are not shown here;") != std::string::npos);
}
