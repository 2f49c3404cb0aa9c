#include <evidence/captures_json.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include <evidence/json_fields.h>

namespace barscope::tool {

namespace {

using nlohmann::json;
using safety::Word;
using safety::WordStatus;

constexpr std::array all_statuses{WordStatus::ok,
                                  WordStatus::all_ones_alive,
                                  WordStatus::poison,
                                  WordStatus::torn,
                                  WordStatus::lost,
                                  WordStatus::gone,
                                  WordStatus::bar_dead,
                                  WordStatus::unconfirmed_ones,
                                  WordStatus::not_attempted,
                                  WordStatus::side_effect,
                                  WordStatus::unclaimed,
                                  WordStatus::write_only,
                                  WordStatus::out_of_range,
                                  WordStatus::misaligned,
                                  WordStatus::illegal_width,
                                  WordStatus::short_source,
                                  WordStatus::touches_forbidden,
                                  WordStatus::not_covered,
                                  WordStatus::window_not_selected,
                                  WordStatus::redacted};

std::optional<WordStatus> parse_status(std::string_view text) {
    const auto found = std::find_if(all_statuses.begin(), all_statuses.end(),
                                    [&](WordStatus status) { return safety::name(status) == text; });
    return found == all_statuses.end() ? std::nullopt : std::optional(*found);
}

std::optional<Place> parse_place(std::string_view text) {
    for (Place place = 0; place < place_count; ++place) {
        if (place_name(place) == text) {
            return place;
        }
    }
    return std::nullopt;
}

std::optional<ErrorCode> parse_code(std::string_view text) {
    for (const ErrorCode code : {ErrorCode::usage, ErrorCode::refused, ErrorCode::absent,
                                 ErrorCode::permission, ErrorCode::bad_input, ErrorCode::output}) {
        if (name(code) == text) {
            return code;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> parse_digits(std::string_view text) {
    std::uint64_t value = 0;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit && (c < 'a' || c > 'f')) {
            return std::nullopt;
        }
        value = value << 4 | static_cast<std::uint64_t>(digit ? c - '0' : c - 'a' + 10);
    }
    return value;
}

using Key = std::tuple<Place, std::string, unsigned>;

class Reader {
  public:
    explicit Reader(const std::string& where) : where_(where) {}

    Result<Recording> read(const json& passes) {
        Recording recording;
        if (!passes.is_array() || passes.empty()) {
            return fail(bad_snapshot(where_, "/captures", "an array of at least one pass is expected"));
        }
        for (std::size_t i = 0; i < passes.size() && !error_; ++i) {
            recording.passes.push_back(read_pass(passes[i], "/captures/" + std::to_string(i), recording));
        }
        if (error_) {
            return fail(std::move(*error_));
        }
        return recording;
    }

  private:
    void keep(const std::optional<Error>& error) {
        if (!error_ && error) {
            error_ = error;
        }
    }
    void wrong(const std::string& pointer, const std::string& what) {
        if (!error_) {
            error_ = bad_snapshot(where_, pointer, what);
        }
    }

    RecordedPass read_pass(const json& object, const std::string& pointer, Recording& recording) {
        RecordedPass pass;
        JsonFields fields(object, pointer, where_);
        recording.config_size =
            std::max(recording.config_size,
                     static_cast<std::uint32_t>(std::min<std::uint64_t>(fields.hex("configSize"), 4096)));
        pass.started_ns = fields.decimal("startedNs");
        pass.monotonic_ns = fields.decimal("monotonicNs");
        pass.stopped = fields.text_or("stopped", "");
        if (const json* refusal = fields.find("refusal")) {
            pass.refusal = read_error(*refusal, pointer + "/refusal");
        }
        if (const json* counters = fields.find("counters")) {
            read_counters(*counters, pointer + "/counters", pass);
        }
        const json* sources = fields.array("sources");
        const json* blocks = fields.array("blocks");
        keep(fields.error());
        for (std::size_t i = 0; sources != nullptr && i < sources->size() && !error_; ++i) {
            pass.sources.push_back(read_source((*sources)[i], pointer + "/sources/" + std::to_string(i)));
        }
        std::map<Key, RecordedRun> runs;
        for (std::size_t i = 0; blocks != nullptr && i < blocks->size() && !error_; ++i) {
            read_block((*blocks)[i], pointer + "/blocks/" + std::to_string(i), runs);
        }
        for (auto& [key, run] : runs) {
            pass.runs.push_back(std::move(run));
        }
        return pass;
    }

    void read_counters(const json& counters, const std::string& pointer, RecordedPass& pass) {
        if (!counters.is_array()) {
            wrong(pointer, "an array is expected");
            return;
        }
        for (std::size_t i = 0; i < counters.size() && !error_; ++i) {
            JsonFields fields(counters[i], pointer + "/" + std::to_string(i), where_);
            RecordedCounter counter;
            counter.name = fields.text("name");
            if (fields.find("value") != nullptr) {
                counter.value = fields.decimal("value");
            } else {
                counter.why = fields.text("why");
            }
            keep(fields.error());
            pass.counters.push_back(std::move(counter));
        }
    }

    Error read_error(const json& object, const std::string& pointer) {
        JsonFields fields(object, pointer, where_);
        Error error;
        const auto code = parse_code(fields.text("code"));
        if (!code) {
            fields.wrong("code", "the kind of an error");
        }
        error.code = code.value_or(ErrorCode::absent);
        error.cause = fields.text("cause");
        error.what = fields.text("what");
        error.where = fields.text("where");
        error.remedy = fields.text("remedy");
        keep(fields.error());
        return error;
    }

    Place read_place(JsonFields& fields) {
        const auto place = parse_place(fields.text("space"));
        if (!place) {
            fields.wrong("space", "bar0 to bar5 or config");
        }
        return place.value_or(0);
    }

    RecordedSource read_source(const json& object, const std::string& pointer) {
        RecordedSource source;
        JsonFields fields(object, pointer, where_);
        source.place = read_place(fields);
        if (const json* refusal = fields.find("refusal")) {
            source.refusal = read_error(*refusal, pointer + "/refusal");
            keep(fields.error());
            return source;
        }
        source.description = fields.text("source");
        source.size = fields.hex("size");
        source.loads = fields.number("loads");
        source.sentinel_loads = fields.number("sentinelLoads");
        source.started_ns = fields.decimal("startedNs");
        source.elapsed_ns = fields.number("elapsedNs");
        source.device_gone = fields.flag_or("deviceGone", false);
        source.note = fields.text_or("note", "");
        keep(fields.error());
        return source;
    }

    void read_block(const json& object, const std::string& pointer, std::map<Key, RecordedRun>& runs) {
        JsonFields fields(object, pointer, where_);
        const Place place = read_place(fields);
        const std::uint64_t width = fields.number("width");
        const std::uint64_t count = fields.number("count");
        const std::uint64_t stride = fields.number("stride");
        const std::uint64_t offset = fields.hex("offset");
        const std::string window = fields.text_or("window", "");
        const json* words = fields.find("words");
        if (words == nullptr || !words->is_string()) {
            fields.wrong("words", "a text");
        }
        if (width != 8 && width != 16 && width != 32 && width != 64) {
            fields.wrong("width", "8, 16, 32 or 64");
        }
        keep(fields.error());
        if (error_) {
            return;
        }
        const std::string& digits = words->get_ref<const std::string&>();
        const std::uint64_t span = count == 0 ? 0 : count - 1;
        if (count == 0 || digits.size() / (width / 4) != count || digits.size() % (width / 4) != 0) {
            wrong(pointer, "count words of width bits each are expected in \"words\"");
            return;
        }
        if (stride == 0 || (span != 0 && stride > (UINT64_MAX - offset - 8) / span)) {
            wrong(pointer, "the words reach beyond what an address can hold");
            return;
        }
        RecordedRun& run = runs[{place, window, static_cast<unsigned>(width)}];
        run.place = place;
        run.window = window;
        run.width = static_cast<std::uint8_t>(width);
        if (!run.offsets.empty() && run.offsets.back() >= offset) {
            wrong(pointer, "the block stands before or within the one in front of it");
            return;
        }
        const std::size_t first = run.words.size();
        append_words(run, digits, offset, stride, pointer);
        read_marks(fields, run, first, pointer);
        read_flags(fields, run, first, pointer);
        read_pseudonyms(fields, run, first, pointer);
        check_dots(run, digits, first, pointer);
    }

    const json* optional_array(JsonFields& fields, const char* name) {
        const json* found = fields.find(name);
        if (found != nullptr && !found->is_array()) {
            fields.wrong(name, "an array");
            keep(fields.error());
            return nullptr;
        }
        return found;
    }

    void append_words(RecordedRun& run, std::string_view digits, std::uint64_t offset, std::uint64_t stride,
                      const std::string& pointer) {
        const std::size_t size = run.width / 4U;
        for (std::size_t at = 0; at < digits.size(); at += size, offset += stride) {
            Word word;
            word.status = WordStatus::ok;
            const std::string_view text = digits.substr(at, size);
            if (text.front() != '.') {
                const auto value = parse_digits(text);
                if (!value) {
                    wrong(pointer + "/words", "hex digits or dots are expected");
                    return;
                }
                word.value = *value;
            }
            run.offsets.push_back(offset);
            run.words.push_back(word);
        }
    }

    void read_marks(JsonFields& fields, RecordedRun& run, std::size_t first, const std::string& pointer) {
        const json* marks = optional_array(fields, "marks");
        for (std::size_t i = 0; marks != nullptr && i < marks->size() && !error_; ++i) {
            const json& mark = (*marks)[i];
            const bool whole = mark.is_array() && mark.size() == 3 && mark[0].is_number_unsigned() &&
                               mark[1].is_number_unsigned() && mark[2].is_string();
            const auto status =
                whole ? parse_status(mark[2].get_ref<const std::string&>()) : std::optional<WordStatus>();
            const std::uint64_t begin = whole ? mark[0].get<std::uint64_t>() : 0;
            const std::uint64_t count = whole ? mark[1].get<std::uint64_t>() : 0;
            const std::uint64_t most = run.words.size() - first;
            if (!status || begin > most || count > most - begin) {
                wrong(pointer + "/marks/" + std::to_string(i), "[first, count, status] is expected");
                return;
            }
            for (std::uint64_t at = begin; at < begin + count; ++at) {
                run.words[first + at].status = *status;
            }
        }
    }

    void read_flags(JsonFields& fields, RecordedRun& run, std::size_t first, const std::string& pointer) {
        const std::uint64_t most = run.words.size() - first;
        const json* slow = optional_array(fields, "slow");
        for (std::size_t i = 0; slow != nullptr && i < slow->size() && !error_; ++i) {
            const json& entry = (*slow)[i];
            if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_unsigned() ||
                !entry[1].is_number_unsigned() || entry[0].get<std::uint64_t>() >= most) {
                wrong(pointer + "/slow/" + std::to_string(i), "[index, nanoseconds] is expected");
                return;
            }
            Word& word = run.words[first + entry[0].get<std::uint64_t>()];
            word.flags |= safety::slow;
            word.nanoseconds = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(entry[1].get<std::uint64_t>(), UINT32_MAX));
        }
        const json* retried = optional_array(fields, "retried");
        for (std::size_t i = 0; retried != nullptr && i < retried->size() && !error_; ++i) {
            if (!(*retried)[i].is_number_unsigned() || (*retried)[i].get<std::uint64_t>() >= most) {
                wrong(pointer + "/retried/" + std::to_string(i), "an index is expected");
                return;
            }
            run.words[first + (*retried)[i].get<std::uint64_t>()].flags |= safety::answered_on_retry;
        }
    }

