#include "json_scanner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "json_text.h"
#include <regmaps/prefault.h>

namespace barscope::regmaps {

namespace {

class Scanner {
  public:
    Scanner(std::string_view text, std::string_view origin)
        : begin_(text.data()), end_(begin_ + text.size()), p_(begin_) {
        tape_.document = text;
        tape_.origin = origin;
    }

    Result<Tape> run() {
        if (tape_.document.size() > max_document_size) {
            error_.what = fmt::format("the file has {} bytes; a map may have at most {}",
                                      tape_.document.size(), max_document_size);
            error_at_ = 0;
            return failure();
        }
        // Maps as people write them have 16 to 20 bytes a node.
        tape_.nodes.reserve(std::min(tape_.document.size() / 16 + 16, max_document_nodes));
        prefault_reserved(tape_.nodes);
        if (tape_.document.starts_with("\xef\xbb\xbf")) { // a byte order mark
            p_ += 3;
        }
        if (!scan_document()) {
            return failure();
        }
        return std::move(tape_);
    }

  private:
    struct Open { // an object or array that has not ended
        NodeIndex node = 0;
        bool object = false;
        unsigned unknown_keys = 0;
        KeySet keys;
    };

    // ---- structure ----

    bool scan_document() {
        if (!scan_value()) {
            return false;
        }
        while (depth_ > 0) {
            if (!scan_next()) {
                return false;
            }
        }
        skip_space();
        return p_ == end_ || fail(p_, "text behind the end of the document");
    }

    // A value; of an object or array only its opening, which then is on the stack.
    bool scan_value() {
        skip_space();
        if (p_ == end_) {
            return fail(p_, "the document ends where a value should be");
        }
        if (tape_.nodes.size() >= max_document_nodes) {
            return fail(p_, fmt::format("more than {} values", max_document_nodes));
        }
        switch (*p_) {
        case '{':
            return open(NodeKind::object);
        case '[':
            return open(NodeKind::array);
        case '"':
            return scan_string_value();
        case 't':
            return scan_word("true", NodeKind::true_);
        case 'f':
            return scan_word("false", NodeKind::false_);
        case 'n':
            return scan_word("null", NodeKind::null);
        default:
            return scan_number();
        }
    }

    bool open(NodeKind kind) {
        if (depth_ == max_document_depth) {
            return fail(p_, fmt::format("nested deeper than {}", max_document_depth));
        }
        Open& opened = stack_[depth_++];
        opened = {static_cast<NodeIndex>(tape_.nodes.size()), kind == NodeKind::object, 0, {}};
        add(kind, p_);
        ++p_;
        skip_space();
        if (p_ != end_ && *p_ == (opened.object ? '}' : ']')) {
            ++p_;
            return close();
        }
        return opened.object ? scan_member() : scan_value();
    }

    bool close() {
        const Open& closed = stack_[--depth_];
        tape_.nodes[closed.node].payload = tape_.nodes.size();
        return closed.unknown_keys < 2 || check_unknown_keys(closed.node);
    }

    // What follows a value: a comma and the next value, or the end of the innermost object or array.
    bool scan_next() {
        const bool object = stack_[depth_ - 1].object;
        skip_space();
        if (p_ == end_) {
            return fail(p_,
                        object ? "the document ends within an object" : "the document ends within an array");
        }
        const char c = *p_;
        if (c == (object ? '}' : ']')) {
            ++p_;
            return close();
        }
        if (c != ',') {
            return fail(p_, object ? "expected , or }" : "expected , or ]");
        }
        ++p_;
        return object ? scan_member() : scan_value();
    }

    bool scan_member() {
        skip_space();
        const char* const start = p_;
        if (p_ == end_ || *p_ != '"') {
            return fail(p_, "expected a key in double quotes");
        }
        std::uint64_t text = 0;
        if (!scan_string(text)) {
            return false;
        }
        Open& object = stack_[depth_ - 1];
        const std::string_view key_text = text_at(text);
        const Key key = find_key(key_text, is_in_document(text) ? end_ : key_text.data() + key_text.size());
        if (text >> 32 > max_key_size) {
            return fail(start, fmt::format("a key of more than {} bytes", max_key_size));
        }
        if (key == Key::other) {
            ++object.unknown_keys;
            add(NodeKind::key, start);
            tape_.nodes.back().payload = text;
        } else if (object.keys.has(key)) {
            error_pointer_ = pointer_so_far() + "/" + std::string(text_of(key));
            return fail_duplicate(start, text_of(key));
        } else {
            object.keys.add(key);
            ++tape_.key_counts[static_cast<std::size_t>(key)];
        }
        skip_space();
        if (p_ == end_ || *p_ != ':') {
            return fail(p_, "expected : behind a key");
        }
        ++p_;
        key_ = key;
        return scan_value();
    }

