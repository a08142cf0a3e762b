#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "plot/clip.h"
#include "plot/font.h"
#include "plot/frame.h"
#include "plot/labels.h"
#include "plot/ruler.h"
#include "support/frame_faults.h"
#include "support/label_faults.h"
#include "support/torture.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

constexpr double widths[] = {280, 281, 350, 559, 560, 632, 920, 1400};

std::vector<std::string> labels_of(const Axis& axis, double length, double spacing) {
  const Ruler ruler(axis, 0, length);
  std::vector<std::string> out;
  for (const Tick& t : ticks(axis, ruler, axis_unit(axis, ruler), spacing)) out.push_back(t.text);
  return out;
}

const Prim* find_text(const Frame& frame, std::string_view text) {
  for (const Prim& p : frame.prims)
    if (p.kind == Prim::glyphs && p.text == text) return &p;
  return nullptr;
}

View one(Panel panel) {
  View v;
  v.panels.push_back(std::move(panel));
  return v;
}

}  // namespace

TEST_CASE("every kind of panel and mark is laid out without a fault") {
  const View view = everything();
  for (const double w : widths) {
    INFO("width " << w);
    const Frame frame = layout(view, w);
    CHECK(joined(faults(frame)) == "");
    CHECK(frame.width == w);
    CHECK(frame.wide == (w >= View().wide_from));
    // Every visible mark leaves a trace, links included.
    std::set<std::pair<int, int>> drawn;
    for (const Prim& p : frame.prims)
      if (p.mark >= 0) drawn.insert({p.panel, p.mark});
    for (size_t p = 0; p < view.panels.size(); ++p) {
      if (view.panels[p].when == (frame.wide ? When::narrow : When::wide)) continue;
      for (size_t m = 0; m < view.panels[p].marks.size(); ++m) {
        const Mark& mark = view.panels[p].marks[m];
        const bool target_hidden = mark.shape == Shape::link && view.panels[static_cast<size_t>(mark.to.panel)].when == (frame.wide ? When::narrow : When::wide);
        if (target_hidden) continue;
        const bool only_text = mark.shape == Shape::note;
        INFO("mark " << p << "." << m << " " << mark.label);
        CHECK((drawn.count({static_cast<int>(p), static_cast<int>(m)}) == 1 || (only_text && std::count(frame.dropped.begin(), frame.dropped.end(), mark.label) > 0)));
      }
    }
  }
}

TEST_CASE("the height depends on the composition alone") {
  const View view = everything();
  const double narrow = layout(view, 280).height, wide = layout(view, 560).height;
  for (const double w : widths) CHECK(layout(view, w).height == (w < View().wide_from ? narrow : wide));
  CHECK(narrow != wide);
}

TEST_CASE("layout is total: whatever the view, the frame is finite and holds everything") {
  for (const auto& [name, view] : broken())
    for (const double w : {280.0, 350.0, 632.0}) {
      INFO(name << " at width " << w);
      const Frame frame = layout(view, w);
      // Text that must stay may have to share its place, and sixty panels have none.
      CHECK(joined(faults(frame, false)) == "");
    }
  for (const double w : {-1.0, 0.0, 1e300, std::nan(""), HUGE_VAL}) CHECK(joined(faults(layout(everything(), w), false)) == "");
}

TEST_CASE("labels that may drop never collide, however crowded") {
  for (const auto& [name, view] : broken()) {
    if (name != "a crowd") continue;
    for (const double w : widths) {
      const Frame frame = layout(view, w);
      CHECK(joined(faults(frame)) == "");
      CHECK(joined(label_faults(view, frame)) == "");
      CHECK(!frame.dropped.empty());
      // The important ones stay more often than the others. (Among so many dots no label would name one of them; notes may stand.)
      View notes = view;
      for (Mark& m : notes.panels[0].marks) m.shape = Shape::note;
      const Frame noted = layout(notes, w);
      CHECK(joined(label_faults(notes, noted)) == "");
      int kept[7] = {};
      for (const Mark& m : notes.panels[0].marks) kept[m.keep] += find_text(noted, m.label) != nullptr;
      CHECK(kept[6] > kept[0]);
      CHECK(kept[6] > 0);
    }
  }
}

