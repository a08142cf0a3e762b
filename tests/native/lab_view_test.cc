// Views of the lab driven as a page drives them: hands, keys, typing, clipboard. No window system, no GPU.
#include <catch2/catch_all.hpp>

#include <cfloat>
#include <cmath>
#include <fstream>
#include <set>
#include <sstream>

#include "api/api.h"
#include "figures/registry.h"
#include "imgui.h"
#include "lab/view.h"

using namespace lk;
using lab::Hand;
using lab::Source;

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
    auto read = api::load_world(api::write_world(file("content/devices.json"), {{"h200", file("content/measurements/h200.csv")}}));
    REQUIRE(read);
    return *read;
  }();
  return loaded;
}

// A browser in miniature: a clock, and frames until the view is at rest.
struct Page {
  explicit Page(std::string_view figure, std::string_view query = {}, double width = 1100, double scale = 1)
      : view(world(), *figures::find(figure), query, {}) {
    static const std::string regular = file("build/fonts/lk-lab.ttf"), strong = file("build/fonts/lk-lab-semibold.ttf");
    view.fonts(regular, strong);
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

// The first mark that a hand can move, and where to take hold of it.
struct Handle {
  std::string field;
  double x = 0, y = 0;
};
std::optional<Handle> handle(Page& page) {
  const auto& now = *page.view.bench().state();
  const double scale = static_cast<double>(page.view.theme().scale);
  for (const auto& prim : page.view.bench().frame().prims) {
    if (prim.panel < 0 || prim.mark < 0 || prim.kind == plot::Prim::glyphs) continue;
    const auto& mark = now.view.panels[static_cast<size_t>(prim.panel)].marks[static_cast<size_t>(prim.mark)];
    if (mark.drags.empty()) continue;
    const auto box = lab::bounds(prim, page.view.theme());
    return Handle{mark.drags, static_cast<double>(page.view.bench().origin().x) / scale + (box.x0 + box.x1) / 2,
                  static_cast<double>(page.view.bench().origin().y) / scale + (box.y0 + box.y1) / 2};
  }
  return std::nullopt;
}

const plot::FieldSpec* first(const plot::Evaluated& now, plot::FieldKind kind, plot::FieldKind other) {
  for (const auto& spec : now.specs)
    if ((spec.kind == kind || spec.kind == other) && spec.hi > spec.lo) return &spec;
  return nullptr;
}

}  // namespace

TEST_CASE("a view at rest asks for no frames", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    INFO(figure->id);
    Page page(figure->id);
    CHECK_FALSE(page.last.again);
    CHECK(page.last.again_in < 0);
    CHECK(page.rest() == 1);
    CHECK(page.view.picture()->TotalVtxCount > 500);
  }
}

TEST_CASE("every slider of every figure follows mouse and finger, at any width and density", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    for (const double width : {340.0, 700.0, 1100.0}) {
      for (const double scale : {1.0, 2.0}) {
        for (const Source source : {Source::mouse, Source::touch}) {
          Page page(figure->id, {}, width, scale);
          const auto specs = page.view.bench().state()->specs;
          for (const auto& spec : specs) {
            if (spec.kind != plot::FieldKind::number && spec.kind != plot::FieldKind::integer) continue;
            INFO(figure->id << '.' << spec.id << " at " << width << " x" << scale);
            page.view.bench().reset();
            page.rest();
            const auto from = page.track(spec.id, 0.5, width < 652);
            page.press(from.x, from.y, source);
            const auto to = page.track(spec.id, 1, width < 652);
            page.move(to.x, to.y, source);
            CHECK(page.value(spec.id) == plain(page.spec(spec.id).hi));
            const auto low = page.track(spec.id, 0, width < 652);
            page.move(low.x - 40, low.y + 90, source);  // the hand may leave the track
            CHECK(page.value(spec.id) == plain(page.spec(spec.id).lo));
            page.release(low.x, low.y, source);
            page.move(to.x, to.y, source);
            CHECK(page.value(spec.id) == plain(page.spec(spec.id).lo));
          }
        }
      }
    }
  }
}

