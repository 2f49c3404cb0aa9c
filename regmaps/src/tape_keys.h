// The keys of the map format as small numbers, so that the loader switches on them instead of comparing text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace barscope::regmaps {

// `other` is a key that the format does not have; `element` stands for an array element, which has none.
enum class Key : std::uint8_t {
    access,
    access_width,
    advice,
    alternate,
    array,
    at,
    bar,
    base,
    bits,
    blocks,
    byte_order,
    bytes,
    capability,
    capability_where,
    cases,
    checks,
    class_,
    config,
    count,
    counters,
    default_,
    derived,
    description,
    device,
    display,
    driver,
    driver_dumps,
    dump_offset,
    entry,
    enum_,
    enums,
    ethtool,
    expect,
    extended_capability,
    field,
    fields,
    format_version,
    group,
    include,
    index,
    logs,
    mask,
    match,
    meaning,
    modified_write_value,
    modulus,
    name,
    net,
    never_all_ones,
    offset,
    on,
    on_request,
    parameter,
    phase,
    poison,
    producer,
    read_action,
    registers,
    reset_value,
    revision,
    scale,
    schema,
    select,
    sensitive,
    severity,
    side_effect_free,
    size,
    source,
    sources,
    space,
    spaces,
    split,
    stride,
    structures,
    subsystem_device,
    subsystem_vendor,
    title,
    unit,
    valid,
    value,
    variant,
    vendor,
    version,
    volatility,
    when,
    width,
    window,
    write_mask,
    other,
    element
};

inline constexpr std::size_t key_count = static_cast<std::size_t>(Key::other);

// In the order of the enumerators.
inline constexpr std::array<std::string_view, key_count> key_texts = {"access",
                                                                      "accessWidth",
                                                                      "advice",
                                                                      "alternate",
                                                                      "array",
                                                                      "at",
                                                                      "bar",
                                                                      "base",
                                                                      "bits",
                                                                      "blocks",
                                                                      "byteOrder",
                                                                      "bytes",
                                                                      "capability",
                                                                      "capabilityWhere",
                                                                      "cases",
                                                                      "checks",
                                                                      "class",
                                                                      "config",
                                                                      "count",
                                                                      "counters",
                                                                      "default",
                                                                      "derived",
                                                                      "description",
                                                                      "device",
                                                                      "display",
                                                                      "driver",
                                                                      "driverDumps",
                                                                      "dumpOffset",
                                                                      "entry",
                                                                      "enum",
                                                                      "enums",
                                                                      "ethtool",
                                                                      "expect",
                                                                      "extendedCapability",
                                                                      "field",
                                                                      "fields",
                                                                      "formatVersion",
                                                                      "group",
                                                                      "include",
                                                                      "index",
                                                                      "logs",
                                                                      "mask",
                                                                      "match",
                                                                      "meaning",
                                                                      "modifiedWriteValue",
                                                                      "modulus",
                                                                      "name",
                                                                      "net",
                                                                      "neverAllOnes",
                                                                      "offset",
                                                                      "on",
                                                                      "onRequest",
                                                                      "parameter",
                                                                      "phase",
                                                                      "poison",
                                                                      "producer",
                                                                      "readAction",
                                                                      "registers",
                                                                      "resetValue",
                                                                      "revision",
                                                                      "scale",
                                                                      "$schema",
                                                                      "select",
                                                                      "sensitive",
                                                                      "severity",
                                                                      "sideEffectFree",
                                                                      "size",
                                                                      "source",
                                                                      "sources",
                                                                      "space",
                                                                      "spaces",
                                                                      "split",
                                                                      "stride",
                                                                      "structures",
                                                                      "subsystemDevice",
                                                                      "subsystemVendor",
                                                                      "title",
                                                                      "unit",
                                                                      "valid",
                                                                      "value",
                                                                      "variant",
                                                                      "vendor",
                                                                      "version",
                                                                      "volatility",
                                                                      "when",
                                                                      "width",
                                                                      "window",
                                                                      "writeMask"};

constexpr std::string_view text_of(Key key) {
    return key < Key::other ? key_texts[static_cast<std::size_t>(key)] : std::string_view{};
}

// Key::other where the format has no such key. `end`: up to where memory behind the text may be read.
Key find_key(std::string_view text, const char* end);

class KeySet {
  public:
    constexpr KeySet() = default;
    constexpr KeySet(std::initializer_list<Key> keys) {
        for (const Key key : keys) {
            add(key);
        }
    }
    constexpr void add(Key key) { words_[place(key) / 64] |= std::uint64_t{1} << (place(key) % 64); }
    constexpr bool has(Key key) const { return (words_[place(key) / 64] >> (place(key) % 64) & 1) != 0; }
    constexpr bool has_all(const KeySet& other) const {
        return (other.words_[0] & ~words_[0]) == 0 && (other.words_[1] & ~words_[1]) == 0;
    }

  private:
    static constexpr std::size_t place(Key key) { return static_cast<std::size_t>(key); }
    std::uint64_t words_[2] = {0, 0};
};
static_assert(key_count + 2 <= 128);

} // namespace barscope::regmaps
