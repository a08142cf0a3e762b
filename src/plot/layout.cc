#include <algorithm>
#include <cmath>

#include "base/few.h"
#include "plot/frame.h"
#include "plot/font.h"
#include "plot/shapes.h"

namespace lk::plot {
namespace {

constexpr double baseline = 14;       // of the first line of a panel
constexpr double label_baseline = 34;  // of the y label under a title
constexpr double widest = 4096;

// Lines of one pixel are sharp when they run through the middle of a pixel.
double crisp(double px) { return std::floor(px) + 0.5; }

class AxisPainter {
 public:
  AxisPainter(const Seat& seat, Canvas& canvas) : seat_(seat), panel_(*seat.panel), canvas_(canvas) {}

  void draw() {
    title();
    if (panel_.x.turn) {
      ring();
    } else {
      y_axis();
      x_axis();
    }
    keys();
  }

 private:
  void words(const std::string& text, Point at, Prim::Anchor anchor, Role role, bool strong = false) {
    if (text.empty()) return;
    canvas_.labels.block(text_box(text, at, anchor, text_size, strong));
    canvas_.add(Layer::axis, {.kind = Prim::glyphs, .role = role, .px = {at}, .text = text, .anchor = anchor, .size = text_size, .strong = strong});
  }

  void cut(const std::string& whole, const std::string& shown) {
    if (whole != shown) canvas_.dropped.push_back(whole);
  }

  void title() {
    const double room = seat_.outer.w(), y = seat_.outer.y0 + baseline;
    const bool y_label = panel_.y.scale != Scale::hidden && !panel_.x.turn;
    const std::string label_text = y_label ? axis_label(panel_.y, seat_.y_unit) : std::string();
    const std::string shown = fitted(panel_.title, room, true), label = fitted(label_text, room, false);
    cut(panel_.title, shown);
    cut(label_text, label);
    words(shown, {seat_.outer.x0, y}, Prim::start, Role::ink, true);
    words(label, {seat_.outer.x0, seat_.outer.y0 + (panel_.title.empty() ? baseline : label_baseline)}, Prim::start, Role::muted);
    if (panel_.note.empty()) return;
    const double taken = panel_.title.empty() ? text_width(label, text_size) : text_width(shown, text_size, true);
    if (taken + (taken > 0 ? 16 : 0) + text_width(panel_.note, text_size) > room) {
      canvas_.dropped.push_back(panel_.note);
      return;
    }
    words(panel_.note, {seat_.outer.x1, y}, Prim::end, Role::muted);
  }

  void grid_line(Point a, Point b) { canvas_.add(Layer::ground, {.kind = Prim::path, .role = Role::grid, .px = {a, b}, .stroke = 1}); }

  void y_axis() {
    const Axis& axis = panel_.y;
    const Box& plot = seat_.plot;
    if (axis.scale == Scale::hidden) return;
    if (axis.scale != Scale::band && axis.grid) {
      // Without printed labels the lines still say where the steps are.
      const std::vector<Tick> at = seat_.y_text ? seat_.y_ticks : ticks(axis, seat_.y, seat_.y_unit, 40);
      for (const Tick& t : at) grid_line({plot.x0, crisp(std::min(t.px, plot.y1 - 0.5))}, {plot.x1, crisp(std::min(t.px, plot.y1 - 0.5))});
    }
    const bool band = axis.scale == Scale::band;
    const bool numbers = !band || std::all_of(axis.bands.begin(), axis.bands.end(), [](const std::string& b) { return b.empty() || (b[0] >= '0' && b[0] <= '9'); });
    const double room = seat_.left - 8;
    double last = -1e9;
    for (const Tick& t : in_order(seat_.y_ticks)) {
      const std::string text = fitted(t.text, room, false);
      cut(t.text, text);
      const double y = t.px + 4;
      if (y - last < text_above + text_below + 1 && last > -1e8) {
        canvas_.dropped.push_back(t.text);
        continue;
      }
      last = y;
      words(text, {numbers ? plot.x0 - 8 : seat_.outer.x0, y}, numbers ? Prim::end : Prim::start, band ? Role::ink : Role::muted);
    }
  }

