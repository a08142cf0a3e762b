// Places text so that no two labels touch: the wished side first, then the others; the least important drop.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "plot/frame.h"

namespace lk::plot {

struct Box {
  double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  double w() const { return x1 - x0; }
  double h() const { return y1 - y0; }
  double cx() const { return (x0 + x1) / 2; }
  double cy() const { return (y0 + y1) / 2; }
};
bool overlap(const Box& a, const Box& b);
Box grown(const Box& box, double by);

constexpr double text_size = 12;
constexpr double text_above = 10, text_below = 3;  // of the baseline, at text_size
constexpr double line_pitch = 15;
constexpr int keep_always = 100;                   // labels of this keep and more never drop

constexpr int keep_over_lines = 50;

/// `text` shortened with an ellipsis to `room` px; empty when not even one letter fits.
std::string fitted(std::string_view text, double room, bool strong);
/// The box of one line of text.
Box text_box(std::string_view text, Point baseline, Prim::Anchor anchor, double size, bool strong);

struct Label {
  std::string text, detail;
  Role role = Role::ink;
  bool strong = false;
  bool on_series = false;   // stands on a solid mark of `role`
  Side side = Side::right;
  bool icon = false;         // a check, an exclamation mark or a cross by its role
  bool side_matters = false;  // never moves to another side: there it would name something else
  bool only_inside = false;  // drops rather than leave its box
  bool end_aligned = false;  // above and below: prefers the right end of its box (lines) to the center
  int keep = 0;
  int panel = -1, mark = -1;
  Box anchor;                // what it names
  double gap = 8;
  Box bounds;                // where it may stand
  bool along = false;        // runs along a-b if that has room
  Point a = {}, b = {};
};

class Labels {
 public:
  /// Nothing may cover this box. Labels inside a mark may cover the boxes of marks.
  void block(const Box& box, bool is_mark = false);
  /// Labels rather keep off this line, but may cross it; a heavy one only those of `keep_over_lines` and more may.
  void avoid(Point a, Point b, bool heavy = false);
  bool free(const Box& box, bool over_marks = true) const;

  void add(Label label) { wanted_.push_back(std::move(label)); }
  /// Places what was added, most important first, and appends it to `prims`; what found no room goes to `dropped`.
  void place(std::vector<Prim>& prims, std::vector<std::string>& dropped);

 private:
  struct Blocked {
    Box box;
    bool is_mark;
  };
  struct Line {
    Point a, b;
    bool heavy;
  };
  struct Spot {
    Box box;
    Prim::Anchor anchor;
  };
  enum class Form : uint8_t { one_line, two_lines, short_form };

  Point size_of(const Label& label, Form form) const;
  std::vector<Spot> spots(const Label& label, double w, double h) const;
  bool crossed(const Box& box, bool only_heavy = false) const;
  bool place_along(const Label& label, const std::string& text, std::vector<Prim>& prims);
  bool place_beside(const Label& label, std::vector<Prim>& prims, std::vector<std::string>& dropped);
  void draw(const Label& label, Form form, const Spot& spot, std::vector<Prim>& prims);

  std::vector<Label> wanted_;
  std::vector<Blocked> blocked_;
  std::vector<Line> lines_;
};

}  // namespace lk::plot
