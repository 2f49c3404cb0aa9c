// What the entries of a ring say together.
#include <algorithm>
#include <array>

#include <render/digits.h>
#include <render/escape.h>
#include <render/ring.h>
#include <render/ring_cells.h>

namespace barscope::tool {

namespace {

using regmaps::RegisterMap;
using regmaps::Severity;

constexpr std::array states{EntryState::unread,     EntryState::valid, EntryState::consumed,
                            EntryState::stale,      EntryState::blank, EntryState::invalid,
                            EntryState::cannot_tell};
constexpr std::array bad{Severity::critical, Severity::warning, Severity::notice};

template <typename Holds>
std::uint64_t count_of(const RingReport& ring, Holds holds) {
    return static_cast<std::uint64_t>(std::count_if(ring.entries.begin(), ring.entries.end(), holds));
}

class Summary {
  public:
    Summary(std::string& out, const Style& style, const RegisterMap& map, const PastedSet& set,
            const RingOptions& options)
        : out_(out), style_(style), map_(map), set_(set), options_(options), ring_(set.ring) {}

    void append() {
        append_counts();
        append_turns();
        append_first_error();
        append_findings();
        if (!set_.stopped.empty()) {
            warn("entry " + number(options_.first + set_.places.size() - 1) +
                 " ends the walk: " + set_.stopped);
        }
        if (ring_.position) {
            for (const std::string& remark : ring_.position->remarks) {
                ring_.position->impossible&& remark.starts_with("impossible") ? warn(remark) : line(remark);
            }
        }
    }

  private:
    static std::string number(std::uint64_t value) {
        std::string text;
        append_decimal(text, value);
        return text;
    }
    static std::string entries(std::uint64_t count) {
        return number(count) + (count == 1 ? " entry" : " entries");
    }
    void line(std::string_view text) {
        out_ += text;
        out_ += '\n';
    }
    void warn(std::string_view text) {
        style_.put(out_, Ink::warning, text);
        out_ += '\n';
    }

    void append_counts() {
        if (ring_.entries.empty()) {
            return;
        }
        std::string text = entries(ring_.entries.size()) + " of " + number(set_.entry_size) + " bytes";
        if (options_.epoch) {
            text += ", consumer epoch " + number(*options_.epoch);
        }
        std::string_view before = ": ";
        for (const EntryState state : states) {
            if (const std::uint64_t count = ring_.count(state); count != 0) {
                text += before;
                text += number(count) + ' ';
                text += name(state);
                before = ", ";
            }
        }
        line(text);
        if (ring_.phased && !options_.epoch && ring_.count(EntryState::cannot_tell) != 0) {
            line("which entries are new cannot be told without --epoch, the consumer's: 0 on its first pass "
                 "over "
                 "the ring, then alternating");
        }
    }

    void append_turns() {
        if (!ring_.phased || ring_.entries.size() < 2) {
            return;
        }
        if (ring_.turn_count == 0) {
            line("the toggle is the same in all entries: all are of one pass");
            return;
        }
        const Turn& turn = ring_.turns.front();
        if (ring_.turn_count == 1) {
            line("the toggle changes from " + number(turn.from) + " to " + number(turn.to) + " at entry " +
                 number(turn.at) + ": the device writes that one next");
            return;
        }
        std::string places;
        for (const Turn& each : ring_.turns) {
            places += (places.empty() ? "" : ", ") + number(each.at);
        }
        places += ring_.turn_count > ring_.turns.size() ? ", ..." : "";
        warn("the toggle changes " + number(ring_.turn_count) + " times (at entries " + places +
             "), which one ring at one moment cannot: is it one ring, read at once, of this entry size?");
    }

    void append_first_error() {
        if (!ring_.first_error) {
            return;
        }
        const Pasted entry = pasted_entry(map_, set_, *ring_.first_error);
        std::string text = "first error: entry " + number(options_.first + *ring_.first_error);
        if (const regmaps::DecodedField* status = status_field(map_, entry)) {
            text += ", " + status_text(map_, *status);
            if (status->enum_value != regmaps::none &&
                map_.enum_values[status->enum_value].description.size != 0) {
                text += ": ";
                append_safe(text, map_.text(map_.enum_values[status->enum_value].description));
            }
        }
        warn(text);
    }

