// Views of the lab driven as a page drives them. No window system, no GPU.
#include <cmath>

#include "imgui.h"
#include "support/lab_page.h"

using namespace lk;
using namespace lk::test;

namespace {

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
      page.move(grip->x + 62, grip->y + 30, source);
      const std::string after = page.value(grip->field);
      CHECK(after != before);
      CHECK(after == page.spec(grip->field).nearest(*read_number(after)));
      const auto moved = handle(page);
      REQUIRE(moved);
      CHECK(moved->x == Catch::Approx(grip->x + 60).margin(12));
      page.release(grip->x + 62, grip->y, source);
      page.move(grip->x - 100, grip->y, source);
      CHECK(page.value(grip->field) == after);
    }
  }
  CHECK(tried > 0);
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
