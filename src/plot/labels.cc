#include "plot/labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/few.h"
#include "base/utf8.h"
#include "plot/font.h"

namespace lk::plot {
namespace {

constexpr double detail_gap = 6;
constexpr double icon_width = 14;
constexpr double nudge = 6;

bool has_icon(const Label& label) {
  return label.icon && (label.role == Role::good || label.role == Role::warn || label.role == Role::bad);
}

// Liang and Barsky: does the segment enter the box?
bool enters(Point a, Point b, const Box& box) {
  double t0 = 0, t1 = 1;
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double p[] = {-dx, dx, -dy, dy}, q[] = {a.x - box.x0, box.x1 - a.x, a.y - box.y0, box.y1 - a.y};
  for (int i = 0; i < 4; ++i) {
    if (p[i] == 0) {
      if (q[i] < 0) return false;
    } else if (p[i] < 0) {
      t0 = std::max(t0, q[i] / p[i]);
    } else {
      t1 = std::min(t1, q[i] / p[i]);
    }
  }
  return t0 <= t1;
}

Box moved_into(Box box, const Box& bounds) {
  const double dx = box.x1 > bounds.x1 ? bounds.x1 - box.x1 : 0;
  box.x0 += dx, box.x1 += dx;
  if (box.x0 < bounds.x0) box.x1 += bounds.x0 - box.x0, box.x0 = bounds.x0;
  const double dy = box.y1 > bounds.y1 ? bounds.y1 - box.y1 : 0;
  box.y0 += dy, box.y1 += dy;
  if (box.y0 < bounds.y0) box.y1 += bounds.y0 - box.y0, box.y0 = bounds.y0;
  return box;
}

bool within(const Box& box, const Box& bounds) {
  return box.x0 >= bounds.x0 - 1e-6 && box.x1 <= bounds.x1 + 1e-6 && box.y0 >= bounds.y0 - 1e-6 && box.y1 <= bounds.y1 + 1e-6;
}

// A check, an exclamation mark or a cross, 8 px high, so that an outcome is never told by color alone.
void draw_icon(const Label& label, double x, double baseline, std::vector<Prim>& prims) {
  const double y = baseline - 8;
  const auto stroke = [&](std::vector<Point> px) {
    prims.push_back({.kind = Prim::path, .role = label.role, .px = std::move(px), .stroke = 2, .panel = label.panel, .mark = label.mark});
  };
  if (label.role == Role::good) {
    stroke({{x, y + 4}, {x + 3, y + 7.5}, {x + 8.5, y}});
  } else if (label.role == Role::bad) {
    stroke({{x, y}, {x + 8, y + 8}});
    stroke({{x + 8, y}, {x, y + 8}});
  } else {
    stroke({{x + 4, y}, {x + 4, y + 4.5}});
    stroke({{x + 4, y + 6.5}, {x + 4, y + 8.5}});
  }
}

}  // namespace

bool overlap(const Box& a, const Box& b) { return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1; }
Box grown(const Box& box, double by) { return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by}; }

std::string fitted(std::string_view text, double room, bool strong) {
  if (text_width(text, text_size, strong) <= room) return std::string(text);
  const double left = room - text_width("…", text_size, strong);
  size_t end = 0;
  double used = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t from = at;
    next_code_point(text, at);
    used += text_width(text.substr(from, at - from), text_size, strong);
    if (used > left) break;
    end = at;
  }
  if (end == 0) return {};
  while (end > 0 && text[end - 1] == ' ') --end;
  return std::string(text.substr(0, end)) + "…";
}

Box text_box(std::string_view text, Point baseline, Prim::Anchor anchor, double size, bool strong) {
  const double w = text_width(text, size, strong), scale = size / text_size;
  const double x = anchor == Prim::start ? baseline.x : anchor == Prim::end ? baseline.x - w : baseline.x - w / 2;
  return {x, baseline.y - text_above * scale, x + w, baseline.y + text_below * scale};
}

void Labels::block(const Box& box, bool is_mark) { blocked_.push_back({box, is_mark ? Blocked::mark : Blocked::thing}); }
void Labels::avoid(Point a, Point b, bool heavy) { lines_.push_back({a, b, heavy}); }

