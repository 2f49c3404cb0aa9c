// Values that the map marks as sensitive: kernel pointers that a driver hung on its queues. They are not
// shown unless asked for: output ends up in tickets, and the address of a kernel object is worth something to
// an attacker.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include <regmaps/decode.h>

namespace barscope::tool {

// Stands for the values of handles: equal ones get the same number, so that entries of one queue are still
// seen to belong together.
class Handles {
  public:
    explicit Handles(bool shown) : shown_(shown) {}
    // Whether the field's value is not to be shown: it is a pointer, or another reading of bits that are one.
    // Of an entry whose type the map does not know, every type's pointers count. Zero is no pointer.
    bool hides(const regmaps::RegisterMap& map, const regmaps::DecodedStructure& entry,
               const regmaps::DecodedField& field) const;
    // "#1": what is shown instead.
    std::string token(const regmaps::RegisterMap& map, const regmaps::DecodedField& field);
    bool any_hidden() const { return !numbers_.empty(); }

  private:
    bool shown_;
    std::map<std::pair<std::string, std::uint64_t>, std::size_t> numbers_; // by field name and value
};

// The bytes of the record in which the field's bits lie, [first, second).
std::pair<std::size_t, std::size_t> bytes_holding(const regmaps::RegisterMap& map,
                                                  const regmaps::DecodedField& field);

} // namespace barscope::tool
