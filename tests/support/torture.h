// Views that use everything a figure may return, and views that no figure should return. Layout takes both.
#pragma once
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "plot/view.h"

namespace lk::test {

inline plot::Axis bands(int n, bool labels = true) {
  plot::Axis axis{.scale = plot::Scale::band, .labels = labels};
  for (int i = 0; i < n; ++i) axis.bands.push_back("band " + std::to_string(i));
  return axis;
}

/// Every shape, fill, role, side and scale; a ring; links across panels; shared axes; panels for one composition only.
inline plot::View everything() {
  using namespace plot;
  View view;
  view.columns = {{"name", "Name", Unit::one, How::computed, true}, {"v", "Value", Unit::seconds, How::measured}};
  for (int i = 0; i < 4; ++i) {
    view.cells.emplace_back("row " + std::to_string(i));
    view.cells.emplace_back(i * 1e-6);
  }
  const Role roles[] = {Role::ink, Role::muted, Role::faint, Role::memory, Role::compute, Role::network, Role::on_chip, Role::host, Role::other, Role::good, Role::warn, Role::bad};
  const Fill fills[] = {Fill::solid, Fill::pale, Fill::outline, Fill::hatch, Fill::wash};

  Panel bars{.title = "Bars of every kind", .note = "a note", .x = {.label = "time", .unit = Unit::seconds, .lo = 0, .hi = 130e-6}, .y = bands(6), .lines = 6};
  for (int i = 0; i < 12; ++i) {
    const double y = i / 2 + (i % 2 == 0 ? 0.1 : 0.55), x = 1e-5 * (i % 2 == 0 ? 0 : 5);
    bars.marks.push_back({.shape = Shape::bar, .role = roles[i], .fill = fills[i % 5], .at = {{x, y}, {x + 3e-5, y + 0.4}}, .row = i % 4, .label = i % 3 == 0 ? "inside" : "beside it",
                          .side = i % 3 == 0 ? Side::inside : Side::right, .dashed = i == 8, .keep = i});
  }
  bars.keys = {{Role::memory, Fill::solid, "reading"}, {Role::compute, Fill::pale, "small kernel"}, {Role::faint, Fill::hatch, "idle"}, {Role::ink, Fill::outline, "empty"}};
  view.panels.push_back(bars);

  // One tall panel beside two that share an axis.
  Panel tall{.x = {.label = "rate offered", .lo = 0, .hi = 44}, .y = {.label = "requests/s", .lo = 0, .hi = 40}, .lines = 8, .rows = 2, .row = 1, .share = 1.5};
  tall.marks.push_back({.shape = Shape::area, .role = Role::other, .fill = Fill::wash, .at = {{27, 26}, {44, 36}, {44, 0}, {34, 2}}, .label = "served too late"});
  tall.marks.push_back({.shape = Shape::line, .role = Role::other, .at = {{2, 2}, {27, 27}, {44, 36}}, .row = 0, .label = "throughput", .side = Side::above});
  tall.marks.push_back({.shape = Shape::line, .role = Role::ink, .at = {{2, 2}, {27, 26}, {34, 2}, {60, -9}}, .label = "in time", .side = Side::along, .strong = true});
  tall.marks.push_back({.shape = Shape::dot, .role = Role::ink, .at = {{27, 26}, {27, 36}}, .row = 1, .label = "goodput", .detail = "25.7", .side = Side::left});
  tall.marks.push_back({.shape = Shape::dot, .role = Role::accent, .at = {{12, 12}}, .row = 2, .label = "yours", .strong = true, .keep = 100, .drags = "rate"});
  tall.marks.push_back({.shape = Shape::arrow, .role = Role::bad, .at = {{30, 35}, {38, 12}}, .label = "falls", .side = Side::right});
  view.panels.push_back(tall);
  Panel upper{.title = "P90 time to first token", .x = {.label = "rate offered", .lo = 0, .hi = 44}, .y = {.unit = Unit::seconds, .lo = 1e-3, .hi = 10, .scale = Scale::log}, .lines = 4, .row = 1};
  upper.marks.push_back({.shape = Shape::line, .role = Role::bad, .at = {{0, 0.5}, {44, 0.5}}, .label = "limit", .side = Side::left, .dashed = true});
  upper.marks.push_back({.shape = Shape::line, .role = Role::ink, .at = {{2, 0.01}, {30, 0.2}, {36, 9}}, .row = 3});
  view.panels.push_back(upper);
  Panel lower = upper;
  lower.title = "P90 time per token";
  lower.row = 2;
  lower.shares_x = 2;
  lower.marks.push_back({.shape = Shape::bar, .role = Role::memory, .at = {{10, 1e-3}, {12, 1}}, .drags = "width"});
  view.panels.push_back(lower);

  Panel ring{.title = "Who holds what", .x = bands(4), .y = {.lo = 0, .hi = 1}, .lines = 9, .row = 3};
  ring.x.turn = true;
  for (int i = 0; i < 4; ++i) {
    ring.marks.push_back({.shape = Shape::cell, .role = Role::memory, .fill = Fill::solid, .at = {{double(i), 1}}, .row = i, .label = "Q " + std::to_string(i)});
    ring.marks.push_back({.shape = Shape::cell, .role = Role::memory, .fill = Fill::pale, .at = {{double(i), 1}}, .row = i, .label = "KV " + std::to_string(i)});
    ring.marks.push_back({.shape = Shape::arrow, .role = Role::network, .at = {{double(i), 1}, {double((i + 1) % 4), 1}}, .label = "KV " + std::to_string(i), .strong = true});
  }
  ring.marks.push_back({.shape = Shape::note, .role = Role::muted, .at = {{0, 0}}, .label = "4 devices", .side = Side::inside});
  view.panels.push_back(ring);
  Panel grid{.title = "Pairs done", .note = "by step", .x = bands(8), .y = bands(4), .lines = 6, .row = 3};
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x)
      grid.marks.push_back({.shape = Shape::cell, .role = (x + y) % 5 == 0 ? Role::accent : roles[(x + y) % 12], .fill = fills[x % 5], .at = {{double(x), double(y)}},
                            .label = std::to_string(8 * y + x), .strong = x == 2, .sets = "cell=" + std::to_string(8 * y + x)});
  grid.when = When::wide;
  view.panels.push_back(grid);
  Panel phone = grid;
  phone.when = When::narrow;
  phone.title = "Pairs done, on a phone";
  view.panels.push_back(phone);

