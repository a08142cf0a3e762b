// The lab without a browser: the frames that SVG draws, drawn on Dear ImGui's lists, and views driven by the events of a page.
#include <catch2/catch_all.hpp>

#include <cfloat>
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "api/api.h"
#include "base/random.h"
#include "base/utf8.h"
#include "figures/registry.h"
#include "imgui.h"
#include "imgui_internal.h"
#include "lab/draw.h"
#include "lab/geometry.h"
#include "lab/text.h"
#include "lab/view.h"
#include "plot/font.h"
#include "render/svg.h"

using namespace lk;
using lab::Box;
using lab::Hand;
using lab::Source;
using plot::Prim;

namespace {

std::string file(const std::string& path) {
  std::ifstream in(std::string(LK_SOURCE_DIR) + "/" + path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  REQUIRE(in.good());
  return text.str();
}

const World& world() {
  static const World loaded = [] {
    const std::string devices = file("content/devices.json"), models = file("content/models.json"), compiled = file("content/compiled.json");
    auto read = api::load_world(api::write_world({devices, {{"h200", file("content/measurements/h200.csv")}}, models, compiled, {{"h200", file("content/predictions/h200.csv")}}}));
    REQUIRE(read);
    return *read;
  }();
  return loaded;
}

const std::string& regular() {
  static const std::string data = file("build/fonts/lk-lab.ttf");
  return data;
}
const std::string& strong() {
  static const std::string data = file("build/fonts/lk-lab-semibold.ttf");
  return data;
}

// States of a figure: its defaults, every option, both ends of every range, and random mixtures.
std::vector<plot::Values> states(const plot::Figure& figure) {
  std::vector<plot::Values> out{{}};
  const auto base = plot::evaluate(figure, world(), {}, {}, plot::Binder::Mode::strict);
  REQUIRE(base);
  Random random(7);
  for (const auto& spec : base->specs) {
    if (!spec.options.empty()) {
      for (const auto& option : spec.options)
        if (option.why_not.empty()) out.push_back({{spec.id, option.id}});
    } else if (spec.kind == plot::FieldKind::toggle) {
      out.push_back({{spec.id, spec.value == "on" ? "off" : "on"}});
    } else if (spec.kind != plot::FieldKind::text) {
      out.push_back({{spec.id, plain(spec.lo)}});
      out.push_back({{spec.id, plain(spec.hi)}});
    }
  }
  for (int i = 0; i < 6; ++i) {
    plot::Values mixture;
    for (const auto& spec : base->specs)
      if (spec.kind == plot::FieldKind::number || spec.kind == plot::FieldKind::integer)
        mixture.emplace_back(spec.id, spec.nearest(lab::from_track(spec, random.unit())));
    out.push_back(std::move(mixture));
  }
  return out;
}

const std::string& mono() {
  static const std::string data = file("build/fonts/lk-lab-mono.ttf");
  return data;
}

// A context with the lab's fonts and a list to draw on.
struct Paper {
  explicit Paper(float scale = 1) : context(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context);
    fonts.build(*ImGui::GetIO().Fonts, regular(), strong(), mono(), scale);
    theme.fonts = &fonts;
    theme.scale = scale;
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(4000, 4000);
    ImGui::GetIO().DeltaTime = 0.1F;
    ImGui::NewFrame();
    list = ImGui::GetForegroundDrawList();
  }
  ~Paper() {
    ImGui::EndFrame();
    ImGui::DestroyContext(context);
  }
  ImGuiContext* context;
  lab::Fonts fonts;
  lab::Theme theme;
  ImDrawList* list = nullptr;
};

struct Ink {
  size_t prim;
  int vertices;
  Box box;  // CSS pixels of the frame
};

std::vector<Ink> inked(const plot::Frame& frame, Paper& paper) {
  std::vector<Ink> out;
  const ImVec2 origin(40, 30);
  lab::draw(frame, paper.list, origin, paper.theme, [&](size_t prim, int first, int end) {
    Box box{1e9, 1e9, -1e9, -1e9};
    for (int i = first; i < end; ++i) {
      const ImVec2 p = paper.list->VtxBuffer[i].pos;
      const double x = static_cast<double>((p.x - origin.x) / paper.theme.scale), y = static_cast<double>((p.y - origin.y) / paper.theme.scale);
      box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
    }
    out.push_back({prim, end - first, box});
  });
  return out;
}

size_t printed(std::string_view text) {
  size_t n = 0;
  for (size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (c != ' ' && c != 0xA0) ++n;
  }
  return n;
}

std::vector<std::string> texts_of(std::string_view svg) {
  std::vector<std::string> out;
  for (size_t at = svg.find("<text"); at != std::string_view::npos; at = svg.find("<text", at + 1)) {
    const size_t open = svg.find('>', at), close = svg.find("</text>", open);
    out.emplace_back(svg.substr(open + 1, close - open - 1));
  }
  return out;
}

std::set<std::string> attributes_of(std::string_view svg, const std::string& name) {
  std::set<std::string> out;
  const std::string key = " " + name + "=\"";
  for (size_t at = svg.find(key); at != std::string_view::npos; at = svg.find(key, at + 1)) {
    const size_t from = at + key.size();
    out.emplace(svg.substr(from, svg.find('"', from) - from));
  }
  return out;
}

const plot::Mark* mark_of(const plot::View& view, const Prim& prim) {
  if (prim.panel < 0 || prim.mark < 0) return nullptr;
  return &view.panels[static_cast<size_t>(prim.panel)].marks[static_cast<size_t>(prim.mark)];
}

void each_frame(const std::vector<double>& widths, const std::function<void(const plot::Evaluated&, const plot::Frame&, const std::string&)>& look) {
  for (const plot::Figure* figure : figures::all()) {
    for (const auto& values : states(*figure)) {
      const auto now = plot::evaluate(*figure, world(), values, {}, plot::Binder::Mode::lenient);
      REQUIRE(now);
      for (const double width : widths)
        look(*now, plot::layout(now->view, width), std::string(figure->id) + "?" + plot::write_query(values) + " at " + plain(width));
    }
  }
}

}  // namespace

