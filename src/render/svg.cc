#include "render/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "base/utf8.h"

namespace lk::render {
namespace {

using plot::Fill;
using plot::Mark;
using plot::Point;
using plot::Prim;

// XML knows no control characters, not even escaped.
std::string xml(std::string_view text) {
  std::string out = html_escaped(text);
  std::replace_if(out.begin(), out.end(), [](char c) { return c >= 0 && c < ' '; }, ' ');
  return out;
}

// One decimal, no trailing zeros, no "-0": finer than a screen shows. A drawing holds thousands of numbers, so the digits are put
// together by hand.
void number(std::string& out, double v) {
  long long tenths = std::llround((std::isfinite(v) ? std::clamp(v, -1e9, 1e9) : 0) * 10);
  std::array<char, 16> digits;
  char* begin = digits.data() + digits.size();
  const bool negative = tenths < 0;
  if (negative) tenths = -tenths;
  const auto rest = static_cast<unsigned>(tenths % 10);
  auto whole = static_cast<unsigned>(tenths / 10);
  if (rest != 0) {
    *--begin = static_cast<char>('0' + rest);
    *--begin = '.';
  }
  do *--begin = static_cast<char>('0' + whole % 10);
  while ((whole /= 10) != 0);
  if (negative) *--begin = '-';
  out.append(begin, static_cast<size_t>(digits.data() + digits.size() - begin));
}

void attribute(std::string& out, std::string_view name, double v) {
  out += ' ';
  out += name;
  out += "=\"";
  number(out, v);
  out += '"';
}

void attribute(std::string& out, std::string_view name, std::string_view text) {
  out += ' ';
  out += name;
  out += "=\"";
  out += xml(text);
  out += '"';
}

void point(std::string& out, Point p) {
  number(out, p.x);
  out += ' ';
  number(out, p.y);
}

// Straight lines along an axis are the most frequent: H and V say them in half the bytes.
void path_data(std::string& out, const Prim& prim) {
  if (prim.px.empty()) return;
  out += 'M';
  point(out, prim.px[0]);
  if (prim.curve) {
    for (size_t i = 1; i + 2 < prim.px.size(); i += 3) {
      out += 'C';
      point(out, prim.px[i]);
      out += ' ';
      point(out, prim.px[i + 1]);
      out += ' ';
      point(out, prim.px[i + 2]);
    }
  } else {
    for (size_t i = 1; i < prim.px.size(); ++i) {
      const Point a = prim.px[i - 1], b = prim.px[i];
      if (a.y == b.y) out += 'H', number(out, b.x);
      else if (a.x == b.x) out += 'V', number(out, b.y);
      else out += 'L', point(out, b);
    }
  }
  if (prim.closed) out += 'Z';
}

void rect_data(std::string& out, const Prim& prim) {
  const Point a = prim.px[0], b = prim.px[1];
  out += 'M';
  point(out, a);
  out += 'H';
  number(out, b.x);
  out += 'V';
  number(out, b.y);
  out += 'H';
  number(out, a.x);
  out += 'Z';
}

// What a run of primitives shares and its group says once.
struct Look {
  std::string classes;
  double stroke = 0;  // 0 and 1 need no attribute
  double size = 12;
  bool operator==(const Look& o) const { return classes == o.classes && stroke == o.stroke && size == o.size; }
};

Look look_of(const Prim& prim) {
  Look look;
  std::string& c = look.classes;
  const auto add = [&](std::string_view name) {
    if (!c.empty()) c += ' ';
    c += name;
  };
  if (prim.kind == Prim::glyphs) {
    add(role_class(prim.role));
    if (prim.on_series) add("v");
    if (prim.mono) add("c");
    else if (prim.halo) add("h");
    else if (prim.mark >= 0) add("n");
    if (prim.strong) add("b");
    if (prim.anchor == Prim::middle) add("m");
    if (prim.anchor == Prim::end) add("e");
    look.size = prim.size;
    return look;
  }
  const bool open = prim.kind == Prim::path && !prim.closed;
  if (prim.kind != Prim::hatch && !open) {
    switch (prim.fill) {
      case Fill::solid: add("f"); break;
      case Fill::pale: add("p"); break;
      case Fill::wash: add("w"); break;
      case Fill::outline: add(prim.kind == Prim::disc ? "f o" : "o"); break;
      case Fill::hatch: break;
    }
  }
  if (prim.stroke > 0) {
    add("l");
    look.stroke = prim.stroke;
  }
  if (prim.dashed) add("d");
  if (open && prim.fill == Fill::pale) add("q");
  add(role_class(prim.role));
  return look;
}

class Walker {
 public:
  Walker(const plot::View& view, const plot::Frame& frame, std::string_view prefix) : view_(view), frame_(frame), prefix_(xml(prefix)) {}

