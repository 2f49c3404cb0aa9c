#include <evidence/canonical_json.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#ifdef __SSE2__
#include <bit>

#include <emmintrin.h>
#endif

namespace barscope::tool {

namespace {

bool is_space(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

bool ends_run(char c) { // within a string
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
}

// The first quote, backslash or control character.
const char* end_of_run(const char* at, const char* end) {
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"');
    const __m128i backslash = _mm_set1_epi8('\\');
    const __m128i last_control = _mm_set1_epi8(0x1f);
    while (end - at >= 16) {
        __m128i bytes;
        std::memcpy(&bytes, at, sizeof bytes);
        const __m128i control = _mm_cmpeq_epi8(_mm_max_epu8(bytes, last_control), last_control);
        const __m128i special = _mm_or_si128(
            control, _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)));
        const auto found = static_cast<unsigned>(_mm_movemask_epi8(special));
        if (found != 0) {
            return at + std::countr_zero(found);
        }
        at += 16;
    }
#endif
    while (at != end && !ends_run(*at)) {
        ++at;
    }
    return at;
}

Error malformed(std::string_view text, const char* at, const std::string& where, const char* what) {
    const auto offset = static_cast<std::size_t>(at - text.data());
    const std::string_view before = text.substr(0, offset);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return {.code = ErrorCode::bad_input,
            .cause = "bad-json",
            .what = std::string("not a whole JSON document: ") + what,
            .where = where + ", line " + std::to_string(line) + ", byte " + std::to_string(offset),
            .remedy = "the file is cut or was edited; fetch it again"};
}

std::optional<unsigned> hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return static_cast<unsigned>(c - '0');
    }
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? std::optional<unsigned>(static_cast<unsigned>(lower - 'a') + 10)
                                        : std::nullopt;
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto byte = [&](std::uint32_t value) { out += static_cast<char>(value); };
    if (code < 0x80) {
        byte(code);
    } else if (code < 0x800) {
        byte(0xc0 | code >> 6);
        byte(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        byte(0xe0 | code >> 12);
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    } else {
        byte(0xf0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3f));
        byte(0x80 | (code >> 6 & 0x3f));
        byte(0x80 | (code & 0x3f));
    }
}

void append_canonical_character(std::string& out, std::uint32_t code) {
    static constexpr std::string_view plain = "\b\t\n\f\r\"\\";
    static constexpr std::string_view letters = "btnfr\"\\";
    const std::size_t at = code < 0x80 ? plain.find(static_cast<char>(code)) : std::string_view::npos;
    if (at != std::string_view::npos) {
        out += '\\';
        out += letters[at];
    } else if (code < 0x20) {
        static constexpr std::string_view digits = "0123456789abcdef";
        out += "\\u00";
        out += digits[code >> 4];
        out += digits[code & 0xf];
    } else {
        append_utf8(out, code);
    }
}

class Canonical {
  public:
    Canonical(std::string_view text, const std::string& where)
        : text_(text), where_(where), at_(text.data()), end_(text.data() + text.size()), run_(at_) {
        out_.reserve(text.size());
    }

    Result<std::string> run() {
        skip_space();
        if (!value(0)) {
            return fail(std::move(*error_));
        }
        skip_space();
        if (at_ != end_) {
            wrong("something follows its end");
            return fail(std::move(*error_));
        }
        flush();
        return std::move(out_);
    }

  private:
    struct Member {
        std::size_t begin, key_end; // places in out_: the key with its quotes
    };

    bool wrong(const char* what) {
        if (!error_) {
            error_ = malformed(text_, at_, where_, what);
        }
        return false;
    }
    // What lies between run_ and at_ is canonical and not yet copied.
    void flush() {
        out_.append(run_, static_cast<std::size_t>(at_ - run_));
        run_ = at_;
    }
    std::size_t place() const { return out_.size() + static_cast<std::size_t>(at_ - run_); }
    void skip_space() {
        if (at_ == end_ || !is_space(*at_)) {
            return;
        }
        flush();
        while (at_ != end_ && is_space(*at_)) {
            ++at_;
        }
        run_ = at_;
    }

