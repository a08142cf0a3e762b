#include "plot/shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/utf8.h"
#include "plot/clip.h"
#include "plot/font.h"

namespace lk::plot {
namespace {

constexpr double dot_radius = 4;
constexpr double handle_radius = 6.5;
constexpr double cell_gap = 1;
constexpr double node_height = 28, least_node = 36;
constexpr double least_bar = 1.5;  // px: a mark that stands for something is seen
constexpr double least_bordered = 12;
constexpr double head = 6;       // of an arrow
constexpr double code_inset = 6;  // px before and after a line of program text

bool finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

bool solid_area(Fill fill) { return fill == Fill::solid; }

Box ordered(Point a, Point b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)}; }
Box around(Point p, double r) { return {p.x - r, p.y - r, p.x + r, p.y + r}; }

class MarkPainter {
 public:
  MarkPainter(const Seat& seat, Canvas& canvas, MarkBoxes& boxes) : seat_(seat), canvas_(canvas), boxes_(boxes) {}

  void draw_all() {
    settle_cell_labels();
    for (size_t i = 0; i < seat_.panel->marks.size(); ++i) draw(seat_.panel->marks[i], static_cast<int>(i));
  }

 private:
  // In one panel the labels of cells all fit or all go (those that must stay aside): a few numbers among many say nothing.
  void settle_cell_labels() {
    for (const Mark& m : seat_.panel->marks) {
      if (m.shape != Shape::cell || m.label.empty() || m.at.empty() || !finite(m.at[0]) || m.keep >= keep_always) continue;
      const Box b = cell_box(m);
      if (text_width(m.label, text_size, m.strong) > b.w() || b.h() < text_above + text_below) cells_bare_ = true;
    }
  }

  Box cell_box(const Mark& m) const {
    if (seat_.panel->x.turn) {
      const Point c = seat_.px(m.at[0]);
      const double w = node_width(m);
      return {c.x - w / 2, c.y - node_height / 2, c.x + w / 2, c.y + node_height / 2};
    }
    const Point at = m.at[0];
    const Box b = ordered(seat_.px(at), seat_.px({at.x + 1, at.y + 1}));
    const double gx = std::min(cell_gap, b.w() * 0.1), gy = std::min(cell_gap, b.h() * 0.1);
    return {b.x0 + gx, b.y0 + gy, b.x1 - gx, b.y1 - gy};
  }

  static double node_width(const Mark& m) { return std::max(least_node, text_width(m.label, text_size, m.strong) + 12); }

  static bool stands_at(const Mark& m, Point p) {
    return m.shape == Shape::cell && !m.at.empty() && finite(m.at[0]) && m.at[0].x == p.x && m.at[0].y == p.y;
  }
  double group_width(Point p) const {
    double all = 0;
    for (const Mark& m : seat_.panel->marks)
      if (stands_at(m, p)) all += node_width(m) + 2;
    return all;
  }

  // Nodes of one place on a ring stand side by side.
  Box ring_box(const Mark& m) const {
    double before = 0;
    for (const Mark& o : seat_.panel->marks) {
      if (&o == &m) break;
      if (stands_at(o, m.at[0])) before += node_width(o) + 2;
    }
    Box b = cell_box(m);
    const double x = b.cx() - group_width(m.at[0]) / 2 + before + 1, w = b.w();
    b.x0 = std::clamp(x, seat_.outer.x0, std::max(seat_.outer.x0, seat_.outer.x1 - w));
    b.x1 = std::min(b.x0 + w, seat_.outer.x1);
    return b;
  }

  Prim prim(Prim::Kind kind, std::vector<Point> px, double stroke = 0) const {
    return {.kind = kind, .role = mark_->role, .fill = mark_->fill, .px = std::move(px), .stroke = stroke, .panel = seat_.index, .mark = index_};
  }

  void draw(const Mark& m, int index) {
    mark_ = &m;
    index_ = index;
    if (m.shape == Shape::link) return;
    if (m.at.empty() || !finite(m.at[0])) return;
    switch (m.shape) {
      case Shape::bar: draw_bar(); break;
      case Shape::line: draw_line(); break;
      case Shape::area: draw_area(); break;
      case Shape::dot: draw_dot(); break;
      case Shape::arrow: draw_arrow(); break;
      case Shape::note: draw_note(); break;
      case Shape::cell: draw_cell(); break;
      case Shape::code: draw_code(); break;
      case Shape::link: break;
    }
  }

