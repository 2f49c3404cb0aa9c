// Any bytes as a register map: refused with an error, or loaded, laid out, planned and decoded; never a
// crash, a hang or an unbounded allocation. A map that loads must survive its own image.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <regmaps/decode.h>
#include <regmaps/layout.h>
#include <regmaps/loader.h>
#include <regmaps/schema.h>

namespace {

using namespace barscope;
using namespace barscope::regmaps;

Result<MapText> no_includes(std::string_view name) {
    return fail({ErrorCode::bad_input, "", "no map " + std::string(name), "", ""});
}

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

// Values that depend on the place only, so that a run can be repeated.
std::uint64_t value_at(const Instance& instance) {
    return (instance.offset + 1) * 0x9e3779b97f4a7c15U;
}

void decode_all(const RegisterMap& map) {
    LayoutInputs inputs;
    inputs.capabilities = [](bool, std::uint16_t) { return std::vector<std::uint32_t>{0x40, 0x100}; };
    inputs.config = [](std::uint32_t offset, unsigned) { return std::optional<std::uint32_t>(offset * 7); };
    inputs.value = [](const Instance& instance) { return std::optional<std::uint64_t>(value_at(instance)); };
    inputs.max_instances = 20'000;
    const auto layout = place_map(map, inputs);
    if (!layout) {
        require(!layout.error().what.empty());
        return;
    }
    std::vector<Index> wanted(layout->instances.size());
    RawWords raw;
    for (Index i = 0; i < wanted.size(); ++i) {
        wanted[i] = i;
        safety::Word word;
        word.value = value_at(layout->instances[i]);
        word.status = safety::WordStatus::ok;
        raw.instances.push_back(layout->instances[i]);
        raw.words.push_back(word);
    }
    for (const PlannedRead& read : plan_reads(map, *layout, wanted)) {
        for (std::size_t i = 1; i < read.plan.words.size(); ++i) {
            const auto& before = read.plan.words[i - 1];
            const auto& word = read.plan.words[i];
            require(before.offset < word.offset ||
                    (before.offset == word.offset && before.width != word.width));
        }
    }
    const Decoded decoded = decode(map, *layout, raw, inputs.pci);
    require(decoded.registers.size() == raw.instances.size());
    std::string text;
    for (const DecodedField& field : decoded.fields) {
        if (field.field != none) {
            append_field_text(map, map.fields[field.field], field.value, text);
        }
        text.clear();
    }
    for (Index i = 0; i < map.structures.size(); ++i) {
        const std::vector<std::uint8_t> bytes(std::min<std::uint32_t>(map.structures[i].size, 1 << 16), 0xa5);
        (void)decode_structure(map, i, bytes);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size); // NOLINT: bytes as characters
    const auto map = load_map(text, "fuzz.json", no_includes);
    if (!map) {
        require(map.error().code == ErrorCode::bad_input && !map.error().what.empty());
        return 0;
    }
    // The loader checks all that the schema says.
    require(validate_against_schema(text, "fuzz.json").has_value());
    decode_all(*map);
    const auto image = image_of(*map);
    const auto again = map_from_image(image);
    require(again.has_value() && image_of(*again) == image);
    return 0;
}
