#include "select_match.h"

#include <algorithm>
#include <charconv>

namespace barscope::regmaps {

namespace {

char folded(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

struct Segment {
    std::string_view name;
    std::optional<std::uint32_t> index;
};

// Nothing: not the shape of a name.
std::optional<Segment> parse_segment(std::string_view text) {
    Segment segment{text, {}};
    const auto open = text.find('[');
    if (open != std::string_view::npos) {
        const std::string_view digits = text.substr(open + 1);
        std::uint32_t index = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error != std::errc() || end + 1 != digits.data() + digits.size() || *end != ']') {
            return {};
        }
        segment = {text.substr(0, open), index};
    }
    return segment.name.empty() ? std::nullopt : std::optional<Segment>(segment);
}

std::optional<std::vector<Segment>> parse_name(std::string_view name) {
    std::vector<Segment> segments;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t dot = std::min(name.find('.', begin), name.size());
        const auto segment = parse_segment(name.substr(begin, dot - begin));
        if (!segment) {
            return {};
        }
        segments.push_back(*segment);
        begin = dot + 1;
    }
    return segments;
}

// Matches registers one by one; what their blocks have in common is matched once.
class NameMatcher {
  public:
    NameMatcher(const RegisterMap& map, std::vector<Segment> segments, Case how)
        : map_(map), segments_(std::move(segments)), how_(how), blocks_(map.blocks.size()) {}

    void match(Index index, std::vector<NameMatch>& registers, std::vector<NameMatch>& fields) {
        const Register& reg = map_.registers[index];
        const Prefix outer = reg.block == none ? Prefix{.matches = true} : prefix(reg.block);
        if (!outer.matches) {
            return;
        }
        NameMatch match{index, none, outer.wanted};
        if (outer.used == segments_.size()) {
            registers.push_back(match); // a block was named: all that is in it
            return;
        }
        if (!take(segments_[outer.used], map_.text(reg.name), reg.array, outer.levels, match.wanted)) {
            return;
        }
        const std::size_t left = segments_.size() - outer.used - 1;
        if (left == 0) {
            registers.push_back(match);
        } else if (left == 1 && !segments_.back().index) {
            for (Index f = reg.fields.begin; f < reg.fields.begin + reg.fields.count; ++f) {
                if (same_name(map_.text(map_.fields[f].name), segments_.back().name, how_)) {
                    match.field = f;
                    fields.push_back(match);
                }
            }
        }
    }

  private:
    struct Prefix {
        bool known = false, matches = false;
        std::size_t used = 0; // segments
        unsigned levels = 0;  // array indices
        std::array<std::optional<std::uint32_t>, max_indices> wanted{};
    };

    bool take(const Segment& segment, std::string_view name, const Array& array, unsigned level,
              std::array<std::optional<std::uint32_t>, max_indices>& wanted) const {
        if (!same_name(name, segment.name, how_)) {
            return false;
        }
        if (segment.index) {
            if (array.count == none || level >= max_indices) {
                return false;
            }
            wanted[level] = segment.index;
        }
        return true;
    }

    const Prefix& prefix(Index block) {
        Prefix& p = blocks_[block];
        if (p.known) {
            return p;
        }
        const Block& b = map_.blocks[block];
        Prefix result = b.parent == none ? Prefix{.matches = true} : prefix(b.parent);
        if (result.matches && result.used < segments_.size()) {
            result.matches =
                take(segments_[result.used], map_.text(b.name), b.array, result.levels, result.wanted);
            ++result.used;
        }
        result.levels += b.array.count == none ? 0U : 1U;
        result.known = true;
        p = result;
        return p;
    }

    const RegisterMap& map_;
    std::vector<Segment> segments_;
    Case how_;
    std::vector<Prefix> blocks_;
};

void append_block_path(const RegisterMap& map, Index block, std::string& out) {
    if (map.blocks[block].parent != none) {
        append_block_path(map, map.blocks[block].parent, out);
    }
    out += map.text(map.blocks[block].name);
    out += '.';
}

} // namespace

std::vector<NameMatch> match_name(const RegisterMap& map, std::string_view name, Case how) {
    auto segments = parse_name(name);
    if (!segments) {
        return {};
    }
    NameMatcher matcher(map, std::move(*segments), how);
    std::vector<NameMatch> registers;
    std::vector<NameMatch> fields;
    for (Index i = 0; i < map.registers.size(); ++i) {
        matcher.match(i, registers, fields);
    }
    return registers.empty() ? fields : registers;
}

void append_path(const RegisterMap& map, Index reg, std::string& out) {
    if (map.registers[reg].block != none) {
        append_block_path(map, map.registers[reg].block, out);
    }
    out += map.text(map.registers[reg].name);
}

bool has_indices(const RegisterMap& map, Index reg) {
    bool any = map.registers[reg].array.count != none;
    for (Index b = map.registers[reg].block; b != none && !any; b = map.blocks[b].parent) {
        any = map.blocks[b].array.count != none;
    }
    return any;
}

std::string case_folded(std::string_view text) {
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(), folded);
    return out;
}

bool same_name(std::string_view a, std::string_view b, Case how) {
    if (how == Case::exact || a.size() != b.size()) {
        return a == b;
    }
    return std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return folded(x) == folded(y); });
}

} // namespace barscope::regmaps
