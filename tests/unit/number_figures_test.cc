// Figures of number formats and layouts: what a click does, and what they say of states that every book shows.
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <set>

#include "figures/registry.h"
#include "layout/layout.h"
#include "numerics/format.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

Evaluated shown(std::string_view id, const Values& values) {
  Result<Evaluated> e = evaluate(*figures::find(id), real_world(), values, "h200", Binder::Mode::lenient);
  if (!e) FAIL(id << "?" << write_query(values) << ": " << text(e.error()));
  return *e;
}
Evaluated shown(std::string_view id, std::string_view query) { return shown(id, parse_query(query)); }
double out(const Evaluated& e, std::string_view id) {
  const Num* n = e.view.find(id);
  if (!n) FAIL("no result " << id);
  return n->v;
}

/// The pattern that the row of bits shows, its first panel.
uint32_t pattern(const Evaluated& e) {
  uint32_t bits = 0;
  for (const Mark& m : e.view.panels[0].marks) bits = bits << 1 | (m.label == "1");
  return bits;
}

/// The state after a click on a mark.
Evaluated click(std::string_view id, const Evaluated& before, const Mark& mark) {
  Values values = before.canonical;
  for (const auto& set : parse_query(mark.sets)) {
    std::erase_if(values, [&](const auto& pair) { return pair.first == set.first; });
    values.push_back(set);
  }
  return shown(id, values);
}

}  // namespace

TEST_CASE("float_formats: a click on a bit flips that bit and no other, in every format and from any state") {
  for (const char* format : {"e2m1", "e2m3", "e3m2", "e4m3", "e5m2", "e8m0", "fp16", "bf16", "tf32", "fp32"})
    for (const char* state : {"", "value=3.7&negative=on", "value=1e6", "value=1e-8", "bits=0", "bits=7", "bits=f"}) {
      const Evaluated before = shown("float_formats", std::string("format=") + format + "&" + state);
      const auto& bits = before.view.panels[0].marks;
      for (size_t i = 0; i < bits.size(); ++i) {
        INFO(format << " " << state << ", bit " << i << " sets " << bits[i].sets);
        const Evaluated after = click("float_formats", before, bits[i]);
        CHECK(pattern(after) == (pattern(before) ^ 1u << (bits.size() - 1 - i)));
      }
    }
}

TEST_CASE("float_formats: what every book says of its formats") {
  CHECK(out(shown("float_formats", ""), "result") == 0.1015625);
  CHECK(out(shown("float_formats", ""), "largest") == 448);
  CHECK(out(shown("float_formats", "format=e5m2"), "largest") == 57344);
  CHECK(out(shown("float_formats", "format=e2m1&value=2.5"), "result") == 2);  // a tie goes to the even pattern
  CHECK(out(shown("float_formats", "format=e2m1"), "numbers") == 15);
  CHECK(out(shown("float_formats", "format=e4m3&value=1000"), "result") == 448);
  CHECK(shown("float_formats", "format=e4m3&value=1000&beyond=special").view.find("result") == nullptr);
  CHECK(out(shown("float_formats", "format=e4m3&bits=1"), "result") == 0x1p-9);
  // A pattern that cannot be read says so and the value is shown.
  for (const char* wrong : {"format=e2m1&bits=10", "bits=xyz", "bits=0x"}) CHECK(shown("float_formats", wrong).notices.size() == 1);
}

TEST_CASE("scaling_factor: scales that a format cannot have are refused with the reason") {
  for (const char* format : {"e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "int8", "int4"}) {
    const Evaluated e = shown("scaling_factor", std::string("format=") + format);
    const bool integer = format[0] == 'i', four = std::string_view(format) == "e2m1";
    for (const FieldSpec& spec : e.specs) {
      if (spec.id != "scale") continue;
      for (const FieldSpec::Option& option : spec.options) {
        const bool fits = integer ? option.id == "tensor" || option.id == "row" : four || option.id != "nvfp4";
        CHECK(option.why_not.empty() == fits);
      }
    }
  }
}

TEST_CASE("scaling_factor: without a scale the size of the data decides; with one it does not") {
  const double bare = out(shown("scaling_factor", "size=1e-06"), "error"), large = out(shown("scaling_factor", "size=1"), "error");
  CHECK(bare == 1);  // all becomes zero
  CHECK(large < 0.05);
  CHECK(out(shown("scaling_factor", "size=1000"), "clipped") > 50);
  for (const char* scale : {"tensor", "row", "mx"}) {
    const std::string query = std::string("scale=") + scale;
    CHECK(std::fabs(out(shown("scaling_factor", query + "&size=1e-06"), "error") / out(shown("scaling_factor", query + "&size=0.5"), "error") - 1) < 0.25);
  }
  // Where two columns stand out, a scale for fewer elements loses less of four bits.
  const auto error = [](const char* scale) { return out(shown("scaling_factor", std::string("format=e2m1&data=activations&scale=") + scale), "error"); };
  CHECK(error("nvfp4") < error("row"));
  CHECK(error("row") < error("tensor"));
}

TEST_CASE("cute_layout: the element followed is the same in all drawings, and a click follows another") {
  for (const char* state : {"", "operation=none&a=(4,8):(1,4)", "operation=composition&a=(6,2):(8,2)&b=(4,3):(3,1)", "swizzle=3,0,3", "operation=logical_divide&b=<4:2,2>"}) {
    const Evaluated before = shown("cute_layout", state);
    INFO(state);
    for (const Mark& m : before.view.panels[1].marks) {
      const Evaluated after = click("cute_layout", before, m);
      const std::string want = m.label;
      int accents = 0;
      for (const Panel& p : after.view.panels)
        for (const Mark& a : p.marks) accents += a.role == Role::accent;
      CHECK(accents >= 2);
      CHECK(std::to_string(static_cast<int64_t>(out(after, "address"))) == want);
    }
  }
}

TEST_CASE("cute_layout: passes through the banks") {
  CHECK(out(shown("cute_layout", "a=(32,32):(32,1)&operation=none"), "passes") == 32);
  CHECK(out(shown("cute_layout", "a=(32,32):(33,1)&operation=none"), "passes") == 1);
  CHECK(out(shown("cute_layout", "a=(32,32):(32,1)&operation=none&swizzle=5,0,5"), "passes") == 1);
  CHECK(out(shown("cute_layout", "a=(32,32):(32,1)&operation=none&warp=row"), "passes") == 1);
  // Refused and unreadable layouts say why, and something is drawn.
  for (const char* wrong : {"operation=composition&a=(6,2):(1,10)&b=3:4", "a=(8,8:1", "b=<1", "a=(64,64)"}) {
    const Evaluated e = shown("cute_layout", wrong);
    INFO(wrong);
    CHECK(!e.notices.empty());
    CHECK(e.view.panels[1].marks.size() > 0);
  }
}