  void keep_box(const Box& box) { boxes_[{seat_.index, index_}] = box; }

  void rectangle(const Box& b, double radius) {
    const Mark& m = *mark_;
    if (m.fill == Fill::hatch) {
      canvas_.add(Layer::bar, prim(Prim::hatch, {{b.x0, b.y0}, {b.x1, b.y1}}));
      if (!m.dashed) return;
    }
    // A border around every bar of a dense row would be all that one sees.
    const bool border = m.fill == Fill::pale && m.shape == Shape::bar && b.w() >= least_bordered;
    const bool line = m.fill == Fill::outline || m.dashed || border;
    const double in = line ? std::min({0.5, b.w() / 2, b.h() / 2}) : 0;  // the stroke stays inside the bar
    Prim p = prim(Prim::rect, {{b.x0 + in, b.y0 + in}, {b.x1 - in, b.y1 - in}}, line ? (m.strong ? 1.5 : 1) : 0);
    if (m.fill == Fill::hatch) p.fill = Fill::outline;
    p.r = radius;
    p.dashed = m.dashed;
    canvas_.add(Layer::bar, std::move(p));
  }

  void draw_bar() {
    const Mark& m = *mark_;
    if (m.at.size() < 2 || !finite(m.at[1])) return;
    Box b = ordered(seat_.px(m.at[0]), seat_.px(m.at[1]));
    if (b.w() < least_bar) {
      b.x1 = std::min(b.x0 + least_bar, std::max(b.x1, seat_.plot.x1));
      b.x0 = std::min(b.x0, std::max(b.x1 - least_bar, seat_.plot.x0));
    }
    rectangle(b, 0);
    keep_box(b);
    if (m.fill != Fill::wash) canvas_.labels.block(b, true);
    label(b, m.side == Side::inside);
  }

  void draw_cell() {
    const Mark& m = *mark_;
    const bool ring = seat_.panel->x.turn;
    const Box b = ring ? ring_box(m) : cell_box(m);
    rectangle(b, b.w() >= 10 ? 2 : 0);
    keep_box(b);
    canvas_.labels.block(b, true);
    if (cells_bare_ && m.keep < keep_always) {
      if (!m.label.empty()) canvas_.dropped.push_back(m.label);
      return;
    }
    label(b, true);
  }

  // Indentation becomes distance: what draws text may swallow the spaces in front of it.
  void draw_code() {
    const Mark& m = *mark_;
    const Point from = seat_.px(m.at[0]), below = seat_.px({m.at[0].x, m.at[0].y + 1});
    const Box row{std::min(from.x, seat_.plot.x1), std::min(from.y, below.y), seat_.plot.x1, std::max(from.y, below.y)};
    keep_box(row);
    if (m.fill == Fill::pale) canvas_.add(Layer::area, prim(Prim::rect, {{row.x0, row.y0}, {row.x1, row.y1}}));
    const size_t indent = std::min(m.label.find_first_not_of(' '), m.label.size());
    const double x = row.x0 + code_inset + mono_width(std::string_view(m.label).substr(0, indent), text_size);
    const std::string shown = fitted_code(std::string_view(m.label).substr(indent), row.x1 - code_inset - x);
    if (shown.size() + indent < m.label.size()) canvas_.dropped.push_back(m.label);
    if (shown.empty()) return;
    const double least = seat_.outer.y0 + text_above, most = std::max(least, seat_.outer.y1 - text_below);
    Prim p = prim(Prim::glyphs, {{x, std::clamp(row.cy() + text_size * 0.35, least, most)}});
    p.fill = Fill::solid;
    p.text = shown;
    p.mono = true;
    canvas_.add(Layer::words, std::move(p));
    canvas_.labels.block({x, row.y0, std::min(x + mono_width(shown, text_size), row.x1), row.y1});
  }

  static std::string fitted_code(std::string_view text, double room) {
    if (mono_width(text, text_size) <= room) return std::string(text);
    size_t end = 0;
    for (size_t at = 0, letters = 1; at < text.size(); end = at, ++letters) {
      if (static_cast<double>(letters + 1) * mono_advance * text_size > room) break;
      next_code_point(text, at);
    }
    return end == 0 ? std::string() : std::string(text.substr(0, end)) + "…";
  }

