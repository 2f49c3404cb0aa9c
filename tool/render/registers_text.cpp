#include <render/registers_text.h>

#include <algorithm>
#include <map>

#include <capture/names.h>
#include <capture/unread.h>
#include <render/digits.h>
#include <render/escape.h>
#include <render/field_lines.h>
#include <render/identity.h>
#include <render/size_text.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::DecodedRegister;
using regmaps::Index;
using regmaps::none;
using regmaps::RegisterMap;
using safety::WordStatus;

constexpr std::size_t widest_register_name = 44;
constexpr std::size_t fold_from = 4;   // shorter runs are printed line by line
constexpr std::size_t gather_from = 3; // so are fewer flags

// Registers at positions [begin, end) of Capture::shown.
struct Run {
    std::size_t begin = 0, end = 0;
};

class RegisterText {
  public:
    RegisterText(Output& output, const Style& style, const Subject& subject, const Capture& capture,
                 bool compact)
        : output_(output), style_(style), map_(subject.map), capture_(capture), compact_(compact) {}

    void render() {
        for (std::size_t i = 0; i < capture_.shown.size();) {
            const std::size_t end = same_space(i);
            render_space({i, end});
            i = end;
        }
    }

  private:
    const DecodedRegister& at(std::size_t i) const { return capture_.decoded.registers[capture_.shown[i]]; }
    const regmaps::Register& definition(std::size_t i) const { return map_.registers[at(i).instance.reg]; }
    bool has_value(std::size_t i) const { return safety::has_value(at(i).word.status); }
    std::uint8_t refusal(std::size_t i) const { return capture_.refusal[capture_.shown[i]]; }

    std::size_t same_space(std::size_t i) const {
        const Index space = definition(i).space;
        while (i < capture_.shown.size() && definition(i).space == space) {
            ++i;
        }
        return i;
    }

    // Without a value, and for one and the same reason.
    std::size_t same_reason(std::size_t i, std::size_t end) const {
        const WordStatus status = at(i).word.status;
        const std::uint8_t refused = refusal(i);
        const bool held = capture_.held[capture_.shown[i]];
        while (i < end && !has_value(i) && at(i).word.status == status && refusal(i) == refused &&
               capture_.held[capture_.shown[i]] == held) {
            ++i;
        }
        return i;
    }

    std::string_view name_of(std::size_t i) {
        name_.clear();
        regmaps::append_instance_name(map_, at(i).instance, name_);
        return name_;
    }

    void render_space(Run run) {
        std::string& out = output_.text();
        append_space_heading(out, definition(run.begin).space);
        name_width_ = 4;
        std::uint64_t last_offset = 0;
        for (std::size_t i = run.begin; i < run.end; ++i) {
            name_width_ = std::max(name_width_, std::min(name_of(i).size(), widest_register_name));
            last_offset = std::max(last_offset, at(i).instance.offset);
        }
        offset_digits_ = std::max(hex_length(last_offset), 3U);
        fields_.emplace(map_, style_, 2 + 2 + offset_digits_ + 2);
        for (std::size_t i = run.begin; i < run.end; ++i) {
            fields_->fit(definition(i).fields);
        }
        for (std::size_t i = run.begin; i < run.end;) {
            i = has_value(i) ? render_register(i) : render_run({i, same_reason(i, run.end)});
            output_.drain();
        }
    }

    void append_space_heading(std::string& out, Index index) {
        const regmaps::Space& space = map_.spaces[index];
        const regmaps::PlacedSpace& placed = capture_.layout.spaces[index];
        out += '\n';
        style_.begin(out, Ink::heading);
        out += map_.text(space.name);
        style_.end(out, Ink::heading);
        out += placed.config ? "  configuration space" : "  BAR ";
        if (!placed.config) {
            append_decimal(out, placed.bar);
        }
        if (placed.base != 0) {
            out += " at ";
            append_hex(out, placed.base);
        }
        if (space.title.size != 0) {
            out += ": ";
            append_safe(out, map_.text(space.title));
        }
        out += '\n';
    }

    // "  0x0520  NAME      ", in one piece: see FieldLines.
    void append_place(std::string& out, std::uint64_t offset, std::string_view name) const {
        const std::size_t name_at = out.size() + 2 + 2 + offset_digits_ + 2;
        out += "  ";
        append_hex(out, offset, offset_digits_);
        out.resize(name_at + std::max(name.size(), name_width_) + 2, ' ');
        std::copy(name.begin(), name.end(), out.begin() + static_cast<std::ptrdiff_t>(name_at));
    }

