// Any bytes as a snapshot: refused, or decoded, described and compared with itself without a finding. The
// quick way to canonical JSON and the thorough one agree wherever the quick one goes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <evidence/canonical_json.h>
#include <evidence/evidence.h>
#include <evidence/snapshot.h>

using namespace barscope::tool;

namespace {

// The canonical form of a canonical form is itself.
void check_canonical(const std::string& text) {
    if (const auto canonical = canonical_json(text, "fuzz")) {
        const auto again = canonical_json(*canonical, "fuzz");
        if (!again || *again != *canonical) {
            std::abort();
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(data, data + size);
    check_canonical(text);
    const auto snapshot = parse_snapshot(std::move(text), "fuzz");
    if (!snapshot) {
        if (snapshot.error().what.empty()) {
            std::abort();
        }
        return 0;
    }
    const auto map = embedded_map(*snapshot);
    auto passes = map ? replay_all(*snapshot, *map)
                      : barscope::Result<std::vector<Capture>>(barscope::fail(map.error()));
    if (!passes) {
        return 0;
    }
    const Evidence evidence{*snapshot, *map, std::move(*passes)};
    static_cast<void>(describe(evidence, {.all = true, .tree = true}));
    static_cast<void>(compare(evidence, evidence, {.all = true, .tree = true}));
    return 0;
}