    // Keys that are not the format's own are compared here: sorted, so that many of them cost little.
    bool check_unknown_keys(NodeIndex object) {
        std::vector<NodeIndex> keys;
        for (const Children::Item item : Children(tape_, object)) {
            if (item.key == Key::other) {
                keys.push_back(item.node - 1);
            }
        }
        std::sort(keys.begin(), keys.end(), [&](NodeIndex a, NodeIndex b) {
            const int order = tape_.string(a).compare(tape_.string(b));
            return order != 0 ? order < 0 : a < b;
        });
        const auto same = std::adjacent_find(keys.begin(), keys.end(), [&](NodeIndex a, NodeIndex b) {
            return tape_.string(a) == tape_.string(b);
        });
        if (same == keys.end()) {
            return true;
        }
        const NodeIndex second = *(same + 1);
        end_open_nodes();
        fail_duplicate(begin_ + tape_[second].start, tape_.string(second));
        error_pointer_ = tape_.pointer(second);
        return false;
    }

    // ---- single values ----

    bool scan_word(std::string_view word, NodeKind kind) {
        if (static_cast<std::size_t>(end_ - p_) < word.size() ||
            std::memcmp(p_, word.data(), word.size()) != 0) {
            return fail(p_, "expected a value");
        }
        add(kind, p_);
        p_ += word.size();
        return true;
    }

    bool scan_string_value() {
        const char* const start = p_;
        std::uint64_t text = 0;
        if (!scan_string(text)) {
            return false;
        }
        add(NodeKind::string, start);
        tape_.nodes.back().payload = text;
        return true;
    }

    // Leaves `text` as a string node's payload and p_ behind the closing quote.
    bool scan_string(std::uint64_t& text) {
        const char* const start = ++p_;
        p_ = skip_plain(p_, end_);
        if (p_ != end_ && *p_ == '"') {
            text = payload_of(static_cast<std::size_t>(start - begin_), static_cast<std::size_t>(p_ - start));
            ++p_;
            return true;
        }
        return scan_rest_of_string(start, text);
    }

    // A string that holds something else than plain ASCII; p_ is at the first such character. Rare: kept out
    // of the way of the others.
    [[gnu::noinline]] bool scan_rest_of_string(const char* start, std::uint64_t& text) {
        const std::size_t unescaped_from = tape_.unescaped.size();
        bool escapes = false;
        const char* copied = start; // what lies before this is in `unescaped` already
        while (true) {
            if (p_ == end_) {
                return fail(start - 1, "the document ends within this text");
            }
            const auto c = static_cast<unsigned char>(*p_);
            if (c == '"') {
                break;
            }
            if (c == '\\') {
                escapes = true;
                tape_.unescaped.append(copied, p_);
                if (const char* problem = unescape(p_, end_, tape_.unescaped)) {
                    return fail(p_, problem);
                }
                copied = p_;
            } else if (c < 0x20 || c == 0x7f) {
                return fail(p_, "a control character in a text");
            } else if (const char* problem = skip_utf8(p_, end_)) {
                return fail(p_, problem);
            }
            p_ = skip_plain(p_, end_);
        }
        if (escapes) {
            tape_.unescaped.append(copied, p_);
            text =
                payload_of(tape_.document.size() + unescaped_from, tape_.unescaped.size() - unescaped_from);
        } else {
            text = payload_of(static_cast<std::size_t>(start - begin_), static_cast<std::size_t>(p_ - start));
        }
        ++p_;
        return true;
    }

