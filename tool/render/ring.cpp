#include <render/ring.h>

#include <algorithm>
#include <array>

#include <render/digits.h>
#include <render/ring_cells.h>

namespace barscope::tool {

namespace {

using regmaps::RegisterMap;

constexpr std::size_t columns_shown = 5; // and the details behind them
constexpr std::uint64_t shortest_blank_run = 3;
constexpr std::array<std::string_view, columns_shown> headings{"ENTRY", "AT", "STATE", "TYPE", "STATUS"};

std::array<const std::string*, columns_shown> in_order(const RingCells& cells) {
    return {&cells.index, &cells.at, &cells.state, &cells.type, &cells.status};
}

class RingTable {
  public:
    RingTable(Output& output, const Style& style, const RegisterMap& map, const PastedSet& set,
              const RingOptions& options, Handles& handles)
        : output_(output), style_(style), map_(map), set_(set), options_(options), handles_(handles) {}

    void render() {
        measure();
        std::string& out = output_.text();
        style_.begin(out, Ink::heading);
        out += "  ";
        for (std::size_t i = 0; i < columns_shown; ++i) {
            if (widths_[i] != 0) {
                out += headings[i];
                pad(out, headings[i].size(), widths_[i] + 2);
            }
        }
        out += "FIELDS";
        style_.end(out, Ink::heading);
        out += '\n';
        for (std::size_t i = 0; i < set_.places.size();) {
            const std::size_t run = blank_run(i);
            if (run >= shortest_blank_run) {
                append_run(i, run);
                i += run;
                continue;
            }
            append_row(i++);
            output_.drain();
        }
    }

  private:
    // A column that stays empty is left out.
    void measure() {
        for (std::size_t i = 0; i < set_.places.size(); ++i) {
            const RingCells cells = ring_cells(map_, set_, options_, i, handles_);
            const auto texts = in_order(cells);
            for (std::size_t c = 0; c < columns_shown; ++c) {
                widths_[c] = std::max(widths_[c], texts[c]->size());
            }
        }
        for (std::size_t c = 0; c < columns_shown; ++c) {
            widths_[c] = widths_[c] == 0 ? 0 : std::max(widths_[c], headings[c].size());
        }
        const bool marked = std::any_of(set_.ring.entries.begin(), set_.ring.entries.end(),
                                        [](const RingEntry& e) { return e.state != EntryState::unmarked; });
        widths_[2] = marked ? widths_[2] : 0;
    }

    std::size_t blank_run(std::size_t begin) const {
        std::size_t end = begin;
        while (end < set_.ring.entries.size() && set_.ring.entries[end].state == EntryState::blank) {
            ++end;
        }
        return end - begin;
    }

    void append_run(std::size_t begin, std::size_t run) {
        std::string& out = output_.text();
        style_.begin(out, Ink::dim);
        out += "  ";
        append_decimal(out, options_.first + begin);
        out += " to ";
        append_decimal(out, options_.first + begin + run - 1);
        out += "  all zero (";
        append_decimal(out, run);
        out += " entries)";
        style_.end(out, Ink::dim);
        out += '\n';
    }

    void append_row(std::size_t index) {
        const RingCells cells = ring_cells(map_, set_, options_, index, handles_);
        const auto texts = in_order(cells);
        const std::array<Ink, columns_shown> inks{Ink::plain, Ink::dim, cells.state_ink, cells.type_ink,
                                                  cells.status_ink};
        std::string& out = output_.text();
        out += set_.ring.first_error == index ? "> " : "  ";
        for (std::size_t c = 0; c < columns_shown; ++c) {
            if (widths_[c] == 0) {
                continue;
            }
            if (c == 0) {
                out.append(widths_[c] - texts[c]->size(), ' ');
                out += *texts[c];
                out += "  ";
            } else {
                style_.put(out, inks[c], *texts[c]);
                pad(out, texts[c]->size(), widths_[c] + 2);
            }
        }
        out += cells.details;
        if (set_.ring.first_error == index) {
            style_.put(out, Ink::warning, cells.details.empty() ? "<- first error" : "  <- first error");
        }
        while (out.back() == ' ') {
            out.pop_back();
        }
        out += '\n';
    }

    Output& output_;
    const Style& style_;
    const RegisterMap& map_;
    const PastedSet& set_;
    const RingOptions& options_;
    Handles& handles_;
    std::array<std::size_t, columns_shown> widths_{};
};

} // namespace

void render_ring_table(Output& output, const Style& style, const RegisterMap& map, const PastedSet& set,
                       const RingOptions& options, Handles& handles) {
    RingTable(output, style, map, set, options, handles).render();
}

} // namespace barscope::tool
