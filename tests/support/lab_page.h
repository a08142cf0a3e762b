// A browser in miniature for tests of the lab: a view, a clock, hands and keys.
#pragma once
#include <catch2/catch_all.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "api/api.h"
#include "figures/registry.h"
#include "lab/view.h"

namespace lk::test {

using lab::Hand;
using lab::Source;


inline std::string file(const std::string& path) {
  std::ifstream in(std::string(LK_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  REQUIRE(in.good());
  return text.str();
}

inline const World& world() {
  static const World loaded = [] {
    const std::string devices = file("content/devices.json"), models = file("content/models.json"), compiled = file("content/compiled.json");
    auto read = api::load_world(api::write_world({devices, {{"h200", file("content/measurements/h200.csv")}}, models, compiled, {{"h200", file("content/predictions/h200.csv")}}}));
    REQUIRE(read);
    return *read;
  }();
  return loaded;
}

// A browser in miniature: a clock, and frames until the view is at rest.
struct Page {
  explicit Page(std::string_view figure, std::string_view query = {}, double width = 1100, double scale = 1)
      : view(world(), *figures::find(figure), query, {}) {
    static const std::string regular = file("build/fonts/lk-lab.ttf"), strong = file("build/fonts/lk-lab-semibold.ttf"), mono = file("build/fonts/lk-lab-mono.ttf");
    view.fonts(regular, strong, mono);
    resize(width, scale);
    view.focus(true);
    rest();
  }

  void resize(double width, double scale) {
    view.resize(width, 1600, scale);
    rest();
    view.resize(width, static_cast<double>(last.height), scale);
    rest();
  }

  int rest() {
    int frames = 0;
    do {
      clock += 1.0 / 60;
      const bool copied = last.copied, link = last.copy_link;
      last = view.frame(clock);
      last.copied = last.copied || copied;
      last.copy_link = last.copy_link || link;
      ++frames;
      REQUIRE(frames < 60);
    } while (last.again);
    return frames;
  }

  void move(double x, double y, Source source = Source::mouse) {
    view.hand(Hand::move, x, y, 0, source);
    rest();
  }
  void press(double x, double y, Source source = Source::mouse) {
    view.hand(Hand::move, x, y, 0, source);
    view.hand(Hand::down, x, y, 0, source);
    rest();
  }
  void release(double x, double y, Source source = Source::mouse) {
    view.hand(Hand::up, x, y, 0, source);
    rest();
  }
  void click(double x, double y, Source source = Source::mouse) {
    press(x, y, source);
    release(x, y, source);
  }
  bool key(std::string_view code, lab::Modifiers modifiers = {}) {
    const bool ours = view.key(code, true, false, modifiers);
    rest();
    view.key(code, false, false, {});
    rest();
    return ours;
  }
  void type(std::string_view text) {
    view.characters(text);
    rest();
  }

  const plot::FieldSpec& spec(std::string_view id) {
    for (const auto& s : view.bench().state()->specs)
      if (s.id == id) return s;
    FAIL("no field " << id);
    std::abort();
  }
  std::string value(std::string_view id) { return spec(id).value; }
  lab::Box place(std::string_view field) {
    for (const auto& p : view.bench().places())
      if (p.field == field) return p.box;
    FAIL("no control of " << field);
    std::abort();
  }
  // Middle of the slider at `t` of its way, and the number beside the label.
  plot::Point track(std::string_view field, double t, bool roomy = false) {
    const auto box = place(field);
    return {box.x0 + 8 + t * (box.x1 - box.x0 - 16), box.y0 + (roomy ? 36 + 22 : 26 + 12)};
  }
  plot::Point number(std::string_view field) {
    const auto box = place(field);
    return {box.x1 - 20, box.y0 + 13};
  }
  std::string query() { return plot::write_query(view.bench().state()->canonical); }

  lab::View view;
  lab::Outcome last;
  double clock = 0;
};

}  // namespace lk::test
