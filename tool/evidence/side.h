// One side of a comparison: a snapshot's last pass, and what the passes before it say about motion.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <evidence/evidence.h>
#include <evidence/matching.h>

namespace barscope::tool {

class Side {
  public:
    explicit Side(const Evidence& evidence);

    const Evidence& evidence() const { return evidence_; }
    // An empty one where nothing could be read at all.
    const Capture& capture() const;
    const regmaps::RegisterMap& map() const { return evidence_.map; }
    Decoding decoding() const { return {map(), capture()}; }

    std::size_t size() const { return capture().raw.instances.size(); }
    const regmaps::Instance& instance(regmaps::Index position) const {
        return capture().raw.instances[position];
    }
    const regmaps::Register& definition(regmaps::Index position) const {
        return map().registers[instance(position).reg];
    }
    const safety::Word& word(regmaps::Index position) const { return capture().raw.words[position]; }
    bool has_value(regmaps::Index position) const;
    // The value within the register's width.
    std::uint64_t value(regmaps::Index position) const;
    std::span<const regmaps::DecodedField> fields(regmaps::Index position) const;
    std::string name(regmaps::Index position) const;
    std::string reason(regmaps::Index position) const;
    // Whether it was asked for, and not read for the layout's sake alone.
    bool shown(regmaps::Index position) const { return shown_[position]; }

    // Bits that differ between the passes.
    std::uint64_t moving(regmaps::Index position) const;
    // The register in each pass that read it, in order: (pass, value).
    std::vector<std::pair<std::size_t, std::uint64_t>> samples(regmaps::Index position) const;

  private:
    const safety::Word* earlier_word(std::size_t pass, regmaps::Index position) const;

    const Evidence& evidence_;
    // For each pass but the last: its position of each of the last one's registers; empty: the same ones.
    std::vector<std::vector<regmaps::Index>> earlier_;
    std::vector<bool> shown_;
};

std::uint64_t low_bits(unsigned count);
std::uint64_t bits_of(std::uint64_t value, unsigned lsb, unsigned msb);

} // namespace barscope::tool