  // Ticks by rising pixel.
  static std::vector<Tick> in_order(std::vector<Tick> list) {
    sort_few(list, [](const Tick& a, const Tick& b) { return a.px < b.px; });
    return list;
  }

  void x_axis() {
    const Axis& axis = panel_.x;
    const Box& plot = seat_.plot;
    if (axis.scale != Scale::hidden) {
      const std::vector<Tick> all = in_order(ticks(axis, seat_.x, seat_.x_unit, axis.scale == Scale::log ? 40 : 80));
      if (axis.scale != Scale::band && axis.grid)
        for (const Tick& t : all) grid_line({crisp(std::min(t.px, plot.x1 - 0.5)), plot.y0}, {crisp(std::min(t.px, plot.x1 - 0.5)), plot.y1});
      if (axis.scale != Scale::band || panel_.y.scale == Scale::linear || panel_.y.scale == Scale::log)
        canvas_.add(Layer::axis, {.kind = Prim::path, .role = Role::axis, .px = {{plot.x0, crisp(plot.y1 - 1)}, {plot.x1, crisp(plot.y1 - 1)}}, .stroke = 1});
      if (seat_.x_text) x_labels(all);
    }
    const bool prints_label = seat_.x_text || axis.scale == Scale::hidden;
    if (!prints_label) return;
    const std::string whole = axis_label(axis, seat_.x_unit), shown = fitted(whole, seat_.outer.w(), false);
    cut(whole, shown);
    const double y = plot.y1 + (seat_.footer >= tick_line + label_line ? 37 : 16);
    words(shown, {std::max(plot.x1, seat_.outer.x0 + text_width(shown, text_size)), y}, Prim::end, Role::muted);
  }

  void x_labels(const std::vector<Tick>& all) {
    struct Placed {
      const Tick* tick;
      Box box;
    };
    std::vector<Placed> placed;
    const double y = seat_.plot.y1 + 18;
    double widest_text = 0;
    for (const Tick& t : all) widest_text = std::max(widest_text, text_width(t.text, text_size));
    const double pitch = all.size() > 1 ? std::fabs(all[1].px - all[0].px) : 1e9;
    const auto stride = static_cast<size_t>(std::clamp(std::ceil((widest_text + 8) / std::max(pitch, 0.01)), 1.0, 1e6));
    // Every stride-th; on number axes the ends may come closer than that, the inner one of two that touch goes.
    const bool band = panel_.x.scale == Scale::band;
    const auto box_of = [&](const Tick& t) {
      Box b = text_box(t.text, {t.px, y}, Prim::middle, text_size, false);
      const double dx = b.x1 > seat_.outer.x1 ? seat_.outer.x1 - b.x1 : b.x0 < seat_.outer.x0 ? seat_.outer.x0 - b.x0 : 0;
      b.x0 += dx, b.x1 += dx;
      return b;
    };
    const auto clear = [&](const Box& b) {
      return std::none_of(placed.begin(), placed.end(), [&](const Placed& p) { return overlap(grown(p.box, 3), grown(b, 3)); });
    };
    const auto put = [&](const Tick& t) {
      const Box b = box_of(t);
      if (t.text.empty()) return;
      if (b.w() <= seat_.outer.w() && clear(b) && canvas_.labels.free(b)) placed.push_back({&t, b});
      else canvas_.dropped.push_back(t.text);
    };
    if (!all.empty() && !band) put(all.front());
    if (all.size() > 1 && !band) put(all.back());
    for (size_t i = band ? 0 : 1; i < all.size() - (band || all.empty() ? 0 : 1); ++i) {
      if (band && i % stride != 0) {
        if (!all[i].text.empty()) canvas_.dropped.push_back(all[i].text);
        continue;
      }
      put(all[i]);
    }
    sort_few(placed, [](const Placed& a, const Placed& b) { return a.box.x0 < b.box.x0; });
    for (const Placed& p : placed) words(p.tick->text, {p.box.cx(), y}, Prim::middle, Role::muted);
  }

