// Plane geometry that drawing and hit tests share; CSS pixels of a frame.
#pragma once
#include <vector>

#include "lab/draw.h"

namespace lk::lab {

/// The outline of a path as a polyline; Bezier segments within a tenth of a pixel at figure sizes.
std::vector<plot::Point> flattened(const plot::Prim& prim);
Box hull(const std::vector<plot::Point>& points);
bool convex(const std::vector<plot::Point>& polygon);

}  // namespace lk::lab