TEST_CASE("ticks stand at round numbers") {
  using V = std::vector<std::string>;
  CHECK(labels_of({.lo = 0, .hi = 10}, 400, 80) == V{"0", "2", "4", "6", "8", "10"});
  CHECK(labels_of({.lo = 0, .hi = 1}, 240, 60) == V{"0", "0.5", "1"});
  CHECK(labels_of({.lo = -1, .hi = 1}, 160, 40) == V{"−1", "−0.5", "0", "0.5", "1"});
  CHECK(labels_of({.lo = 0.05, .hi = 10000, .scale = Scale::log}, 480, 40) == V{"0.1", "1", "10", "100", "1,000", "10,000"});
  CHECK(labels_of({.lo = 0.05, .hi = 10000, .scale = Scale::log}, 150, 40) == V{"0.1", "10", "1,000"});
  CHECK(labels_of({.lo = 1, .hi = 9, .scale = Scale::log}, 150, 40) == V{"1", "2", "5"});
  CHECK(labels_of({.unit = Unit::bytes, .lo = 0, .hi = 256}, 400, 80) == V{"0", "64", "128", "192", "256"});
  CHECK(labels_of({.unit = Unit::percent, .lo = 0, .hi = 1}, 200, 80) == V{"0", "50", "100"});
  CHECK(labels_of({.unit = Unit::seconds, .lo = 0, .hi = 130e-6}, 240, 80) == V{"0", "50", "100"});
  CHECK(labels_of({.lo = 1000.1, .hi = 1000.5}, 240, 60) == V{"1,000.1", "1,000.2", "1,000.3", "1,000.4", "1,000.5"});
  CHECK(labels_of({.lo = 10, .hi = 0}, 240, 80) == V{"0", "5", "10"});
}

TEST_CASE("axis labels carry the unit") {
  const auto label = [](Axis axis) { return axis_label(axis, axis_unit(axis, Ruler(axis, 0, 100))); };
  CHECK(label({.label = "arithmetic intensity", .unit = Unit::flop_per_byte, .lo = 0.05, .hi = 1e4, .scale = Scale::log}) == "arithmetic intensity, FLOP/B");
  CHECK(label({.unit = Unit::flop_per_s, .lo = 5e10, .hi = 1.2e16, .scale = Scale::log}) == "TFLOP/s");
  CHECK(label({.label = "time", .unit = Unit::seconds, .lo = 0, .hi = 130e-6}) == "time, µs");
  CHECK(label({.label = "requests"}) == "requests");
}

TEST_CASE("rulers invert what they draw") {
  for (const Axis& axis : {Axis{.lo = -3, .hi = 8}, Axis{.lo = 0.05, .hi = 1e4, .scale = Scale::log}, Axis{.lo = 8, .hi = -3}}) {
    const Ruler ruler(axis, 44, 616);
    for (int i = 0; i <= 20; ++i) {
      const double px = 44 + i * 28.6;
      CHECK(std::fabs(ruler.px(ruler.value(px)) - px) < 1e-6);
    }
    CHECK(ruler.px(std::nan("")) == 44);
    CHECK(std::fabs(ruler.value(-1e9) - axis.lo) <= 1e-9 * std::fabs(axis.lo));
    CHECK(std::fabs(ruler.value(1e9) - axis.hi) <= 1e-9 * std::fabs(axis.hi));
  }
  Axis lanes{.scale = Scale::band};
  lanes.bands.resize(32);
  const Ruler ruler(lanes, 0, 320);
  CHECK(ruler.value(0) == 0);
  CHECK(ruler.value(9.99) == 0);
  CHECK(ruler.value(10) == 1);
  CHECK(ruler.value(320) == 31);
}

TEST_CASE("a dragged mark has a handle, a line to the axis and a pill with its value") {
  Panel panel{.x = {.label = "x", .lo = 0, .hi = 100}, .y = {.lo = 0, .hi = 1}};
  panel.marks.push_back({.shape = Shape::dot, .role = Role::accent, .at = {{40, 0.5}}, .drags = "f"});
  const View view = one(panel);
  for (const double w : widths) {
    const Frame frame = layout(view, w);
    const Prim* value = find_text(frame, "40");
    REQUIRE(value != nullptr);
    CHECK(value->size == 11.5);
    const auto ring = std::find_if(frame.prims.begin(), frame.prims.end(), [](const Prim& p) { return p.kind == Prim::disc; });
    REQUIRE(ring != frame.prims.end());
    const std::optional<double> back = invert_x(frame, 0, ring->px[0].x);
    REQUIRE(back);
    CHECK(std::fabs(*back - 40) < 1e-9);
    CHECK(!invert_x(frame, 3, 100));
    CHECK(!invert_x(frame, 0, std::nan("")));
    // The tick that the pill covers is gone, the others stay.
    CHECK(std::count_if(frame.prims.begin(), frame.prims.end(), [](const Prim& p) { return p.text == "40"; }) == 1);
    CHECK(find_text(frame, "100") != nullptr);
  }
}

