// What can be wrong with the labels of a frame: one that seems to name another dot, runs into its neighbor or lost its detail.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plot/labels.h"
#include "plot/view.h"

namespace lk::test {

inline std::vector<std::string> label_faults(const plot::View& view, const plot::Frame& frame) {
  using namespace plot;
  using Id = std::pair<int, int>;
  std::vector<std::string> out;
  std::map<Id, std::vector<const Prim*>> labels;
  std::map<Id, const Prim*> dots;
  const auto mark_of = [&](const Id& id) -> const Mark& { return view.panels[static_cast<size_t>(id.first)].marks[static_cast<size_t>(id.second)]; };
  const auto box_of = [](const Prim& p) { return text_box(p.text, p.px[0], p.anchor, p.size, p.strong); };
  for (const Prim& p : frame.prims) {
    const Id id{p.panel, p.mark};
    if (p.mark < 0) continue;
    if (p.kind == Prim::disc && mark_of(id).shape == Shape::dot) dots[id] = &p;
    if (p.kind == Prim::glyphs && !p.handle) labels[id].push_back(&p);
  }
  for (const auto& [id, parts] : labels) {
    const Mark& mark = mark_of(id);
    const bool whole = mark.detail.empty() || std::any_of(parts.begin(), parts.end(), [&](const Prim* p) { return p->text == mark.detail || p->text == mark.label + " " + mark.detail; });
    if (!whole) out.push_back("'" + mark.label + "' lost '" + mark.detail + "'");
    if (dots.count(id) == 0 || mark.keep >= keep_always) continue;  // what must stand is the reader's own and wears their color
    const auto distance = [&words = parts](const Prim& dot) {
      double least = HUGE_VAL;
      for (const Prim* p : words) {
        const Box b = text_box(p->text, p->px[0], p->anchor, p->size, p->strong);
        const Point c = dot.px[0];
        least = std::min(least, std::hypot(c.x - std::clamp(c.x, b.x0, b.x1), c.y - std::clamp(c.y, b.y0, b.y1)) - dot.r);
      }
      return least;
    };
    for (const auto& [other, dot] : dots)
      if (other != id && distance(*dot) <= distance(*dots[id]))
        out.push_back("'" + mark.label + "' stands closer to the dot of '" + mark_of(other).label + "'");
  }
  for (const auto& [a, some] : labels)
    for (const auto& [b, others] : labels) {
      if (!(a < b)) continue;
      for (const Prim* p : some)
        for (const Prim* q : others) {
          if (!p->halo || !q->halo || p->angle != 0 || q->angle != 0) continue;  // inside their marks, or along a line
          const Box x = box_of(*p), y = box_of(*q);
          if (std::min(x.y1, y.y1) <= std::max(x.y0, y.y0)) continue;
          if (std::max(x.x0, y.x0) - std::min(x.x1, y.x1) < 8) out.push_back("'" + p->text + "' and '" + q->text + "' run together");
        }
    }
  return out;
}

}  // namespace lk::test
