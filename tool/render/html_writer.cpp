#include <render/html_writer.h>

#include <fmt/format.h>

#include <render/escape.h>
#include <render/report_parts.h>

namespace barscope::tool {

void append_html(std::string& out, std::string_view text) {
    std::string clean;
    append_safe(clean, text);
    for (const char c : clean) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        case '\'':
            out += "&#39;";
            break;
        default:
            out += c;
        }
    }
}

void HtmlWriter::element(std::string_view tag, std::string_view classes, std::string_view text) {
    out_ += '<';
    out_ += tag;
    if (!classes.empty()) {
        out_ += fmt::format(" class=\"{}\"", classes);
    }
    out_ += '>';
    html(text);
    out_ += fmt::format("</{}>", tag);
}

void HtmlWriter::severity_cell(Severity severity, bool noise) {
    const std::string_view word = severity_word(severity);
    element("td", noise ? "noise" : "sev " + std::string(word), noise ? "noise" : word);
}

void HtmlWriter::begin_table(std::initializer_list<std::string_view> headings) {
    out_ += "<div class=\"wide\"><table><thead><tr>";
    for (const std::string_view heading : headings) {
        element("th", "", heading);
    }
    out_ += "</tr></thead><tbody>\n";
}

void HtmlWriter::end_table(std::size_t rows) {
    out_ += "</tbody></table></div>\n";
    if (rows > most_rows) {
        element("p", "dim", fmt::format("{} more rows are in the page's JSON only.", rows - most_rows));
    }
}

void HtmlWriter::begin_fold(std::string_view id, std::string_view title, std::size_t count) {
    out_ += fmt::format(
        "<section id=\"{}\"><details><summary><h2>{} <span class=\"count\">({})</span></h2></summary>\n", id,
        title, count);
}

void HtmlWriter::end_fold() {
    out_ += "</details></section>\n";
}

} // namespace barscope::tool
