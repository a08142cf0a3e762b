#include "plot/compose.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/few.h"
#include "plot/font.h"
#include "plot/frame.h"

namespace lk::plot {
namespace {

constexpr double line_height = 24;
constexpr double column_gap = 40, row_gap = 28, shared_gap = 16;
constexpr double edge = 9;         // room for half a handle at the ends of an axis
constexpr double most_gutter = 0.45;
constexpr double node = 24;        // room for an upright node around a ring

struct Span {
  double x0 = 0, x1 = 0;
};

bool drawn(const Axis& axis) { return axis.scale == Scale::linear || axis.scale == Scale::log; }
bool drags(const Panel& p) {
  return std::any_of(p.marks.begin(), p.marks.end(), [](const Mark& m) { return !m.drags.empty(); });
}

// Dots and handles reach over the ends of their axes.
bool reaches_over(const Panel& p) {
  return std::any_of(p.marks.begin(), p.marks.end(), [](const Mark& m) { return m.shape == Shape::dot || !m.drags.empty(); });
}

double plot_height(const Panel& p, bool wide) {
  const double lines = !wide && p.narrow_lines > 0 ? p.narrow_lines : p.lines;
  return std::round(line_height * (std::isfinite(lines) ? std::clamp(lines, 0.5, 200.0) : 10.0));
}

double header_of(const Panel& p) {
  const bool title = !p.title.empty(), label = p.y.scale != Scale::hidden && !axis_label(p.y, axis_unit(p.y, Ruler(p.y, 0, 1))).empty();
  if (title && label) return 44;
  if (title || label || !p.note.empty()) return 26;
  return drawn(p.y) || reaches_over(p) ? edge : 1;
}

// Panels of one row share its width; those that reach down from above keep theirs.
std::vector<Span> columns(const std::vector<Seat>& seats, double width, bool wide) {
  std::vector<Span> out(seats.size(), {0, width});
  if (!wide) return out;
  std::map<int, std::vector<size_t>> rows;
  for (size_t i = 0; i < seats.size(); ++i) rows[seats[i].panel->row].push_back(i);
  std::vector<std::pair<size_t, int>> reaching;  // seat, rows left
  for (const auto& [row, own] : rows) {
    double x0 = 0, x1 = width;
    for (const auto& [i, left] : reaching) {
      if (out[i].x0 - x0 > x1 - out[i].x1) x1 = std::min(x1, out[i].x0 - column_gap);
      else x0 = std::max(x0, out[i].x1 + column_gap);
    }
    if (x1 - x0 < width * 0.1) x0 = 0, x1 = width;
    double shares = 0;
    const auto share = [&](size_t i) {
      const double s = seats[i].panel->share;
      return std::isfinite(s) && s > 0 ? std::clamp(s, 0.05, 100.0) : 1;
    };
    for (const size_t i : own) shares += share(i);
    const double room = std::max(0.0, x1 - x0 - column_gap * static_cast<double>(own.size() - 1));
    double x = x0;
    for (const size_t i : own) {
      const double w = room * share(i) / shares;
      out[i] = {std::min(x, width), std::min(x + w, width)};
      x += w + column_gap;
    }
    for (auto& r : reaching) --r.second;
    for (const size_t i : own)
      if (seats[i].panel->rows > 1) reaching.emplace_back(i, seats[i].panel->rows - 1);
    std::erase_if(reaching, [](const auto& r) { return r.second <= 0; });
  }
  return out;
}

double key_rows(const Panel& p, double room) {
  if (p.keys.empty()) return 0;
  double rows = 1, x = 0;
  for (const Key& key : p.keys) {
    const double w = key_text + text_width(key.label, text_size);
    if (x > 0 && x + w > room) ++rows, x = 0;
    x += w + key_gap;
  }
  return rows;
}

void rows_down(std::vector<Seat>& seats, bool wide, double& height) {
  std::vector<std::vector<size_t>> rows;
  if (wide) {
    std::map<int, std::vector<size_t>> by_row;
    for (size_t i = 0; i < seats.size(); ++i) by_row[seats[i].panel->row].push_back(i);
    for (auto& [row, own] : by_row) rows.push_back(std::move(own));
  } else {
    for (size_t i = 0; i < seats.size(); ++i) rows.push_back({i});
  }
  double y = 0;
  struct Reach {
    size_t seat;
    int left;
    double top;
  };
  std::vector<Reach> reaching;
  for (size_t r = 0; r < rows.size(); ++r) {
    if (r > 0) {
      const bool shared = std::all_of(rows[r].begin(), rows[r].end(), [&](size_t i) { return seats[i].panel->shares_x >= 0; });
      y += shared ? shared_gap : row_gap;
    }
    double header = 0, bottom = y;
    for (const size_t i : rows[r]) header = std::max(header, seats[i].header);
    for (const size_t i : rows[r]) {
      Seat& s = seats[i];
      s.header = header;
      s.outer.y0 = y;
      const double end = y + header + plot_height(*s.panel, wide) + s.footer;
      const int reach = wide ? std::min(s.panel->rows, static_cast<int>(rows.size() - r)) : 1;
      if (reach > 1) reaching.push_back({i, reach, end});
      else bottom = std::max(bottom, end), s.outer.y1 = end;
    }
    for (Reach& reach : reaching)
      if (--reach.left == 0) bottom = std::max(bottom, reach.top), seats[reach.seat].outer.y1 = bottom;
    std::erase_if(reaching, [](const Reach& reach) { return reach.left <= 0; });
    y = bottom;
  }
  height = std::max(y, line_height);
}

}  // namespace

Point Seat::px(Point data) const {
  if (!panel->x.turn) return {x.px(data.x), y.px(data.y)};
  const double angle = x.px(data.x), r = y.px(data.y);
  return {plot.cx() + r * std::sin(angle), plot.cy() - r * std::cos(angle)};
}

std::vector<Seat> compose(const View& view, double width, bool wide, double& height) {
  std::vector<Seat> seats;
  for (size_t i = 0; i < view.panels.size(); ++i) {
    const Panel& p = view.panels[i];
    if (p.when != When::always && (p.when == When::wide) != wide) continue;
    seats.push_back({.index = static_cast<int>(i), .panel = &p});
  }
  if (!wide) sort_few(seats, [](const Seat& a, const Seat& b) { return a.panel->row < b.panel->row; });
  const auto shared_with = [&](const Seat& s) -> Seat* {
    for (Seat& other : seats)
      if (other.index == s.panel->shares_x && other.index != s.index) return &other;
    return nullptr;
  };

  const std::vector<Span> at = columns(seats, width, wide), narrow_at = columns(seats, wide ? view.wide_from : narrowest, wide);
  for (size_t i = 0; i < seats.size(); ++i) {
    Seat& s = seats[i];
    const Panel& p = *s.panel;
    s.outer.x0 = at[i].x0;
    s.outer.x1 = at[i].x1;
    s.header = header_of(p);
    s.x_text = p.x.scale != Scale::hidden && p.x.labels && !p.x.turn;
    s.y_text = p.y.scale != Scale::hidden && p.y.labels && !p.x.turn;
    s.footer = reaches_over(p) ? edge : 1;
    s.keys_top = key_line * key_rows(p, narrow_at[i].x1 - narrow_at[i].x0);  // their height, until the bottom is known
  }
  // The lowest of the panels that share an axis prints it.
  for (const Seat& s : seats)
    if (Seat* upper = shared_with(s)) upper->x_text = false;
  for (Seat& s : seats) {
    const Panel& p = *s.panel;
    const bool label = !axis_label(p.x, axis_unit(p.x, Ruler(p.x, 0, 1))).empty() && !p.x.turn;
    const bool upper = std::any_of(seats.begin(), seats.end(), [&](const Seat& o) { return o.panel->shares_x == s.index && o.index != s.index; });
    if (s.x_text || (drags(p) && !upper)) s.footer = tick_line;
    if (label && !upper && (s.x_text || p.x.scale == Scale::hidden)) s.footer += label_line;
    if (s.keys_top > 0) s.footer += s.keys_top + 6;
  }
  rows_down(seats, wide, height);

  for (Seat& s : seats) {
    const Panel& p = *s.panel;
    s.plot = {s.outer.x0, s.outer.y0 + s.header, s.outer.x1, std::max(s.outer.y0 + s.header + 1, s.outer.y1 - s.footer)};
    s.keys_top = s.outer.y1 - s.keys_top;
    s.y = p.y.scale == Scale::band ? Ruler(p.y, s.plot.y0, s.plot.y1) : Ruler(p.y, s.plot.y1, s.plot.y0);
    s.y_unit = axis_unit(p.y, s.y);
    if (s.y_text) {
      s.y_ticks = ticks(p.y, s.y, s.y_unit, 40);
      for (const Tick& t : s.y_ticks) s.left = std::max(s.left, text_width(t.text, text_size));
      s.left = std::min(s.left + (p.y.scale == Scale::band ? 12 : 8), most_gutter * s.outer.w());
    }
    if (drawn(p.x) || drawn(p.y) || reaches_over(p)) s.right = std::min(edge, s.outer.w() / 8), s.left = std::max(s.left, s.right);
  }
  for (size_t pass = 0; pass < seats.size(); ++pass)
    for (Seat& s : seats)
      if (Seat* upper = shared_with(s)) {
        s.left = upper->left = std::max(s.left, upper->left);
        s.right = upper->right = std::max(s.right, upper->right);
      }
  for (Seat& s : seats) {
    const Panel& p = *s.panel;
    s.plot.x0 += s.left;
    s.plot.x0 = std::min(s.plot.x0, width);
    s.plot.x1 = std::min(std::max(s.plot.x0 + 1, s.plot.x1 - s.right), width);
    if (p.x.turn) {
      s.x = Ruler(p.x, 0, 6.283185307179586);
      s.y = Ruler(p.y, 0, std::max(1.0, std::min(s.plot.w(), s.plot.h()) / 2 - node));
    } else {
      s.x = Ruler(p.x, s.plot.x0, s.plot.x1);
    }
    s.x_unit = axis_unit(p.x, s.x);
  }
  return seats;
}

}  // namespace lk::plot
