#include <fwlog/ring.h>

#include <algorithm>

#include <regmaps/decode.h>

#include "gaps.h"

namespace barscope::fwlog {

namespace {

using regmaps::DecodedField;
using regmaps::RegisterMap;

// How many entries the device wrote between the two looks at its producer.
std::uint64_t written_meanwhile(const RingImage& image) {
    if (!image.before || !image.after || image.count == 0) {
        return 0;
    }
    const bool wrapped = *image.after < *image.before;
    const bool index = *image.before < image.count && *image.after < image.count;
    if (wrapped && !index) {
        return image.count; // the counter itself began anew: nothing is certain
    }
    return std::min(image.count,
                    wrapped ? *image.after + image.count - *image.before : *image.after - *image.before);
}

bool is(std::string_view name, std::string_view one, std::string_view other) {
    return name == one || name == other;
}

class RingSource final : public Source {
  public:
    RingSource(const RingImage& image, const RegisterMap& map, regmaps::Index structure)
        : image_(image), map_(map), structure_(structure), size_(map.structures[structure].size),
          source_name_("ring " + image.name), meanwhile_(written_meanwhile(image)),
          first_(image.before && image.count != 0 ? *image.before % image.count : 0) {}

    Result<bool> next(Record& record) override {
        if (gaps_.take_held(record)) {
            return true;
        }
        while (step_ < image_.count) {
            const std::uint64_t age = step_++;
            const std::uint64_t slot = (first_ + age) % image_.count;
            const auto bytes = std::span(image_.bytes).subspan(static_cast<std::size_t>(slot * size_), size_);
            const std::string& unread = image_.unread[static_cast<std::size_t>(slot)];
            if (unread.empty() &&
                std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; })) {
                continue;
            }
            record.clear();
            read(bytes, slot, record);
            // The oldest entries are the ones that are written to next.
            record.overwritten = image_.before && age < meanwhile_;
            gaps_.see(record);
            return true;
        }
        return false;
    }

  private:
    void read(std::span<const std::uint8_t> bytes, std::uint64_t slot, Record& record) {
        record.source = source_name_;
        record.line = slot + 1;
        record.raw = {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        record.text = std::make_unique<std::string>();
        for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
            record.data.push_back(std::uint64_t{bytes[i]} | std::uint64_t{bytes[i + 1]} << 8U |
                                  std::uint64_t{bytes[i + 2]} << 16U | std::uint64_t{bytes[i + 3]} << 24U);
        }
        record.data_width = 32;
        const std::string& unread = image_.unread[static_cast<std::size_t>(slot)];
        const auto decoded = regmaps::decode_structure(map_, structure_, bytes);
        if (!unread.empty() || !decoded) {
            record.kind = RecordKind::unparsed;
            record.parse_error = unread.empty() ? std::string_view("no entry of this structure") : unread;
            record.data.clear();
            return;
        }
        for (const DecodedField& field : decoded->fields) {
            take_field(field, bytes, record);
        }
        record.message = *record.text;
    }

    void take_field(const DecodedField& decoded, std::span<const std::uint8_t> bytes, Record& record) {
        const bool known = decoded.field != regmaps::none;
        const std::string_view name =
            known ? map_.text(map_.fields[decoded.field].name) : std::string_view("?");
        const std::string_view meaning = decoded.enum_value == regmaps::none
                                             ? std::string_view()
                                             : map_.text(map_.enum_values[decoded.enum_value].name);
        std::string& text = *record.text;
        text += text.empty() ? "" : ", ";
        text += name;
        text += ' ';
        if (known && map_.fields[decoded.field].bytes != 0) {
            text += regmaps::field_text(map_, map_.fields[decoded.field], bytes);
            return;
        }
        text += known ? regmaps::field_text(map_, map_.fields[decoded.field], decoded.value)
                      : std::to_string(decoded.value);
        text += meaning.empty() ? "" : " ";
        text += meaning;
        if (is(name, "SEQ", "SEQUENCE")) {
            record.sequence = decoded.value;
            record.sequence_bits = static_cast<std::uint8_t>(decoded.msb - decoded.lsb + 1);
        } else if (name == "CODE") {
            record.code = decoded.value;
            record.code_name = meaning;
        } else if (is(name, "TIME", "TIMESTAMP")) {
            record.time_ns = decoded.value;
            record.clock = Clock::device;
        } else if (is(name, "LEVEL", "SEVERITY")) {
            record.level = record.severity = severity_of_level(static_cast<unsigned>(decoded.value & 0xffU));
        }
    }

    const RingImage& image_;
    const RegisterMap& map_;
    regmaps::Index structure_;
    std::size_t size_;
    std::string source_name_;
    std::uint64_t meanwhile_, first_, step_ = 0;
    Gaps gaps_;
};

} // namespace

std::unique_ptr<Source> make_ring_source(const RingImage& image, const RegisterMap& map,
                                         regmaps::Index structure) {
    return std::make_unique<RingSource>(image, map, structure);
}

std::uint64_t empty_entries(const RingImage& image, std::size_t entry_size) {
    std::uint64_t empty = 0;
    for (std::uint64_t slot = 0; slot < image.count; ++slot) {
        const auto bytes =
            std::span(image.bytes).subspan(static_cast<std::size_t>(slot) * entry_size, entry_size);
        const bool zero = std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b == 0; });
        empty += zero && image.unread[static_cast<std::size_t>(slot)].empty() ? 1U : 0U;
    }
    return empty;
}

} // namespace barscope::fwlog