    bool value(unsigned depth) {
        if (at_ == end_) {
            return wrong("it ends too early");
        }
        switch (*at_) {
        case '{':
            return object(depth + 1);
        case '[':
            return array(depth + 1);
        case '"':
            return string();
        case 't':
            return literal("true");
        case 'f':
            return literal("false");
        case 'n':
            return literal("null");
        default:
            return number();
        }
    }

    bool literal(std::string_view word) {
        if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, word.size()) != word) {
            return wrong("an unknown word");
        }
        at_ += word.size();
        return true;
    }

    bool digits() {
        const char* begin = at_;
        while (at_ != end_ && *at_ >= '0' && *at_ <= '9') {
            ++at_;
        }
        return at_ != begin;
    }
    bool number() {
        if (*at_ == '-') {
            ++at_;
        }
        const bool zero = at_ != end_ && *at_ == '0';
        const char* begin = at_;
        if (!digits() || (zero && at_ - begin > 1)) {
            return wrong("no value stands where one is expected");
        }
        if (at_ != end_ && *at_ == '.') {
            ++at_;
            if (!digits()) {
                return wrong("a number without its fraction");
            }
        }
        if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
            ++at_;
            if (at_ != end_ && (*at_ == '+' || *at_ == '-')) {
                ++at_;
            }
            if (!digits()) {
                return wrong("a number without its exponent");
            }
        }
        return true;
    }

    bool string() {
        ++at_;
        for (;;) {
            at_ = end_of_run(at_, end_);
            if (at_ == end_) {
                return wrong("a text does not end");
            }
            if (*at_ == '"') {
                ++at_;
                return true;
            }
            if (*at_ != '\\') {
                return wrong("a control character within a text");
            }
            flush();
            if (!escape()) {
                return false;
            }
            run_ = at_;
        }
    }

    std::optional<std::uint32_t> four_digits() {
        if (end_ - at_ < 4) {
            return std::nullopt;
        }
        std::uint32_t code = 0;
        for (int i = 0; i < 4; ++i) {
            const auto digit = hex_digit(*at_++);
            if (!digit) {
                return std::nullopt;
            }
            code = code << 4 | *digit;
        }
        return code;
    }

    bool escape() {
        ++at_;
        if (at_ == end_) {
            return wrong("a text does not end");
        }
        const char kind = *at_++;
        static constexpr std::string_view letters = "btnfr\"\\/";
        static constexpr std::string_view plain = "\b\t\n\f\r\"\\/";
        if (const std::size_t found = letters.find(kind); found != std::string_view::npos) {
            append_canonical_character(out_, static_cast<unsigned char>(plain[found]));
            return true;
        }
        auto code = kind == 'u' ? four_digits() : std::nullopt;
        if (code && *code >= 0xd800 && *code < 0xdc00 && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u') {
            at_ += 2;
            const auto low = four_digits();
            const bool pair = low && *low >= 0xdc00 && *low < 0xe000;
            code = pair ? std::optional<std::uint32_t>(0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00))
                        : std::nullopt;
        }
        if (!code || (*code >= 0xd800 && *code < 0xe000)) {
            return wrong("an escape that is none");
        }
        append_canonical_character(out_, *code);
        return true;
    }

    bool array(unsigned depth) {
        if (depth > deepest_json) {
            return wrong("it is nested too deeply");
        }
        ++at_;
        skip_space();
        if (at_ != end_ && *at_ == ']') {
            ++at_;
            return true;
        }
        for (;;) {
            skip_space();
            if (!value(depth)) {
                return false;
            }
            skip_space();
            if (at_ == end_ || (*at_ != ',' && *at_ != ']')) {
                return wrong("an array does not end");
            }
            if (*at_++ == ']') {
                return true;
            }
        }
    }

    bool member(unsigned depth) {
        skip_space();
        if (at_ == end_ || *at_ != '"') {
            return wrong("a member has no name");
        }
        Member found{place(), 0};
        if (!string()) {
            return false;
        }
        found.key_end = place();
        members_.push_back(found);
        skip_space();
        if (at_ == end_ || *at_ != ':') {
            return wrong("a member has no value");
        }
        ++at_;
        skip_space();
        return value(depth);
    }

    bool object(unsigned depth) {
        if (depth > deepest_json) {
            return wrong("it is nested too deeply");
        }
        ++at_;
        skip_space();
        if (at_ != end_ && *at_ == '}') {
            ++at_;
            return true;
        }
        const std::size_t first = members_.size();
        for (;;) {
            if (!member(depth)) {
                return false;
            }
            skip_space();
            if (at_ == end_ || (*at_ != ',' && *at_ != '}')) {
                return wrong("an object does not end");
            }
            if (*at_ == '}') {
                break;
            }
            ++at_;
        }
        if (!sorted(first)) {
            flush();
            if (!sort(first)) {
                return wrong("a name stands twice in one object");
            }
        }
        members_.resize(first);
        ++at_;
        return true;
    }

    // Without its quotes. Keys with escapes are told apart by what they mean.
    std::string_view key_text(const Member& member) {
        // The end of the text may not have been copied yet.
        if (member.key_end > out_.size()) {
            flush();
        }
        return std::string_view(out_).substr(member.begin + 1, member.key_end - member.begin - 2);
    }
    bool sorted(std::size_t first) {
        for (std::size_t i = first + 1; i < members_.size(); ++i) {
            const std::string_view before = key_text(members_[i - 1]);
            const std::string_view key = key_text(members_[i]);
            if (before >= key || before.find('\\') != std::string_view::npos ||
                key.find('\\') != std::string_view::npos) {
                return false;
            }
        }
        return true;
    }

    static std::string meaning(std::string_view key) {
        std::string text;
        for (std::size_t i = 0; i < key.size(); ++i) {
            if (key[i] != '\\') {
                text += key[i];
                continue;
            }
            static constexpr std::string_view letters = "btnfr\"\\";
            static constexpr std::string_view plain = "\b\t\n\f\r\"\\";
            const std::size_t found = letters.find(key[++i]);
            if (found != std::string_view::npos) {
                text += plain[found];
            } else { // canonical: u00XX
                text += static_cast<char>(*hex_digit(key[i + 3]) << 4 | *hex_digit(key[i + 4]));
                i += 4;
            }
        }
        return text;
    }

    // Puts the object's members, which end out_, into order.
    bool sort(std::size_t first) {
        struct Slice {
            std::string key;
            std::size_t begin, end;
        };
        std::vector<Slice> slices;
        slices.reserve(members_.size() - first);
        for (std::size_t i = first; i < members_.size(); ++i) {
            // A comma lies between one member and the next.
            const std::size_t end = i + 1 < members_.size() ? members_[i + 1].begin - 1 : out_.size();
            slices.push_back({meaning(key_text(members_[i])), members_[i].begin, end});
        }
        std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) { return a.key < b.key; });
        std::string ordered;
        ordered.reserve(out_.size() - members_[first].begin);
        for (std::size_t i = 0; i < slices.size(); ++i) {
            if (i != 0 && slices[i].key == slices[i - 1].key) {
                return false;
            }
            ordered += i == 0 ? "" : ",";
            ordered.append(out_, slices[i].begin, slices[i].end - slices[i].begin);
        }
        out_.replace(members_[first].begin, std::string::npos, ordered);
        return true;
    }

    std::string_view text_;
    const std::string& where_;
    const char* at_;
    const char* end_;
    const char* run_;
    std::string out_;
    std::vector<Member> members_; // of all open objects, innermost last
    std::optional<Error> error_;
};

