#include <fwlog/patterns.h>

#include <array>

// Put in by the build (CMakeLists.txt).
extern "C" {
extern const char barscope_patterns_bnxt[];
extern const char barscope_patterns_bnxt_end[];
extern const char barscope_patterns_mlx5[];
extern const char barscope_patterns_mlx5_end[];
extern const char barscope_patterns_nvme[];
extern const char barscope_patterns_nvme_end[];
extern const char barscope_patterns_intel[];
extern const char barscope_patterns_intel_end[];
extern const char barscope_patterns_linux[];
extern const char barscope_patterns_linux_end[];
}

namespace barscope::fwlog {

Result<void> PatternSet::add_built_in() {
    struct File {
        std::string_view name;
        const char* begin;
        const char* end;
    };
    const std::array<File, 5> files{{
        {"bnxt.json", barscope_patterns_bnxt, barscope_patterns_bnxt_end},
        {"mlx5.json", barscope_patterns_mlx5, barscope_patterns_mlx5_end},
        {"nvme.json", barscope_patterns_nvme, barscope_patterns_nvme_end},
        {"intel.json", barscope_patterns_intel, barscope_patterns_intel_end},
        {"linux.json", barscope_patterns_linux, barscope_patterns_linux_end},
    }};
    for (const File& file : files) {
        auto added = add({file.begin, static_cast<std::size_t>(file.end - file.begin)}, file.name);
        if (!added) {
            return fail(std::move(added.error()));
        }
    }
    return {};
}

Result<PatternSet> PatternSet::built_in() {
    PatternSet set;
    if (auto added = set.add_built_in(); !added) {
        return fail(std::move(added.error()));
    }
    return set;
}

} // namespace barscope::fwlog