    std::size_t render_register(std::size_t i) {
        std::string& out = output_.text();
        const DecodedRegister& decoded = at(i);
        const regmaps::Register& reg = definition(i);
        append_place(out, decoded.instance.offset, name_of(i));
        append_hex(out, decoded.word.value, reg.width / 4U);
        if (reg.display != regmaps::Display::hex || reg.unit.size != 0) {
            out += "  ";
            out += regmaps::register_text(map_, reg, decoded.word.value);
        }
        append_meaning(out, style_, map_, decoded.enum_value,
                       decoded.enum_value == none ? regmaps::Severity::unspecified
                                                  : map_.enum_values[decoded.enum_value].severity);
        append_marks(out, decoded.word);
        out += '\n';
        const auto fields =
            std::span(capture_.decoded.fields).subspan(decoded.fields.begin, decoded.fields.count);
        append_fields(out, fields, capture_.shown[i]);
        return i + 1;
    }

    void append_fields(std::string& out, std::span<const DecodedField> fields, Index position) const {
        const auto quiet = [this](const DecodedField& field) { return FieldLines::is_quiet(map_, field); };
        const bool gather = compact_ && std::count_if(fields.begin(), fields.end(), quiet) >=
                                            static_cast<std::ptrdiff_t>(gather_from);
        for (const DecodedField& field : fields) {
            const bool wanted = capture_.fields.empty() || shows_field(capture_, position, field.field);
            if (wanted && !(gather && quiet(field))) {
                fields_->append(out, field);
            }
        }
        if (gather) {
            fields_->append_quiet(out, fields);
        }
    }

    void append_marks(std::string& out, const safety::Word& word) const {
        if (word.status == WordStatus::all_ones_alive) {
            style_.put(out, Ink::notice, "  (all ones; the device answers)");
        }
        if ((word.flags & safety::slow) != 0) {
            style_.begin(out, Ink::warning);
            out += "  [slow: ";
            append_decimal(out, word.nanoseconds / 1'000'000);
            out += " ms]";
            style_.end(out, Ink::warning);
        }
        if ((word.flags & safety::answered_on_retry) != 0) {
            style_.put(out, Ink::warning, "  [answered on retry]");
        }
    }

    // Whole runs share a cause that lies outside of each register: one line says it.
    static bool folds_whole(WordStatus status) {
        return status == WordStatus::not_attempted || status == WordStatus::gone ||
               status == WordStatus::not_covered || status == WordStatus::short_source ||
               status == WordStatus::window_not_selected;
    }

    std::size_t render_run(Run run) {
        if (run.end - run.begin >= fold_from && folds_whole(at(run.begin).word.status) &&
            !capture_.held[capture_.shown[run.begin]]) {
            append_folded(run.begin, run.end - 1, run.end - run.begin);
            return run.end;
        }
        // Elements of arrays fold, also where several arrays interleave.
        std::map<Index, std::vector<std::size_t>> by_definition;
        for (std::size_t i = run.begin; i < run.end; ++i) {
            by_definition[at(i).instance.reg].push_back(i);
        }
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const std::vector<std::size_t>& elements = by_definition[at(i).instance.reg];
            if (elements.size() < fold_from) {
                append_unread(i);
            } else if (elements.front() == i) {
                append_folded(i, elements.back(), elements.size());
            }
            output_.drain();
        }
        return run.end;
    }

    Ink ink_of_unread(std::size_t i) const {
        const WordStatus status = at(i).word.status;
        const bool lost = status == WordStatus::lost || status == WordStatus::torn || was_loaded(status);
        return lost ? Ink::critical : Ink::dim;
    }

    void append_reason(std::string& out, std::size_t i) const {
        const Ink ink = ink_of_unread(i);
        const WordStatus status = at(i).word.status;
        style_.begin(out, ink);
        if (was_loaded(status)) {
            append_hex(out, at(i).word.value, definition(i).width / 4U);
            out += " is not a value: ";
        } else if (refusal(i) != 0 || status == WordStatus::not_attempted || status == WordStatus::lost) {
            out += "not read: ";
        }
        append_safe(out, reason(map_, capture_, capture_.shown[i]));
        style_.end(out, ink);
        append_marks(out, at(i).word);
    }

    void append_unread(std::size_t i) {
        std::string& out = output_.text();
        append_place(out, at(i).instance.offset, name_of(i));
        append_reason(out, i);
        out += '\n';
    }

    void append_folded(std::size_t first, std::size_t last, std::size_t count) {
        std::string& out = output_.text();
        out += "  ";
        append_hex(out, at(first).instance.offset, offset_digits_);
        out += "  ";
        out += name_of(first);
        out += " to ";
        out += name_of(last);
        out += " (";
        append_decimal(out, count);
        out += ")  ";
        append_reason(out, first);
        out += '\n';
    }

    Output& output_;
    const Style& style_;
    const RegisterMap& map_;
    const Capture& capture_;
    bool compact_;
    std::optional<FieldLines> fields_;
    std::string name_;
    std::size_t name_width_ = 4;
    unsigned offset_digits_ = 3;
};