    void append_findings() {
        for (const bool stale : {false, true}) {
            for (const Severity severity : bad) {
                if (const std::uint64_t count = ring_.count(severity, stale); count != 0) {
                    line(entries(count) + " with severity " + std::string(regmaps::name(severity)) +
                         (stale ? ", of another pass" : ""));
                }
            }
        }
        const auto tell = [&](std::uint64_t count, std::string_view what) {
            if (count != 0) {
                warn(entries(count) + std::string(what));
            }
        };
        tell(count_of(ring_, [](const RingEntry& e) { return e.unknown_type; }),
             " of a type that the map has no layout for");
        tell(count_of(ring_, [](const RingEntry& e) { return e.unknown_status; }),
             " with a status that the map does not name");
        tell(count_of(ring_, [](const RingEntry& e) { return e.reserved; }),
             " with bits set that the map does not name: another structure, or another generation's?");
        tell(count_of(ring_, [](const RingEntry& e) { return e.foreign; }),
             " of the wrong generation: " + ring_.foreign);
    }

    std::string& out_;
    const Style& style_;
    const RegisterMap& map_;
    const PastedSet& set_;
    const RingOptions& options_;
    const RingReport& ring_;
};

void write_position(JsonWriter& json, const RingPosition& position) {
    json.key("position");
    json.begin_object();
    if (position.used) {
        json.member_number("used", *position.used);
        json.member_number("free", *position.free);
    }
    json.member_bool("impossible", position.impossible);
    json.key("remarks");
    json.begin_array();
    for (const std::string& remark : position.remarks) {
        json.string(remark);
    }
    json.end_array();
    json.end_object();
}

} // namespace

void append_ring_summary(std::string& out, const Style& style, const RegisterMap& map, const PastedSet& set,
                         const RingOptions& options) {
    Summary(out, style, map, set, options).append();
}

void write_ring(JsonWriter& json, const PastedSet& set, const RingOptions& options) {
    const RingReport& ring = set.ring;
    json.key("ring");
    json.begin_object();
    json.member_number("entries", ring.entries.size());
    json.member_number("entrySize", set.entry_size);
    json.member_number("first", options.first);
    const auto optional = [&](std::string_view name, const auto& value) {
        if (value) {
            json.member_number(name, *value);
        }
    };
    optional("size", options.size);
    optional("epoch", options.epoch);
    optional("consumer", options.consumer);
    optional("producer", options.producer);
    optional("producerEpoch", options.producer_epoch);
    json.key("states");
    json.begin_object();
    for (const EntryState state : states) {
        if (const std::uint64_t count = ring.count(state); count != 0) {
            json.member_number(name(state), count);
        }
    }
    json.end_object();
    json.member_number("toggleChanges", ring.turn_count);
    json.key("togglesAt");
    json.begin_array();
    for (const Turn& turn : ring.turns) {
        json.number(turn.at);
    }
    json.end_array();
    if (ring.first_error) {
        json.member_number("firstError", options.first + *ring.first_error);
    }
    for (const Severity severity : bad) {
        json.member_number(regmaps::name(severity), ring.count(severity, false));
    }
    json.member_number("unknownTypes", count_of(ring, [](const RingEntry& e) { return e.unknown_type; }));
    json.member_number("unknownStatuses",
                       count_of(ring, [](const RingEntry& e) { return e.unknown_status; }));
    json.member_number("reservedBits", count_of(ring, [](const RingEntry& e) { return e.reserved; }));
    json.member_number("wrongGeneration", count_of(ring, [](const RingEntry& e) { return e.foreign; }));
    if (!set.stopped.empty()) {
        json.member("stopped", set.stopped);
    }
    if (ring.position) {
        write_position(json, *ring.position);
    }
    json.end_object();
}

} // namespace barscope::tool