    void read_pseudonyms(JsonFields& fields, RecordedRun& run, std::size_t first,
                         const std::string& pointer) {
        const json* pseudonyms = optional_array(fields, "pseudonyms");
        std::size_t least = first;
        for (std::size_t i = 0; pseudonyms != nullptr && i < pseudonyms->size() && !error_; ++i) {
            const json& entry = (*pseudonyms)[i];
            const bool whole = entry.is_array() && entry.size() == 2 && entry[0].is_number_unsigned() &&
                               entry[1].is_string();
            const std::uint64_t index = whole ? entry[0].get<std::uint64_t>() : run.words.size();
            if (index >= run.words.size() - first || first + index < least) {
                wrong(pointer + "/pseudonyms/" + std::to_string(i),
                      "[index, text] is expected, ascending by index");
                return;
            }
            run.pseudonyms.emplace_back(static_cast<std::uint32_t>(first + index),
                                        entry[1].get_ref<const std::string&>());
            least = first + index + 1;
        }
    }

    // Dots are no value, whatever the marks say.
    void check_dots(const RecordedRun& run, std::string_view digits, std::size_t first,
                    const std::string& pointer) {
        const std::size_t size = run.width / 4U;
        for (std::size_t i = first; i < run.words.size() && !error_; ++i) {
            if (digits[(i - first) * size] == '.' && safety::has_value(run.words[i].status)) {
                wrong(pointer,
                      "word " + std::to_string(i - first) + " has no digits and no mark that says why");
            }
        }
    }

    const std::string& where_;
    std::optional<Error> error_;
};

} // namespace

Result<Recording> parse_captures(std::string_view text, const std::string& where) {
    const json passes = json::parse(text, nullptr, false);
    if (passes.is_discarded()) {
        return fail(bad_snapshot(where, "/captures", "JSON is expected"));
    }
    return Reader(where).read(passes);
}

} // namespace barscope::tool