TEST_CASE("every primitive leaves ink inside its bounds and across them", "[lab]") {
  each_frame({300, 390, 632, 920}, [](const plot::Evaluated&, const plot::Frame& frame, const std::string& name) {
    Paper paper;
    const auto ink = inked(frame, paper);
    REQUIRE(ink.size() == frame.prims.size());
    for (const Ink& i : ink) {
      const Prim& prim = frame.prims[i.prim];
      INFO(name << ", primitive " << i.prim << " of kind " << prim.kind << ' ' << prim.text);
      if (prim.kind == Prim::glyphs) {
        CHECK(i.vertices == static_cast<int>(printed(prim.text)) * 4 * (prim.halo ? 9 : 1));
      } else if (prim.kind != Prim::hatch) {
        CHECK(i.vertices > 0);
      }
      if (i.vertices == 0) continue;
      const Box box = lab::bounds(prim, paper.theme);
      const double rim = prim.halo ? 4 : 2.5;  // smooth edges, whole pixels, halos
      CHECK(i.box.x0 >= box.x0 - rim);
      CHECK(i.box.y0 >= box.y0 - rim);
      CHECK(i.box.x1 <= box.x1 + rim);
      CHECK(i.box.y1 <= box.y1 + rim);
      if (prim.kind == Prim::glyphs || prim.kind == Prim::hatch) continue;
      const double short_of = prim.dashed ? 6 : 2;  // a dashed line may end in a gap
      CHECK(i.box.x0 <= box.x0 + short_of);
      CHECK(i.box.y0 <= box.y0 + short_of);
      CHECK(i.box.x1 >= box.x1 - short_of);
      CHECK(i.box.y1 >= box.y1 - short_of);
    }
  });
}

