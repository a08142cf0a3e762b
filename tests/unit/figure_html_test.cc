#include <catch2/catch_test_macros.hpp>
#include <set>
#include <string>
#include <vector>

#include "figures/registry.h"
#include "render/figure.h"

using namespace lk;
using namespace lk::plot;

namespace {

World world() {
  World w;
  for (const char* id : {"one", "two"}) {
    gpu::Device d;
    d.id = id;
    d.name = std::string("<") + id + ">";
    d.bandwidth.v = 1e12;
    d.sms = 10;
    d.peaks = {{gpu::Type::bf16, {1e14, {}, {}, {}}}};
    w.devices.all.push_back(d);
  }
  w.devices.fallback = "one";
  return w;
}

// One field of every kind, with text that must be escaped wherever it stands.
struct Params {
  double ratio = 2, bandwidth = 4.8e12;
  int count = 1, few = 0, many = 0;
  bool on = false;
  std::string words = "a\"<b>&'";
  const gpu::Device* device = nullptr;

  void fields(Fields& f, const World&) {
    f.device(device, {"device", "Device"}, [](const gpu::Device& d) { return d.id == "two" ? std::string("a & b") : std::string(); });
    f.number(ratio, {"ratio", "Ratio <r>", "doc \"quoted\""}, Unit::flop_per_byte, 0.1, 100, 0.01, Steps::log);
    f.number(bandwidth, {"bandwidth", "Bandwidth"}, Unit::bytes_per_s, 1e12, 8e12, 1e11);
    f.integer(count, {"count", "Count"}, Unit::elements, -4, 32);
    const Choice two[] = {{"x", "X"}, {"y", "Y & Z", "never <y>"}};
    f.choice(few, {"few", "Few"}, two);
    std::vector<Choice> long_ones;
    for (const char* id : {"a", "b", "c", "d", "e", "f", "g"}) long_ones.push_back({id, "a long label"});
    f.choice(many, {"many", "Many"}, long_ones);
    f.toggle(on, {"on", "On & off"});
    f.text(words, {"words", "Words"}, 20);
  }

  View evaluate(const World&) const {
    View v;
    v.columns = {{"name", "Name | <n>", Unit::one, How::computed, true},
                 {"rate", "Measured rate", Unit::flop_per_s, How::measured},
                 {"roof", "Roof", Unit::flop_per_s, How::datasheet},
                 {"share", "Share", Unit::percent, How::computed}};
    v.cells = {Cell("a|b<c>"), Cell(2.92e11), Cell(4e12), Cell(0.125), Cell("d"), Cell(), Cell(57.6e12), Cell()};
    v.out = {{"r", {1, Unit::sectors}}};
    v.panels.push_back({});
    v.summary = "A < B: {words}, {r}.";
    v.provenance = {{How::measured, "Times <t>."}, {How::datasheet, "Roofs."}};
    v.notices = {"Note <n>."};
    return v;
  }
};

constexpr Figure every_kind = figure<Params>("every_kind", "All & everything", Cost::instant, plot::Place::wide);

size_t count(const std::string& text, std::string_view word) {
  size_t n = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += word.size()) ++n;
  return n;
}

