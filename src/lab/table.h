// The data table: sortable by any column, rows and marks point at each other.
#pragma once
#include <string>
#include <vector>

#include "lab/theme.h"
#include "plot/view.h"

namespace lk::lab {

/// A cell as people read it; missing values are an em dash.
std::string cell_text(const plot::Column& column, const plot::Cell& cell);

/// Row indices ordered by a column; missing values last in both directions, equal rows in their order.
std::vector<int> sorted_rows(const plot::View& view, int column, bool descending);

class Table {
 public:
  /// Draws the table `width` device pixels wide at the cursor, at most `most_rows` high (0: all rows).
  /// `lit`: row to show as pointed at. Returns the row under the mouse or -1.
  int show(const Theme& theme, const plot::View& view, float width, int most_rows, bool roomy, int lit);

 private:
  int column_ = -1;
  bool descending_ = false;
};

}  // namespace lk::lab
