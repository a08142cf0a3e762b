#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "base/json.h"
#include "plot/field.h"
#include "plot/figure.h"

using namespace lk;
using namespace lk::plot;
using Mode = Binder::Mode;

namespace {

World world() {
  World w;
  for (const char* id : {"small", "middle", "large"}) {
    gpu::Device d;
    d.id = id;
    d.name = std::string("The ") + id;
    d.sms = static_cast<int>(d.id.size());
    w.devices.all.push_back(d);
  }
  w.devices.fallback = "middle";
  return w;
}

struct Params {
  double ratio = 0.5;
  int count = 4, kind = 0;
  bool on = true;
  std::string words = "abc";
  const gpu::Device* device = nullptr;

  void fields(Fields& f, const World&) {
    f.device(device, {"device", "Device"}, [](const gpu::Device& d) { return d.id == "small" ? std::string("it is too small") : std::string(); });
    f.number(ratio, {"ratio", "Ratio", "of things"}, Unit::flop_per_byte, 0.1, 100, 0.01, Steps::log);
    f.integer(count, {"count", "Count"}, Unit::lanes, 0, 32, 4);
    const Choice choices[] = {{"a", "A"}, {"b", "B", "not on this device"}, {"c", "C"}};
    f.choice(kind, {"kind", "Kind"}, choices);
    f.toggle(on, {"on", "Points"});
    f.text(words, {"words", "Words"}, 4);
  }

  View evaluate(const World&) const {
    View v;
    v.columns = {{"x", "X", Unit::one, How::computed}};
    v.cells = {Cell(1.0), Cell()};
    v.out = {{"double", {ratio * 2, Unit::flop_per_byte}}, {"one", {1, Unit::sectors}}};
    Panel p;
    p.marks.push_back({.shape = Shape::dot, .at = {{0.5, 0.5}}, .row = 1, .drags = "ratio", .sets = "count=4"});
    v.panels.push_back(p);
    v.summary = "{ratio} and {double}; {one|sector|sectors} of {count|lane|lanes}, {kind}.";
    v.notices = {"A notice of the view."};
    return v;
  }
};

constexpr Figure test_figure = figure<Params>("test", "A test", Cost::instant, plot::Place::beside);

Result<Evaluated> run(const Values& values, Mode mode, std::string_view device = {}, const Values& pins = {}) {
  static const World w = world();
  return evaluate(test_figure, w, values, device, mode, pins);
}

const FieldSpec& spec(const Evaluated& e, std::string_view id) {
  for (const FieldSpec& s : e.specs)
    if (s.id == id) return s;
  FAIL("no field " << id);
  return e.specs.front();
}

}  // namespace

TEST_CASE("defaults leave nothing to say") {
  const auto e = run({}, Mode::strict);
  REQUIRE(e);
  CHECK(e->canonical.empty());
  CHECK(spec(*e, "device").value == "middle");
  CHECK(spec(*e, "ratio").value == "0.5");
  CHECK(spec(*e, "ratio").shown == "0.5\u00A0FLOP/B");
  CHECK(spec(*e, "kind").options[1].why_not == "not on this device");
  CHECK(spec(*e, "on").value == "on");
  for (const FieldSpec& s : e->specs) {
    CHECK_FALSE(s.changed);
    CHECK(s.value == s.fallback);
  }
  CHECK(e->notices == std::vector<std::string>{"A notice of the view."});
}

TEST_CASE("values bind, and only what differs is canonical, in the order of the fields") {
  const auto e = run({{"words", "ab"}, {"ratio", "1,5"}, {"count", "8"}, {"kind", "c"}, {"on", "off"}, {"device", "large"}}, Mode::strict);
  REQUIRE(e);
  CHECK(write_query(e->canonical) == "device=large&ratio=1.5&count=8&kind=c&on=off&words=ab");
  CHECK(summary_text(*e) == "1.5\u00A0FLOP/B and 3\u00A0FLOP/B; 1\u00A0sector of 8\u00A0lanes, C.");
  const auto same = run({{"ratio", "0.50"}, {"count", "4"}, {"kind", "a"}, {"on", "true"}, {"device", "middle"}}, Mode::strict);
  REQUIRE(same);
  CHECK(same->canonical.empty());
}

