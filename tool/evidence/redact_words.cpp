#include <evidence/redact_words.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <evidence/redact_digits.h>
#include <render/digits.h>

namespace barscope::tool {

namespace {

using safety::Word;
using safety::WordStatus;

// Statuses whose word holds what was loaded, value or not.
bool holds_value(WordStatus status) {
    return safety::has_value(status) || was_loaded(status);
}

void redact_word(RecordedRun& run, std::size_t index, Pseudonyms& pseudonyms) {
    Word& word = run.words[index];
    if (!holds_value(word.status)) {
        return;
    }
    std::string normal;
    append_hex_digits(normal, word.value, run.width / 4U);
    const auto place = std::lower_bound(run.pseudonyms.begin(), run.pseudonyms.end(), index,
                                        [](const auto& entry, std::size_t at) { return entry.first < at; });
    run.pseudonyms.emplace(place, static_cast<std::uint32_t>(index),
                           pseudonyms.of(IdentityKind::word, normal));
    word.value = 0;
    word.status = WordStatus::redacted;
}

struct Bytes {
    std::uint64_t begin = 0, end = 0;
};

void redact_range(RecordedPass& recorded, Place place, std::string_view window, const Bytes& range,
                  Pseudonyms& pseudonyms) {
    constexpr std::uint64_t widest = 8;
    for (RecordedRun& run : recorded.runs) {
        if (run.place != place || run.window != window) {
            continue;
        }
        const std::uint64_t from = range.begin < widest ? 0 : range.begin - widest;
        auto at = std::lower_bound(run.offsets.begin(), run.offsets.end(), from);
        for (; at != run.offsets.end() && *at < range.end; ++at) {
            if (*at + run.width / 8U > range.begin) {
                redact_word(run, static_cast<std::size_t>(at - run.offsets.begin()), pseudonyms);
            }
        }
    }
}

// A place's bytes as far as they were read, in pieces without gaps.
struct Piece {
    std::uint64_t begin = 0;
    std::string digits;
};
std::vector<Piece> memory(const std::vector<const RecordedRun*>& runs, bool big) {
    std::map<std::uint64_t, unsigned> bytes;
    for (const RecordedRun* run : runs) {
        const unsigned size = run->width / 8U;
        for (std::size_t i = 0; i < run->words.size(); ++i) {
            for (unsigned n = 0; n < size && holds_value(run->words[i].status); ++n) {
                const unsigned shift = 8 * (big ? size - 1 - n : n);
                bytes[run->offsets[i] + n] = static_cast<unsigned>(run->words[i].value >> shift & 0xff);
            }
        }
    }
    std::vector<Piece> pieces;
    for (const auto& [offset, byte] : bytes) {
        if (pieces.empty() || pieces.back().begin + pieces.back().digits.size() / 2 != offset) {
            pieces.push_back({offset, {}});
        }
        append_hex_digits(pieces.back().digits, byte, 2);
    }
    return pieces;
}

void find_bytes(const std::vector<Piece>& pieces, const std::string& digits, std::vector<Bytes>& found) {
    for (const Piece& piece : pieces) {
        for (std::size_t at = piece.digits.find(digits); at != std::string::npos;
             at = piece.digits.find(digits, at + 1)) {
            if (at % 2 == 0) {
                found.push_back({piece.begin + at / 2, piece.begin + (at + digits.size()) / 2});
            }
        }
    }
}

} // namespace

void redact_marked_words(const regmaps::RegisterMap& map, const Capture& pass, RecordedPass& recorded,
                         Pseudonyms& pseudonyms) {
    for (const regmaps::Instance& instance : pass.layout.instances) {
        const regmaps::Register& reg = map.registers[instance.reg];
        if (reg.sensitive != regmaps::Sensitive::identifier) {
            continue;
        }
        const regmaps::PlacedSpace& space = pass.layout.spaces[reg.space];
        redact_range(recorded, space.config ? config_place : space.bar,
                     space.window_select ? map.text(map.spaces[reg.space].name) : std::string_view(),
                     {instance.offset, instance.offset + reg.width / 8U}, pseudonyms);
    }
}

void redact_known_words(RecordedPass& recorded, const KnownIdentities& known, Pseudonyms& pseudonyms) {
    std::map<std::pair<Place, std::string>, std::vector<const RecordedRun*>> places;
    for (const RecordedRun& run : recorded.runs) {
        places[{run.place, run.window}].push_back(&run);
    }
    for (const auto& [key, runs] : places) {
        std::vector<Bytes> found;
        for (const bool big : {false, true}) {
            const std::vector<Piece> pieces = memory(runs, big);
            for (const KnownIdentities::Bytes& bytes : known.bytes()) {
                find_bytes(pieces, bytes.digits, found);
                find_bytes(pieces, bytes_reversed(bytes.digits), found);
            }
        }
        for (const Bytes& range : found) {
            redact_range(recorded, key.first, key.second, range, pseudonyms);
        }
    }
}

} // namespace barscope::tool