  Panel hidden{.x = {.lo = 0, .hi = 10, .scale = Scale::hidden}, .y = {.lo = 0, .hi = 10, .scale = Scale::hidden}, .lines = 3, .row = 4};
  hidden.marks.push_back({.shape = Shape::bar, .role = Role::host, .at = {{1, 1}, {3, 3}}, .label = "below", .side = Side::below});
  hidden.marks.push_back({.shape = Shape::note, .role = Role::good, .at = {{5, 5}}, .label = "accepted"});
  hidden.marks.push_back({.shape = Shape::note, .role = Role::bad, .at = {{8, 8}}, .label = "rejected", .detail = "0.42", .side = Side::left});
  hidden.marks.push_back({.shape = Shape::note, .role = Role::warn, .at = {{8, 2}}, .label = "close", .side = Side::above});
  hidden.marks.push_back({.shape = Shape::link, .role = Role::network, .from = {7, 0}, .to = {5, 9}});
  hidden.marks.push_back({.shape = Shape::link, .role = Role::accent, .strong = true, .from = {0, 0}, .to = {7, 0}});
  hidden.marks.push_back({.shape = Shape::link, .role = Role::faint, .dashed = true, .from = {4, 0}, .to = {6, 3}});
  view.panels.push_back(hidden);

  Panel code{.title = "Code", .x = {.scale = Scale::hidden}, .y = bands(4, false), .lines = 3, .row = 5};
  code.marks.push_back({.shape = Shape::code, .at = {{0, 0}}, .row = 1, .label = "if (a < b && c > \"d\")"});
  code.marks.push_back({.shape = Shape::code, .role = Role::accent, .fill = Fill::pale, .at = {{0, 1}}, .row = 2, .label = "    return;", .sets = "line=2"});
  code.marks.push_back({.shape = Shape::code, .role = Role::muted, .at = {{0, 2}}, .label = "// a comment that goes on and on, until no panel on any page has room for the last of its words"});
  view.panels.push_back(code);
  code.marks.push_back({.shape = Shape::link, .role = Role::accent, .from = {8, 1}, .to = {9, 0}});
  view.panels.push_back(code);
  return view;
}