  void draw_line() {
    const Mark& m = *mark_;
    std::vector<Point> px;
    for (const Point& p : m.at)
      if (finite(p)) px.push_back(seat_.panel->x.turn ? seat_.px(p) : Point{seat_.x.loose(p.x), seat_.y.loose(p.y)});
    const std::vector<std::vector<Point>> pieces = clip_line(px, seat_.plot);
    if (pieces.empty()) return;
    for (const std::vector<Point>& piece : pieces) {
      if (!m.dashed)
        for (size_t i = 0; i + 1 < piece.size(); ++i) canvas_.labels.avoid(piece[i], piece[i + 1], m.strong);
      Prim p = prim(Prim::path, piece, m.strong ? 2.5 : m.dashed ? 1 : 1.5);
      p.dashed = m.dashed;
      canvas_.add(Layer::line, std::move(p));
    }
    const Point first = pieces.front().front(), last = pieces.back().back();
    Box ends = ordered(first, last);
    keep_box(ends);
    const Point& end = m.side == Side::left ? first : last;
    const bool over = m.side == Side::above || m.side == Side::below;
    Label l = make_label(over ? Box{ends.x0, end.y, ends.x1, end.y} : Box{end.x, end.y, end.x, end.y});
    l.end_aligned = true;
    if (m.side == Side::along) l.along = true, l.a = first, l.b = pieces.front()[1];
    canvas_.labels.add(std::move(l));
  }

  void draw_area() {
    std::vector<Point> px;
    for (const Point& p : mark_->at)
      if (finite(p)) px.push_back(seat_.panel->x.turn ? seat_.px(p) : Point{seat_.x.loose(p.x), seat_.y.loose(p.y)});
    px = clip_area(std::move(px), seat_.plot);
    if (px.size() < 3) return;
    Box b = around(px[0], 0);
    for (const Point& p : px) b = {std::min(b.x0, p.x), std::min(b.y0, p.y), std::max(b.x1, p.x), std::max(b.y1, p.y)};
    Prim p = prim(Prim::path, std::move(px), mark_->fill == Fill::outline ? 1 : 0);
    p.closed = true;
    p.dashed = mark_->dashed;
    canvas_.add(Layer::area, std::move(p));
    keep_box(b);
    Label l = make_label(b);
    l.side = Side::inside;
    l.bounds = b;
    canvas_.labels.add(std::move(l));
  }

  void draw_dot() {
    const Mark& m = *mark_;
    const bool handle = !m.drags.empty();
    if (!handle && !seat_.holds(m.at[0])) {
      canvas_.dropped.push_back(m.label.empty() ? "a point outside the axes" : m.label);
      return;
    }
    const Point c = seat_.px(m.at[0]);
    const double r = handle ? handle_radius + 1.5 : dot_radius;
    const Box b = around(c, r);
    keep_box(b);
    if (!handle) {
      if (m.at.size() > 1 && finite(m.at[1])) {
        const Point stem = seat_.px(m.at[1]);
        if (std::hypot(stem.x - c.x, stem.y - c.y) > r) {
          canvas_.add(Layer::dot, prim(Prim::path, {stem, c}, 1));
          canvas_.labels.avoid(stem, c);
        }
      }
      Prim p = prim(Prim::disc, {c}, m.fill == Fill::solid ? 0 : 1.5);
      p.r = r;
      canvas_.add(Layer::dot, std::move(p));
    }
    canvas_.labels.block(b);
    canvas_.labels.dot(seat_.index, index_, c, r);
    label(b, false, handle ? 5 : 6);
  }

  void draw_arrow() {
    const Mark& m = *mark_;
    if (m.at.size() < 2 || !finite(m.at[1])) return;
    std::vector<Point> px;
    if (seat_.panel->x.turn) {
      px = bent();
    } else {
      px = {seat_.px(m.at[0]), seat_.px(m.at[1])};
    }
    const Point tip = px.back();
    Point from = px[px.size() - 2];
    double dx = tip.x - from.x, dy = tip.y - from.y, d = std::hypot(dx, dy);
    if (!(d > 0)) return;
    dx /= d, dy /= d;
    const auto barb = [&](double side) { return Point{tip.x - head * dx + side * head * 0.6 * dy, tip.y - head * dy - side * head * 0.6 * dx}; };
    Prim line = prim(Prim::path, px, m.strong ? 2 : 1.5);
    line.dashed = m.dashed;
    canvas_.add(Layer::dot, std::move(line));
    const Box inside = seat_.outer;
    std::vector<Point> tips{barb(1), tip, barb(-1)};
    for (Point& p : tips) p = {std::clamp(p.x, inside.x0, inside.x1), std::clamp(p.y, inside.y0, inside.y1)};
    canvas_.add(Layer::dot, prim(Prim::path, std::move(tips), m.strong ? 2 : 1.5));
    for (size_t i = 0; i + 1 < px.size(); ++i) canvas_.labels.avoid(px[i], px[i + 1]);
    keep_box(ordered(px.front(), tip));
    const Point mid = px.size() > 2 ? px[px.size() / 2] : Point{(px[0].x + tip.x) / 2, (px[0].y + tip.y) / 2};
    label(around(mid, 2), false, 6);
  }