// Tags close in order, attributes are quoted, ids differ, labels and references name an id that exists, and nothing needs a
// relaxed content policy.
void check_html(const std::string& html) {
  static const std::set<std::string> empty{"input", "br", "img", "hr", "path", "rect", "circle", "line", "polyline", "polygon", "use"};
  std::vector<std::string> open;
  std::set<std::string> ids;
  std::vector<std::string> wanted;
  for (size_t at = 0; (at = html.find('<', at)) != std::string::npos;) {
    ++at;
    const bool closing = html[at] == '/';
    if (closing) ++at;
    size_t end = html.find_first_of(" />\n", at);
    REQUIRE(end != std::string::npos);
    const std::string name = html.substr(at, end - at);
    INFO(html.substr(at, 120));
    REQUIRE_FALSE(name.empty());
    bool alone = false;
    at = end;
    while (html[at] != '>') {
      if (html[at] == ' ' || html[at] == '\n') {
        ++at;
      } else if (html[at] == '/') {
        alone = true;
        ++at;
      } else {
        end = html.find_first_of("= >/", at);
        REQUIRE(end != std::string::npos);
        const std::string attribute = html.substr(at, end - at);
        CHECK(attribute != "style");
        CHECK(attribute.compare(0, 2, "on") != 0);
        at = end;
        if (html[at] != '=') continue;
        REQUIRE(html[at + 1] == '"');
        end = html.find('"', at + 2);
        REQUIRE(end != std::string::npos);
        const std::string value = html.substr(at + 2, end - at - 2);
        CHECK(value.find('<') == std::string::npos);
        if (attribute == "id") CHECK(ids.insert(value).second);
        if (attribute == "for" || attribute == "aria-labelledby") wanted.push_back(value);
        at = end + 1;
      }
    }
    if (closing) {
      REQUIRE_FALSE(open.empty());
      CHECK(open.back() == name);
      open.pop_back();
    } else if (!alone && !empty.count(name)) {
      open.push_back(name);
    }
  }
  CHECK(open.empty());
  for (const std::string& id : wanted) CHECK(ids.count(id) == 1);
}

Evaluated run(const Figure& f, const Values& values = {}) {
  static const World w = world();
  auto e = evaluate(f, w, values, {}, Binder::Mode::lenient);
  if (!e) FAIL(text(e.error()));
  return *std::move(e);
}

}  // namespace

TEST_CASE("figures are well-formed HTML that a strict policy allows") {
  std::vector<const Figure*> all{&every_kind};
  for (const Figure* f : figures::all()) all.push_back(f);
  std::string page;
  for (const Figure* f : all) {
    for (const char* suffix : {"", "-2"}) {
      const std::string uid = std::string(f->id) + suffix;
      page += render::figure_html(run(*f), {uid, "1.2", "Caption <em>here</em>.", "a=1&b=\"2\"", "/lab/?a=1&b=2", "/embed/"});
    }
    check_html(render::figure_html(run(*f), {std::string(f->id), "", "", "", "", ""}));
  }
  check_html(page);  // ids differ across figures and instances
}

TEST_CASE("controls: every field has one, named after it") {
  const Evaluated e = run(every_kind);
  const std::string html = render::controls_html(e, "every_kind-2");
  check_html(html);
  for (const FieldSpec& spec : e.specs) CHECK(html.find("data-field=\"" + spec.id + "\"") != std::string::npos);
  CHECK(html.find("<form class=\"ctl\" hidden") == 0);
  CHECK(count(html, "type=\"radio\"") == 2);
  CHECK(count(html, "<select") == 2);
  CHECK(count(html, "type=\"checkbox\"") == 1);
  CHECK(html.find("id=\"every_kind-2-ratio\"") != std::string::npos);
  // Precise values are typed: decimal comma and all; a minus needs the full keyboard.
  CHECK(html.find("inputmode=\"decimal\" id=\"every_kind-2-ratio\" name=\"ratio\" value=\"2\"") != std::string::npos);
  CHECK(html.find("inputmode=\"decimal\" id=\"every_kind-2-count\"") != std::string::npos);
  CHECK(html.find("type=\"number\"") == std::string::npos);
  // A logarithmic slider stands on whole positions and says what they mean.
  CHECK(html.find("min=\"0\" max=\"300\" value=\"130\" data-scale=\"log\" data-lo=\"0.1\" data-hi=\"100\"") != std::string::npos);
  CHECK(html.find("aria-valuetext=\"2\u00A0FLOP/B\"") != std::string::npos);
  CHECK(html.find("<span class=\"unit\">element</span>") != std::string::npos);
  // 4.8e12 is nothing to type over.
  CHECK(html.find("<output class=\"num\" for=\"every_kind-2-bandwidth-range\">4.8\u00A0TB/s</output>") != std::string::npos);
  // What cannot be chosen says why.
  CHECK(html.find("value=\"y\" disabled>Y &amp; Z") != std::string::npos);
  CHECK(html.find("Y &amp; Z: never &lt;y&gt;") != std::string::npos);
  CHECK(html.find("&lt;two&gt;: a &amp; b") != std::string::npos);
  CHECK(html.find(" changed") == std::string::npos);
  const std::string moved = render::controls_html(run(every_kind, {{"ratio", "3"}, {"on", "on"}}), "u");
  CHECK(count(moved, "class=\"field changed\"") == 2);
  CHECK(moved.find("name=\"on\" checked>") != std::string::npos);
}