TEST_CASE("the handle stays whole at both ends of the axis") {
  for (const double x : {0.0, 100.0}) {
    Panel panel{.x = {.lo = 0, .hi = 100, .scale = Scale::hidden}, .y = {.lo = 0, .hi = 1, .scale = Scale::hidden}};
    for (const double y : {0.0, 1.0}) panel.marks.push_back({.shape = Shape::dot, .role = Role::accent, .at = {{x, y}}, .label = "value of yours", .keep = 100, .drags = "f"});
    for (const double w : widths) CHECK(joined(faults(layout(one(panel), w), false)) == "");
  }
}

TEST_CASE("notes stay on their side, where they mean something") {
  Panel panel{.x = {.lo = 0, .hi = 1}, .y = {.lo = 0, .hi = 1}, .marks = {{.shape = Shape::note, .at = {{0.02, 0.5}}, .label = "what lies on the left", .side = Side::left}}};
  const Frame frame = layout(one(panel), 350);
  CHECK(find_text(frame, "what lies on the left") == nullptr);
  CHECK(frame.dropped == std::vector<std::string>{"what lies on the left"});
}

TEST_CASE("outcomes carry an icon, not only a color") {
  Panel panel{.x = {.scale = Scale::hidden}, .y = {.scale = Scale::hidden}};
  for (const Role role : {Role::good, Role::warn, Role::bad}) panel.marks = {{.shape = Shape::note, .role = role, .at = {{0.5, 0.5}}, .label = "outcome"}};
  for (const Role role : {Role::good, Role::warn, Role::bad}) {
    panel.marks[0].role = role;
    const Frame frame = layout(one(panel), 350);
    CHECK(std::any_of(frame.prims.begin(), frame.prims.end(), [&](const Prim& p) { return p.kind == Prim::path && p.role == role && p.mark == 0; }));
  }
  panel.marks[0].role = Role::ink;
  const Frame plain = layout(one(panel), 350);
  CHECK(std::none_of(plain.prims.begin(), plain.prims.end(), [](const Prim& p) { return p.kind == Prim::path && p.mark == 0; }));
}

TEST_CASE("a panel for one composition is not in the other") {
  const View view = everything();
  CHECK(find_text(layout(view, 920), "Pairs done") != nullptr);
  CHECK(find_text(layout(view, 920), "Pairs done, on a phone") == nullptr);
  CHECK(find_text(layout(view, 350), "Pairs done") == nullptr);
  CHECK(find_text(layout(view, 350), "Pairs done, on a phone") != nullptr);
}

TEST_CASE("panels that share an axis line up, and the lowest prints it") {
  const View view = everything();
  for (const double w : {350.0, 920.0}) {
    const Frame frame = layout(view, w);
    const auto box = [&](int panel) { return *std::find_if(frame.boxes.begin(), frame.boxes.end(), [&](const PanelBox& b) { return b.panel == panel; }); };
    CHECK(box(2).x0 == box(3).x0);
    CHECK(box(2).x1 == box(3).x1);
    CHECK(box(2).y1 < box(3).y0);
    if (w >= View().wide_from) {
      CHECK(box(1).x1 < box(2).x0);  // beside both
      CHECK(box(1).y1 == box(3).y1);
    }
  }
}

