#include <render/table.h>

#include <algorithm>

#include <render/digits.h>
#include <render/escape.h>

namespace barscope::tool {

void Table::add(Row row, std::string note) {
    rows_.push_back(std::move(row));
    notes_.push_back(std::move(note));
}

void Table::append(std::string& out, const Style& style) const {
    std::vector<std::size_t> widths;
    for (const std::string& heading : headings_) {
        widths.push_back(columns(heading));
    }
    for (const Row& row : rows_) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], columns(row[i].text));
        }
    }
    // The last column is not padded: nothing stands behind it.
    const auto put = [&](const std::string& text, Ink ink, std::size_t column, std::size_t count) {
        style.put(out, ink, text);
        if (column + 1 < count) {
            pad(out, columns(text), widths[column]);
            out += "  ";
        }
    };
    const auto end_line = [&] {
        while (!out.empty() && out.back() == ' ') {
            out.pop_back();
        }
        out += '\n';
    };
    if (!headings_.empty()) {
        for (std::size_t i = 0; i < headings_.size(); ++i) {
            put(headings_[i], Ink::heading, i, headings_.size());
        }
        end_line();
    }
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        for (std::size_t i = 0; i < rows_[r].size(); ++i) {
            put(rows_[r][i].text, rows_[r][i].ink, i, rows_[r].size());
        }
        end_line();
        if (!notes_[r].empty()) {
            out += "    ";
            out += notes_[r];
            out += '\n';
        }
    }
}

} // namespace barscope::tool
