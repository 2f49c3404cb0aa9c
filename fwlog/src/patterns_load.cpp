// Pattern files into a PatternSet.
#include <fwlog/patterns.h>

#include <algorithm>

#include "patterns_document.h"

namespace barscope::fwlog {

namespace {

using document::below;
using document::event;
using document::json;
using document::kind;
using document::member;
using document::Mistake;
using document::number;
using document::only;
using document::split;
using document::text;

class Loader {
  public:
    Loader(std::vector<std::unique_ptr<Pattern>>& patterns, std::vector<std::unique_ptr<NameTable>>& tables,
           std::vector<std::string>& drivers)
        : patterns_(patterns), tables_(tables), drivers_(drivers) {}

    void load(const json& document) {
        only(document, "",
             {"$schema", "formatVersion", "name", "title", "sources", "drivers", "names", "patterns"});
        if (document.value("formatVersion", 0) != 1) {
            throw Mistake{"/formatVersion", "this version reads format 1"};
        }
        const json names = member(document, "names");
        for (const auto& [table_name, values] : names.items()) {
            load_table(table_name, values);
        }
        for (const json& driver : member(document, "drivers")) {
            drivers_.push_back(text(driver, "/drivers"));
            if (drivers_.back().size() < 4) {
                throw Mistake{"/drivers", "a driver's name has at least four letters"};
            }
        }
        std::size_t number = 0;
        for (const json& entry : member(document, "patterns")) {
            load_entry(entry, "/patterns/" + std::to_string(number++));
        }
    }

  private:
    void load_table(const std::string& table_name, const json& values) {
        auto table = std::make_unique<NameTable>();
        table->name = table_name;
        const std::string root = below("/names", table_name);
        for (const auto& [key, value] : values.items()) {
            const std::string where = below(root, key);
            table->names[number(key, where)] = text(value, where);
        }
        tables_.push_back(std::move(table));
    }

    const NameTable* table(const std::string& wanted, const std::string& where) const {
        for (auto entry = tables_.rbegin(); entry != tables_.rend(); ++entry) {
            if ((*entry)->name == wanted) {
                return entry->get();
            }
        }
        throw Mistake{where, "there is no table of names \"" + wanted + "\""};
    }

    // "pattern" may be a list: the same message in several wordings.
    void load_entry(const json& entry, const std::string& where) {
        only(entry, where,
             {"name", "pattern", "meaning", "severity", "event", "code", "fields", "differences"});
        const json wordings = member(entry, "pattern");
        if (!wordings.is_array()) {
            load_pattern(entry, text(wordings, where + "/pattern"), where);
            return;
        }
        for (const json& wording : wordings) {
            load_pattern(entry, text(wording, where + "/pattern"), where);
        }
    }

    void load_pattern(const json& entry, const std::string& wording, const std::string& where) {
        auto pattern = std::make_unique<Pattern>();
        pattern->name = text(member(entry, "name"), where + "/name");
        pattern->meaning = text(member(entry, "meaning"), where + "/meaning");
        const json severity = member(entry, "severity");
        if (!severity.is_null()) {
            const auto parsed = parse_severity(text(severity, where + "/severity"));
            if (!parsed) {
                throw Mistake{where + "/severity", "debug, info, notice, warning, error or critical"};
            }
            pattern->severity = *parsed;
        }
        pattern->event = event(member(entry, "event"), where + "/event");
        split(wording, *pattern, where + "/pattern");
        load_fields(member(entry, "fields"), *pattern, where + "/fields");
        if (const json code = member(entry, "code"); !code.is_null()) {
            pattern->code_field = static_cast<int>(find_field(*pattern, text(code, where), where + "/code"));
        }
        for (const json& difference : member(entry, "differences")) {
            load_difference(difference, *pattern, where + "/differences");
        }
        patterns_.push_back(std::move(pattern));
    }

    static std::size_t find_field(const Pattern& pattern, const std::string& wanted,
                                  const std::string& where) {
        for (std::size_t i = 0; i < pattern.fields.size(); ++i) {
            if (pattern.fields[i].name == wanted) {
                return i;
            }
        }
        throw Mistake{where, "the pattern has no field \"" + wanted + "\""};
    }

    void load_fields(const json& fields, Pattern& pattern, const std::string& where) {
        if (fields.is_null()) {
            return;
        }
        for (const auto& [key, value] : fields.items()) {
            bool found = false;
            for (PatternField& field : pattern.fields) {
                found = found || field.name == key;
            }
            // A field of another wording of the same message is fine as long as one of them has it.
            if (found) {
                load_field(value, pattern.fields[find_field(pattern, key, where)], below(where, key));
            }
        }
    }

