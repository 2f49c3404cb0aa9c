#include <evidence/captures_json.h>

#include <algorithm>
#include <optional>

#include <render/digits.h>
#include <render/json_writer.h>

namespace barscope::tool {

namespace {

using safety::Word;
using safety::WordStatus;

// Statuses whose word holds what was loaded, value or not.
bool holds_digits(WordStatus status) {
    return safety::has_value(status) || status == WordStatus::poison || status == WordStatus::torn ||
           status == WordStatus::gone || status == WordStatus::bar_dead ||
           status == WordStatus::unconfirmed_ones;
}

// Words [begin, end) of a run, `stride` bytes apart.
struct Block {
    std::size_t begin = 0, end = 0;
    std::uint64_t stride = 0;
};

Block next_block(const RecordedRun& run, std::size_t begin) {
    Block block{begin, begin + 1, run.width / 8U};
    if (begin + 1 < run.offsets.size()) {
        block.stride = run.offsets[begin + 1] - run.offsets[begin];
    }
    while (block.end < run.offsets.size() &&
           run.offsets[block.end] - run.offsets[block.end - 1] == block.stride) {
        ++block.end;
    }
    if (block.end == begin + 1) {
        block.stride = run.width / 8U;
    }
    // Two that happen to have some distance are no block of their own where the second begins a denser one.
    if (block.end == begin + 2 && block.stride != run.width / 8U && block.end < run.offsets.size()) {
        block.end = begin + 1;
        block.stride = run.width / 8U;
    }
    return block;
}

class BlockWriter {
  public:
    BlockWriter(JsonWriter& json, const RecordedRun& run) : json_(json), run_(run) {}

    // Keys in alphabetical order: the text is then canonical as it is.
    void write(const Block& block) {
        json_.break_line();
        json_.begin_object();
        json_.member_number("count", block.end - block.begin);
        write_marks(block);
        json_.member_hex("offset", run_.offsets[block.begin]);
        write_pseudonyms(block);
        write_retried(block);
        write_slow(block);
        json_.member("space", place_name(run_.place));
        json_.member_number("stride", block.stride);
        json_.member_number("width", run_.width);
        if (!run_.window.empty()) {
            json_.member("window", run_.window);
        }
        write_words(block);
        json_.end_object();
    }

  private:
    // [first, count, status] of words that are anything but plainly read.
    void write_marks(const Block& block) {
        bool begun = false;
        for (std::size_t i = block.begin; i < block.end;) {
            const WordStatus status = run_.words[i].status;
            const std::size_t first = i;
            while (i < block.end && run_.words[i].status == status) {
                ++i;
            }
            if (status == WordStatus::ok) {
                continue;
            }
            if (!begun) {
                json_.key("marks");
                json_.begin_array();
                begun = true;
            }
            json_.begin_array();
            json_.number(first - block.begin);
            json_.number(i - first);
            json_.string(safety::name(status));
            json_.end_array();
        }
        if (begun) {
            json_.end_array();
        }
    }
    // [index, text] of redacted words.
    void write_pseudonyms(const Block& block) {
        const auto& all = run_.pseudonyms;
        const auto before = [](const auto& entry, std::size_t index) { return entry.first < index; };
        const auto begin = std::lower_bound(all.begin(), all.end(), block.begin, before);
        const auto end = std::lower_bound(begin, all.end(), block.end, before);
        if (begin == end) {
            return;
        }
        json_.key("pseudonyms");
        json_.begin_array();
        for (auto entry = begin; entry != end; ++entry) {
            json_.begin_array();
            json_.number(entry->first - block.begin);
            json_.string(entry->second);
            json_.end_array();
        }
        json_.end_array();
    }
    void write_retried(const Block& block) {
        bool begun = false;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            if ((run_.words[i].flags & safety::answered_on_retry) != 0) {
                if (!begun) {
                    json_.key("retried");
                    json_.begin_array();
                    begun = true;
                }
                json_.number(i - block.begin);
            }
        }
        if (begun) {
            json_.end_array();
        }
    }
    void write_slow(const Block& block) {
        bool begun = false;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            if ((run_.words[i].flags & safety::slow) != 0) {
                if (!begun) {
                    json_.key("slow");
                    json_.begin_array();
                    begun = true;
                }
                json_.begin_array();
                json_.number(i - block.begin);
                json_.number(run_.words[i].nanoseconds);
                json_.end_array();
            }
        }
        if (begun) {
            json_.end_array();
        }
    }
    void write_words(const Block& block) {
        const unsigned digits = run_.width / 4U;
        text_.clear();
        for (std::size_t i = block.begin; i < block.end; ++i) {
            const Word& word = run_.words[i];
            if (holds_digits(word.status)) {
                append_hex_digits(text_, word.value, digits);
            } else {
                text_.append(digits, '.');
            }
        }
        json_.member("words", text_);
    }

