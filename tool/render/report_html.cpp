#include <render/report_html.h>

#include <string_view>

#include <render/html_writer.h>
#include <render/report_html_page.h>
#include <render/report_json.h>

// The files in viewer/, put in by the build; the template holds the hashes of the other two.
extern "C" {
extern const char barscope_report_html[];
extern const char barscope_report_html_end[];
extern const char barscope_report_css[];
extern const char barscope_report_css_end[];
extern const char barscope_report_js[];
extern const char barscope_report_js_end[];
}

namespace barscope::tool {

namespace {

std::string_view bytes(const char* begin, const char* end) {
    return {begin, static_cast<std::size_t>(end - begin)};
}

// JSON within a script element. All of "<!--", "<script" and "</script" begin with a '<', which stands in
// strings only; the other characters are escaped for readers that are less exact than browsers.
void append_json_piece(std::string& out, std::string_view piece) {
    while (!piece.empty()) {
        const std::size_t plain = std::min(piece.find_first_of("<>&"), piece.size());
        out += piece.substr(0, plain);
        if (plain < piece.size()) {
            out += piece[plain] == '<' ? "\\u003c" : piece[plain] == '>' ? "\\u003e" : "\\u0026";
        }
        piece.remove_prefix(std::min(piece.size(), plain + 1));
    }
}

void put_data(Output& output, const Report& report) {
    std::string piece;
    const auto move_on = [&] {
        append_json_piece(output.text(), piece);
        piece.clear();
        output.drain();
    };
    append_report_json(piece, report, move_on);
    move_on();
}

void put(Output& output, const Report& report, std::string_view name) {
    if (name == "title") {
        append_html(output.text(), report_title(report));
    } else if (name == "style") {
        output.text() += bytes(barscope_report_css, barscope_report_css_end);
    } else if (name == "body") {
        append_report_page(output, report);
    } else if (name == "data") {
        put_data(output, report);
    } else if (name == "script") {
        output.text() += bytes(barscope_report_js, barscope_report_js_end);
    }
}

} // namespace

void render_report_html(Output& output, const Report& report) {
    std::string_view rest = bytes(barscope_report_html, barscope_report_html_end);
    while (!rest.empty()) {
        const std::size_t open = rest.find("{{");
        output.text() += rest.substr(0, open);
        if (open == std::string_view::npos) {
            break;
        }
        const std::size_t close = rest.find("}}", open);
        put(output, report, rest.substr(open + 2, close - open - 2));
        rest.remove_prefix(close + 2);
        output.drain();
    }
}

} // namespace barscope::tool
