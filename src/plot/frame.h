// Marks resolved to pixels: the only thing renderers see. Five kinds of primitives; renderers walk them and nothing else.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "plot/view.h"

namespace lk::plot {

struct Prim {
  enum Kind : uint8_t {
    rect,    // px[0], px[1]: opposite corners, radius `r`
    path,    // polyline; `closed` makes it a polygon; `curve` reads px as cubic Bezier: start, then three points a segment
    disc,    // px[0] center, radius `r`
    glyphs,  // text at px[0] (baseline); anchor, size, strong, angle
    hatch,   // px[0], px[1]: a rectangle of diagonal lines
  };
  enum Anchor : uint8_t { start, middle, end };
  Kind kind = rect;
  Role role = Role::ink;
  Fill fill = Fill::solid;
  std::vector<Point> px = {};
  double r = 0;
  double stroke = 0;        // line width; 0: filled only. Open paths are never filled; an outline is hollow, but an
                            // outlined disc is filled with the background, so that a line through it does not show
  bool closed = false, curve = false, dashed = false;
  std::string text = {};
  Anchor anchor = start;
  double size = 12;
  bool strong = false;
  bool mono = false;        // text in the fixed-width face: mono_width() knows its length
  bool halo = false;        // a rim in the background color keeps text readable over lines
  bool on_series = false;   // text that stands on a solid mark: takes the contrasting color
  double angle = 0;         // degrees, clockwise as in SVG, around px[0]
  int panel = -1, mark = -1;  // the mark it draws, or -1 for axes, titles, keys
  bool handle = false;        // part of what a hand moves: handle, line and pill of a mark that drags
};

/// Where a panel's plotting area ended up, to invert positions.
struct PanelBox {
  int panel = -1;
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // px, y0 at the top
  Axis x, y;
};

struct Frame {
  double width = 0, height = 0;
  bool wide = true;
  std::vector<Prim> prims;
  std::vector<PanelBox> boxes;
  std::vector<std::string> dropped;  // labels that found no room
};

/// From View::wide_from on a frame has the wide composition. The height depends on the composition alone, never on the exact width.
constexpr double narrowest = 280;

Frame layout(const View& view, double width);

/// Data x of pixel `x` in the panel of `mark`, for marks that drag; rounded by the caller's field.
std::optional<double> invert_x(const Frame& frame, int panel, double px_x);

}  // namespace lk::plot
