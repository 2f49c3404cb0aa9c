#include <render/markdown.h>

#include <algorithm>

#include <safety/error.h>

namespace barscope::tool {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

bool is_hex(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

// "word", "don't", "(word),", "12.": nothing that any of the three makes something else of. No hyphen,
// because Jira links ABC-123; no long word of hexadecimal digits, because GitHub links commits.
bool is_plain(std::string_view token) {
    while (!token.empty() && (token.front() == '(' || token.front() == '"')) {
        token.remove_prefix(1);
    }
    while (!token.empty() && std::string_view(".,;:)?\"").find(token.back()) != std::string_view::npos) {
        token.remove_suffix(1);
    }
    if (token.empty() || (token.size() >= 7 && std::all_of(token.begin(), token.end(), is_hex))) {
        return false;
    }
    if (std::all_of(token.begin(), token.end(), is_digit)) {
        return true;
    }
    return is_letter(token.front()) &&
           std::all_of(token.begin(), token.end(), [](char c) { return is_letter(c) || c == '\''; });
}

std::size_t longest_run_of_backticks(std::string_view text) {
    std::size_t longest = 0, run = 0;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

} // namespace

void append_code(std::string& out, std::string_view text, bool cell) {
    if (text.empty()) {
        return;
    }
    const std::string clean = escaped(text);
    const std::string fence(longest_run_of_backticks(clean) + 1, '`');
    // One space on each side is not part of the span's text (CommonMark, code spans).
    const auto edge = [](char c) { return c == '`' || c == ' '; };
    const std::string_view space = edge(clean.front()) || edge(clean.back()) ? " " : "";
    out += fence;
    out += space;
    for (const char c : clean) {
        out += cell && c == '|' ? "\\" : "";
        out += c;
    }
    out += space;
    out += fence;
}

void append_prose(std::string& out, std::string_view text, bool cell) {
    std::string odd; // words that wait for their code span
    bool first = true;
    const auto put = [&](std::string_view piece, bool code) {
        out += first ? "" : " ";
        first = false;
        if (code) {
            append_code(out, piece, cell);
        } else {
            out += piece;
        }
    };
    // What the writer put between backticks is one span of code, whatever is in it.
    const auto take_span = [&]() -> bool {
        const std::size_t close = text.starts_with('`') ? text.find('`', 1) : std::string_view::npos;
        if (close == std::string_view::npos || close == 1) {
            return false;
        }
        const std::string_view inner = text.substr(1, close - 1);
        std::string_view rest = text.substr(close + 1);
        const std::string_view mark = rest.substr(0, rest.find(' '));
        if (mark.find_first_not_of(".,;:)?") != std::string_view::npos) {
            return false;
        }
        if (!odd.empty()) {
            put(odd, true);
            odd.clear();
        }
        put(inner, true);
        out += mark;
        text = rest.substr(std::min(rest.size(), mark.size() + 1));
        return true;
    };
    while (!text.empty()) {
        if (take_span()) {
            continue;
        }
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view token = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        if (token.empty()) {
            continue;
        }
        if (!is_plain(token) || escaped(token) != token) {
            odd += odd.empty() ? "" : " ";
            odd += token;
            continue;
        }
        if (!odd.empty()) {
            put(odd, true);
            odd.clear();
        }
        put(token, false);
    }
    if (!odd.empty()) {
        put(odd, true);
    }
}

void append_markdown_row(std::string& out, const std::vector<std::string>& cells) {
    out += '|';
    for (const std::string& cell : cells) {
        out += ' ';
        out += cell;
        out += cell.empty() ? "|" : " |";
    }
    out += '\n';
}

void append_markdown_heading(std::string& out, const std::vector<std::string>& headings) {
    append_markdown_row(out, headings);
    out += '|';
    for (std::size_t i = 0; i < headings.size(); ++i) {
        out += " --- |";
    }
    out += '\n';
}

} // namespace barscope::tool