TEST_CASE("the SVG and the lab draw the same marks and the same words", "[lab]") {
  each_frame({300, 632, 920}, [](const plot::Evaluated& now, const plot::Frame& frame, const std::string& name) {
    INFO(name);
    Paper paper;
    const std::string svg = render::svg(now.view, frame, "alt", "id", "");
    std::vector<std::string> words;
    std::set<std::string> rows, sets, drags;
    for (const Ink& i : inked(frame, paper)) {
      const Prim& prim = frame.prims[i.prim];
      if (prim.kind == Prim::glyphs) words.push_back(html_escaped(prim.text));
      const plot::Mark* mark = mark_of(now.view, prim);
      if (mark == nullptr || i.vertices == 0) continue;
      if (mark->row >= 0) rows.insert(std::to_string(mark->row));
      if (!mark->sets.empty()) sets.insert(html_escaped(mark->sets));
      if (!mark->drags.empty()) drags.insert(html_escaped(mark->drags));
    }
    CHECK(texts_of(svg) == words);
    CHECK(attributes_of(svg, "data-row") == rows);
    CHECK(attributes_of(svg, "data-set") == sets);
    CHECK(attributes_of(svg, "data-drag") == drags);
  });
}

TEST_CASE("words are as wide in the lab as the layout takes them to be, and no sign is missing", "[lab]") {
  Paper paper;
  std::set<std::string> seen;
  each_frame({390, 920}, [&](const plot::Evaluated& now, const plot::Frame& frame, const std::string& name) {
    INFO(name);
    const auto known = [&](std::string_view text, bool bold, bool fixed = false) {
      INFO(text);
      for (size_t at = 0; at < text.size();) {
        const char32_t c = next_code_point(text, at);
        CHECK((fixed ? paper.fonts.mono() : paper.fonts.face(12, bold))->FindGlyphNoFallback(static_cast<ImWchar>(c)) != nullptr);
      }
    };
    for (const Prim& prim : frame.prims) {
      if (prim.kind != Prim::glyphs || !seen.insert(prim.text + (prim.strong ? "!" : "")).second) continue;
      known(prim.text, prim.strong, prim.mono);
      INFO(prim.text);
      const double wide = static_cast<double>(lab::width(paper.theme, prim.text, prim.size, prim.strong, prim.mono));
      const double taken = prim.mono ? plot::mono_width(prim.text, prim.size) : plot::text_width(prim.text, prim.size, prim.strong);
      CHECK(wide == Catch::Approx(taken).epsilon(0.01).margin(0.5));
    }
    for (const auto& segment : plot::summary(now)) known(segment.text, segment.yours);
    for (const auto& column : now.view.columns) known(column.label, false);
    for (size_t i = 0; i < now.view.cells.size(); ++i)
      if (seen.insert(lab::cell_text(now.view.columns[i % now.view.columns.size()], now.view.cells[i])).second)
        known(lab::cell_text(now.view.columns[i % now.view.columns.size()], now.view.cells[i]), false);
  });
}

TEST_CASE("twice the density draws twice the pixels", "[lab]") {
  each_frame({632}, [](const plot::Evaluated&, const plot::Frame& frame, const std::string& name) {
    INFO(name);
    std::vector<Ink> one, two;
    {
      Paper paper(1);
      one = inked(frame, paper);
    }
    {
      Paper paper(2);
      two = inked(frame, paper);
    }
    REQUIRE(one.size() == two.size());
    for (size_t i = 0; i < one.size(); ++i) {
      if (one[i].vertices == 0 || two[i].vertices == 0) continue;
      INFO("primitive " << i);
      CHECK(one[i].box.x0 == Catch::Approx(two[i].box.x0).margin(1.6));
      CHECK(one[i].box.y1 == Catch::Approx(two[i].box.y1).margin(1.6));
    }
  });
}

