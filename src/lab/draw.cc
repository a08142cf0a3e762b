#include "lab/draw.h"

#include <algorithm>
#include <cmath>

#include "lab/geometry.h"
#include "lab/text.h"

namespace lk::lab {
namespace {

using plot::Fill;
using plot::Point;
using plot::Prim;
using plot::Role;

constexpr double wash_opacity = 0.06;  // of a region behind data
constexpr double hatch_step = 6;       // CSS pixels between lines, sideways
constexpr double halo_width = 2;       // CSS pixels around text
constexpr double pill_rim = 1.5;       // the same around the pill of a handle
constexpr double pale_line = 0.55;     // opacity of an open path that is pale

class Pen {
 public:
  Pen(ImDrawList* list, ImVec2 origin, const Theme& theme) : list_(list), origin_(origin), theme_(theme) {}

  void draw(const Prim& prim) {
    if (prim.kind != Prim::disc && prim.kind != Prim::glyphs && prim.px.size() < 2) return;
    if (prim.px.empty()) return;
    switch (prim.kind) {
      case Prim::rect: rect(prim); break;
      case Prim::path: path(prim); break;
      case Prim::disc: disc(prim); break;
      case Prim::glyphs: glyphs(prim); break;
      case Prim::hatch: hatch(prim); break;
    }
  }

  // The primitive again, in the accent.
  void highlight(Prim prim) {
    prim.role = Role::accent;
    if (prim.kind == Prim::rect && prim.fill == Fill::pale && prim.px.size() > 1) {
      const auto [a, b] = corners(prim);  // or both colors would mix
      list_->AddRectFilled(a, b, theme_.color(Token::bg), theme_.px(prim.r));
    }
    if (prim.kind == Prim::path && !prim.closed) prim.fill = Fill::solid;
    draw(prim);
  }

 private:
  ImVec2 at(Point p) const { return {origin_.x + theme_.px(p.x), origin_.y + theme_.px(p.y)}; }

  // Corners on whole pixels: an edge between two pixels looks soft beside the grid's lines.
  std::pair<ImVec2, ImVec2> corners(const Prim& prim) const {
    const ImVec2 p = at(prim.px[0]), q = at(prim.px[1]);
    ImVec2 a(std::round(std::min(p.x, q.x)), std::round(std::min(p.y, q.y)));
    ImVec2 b(std::round(std::max(p.x, q.x)), std::round(std::max(p.y, q.y)));
    if (b.x <= a.x) b.x = a.x + 1;  // what has any size stays visible
    if (b.y <= a.y) b.y = a.y + 1;
    return {a, b};
  }

  ImU32 inside(const Prim& prim) const {
    const ImU32 color = theme_.mark(prim.role);
    if (prim.fill == Fill::pale) return faded(color, static_cast<double>(theme_.wash));
    if (prim.fill == Fill::wash) return faded(color, wash_opacity);
    return color;
  }

  static bool filled(const Prim& prim) { return prim.fill == Fill::solid || prim.fill == Fill::pale || prim.fill == Fill::wash; }

  void rect(const Prim& prim) {
    const auto [a, b] = corners(prim);
    const float r = std::min({theme_.px(prim.r), (b.x - a.x) / 2, (b.y - a.y) / 2});
    if (prim.halo || prim.handle) {
      const float grow = theme_.px(prim.halo ? halo_width : pill_rim);
      list_->AddRectFilled(ImVec2(a.x - grow, a.y - grow), ImVec2(b.x + grow, b.y + grow), theme_.color(Token::bg), r + grow);
    }
    if (filled(prim)) list_->AddRectFilled(a, b, inside(prim), r);
    if (prim.fill == Fill::hatch) lines(a, b);
    if (prim.stroke > 0) list_->AddRect(a, b, border(prim), r, 0, theme_.px(prim.stroke));
  }

  ImU32 border(const Prim& prim) const { return theme_.mark(prim.role); }

  void path(const Prim& prim) {
    if (prim.closed && prim.fill != Fill::outline) {
      const std::vector<Point> flat = flattened(prim);
      if (prim.fill == Fill::hatch) {
        const Box box = hull(flat);
        lines(at({box.x0, box.y0}), at({box.x1, box.y1}));
      } else {
        fill(flat, inside(prim));
      }
    }
    if (prim.stroke <= 0) return;
    const bool pale = !prim.closed && prim.fill == Fill::pale;
    stroke(prim, faded(theme_.mark(prim.role), pale ? pale_line : 1));
  }

  void fill(const std::vector<Point>& polygon, ImU32 color) {
    if (convex(polygon)) {
      for (const Point p : polygon) list_->PathLineTo(at(p));
      list_->PathFillConvex(color);
      return;
    }
    const std::vector<int> corner = triangles(polygon);
    const ImVec2 white = theme_.fonts->face(13, false)->ContainerAtlas->TexUvWhitePixel;
    list_->PrimReserve(static_cast<int>(corner.size()), static_cast<int>(polygon.size()));
    const unsigned first = list_->_VtxCurrentIdx;
    for (const int i : corner) list_->PrimWriteIdx(static_cast<ImDrawIdx>(first + static_cast<unsigned>(i)));
    for (const Point p : polygon) list_->PrimWriteVtx(at(p), white, color);
  }