void append_derived(std::string& out, const Style& style, const RegisterMap& map, const Capture& capture) {
    std::size_t width = 4;
    std::vector<std::pair<const regmaps::DecodedValue*, std::optional<std::string>>> shown;
    for (const regmaps::DecodedValue& value : capture.decoded.derived) {
        auto unknown = why_unknown(map, capture, value);
        if (value.applies && !capture.undecided[value.derived] && (value.value || unknown)) {
            width = std::max<std::size_t>(width, map.derived[value.derived].name.size);
            shown.emplace_back(&value, std::move(unknown));
        }
    }
    if (shown.empty()) {
        return;
    }
    out += '\n';
    style.put(out, Ink::heading, "derived");
    out += '\n';
    for (const auto& [value, unknown] : shown) {
        const regmaps::Derived& derived = map.derived[value->derived];
        out += "  ";
        out += map.text(derived.name);
        pad(out, derived.name.size, width);
        out += "  ";
        if (unknown) {
            style.begin(out, Ink::warning);
            out += "unknown: ";
            append_safe(out, *unknown);
            style.end(out, Ink::warning);
        } else {
            out += regmaps::derived_text(map, derived, *value->value);
            append_meaning(out, style, map, value->enum_value,
                           value->enum_value == none ? regmaps::Severity::unspecified
                                                     : map.enum_values[value->enum_value].severity);
        }
        out += '\n';
    }
}

void append_missing(std::string& out, const Style& style, const RegisterMap& map, std::string_view heading,
                    const std::vector<const regmaps::Missing*>& missing) {
    if (missing.empty()) {
        return;
    }
    out += '\n';
    style.put(out, Ink::heading, heading);
    out += '\n';
    // One reason stands for many registers: they are told together, in the order of the map.
    std::map<std::string_view, std::vector<Index>> by_reason;
    for (const regmaps::Missing* entry : missing) {
        by_reason[entry->why].push_back(entry->reg);
    }
    for (const auto& [why, registers] : by_reason) {
        out += "  ";
        append_safe(out, why);
        out += ":\n";
        std::size_t column = 200;
        for (const Index reg : registers) {
            const std::string name = definition_name(map, reg);
            if (column + name.size() + 2 > 100) {
                out += column == 200 ? "    " : ",\n    ";
                column = 4;
            } else {
                out += ", ";
            }
            out += name;
            column += name.size() + 2;
        }
        out += '\n';
    }
}

void append_absent(std::string& out, const Style& style, const RegisterMap& map, const Capture& capture,
                   bool all) {
    const auto list = [&](const std::vector<Index>& indices) {
        std::vector<const regmaps::Missing*> missing;
        missing.reserve(indices.size());
        for (const Index i : indices) {
            missing.push_back(&capture.layout.missing[i]);
        }
        return missing;
    };
    append_missing(out, style, map, "not known whether the device has these", list(capture.unplaced));
    // Where nothing is left to show, the reason is the answer.
    if (all || capture.shown.empty()) {
        append_missing(out, style, map, "not on this device", list(capture.absent));
    }
}

void append_summary(std::string& out, const Capture& capture) {
    std::size_t read = 0;
    std::map<std::string, std::size_t> others;
    for (const Index position : capture.shown) {
        if (safety::has_value(capture.raw.words[position].status)) {
            ++read;
        } else {
            ++others[std::string(status_name(capture, position))];
        }
    }
    out += '\n';
    append_decimal(out, read);
    out += read == 1 ? " register read" : " registers read";
    for (const auto& [status, count] : others) {
        out += ", ";
        append_decimal(out, count);
        out += ' ';
        out += status;
    }
    if (!capture.unplaced.empty()) {
        out += ", ";
        append_decimal(out, capture.unplaced.size());
        out += " not placed";
    }
    std::uint64_t loads = 0, elapsed = 0;
    for (const SourceReport& source : capture.sources) {
        loads += source.loads;
        elapsed += source.elapsed_ns;
    }
    if (!capture.offline) {
        out += "; ";
        append_decimal(out, loads);
        out += loads == 1 ? " load in " : " loads in ";
        append_duration(out, elapsed);
    }
    out += '\n';
}

} // namespace

void render_text(Output& output, const Style& style, const Subject& subject, const Capture& capture,
                 const TextOptions& options) {
    append_identity(output.text(), style, subject, &capture);
    RegisterText(output, style, subject, capture, options.compact).render();
    append_derived(output.text(), style, subject.map, capture);
    append_absent(output.text(), style, subject.map, capture, options.all);
    for (const SourceReport& source : capture.sources) {
        if (!source.note.empty()) {
            std::string& out = output.text();
            out += place_name(source.place) + ": ";
            append_safe(out, source.note);
            out += '\n';
        }
    }
    if (options.summary) {
        append_summary(output.text(), capture);
    }
}

} // namespace barscope::tool
