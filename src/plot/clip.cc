#include "plot/clip.h"

#include <algorithm>

namespace lk::plot {
namespace {

Point into(Point p, const Box& b) { return {std::clamp(p.x, b.x0, b.x1), std::clamp(p.y, b.y0, b.y1)}; }

}  // namespace

std::vector<std::vector<Point>> clip_line(const std::vector<Point>& line, const Box& box) {
  std::vector<std::vector<Point>> out;
  bool open = false;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    const Point a = line[i], b = line[i + 1];
    double t0 = 0, t1 = 1;
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double p[] = {-dx, dx, -dy, dy}, q[] = {a.x - box.x0, box.x1 - a.x, a.y - box.y0, box.y1 - a.y};
    bool seen = true;
    for (int k = 0; k < 4 && seen; ++k) {
      if (p[k] == 0) seen = q[k] >= 0;
      else if (p[k] < 0) t0 = std::max(t0, q[k] / p[k]);
      else t1 = std::min(t1, q[k] / p[k]);
    }
    if (!seen || t0 > t1) {
      open = false;
      continue;
    }
    if (!open || t0 > 0) out.push_back({into({a.x + t0 * dx, a.y + t0 * dy}, box)});
    out.back().push_back(into({a.x + t1 * dx, a.y + t1 * dy}, box));
    open = t1 >= 1;
  }
  return out;
}

std::vector<Point> clip_area(std::vector<Point> area, const Box& box) {
  for (int side = 0; side < 4; ++side) {
    const auto depth = [&](Point p) {  // positive inside
      return side == 0 ? p.x - box.x0 : side == 1 ? box.x1 - p.x : side == 2 ? p.y - box.y0 : box.y1 - p.y;
    };
    std::vector<Point> kept;
    for (size_t i = 0; i < area.size(); ++i) {
      const Point a = area[i], b = area[(i + 1) % area.size()];
      const double da = depth(a), db = depth(b);
      if (da >= 0) kept.push_back(a);
      if ((da >= 0) != (db >= 0)) {
        const double t = da / (da - db);
        kept.push_back({a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)});
      }
    }
    area = std::move(kept);
  }
  for (Point& p : area) p = into(p, box);
  return area;
}

}  // namespace lk::plot
