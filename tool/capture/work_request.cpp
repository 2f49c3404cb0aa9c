#include <capture/work_request.h>

#include <algorithm>
#include <array>

#include <device/paste_bytes.h>

namespace barscope::tool {

namespace {

constexpr std::size_t head_size = 32;
constexpr std::size_t element_size = 16;
constexpr std::uint64_t head_units = head_size / element_size;

// Requests with a list, whose head is 32 bytes: those of layout 3 (-v3) have another.
bool has_list(std::string_view structure) {
    constexpr std::array<std::string_view, 4> kinds{"sq-send", "sq-rdma", "sq-atomic", "rq-wqe"};
    return !structure.ends_with("-v3") && std::any_of(kinds.begin(), kinds.end(), [&](std::string_view kind) {
        return structure.starts_with(kind);
    });
}

std::uint64_t value_named(const regmaps::RegisterMap& map, const Pasted& entry, std::string_view name) {
    const auto found = std::find_if(entry.structure.fields.begin(), entry.structure.fields.end(),
                                    [&](const regmaps::DecodedField& field) {
                                        return field.field != regmaps::none &&
                                               map.text(map.fields[field.field].name) == name;
                                    });
    return found == entry.structure.fields.end() ? 0 : found->value;
}

} // namespace

std::vector<ScatterGather> scatter_gather_of(const regmaps::RegisterMap& map, const PastedSet& set,
                                             const Pasted& entry) {
    std::vector<ScatterGather> out;
    if (set.definition.structure == regmaps::none || !set.from_bytes ||
        !has_list(map.text(map.structures[entry.structure.structure].name)) ||
        value_named(map, entry, "FLAGS_INLINE") != 0) {
        return out;
    }
    const std::uint64_t units = value_named(map, entry, "WQE_SIZE");
    for (std::uint64_t i = head_units; i < units; ++i) {
        const std::uint64_t at = entry.offset + i * element_size;
        if (at + element_size > set.bytes.size()) {
            break;
        }
        const auto bytes = std::span(set.bytes).subspan(static_cast<std::size_t>(at), element_size);
        const auto word = [&](std::size_t begin) {
            return static_cast<std::uint32_t>(value_of(bytes.subspan(begin, 4), safety::ByteOrder::little));
        };
        out.push_back({value_of(bytes.first(8), safety::ByteOrder::little), word(8), word(12)});
    }
    return out;
}

} // namespace barscope::tool