TEST_CASE("lines of code keep their indentation, their ground and the border of their panel") {
  Panel panel{.x = {.scale = Scale::hidden}, .y = bands(3, false), .lines = 3};
  panel.marks.push_back({.shape = Shape::code, .at = {{0, 0}}, .label = "if (i < n)"});
  panel.marks.push_back({.shape = Shape::code, .role = Role::accent, .fill = Fill::pale, .at = {{0, 1}}, .label = "    return;"});
  panel.marks.push_back({.shape = Shape::code, .at = {{0, 2}}, .label = std::string(200, 'x')});
  const Frame frame = layout(one(panel), 350);
  CHECK(joined(faults(frame)) == "");
  const Prim *first = find_text(frame, "if (i < n)"), *second = find_text(frame, "return;");
  REQUIRE(first != nullptr);
  REQUIRE(second != nullptr);
  CHECK(first->mono);
  CHECK(second->px[0].x - first->px[0].x == 4 * mono_advance * 12);  // the spaces in front are distance
  CHECK(std::count_if(frame.prims.begin(), frame.prims.end(), [](const Prim& p) { return p.kind == Prim::rect && p.mark == 1 && p.fill == Fill::pale; }) == 1);
  bool cut = false;
  for (const Prim& p : frame.prims)
    if (p.mark == 2 && p.mono) cut = p.text.ends_with("x…") && p.px[0].x + mono_width(p.text, 12) <= 350;
  CHECK(cut);
  REQUIRE(frame.dropped.size() == 1);
  CHECK(frame.dropped[0].size() == 200);
}

TEST_CASE("links between lines of code run across the gap, whatever their heights") {
  View view;
  for (int p = 0; p < 2; ++p) {
    Panel panel{.x = {.scale = Scale::hidden}, .y = bands(9, false), .lines = 9};
    for (int i = 0; i < 9; ++i) panel.marks.push_back({.shape = Shape::code, .at = {{0, static_cast<double>(i)}}, .label = "nop;"});
    view.panels.push_back(std::move(panel));
  }
  view.panels[1].marks.push_back({.shape = Shape::link, .role = Role::accent, .from = {0, 1}, .to = {1, 8}});
  const Frame frame = layout(view, 920);
  for (const Prim& p : frame.prims) {
    if (!p.curve) continue;
    CHECK(p.px.front().x == frame.boxes[0].x1);
    CHECK(p.px.back().x == frame.boxes[1].x0);
    CHECK(p.px.back().y > p.px.front().y);
  }
  CHECK(std::any_of(frame.prims.begin(), frame.prims.end(), [](const Prim& p) { return p.curve; }));
}

TEST_CASE("a view may ask for more room before it is wide") {
  Panel panel{.x = bands(2), .y = bands(2), .lines = 9, .narrow_lines = 3};
  View view = one(panel);
  CHECK(layout(view, 632).wide);
  const double narrow = layout(view, 350).height;
  view.wide_from = 900;
  CHECK_FALSE(layout(view, 899).wide);
  CHECK(layout(view, 632).height == narrow);
  CHECK(layout(view, 900).wide);
}

TEST_CASE("clipping") {
  const Box box{0, 0, 10, 10};
  const auto pieces = clip_line({{-5, 5}, {5, 5}, {5, 20}, {8, 20}, {8, 5}}, box);
  REQUIRE(pieces.size() == 2);
  CHECK(pieces[0].size() == 3);
  CHECK(pieces[0][0].x == 0);
  CHECK(pieces[0][2].y == 10);
  CHECK(pieces[1][0].y == 10);
  CHECK(clip_line({{-5, -5}, {-1, 20}}, box).empty());
  const auto area = clip_area({{-5, -5}, {5, -5}, {5, 5}, {-5, 5}}, box);
  CHECK(area.size() == 4);
  for (const Point& p : area) CHECK((p.x >= 0 && p.x <= 5 && p.y >= 0 && p.y <= 5));
  CHECK(clip_area({{20, 20}, {30, 20}, {30, 30}}, box).empty());
}

TEST_CASE("text is as wide as the font says") {
  CHECK(text_width("", 12) == 0);
  CHECK(text_width("0", 12) == text_width("1", 12));  // tabular digits
  CHECK(text_width("10,000", 12) > 36);
  CHECK(text_width("10,000", 12) < 44);
  CHECK(text_width("memory", 12, true) > text_width("memory", 12));
  CHECK(text_width("memory", 24) == 2 * text_width("memory", 12));
  CHECK(text_width("漢字", 12) == 24);
  CHECK(mono_width("µ…ab", 10) == 24);
  CHECK(fitted("arithmetic intensity", 60, false).size() < 20);
  CHECK(text_width(fitted("arithmetic intensity", 60, false), 12) <= 60);
  CHECK(fitted("arithmetic", 1, false).empty());
  CHECK(fitted("arithmetic", 200, false) == "arithmetic");
}
