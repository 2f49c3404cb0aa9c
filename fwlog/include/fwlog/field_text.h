// What a field's number means, in words: names of codes, errno, firmware status words by the register map.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include <fwlog/patterns.h>
#include <regmaps/catalog.h>

namespace barscope::fwlog {

class FieldText {
  public:
    explicit FieldText(const regmaps::Catalog* catalog) : catalog_(catalog) {} // null: no register maps

    // "0x1e7 (487)", "0x10 busy", "-16 EBUSY", "20000 ms", "all ones"; the text itself where it is one.
    std::string value(const FieldValue& value);
    void append(std::string& out, const FieldValue& value);
    // The name alone; empty where nothing names the value.
    std::string value_name(const FieldValue& value);

  private:
    void append_name(std::string& out, const FieldValue& value);
    const regmaps::RegisterMap* map(const std::string& name);
    std::string structure_text(const std::string& reference, std::uint64_t value);
    std::string map_name(const std::string& reference, std::uint64_t value);

    const regmaps::Catalog* catalog_;
    std::map<std::string, std::optional<regmaps::RegisterMap>> maps_;
};

// "EBUSY" for 16; empty where it is none.
std::string errno_name(std::uint64_t number);
// What the differences of a pattern come to: "outstanding 323".
std::optional<std::uint64_t> difference(const Record& record, const Difference& difference);

} // namespace barscope::fwlog
