// Marks to primitives: the third step of layout(). Lines and areas are clipped to their panel, other marks moved to its border.
#pragma once
#include <map>
#include <utility>
#include <vector>

#include "plot/compose.h"
#include "plot/frame.h"

namespace lk::plot {

/// Paint order, bottom first.
enum class Layer : uint8_t { ground, axis, area, link, strong_link, bar, line, dot, handle, words, count };

struct Canvas {
  std::vector<Prim> layers[static_cast<int>(Layer::count)];
  Labels labels;
  std::vector<std::string> dropped;
  void add(Layer layer, Prim prim) { layers[static_cast<int>(layer)].push_back(std::move(prim)); }
};

/// Where marks ended up: links join these boxes.
using MarkBoxes = std::map<std::pair<int, int>, Box>;

void draw_marks(const Seat& seat, Canvas& canvas, MarkBoxes& boxes);
void draw_links(const View& view, const std::vector<Seat>& seats, const MarkBoxes& boxes, Canvas& canvas);

/// Handle, line and pill of the marks that drag. Drawn before the axes, so that tick labels give way to the pill.
void draw_handles(const Seat& seat, double width, Canvas& canvas);

}  // namespace lk::plot