    JsonWriter& json_;
    const RecordedRun& run_;
    std::string text_;
};

void write_error_object(JsonWriter& json, const Error& error) {
    json.begin_object();
    json.member("cause", error.cause);
    json.member("code", name(error.code));
    json.member("remedy", error.remedy);
    json.member("what", error.what);
    json.member("where", error.where);
    json.end_object();
}

void member_decimal(JsonWriter& json, std::string_view name, std::uint64_t value) {
    // Nanoseconds since 1970 need 61 bits and counters 64: more than a JSON number holds.
    std::string text;
    append_decimal(text, value);
    json.member(name, text);
}

void write_source(JsonWriter& json, const RecordedSource& source) {
    json.break_line();
    json.begin_object();
    if (source.refusal) {
        json.key("refusal");
        write_error_object(json, *source.refusal);
        json.member("space", place_name(source.place));
        json.end_object();
        return;
    }
    json.member_bool("deviceGone", source.device_gone);
    json.member_number("elapsedNs", source.elapsed_ns);
    json.member_number("loads", source.loads);
    json.member("note", source.note);
    json.member_number("sentinelLoads", source.sentinel_loads);
    json.member_hex("size", source.size);
    json.member("source", source.description);
    json.member("space", place_name(source.place));
    member_decimal(json, "startedNs", source.started_ns);
    json.end_object();
}

void write_counters(JsonWriter& json, const std::vector<RecordedCounter>& counters) {
    json.key("counters");
    json.begin_array();
    for (const RecordedCounter& counter : counters) {
        json.begin_object();
        json.member("name", counter.name);
        if (counter.value) {
            member_decimal(json, "value", *counter.value);
        } else {
            json.member("why", counter.why);
        }
        json.end_object();
    }
    json.end_array();
}

} // namespace

void append_captures(std::string& out, const Recording& recording) {
    JsonWriter json(out, JsonLayout::canonical);
    json.begin_array();
    for (const RecordedPass& pass : recording.passes) {
        json.break_line();
        json.begin_object();
        json.key("blocks");
        json.begin_array();
        for (const RecordedRun& run : pass.runs) {
            BlockWriter writer(json, run);
            for (std::size_t at = 0; at < run.offsets.size();) {
                const Block block = next_block(run, at);
                writer.write(block);
                at = block.end;
            }
        }
        json.end_array();
        json.member_hex("configSize", recording.config_size);
        if (!pass.counters.empty()) {
            write_counters(json, pass.counters);
        }
        member_decimal(json, "monotonicNs", pass.monotonic_ns);
        if (pass.refusal) {
            json.key("refusal");
            write_error_object(json, *pass.refusal);
        }
        json.key("sources");
        json.begin_array();
        for (const RecordedSource& source : pass.sources) {
            write_source(json, source);
        }
        json.end_array();
        member_decimal(json, "startedNs", pass.started_ns);
        if (!pass.stopped.empty()) {
            json.member("stopped", pass.stopped);
        }
        json.end_object();
    }
    json.end_array();
}

} // namespace barscope::tool