// Over values: brackets counted, strings skipped, nothing else understood.
class Skipper {
  public:
    Skipper(std::string_view text, const std::string& where, std::string_view known)
        : text_(text), where_(where), known_(known), at_(text.data()), end_(text.data() + text.size()) {}

    Result<std::vector<JsonMember>> members() {
        std::vector<JsonMember> found;
        const auto one = [&]() -> bool {
            JsonMember member;
            const char* begin = at_;
            if (at_ == end_ || *at_ != '"' || !string()) {
                return wrong("a member has no name");
            }
            member.key = std::string_view(begin + 1, static_cast<std::size_t>(at_ - begin) - 2);
            skip_space();
            if (at_ == end_ || *at_ != ':' || member.key.find('\\') != std::string_view::npos) {
                return wrong("a member has no value");
            }
            ++at_;
            skip_space();
            begin = at_;
            if (!value()) {
                return wrong("it ends too early");
            }
            member.text = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
            found.push_back(member);
            return true;
        };
        if (!list('{', '}', one)) {
            return fail(std::move(*error_));
        }
        return found;
    }

    Result<std::vector<std::string_view>> elements() {
        std::vector<std::string_view> found;
        const auto one = [&]() -> bool {
            const char* begin = at_;
            if (!value()) {
                return wrong("it ends too early");
            }
            found.emplace_back(begin, static_cast<std::size_t>(at_ - begin));
            return true;
        };
        if (!list('[', ']', one)) {
            return fail(std::move(*error_));
        }
        return found;
    }