    bool scan_number() {
        const char* const start = p_;
        const bool negative = *p_ == '-';
        if (negative) {
            ++p_;
        }
        if (p_ == end_ || !is_digit(*p_)) {
            return fail(start, negative ? "expected a digit behind -" : "expected a value");
        }
        bool plain = !negative;
        std::uint64_t value = 0;
        if (*p_ == '0') {
            ++p_;
            if (p_ != end_ && (is_digit(*p_) || *p_ == 'x' || *p_ == 'X')) {
                return fail(start, "JSON numbers are decimal without leading zeros; write others as a text "
                                   "such as \"0x1f\"");
            }
        } else {
            for (; p_ != end_ && is_digit(*p_); ++p_) {
                const auto digit = static_cast<std::uint64_t>(*p_ - '0');
                plain = plain && value <= (UINT64_MAX - digit) / 10;
                value = value * 10 + digit;
            }
        }
        if (!scan_fraction(plain) || (!plain && !check_range(start))) {
            return false;
        }
        add(plain ? NodeKind::integer : NodeKind::number, start);
        tape_.nodes.back().payload = plain ? value : 0;
        return true;
    }

    bool scan_fraction(bool& plain) {
        const auto digits = [&] {
            const char* const first = p_;
            while (p_ != end_ && is_digit(*p_)) {
                ++p_;
            }
            return p_ != first;
        };
        if (p_ != end_ && *p_ == '.') {
            plain = false;
            ++p_;
            if (!digits()) {
                return fail(p_, "expected a digit behind the decimal point");
            }
        }
        if (p_ != end_ && (*p_ == 'e' || *p_ == 'E')) {
            plain = false;
            ++p_;
            if (p_ != end_ && (*p_ == '+' || *p_ == '-')) {
                ++p_;
            }
            if (!digits()) {
                return fail(p_, "expected a digit in the exponent");
            }
        }
        return true;
    }

    bool check_range(const char* start) {
        double value = 0;
        return std::from_chars(start, p_, value).ec == std::errc{} ||
               fail(start, "a number that a double cannot hold");
    }

    // ---- helpers ----

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static std::uint64_t payload_of(std::size_t at, std::size_t size) {
        return static_cast<std::uint64_t>(at) | static_cast<std::uint64_t>(size) << 32;
    }
    bool is_in_document(std::uint64_t payload) const {
        return static_cast<std::uint32_t>(payload) < tape_.document.size();
    }
    std::string_view text_at(std::uint64_t payload) const {
        const auto at = static_cast<std::uint32_t>(payload);
        const std::size_t size = payload >> 32;
        return is_in_document(payload)
                   ? std::string_view(begin_ + at, size)
                   : std::string_view(tape_.unescaped).substr(at - tape_.document.size(), size);
    }

    void skip_space() {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) {
            ++p_;
        }
    }

    void add(NodeKind kind, const char* start) {
        tape_.nodes.push_back({0, static_cast<std::uint32_t>(start - begin_), kind, key_});
        key_ = Key::element;
    }

    bool fail(const char* at, std::string what) {
        error_.what = std::move(what);
        error_at_ = static_cast<std::size_t>(at - begin_);
        return false;
    }

    bool fail_duplicate(const char* at, std::string_view key) {
        error_.remedy = "keep one of them";
        return fail(at, fmt::format("the key \"{}\" stands here twice", key));
    }

    // Gives objects and arrays that are still open an end, so that the tape can be walked to report an error.
    void end_open_nodes() {
        for (std::size_t i = 0; i < depth_; ++i) {
            tape_.nodes[stack_[i].node].payload = tape_.nodes.size();
        }
    }

    // Where in the document the scanner was: the pointer of the innermost value that has begun.
    std::string pointer_so_far() {
        if (error_pointer_) {
            return *error_pointer_;
        }
        end_open_nodes();
        return depth_ == 0 ? std::string{} : tape_.pointer(stack_[depth_ - 1].node);
    }

    tl::unexpected<Error> failure() {
        error_.code = ErrorCode::bad_input;
        error_.cause = "map-syntax";
        error_.where = tape_.describe(pointer_so_far(), error_at_);
        if (error_.remedy.empty()) {
            error_.remedy = "correct the JSON text there";
        }
        return barscope::fail(std::move(error_));
    }

    Tape tape_;
    const char* begin_;
    const char* end_;
    const char* p_;
    Key key_ = Key::element; // of the value that comes next
    std::array<Open, max_document_depth> stack_;
    std::size_t depth_ = 0;
    Error error_;
    std::size_t error_at_ = 0;
    std::optional<std::string> error_pointer_;
};

} // namespace

Result<Tape> scan_json(std::string_view text, std::string_view origin) {
    return Scanner(text, origin).run();
}

} // namespace barscope::regmaps