bool Labels::free(const Box& box) const {
  return std::none_of(blocked_.begin(), blocked_.end(), [&](const Blocked& b) { return b.kind != Blocked::mark && overlap(b.box, box); });
}

bool Labels::has_room(const Label& l, const Box& box) const {
  // Words of two marks that stand close read as one text; what stands inside its mark has that mark around it.
  const double dx = l.only_inside ? 1 : apart, dy = l.only_inside ? 1 : lines_apart;
  const Box wide{box.x0 - dx, box.y0 - dy, box.x1 + dx, box.y1 + dy};
  return std::none_of(blocked_.begin(), blocked_.end(), [&](const Blocked& b) {
    return !(l.only_inside && b.kind == Blocked::mark) && overlap(b.box, b.kind == Blocked::label ? wide : box);
  });
}

double Labels::Dot::to(const Box& box) const {
  return std::hypot(center.x - std::clamp(center.x, box.x0, box.x1), center.y - std::clamp(center.y, box.y0, box.y1)) - radius;
}

// Would a reader know at once which dot it names?
bool Labels::clear(const Label& l, const Box& box) const {
  if (!l.of_dot) return true;
  const auto own = std::find_if(dots_.begin(), dots_.end(), [&](const Dot& d) { return d.panel == l.panel && d.mark == l.mark; });
  return own == dots_.end() || std::all_of(dots_.begin(), dots_.end(), [&](const Dot& d) { return &d == &*own || d.to(box) >= clearly * own->to(box); });
}

bool Labels::crossed(const Box& box, bool only_heavy) const {
  for (const Line& line : lines_)
    if ((line.heavy || !only_heavy) && enters(line.a, line.b, box)) return true;
  return false;
}

Point Labels::size_of(const Label& label, Form form) const {
  const double icon = has_icon(label) ? icon_width : 0;
  const double text = text_width(label.text, text_size, label.strong), detail = text_width(label.detail, text_size);
  constexpr double line = text_above + text_below;
  switch (form) {
    case Form::one_line: return {icon + text + (detail > 0 ? detail_gap + detail : 0), line};
    case Form::two_lines: return {icon + std::max(text, detail), line + line_pitch};
  }
  return {};
}

std::vector<Labels::Spot> Labels::spots(const Label& l, double w, double h) const {
  std::vector<Spot> out;
  const Box& a = l.anchor;
  const double gap = l.gap, up = std::min(gap, 5.0);
  const auto put = [&](double x, double y, Prim::Anchor anchor) { out.push_back({{x, y, x + w, y + h}, anchor}); };
  const auto sideways = [&](bool right) {
    const double x = right ? a.x1 + gap : a.x0 - gap - w, y = a.cy() - h / 2;
    const Prim::Anchor anchor = right ? Prim::start : Prim::end;
    put(x, y, anchor);
    put(x, y + nudge, anchor);
    put(x, y - nudge, anchor);
  };
  const auto corner = [&](bool right, bool above) {
    put(right ? a.x1 + 3 : a.x0 - 3 - w, above ? a.y0 - h - 1 : a.y1 + 1, right ? Prim::start : Prim::end);
  };
  const auto stacked = [&](bool above, double further = 0) {
    const double y = above ? a.y0 - up - h - further : a.y1 + up + further;
    const auto centered = [&] { put(std::clamp(a.cx() - w / 2, l.bounds.x0, std::max(l.bounds.x0, l.bounds.x1 - w)), y, Prim::middle); };
    if (!l.end_aligned) centered();
    put(a.x1 - w, y, Prim::end);
    put(a.x0, y, Prim::start);
    if (l.end_aligned) centered();
  };
  if (l.side_matters) {
    switch (l.side) {
      case Side::right:
      case Side::along: sideways(true), corner(true, false), corner(true, true); return out;
      case Side::left: sideways(false), corner(false, true), corner(false, false); return out;
      case Side::above: stacked(true), corner(true, true), corner(false, true); return out;
      case Side::below: stacked(false), corner(true, false), corner(false, false); return out;
      case Side::inside: break;
    }
  }
  switch (l.side) {
    case Side::inside:
      put(a.cx() - w / 2, a.cy() - h / 2, Prim::middle);
      return out;
    case Side::along:
    case Side::right:
      sideways(true), corner(true, false), corner(true, true), sideways(false), stacked(false), stacked(true), corner(false, true), corner(false, false);
      break;
    case Side::left:
      sideways(false), corner(false, true), corner(false, false), sideways(true), stacked(true), stacked(false), corner(true, false), corner(true, true);
      break;
    case Side::above:
      if (l.end_aligned) {  // beside its end it would name what the line runs into
        stacked(true), stacked(true, line_pitch), stacked(true, 2 * line_pitch), stacked(false), stacked(false, line_pitch);
        break;
      }
      stacked(true), corner(true, true), corner(false, true), sideways(true), sideways(false), stacked(false);
      break;
    case Side::below:
      if (l.end_aligned) {
        stacked(false), stacked(false, line_pitch), stacked(false, 2 * line_pitch), stacked(true);
        break;
      }
      stacked(false), corner(true, false), corner(false, false), sideways(true), sideways(false), stacked(true);
      break;
  }
  return out;
}