  private:
    bool wrong(const char* what) {
        if (!error_) {
            error_ = malformed(text_, at_, where_, what);
        }
        return false;
    }
    void skip_space() {
        while (at_ != end_ && is_space(*at_)) {
            ++at_;
        }
    }

    template <typename One>
    bool list(char begin, char end, const One& one) {
        skip_space();
        if (at_ == end_ || *at_ != begin) {
            return wrong(begin == '{' ? "it does not begin with {" : "it does not begin with [");
        }
        ++at_;
        skip_space();
        if (at_ != end_ && *at_ == end) {
            ++at_;
        } else {
            while (true) {
                skip_space();
                if (!one()) {
                    return false;
                }
                skip_space();
                if (at_ == end_ || (*at_ != ',' && *at_ != end)) {
                    return wrong("it ends too early");
                }
                if (*at_++ == end) {
                    break;
                }
            }
        }
        skip_space();
        return at_ == end_ || wrong("something follows its end");
    }

    bool string() {
        ++at_;
        for (;;) {
            at_ = end_of_run(at_, end_);
            if (at_ == end_) {
                return false;
            }
            if (*at_ == '"') {
                ++at_;
                return true;
            }
            if (*at_++ == '\\') {
                if (at_ == end_) {
                    return false;
                }
                ++at_;
            }
        }
    }

    bool value() {
        if (!known_.empty() &&
            std::string_view(at_, static_cast<std::size_t>(end_ - at_)).starts_with(known_)) {
            at_ += known_.size();
            return true;
        }
        std::size_t depth = 0;
        while (at_ != end_) {
            const char c = *at_;
            if (c == '"') {
                if (!string()) {
                    return false;
                }
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']' || is_space(c))) {
                return true;
            } else {
                depth += c == '{' || c == '[' ? 1U : 0U;
                depth -= c == '}' || c == ']' ? 1U : 0U;
                ++at_;
            }
            if (depth == 0 && (c == '"' || c == '}' || c == ']')) {
                return true;
            }
        }
        return false;
    }

    std::string_view text_;
    const std::string& where_;
    std::string_view known_;
    const char* at_;
    const char* end_;
    std::optional<Error> error_;
};

} // namespace

Result<std::string> canonical_json(std::string_view text, const std::string& where) {
    return Canonical(text, where).run();
}

Result<std::vector<JsonMember>> split_members(std::string_view text, const std::string& where,
                                              std::string_view known) {
    return Skipper(text, where, known).members();
}

Result<std::vector<std::string_view>> split_elements(std::string_view text, const std::string& where) {
    return Skipper(text, where, {}).elements();
}

std::vector<JsonMember> guess_members(std::string_view text) {
    constexpr std::string_view begin = "{\n\"", end = "\n}\n";
    std::vector<JsonMember> found;
    if (!text.starts_with(begin) || !text.ends_with(end)) {
        return found;
    }
    std::size_t at = begin.size() - 1; // a quote
    const std::size_t last = text.size() - end.size();
    while (at < last) {
        const std::size_t colon = text.find("\":", at);
        if (colon == std::string_view::npos || colon >= last) {
            return {};
        }
        const std::size_t next = std::min(text.find("\n\"", colon), last);
        JsonMember member{text.substr(at + 1, colon - at - 1), text.substr(colon + 2, next - colon - 2)};
        if (next != last) {
            if (!member.text.ends_with(',')) {
                return {};
            }
            member.text.remove_suffix(1);
        }
        found.push_back(member);
        at = next + 1;
    }
    return found;
}

} // namespace barscope::tool
