#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "render/figure.h"

namespace lk::render {
namespace {

using plot::Cell;
using plot::Column;
using plot::View;

const Cell& cell(const View& view, size_t row, size_t column) { return view.cells[row * view.columns.size() + column]; }

// One unit for all numbers of a column; percentages carry their sign in every cell.
Scaled unit_of(const View& view, size_t column) {
  double largest = 0;
  for (size_t row = 0; row < view.rows(); ++row) {
    const Cell& c = cell(view, row, column);
    if (!c.missing) largest = std::max(largest, std::fabs(c.v));
  }
  return scaled(view.columns[column].unit, largest);
}

std::string words(const Column& column, const Cell& c, const Scaled& unit) {
  if (column.text) return c.text;
  const std::string d = digits(c.v / unit.divide);
  return column.unit == Unit::percent ? d + '%' : d;
}

// The unit of a column's numbers as its head names it.
std::string head_unit(const Column& column, const Scaled& unit) {
  if (column.text || column.unit == Unit::percent) return {};
  return std::string(unit.unit);
}

// Where a column's numbers come from, unless they are computed or the label says it ("Measured").
std::string head_source(const Column& column) {
  const std::string how(name(column.how));
  std::string label = column.label;
  for (char& c : label)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
  return column.text || column.how == How::computed || label.find(how) != std::string::npos ? std::string() : how;
}

// What a table cell of Markdown may not hold as it is.
std::string markdown_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|' || c == '\\' || c == '*' || c == '_' || c == '`' || c == '[' || c == ']' || c == '<' || c == '&') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string table_html(const plot::Evaluated& figure) {
  const View& view = figure.view;
  const size_t columns = view.columns.size();
  std::vector<Scaled> units;
  for (size_t i = 0; i < columns; ++i) units.push_back(unit_of(view, i));

  std::string out = "<table class=\"data\"><caption class=\"vh\">" + html_escaped(figure.figure->title) + "</caption>\n<thead><tr>";
  for (size_t i = 0; i < columns; ++i) {
    const Column& column = view.columns[i];
    out += column.text ? "<th scope=\"col\" class=\"words\"><span class=\"name\">" : "<th scope=\"col\"><span class=\"name\">";
    out += html_escaped(column.label) + "</span>";
    if (const std::string how = head_source(column); !how.empty()) out += ", " + how;
    if (const std::string unit = head_unit(column, units[i]); !unit.empty()) out += ", <span class=\"unit\">" + html_escaped(unit) + "</span>";
    out += "</th>";
  }
  out += "</tr></thead>\n<tbody>\n";
  for (size_t row = 0; row < view.rows(); ++row) {
    out += "<tr data-row=\"" + std::to_string(row) + "\">";
    for (size_t i = 0; i < columns; ++i) {
      const Column& column = view.columns[i];
      const Cell& c = cell(view, row, i);
      // The first column names the row.
      out += i == 0 ? "<th scope=\"row\"" : "<td";
      out += column.text ? " class=\"words\">" : ">";
      out += c.missing ? "<span aria-hidden=\"true\">\u2014</span><span class=\"vh\">not available</span>" : html_escaped(words(column, c, units[i]));
      out += i == 0 ? "</th>" : "</td>";
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>";
}

std::string table_markdown(const plot::Evaluated& figure) {
  const View& view = figure.view;
  if (view.columns.empty()) return {};
  std::vector<Scaled> units;
  std::string head = "|", line = "|", out;
  for (size_t i = 0; i < view.columns.size(); ++i) {
    const Column& column = view.columns[i];
    units.push_back(unit_of(view, i));
    head += ' ' + markdown_escaped(column.label);
    if (const std::string how = head_source(column); !how.empty()) head += ", " + how;
    if (const std::string unit = head_unit(column, units[i]); !unit.empty()) head += ", " + markdown_escaped(unit);
    head += " |";
    line += column.text ? " :-- |" : " --: |";
  }
  out = head + '\n' + line + '\n';
  for (size_t row = 0; row < view.rows(); ++row) {
    out += '|';
    for (size_t i = 0; i < view.columns.size(); ++i) {
      const Cell& c = cell(view, row, i);
      out += ' ' + (c.missing ? std::string("\u2014") : markdown_escaped(words(view.columns[i], c, units[i]))) + " |";
    }
    out += '\n';
  }
  return out;
}

}  // namespace lk::render
