// The lines of decoded fields, shared by registers that were read and by pasted values.
#pragma once

#include <span>
#include <string>

#include <regmaps/decode.h>
#include <render/style.h>

namespace barscope::tool {

class FieldLines {
  public:
    FieldLines(const regmaps::RegisterMap& map, const Style& style, unsigned indent)
        : map_(map), style_(style), indent_(indent) {}

    // Makes room for the names of these fields in the columns to come.
    void fit(regmaps::Range fields);
    // "  15:0   CODE  0x8000  READY"
    void append(std::string& out, const regmaps::DecodedField& field) const;
    // The same with `shown` in the place of a value that is not to be seen.
    void append_hidden(std::string& out, const regmaps::DecodedField& field, std::string_view shown) const;
    // Flags that are not set and of which nobody needs to hear more: their names alone, in as few lines as
    // they take.
    static bool is_quiet(const regmaps::RegisterMap& map, const regmaps::DecodedField& field);
    void append_quiet(std::string& out, std::span<const regmaps::DecodedField> fields) const;
    // A field of a structure that is shown as bytes.
    void append_bytes(std::string& out, const regmaps::Field& field, std::string_view bytes) const;

  private:
    void append_head(std::string& out, unsigned msb, unsigned lsb, std::string_view name) const;

    const regmaps::RegisterMap& map_;
    const Style& style_;
    unsigned indent_;
    std::size_t name_width_ = 4;
};

// "  READY", "  STUCK [critical]": an enum value's name and severity behind what it explains.
void append_meaning(std::string& out, const Style& style, const regmaps::RegisterMap& map,
                    regmaps::Index enum_value, regmaps::Severity severity);

} // namespace barscope::tool
