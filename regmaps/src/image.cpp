// The binary form of a map: a header, then its tables one after the other, each at a multiple of 16 bytes.
// All references are indices, so it is used wherever it lies. It is only for the machine and build that wrote
// it; the header says which that was, and others refuse it.
#include <array>
#include <cstring>
#include <functional>
#include <tuple>

#include <regmaps/loader.h>

#include "image_bytes.h"

namespace barscope::regmaps {

namespace {

// Every table of a map, in the order in which the image has them.
auto tables_of(RegisterMap& map) {
    return std::tie(map.sources, map.includes, map.texts, map.text_list, map.match_rules, map.match_terms,
                    map.match_values, map.spaces, map.enums, map.enum_values, map.blocks, map.registers,
                    map.fields, map.field_severities, map.poisons, map.dump_registers, map.structures,
                    map.variant_cases, map.derived, map.checks, map.logs, map.counters, map.driver_dumps,
                    map.expressions, map.codes);
}
constexpr std::size_t table_count = std::tuple_size_v<decltype(tables_of(std::declval<RegisterMap&>()))>;

struct TablePlace {
    std::uint64_t at = 0; // bytes from the image's beginning
    std::uint64_t count = 0;
};

struct Header {
    std::uint64_t magic = 0;
    std::uint64_t layout = 0; // of the records
    std::uint64_t size = 0;   // of the whole image
    Text name, title, version, description;
    std::array<TablePlace, table_count> tables;
};

constexpr std::uint64_t magic = 0x31'50'41'4d'53'52'41'42; // "BARSMAP1" where the image is little endian

// Changes with the size of any record; the number in front is for changes that sizes do not show.
constexpr std::uint64_t layout_of_records() {
    std::uint64_t hash = 2;
    for (const std::size_t size : {sizeof(Text),
                                   sizeof(MatchRule),
                                   sizeof(MatchTerm),
                                   sizeof(MatchValue),
                                   sizeof(Space),
                                   sizeof(Enum),
                                   sizeof(EnumValue),
                                   sizeof(Block),
                                   sizeof(Register),
                                   sizeof(Field),
                                   sizeof(FieldSeverity),
                                   sizeof(Poison),
                                   sizeof(DumpRegister),
                                   sizeof(Structure),
                                   sizeof(VariantCase),
                                   sizeof(Derived),
                                   sizeof(Check),
                                   sizeof(Log),
                                   sizeof(Counter),
                                   sizeof(DriverDump),
                                   sizeof(Expression),
                                   sizeof(Code),
                                   table_count}) {
        hash = hash * 1099511628211U + size;
    }
    return hash;
}

tl::unexpected<Error> bad_image(std::string what) {
    return fail({ErrorCode::bad_input, "map-image", std::move(what), {}, "build the program again"});
}

} // namespace

std::vector<std::byte> image_of(const RegisterMap& original) {
    RegisterMap map = original;
    Header header;
    header.magic = magic;
    header.layout = layout_of_records();
    // The map's own names are among its texts already, unless somebody made the map by hand.
    std::vector<char> texts(map.texts.begin(), map.texts.end());
    const auto add_text = [&](std::string_view text) {
        const std::less_equal<const char*> before;
        const bool inside = before(map.texts.data(), text.data()) &&
                            before(text.data() + text.size(), map.texts.data() + map.texts.size());
        const std::size_t at =
            inside ? static_cast<std::size_t>(text.data() - map.texts.data()) : texts.size();
        if (!inside) {
            texts.insert(texts.end(), text.begin(), text.end());
        }
        return Text{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(text.size())};
    };
    header.name = add_text(map.name);
    header.title = add_text(map.title);
    header.version = add_text(map.version);
    header.description = add_text(map.description);
    map.texts = texts;

    std::vector<std::byte> image(sizeof(Header));
    std::size_t index = 0;
    const auto add_table = [&]<typename T>(std::span<const T> table) {
        header.tables[index++] = {append_records(image, table), table.size()};
    };
    std::apply([&](const auto&... table) { (add_table(table), ...); }, tables_of(map));
    align(image);
    header.size = image.size();
    put_records(image, 0, std::span<const Header>(&header, 1));
    return image;
}

Result<RegisterMap> map_from_image(std::span<const std::byte> image) {
    Header header;
    if (image.size() < sizeof header ||
        reinterpret_cast<std::uintptr_t>(image.data()) % image_alignment != 0) {
        return bad_image("a compiled register map is too short or misaligned");
    }
    std::memcpy(&header, image.data(), sizeof header);
    if (header.magic != magic || header.layout != layout_of_records()) {
        return bad_image("a compiled register map is of another build");
    }
    if (header.size > image.size()) {
        return bad_image("a compiled register map is cut off");
    }
    RegisterMap map;
    std::size_t index = 0;
    bool ok = true;
    const auto use_table = [&]<typename T>(std::span<const T>& table) {
        const TablePlace place = header.tables[index++];
        const bool inside = place.at % image_alignment == 0 && place.at <= header.size &&
                            place.count <= (header.size - place.at) / sizeof(T);
        ok = ok && inside;
        if (inside) {
            // The image was written from an array of T at this place.
            table = {reinterpret_cast<const T*>(image.data() + place.at),
                     static_cast<std::size_t>(place.count)};
        }
    };
    std::apply([&](auto&... table) { (use_table(table), ...); }, tables_of(map));
    const std::size_t text_size = map.texts.size();
    for (const auto& [text, out] :
         {std::pair(header.name, &map.name), std::pair(header.title, &map.title),
          std::pair(header.version, &map.version), std::pair(header.description, &map.description)}) {
        ok = ok && text.at <= text_size && text.size <= text_size - text.at;
        if (ok) {
            *out = map.text(text);
        }
    }
    if (!ok) {
        return bad_image("a compiled register map has a table outside of it");
    }
    map.origin = "built in";
    return map;
}

} // namespace barscope::regmaps