TEST_CASE("marks that drag set their field, and keep the distance to the hand", "[lab]") {
  int tried = 0;
  for (const plot::Figure* figure : figures::all()) {
    for (const Source source : {Source::mouse, Source::touch}) {
      Page page(figure->id);
      const auto grip = handle(page);
      if (!grip) continue;
      ++tried;
      INFO(figure->id << '.' << grip->field);
      const std::string before = page.value(grip->field);
      page.press(grip->x + 2, grip->y, source);
      CHECK(page.value(grip->field) == before);
      page.move(grip->x + 122, grip->y + 30, source);
      const std::string after = page.value(grip->field);
      CHECK(after != before);
      CHECK(after == page.spec(grip->field).nearest(*read_number(after)));
      const auto moved = handle(page);
      REQUIRE(moved);
      CHECK(moved->x == Catch::Approx(grip->x + 120).margin(12));
      page.release(grip->x + 122, grip->y, source);
      page.move(grip->x - 100, grip->y, source);
      CHECK(page.value(grip->field) == after);
    }
  }
  CHECK(tried > 0);
}

TEST_CASE("keys move a focused slider by its steps", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    Page page(figure->id);
    const auto* spec = first(*page.view.bench().state(), plot::FieldKind::integer, plot::FieldKind::number);
    REQUIRE(spec != nullptr);
    const std::string id = spec->id;
    INFO(figure->id << '.' << id);
    const auto at = page.track(id, 0.5);
    page.click(at.x, at.y);
    const int middle = page.spec(id).position(), last = page.spec(id).positions();
    CHECK(page.key("ArrowRight"));
    CHECK(page.spec(id).position() == middle + 1);
    page.key("ArrowLeft");
    page.key("ArrowLeft");
    CHECK(page.spec(id).position() == middle - 1);
    CHECK(page.key("Home"));
    CHECK(page.spec(id).position() == 0);
    page.key("PageUp");
    CHECK(page.spec(id).position() == std::max(1, last / 10));
    page.key("End");
    CHECK(page.spec(id).position() == last);
    page.key("ArrowRight");
    CHECK(page.spec(id).position() == last);
    // A key held down comes as repeats.
    page.view.key("ArrowLeft", true, false, {});
    page.rest();
    for (int i = 0; i < 3; ++i) {
      page.view.key("ArrowLeft", true, true, {});
      page.rest();
    }
    page.view.key("ArrowLeft", false, false, {});
    page.rest();
    CHECK(page.spec(id).position() == last - 4);
  }
}

TEST_CASE("arrows go through every control, and back", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    for (const double width : {340.0, 1100.0}) {
      Page page(figure->id, {}, width);
      page.view.focus(false);
      page.view.focus(true, true);
      page.rest();
      std::set<std::string> moved;
      for (const auto& way : {"ArrowDown", "ArrowUp"}) {
        for (int i = 0; i < 16; ++i) {
          CHECK(page.key(way));
          CHECK_FALSE(page.last.typing);
          for (const auto& change : {"ArrowRight", "ArrowLeft"}) {
            const auto before = page.query();
            page.key(change);
            for (const auto& [field, value] : plot::parse_query(page.query()))
              if (page.query() != before) moved.insert(field);
          }
        }
      }
      for (const auto& spec : page.view.bench().state()->specs) {
        if (spec.kind != plot::FieldKind::number && spec.kind != plot::FieldKind::integer) continue;
        INFO(figure->id << '.' << spec.id);
        CHECK(moved.count(spec.id) == 1);
      }
    }
  }
}

TEST_CASE("Enter and Space work what has the focus: numbers, lists, switches", "[lab]") {
  Page page("roofline");
  page.view.focus(false);
  page.view.focus(true, true);
  page.rest();
  bool typed = false, switched = false, chosen = false;
  for (int i = 0; i < 12; ++i) {
    page.key("ArrowDown");
    const std::string points = page.value("points"), dtype = page.value("dtype");
    page.key("Enter");
    if (page.last.typing) {
      page.type("64");
      page.key("Enter");
      typed = typed || page.value("intensity") == "64";
      continue;
    }
    switched = switched || page.value("points") != points;
    page.key("ArrowUp");
    page.key("Enter");
    page.key("Escape");
    chosen = chosen || page.value("dtype") != dtype;
  }
  CHECK(typed);
  CHECK(switched);
  CHECK(chosen);
}

