// Clipping of lines and areas to a box.
#pragma once
#include <vector>

#include "plot/labels.h"

namespace lk::plot {

/// The visible pieces of a polyline, each of two points or more.
std::vector<std::vector<Point>> clip_line(const std::vector<Point>& line, const Box& box);
/// The visible part of a polygon (Sutherland and Hodgman 1974); empty when nothing shows.
std::vector<Point> clip_area(std::vector<Point> area, const Box& box);

}  // namespace lk::plot