  void stroke(const Prim& prim, ImU32 color) {
    const float wide = std::max(theme_.px(prim.stroke), 1.0F);
    std::vector<Point> flat = flattened(prim);
    std::vector<ImVec2> line;
    line.reserve(flat.size() + 1);
    for (const Point p : flat) line.push_back(at(p));
    if (prim.closed && line.size() > 2 && prim.dashed) line.push_back(line.front());
    crisp(line, wide);
    if (prim.dashed) {
      dashes(line, color, wide);
      return;
    }
    for (const ImVec2 p : line) list_->PathLineTo(p);
    list_->PathStroke(color, prim.closed ? ImDrawFlags_Closed : 0, wide);
  }

  // Level and upright lines go to whole pixels.
  static void crisp(std::vector<ImVec2>& line, float wide) {
    if (line.size() != 2) return;
    const float half = static_cast<int>(std::lround(wide)) % 2 == 1 ? 0.5F : 0.0F;
    if (line[0].x == line[1].x) line[0].x = line[1].x = std::floor(line[0].x) + half;
    if (line[0].y == line[1].y) line[0].y = line[1].y = std::floor(line[0].y) + half;
  }

  void dashes(const std::vector<ImVec2>& line, ImU32 color, float wide) {
    const float on = theme_.px(2), off = theme_.px(3);
    float left = on;
    bool pen = true;
    for (size_t i = 0; i + 1 < line.size(); ++i) {
      ImVec2 p = line[i];
      const ImVec2 q = line[i + 1];
      float rest = std::hypot(q.x - p.x, q.y - p.y);
      if (rest <= 0) continue;
      const ImVec2 unit((q.x - p.x) / rest, (q.y - p.y) / rest);
      while (rest > 0) {
        const float go = std::min(left, rest);
        const ImVec2 end(p.x + unit.x * go, p.y + unit.y * go);
        if (pen) {
          list_->PathLineTo(p);
          list_->PathLineTo(end);
          list_->PathStroke(color, 0, wide);
        }
        p = end;
        rest -= go;
        left -= go;
        if (left <= 0) {
          pen = !pen;
          left = pen ? on : off;
        }
      }
    }
  }

  void disc(const Prim& prim) {
    const ImVec2 center = at(prim.px[0]);
    const float r = theme_.px(prim.r);
    if (prim.halo) list_->AddCircleFilled(center, r + theme_.px(halo_width), theme_.color(Token::bg));
    // An outline covers what lies behind it: an open dot is not a hole in the line through it.
    if (prim.fill == Fill::outline) list_->AddCircleFilled(center, r, theme_.color(Token::bg));
    if (filled(prim)) list_->AddCircleFilled(center, r, inside(prim));
    if (prim.stroke > 0) list_->AddCircle(center, r, theme_.mark(prim.role), 0, theme_.px(prim.stroke));
  }

  void glyphs(const Prim& prim) {
    ImVec2 p = at(prim.px[0]);
    if (prim.halo) {
      const float d = theme_.px(halo_width), s = d * 0.7071F;
      const ImVec2 ring[] = {{d, 0}, {-d, 0}, {0, d}, {0, -d}, {s, s}, {-s, s}, {s, -s}, {-s, -s}};
      for (const ImVec2 o : ring) words(prim, ImVec2(p.x + o.x, p.y + o.y), theme_.color(Token::bg));
    }
    words(prim, p, ink(prim));
  }

  ImU32 ink(const Prim& prim) const { return prim.on_series ? theme_.words_on(prim.role) : theme_.words(prim.role); }

  void words(const Prim& prim, ImVec2 p, ImU32 color) {
    write(list_, theme_, p, prim.text, {prim.size, prim.strong, color, prim.anchor, prim.angle, prim.mono});
  }

  void hatch(const Prim& prim) {
    const auto [a, b] = corners(prim);
    lines(a, b);
    if (prim.stroke > 0) list_->AddRect(a, b, theme_.color(Token::rule), 0, 0, theme_.px(prim.stroke));
  }

  // Diagonals through the rectangle, clipped to it; their phase is the picture's, so that neighbors join.
  void lines(ImVec2 a, ImVec2 b) {
    const float step = theme_.px(hatch_step), zero = origin_.x + origin_.y;
    for (float c = std::ceil((a.x + a.y - zero) / step) * step; c < b.x + b.y - zero; c += step) {  // x + y = c
      const float x0 = std::max(a.x, c + zero - b.y), x1 = std::min(b.x, c + zero - a.y);
      if (x1 - x0 < 0.5F) continue;
      list_->PathLineTo(ImVec2(x0, c + zero - x0));
      list_->PathLineTo(ImVec2(x1, c + zero - x1));
      list_->PathStroke(theme_.color(Token::faint), 0, theme_.px(1));
    }
  }

  ImDrawList* list_;
  ImVec2 origin_;
  const Theme& theme_;
};

}  // namespace

void draw(const plot::Frame& frame, ImDrawList* list, ImVec2 origin, const Theme& theme, const Drawn& drawn) {
  Pen pen(list, origin, theme);
  for (size_t i = 0; i < frame.prims.size(); ++i) {
    const int first = list->VtxBuffer.Size;
    pen.draw(frame.prims[i]);
    if (drawn) drawn(i, first, list->VtxBuffer.Size);
  }
}

void draw_highlight(const plot::View& view, const plot::Frame& frame, int row, ImDrawList* list, ImVec2 origin, const Theme& theme) {
  if (row < 0) return;
  Pen pen(list, origin, theme);
  for (const Prim& prim : frame.prims) {
    if (prim.panel < 0 || prim.mark < 0 || prim.fill == Fill::wash) continue;
    const auto& marks = view.panels[static_cast<size_t>(prim.panel)].marks;
    if (marks[static_cast<size_t>(prim.mark)].row == row) pen.highlight(prim);
  }
}

}  // namespace lk::lab
