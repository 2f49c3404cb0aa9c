#include <capture/doorbell.h>

#include <algorithm>

#include <regmaps/structure_field.h>

namespace barscope::tool {

namespace {

using regmaps::DecodedField;
using regmaps::none;
using regmaps::RegisterMap;

class Word {
  public:
    Word(const RegisterMap& map, regmaps::Index structure, std::span<const std::uint8_t> bytes)
        : map_(map), structure_(structure), bytes_(bytes) {}

    std::optional<DecodedField> field(std::string_view name) const {
        const regmaps::Range range = map_.structures[structure_].fields;
        for (regmaps::Index i = range.begin; i < range.begin + range.count; ++i) {
            if (map_.text(map_.fields[i].name) == name) {
                return regmaps::decode_structure_field(map_, i, bytes_);
            }
        }
        return std::nullopt;
    }
    bool is_doorbell() const {
        return bytes_.size() == 8 && field("TYPE") && field("PATH") && field("XID") && field("INDEX");
    }
    std::uint64_t value(std::string_view name) const {
        const auto found = field(name);
        return found ? found->value : 0;
    }
    std::string_view text(std::string_view name) const {
        const auto found = field(name);
        return found && found->enum_value != none ? map_.text(map_.enum_values[found->enum_value].name) : "";
    }
    bool upper_half_is_zero() const {
        return std::all_of(bytes_.begin() + 4, bytes_.end(), [](std::uint8_t byte) { return byte == 0; });
    }

  private:
    const RegisterMap& map_;
    regmaps::Index structure_;
    std::span<const std::uint8_t> bytes_;
};

// Whether EPOCH counts: Ethernet on 575xx has none in the word.
bool has_epoch(const Word& word, std::string_view map) {
    return word.field("EPOCH") &&
           (word.text("PATH") == "ROCE" || (word.text("PATH") == "L2" && map == "bnxt-p7"));
}

std::string meaning(const Word& word, std::string_view map, std::optional<std::uint64_t> size) {
    const std::string_view type = word.text("TYPE");
    const std::string index = std::to_string(word.value("INDEX"));
    if (type == "SRQ_ARM") {
        return "INDEX is the threshold here, not an index";
    }
    if (type.ends_with("ARMENA") || type == "NULL" || type == "CQ_CUTOFF_ACK" || type.empty()) {
        return {};
    }
    const bool consumer = type.starts_with("CQ") || type.starts_with("NQ");
    const bool producer = type == "SQ" || type == "RQ" || type == "SRQ";
    if (!consumer && !producer) {
        return {};
    }
    std::string text = consumer ? "the consumer reads entry " : "the producer writes entry ";
    text += index + " next";
    if (size) {
        text += word.value("INDEX") < *size ? " of " + std::to_string(*size)
                                            : ", which a ring of " + std::to_string(*size) + " does not have";
    }
    const bool odd = word.value("EPOCH") != 0;
    if (has_epoch(word, map)) {
        text += std::string(", on a pass of epoch ") + (odd ? "1" : "0") +
                ": entries of that pass have toggle " + (odd ? "0" : "1");
    }
    if (size && *size != 0 && word.value("INDEX") < *size) {
        text += "; behind entry " + std::to_string(*size - 1) + " it goes on at entry 0";
        text += has_epoch(word, map) ? std::string(" with epoch ") + (odd ? "0" : "1") : std::string();
    }
    return text;
}

void add_wrong_generation(const Word& word, std::string_view map, std::vector<std::string>& out) {
    const bool ethernet = word.text("PATH") == "L2";
    const bool valid = word.value("VALID") != 0;
    const bool epoch = word.value("EPOCH") != 0;
    if (word.upper_half_is_zero() && word.value("INDEX") != 0) {
        out.emplace_back("the upper half is zero: is this a 32-bit doorbell of a 573xx or 574xx "
                         "(bnxt-p4:doorbell32)?");
        return;
    }
    if (!ethernet && !valid && word.text("TYPE") != "NULL") {
        out.emplace_back("RoCE doorbells have VALID set, this one has not");
    }
    if (map == "bnxt-p4" && ethernet) {
        out.emplace_back("wrong generation: 574xx ring Ethernet queues with 32-bit doorbells");
    }
    if (map == "bnxt-p5" && word.text("TYPE") == "NQ_MASK") {
        out.emplace_back("wrong generation: drivers ring NQ_MASK on 576xx only, on 575xx it is NQ");
    }
    if (map == "bnxt-p7" && ethernet && word.text("TYPE") == "NQ") {
        out.emplace_back("wrong generation: the Ethernet driver rings NQ_MASK on 576xx, NQ on 575xx");
    }
    if (map == "bnxt-p5" && word.value("TOGGLE") != 0) {
        out.emplace_back("wrong generation: TOGGLE is used by 576xx only, on 575xx it is 0");
    }
    if (map == "bnxt-p5" && ethernet && (valid || epoch)) {
        out.emplace_back(
            "wrong generation: Ethernet doorbells of 575xx have neither VALID nor EPOCH, those of "
            "576xx do");
    }
    if (map == "bnxt-p7" && ethernet && !valid) {
        out.emplace_back(
            "wrong generation: Ethernet doorbells of 576xx have VALID set, those of 575xx do not");
    }
}

} // namespace

std::vector<std::string> doorbell_remarks(const RegisterMap& map, regmaps::Index structure,
                                          std::span<const std::uint8_t> bytes,
                                          std::optional<std::uint64_t> ring_size) {
    std::vector<std::string> out;
    const Word word(map, structure, bytes);
    if (!word.is_doorbell()) {
        return out;
    }
    if (std::string text = meaning(word, map.name, ring_size); !text.empty()) {
        out.push_back(std::move(text));
    }
    add_wrong_generation(word, map.name, out);
    return out;
}

} // namespace barscope::tool
