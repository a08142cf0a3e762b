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

constexpr double apart = 10, lines_apart = 4;      // px between labels of different marks, beside and above each other
constexpr double clearly = 2;                      // a dot's label is so many times as far from every other dot

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
  bool of_dot = false;       // names a dot: stands clearly nearer to it than to any other
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
  /// A dot, which no other dot's label may seem to name.
  void dot(int panel, int mark, Point center, double radius) { dots_.push_back({panel, mark, center, radius}); }
  /// Labels rather keep off this line, but may cross it; a heavy one only those of `keep_over_lines` and more may.
  void avoid(Point a, Point b, bool heavy = false);
  bool free(const Box& box) const;

  void add(Label label) { wanted_.push_back(std::move(label)); }
  /// Places what was added, most important first, and appends it to `prims`; what found no room goes to `dropped`.
  void place(std::vector<Prim>& prims, std::vector<std::string>& dropped);

 private:
  struct Blocked {
    Box box;
    enum Kind : uint8_t { thing, mark, label } kind;
  };
  struct Dot {
    int panel, mark;
    Point center;
    double radius;
    double to(const Box& box) const;
  };
  struct Line {
    Point a, b;
    bool heavy;
  };
  struct Spot {
    Box box;
    Prim::Anchor anchor;
  };
  enum class Form : uint8_t { one_line, two_lines };  // of label and detail: both or neither

  Point size_of(const Label& label, Form form) const;
  std::vector<Spot> spots(const Label& label, double w, double h) const;
  static std::vector<Form> forms(const Label& label);
  bool has_room(const Label& label, const Box& box) const;
  bool clear(const Label& label, const Box& box) const;
  bool crossed(const Box& box, bool only_heavy = false) const;
  bool place_along(const Label& label, const std::string& text, std::vector<Prim>& prims);
  bool place_beside(const Label& label, std::vector<Prim>& prims);
  void draw(const Label& label, Form form, const Spot& spot, std::vector<Prim>& prims);

  std::vector<Label> wanted_;
  std::vector<Blocked> blocked_;
  std::vector<Line> lines_;
  std::vector<Dot> dots_;
};

}  // namespace lk::plot