TEST_CASE("what cannot be used is a problem when strict and moves, with a sentence, when lenient") {
  const struct {
    const char *name, *value;
    const char* strict;   // in the problem
    const char* lenient;  // value that is used instead
  } cases[] = {
      {"ratio", "1000", "out of range", "100"},
      {"ratio", "-1", "out of range", "0.1"},
      {"ratio", "abc", "is no number", "0.5"},
      {"ratio", "", "is no number", "0.5"},
      {"ratio", "nan", "is no number", "0.5"},
      {"ratio", "1e999", "is no number", "0.5"},
      {"count", "33", "out of range", "32"},
      {"count", "1e300", "out of range", "32"},
      {"count", "5", "not possible", "4"},
      {"count", "7", "not possible", "8"},
      {"count", "4.5", "not possible", "4"},
      {"count", "x", "is no number", "4"},
      {"kind", "d", "is not a choice", "a"},
      {"kind", "b", "cannot be chosen", "a"},
      {"on", "perhaps", "neither on nor off", "on"},
      {"words", "abcdef", "too long", "abcd"},
      {"words", "abc\u20AC", "too long", "abc"},
      {"words", "\xFF", "UTF-8", "abc"},
      {"device", "smalll", "unknown device", "middle"},
      {"device", "small", "cannot be used", "middle"},
  };
  for (const auto& c : cases) {
    INFO(c.name << "=" << c.value);
    const auto strict = run({{c.name, c.value}}, Mode::strict);
    REQUIRE_FALSE(strict);
    INFO(text(strict.error()));
    CHECK(strict.error().what.find(c.strict) != std::string::npos);
    CHECK(strict.error().what.find(c.name) == 0);
    const auto lenient = run({{c.name, c.value}}, Mode::lenient);
    REQUIRE(lenient);
    CHECK(spec(*lenient, c.name).value == c.lenient);
    CHECK(lenient->notices.size() == 2);
  }
}

TEST_CASE("names that no field has, and names given twice") {
  const auto strict = run({{"ratoi", "1"}}, Mode::strict);
  REQUIRE_FALSE(strict);
  CHECK(strict.error().what.find("unknown parameter \"ratoi\"") != std::string::npos);
  CHECK(strict.error().hint == "did you mean \"ratio\"?");
  const auto lenient = run({{"zzz", "1"}, {"count", "8"}}, Mode::lenient);
  REQUIRE(lenient);
  CHECK(spec(*lenient, "count").value == "8");
  CHECK(lenient->notices.size() == 2);
  CHECK(run({{"zzz", "1"}}, Mode::strict).error().hint.find("ratio count kind") != std::string::npos);
  CHECK_FALSE(run({{"count", "8"}, {"count", "12"}}, Mode::strict));
  CHECK(spec(*run({{"count", "8"}, {"count", "12"}}, Mode::lenient), "count").value == "8");
  // A megabyte of a name is not repeated.
  const auto big = run({{std::string(1 << 20, 'x'), "1"}}, Mode::lenient);
  REQUIRE(big);
  CHECK(big->notices.front().size() < 200);
}

TEST_CASE("the device: a link before the author before the reader before the book") {
  CHECK(spec(*run({}, Mode::strict), "device").value == "middle");
  CHECK(spec(*run({}, Mode::strict, "large"), "device").value == "large");
  CHECK_FALSE(spec(*run({}, Mode::strict, "large"), "device").changed);
  CHECK(run({}, Mode::strict, "large")->canonical.empty());
  CHECK(spec(*run({}, Mode::strict, "large", {{"device", "middle"}}), "device").value == "middle");
  CHECK(run({}, Mode::strict, "large", {{"device", "middle"}})->canonical.empty());
  CHECK(spec(*run({{"device", "large"}}, Mode::strict, "middle", {{"device", "middle"}}), "device").value == "large");
  CHECK(write_query(run({{"device", "middle"}}, Mode::strict, "large")->canonical) == "device=middle");
  // A reader's device that cannot serve is said, unless the figure names its own.
  const auto fell_back = run({}, Mode::lenient, "small");
  CHECK(spec(*fell_back, "device").value == "middle");
  CHECK(fell_back->notices.size() == 2);
  CHECK(run({{"device", "large"}}, Mode::lenient, "small")->notices.size() == 1);
  CHECK_FALSE(run({}, Mode::strict, "small"));
}

