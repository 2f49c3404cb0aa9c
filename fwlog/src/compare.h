// Two rows that tell the same thing in two ways: where they disagree both are shown, and neither is repaired.
#pragma once

#include <map>
#include <string>

#include <fwlog/patterns.h>

namespace barscope::fwlog {

class Comparison {
  public:
    // Remembers what later rows are compared with, and sets FieldValue::differs.
    void see(Record& record);

  private:
    static constexpr std::size_t most = 1024;              // devices times fields
    std::map<std::string, std::string, std::less<>> last_; // "PATTERN.FIELD DEVICE" -> text
};

// "224.26.226": the parts of a value, joined by dots.
std::string joined_parts(const PatternField& field, std::uint64_t value);

} // namespace barscope::fwlog
