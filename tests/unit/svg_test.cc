#include "render/svg.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>
#include <set>

#include "support/real_world.h"
#include "support/torture.h"
#include "support/xml.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

std::vector<Element> elements(const View& view, double width, std::string_view alt = "words", std::string_view prefix = "a") {
  std::vector<Element> out;
  const std::string wrong = read_xml(render::svg(view, layout(view, width), alt, prefix, "wide"), out);
  CHECK(wrong == "");
  return out;
}

std::set<std::string> classes_of(const std::vector<Element>& all) {
  std::set<std::string> out;
  for (const Element& e : all) {
    const std::string list = e.at("class");
    for (size_t from = 0; from < list.size();) {
      const size_t to = std::min(list.find(' ', from), list.size());
      out.insert(list.substr(from, to - from));
      from = to + 1;
    }
  }
  return out;
}

constexpr Role all_roles[] = {Role::ink, Role::muted, Role::faint, Role::grid, Role::axis, Role::memory, Role::compute, Role::network,
                              Role::on_chip, Role::host, Role::other, Role::good, Role::warn, Role::bad, Role::accent};

bool styled(const std::string& css, const std::string& name) {
  for (size_t at = css.find("." + name); at != std::string::npos; at = css.find("." + name, at + 1)) {
    const size_t end = at + 1 + name.size();
    if (end >= css.size() || !(std::isalnum(static_cast<unsigned char>(css[end])) || css[end] == '-' || css[end] == '_')) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("drawings are well-formed XML without styles, scripts or handlers") {
  for (const double width : {280.0, 350.0, 632.0, 920.0}) {
    const std::vector<Element> all = elements(everything(), width);
    REQUIRE(!all.empty());
    CHECK(all[0].name == "svg");
    CHECK(all[0].at("role") == "img");
    CHECK(all[0].at("aria-label") == "words");
    for (const Element& e : all) {
      CHECK(std::set<std::string>{"svg", "g", "path", "rect", "circle", "text", "pattern"}.count(e.name) == 1);
      for (const auto& [name, value] : e.attributes) {
        CHECK(name != "style");
        CHECK(name.substr(0, 2) != "on");
        CHECK(name != "tabindex");  // native inputs own the keyboard
      }
    }
  }
  for (const auto& [name, view] : broken()) {
    INFO(name);
    std::vector<Element> all;
    CHECK(read_xml(render::svg(view, layout(view, 350), "", "b", ""), all) == "");
  }
}

TEST_CASE("the check of well-formedness finds faults") {
  for (const char* bad : {"", "<svg>", "<svg></g></svg>", "<svg a=\"1\" a=\"2\"/>", "<svg a=\"<\"/>", "<svg>&</svg>", "<svg/><svg/>", "<svg a=1/>", "<svg>\x01</svg>", "<svg a=\"1\"b=\"2\"/>", "x<svg/>"}) {
    std::vector<Element> all;
    INFO(bad);
    CHECK(read_xml(bad, all) != "");
  }
  std::vector<Element> all;
  CHECK(read_xml("<svg a=\"&amp;\"><g>x &lt; y</g><path/></svg>", all) == "");
  CHECK(all.size() == 3);
}

TEST_CASE("words are escaped wherever they come from") {
  View view;
  const std::string nasty = "a<b & \"c\" 'd' \x01\n</text><script>alert(1)</script>";
  Panel panel{.title = nasty, .x = {.label = nasty, .lo = 0, .hi = 1}, .y = {.lo = 0, .hi = 1, .scale = Scale::hidden}};
  panel.marks.push_back({.shape = Shape::note, .at = {{0.1, 0.5}}, .label = nasty, .keep = 100});
  panel.marks.push_back({.shape = Shape::bar, .at = {{0, 0}, {1, 0.1}}, .row = 0, .sets = nasty});
  panel.marks.push_back({.shape = Shape::bar, .fill = Fill::hatch, .at = {{0, 0}, {1, 0.1}}});
  view.panels.push_back(panel);
  std::vector<Element> all;
  const std::string text = render::svg(view, layout(view, 920), nasty, "x\"y", nasty);
  CHECK(read_xml(text, all) == "");
  CHECK(text.find("<script") == std::string::npos);
}

TEST_CASE("every class of a drawing has a rule in drawing.css, and every role too") {
  const std::string css = file_text("web/css/drawing.css");
  REQUIRE(!css.empty());
  std::set<std::string> names;
  for (const Role role : all_roles) {
    const std::string name(render::role_class(role));
    CHECK(names.insert(name).second);  // no two roles look alike
    INFO("role class " << name);
    CHECK(styled(css, name));
  }
  for (const double width : {350.0, 920.0})
    for (const std::string& name : classes_of(elements(everything(), width))) {
      if (name == "wide") continue;
      INFO("class " << name);
      CHECK(styled(css, name));
    }
  CHECK(css.find("style=") == std::string::npos);
}

TEST_CASE("marks carry their row, what they set and what they drag") {
  const View view = everything();
  const std::vector<Element> all = elements(view, 920);
  const auto with = [&](const std::string& attribute, const std::string& value) {
    return std::count_if(all.begin(), all.end(), [&](const Element& e) { return e.at(attribute) == value; });
  };
  for (int row = 0; row < 4; ++row) CHECK(with("data-row", std::to_string(row)) > 0);
  CHECK(with("data-row", "-1") == 0);
  for (int cell = 0; cell < 32; ++cell) CHECK(with("data-set", "cell=" + std::to_string(cell)) == 1);
  int drags = 0;
  for (const Element& e : all) {
    if (e.at("data-drag").empty()) continue;
    ++drags;
    CHECK(e.name == "g");
    CHECK(e.at("class") == "drag");
    const auto panel = static_cast<size_t>(std::stoi(e.at("data-panel"))), mark = static_cast<size_t>(std::stoi(e.at("data-mark")));
    CHECK(view.panels.at(panel).marks.at(mark).drags == e.at("data-drag"));
  }
  CHECK(drags == 2);
}

TEST_CASE("ids carry the prefix, so that two drawings share a page") {
  for (const std::string prefix : {"roofline", "roofline-2"}) {
    const std::vector<Element> all = elements(everything(), 920, "words", prefix);
    int ids = 0;
    for (const Element& e : all) {
      if (e.at("id").empty()) continue;
      ++ids;
      CHECK(e.at("id") == prefix + "-hatch");
    }
    CHECK(ids == 1);
    CHECK(std::any_of(all.begin(), all.end(), [&](const Element& e) { return e.at("fill") == "url(#" + prefix + "-hatch)"; }));
  }
}

TEST_CASE("the SVG says all that the frame says") {
  const View view = everything();
  const Frame frame = layout(view, 920);
  const std::vector<Element> all = elements(view, 920);
  const auto count = [&](const std::string& name) { return std::count_if(all.begin(), all.end(), [&](const Element& e) { return e.name == name; }); };
  const auto prims = [&](auto test) { return std::count_if(frame.prims.begin(), frame.prims.end(), test); };
  CHECK(count("text") == prims([](const Prim& p) { return p.kind == Prim::glyphs; }));
  CHECK(count("circle") == prims([](const Prim& p) { return p.kind == Prim::disc; }));
  // Merged paths keep every piece: one M each, and one for each place that answers to a hand.
  long moves = 0, rects = count("rect"), hits = 0;
  for (const Element& e : all) {
    if (e.at("class") == "hit") ++hits;
    const std::string d = e.at("d");
    if (e.name == "path" && e.at("class") != "l q rf") moves += std::count(d.begin(), d.end(), 'M');
  }
  CHECK(hits == 2);
  CHECK(moves - hits + rects == prims([](const Prim& p) { return p.kind == Prim::path || p.kind == Prim::rect || p.kind == Prim::hatch; }));
}

TEST_CASE("numbers have two decimals at most") {
  const std::string text = render::svg(everything(), layout(everything(), 632), "x", "a", "");
  for (size_t i = 0; i + 4 < text.size(); ++i)
    if (text[i] == '.' && std::isdigit(static_cast<unsigned char>(text[i + 1]))) {
      INFO(text.substr(i > 10 ? i - 10 : 0, 20));
      CHECK(!(std::isdigit(static_cast<unsigned char>(text[i + 2])) && std::isdigit(static_cast<unsigned char>(text[i + 3]))));
    }
}

namespace {

/// The custom properties that the rule of `selector` sets.
std::map<std::string, std::string> properties(const std::string& css, const std::string& selector) {
  std::map<std::string, std::string> out;
  const size_t open = css.find('{', css.find(selector)), close = css.find('}', open);
  for (size_t at = css.find("--", open); at < close; at = css.find("--", at)) {
    const size_t colon = css.find(':', at), end = css.find(';', colon);
    std::string value = css.substr(colon + 1, end - colon - 1);
    while (!value.empty() && value.front() == ' ') value.erase(0, 1);
    out[css.substr(at, colon - at)] = value;
    at = end;
  }
  return out;
}

/// Relative luminance of #rgb or #rrggbb (WCAG 2.2).
double luminance(std::string hex) {
  REQUIRE((hex.size() == 4 || hex.size() == 7));
  if (hex.size() == 4) hex = {'#', hex[1], hex[1], hex[2], hex[2], hex[3], hex[3]};
  double sum = 0;
  const double weight[] = {0.2126, 0.7152, 0.0722};
  for (size_t i = 0; i < 3; ++i) {
    const double c = std::stoi(hex.substr(1 + 2 * i, 2), nullptr, 16) / 255.0;
    sum += weight[i] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
  }
  return sum;
}

double contrast(const std::string& a, const std::string& b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

TEST_CASE("text reads on every background that drawings give it, in both themes") {
  const std::string tokens = file_text("web/css/tokens.css"), css = file_text("web/css/drawing.css");
  for (const bool dark : {false, true}) {
    std::map<std::string, std::string> colors = properties(tokens, ":root {");
    if (dark)
      for (const auto& [name, value] : properties(tokens, ":root[data-theme=\"dark\"] {")) colors[name] = value;
    const auto resolved = [&](std::string value) {
      for (int i = 0; i < 4 && value.substr(0, 4) == "var("; ++i) value = colors[value.substr(4, value.size() - 5)];
      return value;
    };
    const std::string bg = resolved("var(--bg)");
    for (const Role role : all_roles) {
      std::map<std::string, std::string> rule = properties(css, ".plot ." + std::string(render::role_class(role)) + " {");
      INFO((dark ? "dark, " : "light, ") << render::role_class(role));
      REQUIRE(rule.size() == 3);
      CHECK(contrast(resolved(rule["--t"]), bg) >= 4.5);
      if (role == Role::grid) continue;  // lines behind data, and never a solid mark
      CHECK(contrast(resolved(rule["--c"]), bg) >= 3);
      CHECK(contrast(resolved(rule["--v"]), resolved(rule["--c"])) >= 4.5);
    }
  }
}
