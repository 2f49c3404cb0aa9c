// Aligned columns: cells are collected, then each column is as wide as its widest cell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <render/style.h>

namespace barscope::tool {

class Table {
  public:
    struct Cell {
        std::string text; // made safe already
        Ink ink = Ink::plain;
    };
    using Row = std::vector<Cell>;

    explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}
    // `note`: a line of its own below the row; empty: none.
    void add(Row row, std::string note = {});
    void append(std::string& out, const Style& style) const;

  private:
    std::vector<std::string> headings_; // empty: no heading line
    std::vector<Row> rows_;
    std::vector<std::string> notes_;
};

} // namespace barscope::tool
