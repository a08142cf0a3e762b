// A frame on a Dear ImGui draw list: the second renderer. It walks primitives and knows nothing of figures.
#pragma once
#include <functional>
#include <vector>

#include "lab/theme.h"
#include "plot/frame.h"

namespace lk::lab {

/// The vertices [first, end) of the list belong to primitive `prim` of the frame.
using Drawn = std::function<void(size_t prim, int first, int end)>;

/// Draws the frame with its top left corner at `origin` (device pixels).
void draw(const plot::Frame& frame, ImDrawList* list, ImVec2 origin, const Theme& theme, const Drawn& drawn = {});

/// Marks of one data row in the accent, over the frame: what hovering its mark or its table row shows.
void draw_highlight(const plot::View& view, const plot::Frame& frame, int row, ImDrawList* list, ImVec2 origin, const Theme& theme);

struct Box {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x0 > x1; }
};

/// What a primitive covers, in CSS pixels of the frame, strokes included. Text without its halo, measured with the lab's font.
Box bounds(const plot::Prim& prim, const Theme& theme);

/// A fill for any simple polygon: corner indices, three a triangle (ear clipping).
std::vector<int> triangles(const std::vector<plot::Point>& polygon);

/// The mark under a point (CSS pixels), or -1: the last drawn within `slack` wins; marks that answer to a hand win over others.
struct Hit {
  int panel = -1, mark = -1;
  bool handle = false;  // what a hand moves
};
Hit hit(const plot::View& view, const plot::Frame& frame, double x, double y, double slack, const Theme& theme);

}  // namespace lk::lab