  std::string walk() {
    out_.reserve(frame_.prims.size() * 96);  // about what one takes
    for (size_t i = 0; i < frame_.prims.size();) {
      const Mark* mark = frame_.prims[i].handle ? mark_of(frame_.prims[i]) : nullptr;
      size_t end = i + 1;
      if (mark != nullptr) {
        // Everything a hand moves is one group, so that replacing the drawing need not break a drag.
        while (end < frame_.prims.size() && frame_.prims[end].handle && mark_of(frame_.prims[end]) == mark) ++end;
        drag_group(i, end, *mark);
      } else {
        while (end < frame_.prims.size() && !frame_.prims[end].handle) ++end;
        run(i, end);
      }
      i = end;
    }
    return std::move(out_);
  }

  bool hatched() const { return hatched_; }

 private:
  const Mark* mark_of(const Prim& prim) const {
    if (prim.panel < 0 || prim.mark < 0 || static_cast<size_t>(prim.panel) >= view_.panels.size()) return nullptr;
    const auto& marks = view_.panels[static_cast<size_t>(prim.panel)].marks;
    return static_cast<size_t>(prim.mark) < marks.size() ? &marks[static_cast<size_t>(prim.mark)] : nullptr;
  }

  void drag_group(size_t begin, size_t end, const Mark& mark) {
    const Prim& first = frame_.prims[begin];
    out_ += "<g class=\"drag\"";
    attribute(out_, "data-panel", std::to_string(first.panel));
    attribute(out_, "data-mark", std::to_string(first.mark));
    attribute(out_, "data-drag", mark.drags);
    if (mark.row >= 0) attribute(out_, "data-row", std::to_string(mark.row));
    out_ += '>';
    for (const plot::PanelBox& box : frame_.boxes) {
      if (box.panel != first.panel || first.px.empty()) continue;
      out_ += "<path class=\"hit\" d=\"M";
      point(out_, {first.px[0].x, box.y0});
      out_ += 'V';
      number(out_, box.y1);
      out_ += "\"/>";
    }
    bare_ = true;
    run(begin, end);
    bare_ = false;
    out_ += "</g>";
  }

  // Primitives that look alike and stand together in paint order share a group.
  void run(size_t begin, size_t end) {
    for (size_t i = begin; i < end;) {
      const Look look = look_of(frame_.prims[i]);
      size_t stop = i + 1;
      while (stop < end && is_hatch(frame_.prims[stop]) == is_hatch(frame_.prims[i]) && look_of(frame_.prims[stop]) == look) ++stop;
      group(i, stop, look);
      i = stop;
    }
  }

  // The shape below such a text already answers to the pointer.
  static bool inside(const Prim& prim) { return prim.kind == Prim::glyphs && !prim.halo && !prim.mono && prim.mark >= 0; }
  static bool is_hatch(const Prim& prim) { return prim.kind == Prim::hatch; }

  void group(size_t begin, size_t end, const Look& look) {
    std::string shared = " class=\"" + look.classes + '"';
    if (is_hatch(frame_.prims[begin])) {
      hatched_ = true;
      shared += " fill=\"url(#" + prefix_ + "-hatch)\"";
    }
    if (look.stroke != 0 && look.stroke != 1) attribute(shared, "stroke-width", look.stroke);
    if (look.size != 12) attribute(shared, "font-size", look.size);
    std::vector<std::string> data;
    std::vector<bool> merges;
    size_t elements = 0;
    for (size_t i = begin; i < end; ++i) {
      const Prim& prim = frame_.prims[i];
      data.push_back(data_of(prim));
      merges.push_back(data.back().empty() && (prim.kind == Prim::path || ((prim.kind == Prim::rect || is_hatch(prim)) && prim.r == 0)));
      if (!merges.back() || merges.size() == 1 || !merges[merges.size() - 2]) ++elements;
    }
    // One element carries the group's attributes itself.
    const bool wrap = elements > 1;
    if (wrap) out_ += "<g" + shared + '>';
    const std::string own = wrap ? std::string() : shared;
    for (size_t i = begin; i < end; ++i) {
      if (!merges[i - begin]) {
        element(frame_.prims[i], own + data[i - begin]);
        continue;
      }
      out_ += "<path" + own + " d=\"";
      for (; i < end && merges[i - begin]; ++i) {
        if (frame_.prims[i].kind == Prim::path) path_data(out_, frame_.prims[i]);
        else rect_data(out_, frame_.prims[i]);
      }
      --i;
      out_ += "\"/>";
    }
    if (wrap) out_ += "</g>";
  }