void Labels::draw(const Label& l, Form form, const Spot& spot, std::vector<Prim>& prims) {
  blocked_.push_back({spot.box, Blocked::label});
  const bool icon = has_icon(l), in_one = form == Form::one_line && !l.detail.empty();
  // The font that draws may differ from the one measured: the anchor keeps the side that matters in its place.
  const Prim::Anchor anchor = icon || (in_one && spot.anchor == Prim::middle) ? Prim::start : spot.anchor;
  const double left = spot.box.x0 + (icon ? icon_width : 0), baseline = spot.box.y0 + text_above;
  const auto x_of = [&](Prim::Anchor at) { return at == Prim::start ? left : at == Prim::end ? spot.box.x1 : (left + spot.box.x1) / 2; };
  const auto write = [&](const std::string& text, double x, double y, Role role, bool strong) {
    prims.push_back({.kind = Prim::glyphs, .role = role, .px = {{x, y}}, .text = text, .anchor = anchor, .size = text_size,
                     .strong = strong, .halo = !l.on_series && !l.only_inside, .on_series = l.on_series, .panel = l.panel, .mark = l.mark});
  };
  if (icon) draw_icon(l, spot.box.x0, baseline, prims);
  const double beside = detail_gap + text_width(in_one && anchor == Prim::end ? l.detail : l.text, text_size, anchor != Prim::end && l.strong);
  const Role detail_role = l.on_series ? l.role : Role::muted;
  write(l.text, x_of(anchor) - (in_one && anchor == Prim::end ? beside : 0), baseline, l.role, l.strong);
  if (in_one) write(l.detail, x_of(anchor) + (anchor == Prim::start ? beside : 0), baseline, detail_role, false);
  if (form == Form::two_lines && !l.detail.empty()) write(l.detail, x_of(anchor), baseline + line_pitch, detail_role, false);
}

