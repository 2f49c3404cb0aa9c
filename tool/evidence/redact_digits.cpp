#include <evidence/redact_digits.h>

#include <algorithm>

#include <evidence/redact_address.h>

namespace barscope::tool {

namespace {

constexpr std::size_t shortest = 11;   // a MAC address without its leading zero
constexpr std::size_t longest_gap = 4; // ", 0x"

bool joins(std::string_view gap) {
    return gap.size() <= longest_gap && gap.find_first_not_of(":-._, \t\\x0") == std::string_view::npos;
}

std::string without_zeros(const std::string& digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

} // namespace

std::string bytes_reversed(const std::string& digits) {
    std::string out;
    for (std::size_t i = digits.size() / 2; i > 0; --i) {
        out += digits.substr(2 * i - 2, 2);
    }
    return out;
}

void DigitRun::finish() {
    for (const Group& group : groups_) {
        const std::string digits = digits_.substr(group.first, group.size);
        turned_ += group.size % 2 == 0 ? bytes_reversed(digits) : digits;
    }
}

void DigitRun::find_in(const std::string& where, const std::string& digits, bool whole_groups,
                       std::vector<DigitMatch>& out) const {
    for (std::size_t at = where.find(digits); at != std::string::npos; at = where.find(digits, at + 1)) {
        std::size_t first = at;
        std::size_t last = at + digits.size() - 1;
        for (const Group& group : groups_) {
            const std::size_t end = group.first + group.size;
            if (whole_groups && group.first <= at && at < end) {
                first = group.first;
            }
            if (whole_groups && group.first <= last && last < end) {
                last = end - 1;
                break;
            }
        }
        out.push_back({places_[first], places_[last] + 1});
    }
}

std::vector<DigitMatch> DigitRun::find(const std::string& digits) const {
    std::vector<DigitMatch> found;
    const std::string reversed = bytes_reversed(digits);
    for (const std::string* wanted : {&digits, &reversed}) {
        find_in(digits_, *wanted, false, found);
        find_in(turned_, *wanted, true, found);
        const std::string trimmed = without_zeros(*wanted);
        for (const Group& group : groups_) {
            if (trimmed.size() >= shortest - 4 && group.size < digits.size() &&
                without_zeros(digits_.substr(group.first, group.size)) == trimmed) {
                found.push_back({places_[group.first], places_[group.first + group.size - 1] + 1});
            }
        }
    }
    return found;
}

std::vector<DigitRun> digit_runs(std::string_view text) {
    std::vector<DigitRun> runs;
    DigitRun run;
    std::size_t last_end = 0;
    const auto close = [&] {
        if (run.digits_.size() >= shortest - 4) {
            run.finish();
            runs.push_back(std::move(run));
        }
        run = {};
    };
    for (std::size_t at = 0; at < text.size();) {
        if (!is_hex_digit(text[at])) {
            ++at;
            continue;
        }
        const std::size_t begin = at;
        while (at < text.size() && is_hex_digit(text[at])) {
            ++at;
        }
        if (at - begin == 1 && text[begin] == '0' && at < text.size() &&
            (text[at] == 'x' || text[at] == 'X')) {
            continue; // 0x
        }
        if (!run.groups_.empty() && !joins(text.substr(last_end, begin - last_end))) {
            close();
        }
        run.groups_.push_back({run.digits_.size(), at - begin});
        for (std::size_t i = begin; i < at; ++i) {
            run.digits_ += lower(text.substr(i, 1));
            run.places_.push_back(i);
        }
        last_end = at;
    }
    close();
    return runs;
}

} // namespace barscope::tool
