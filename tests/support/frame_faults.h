// What can be wrong with any frame: numbers that are not finite, marks outside, text that is too small or collides.
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "plot/font.h"
#include "plot/frame.h"

namespace lk::test {

using Corners = std::array<plot::Point, 4>;

/// The four corners of a text, turned as it is drawn.
inline Corners text_corners(const plot::Prim& p) {
  const double w = p.mono ? plot::mono_width(p.text, p.size) : plot::text_width(p.text, p.size, p.strong);
  const double x0 = p.anchor == plot::Prim::start ? 0 : p.anchor == plot::Prim::end ? -w : -w / 2;
  const double y0 = -0.76 * p.size, y1 = 0.2 * p.size;  // ascender and descender of Inter
  const double a = p.angle * 3.14159265358979323846 / 180, c = std::cos(a), s = std::sin(a);
  const auto turned = [&](double x, double y) { return plot::Point{p.px[0].x + x * c - y * s, p.px[0].y + x * s + y * c}; };
  return {turned(x0, y0), turned(x0 + w, y0), turned(x0 + w, y1), turned(x0, y1)};
}

/// Separating axes: two rectangles are apart when some edge of one has the other on its far side.
inline bool overlap(const Corners& a, const Corners& b) {
  for (const Corners* r : {&a, &b})
    for (size_t i = 0; i < 4; ++i) {
      const plot::Point p = (*r)[i], q = (*r)[(i + 1) % 4], n{-(q.y - p.y), q.x - p.x};
      double a0 = 1e300, a1 = -1e300, b0 = 1e300, b1 = -1e300;
      for (const plot::Point& c : a) a0 = std::min(a0, c.x * n.x + c.y * n.y), a1 = std::max(a1, c.x * n.x + c.y * n.y);
      for (const plot::Point& c : b) b0 = std::min(b0, c.x * n.x + c.y * n.y), b1 = std::max(b1, c.x * n.x + c.y * n.y);
      if (a1 <= b0 + 1e-6 || b1 <= a0 + 1e-6) return false;
    }
  return true;
}

inline std::vector<std::string> faults(const plot::Frame& frame, bool collisions = true) {
  using plot::Prim;
  std::vector<std::string> out;
  const auto inside = [&](plot::Point p, double room) {
    return p.x >= room - 0.01 && p.x <= frame.width - room + 0.01 && p.y >= room - 0.01 && p.y <= frame.height - room + 0.01;
  };
  if (!std::isfinite(frame.width) || !std::isfinite(frame.height) || frame.width <= 0 || frame.height <= 0) out.push_back("the frame has no size");
  std::vector<std::pair<const Prim*, Corners>> texts;
  for (const Prim& p : frame.prims) {
    const std::string name = "primitive " + std::to_string(&p - frame.prims.data()) + " (kind " + std::to_string(p.kind) + ", mark " +
                             std::to_string(p.panel) + "." + std::to_string(p.mark) + " '" + p.text + "')";
    bool finite = std::isfinite(p.r) && std::isfinite(p.stroke) && std::isfinite(p.angle) && std::isfinite(p.size) && p.r >= 0;
    for (const plot::Point& c : p.px) finite = finite && std::isfinite(c.x) && std::isfinite(c.y);
    if (!finite) {
      out.push_back(name + " is not finite");
      continue;
    }
    const size_t points = p.px.size();
    const bool shaped = p.kind == Prim::path ? points >= 2 && (!p.curve || points % 3 == 1) : p.kind == Prim::rect || p.kind == Prim::hatch ? points == 2 : points == 1;
    if (!shaped) {
      out.push_back(name + " has " + std::to_string(points) + " points");
      continue;
    }
    if (p.kind == Prim::rect || p.kind == Prim::hatch)
      if (p.px[0].x > p.px[1].x || p.px[0].y > p.px[1].y) out.push_back(name + " is inside out");
    if (p.kind != Prim::glyphs) {
      for (const plot::Point& c : p.px)
        if (!inside(c, p.kind == Prim::disc ? p.r : 0)) out.push_back(name + " leaves the frame at " + std::to_string(c.x) + ", " + std::to_string(c.y));
      continue;
    }
    if (p.text.empty()) out.push_back(name + " says nothing");
    if (p.size < 11.5 || (p.size < 12 && !p.on_series)) out.push_back(name + " is too small");
    const Corners corners = text_corners(p);
    for (const plot::Point& c : corners)
      if (!inside(c, 0)) {
        out.push_back(name + " leaves the frame at " + std::to_string(c.x) + ", " + std::to_string(c.y));
        break;
      }
    texts.emplace_back(&p, corners);
  }
  if (!collisions) return out;
  for (size_t i = 0; i < texts.size(); ++i)
    for (size_t j = i + 1; j < texts.size(); ++j)
      if (overlap(texts[i].second, texts[j].second)) out.push_back("'" + texts[i].first->text + "' and '" + texts[j].first->text + "' collide");
  return out;
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += (out.empty() ? "" : "\n") + line;
  return out;
}

}  // namespace lk::test