bool Labels::place_along(const Label& l, const std::string& text, std::vector<Prim>& prims) {
  Point a = l.a, b = l.b;
  if (a.x > b.x) std::swap(a, b);
  const double dx = b.x - a.x, dy = b.y - a.y, length = std::hypot(dx, dy);
  const double w = text_width(text, text_size, l.strong);
  if (!(length > w + 12)) return false;
  const double ux = dx / length, uy = dy / length;
  const double lift = 7;  // of the baseline off the line
  for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9}) {
    const double from = std::clamp(part * length - w / 2, 6.0, std::max(6.0, length - w - 6));
    // A turned text covers a chain of small boxes.
    std::vector<Box> chain;
    const int pieces = std::max(1, static_cast<int>(std::ceil(w / 6)));
    for (int i = 0; i <= pieces; ++i) {
      const double s = from + w * i / pieces, mid = lift + (text_above - text_below) / 2;
      const Point c{a.x + ux * s + uy * mid, a.y + uy * s - ux * mid};
      const double r = (text_above + text_below) / 2;
      chain.push_back({c.x - r, c.y - r, c.x + r, c.y + r});
    }
    const auto all_free = [&](const Box& c) { return std::none_of(blocked_.begin(), blocked_.end(), [&](const Blocked& o) { return overlap(o.box, c); }); };
    const bool ok = std::all_of(chain.begin(), chain.end(), [&](const Box& c) { return all_free(c) && within(c, l.bounds); });
    if (!ok) continue;
    for (const Box& c : chain) blocked_.push_back({c, Blocked::thing});  // turned, it runs into no other
    const double s = from + w / 2;
    prims.push_back({.kind = Prim::glyphs, .role = l.role, .px = {{a.x + ux * s + uy * lift, a.y + uy * s - ux * lift}}, .text = text,
                     .anchor = Prim::middle, .size = text_size, .strong = l.strong, .halo = true,
                     .angle = std::atan2(dy, dx) * 180 / std::numbers::pi, .panel = l.panel, .mark = l.mark});
    return true;
  }
  return false;
}

std::vector<Labels::Form> Labels::forms(const Label& l) {
  if (l.detail.empty()) return {Form::one_line};
  const bool tall = l.side == Side::above || l.side == Side::below;  // there a narrow label leaves its neighbors room
  return {tall ? Form::two_lines : Form::one_line, tall ? Form::one_line : Form::two_lines};
}

bool Labels::place_beside(const Label& l, std::vector<Prim>& prims) {
  const Box& bounds = l.only_inside ? l.anchor : l.bounds;
  // First off every line, then across lines.
  for (const bool cross : {false, true}) {
    for (const Form form : forms(l)) {
      const Point size = size_of(l, form);
      for (const Spot& spot : spots(l, size.x, size.y)) {
        if (!within(spot.box, bounds) || !has_room(l, spot.box) || !clear(l, spot.box)) continue;
        if (!l.only_inside && (!cross || l.keep < keep_over_lines) && crossed(grown(spot.box, 2), cross)) continue;
        draw(l, form, spot, prims);
        return true;
      }
    }
  }
  if (l.keep < keep_always) return false;
  // It must stand: shortened to the room there is, where it covers least.
  Label kept = l;
  const double room = l.bounds.w() - (has_icon(l) ? icon_width : 0);
  kept.text = fitted(l.text, room, l.strong);
  kept.detail = fitted(l.detail, room, false);
  if (kept.text.empty()) return false;
  Spot best;
  Form best_form = Form::one_line;
  double least = HUGE_VAL;
  for (const Form form : forms(kept)) {
    const Point size = size_of(kept, form);
    if (form == Form::one_line && !kept.detail.empty() && size.x > l.bounds.w()) continue;
    for (Spot& spot : spots(kept, size.x, size.y)) {
      spot.box = moved_into(spot.box, kept.bounds);
      double covered = clear(kept, spot.box) ? 0 : 1;
      for (const Blocked& b : blocked_) {
        const double w = std::min(b.box.x1, spot.box.x1) - std::max(b.box.x0, spot.box.x0);
        const double h = std::min(b.box.y1, spot.box.y1) - std::max(b.box.y0, spot.box.y0);
        if (w > 0 && h > 0) covered += w * h * (b.kind == Blocked::mark ? 0.1 : 1);
      }
      if (covered < least) best = spot, best_form = form, least = covered;
    }
  }
  if (!std::isfinite(least)) return false;
  draw(kept, best_form, best, prims);
  return true;
}

void Labels::place(std::vector<Prim>& prims, std::vector<std::string>& dropped) {
  sort_few(wanted_, [](const Label& a, const Label& b) { return a.keep > b.keep; });
  for (const Label& l : wanted_) {
    if (l.text.empty()) continue;
    if (l.along && place_along(l, l.detail.empty() ? l.text : l.text + " " + l.detail, prims)) continue;
    if (!place_beside(l, prims)) dropped.push_back(l.text);
  }
  wanted_.clear();
}

}  // namespace lk::plot
