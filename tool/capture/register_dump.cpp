#include <capture/register_dump.h>

#include <algorithm>

#include <capture/names.h>
#include <device/paste_bytes.h>

namespace barscope::tool {

namespace {

constexpr std::size_t pxp_size = 0x3110;     // BNXT_PXP_REG_LEN
constexpr std::size_t buffers_at = 0x3800;   // of version 4
constexpr std::size_t short_statistics = 96; // struct pcie_ctx_hw_stats
constexpr std::uint32_t newest_version = 4;
// pcie_equalization_time holds 16 bits a phase, in the order in which ethtool takes them: 1, 0, 3, 2.
constexpr std::size_t equalization_at = 64;
constexpr std::array<std::size_t, 4> phase_at{2, 0, 6, 4};

Error bad_dump(std::string what, const std::string& source) {
    return {ErrorCode::bad_input, "not-a-register-dump", std::move(what), source,
            "save it with `ethtool -d INTERFACE raw on > FILE`"};
}

std::vector<DumpWord> words_not_zero(std::span<const std::uint8_t> bytes) {
    std::vector<DumpWord> words;
    for (std::size_t at = 0; at + 4 <= bytes.size(); at += 4) {
        const auto value =
            static_cast<std::uint32_t>(value_of(bytes.subspan(at, 4), safety::ByteOrder::little));
        if (value != 0) {
            words.push_back({static_cast<std::uint32_t>(at), value});
        }
    }
    return words;
}

std::uint32_t version_by_length(std::size_t size, std::size_t long_statistics) {
    if (size >= buffers_at) {
        return 4;
    }
    const std::size_t statistics = size - pxp_size;
    if (statistics == 0) {
        return 0;
    }
    return statistics <= short_statistics ? 1 : statistics < long_statistics ? 2 : 3;
}

Result<void> decode_statistics(const regmaps::RegisterMap& map, std::span<const std::uint8_t> bytes,
                               RegisterDump& out) {
    const bool is_short = bytes.size() <= short_statistics;
    auto definition = find_definition(map, is_short ? "pcie-ctx-hw-stats" : "pcie-ctx-hw-stats-v2");
    if (!definition) {
        return fail(std::move(definition.error()));
    }
    out.structure = definition->structure;
    const std::size_t size = map.structures[out.structure].size;
    out.statistics.assign(bytes.begin(),
                          bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), size)));
    out.statistics_size = out.statistics.size();
    out.statistics.resize(size);
    auto decoded = regmaps::decode_structure(map, out.structure, out.statistics);
    if (!decoded) {
        return fail(std::move(decoded.error()));
    }
    out.fields = std::move(decoded->fields);
    // What lies beyond the dump's end was filled up here, and is no value.
    std::erase_if(out.fields, [&](const regmaps::DecodedField& field) {
        const std::size_t width =
            field.field == regmaps::none ? 4 : map.fields[field.field].width / std::size_t{8};
        return field.at + width > out.statistics_size;
    });
    if (out.statistics_size >= equalization_at + 8) {
        out.equalization_ms.emplace();
        for (std::size_t phase = 0; phase < phase_at.size(); ++phase) {
            const auto two = std::span(out.statistics).subspan(equalization_at + phase_at.at(phase), 2);
            out.equalization_ms->at(phase) = static_cast<unsigned>(value_of(two, safety::ByteOrder::little));
        }
    }
    return {};
}

} // namespace

Result<RegisterDump> decode_register_dump(const regmaps::RegisterMap& map,
                                          std::span<const std::uint8_t> bytes,
                                          std::optional<std::uint32_t> version, std::string source) {
    if (bytes.size() < pxp_size) {
        return fail(bad_dump("a register dump of bnxt_en has at least " + std::to_string(pxp_size) +
                                 " bytes, this one has " + std::to_string(bytes.size()),
                             source));
    }
    const auto longer = find_definition(map, "pcie-ctx-hw-stats-v2");
    if (!longer) {
        return fail(longer.error());
    }
    RegisterDump out;
    out.size = bytes.size();
    out.version_from_length = !version;
    out.version = version.value_or(version_by_length(bytes.size(), map.structures[longer->structure].size));
    if (out.version > newest_version) {
        return fail(bad_dump(
            "version " + std::to_string(out.version) + " of the dump is not known: 0 to 4 are", source));
    }
    out.source = std::move(source);
    out.pxp_words = pxp_size / 4;
    out.pxp = words_not_zero(bytes.first(pxp_size));
    if (out.pxp.empty()) {
        out.remarks.emplace_back(
            "the PXP block is all zero: firmware may restrict access to registers, and the "
            "driver then leaves zeros");
    }
    const std::size_t end = out.version == newest_version ? std::min(bytes.size(), buffers_at) : bytes.size();
    if (out.version != 0 && end > pxp_size) {
        if (auto decoded = decode_statistics(map, bytes.subspan(pxp_size, end - pxp_size), out); !decoded) {
            return fail(std::move(decoded.error()));
        }
    } else if (out.version != 0) {
        out.remarks.push_back("version " + std::to_string(out.version) +
                              " has PCI Express statistics, but the dump ends before them");
    }
    if (out.version == newest_version && bytes.size() > buffers_at) {
        out.buffers = words_not_zero(bytes.subspan(buffers_at));
        out.remarks.emplace_back("the buffer data of version 4 is not decoded: no map has its layout");
    }
    return out;
}

} // namespace barscope::tool