  // Along a ring the short way round, clear of the nodes at both ends.
  std::vector<Point> bent() const {
    const Point a = mark_->at[0], b = mark_->at[1];
    double from = seat_.x.px(a.x), to = seat_.x.px(b.x);
    const double turn = 2 * std::numbers::pi;
    if (to - from > std::numbers::pi) to -= turn;
    if (from - to > std::numbers::pi) to += turn;
    const double r0 = seat_.y.px(a.y), r1 = seat_.y.px(b.y), r = std::max(1.0, std::max(r0, r1));
    const double way = to - from, sign = way < 0 ? -1 : 1;
    const auto clear = [&](Point node, double angle) {
      const double along = std::fabs(std::cos(angle)) * group_width(node) / 2 + std::fabs(std::sin(angle)) * node_height / 2;
      return sign * std::min(0.35 * std::fabs(way), (along + 6) / r);
    };
    from += clear(a, from);
    to -= clear(b, to);
    std::vector<Point> px;
    constexpr int pieces = 16;
    for (int i = 0; i <= pieces; ++i) {
      const double t = static_cast<double>(i) / pieces, angle = from + t * (to - from), radius = r0 + t * (r1 - r0);
      px.push_back({seat_.plot.cx() + radius * std::sin(angle), seat_.plot.cy() - radius * std::cos(angle)});
    }
    return px;
  }

  void draw_note() {
    const Point c = seat_.px(mark_->at[0]);
    keep_box(around(c, 0));
    label(around(c, 0), false, 8);
  }

  Label make_label(const Box& anchor, double gap = 8) const {
    const Mark& m = *mark_;
    Label l;
    l.text = m.label;
    l.detail = m.detail;
    l.role = m.role;
    // Data labels are ink; the reader's own and outcomes keep their color, and series name what runs along them.
    const bool series = m.role >= Role::memory && m.role <= Role::other;
    if (series && m.shape != Shape::line && m.shape != Shape::note && m.shape != Shape::arrow) l.role = Role::ink;
    l.strong = m.strong;
    l.side = m.side;
    l.side_matters = l.icon = m.shape == Shape::note;
    l.of_dot = m.shape == Shape::dot;
    l.keep = m.keep;
    l.panel = seat_.index;
    l.mark = index_;
    l.anchor = anchor;
    l.gap = gap;
    l.bounds = {seat_.y_text ? seat_.plot.x0 - 2 : seat_.outer.x0, seat_.outer.y0, seat_.outer.x1, std::max(seat_.plot.y1 - 1, seat_.outer.y0 + line_pitch)};
    return l;
  }

  void label(const Box& anchor, bool inside, double gap = 8) {
    if (mark_->label.empty()) return;
    Label l = make_label(anchor, gap);
    if (inside) {
      l.side = Side::inside;
      l.only_inside = true;
      l.on_series = solid_area(mark_->fill);
      if (l.on_series) l.role = mark_->role;
      else if (mark_->role != Role::accent) l.role = Role::ink;
    }
    if (mark_->shape == Shape::note && l.side == Side::inside) l.anchor = grown(anchor, 0);
    canvas_.labels.add(std::move(l));
  }

  const Seat& seat_;
  Canvas& canvas_;
  MarkBoxes& boxes_;
  const Mark* mark_ = nullptr;
  int index_ = -1;
  bool cells_bare_ = false;
};

