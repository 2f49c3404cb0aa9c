#include <render/wrapped_text.h>

#include <algorithm>

#include <render/escape.h>
#include <safety/error.h>

namespace barscope::tool {

void append_wrapped(std::string& out, std::size_t indent, std::string_view text, bool started) {
    const std::string clean = escaped(text);
    std::string_view rest = clean;
    const std::size_t room = page_width - std::min(indent, page_width / 2);
    bool first = started;
    do {
        std::size_t end = rest.size();
        if (columns(rest) > room) {
            end = rest.rfind(' ', room);
            end = end == std::string_view::npos || end == 0 ? std::min(rest.find(' '), rest.size()) : end;
        }
        out.append(first ? 0 : indent, ' ');
        first = false;
        out += rest.substr(0, end);
        out += '\n';
        rest.remove_prefix(std::min(rest.size(), end + 1));
    } while (!rest.empty());
}

} // namespace barscope::tool
