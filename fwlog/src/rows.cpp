#include <fwlog/rows.h>

#include <algorithm>
#include <cstring>

namespace barscope::fwlog {

namespace {

constexpr std::size_t piece = std::size_t{1} << 18;

// The end of the JSON object that begins at `text`; 0: it does not end here.
std::size_t object_length(std::string_view text) {
    unsigned depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            i += c == '\\' ? 1 : 0;
            in_string = c != '"';
            continue;
        }
        in_string = c == '"';
        depth += c == '{' ? 1 : 0;
        if (c == '}' && --depth == 0) {
            return i + 1;
        }
    }
    return 0;
}

bool between_objects(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',' || c == ']' || c == '}';
}

} // namespace

Result<std::size_t> MemoryStream::read(std::span<char> out) {
    const std::size_t count = std::min(out.size(), rest_.size());
    std::copy_n(rest_.begin(), count, out.begin());
    rest_.remove_prefix(count);
    return count;
}

Rows::Rows(ByteStream& stream, Framing framing, std::size_t limit)
    : stream_(stream), framing_(framing), limit_(limit), buffer_(piece + readable_behind_row) {}

bool Rows::fill() {
    if (first_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + first_, last_ - first_);
        last_ -= first_;
        first_ = 0;
    }
    if (buffer_.size() - last_ < piece / 2) {
        buffer_.resize(buffer_.size() * 2);
    }
    const auto got = stream_.read({buffer_.data() + last_, buffer_.size() - readable_behind_row - last_});
    if (!got) {
        error_ = got.error();
        return false;
    }
    last_ += *got;
    return *got != 0;
}

Rows::Found Rows::find_line(bool ended) {
    const char* begin = buffer_.data() + first_;
    const std::size_t size = last_ - first_;
    const void* end = std::memchr(begin + looked_, '\n', size - looked_);
    if (end != nullptr) {
        const auto length = static_cast<std::size_t>(static_cast<const char*>(end) - begin);
        return {0, length, length + 1, true, false};
    }
    looked_ = size;
    return {0, size, size, ended && size != 0, true};
}

Rows::Found Rows::find_kmsg(bool ended) {
    const std::string_view text(buffer_.data() + first_, last_ - first_);
    std::size_t from = looked_;
    while (true) {
        const std::size_t end = text.find('\n', from);
        if (end == std::string_view::npos || (end + 1 == text.size() && !ended && !stream_.at_row_end())) {
            looked_ = from;
            return {0, text.size(), text.size(), ended && !text.empty(), end == std::string_view::npos};
        }
        if (end + 1 == text.size() || text[end + 1] != ' ') {
            return {0, end, end + 1, true, false};
        }
        from = end + 1;
    }
}

Rows::Found Rows::find_object(bool ended) {
    const std::string_view text(buffer_.data() + first_, last_ - first_);
    std::size_t at = 0;
    if (!in_array_) {
        at = text.find('[');
        if (at == std::string_view::npos) {
            return {0, text.size(), text.size(), ended && !text.empty(), true};
        }
        ++at;
    }
    while (at < text.size() && between_objects(text[at])) {
        ++at;
    }
    if (at == text.size()) {
        return {0, 0, ended ? at : 0, false, false};
    }
    if (text[at] != '{') {
        const std::size_t next = text.find('{', at);
        const bool whole = next != std::string_view::npos;
        in_array_ = in_array_ || whole;
        return {at, (whole ? next : text.size()) - at, whole ? next : text.size(), whole || ended, true};
    }
    const std::size_t length = object_length(text.substr(at));
    if (length == 0) {
        return {at, text.size() - at, text.size(), ended, true};
    }
    in_array_ = true;
    return {at, length, at + length, true, false};
}

Rows::Found Rows::find(bool ended) {
    switch (framing_) {
    case Framing::lines:
        return find_line(ended);
    case Framing::kmsg:
        return find_kmsg(ended);
    case Framing::json_objects:
        return find_object(ended);
    }
    return {};
}

Result<bool> Rows::next(Row& row) {
    while (true) {
        Found found = find(ended_);
        const std::size_t held = last_ - first_;
        bool cut = false;
        if (!found.row && held >= limit_) {
            found = {0, limit_, limit_, true, false};
            cut = true;
        }
        if (found.row) {
            row = {{buffer_.data() + first_ + found.begin, found.length}, ++number_, found.torn, cut};
            first_ += found.taken;
            looked_ = 0;
            return true;
        }
        if (ended_) {
            break;
        }
        ended_ = !fill();
    }
    if (error_) {
        return fail(*error_);
    }
    return false;
}

} // namespace barscope::fwlog