TEST_CASE("a list of devices is headed by families, and those of one reason share it") {
  Evaluated e = run(every_kind);
  FieldSpec spec;
  spec.id = "device";
  spec.label = "Device";
  spec.kind = FieldKind::device;
  spec.value = "b";
  spec.options = {{"a", "A 1", "too <old>", "X"}, {"b", "B 2", "", "X"}, {"c", "C 3", "too <old>", "Y & Z"}, {"d", "D 4", "none", "Y & Z"}};
  e.specs = {spec};
  const std::string html = render::controls_html(e, "u");
  check_html(html);
  CHECK(html.find("<optgroup label=\"X\"><option value=\"a\" disabled>A 1</option><option value=\"b\" selected>B 2</option></optgroup>"
                  "<optgroup label=\"Y &amp; Z\"><option value=\"c\" disabled>C 3</option><option value=\"d\" disabled>D 4</option></optgroup></select>") !=
        std::string::npos);
  CHECK(html.find("<span class=\"hint hint--why\">A 1, C 3: too &lt;old&gt;; D 4: none</span>") != std::string::npos);
  // Beside the page's picker the chosen one is enough, and why others cannot serve.
  const std::string alone = render::controls_html(e, "u", true);
  CHECK(alone.find("<select id=\"u-device\" name=\"device\"><option value=\"b\">B 2</option></select>") != std::string::npos);
  CHECK(alone.find("<span class=\"hint hint--why\">A 1, C 3: too &lt;old&gt;; D 4: none</span>") != std::string::npos);
  e.specs[0].options = {{"a", "A 1", ""}};
  CHECK(render::controls_html(e, "u").find("optgroup") == std::string::npos);
}

TEST_CASE("tables: one unit a column, missing is not zero") {
  const Evaluated e = run(every_kind);
  const std::string html = render::table_html(e);
  check_html(html);
  CHECK(html.find("<span class=\"name\">Measured rate</span>, <span class=\"unit\">GFLOP/s</span>") != std::string::npos);
  CHECK(html.find("<span class=\"name\">Roof</span>, datasheet, <span class=\"unit\">TFLOP/s</span>") != std::string::npos);
  CHECK(html.find("<tr data-row=\"0\"><th scope=\"row\" class=\"words\">a|b&lt;c&gt;</th><td>292</td><td>4</td><td>12.5%</td></tr>") != std::string::npos);
  CHECK(html.find("<td><span aria-hidden=\"true\">\u2014</span><span class=\"vh\">not available</span></td><td>57.6</td>") != std::string::npos);
  CHECK(render::table_markdown(e) ==
        "| Name \\| \\<n> | Measured rate, GFLOP/s | Roof, datasheet, TFLOP/s | Share |\n| :-- | --: | --: | --: |\n"
        "| a\\|b\\<c> | 292 | 4 | 12.5% |\n| d | \u2014 | 57.6 | \u2014 |\n");
}

TEST_CASE("sentences escape what readers type and mark what is theirs") {
  const Evaluated e = run(every_kind, {{"words", "<script>"}});
  CHECK(render::summary_html(e) == "A &lt; B: <b>&lt;script&gt;</b>, 1\u00A0sector.");
  const std::string provenance = render::provenance_html(e);
  check_html(provenance);
  CHECK(provenance.find("measured</summary><span class=\"prov__why\">Times &lt;t&gt;.") != std::string::npos);
  const std::string html = render::figure_html(e, {"u", "1.2", "", "", "", ""});
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("Note &lt;n&gt;.") != std::string::npos);
  CHECK(count(html, "<svg ") == 3 + 2);  // three widths, two icons
  CHECK(count(render::figure_html(run(*figures::find("roofline")), {"r", "1", "", "", "", ""}), "class=\"w920\"") == 0);
}
