// Which registers and fields of a map a name or a glob means, before any device is asked.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <regmaps/layout.h>

namespace barscope::regmaps {

// One register that was meant, and which of its elements.
struct NameMatch {
    Index reg = none;
    Index field = none;                                             // none: the whole register
    std::array<std::optional<std::uint32_t>, max_indices> wanted{}; // by level; nothing: every element
};

enum class Case : std::uint8_t { exact, folded };

// A plain name: NAME, NAME[3], NAME.FIELD, BLOCK[2].NAME, BLOCK (all in it). Ascending by register.
std::vector<NameMatch> match_name(const RegisterMap& map, std::string_view name, Case how);

// "BLOCK.NAME", without indices.
void append_path(const RegisterMap& map, Index reg, std::string& out);
bool has_indices(const RegisterMap& map, Index reg);

std::string case_folded(std::string_view text);
bool same_name(std::string_view a, std::string_view b, Case how);

} // namespace barscope::regmaps