  void ring() {
    if (!panel_.x.grid) return;
    const double r = seat_.y.end();
    if (r > 1)
      canvas_.add(Layer::ground, {.kind = Prim::disc, .role = Role::grid, .fill = Fill::outline, .px = {{seat_.plot.cx(), seat_.plot.cy()}}, .r = r, .stroke = 1});
  }

  void keys() {
    double x = seat_.outer.x0, y = seat_.keys_top;
    for (const Key& key : panel_.keys) {
      const std::string text = fitted(key.label, seat_.outer.w() - key_text, false);
      cut(key.label, text);
      const double w = key_text + text_width(text, text_size);
      if (x > seat_.outer.x0 && x + w > seat_.outer.x1) {
        x = seat_.outer.x0;
        y += key_line;
      }
      if (y + key_line > seat_.outer.y1 + 0.5) {
        canvas_.dropped.push_back(key.label);
        continue;
      }
      const double top = y + 5;
      Prim swatch{.kind = key.fill == Fill::hatch ? Prim::hatch : Prim::rect, .role = key.role, .fill = key.fill,
                  .px = {{x, top}, {x + key_swatch, top + key_swatch}}};
      if (key.fill == Fill::pale || key.fill == Fill::outline) {
        swatch.px = {{x + 0.5, top + 0.5}, {x + key_swatch - 0.5, top + key_swatch - 0.5}};
        swatch.stroke = 1;
      }
      canvas_.add(Layer::axis, std::move(swatch));
      words(text, {x + key_text, y + 15}, Prim::start, Role::muted);
      x += w + key_gap;
    }
  }

  const Seat& seat_;
  const Panel& panel_;
  Canvas& canvas_;
};

}  // namespace

Frame layout(const View& view, double width) {
  Frame frame;
  frame.width = std::isfinite(width) ? std::clamp(width, narrowest, widest) : view.wide_from;
  frame.wide = frame.width >= view.wide_from;
  const std::vector<Seat> seats = compose(view, frame.width, frame.wide, frame.height);

  Canvas canvas;
  MarkBoxes boxes;
  for (const Seat& seat : seats) draw_handles(seat, frame.width, canvas);
  for (const Seat& seat : seats) AxisPainter(seat, canvas).draw();
  for (const Seat& seat : seats) draw_marks(seat, canvas, boxes);
  draw_links(view, seats, boxes, canvas);
  canvas.labels.place(canvas.layers[static_cast<int>(Layer::words)], canvas.dropped);

  for (std::vector<Prim>& layer : canvas.layers)
    for (Prim& prim : layer) {
      // A panel without room for a dot (dozens of panels in one row) must not push it out of the frame.
      if (prim.kind == Prim::disc) prim.px[0].x = std::clamp(prim.px[0].x, prim.r, frame.width - prim.r);
      if (prim.kind == Prim::disc) prim.px[0].y = std::clamp(prim.px[0].y, prim.r, std::max(prim.r, frame.height - prim.r));
      frame.prims.push_back(std::move(prim));
    }
  for (const Seat& seat : seats) {
    if (seat.panel->x.turn) continue;
    frame.boxes.push_back({seat.index, seat.plot.x0, seat.plot.y0, seat.plot.x1, seat.plot.y1, seat.panel->x, seat.panel->y});
  }
  frame.dropped = std::move(canvas.dropped);
  return frame;
}

std::optional<double> invert_x(const Frame& frame, int panel, double px_x) {
  for (const PanelBox& box : frame.boxes)
    if (box.panel == panel && std::isfinite(px_x)) return Ruler(box.x, box.x0, box.x1).value(px_x);
  return std::nullopt;
}

}  // namespace lk::plot