TEST_CASE("polygons of any shape are filled whole", "[lab]") {
  Random random(11);
  for (int n = 3; n < 40; ++n) {
    // A ring of corners at random distances from the middle never crosses itself.
    std::vector<plot::Point> polygon;
    double area = 0;
    for (int i = 0; i < n; ++i) {
      const double r = 10 + 90 * random.unit(), a = 6.283185307179586 * i / n;
      polygon.push_back({r * std::cos(a), r * std::sin(a)});
    }
    if (n % 2 == 1) std::reverse(polygon.begin(), polygon.end());
    for (size_t i = 0; i < polygon.size(); ++i) {
      const auto a = polygon[i], b = polygon[(i + 1) % polygon.size()];
      area += (a.x * b.y - a.y * b.x) / 2;
    }
    const auto corners = lab::triangles(polygon);
    REQUIRE(corners.size() % 3 == 0);
    double sum = 0;
    for (size_t i = 0; i < corners.size(); i += 3) {
      const auto a = polygon[static_cast<size_t>(corners[i])], b = polygon[static_cast<size_t>(corners[i + 1])],
                 c = polygon[static_cast<size_t>(corners[i + 2])];
      sum += std::abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
    }
    CHECK(sum == Catch::Approx(std::abs(area)));
  }
  CHECK_FALSE(lab::convex({{0, 0}, {10, 0}, {5, 2}, {5, 10}}));
  CHECK(lab::convex({{0, 0}, {10, 0}, {10, 10}, {0, 10}}));
  // A pentagram turns one way and is not convex.
  CHECK_FALSE(lab::convex({{0, -10}, {5.9, 8.1}, {-9.5, -3.1}, {9.5, -3.1}, {-5.9, 8.1}}));
}

TEST_CASE("rows are sorted by any column, missing cells last both ways", "[lab]") {
  plot::View view;
  view.columns = {{.id = "name", .label = "Name", .text = true}, {.id = "v", .label = "Value"}};
  view.cells = {"b", 2.0, "a", plot::Cell(), "c", 1.0, "d", 2.0};
  CHECK(lab::sorted_rows(view, -1, false) == std::vector<int>{0, 1, 2, 3});
  CHECK(lab::sorted_rows(view, 0, false) == std::vector<int>{1, 0, 2, 3});
  CHECK(lab::sorted_rows(view, 1, false) == std::vector<int>{2, 0, 3, 1});
  CHECK(lab::sorted_rows(view, 1, true) == std::vector<int>{0, 3, 2, 1});
}

TEST_CASE("tokens of the page become colors", "[lab]") {
  lab::Theme theme;
  const ImU32 before = theme.color(lab::Token::muted);
  theme.set("bg=#fff; ink=#0a0B0c;wash=.27;muted=red;nothing=#123456;accent=#FF8AAB");
  CHECK(theme.color(lab::Token::bg) == IM_COL32(255, 255, 255, 255));
  CHECK(theme.color(lab::Token::ink) == IM_COL32(10, 11, 12, 255));
  CHECK(theme.color(lab::Token::accent) == IM_COL32(255, 138, 171, 255));
  CHECK(theme.color(lab::Token::muted) == before);
  CHECK(theme.wash == Catch::Approx(0.27));
  // The built-in tokens are those of the style sheet's light theme.
  const std::string css = file("web/css/tokens.css");
  lab::Theme page = theme;
  std::string tokens;
  const size_t light = css.find("--bg:");
  for (size_t i = 0; i < lab::token_count; ++i) {
    const std::string key = "--" + std::string(lab::name(static_cast<lab::Token>(i))) + ":";
    const size_t at = css.find(key, light);
    REQUIRE(at != std::string::npos);
    const size_t hash = css.find('#', at);
    tokens += std::string(lab::name(static_cast<lab::Token>(i))) + "=" + css.substr(hash, css.find_first_of(";} ", hash) - hash) + ";";
  }
  page.set(tokens);
  const lab::Theme standard;
  for (size_t i = 0; i < lab::token_count; ++i) {
    INFO(lab::name(static_cast<lab::Token>(i)));
    CHECK(page.colors[i] == standard.colors[i]);
  }
}
