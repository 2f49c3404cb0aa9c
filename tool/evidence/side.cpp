#include <evidence/side.h>

#include <algorithm>

namespace barscope::tool {

using regmaps::Index;
using regmaps::none;

std::uint64_t low_bits(unsigned count) {
    return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::uint64_t bits_of(std::uint64_t value, unsigned lsb, unsigned msb) {
    return value >> lsb & low_bits(msb - lsb + 1);
}

Side::Side(const Evidence& evidence) : evidence_(evidence), shown_(size()) {
    for (const Index position : capture().shown) {
        shown_[position] = true;
    }
    for (std::size_t pass = 0; pass + 1 < evidence.passes.size(); ++pass) {
        const Capture& earlier = evidence.passes[pass];
        std::vector<Index> positions;
        if (earlier.raw.instances != capture().raw.instances) {
            positions.assign(size(), none);
            for (const Pair& pair : match_registers({map(), earlier}, decoding(), true)) {
                if (pair.after != none) {
                    positions[pair.after] = pair.before;
                }
            }
        }
        earlier_.push_back(std::move(positions));
    }
}

const Capture& Side::capture() const {
    static const Capture nothing;
    return evidence_.passes.empty() ? nothing : evidence_.passes.back();
}

bool Side::has_value(Index position) const {
    return position != none && safety::has_value(word(position).status);
}

std::uint64_t Side::value(Index position) const {
    return word(position).value & low_bits(definition(position).width);
}

std::span<const regmaps::DecodedField> Side::fields(Index position) const {
    const regmaps::Decoded& decoded = capture().decoded;
    const regmaps::Range range = decoded.registers[position].fields;
    return std::span(decoded.fields).subspan(range.begin, range.count);
}

std::string Side::name(Index position) const {
    return regmaps::instance_name(map(), instance(position));
}

std::string Side::reason(Index position) const {
    return tool::reason(map(), capture(), position);
}

const safety::Word* Side::earlier_word(std::size_t pass, Index position) const {
    const Index at = earlier_[pass].empty() ? position : earlier_[pass][position];
    const safety::Word* word = at == none ? nullptr : &evidence_.passes[pass].raw.words[at];
    return word != nullptr && safety::has_value(word->status) ? word : nullptr;
}

std::uint64_t Side::moving(Index position) const {
    if (!has_value(position)) {
        return 0;
    }
    std::uint64_t bits = 0;
    for (std::size_t pass = 0; pass < earlier_.size(); ++pass) {
        if (const safety::Word* earlier = earlier_word(pass, position)) {
            bits |= earlier->value ^ word(position).value;
        }
    }
    return bits & low_bits(definition(position).width);
}

std::vector<std::pair<std::size_t, std::uint64_t>> Side::samples(Index position) const {
    std::vector<std::pair<std::size_t, std::uint64_t>> out;
    if (position == none) {
        return out;
    }
    const std::uint64_t mask = low_bits(definition(position).width);
    for (std::size_t pass = 0; pass < earlier_.size(); ++pass) {
        if (const safety::Word* earlier = earlier_word(pass, position)) {
            out.emplace_back(pass, earlier->value & mask);
        }
    }
    if (has_value(position)) {
        out.emplace_back(earlier_.size(), word(position).value & mask);
    }
    return out;
}

} // namespace barscope::tool
