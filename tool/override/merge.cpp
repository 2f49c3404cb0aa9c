#include <override/merge.h>

#include <fmt/format.h>

#include <render/report_parts.h>

namespace barscope::tool {

namespace {

using regmaps::Access;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;

Error refused(std::string cause, std::string what, const WriteWish& wish, std::string remedy) {
    return {ErrorCode::refused, std::move(cause), std::move(what), wish.name, std::move(remedy)};
}

constexpr const char* write_the_register = "write the whole register, so that every bit is meant";

// A write would do something to this bit that keeping its value does not prevent.
bool cannot_be_kept(const BitRole& role) {
    const bool unreadable = role.access == Access::write_only;
    const bool once = role.access == Access::write_once || role.access == Access::read_write_once;
    return role.unsure || (role.writable && (any_write_acts(role.modified) || unreadable || once));
}

std::string what_it_does(const BitRole& role) {
    if (role.unsure) {
        return "what a write does to it cannot be told";
    }
    if (any_write_acts(role.modified)) {
        return "any write changes it";
    }
    return role.access == Access::write_only ? "it cannot be read, and so not be kept"
                                             : "it can be written once only";
}

std::string bit_name(const RegisterMap& map, const RegisterBits& bits, unsigned bit) {
    const Index field = bits[bit].field;
    return field == none ? fmt::format("bit {}", bit)
                         : fmt::format("field {}", map.text(map.fields[field].name));
}

// The value that leaves every bit alone which is not meant.
std::uint64_t neutral(const RegisterBits& bits, std::uint64_t old) {
    const std::uint64_t zeros = bits.mask([](const BitRole& role) { return one_acts(role.modified); });
    const std::uint64_t set = bits.mask([](const BitRole& role) { return zero_acts(role.modified); });
    return (old & ~zeros) | set;
}

Result<std::uint64_t> with_field(const RegisterMap& map, const WriteWish& wish, const RegisterBits& bits,
                                 std::optional<std::uint64_t> old) {
    const regmaps::Field& field = map.fields[wish.field];
    const std::uint64_t meant = field_mask(field);
    const std::uint64_t others = ones(bits.width()) & ~meant;
    if (others != 0 && !old) {
        return fail(refused("not-readable",
                            "the register cannot be read without a side effect, so that its other bits "
                            "cannot be kept",
                            wish, write_the_register));
    }
    for (unsigned bit = 0; bit < bits.width(); ++bit) {
        if ((others >> bit & 1U) != 0 && cannot_be_kept(bits[bit])) {
            return fail(refused("write-changes-other",
                                fmt::format("{} of this register is not meant, but {}",
                                            bit_name(map, bits, bit), what_it_does(bits[bit])),
                                wish, write_the_register));
        }
    }
    return (neutral(bits, old.value_or(0)) & others) | (wish.value << field.lsb);
}

// Bits that the map lets nobody write keep what they hold.
Result<void> check_reserved(const RegisterMap& map, const WriteWish& wish, const RegisterBits& bits,
                            std::optional<std::uint64_t> old) {
    const regmaps::Register& reg = map.registers[wish.reg];
    const std::uint64_t held = old.value_or(reg.has_reset ? reg.reset_value : 0);
    const std::uint64_t fixed = bits.mask([](const BitRole& role) { return !role.writable; });
    const std::uint64_t changed = (wish.value ^ held) & fixed;
    if (changed == 0) {
        return {};
    }
    std::string holds = old             ? fmt::format("they hold {:#x}", *old & fixed)
                        : reg.has_reset ? fmt::format("their reset value is {:#x}", held & fixed)
                                        : std::string("they must be zero, as the register cannot be read");
    return fail(refused(
        "reserved-bits",
        fmt::format("bits {} are reserved or read-only, and this value changes them", bit_ranges(changed)),
        wish, "keep them as they are: " + holds));
}

std::string names_of(const RegisterMap& map, const RegisterBits& bits, std::uint64_t mask) {
    std::string names;
    Index last = none;
    for (unsigned bit = bits.width(); bit-- > 0;) {
        if ((mask >> bit & 1U) == 0 || (bits[bit].field != none && bits[bit].field == last)) {
            continue;
        }
        last = bits[bit].field;
        names += names.empty() ? "" : ", ";
        names += last == none ? fmt::format("bit {}", bit) : std::string(map.text(map.fields[last].name));
    }
    return names;
}

AuditUndo undo_of(const RegisterMap& map, const WriteWish& wish, const RegisterBits& bits,
                  std::optional<std::uint64_t> old, const Change& change) {
    AuditUndo undo{wish.name, std::nullopt, {}};
    if (!old) {
        undo.why = "the old value was not read";
        return undo;
    }
    const std::uint64_t lasting = bits.mask(cannot_be_kept) & change.meant;
    const std::uint64_t acted = change.meant & bits.mask([](const BitRole& role) {
        return one_acts(role.modified) || zero_acts(role.modified);
    });
    if (lasting != 0 ||
        (change.meant & ~acted & bits.mask([](const BitRole& r) { return r.writable; })) == 0) {
        undo.why = "no write brings back what this one did to " +
                   names_of(map, bits, lasting != 0 ? lasting : acted);
        return undo;
    }
    if ((change.acts & acted) != 0) {
        undo.why = "it does not bring back what was done to " + names_of(map, bits, change.acts & acted);
    }
    undo.value = wish.field == none
                     ? neutral(bits, *old)
                     : (*old & field_mask(map.fields[wish.field])) >> map.fields[wish.field].lsb;
    return undo;
}

} // namespace

Result<void> check_wish(const RegisterMap& map, const WriteWish& wish) {
    const regmaps::Register& reg = map.registers[wish.reg];
    const bool whole = wish.field == none;
    if (!writable(reg.access) || (!whole && !writable(map.fields[wish.field].access))) {
        return fail(refused("read-only-register",
                            whole || !writable(reg.access) ? "the map says that this register is read-only"
                                                           : "the map says that this field is read-only",
                            wish, {}));
    }
    const unsigned bits = whole ? reg.width : map.fields[wish.field].msb - map.fields[wish.field].lsb + 1U;
    if ((wish.value & ~ones(bits)) != 0) {
        return fail(
            {ErrorCode::usage, "value-too-wide",
             fmt::format("{:#x} does not fit into {} {}", wish.value, bits, bits == 1 ? "bit" : "bits"),
             wish.name, fmt::format("the greatest is {:#x}", ones(bits))});
    }
    return {};
}

Result<Change> merge(const RegisterMap& map, const WriteWish& wish, const RegisterBits& bits,
                     std::optional<std::uint64_t> old) {
    if (auto possible = check_wish(map, wish); !possible) {
        return fail(std::move(possible.error()));
    }
    Change change;
    if (wish.field == none) {
        if (auto kept = check_reserved(map, wish, bits, old); !kept) {
            return fail(std::move(kept.error()));
        }
        change.value = wish.value;
        change.meant = ones(bits.width());
    } else {
        const auto value = with_field(map, wish, bits, old);
        if (!value) {
            return fail(value.error());
        }
        change.value = *value;
        change.meant = field_mask(map.fields[wish.field]);
    }
    const std::uint64_t by_one =
        bits.mask([](const BitRole& r) { return r.writable && one_acts(r.modified); });
    const std::uint64_t by_zero =
        bits.mask([](const BitRole& r) { return r.writable && zero_acts(r.modified); });
    const std::uint64_t by_any =
        bits.mask([](const BitRole& r) { return r.writable && any_write_acts(r.modified); });
    change.acts = (by_one & change.value) | (by_zero & ~change.value) | by_any;
    change.left_alone = old.value_or(0) & (by_one | by_zero) & ~change.acts;
    const auto keeps = [](const BitRole& r) {
        return r.writable && !r.unsure && r.access == Access::read_write &&
               r.modified == regmaps::ModifiedWrite::plain;
    };
    change.kept = bits.mask([&](const BitRole& r) {
        return keeps(r) &&
               (r.volatility == regmaps::Volatility::config || r.volatility == regmaps::Volatility::constant);
    });
    change.compared = bits.mask([&](const BitRole& r) { return keeps(r) && !runs_by_itself(r.volatility); });
    change.undo = undo_of(map, wish, bits, old, change);
    return change;
}

} // namespace barscope::tool
