#include "site/worlds.h"

#include <catch2/catch_test_macros.hpp>

#include "api/api.h"
#include "figures/registry.h"
#include "render/figure.h"
#include "site/content.h"

namespace lk::site {
namespace {

TEST_CASE("worlds: a figure sees in its module's world what it sees in the whole one") {
  const Content content = load_content(std::string(LK_SOURCE_DIR) + "/content");
  REQUIRE(content.usable);
  size_t states = 0;
  for (const plot::Figure* figure : figures::all()) {
    const auto world = api::load_world(module_world(content.book, figures::module_of(*figure)));
    REQUIRE(world);
    const auto same = [&](const plot::Values& values) {
      const auto whole = plot::evaluate(*figure, content.world, values, {}, plot::Binder::Mode::lenient);
      const auto part = plot::evaluate(*figure, *world, values, {}, plot::Binder::Mode::lenient);
      INFO(figure->id << "?" << plot::write_query(values));
      REQUIRE(static_cast<bool>(whole) == static_cast<bool>(part));
      if (!whole) return;
      CHECK(plot::summary_text(*whole) == plot::summary_text(*part));
      CHECK(render::figure_html(*whole, {}) == render::figure_html(*part, {}));
      ++states;
    };
    const auto rest = plot::evaluate(*figure, content.world, {}, {}, plot::Binder::Mode::strict);
    REQUIRE(rest);
    // Every choice with every other choice of one more field: what is measured depends on both device and kind.
    for (const plot::FieldSpec& one : rest->specs)
      for (const auto& a : one.options)
        for (const plot::FieldSpec& two : rest->specs)
          for (const auto& b : two.options)
            if (one.id < two.id) same({{one.id, a.id}, {two.id, b.id}});
    same({});
  }
  CHECK(states > 50);
}

}  // namespace
}  // namespace lk::site