// An S from border to border: down when the boxes stand above each other, else across; `rows` of text are joined across.
Prim joined(const Box& a, const Box& b, bool straight, bool rows) {
  const bool down = !rows && (a.y1 <= b.y0 || b.y1 <= a.y0);
  Point from, to;
  if (down) {
    const bool below = a.y1 <= b.y0;
    from = {a.cx(), below ? a.y1 : a.y0};
    to = {b.cx(), below ? b.y0 : b.y1};
  } else {
    const bool right = a.cx() <= b.cx();
    from = {right ? a.x1 : a.x0, a.cy()};
    to = {right ? b.x0 : b.x1, b.cy()};
  }
  Prim p{.kind = Prim::path};
  if (straight) {
    p.px = {from, to};
  } else {
    const Point c1 = down ? Point{from.x, from.y + (to.y - from.y) * 0.45} : Point{from.x + (to.x - from.x) * 0.5, from.y};
    const Point c2 = down ? Point{to.x, from.y + (to.y - from.y) * 0.55} : Point{from.x + (to.x - from.x) * 0.5, to.y};
    p.px = {from, c1, c2, to};
    p.curve = true;
  }
  return p;
}

bool is_code(const View& view, MarkRef ref) {
  return view.panels[static_cast<size_t>(ref.panel)].marks[static_cast<size_t>(ref.mark)].shape == Shape::code;
}

}  // namespace

void draw_marks(const Seat& seat, Canvas& canvas, MarkBoxes& boxes) { MarkPainter(seat, canvas, boxes).draw_all(); }

void draw_links(const View& view, const std::vector<Seat>& seats, const MarkBoxes& boxes, Canvas& canvas) {
  for (const Seat& seat : seats) {
    const std::vector<Mark>& marks = view.panels[static_cast<size_t>(seat.index)].marks;
    for (size_t i = 0; i < marks.size(); ++i) {
      const Mark& m = marks[i];
      if (m.shape != Shape::link) continue;
      const auto from = boxes.find({m.from.panel, m.from.mark}), to = boxes.find({m.to.panel, m.to.mark});
      if (from == boxes.end() || to == boxes.end()) continue;  // an end is not shown in this composition
      Prim p = joined(from->second, to->second, m.dashed, is_code(view, m.from) && is_code(view, m.to));
      p.role = m.role;
      p.stroke = m.strong ? 2 : 1;
      p.fill = m.strong ? Fill::solid : Fill::pale;
      p.dashed = m.dashed;
      p.panel = seat.index;
      p.mark = static_cast<int>(i);
      canvas.labels.avoid(p.px.front(), p.px.back());
      canvas.add(m.strong ? Layer::strong_link : Layer::link, std::move(p));
    }
  }
}

void draw_handles(const Seat& seat, double width, Canvas& canvas) {
  for (size_t i = 0; i < seat.panel->marks.size(); ++i) {
    const Mark& m = seat.panel->marks[i];
    if (m.drags.empty() || m.at.empty() || m.shape == Shape::link || m.shape == Shape::area || m.shape == Shape::cell || seat.panel->x.turn) continue;
    const Point data = m.shape == Shape::bar && m.at.size() > 1 ? m.at[1] : m.at[0];
    const Point c = seat.px(data);
    const auto add = [&](Prim p) {
      p.role = Role::accent;
      p.handle = true;
      p.panel = seat.index;
      p.mark = static_cast<int>(i);
      canvas.add(Layer::handle, std::move(p));
    };
    const double bottom = seat.plot.y1, top = m.shape == Shape::line ? seat.plot.y0 : c.y;
    add({.kind = Prim::path, .px = {{c.x, top}, {c.x, bottom}}, .stroke = 1.5});
    canvas.labels.avoid({c.x, top}, {c.x, bottom});
    if (seat.outer.y1 >= bottom + tick_line && std::isfinite(data.x)) {
      const std::string value = digits(data.x / seat.x_unit.divide);
      const double w = std::min(std::max(42.0, text_width(value, 11.5, true) + 20), width);
      const double x = std::clamp(c.x - w / 2, 0.0, width - w), y = bottom + 4;
      add({.kind = Prim::rect, .px = {{x, y}, {x + w, y + 20}}, .r = 10});
      add({.kind = Prim::glyphs, .px = {{x + w / 2, y + 14}}, .text = value, .anchor = Prim::middle, .size = 11.5, .strong = true, .on_series = true});
      canvas.labels.block({x - 6, y, x + w + 6, y + 20});
    }
    if (m.shape == Shape::note) continue;
    const Point at{c.x, m.shape == Shape::line ? top : c.y};
    add({.kind = Prim::disc, .fill = Fill::outline, .px = {at}, .r = handle_radius, .stroke = 3});
    canvas.labels.block(around(at, handle_radius + 1.5));
  }
}

}  // namespace lk::plot
