// What a figure returns: panels of marks in data units, a data table, named results and a summary. No markup, no pixels.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"

namespace lk::plot {

/// What a mark means; the theme decides how it looks. Series keep their meaning in every figure.
enum class Role : uint8_t {
  ink, muted, faint, grid, axis,
  memory, compute, network, on_chip, host, other,  // the six series
  good, warn, bad,
  accent,  // the reader's own: what they move. Data never wears it.
};

/// solid: used; pale: came along; outline: a border only; hatch: idle; wash: a faint region behind data.
enum class Fill : uint8_t { solid, pale, outline, hatch, wash };

struct Point {
  double x = 0, y = 0;
};

enum class Scale : uint8_t { linear, log, band, hidden };

struct Axis {
  std::string label;                // "arithmetic intensity"; the unit is added
  Unit unit = Unit::one;
  double lo = 0, hi = 1;            // band: ignored, bands count from 0
  Scale scale = Scale::linear;
  std::vector<std::string> bands = {};  // names of the bands, in order; band i spans i to i + 1, on y axes the first is on top
  bool turn = false;                // x closed into a ring; y is the radius
  bool labels = true;               // print tick labels
  bool grid = true;                 // draw grid lines at ticks
};

enum class Shape : uint8_t {
  bar,    // at[0], at[1]: opposite corners
  line,   // polyline through `at`
  area,   // closed polygon through `at`
  dot,    // at[0]; at[1], if given, is the end of a stem
  arrow,  // at[0] -> at[1]; on a ring it bends along it
  note,   // text at at[0], always on its side of it; the roles good, warn and bad get an icon
  cell,   // at[0] = (band, band): a square of the band grid with its label inside; on a ring an upright box at (angle, radius)
  code,   // a line of program text in the fixed-width face on the band at[0].y, from at[0].x to the panel's right border; where it is
          // too long it ends in an ellipsis. A pale fill marks its ground, a role its words
  link,   // joins the marks `from` and `to`, which may stand in other panels: a curve, or a straight line when dashed
};

/// Side of the mark on which a label stands: a wish, other sides are tried when it has no room there. `along` turns it to run
/// along a line's first segment; `inside` centers it, and there it fits or drops. Lines: right and above at the end, left at the start.
enum class Side : uint8_t { right, left, above, below, inside, along };

struct MarkRef {
  int panel = -1, mark = -1;
};

struct Mark {
  Shape shape = Shape::bar;
  Role role = Role::ink;
  Fill fill = Fill::solid;
  std::vector<Point> at = {};
  int row = -1;                 // row of the data table it shows, for hover in every renderer
  std::string label = {};
  std::string detail = {};      // after the label, muted
  Side side = Side::right;
  bool strong = false;          // semibold label, thicker line
  bool dashed = false;
  int keep = 0;                 // labels of the lowest keep drop first when room is short; 100 and more: never drops
  std::string drags = {};       // field that dragging this mark sets: layout draws a handle, a line to the x axis and a pill
                                // with the value, and inverts the axis (bar: its second corner; line, dot, note: the first point)
  std::string sets = {};        // "field=value" that a click or tap sets (cells, bars)
  MarkRef from = {}, to = {};   // link
};

/// Shown always, or only in the wide or the narrow composition (the table stays the same).
enum class When : uint8_t { always, wide, narrow };

struct Key {
  Role role;
  Fill fill;
  std::string label;
};

struct Panel {
  std::string title = {};   // top left, semibold
  std::string note = {};    // top right, muted
  Axis x, y;
  double lines = 10;        // height of the plotting area in text lines of 24 px; never from data
  double narrow_lines = 0;  // the same in the narrow composition; 0: as many
  int rows = 1;             // in the wide composition it stands beside this many rows
  int row = 0;              // panels of one row stand side by side when wide, below each other when narrow
  double share = 1;         // of the row's width
  When when = When::always;
  int shares_x = -1;        // index of the panel above whose x axis this one shares (same range, ticks printed once)
  std::vector<Mark> marks = {};
  std::vector<Key> keys = {};  // only where marks are smaller than words
};

struct Column {
  std::string id, label;
  Unit unit = Unit::one;
  How how = How::computed;
  bool text = false;  // holds words, not numbers
};

/// A number, or words, or nothing (missing is shown as such, never as zero).
struct Cell {
  double v = 0;
  std::string text = {};
  bool missing = false;
  Cell() : missing(true) {}
  Cell(double value) : v(value) {}
  Cell(std::string words) : text(std::move(words)) {}
  Cell(const char* words) : text(words) {}
};

struct Named {
  std::string id;
  Num num;
};

/// How a figure's numbers were obtained, with one sentence each ("H200: medians of 7 to 15 launches").
struct Provenance {
  How how;
  std::string detail;
};

struct View {
  std::vector<Panel> panels = {};
  double wide_from = 560;             // px from which the drawing is wide; 900 for what needs both columns of the page
  std::vector<Column> columns = {};
  std::vector<Cell> cells = {};       // row-major, columns.size() a row
  std::vector<Named> out = {};        // named results: value: links, exercises, tests
  std::string summary = {};           // template: "{sectors|sector|sectors}", "{efficiency}", "{stride}" name results or fields
  std::vector<Provenance> provenance = {};
  std::vector<std::string> notices = {};  // why something is not shown ("No measurements of this device yet")
  size_t rows() const { return columns.empty() ? 0 : cells.size() / columns.size(); }
  const Num* find(std::string_view id) const;
};

}  // namespace lk::plot
