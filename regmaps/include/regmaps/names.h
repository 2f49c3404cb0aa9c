// Names that people type: globs, and what they may have meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace barscope::regmaps {

// `*` is any run of characters, `?` is any one; everything else, `[` included, is itself. Case matters.
// Takes at most pattern * text steps.
bool glob_match(std::string_view pattern, std::string_view text);
bool is_glob(std::string_view text); // holds `*` or `?`

// "A[2].B[1].C" -> "A.B.C"
std::string without_indices(std::string_view name);

// Up to `limit` candidates that are a few typing errors away from `query`, the closest first, each once. Case
// counts little. Empty where nothing is close.
std::vector<std::string> closest_names(std::string_view query, std::span<const std::string_view> candidates,
                                       std::size_t limit = 3);

// "did you mean A, B or C?"; empty where nothing is close.
std::string did_you_mean(std::string_view query, std::span<const std::string_view> candidates);

} // namespace barscope::regmaps