/// Views that break every rule of the contract but the types.
inline std::vector<std::pair<std::string, plot::View>> broken() {
  using namespace plot;
  constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN(), huge = std::numeric_limits<double>::max();
  std::vector<std::pair<std::string, View>> out;
  const auto add = [&](std::string name, std::vector<Panel> panels) {
    View v;
    v.panels = std::move(panels);
    out.emplace_back(std::move(name), std::move(v));
  };
  const std::string endless(5000, 'W');
  const auto marks = [&](double a, double b) {
    std::vector<Mark> all;
    for (const Shape shape : {Shape::bar, Shape::line, Shape::area, Shape::dot, Shape::arrow, Shape::note, Shape::cell, Shape::code})
      for (const bool drags : {false, true})
        all.push_back({.shape = shape, .role = Role::good, .at = {{a, b}, {b, a}, {b, b}}, .label = "label", .detail = "detail", .keep = drags ? 100 : 0, .drags = drags ? "f" : ""});
    all.push_back({.shape = Shape::link, .from = {0, 0}, .to = {0, 99}});
    all.push_back({.shape = Shape::link, .from = {-4, 0}, .to = {0, 1}});
    all.push_back({.shape = Shape::link, .from = {0, 0}, .to = {0, 7}});
    for (const Shape shape : {Shape::bar, Shape::line, Shape::area, Shape::dot, Shape::arrow, Shape::note, Shape::cell, Shape::code}) all.push_back({.shape = shape, .label = "no points"});
    return all;
  };
  add("no panels", {});
  add("an empty panel", {Panel{}});
  const double values[] = {0, -1, 1, 1e-300, huge, -huge, inf, -inf, nan};
  for (const Scale scale : {Scale::linear, Scale::log, Scale::band, Scale::hidden})
    for (const double lo : values)
      for (const double hi : values) {
        Axis axis{.label = "axis", .unit = Unit::bytes, .lo = lo, .hi = hi, .scale = scale};
        if (scale == Scale::band && lo > 0) axis.bands = {"a", "", endless};
        Panel p{.title = "title", .x = axis, .y = axis, .marks = marks(lo, hi)};
        Panel turned = p;
        turned.x.turn = true;
        turned.row = 1;
        add("axis " + std::to_string(int(scale)) + " from " + std::to_string(lo) + " to " + std::to_string(hi), {p, turned});
      }
  Panel wordy{.title = endless, .note = endless, .x = {.label = endless}, .y = {.label = endless}, .marks = marks(0.5, 0.25), .keys = {{Role::ink, Fill::solid, endless}, {Role::ink, Fill::hatch, endless}}};
  for (Mark& m : wordy.marks) m.label = endless, m.detail = endless;
  add("endless words", {wordy});
  Panel strange{.lines = nan, .share = -3, .shares_x = 0, .marks = marks(1, 2)};
  add("strange sizes", {strange, Panel{.lines = -5, .share = inf, .shares_x = 7}, Panel{.lines = 1e12, .rows = 400, .row = -9, .share = 1e300}});
  std::vector<Panel> many;
  for (int i = 0; i < 60; ++i) many.push_back({.title = "panel", .x = {.label = "x"}, .y = {.label = "y"}, .lines = 1, .marks = marks(0.1, 0.9)});
  add("sixty panels in a row", many);
  for (size_t i = 0; i < many.size(); ++i) many[i].shares_x = static_cast<int>(i) - 1, many[i].row = static_cast<int>(i);
  add("sixty panels that share an axis", many);
  Panel crowd{.x = {.lo = 0, .hi = 1}, .y = {.lo = 0, .hi = 1}};
  for (int i = 0; i < 400; ++i) crowd.marks.push_back({.shape = Shape::dot, .at = {{(i % 20) / 20.0, (i / 20) / 20.0}}, .label = "dot " + std::to_string(i), .detail = "12%", .keep = i % 7});
  add("a crowd", {crowd});
  return out;
}

}  // namespace lk::test