TEST_CASE("an author's pins are the defaults of that place") {
  const auto e = run({}, Mode::strict, {}, {{"ratio", "2"}, {"on", "off"}});
  REQUIRE(e);
  CHECK(spec(*e, "ratio").value == "2");
  CHECK(spec(*e, "ratio").fallback == "2");
  CHECK(e->canonical.empty());
  // The figure's own default is then a change.
  CHECK(write_query(run({{"ratio", "0.5"}}, Mode::strict, {}, {{"ratio", "2"}})->canonical) == "ratio=0.5");
  CHECK_FALSE(run({}, Mode::strict, {}, {{"ratio", "x"}}));
  CHECK_FALSE(run({}, Mode::strict, {}, {{"nothing", "1"}}));
}

TEST_CASE("without devices there is an error, not a crash") {
  const auto e = evaluate(test_figure, World{}, {}, {}, Mode::lenient);
  REQUIRE_FALSE(e);
  CHECK(e.error().what.find("device table") != std::string::npos);
}

TEST_CASE("defaults outside a range that depends on other fields move into it") {
  World w = world();
  Binder b(w, {}, {}, Mode::strict);
  double v = 50;
  b.number(v, {"v", "V"}, Unit::one, 0, 10, 1, Steps::linear);
  int i = -3;
  b.integer(i, {"i", "I"}, Unit::one, 2, 1, 5);  // an empty range has one value
  int c = 7;
  const Choice off[] = {{"x", "X", "no"}, {"y", "Y"}};
  b.choice(c, {"c", "C"}, off);
  b.choice(c = 0, {"d", "D"}, off);
  b.finish();
  CHECK(v == 10);
  CHECK(i == 2);
  CHECK(b.specs()[2].value == "y");
  CHECK(b.specs()[3].value == "y");
  CHECK(b.problems().empty());
  CHECK(b.canonical().empty());
  int none = 3;
  b.choice(none, {"e", "E"}, {});
  CHECK(none == 3);
}

TEST_CASE("sliders: positions and the values they stand for") {
  const auto e = run({}, Mode::strict);
  const FieldSpec& ratio = spec(*e, "ratio");
  CHECK(ratio.positions() == 300);
  CHECK(ratio.position() == 70);
  CHECK(ratio.nearest(0) == "0.1");
  CHECK(ratio.nearest(1e9) == "100");
  CHECK(ratio.nearest(1.003) == "1");
  CHECK(ratio.nearest(3.14159) == "3.16");
  CHECK(ratio.nearest(std::numeric_limits<double>::quiet_NaN()).empty());
  const FieldSpec& count = spec(*e, "count");
  CHECK(count.positions() == 8);
  CHECK(count.position() == 1);
  CHECK(count.nearest(5.9) == "4");
  CHECK(count.nearest(99) == "32");
  CHECK(spec(*e, "kind").nearest(1).empty());
  CHECK(spec(*e, "kind").positions() == 0);
  // What the slider gives is accepted as it stands, lies where it was asked for, and every position has its own value.
  std::string last;
  for (int i = 0; i <= 300; ++i) {
    const double wanted = 0.1 * std::pow(1000, i / 300.0);
    const std::string s = ratio.nearest(wanted);
    CHECK(s != last);
    last = s;
    const auto moved = run({{"ratio", s}}, Mode::strict);
    REQUIRE(moved);
    CHECK(spec(*moved, "ratio").value == s);
    CHECK(spec(*moved, "ratio").position() == i);
    CHECK(s.size() <= 5);
    CHECK(std::fabs(*read_number(s) - wanted) <= 0.00501 * wanted);
  }
  // Linear steps leave no binary tail.
  World w = world();
  Binder b(w, {}, {}, Mode::strict);
  double tenths = 0.3;
  b.number(tenths, {"t", "T"}, Unit::one, 0.1, 2, 0.1, Steps::linear);
  CHECK(b.specs()[0].nearest(0.31) == "0.3");
  CHECK(b.specs()[0].nearest(0.71) == "0.7");
  CHECK(b.specs()[0].positions() == 19);
}

TEST_CASE("queries survive the round trip") {
  CHECK(parse_query("?a=1&b=x+y%26z&c&=d&&e=") == Values{{"a", "1"}, {"b", "x y&z"}, {"c", ""}, {"e", ""}});
  CHECK(parse_query("").empty());
  CHECK(parse_query("?").empty());
  CHECK(parse_query("a=b=c") == Values{{"a", "b=c"}});
  const Values values{{"a b", "1&2"}, {"\u20AC", "=?"}};
  CHECK(parse_query(write_query(values)) == values);
}

