#include "tape.h"

#include <fmt/format.h>

namespace barscope::regmaps {

namespace {

bool is_number_character(char c) {
    return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// One step of a JSON pointer: `~` and `/` are escaped.
void append_step(std::string& pointer, std::string_view step) {
    pointer += '/';
    for (const char c : step) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
}

} // namespace

std::string_view Tape::string(NodeIndex node) const {
    const std::uint64_t payload = nodes[node].payload;
    const auto at = static_cast<std::uint32_t>(payload);
    const std::size_t size = payload >> 32;
    if (at < document.size()) {
        return document.substr(at, size);
    }
    return std::string_view(unescaped).substr(at - document.size(), size);
}

std::string_view Tape::number_text(NodeIndex node) const {
    std::size_t end = nodes[node].start;
    while (end < document.size() && is_number_character(document[end])) {
        ++end;
    }
    return document.substr(nodes[node].start, end - nodes[node].start);
}

std::string_view Tape::key_text(NodeIndex value) const {
    return nodes[value].key == Key::other ? string(value - 1) : text_of(nodes[value].key);
}

std::size_t Tape::key_start(NodeIndex value) const {
    if (nodes[value].key == Key::other) {
        return nodes[value - 1].start;
    }
    // Keys that the format has are not kept, so look back over the colon to the text in front of it. What the
    // scanner has accepted cannot be anything else.
    std::size_t at = nodes[value].start;
    const auto back_over_space = [&] {
        while (is_space(document[at - 1])) {
            --at;
        }
    };
    back_over_space();
    --at; // the colon
    back_over_space();
    --at; // the closing quote
    const auto escaped = [&](std::size_t quote) {
        std::size_t backslashes = 0;
        while (document[quote - 1 - backslashes] == '\\') {
            ++backslashes;
        }
        return backslashes % 2 != 0;
    };
    do {
        --at;
    } while (document[at] != '"' || escaped(at));
    return at;
}

std::string Tape::pointer(NodeIndex node) const {
    std::string pointer;
    NodeIndex at = 0;
    const NodeIndex wanted = kind(node) == NodeKind::key ? node + 1 : node;
    while (at != wanted) {
        std::size_t element = 0;
        NodeIndex next = no_node;
        for (const Children::Item item : Children(*this, at)) {
            if (wanted < behind(item.node)) {
                next = item.node;
                break;
            }
            ++element;
        }
        if (next == no_node) {
            break;
        }
        append_step(pointer, kind(at) == NodeKind::array ? fmt::format("{}", element) : key_text(next));
        at = next;
    }
    return pointer;
}

TextPosition Tape::position(std::size_t offset) const {
    TextPosition result;
    for (std::size_t i = 0; i < offset && i < document.size(); ++i) {
        const auto byte = static_cast<unsigned char>(document[i]);
        if (byte == '\n') {
            ++result.line;
            result.column = 1;
        } else if ((byte & 0xc0) != 0x80) { // not a continuation byte of UTF-8
            ++result.column;
        }
    }
    return result;
}

std::string Tape::describe(const std::string& pointer, std::size_t offset) const {
    const TextPosition at = position(offset);
    return fmt::format("{}: {}, line {}, column {}", origin, pointer.empty() ? "(document)" : pointer,
                       at.line, at.column);
}

} // namespace barscope::regmaps