  std::string data_of(const Prim& prim) const {
    std::string data;
    const Mark* mark = bare_ || inside(prim) ? nullptr : mark_of(prim);
    if (mark == nullptr) return data;
    if (mark->row >= 0) attribute(data, "data-row", std::to_string(mark->row));
    if (!mark->sets.empty()) attribute(data, "data-set", mark->sets);
    return data;
  }

  void element(const Prim& prim, const std::string& attributes) {
    std::string& out = out_;
    const auto open = [&](std::string_view name) {
      out += '<';
      out += name;
      out += attributes;
    };
    switch (prim.kind) {
      case Prim::path:
        open("path");
        out += " d=\"";
        path_data(out, prim);
        out += "\"/>";
        return;
      case Prim::rect:
      case Prim::hatch:
        open("rect");
        attribute(out, "x", prim.px[0].x);
        attribute(out, "y", prim.px[0].y);
        attribute(out, "width", std::max(0.0, prim.px[1].x - prim.px[0].x));
        attribute(out, "height", std::max(0.0, prim.px[1].y - prim.px[0].y));
        if (prim.r > 0) attribute(out, "rx", prim.r);
        out += "/>";
        return;
      case Prim::disc:
        open("circle");
        attribute(out, "cx", prim.px[0].x);
        attribute(out, "cy", prim.px[0].y);
        attribute(out, "r", prim.r);
        out += "/>";
        return;
      case Prim::glyphs:
        open("text");
        if (prim.angle == 0) {
          attribute(out, "x", prim.px[0].x);
          attribute(out, "y", prim.px[0].y);
        } else {
          out += " transform=\"translate(";
          point(out, prim.px[0]);
          out += ") rotate(";
          number(out, prim.angle);
          out += ")\"";
        }
        out += '>';
        out += xml(prim.text);
        out += "</text>";
        return;
    }
  }

  const plot::View& view_;
  const plot::Frame& frame_;
  std::string prefix_;
  std::string out_;
  bool bare_ = false;  // inside a group that already carries the mark's data
  bool hatched_ = false;
};

}  // namespace

std::string_view role_class(plot::Role role) {
  using plot::Role;
  switch (role) {
    case Role::ink: return "ri";
    case Role::muted: return "rm";
    case Role::faint: return "rf";
    case Role::grid: return "rg";
    case Role::axis: return "rx";
    case Role::memory: return "r1";
    case Role::compute: return "r2";
    case Role::network: return "r3";
    case Role::on_chip: return "r4";
    case Role::host: return "r5";
    case Role::other: return "r6";
    case Role::good: return "rok";
    case Role::warn: return "rwn";
    case Role::bad: return "rno";
    case Role::accent: return "ra";
  }
  return "ri";
}

std::string svg(const plot::View& view, const plot::Frame& frame, std::string_view alt, std::string_view prefix, std::string_view css_class) {
  Walker walker(view, frame, prefix);
  const std::string body = walker.walk();
  std::string out = "<svg class=\"plot";
  if (!css_class.empty()) out += ' ' + xml(css_class);
  out += '"';
  attribute(out, "width", frame.width);
  attribute(out, "height", frame.height);
  out += " viewBox=\"0 0 ";
  point(out, {frame.width, frame.height});
  out += "\" role=\"img\"";
  attribute(out, "aria-label", alt);
  out += '>';
  if (walker.hatched()) {
    out += "<pattern id=\"" + xml(prefix) + "-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
           "<path class=\"l q rf\" d=\"M-1.5 1.5l3-3M0 6l6-6M4.5 7.5l3-3\"/></pattern>";
  }
  out += body;
  return out + "</svg>";
}

}  // namespace lk::render
