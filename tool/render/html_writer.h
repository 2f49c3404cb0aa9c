// Elements and tables of HTML around texts from outside.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include <evidence/report.h>

namespace barscope::tool {

// For text and attribute values alike. What does not show or turns the line round becomes \xNN.
void append_html(std::string& out, std::string_view text);

class HtmlWriter {
  public:
    static constexpr std::size_t most_rows = 1000; // of a table; the JSON in the page has them all

    explicit HtmlWriter(std::string& out) : out_(out) {}

    void html(std::string_view text) { append_html(out_, text); }
    // An element with a text; `classes` are ours.
    void element(std::string_view tag, std::string_view classes, std::string_view text);
    void severity_cell(Severity severity, bool noise);

    void begin_table(std::initializer_list<std::string_view> headings);
    // `rows`: how many there are; a line says how many were left out.
    void end_table(std::size_t rows = 0);
    // A section that can be folded.
    void begin_fold(std::string_view id, std::string_view title, std::size_t count);
    void end_fold();

  protected:
    std::string& out_;
};

} // namespace barscope::tool
