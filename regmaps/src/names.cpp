#include <regmaps/names.h>

#include <algorithm>
#include <cstdint>

namespace barscope::regmaps {

bool glob_match(std::string_view pattern, std::string_view text) {
    std::size_t p = 0;
    std::size_t t = 0;
    // Where the last `*` was, and how much of the text it has taken so far. Only the last one can still give
    // way.
    std::size_t star = std::string_view::npos;
    std::size_t taken = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            taken = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++taken;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') {
        ++p;
    }
    return p == pattern.size();
}

bool is_glob(std::string_view text) {
    return text.find_first_of("*?") != std::string_view::npos;
}

namespace {

char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr unsigned cost_of_edit = 4;
constexpr unsigned cost_of_case = 1;
constexpr std::size_t longest_name = 64;

unsigned cost_of_change(char a, char b) {
    if (a == b) {
        return 0;
    }
    return folded(a) == folded(b) ? cost_of_case : cost_of_edit;
}

// Optimal string alignment distance: insertions, deletions, changes, and swaps of neighbours.
unsigned distance(std::string_view a, std::string_view b) {
    unsigned rows[3][longest_name + 1];
    unsigned* before = rows[0];
    unsigned* above = rows[1];
    unsigned* row = rows[2];
    for (std::size_t j = 0; j <= b.size(); ++j) {
        above[j] = static_cast<unsigned>(j) * cost_of_edit;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<unsigned>(i) * cost_of_edit;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            unsigned best = std::min(above[j], row[j - 1]) + cost_of_edit;
            best = std::min(best, above[j - 1] + cost_of_change(a[i - 1], b[j - 1]));
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
                folded(a[i - 2]) == folded(b[j - 1])) {
                best = std::min(best, before[j - 2] + cost_of_edit);
            }
            row[j] = best;
        }
        unsigned* reused = before;
        before = above;
        above = row;
        row = reused;
    }
    return above[b.size()];
}

struct Candidate {
    unsigned cost = 0;
    std::string_view name;
};

// How far `name` is from `query`; more than `bound` where that cannot be small.
unsigned cost_of(std::string_view query, std::string_view name, unsigned bound) {
    const std::size_t difference =
        query.size() > name.size() ? query.size() - name.size() : name.size() - query.size();
    // What was typed so far may be the beginning of a longer name: rank it behind real typing errors.
    const bool prefix = query.size() >= 2 && query.size() < name.size() &&
                        std::equal(query.begin(), query.end(), name.begin(),
                                   [](char a, char b) { return folded(a) == folded(b); });
    if (name.size() > longest_name || difference * cost_of_edit > bound) {
        return prefix ? bound : bound + 1;
    }
    return prefix ? std::min(distance(query, name), bound) : distance(query, name);
}

} // namespace

std::vector<std::string> closest_names(std::string_view query, std::span<const std::string_view> candidates,
                                       std::size_t limit) {
    if (query.empty() || query.size() > longest_name) {
        return {};
    }
    const unsigned edits = std::max(1U, static_cast<unsigned>(query.size()) / 3);
    // A word in the wrong case is meant, however long it is.
    const unsigned bound = edits * cost_of_edit + static_cast<unsigned>(query.size()) * cost_of_case;
    std::vector<Candidate> close;
    for (const std::string_view name : candidates) {
        const unsigned cost = cost_of(query, name, bound);
        if (cost <= bound && !(query.size() == 1 && cost >= cost_of_edit)) {
            close.push_back({cost, name});
        }
    }
    std::stable_sort(close.begin(), close.end(),
                     [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
    std::vector<std::string> result;
    for (const Candidate& candidate : close) {
        if (result.size() == limit) {
            break;
        }
        if (std::find(result.begin(), result.end(), candidate.name) == result.end()) {
            result.emplace_back(candidate.name);
        }
    }
    return result;
}

std::string did_you_mean(std::string_view query, std::span<const std::string_view> candidates) {
    const std::vector<std::string> names = closest_names(query, candidates);
    if (names.empty()) {
        return {};
    }
    std::string text = "did you mean ";
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) {
            text += i + 1 == names.size() ? " or " : ", ";
        }
        text += names[i];
    }
    return text + "?";
}

std::string without_indices(std::string_view name) {
    std::string out;
    bool inside = false;
    for (const char c : name) {
        inside = c == '[' || (inside && c != ']');
        if (!inside && c != ']') {
            out += c;
        }
    }
    return out;
}

} // namespace barscope::regmaps