    void load_field(const json& value, PatternField& field, const std::string& where) {
        if (value.is_string()) {
            field.kind = kind(text(value, where), where);
            return;
        }
        only(value, where,
             {"type", "bits", "negative", "errno", "series", "unit", "names", "structure", "mapNames",
              "parts", "compare"});
        field.kind = kind(text(member(value, "type"), where + "/type"), where);
        field.bits = static_cast<std::uint8_t>(value.value("bits", 32));
        if (field.bits == 0 || field.bits > 64) {
            throw Mistake{where + "/bits", "1 to 64"};
        }
        field.negative = value.value("negative", false);
        field.error_number = value.value("errno", false);
        field.series = value.value("series", false);
        field.unit = value.value("unit", std::string());
        field.structure = value.value("structure", std::string());
        field.map_names = value.value("mapNames", std::string());
        field.compare = value.value("compare", std::string());
        if (const json names = member(value, "names"); !names.is_null()) {
            field.names = table(text(names, where + "/names"), where + "/names");
        }
        for (const json& part : member(value, "parts")) {
            const auto msb = part.at(0).get<unsigned>();
            const auto lsb = part.at(1).get<unsigned>();
            if (msb > 63 || lsb > msb) {
                throw Mistake{where + "/parts", "[msb, lsb], highest bits first"};
            }
            field.parts.push_back({static_cast<std::uint8_t>(lsb), static_cast<std::uint8_t>(msb)});
        }
    }

    static void load_difference(const json& value, Pattern& pattern, const std::string& where) {
        only(value, where, {"name", "from", "minus", "modulus", "note"});
        Difference difference;
        difference.name = text(member(value, "name"), where + "/name");
        difference.note = value.value("note", std::string());
        difference.minuend = find_field(pattern, text(member(value, "from"), where), where + "/from");
        difference.subtrahend = find_field(pattern, text(member(value, "minus"), where), where + "/minus");
        difference.modulus = value.value("modulus", std::uint64_t{0});
        pattern.differences.push_back(std::move(difference));
    }

    std::vector<std::unique_ptr<Pattern>>& patterns_;
    std::vector<std::unique_ptr<NameTable>>& tables_;
    std::vector<std::string>& drivers_;
};

Error bad_file(std::string_view origin, const std::string& what, const std::string& where) {
    return {.code = ErrorCode::bad_input,
            .cause = "bad-patterns",
            .what = what,
            .where = std::string(origin) + (where.empty() ? "" : ": " + where),
            .remedy = "docs/fwlog.md describes pattern files"};
}

// "PATTERN.FIELD" of a compare names something that exists.
bool resolve_compare(const std::vector<std::unique_ptr<Pattern>>& patterns, const std::string& wanted) {
    for (const auto& pattern : patterns) {
        for (const PatternField& field : pattern->fields) {
            if (wanted == pattern->name + "." + field.name) {
                pattern->remembered = true;
                return true;
            }
        }
    }
    return false;
}

} // namespace

std::string_view NameTable::find(std::uint64_t value) const {
    const auto found = names.find(value);
    return found == names.end() ? std::string_view() : std::string_view(found->second);
}

const NameTable* PatternSet::table(std::string_view wanted) const {
    for (const auto& entry : tables_) {
        if (entry->name == wanted) {
            return entry.get();
        }
    }
    return nullptr;
}

Result<void> PatternSet::add(std::string_view document, std::string_view origin) {
    const std::size_t first = patterns_.size();
    const std::size_t first_driver = drivers_.size();
    const json parsed = json::parse(document, nullptr, false);
    if (parsed.is_discarded()) {
        return fail(bad_file(origin, "the pattern file is not JSON", {}));
    }
    try {
        Loader(patterns_, tables_, drivers_).load(parsed);
        if (patterns_.size() > UINT16_MAX || drivers_.size() > UINT16_MAX) {
            throw Mistake{"/patterns", "more than 65,535 patterns"};
        }
    } catch (const Mistake& mistake) {
        return fail(bad_file(origin, mistake.what, mistake.where));
    } catch (const json::exception& error) {
        return fail(bad_file(origin, error.what(), {}));
    }
    for (std::size_t i = first; i < patterns_.size(); ++i) {
        for (const PatternField& field : patterns_[i]->fields) {
            if (!field.compare.empty() && !resolve_compare(patterns_, field.compare)) {
                return fail(bad_file(origin, "there is no field \"" + field.compare + "\" to compare with",
                                     "/patterns/" + patterns_[i]->name));
            }
        }
        index(i);
    }
    for (std::size_t i = first_driver; i < drivers_.size(); ++i) {
        driver_starts_[bucket_of(drivers_[i])].push_back(static_cast<std::uint16_t>(i));
        gates_[bucket_of(drivers_[i])] = true;
    }
    return {};
}

void PatternSet::index(std::size_t pattern) {
    const std::string& start = patterns_[pattern]->pieces.front().literal;
    auto& bucket =
        start.size() >= 4 ? by_start_[bucket_of(start)] : by_byte_[static_cast<unsigned char>(start[0])];
    bucket.push_back(static_cast<std::uint16_t>(pattern));
    if (start.size() >= 4) {
        starts_[bucket_of(start)] = true;
    }
}

} // namespace barscope::fwlog
