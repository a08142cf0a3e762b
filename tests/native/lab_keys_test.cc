// Keys, typing and the clipboard in views of the lab.
#include <map>
#include <set>

#include "support/lab_page.h"

using namespace lk;
using namespace lk::test;

namespace {

const plot::FieldSpec* first(const plot::Evaluated& now, plot::FieldKind kind, plot::FieldKind other) {
  for (const auto& spec : now.specs)
    if ((spec.kind == kind || spec.kind == other) && spec.hi > spec.lo) return &spec;
  return nullptr;
}

}  // namespace

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
      INFO(figure->id << " at " << width);
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

TEST_CASE("text is typed after Enter, and arrows go on behind it", "[lab]") {
  size_t texts = 0;
  for (const plot::Figure* figure : figures::all()) {
    std::set<std::string> wanted, typed;
    Page page(figure->id);
    for (const auto& spec : page.view.bench().state()->specs)
      if (spec.kind == plot::FieldKind::text) wanted.insert(spec.id);
    texts += wanted.size();
    page.view.focus(false);
    page.view.focus(true, true);
    page.rest();
    for (int i = 0; i < 24 && !wanted.empty(); ++i) {
      page.key("ArrowDown");
      std::map<std::string, std::string> before;
      for (const std::string& id : wanted) before[id] = page.value(id);
      page.key("Enter");
      if (!page.last.typing) {
        page.key("Escape");
        continue;
      }
      page.type("7");
      page.key("Enter");
      INFO(figure->id);
      CHECK_FALSE(page.last.typing);
      for (const std::string& id : wanted)
        if (page.value(id) != before[id]) typed.insert(id);
    }
    INFO(figure->id);
    CHECK(typed == wanted);
  }
  CHECK(texts > 0);
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
