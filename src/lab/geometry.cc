#include "lab/geometry.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "lab/text.h"

namespace lk::lab {
namespace {

using plot::Fill;
using plot::Point;
using plot::Prim;

double cross(Point o, Point a, Point b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

bool in_triangle(Point p, Point a, Point b, Point c) {
  const double u = cross(a, b, p), v = cross(b, c, p), w = cross(c, a, p);
  return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

bool same(Point a, Point b) { return a.x == b.x && a.y == b.y; }

double to_segment(double x, double y, Point a, Point b) {
  const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
  const double t = squared > 0 ? std::clamp(((x - a.x) * dx + (y - a.y) * dy) / squared, 0.0, 1.0) : 0;
  return std::hypot(x - a.x - t * dx, y - a.y - t * dy);
}

bool in_polygon(double x, double y, const std::vector<Point>& polygon) {
  bool inside = false;
  for (size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point a = polygon[i], b = polygon[j];
    if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x) inside = !inside;
  }
  return inside;
}

double to_box(double x, double y, const Box& box) {
  return std::hypot(std::max({box.x0 - x, 0.0, x - box.x1}), std::max({box.y0 - y, 0.0, y - box.y1}));
}

// Distance from a point to a primitive, 0 inside.
double distance(const Prim& prim, double x, double y, const Theme& theme) {
  if (prim.kind == Prim::disc) return std::max(0.0, std::hypot(x - prim.px[0].x, y - prim.px[0].y) - prim.r - prim.stroke / 2);
  if (prim.kind != Prim::path) return to_box(x, y, bounds(prim, theme));
  const std::vector<Point> flat = flattened(prim);
  if (prim.closed && in_polygon(x, y, flat)) return 0;
  double least = 1e9;
  for (size_t i = 0; i + 1 < flat.size(); ++i) least = std::min(least, to_segment(x, y, flat[i], flat[i + 1]));
  if (prim.closed && flat.size() > 2) least = std::min(least, to_segment(x, y, flat.back(), flat.front()));
  return std::max(0.0, least - prim.stroke / 2);
}

}  // namespace

std::vector<Point> flattened(const Prim& prim) {
  std::vector<Point> flat;
  if (prim.curve && !prim.px.empty()) {
    flat.push_back(prim.px[0]);
    for (size_t i = 1; i + 2 < prim.px.size(); i += 3) {
      const Point a = flat.back(), b = prim.px[i], c = prim.px[i + 1], d = prim.px[i + 2];
      constexpr int steps = 24;
      for (int s = 1; s <= steps; ++s) {
        const double t = static_cast<double>(s) / steps, u = 1 - t;
        flat.push_back({u * u * u * a.x + 3 * u * u * t * b.x + 3 * u * t * t * c.x + t * t * t * d.x,
                        u * u * u * a.y + 3 * u * u * t * b.y + 3 * u * t * t * c.y + t * t * t * d.y});
      }
    }
  } else {
    flat = prim.px;
  }
  if (prim.closed && flat.size() > 1 && same(flat.front(), flat.back())) flat.pop_back();
  return flat;
}

Box hull(const std::vector<Point>& points) {
  Box box{1e9, 1e9, -1e9, -1e9};
  for (const Point p : points) {
    box.x0 = std::min(box.x0, p.x);
    box.y0 = std::min(box.y0, p.y);
    box.x1 = std::max(box.x1, p.x);
    box.y1 = std::max(box.y1, p.y);
  }
  return box;
}

bool convex(const std::vector<Point>& polygon) {
  const size_t n = polygon.size();
  int sign = 0, turns = 0;
  double last = 0;
  for (size_t i = 0; i < n; ++i) {
    const Point a = polygon[i], b = polygon[(i + 1) % n];
    const double c = cross(a, b, polygon[(i + 2) % n]);
    if (c != 0) {
      const int s = c > 0 ? 1 : -1;
      if (sign != 0 && s != sign) return false;
      sign = s;
    }
    // A star turns the same way at every corner but goes around more than once.
    const double dx = b.x - a.x;
    if (dx != 0) {
      if (last != 0 && (dx > 0) != (last > 0)) ++turns;
      last = dx;
    }
  }
  return turns <= 2;
}

std::vector<int> triangles(const std::vector<Point>& polygon) {
  std::vector<int> left(polygon.size()), corners;
  for (size_t i = 0; i < left.size(); ++i) left[i] = static_cast<int>(i);
  double area = 0;
  for (size_t i = 0; i < polygon.size(); ++i) area += cross({0, 0}, polygon[i], polygon[(i + 1) % polygon.size()]);
  const double side = area < 0 ? -1 : 1;
  const auto point = [&](size_t i) { return polygon[static_cast<size_t>(left[i % left.size()])]; };
  while (left.size() > 2) {
    const size_t n = left.size();
    size_t ear = n;
    for (size_t i = 0; i < n && ear == n; ++i) {
      const Point a = point(i + n - 1), b = point(i), c = point(i + 1);
      const double turn = cross(a, b, c) * side;
      if (turn < 0) continue;
      bool free = true;
      for (size_t j = 0; j < n && free; ++j) {
        const Point p = point(j);
        if (same(p, a) || same(p, b) || same(p, c)) continue;
        free = turn == 0 || !in_triangle(p, a, b, c);
      }
      if (free) ear = i;
    }
    if (ear == n) break;  // the polygon crosses itself: what is left stays open
    const Point a = point(ear + n - 1), b = point(ear), c = point(ear + 1);
    if (cross(a, b, c) != 0) {
      corners.push_back(left[(ear + n - 1) % n]);
      corners.push_back(left[ear]);
      corners.push_back(left[(ear + 1) % n]);
    }
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  return corners;
}

Box bounds(const Prim& prim, const Theme& theme) {
  const double half = prim.stroke / 2;
  Box box;
  switch (prim.kind) {
    case Prim::disc: box = {prim.px[0].x - prim.r, prim.px[0].y - prim.r, prim.px[0].x + prim.r, prim.px[0].y + prim.r}; break;
    case Prim::glyphs: {
      const double wide = static_cast<double>(width(theme, prim.text, prim.size, prim.strong, prim.mono) / theme.scale);
      const double from = prim.anchor == Prim::start ? 0 : prim.anchor == Prim::middle ? -wide / 2 : -wide;
      const double radians = prim.angle * std::numbers::pi / 180, c = std::cos(radians), s = std::sin(radians);
      std::vector<Point> corners;
      for (const double x : {from, from + wide})
        for (const double y : {-0.97 * prim.size, 0.25 * prim.size})
          corners.push_back({prim.px[0].x + x * c - y * s, prim.px[0].y + x * s + y * c});
      return hull(corners);
    }
    default: box = hull(flattened(prim)); break;
  }
  return {box.x0 - half, box.y0 - half, box.x1 + half, box.y1 + half};
}

Hit hit(const plot::View& view, const plot::Frame& frame, double x, double y, double slack, const Theme& theme) {
  Hit best;
  double least = slack;
  bool best_answers = false;
  for (const Prim& prim : frame.prims) {
    if (prim.panel < 0 || prim.mark < 0 || prim.px.empty()) continue;
    const plot::Mark& mark = view.panels[static_cast<size_t>(prim.panel)].marks[static_cast<size_t>(prim.mark)];
    const bool answers = prim.handle || !mark.sets.empty();
    if (!answers && (mark.row < 0 || prim.fill == Fill::wash)) continue;
    const double d = distance(prim, x, y, theme);
    if (d > slack || (best_answers && !answers)) continue;
    if (d > least && !(answers && !best_answers)) continue;
    best = {prim.panel, prim.mark, prim.handle};
    least = d;
    best_answers = answers;
  }
  return best;
}

}  // namespace lk::lab
