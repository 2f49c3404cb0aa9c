// Reports as HTML, as far as it can be told without a browser (tests/browser has the rest).
#include "tool_report_support.h"

#include <nlohmann/json.hpp>

#include <array>
#include <regex>

#include <render/html_writer.h>
#include <render/report_html.h>
#include <render/report_json.h>
#include <samples.h>

using namespace barscope::tool;
using nlohmann::json;

namespace {

std::string html_of(const Report& report) {
    return rendered([&](Output& out) { render_report_html(out, report); });
}

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
    const std::size_t at = text.find(begin);
    REQUIRE(at != std::string::npos);
    const std::size_t stop = text.find(end, at + begin.size());
    REQUIRE(stop != std::string::npos);
    return text.substr(at + begin.size(), stop - at - begin.size());
}

const std::string data_begin = R"(<script type="application/json" id="report">)";

} // namespace

TEST_CASE("Report as HTML: the page carries the JSON of the report") {
    for (const Report& report :
         {samples::difference(), samples::snapshot(), samples::hostile(samples::hostile_text())}) {
        const std::string data = between(html_of(report), data_begin, "</script>");
        CHECK(data.find_first_of("<>&") == std::string::npos);
        CHECK(json::parse(data) ==
              json::parse(rendered([&](Output& out) { render_report_json(out, report); })));
    }
}

TEST_CASE("Report as HTML: no part of it is anywhere else") {
    const std::string text = html_of(samples::difference());
    CHECK(text.find("<link") == std::string::npos);
    CHECK(text.find("@import") == std::string::npos);
    CHECK(text.find("url(") == std::string::npos);
    CHECK(text.find(" src=") == std::string::npos);
    CHECK(text.find("innerHTML") == std::string::npos);
    CHECK(text.find("{{") == std::string::npos);
    CHECK(count_of(text, "<script") == 2);
    CHECK(text.find("default-src 'none'; script-src 'sha256-") != std::string::npos);
    CHECK(text.find("@report_") == std::string::npos);
}

TEST_CASE("Report as HTML: outside text makes no element and no attribute") {
    const std::string page =
        between(html_of(samples::hostile(samples::hostile_text())), "<body>", data_begin);
    const std::regex element(
        R"(</?(a|header|h1|h2|div|nav|main|section|p|ul|li|table|thead|tbody|tr|th|td|noscript|details|summary|span|br|kbd|em|footer)( (class|id|href|hidden|aria-label|data-severity)(="[a-zA-Z #-]*")?)*>)");
    std::string left = std::regex_replace(page, element, "");
    CHECK(left.find_first_of("<>\"'") == std::string::npos);
    CHECK(left.find("&lt;/script&gt;&lt;script&gt;window.broken=1") != std::string::npos);
    CHECK(left.find("\xe2\x80\xae") == std::string::npos);
    CHECK(left.find("\033") == std::string::npos);
    const std::string title = between(html_of(samples::hostile("</title><script>1")), "<title>", "</title>");
    CHECK(title.find('<') == std::string::npos);
}

TEST_CASE("Report as HTML: what comes from outside is not taken for a place of the template") {
    const std::string text = html_of(samples::hostile("{{data}} {{script}}"));
    CHECK(count_of(text, data_begin) == 1);
    CHECK(text.find("{{data}} {{script}}") != std::string::npos);
}

TEST_CASE("Report as HTML: verdict, identity, checks and findings need no JavaScript") {
    const std::string page = between(html_of(samples::difference()), "<body>", data_begin);
    for (const char* part :
         {"<p>Firmware is not ready: FW.FW_STATUS.CODE went from", "Another firmware", "228.0.131.0/pkg",
          "passed → failed", "<td class=\"mono\">FW.FW_STATUS.CODE</td><td class=\"mono\">0x8000 READY</td>",
          "AER: BadTLP", "worst severity: critical"}) {
        INFO(part);
        CHECK(page.find(part) != std::string::npos);
    }
}

TEST_CASE("Report as HTML: a long table of findings is cut and says so") {
    const std::string text = html_of(samples::large(150'000));
    CHECK(text.find("<p class=\"dim\">500 more rows are in the page&#39;s JSON only.</p>") !=
          std::string::npos);
    CHECK(between(text, "<body>", data_begin).size() < 1'000'000);
}

TEST_CASE("HTML escapes") {
    std::string out;
    append_html(out, "<a href=\"x\" b='y'>&amp; \n");
    CHECK(out == "&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp; \\x0a");
}