TEST_CASE("numbers are typed: digits kept, commas understood, words refused", "[lab]") {
  Page page("roofline");
  const auto at = page.number("intensity");
  const auto enter = [&](std::string_view text) {
    page.click(at.x, at.y);
    REQUIRE(page.last.typing);
    page.key("KeyA", {.ctrl = true});
    page.type(text);
    page.key("Enter");
    CHECK_FALSE(page.last.typing);
  };
  enter("1,5");
  CHECK(page.value("intensity") == "1.5");
  enter("12.3456");
  CHECK(page.value("intensity") == "12.3456");
  CHECK(page.query() == "intensity=12.3456");
  enter("apples");
  CHECK(page.value("intensity") == "12.3456");
  enter("1e30");
  CHECK(page.value("intensity") == plain(page.spec("intensity").hi));
  // Escape forgets what was typed.
  page.click(at.x, at.y);
  page.type("7");
  page.key("Escape");
  CHECK_FALSE(page.last.typing);
  CHECK(page.value("intensity") == plain(page.spec("intensity").hi));
  // The slider has the keyboard then, and shows it.
  CHECK(page.key("ArrowLeft"));
  CHECK(page.spec("intensity").position() == page.spec("intensity").positions() - 1);
  CHECK(page.key("ArrowUp"));
  // Leaving the input by a click elsewhere takes the number over.
  page.click(at.x, at.y);
  page.key("KeyA", {.ctrl = true});
  page.type("33");
  page.click(4, page.last.height - 4);
  CHECK(page.value("intensity") == "33");
}

TEST_CASE("text is copied, cut and pasted through the page's clipboard", "[lab]") {
  Page page("roofline", "intensity=37");
  const auto at = page.number("intensity");
  page.click(at.x, at.y);
  REQUIRE(page.last.typing);
  page.last.copied = false;
  page.key("KeyA", {.ctrl = true});
  CHECK(page.key("KeyC", {.ctrl = true}));
  CHECK(page.last.copied);
  CHECK(page.view.clipboard() == "37");
  page.key("KeyX", {.ctrl = true});
  page.view.paste("250");
  page.rest();
  page.key("Enter");
  CHECK(page.value("intensity") == "250");
}

TEST_CASE("keys that are not ours stay the browser's", "[lab]") {
  Page page("roofline");
  CHECK_FALSE(page.view.key("Tab", true, false, {}));
  CHECK_FALSE(page.view.key("F5", true, false, {}));
  CHECK_FALSE(page.view.key("PageDown", true, false, {}));
  CHECK_FALSE(page.view.key("KeyC", true, false, {.ctrl = true}));
  CHECK_FALSE(page.view.key("ArrowLeft", true, false, {.alt = true}));
  CHECK_FALSE(page.view.key("ArrowDown", true, false, {}));
  CHECK_FALSE(page.view.key("Escape", true, false, {}));
  const auto at = page.number("intensity");
  page.click(at.x, at.y);
  REQUIRE(page.last.typing);
  CHECK(page.view.key("Tab", true, false, {}));
  CHECK_FALSE(page.view.key("F5", true, false, {}));
  CHECK_FALSE(page.view.wheel(0, 100));
}

TEST_CASE("lists offer what can be chosen and refuse the rest", "[lab]") {
  Page page("roofline", {}, 1100);
  const auto box = page.place("dtype");
  const auto open = [&] { page.click(box.x0 + 60, box.y1 - 10); };
  open();
  // Down to the entry below, Enter takes it.
  const std::string before = page.value("dtype");
  page.key("ArrowUp");
  page.key("Enter");
  CHECK(page.value("dtype") != before);
  page.view.bench().reset();
  page.rest();
  // A device that lacks a type: its entry is there, and a click on it does nothing.
  page.view.bench().set("device", "a100_40gb");
  page.rest();
  const auto options = page.spec("dtype").options;  // a copy: the state changes below
  const auto off = std::find_if(options.begin(), options.end(), [](const auto& o) { return !o.why_not.empty(); });
  REQUIRE(off != options.end());
  open();
  double y = box.y1 + 10;
  for (int i = 0; i < 60; ++i, y += 6) {
    page.move(box.x0 + 40, y);
    page.press(box.x0 + 40, y);
    page.release(box.x0 + 40, y);
    const auto& now = page.spec("dtype");
    CHECK(now.value != off->id);
    if (page.value("dtype") != before) open();
  }
}