TEST_CASE("the summary marks what is the reader's") {
  const auto e = run({}, Mode::strict);
  const auto segments = summary(*e);
  REQUIRE(segments.size() == 10);
  CHECK(segments[0].yours);
  CHECK(segments[0].name == "ratio");
  CHECK_FALSE(segments[1].yours);
  CHECK_FALSE(segments[2].yours);
  CHECK(segments[2].name == "double");
  CHECK(segments[8].text == "A");
}

TEST_CASE("a view that contradicts itself is found, whatever the contradiction") {
  const auto good = run({}, Mode::strict);
  REQUIRE(good);
  CHECK(inconsistency(good->view, good->specs).empty());
  const double inf = std::numeric_limits<double>::infinity();
  const struct {
    const char* what;
    void (*spoil)(View&, double inf);
  } cases[] = {
      {"cells", [](View& v, double) { v.columns.push_back({"y", "Y", Unit::one}); v.cells.pop_back(); }},
      {"cells", [](View& v, double) { v.columns.clear(); }},
      {"columns", [](View& v, double) { v.columns.push_back(v.columns[0]); }},
      {"no name", [](View& v, double) { v.columns[0].label.clear(); }},
      {"finite", [](View& v, double i) { v.cells[0] = Cell(i); }},
      {"words", [](View& v, double) { v.cells[0] = Cell("x"); }},
      {"row 2", [](View& v, double) { v.panels[0].marks[0].row = 2; }},
      {"row -2", [](View& v, double) { v.panels[0].marks[0].row = -2; }},
      {"finite", [](View& v, double i) { v.panels[0].marks[0].at[0].y = -i; }},
      {"points", [](View& v, double) { v.panels[0].marks[0].at.clear(); }},
      {"points", [](View& v, double) { v.panels[0].marks[0].shape = Shape::bar; }},
      {"do not exist", [](View& v, double) { v.panels[0].marks[0] = {.shape = Shape::link}; }},
      {"drags", [](View& v, double) { v.panels[0].marks[0].drags = "kind"; }},
      {"sets", [](View& v, double) { v.panels[0].marks[0].sets = "nothing=1"; }},
      {"no range", [](View& v, double) { v.panels[0].x.hi = v.panels[0].x.lo; }},
      {"no range", [](View& v, double i) { v.panels[0].y.hi = i; }},
      {"logarithmic", [](View& v, double) { v.panels[0].x.scale = Scale::log; }},
      {"logarithmic", [](View& v, double) { v.panels[0].x.scale = Scale::log; v.panels[0].x.lo = 0.1; v.panels[0].marks[0].at[0].x = 0; }},
      {"no bands", [](View& v, double) { v.panels[0].x.scale = Scale::band; }},
      {"size", [](View& v, double) { v.panels[0].lines = 0; }},
      {"shares", [](View& v, double) { v.panels[0].shares_x = 0; }},
      {"finite", [](View& v, double i) { v.out[0].num.v = i; }},
      {"two results", [](View& v, double) { v.out.push_back(v.out[0]); }},
      {"a field and a result", [](View& v, double) { v.out[0].id = "ratio"; }},
      {"no summary", [](View& v, double) { v.summary.clear(); }},
      {"\"gone\"", [](View& v, double) { v.summary = "{gone}"; }},
      {"braces", [](View& v, double) { v.summary = "{ratio"; }},
      {"braces", [](View& v, double) { v.summary = "ratio}"; }},
      {"braces", [](View& v, double) { v.summary = "{}"; }},
      {"braces", [](View& v, double) { v.summary = "{ratio|one}"; }},
      {"braces", [](View& v, double) { v.summary = "{a{b}"; }},
  };
  for (const auto& c : cases) {
    View v = good->view;
    c.spoil(v, inf);
    INFO(c.what);
    const std::string said = inconsistency(v, good->specs);
    INFO(said);
    CHECK(said.find(c.what) != std::string::npos);
  }
  auto specs = good->specs;
  specs.push_back(specs[0]);
  CHECK(inconsistency(good->view, specs).find("two fields") != std::string::npos);
}
