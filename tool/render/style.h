// Colour where the reader wants it. Colour only repeats what a word beside it says.
#pragma once

#include <string>
#include <string_view>

#include <regmaps/model.h>

namespace barscope::tool {

enum class Ink { plain, dim, heading, good, notice, warning, critical };

class Style {
  public:
    explicit Style(bool colour) : colour_(colour) {}
    bool colour() const { return colour_; }
    void begin(std::string& out, Ink ink) const {
        if (colour_ && ink != Ink::plain) {
            out += code(ink);
        }
    }
    void end(std::string& out, Ink ink) const {
        if (colour_ && ink != Ink::plain) {
            out += "\033[0m";
        }
    }
    void put(std::string& out, Ink ink, std::string_view text) const {
        begin(out, ink);
        out += text;
        end(out, ink);
    }

  private:
    static std::string_view code(Ink ink);
    bool colour_;
};

Ink ink_of(regmaps::Severity severity);

} // namespace barscope::tool