TEST_CASE("switches turn, reset brings the defaults back, the link is asked for", "[lab]") {
  Page page("roofline", "intensity=99");
  const auto box = page.place("points");
  const std::string before = page.value("points");
  page.click(box.x0 + 8, box.y0 + 14);
  CHECK(page.value("points") != before);
  CHECK(page.query().find("points=") != std::string::npos);
  CHECK(page.view.bench().changes() > 1);
  const auto middle = [&](std::string_view tool) {
    const auto at = page.place(tool);
    return plot::Point{(at.x0 + at.x1) / 2, (at.y0 + at.y1) / 2};
  };
  page.last.copy_link = false;
  page.click(middle("@link").x, middle("@link").y);
  CHECK(page.last.copy_link);
  page.click(middle("@reset").x, middle("@reset").y);
  CHECK(page.query().empty());
  page.view.bench().link_copied(page.clock);
  page.view.wake();
  page.rest();
  CHECK(page.last.again_in > 0);
  page.clock += 2;
  page.view.wake();
  page.rest();
  CHECK(page.last.again_in < 0);
}

TEST_CASE("rows and marks point at each other", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    Page page(figure->id);
    const auto& now = *page.view.bench().state();
    if (now.view.rows() == 0) continue;
    INFO(figure->id);
    // Over a mark: its row is lit.
    int marks = 0;
    for (const auto& prim : page.view.bench().frame().prims) {
      if (prim.panel < 0 || prim.mark < 0 || prim.kind == plot::Prim::glyphs || prim.kind == plot::Prim::path || prim.fill == plot::Fill::wash) continue;
      const auto& mark = now.view.panels[static_cast<size_t>(prim.panel)].marks[static_cast<size_t>(prim.mark)];
      if (mark.row < 0) continue;
      const auto box = lab::bounds(prim, page.view.theme());
      page.move(static_cast<double>(page.view.bench().origin().x) + (box.x0 + box.x1) / 2,
                static_cast<double>(page.view.bench().origin().y) + (box.y0 + box.y1) / 2);
      if (page.view.bench().lit_row() == mark.row) ++marks;
    }
    CHECK(marks > 0);
    // Over the table: every row that shows is lit once on the way down.
    std::vector<int> rows;
    for (double y = 0; y < static_cast<double>(page.last.height); y += 4) {
      page.move(900, y);
      const int row = page.view.bench().lit_row();
      if (row >= 0 && (rows.empty() || rows.back() != row)) rows.push_back(row);
    }
    CHECK(rows.size() >= std::min<size_t>(now.view.rows(), 12) - 1);
    // Nothing stays lit when the hand is gone.
    page.view.hand(Hand::leave, 0, 0, 0, Source::mouse);
    page.rest();
    CHECK(page.view.bench().lit_row() == -1);
  }
}

TEST_CASE("views are independent and a finger that is taken away lets go", "[lab]") {
  Page left("roofline"), right("roofline", "intensity=5");
  const auto from = left.track("intensity", 0.5);
  left.press(from.x, from.y);
  right.move(from.x + 100, from.y);
  CHECK(right.value("intensity") == "5");
  left.view.hand(Hand::cancel, 0, 0, 0, Source::mouse);
  left.rest();
  const std::string value = left.value("intensity");
  left.move(from.x + 90, from.y);
  CHECK(left.value("intensity") == value);
}

TEST_CASE("a new density builds the fonts anew, and nothing else does", "[lab]") {
  Page page("roofline");
  CHECK_FALSE(page.last.fonts);
  const float height = page.last.height;
  page.view.resize(1100, 900, 2);
  auto outcome = page.view.frame(page.clock += 0.1);
  CHECK(outcome.fonts);
  CHECK(page.view.frame(page.clock += 0.1).fonts == false);
  CHECK(page.view.frame(page.clock += 0.1).height == Catch::Approx(height).margin(2));
  CHECK(page.view.picture()->DisplaySize.x == 2200);
  page.view.resize(900, 900, 2);
  CHECK_FALSE(page.view.frame(page.clock += 0.1).fonts);
}

TEST_CASE("a view without fonts, of no size or with nonsense for a state still stands", "[lab]") {
  for (const plot::Figure* figure : figures::all()) {
    for (const std::string_view query : {"", "stride=1e99&intensity=-4&device=none&x=%ff", "&&==%"}) {
      lab::View view(world(), *figure, query, "nothing");
      double clock = 0;
      for (const auto& [w, h, s] : {std::array{0.0, 0.0, 1.0}, {10.0, 10.0, 1.0}, {320.0, 600.0, 3.0}, {2400.0, 30.0, 0.5}}) {
        view.resize(w, h, s);
        for (int i = 0; i < 3; ++i) CHECK(view.frame(clock += 0.016).height > 0);
      }
      CHECK(view.bench().state().has_value());
    }
  }
}
