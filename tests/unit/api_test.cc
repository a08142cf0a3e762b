#include "api/api.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "api/catalog.h"
#include "base/random.h"
#include "base/utf8.h"
#include "figures/registry.h"
#include "plot/frame.h"
#include "render/svg.h"
#include "support/real_world.h"

using namespace lk;

namespace {

// A world of its own, so that the content may change without touching these tests.
constexpr const char* devices = R"({"default": "new", "devices": [
{"id": "old", "name": "Old GPU", "vendor": "V", "year": "2020", "compute_capability": "8.0", "sms": 100,
 "clock_hz": {"v": 1e9, "sources": ["s"]}, "memory_bytes": {"v": 4e10, "sources": ["s"]}, "bandwidth": {"v": 1.5e12, "sources": ["s"]},
 "l2_bytes": {"v": 4e7, "sources": ["s"]}, "peaks": {"bf16": {"v": 3e14, "sources": ["s"]}}},
{"id": "new", "name": "New GPU", "vendor": "V", "year": "2024", "compute_capability": "9.0", "sms": 132,
 "clock_hz": {"v": 2e9, "sources": ["s"]}, "memory_bytes": {"v": 1.4e11, "sources": ["s"]}, "bandwidth": {"v": 4e12, "sources": ["s"]},
 "l2_bytes": {"v": 5e7, "sources": ["s"]}, "peaks": {"bf16": {"v": 1e15, "sources": ["s"]}, "fp8": {"v": 2e15, "sources": ["s"]}}}]})";

const api::Measurements measurements{{"new", "kernel,params,median_us\nvec_add,n=268435456,1000\n"}};

const char* const models = R"({"default": "a", "models": [{"id": "a", "name": "A", "layers": 2, "hidden": 6, "heads": 4, "kv_heads": 2, "head_dim": 3,
 "ffn": 10, "vocab": 7, "max_context": 8, "dtype": "bf16", "parameters": 906, "sources": ["s"]}]})";

const api::Context& context() {
  static const api::Context c = [] {
    auto world = api::load_world(api::write_world({devices, measurements, models}));
    REQUIRE(world);
    return api::Context{*std::move(world)};
  }();
  return c;
}

std::string call(std::string_view request) {
  const api::Methods tables[] = {api::figure_methods()};
  return api::call(tables, context(), request);
}

json::Value parsed(const std::string& text) {
  auto v = json::parse(text);
  INFO(text.substr(0, 400));
  REQUIRE(v);
  return *std::move(v);
}

json::Value result(std::string_view request) {
  json::Value v = parsed(call(request));
  INFO(json::dump(v).substr(0, 400));
  REQUIRE(v.find("result"));
  return *v.find("result");
}

json::Value error(std::string_view request) {
  json::Value v = parsed(call(request));
  INFO(request.substr(0, 200));
  REQUIRE(v.find("error"));
  const json::Value& e = *v.find("error");
  REQUIRE(e.find("what"));
  CHECK_FALSE(e.find("what")->string.empty());
  CHECK(e.find("what")->string.size() < 400);
  CHECK(e.find("hint"));
  CHECK(e.find("line")->is(json::Kind::number));
  CHECK(e.find("column")->is(json::Kind::number));
  return e;
}

std::string field_value(const json::Value& answer, std::string_view id, std::string_view member = "value") {
  for (const json::Value& f : answer.find("fields")->array)
    if (f.find("id")->string == id) return f.find(member)->string;
  return "no such field";
}

}  // namespace

TEST_CASE("figures are listed and describe themselves") {
  const json::Value list = result(R"({"method": "figure.list"})");
  REQUIRE(list.array.size() == figures::all().size());
  for (const json::Value& f : list.array) {
    const std::string id = f.find("id")->string;
    const json::Value s = result(R"({"method": "figure.schema", "params": {"id": ")" + id + "\"}}");
    const json::Value& properties = *s.find("params")->find("properties");
    const json::Value e = result(R"({"method": "figure.evaluate", "params": {"id": ")" + id + "\"}}");
    CHECK(properties.object.size() == e.find("fields")->array.size());
    CHECK(s.find("results")->array.size() == e.find("out")->array.size());
    CHECK(s.find("columns")->array.size() == e.find("columns")->array.size());
    CHECK(e.find("query")->string.empty());
    for (const json::Value& row : e.find("rows")->array) CHECK(row.array.size() == e.find("columns")->array.size());
    // The defaults that the schema names are values the figure takes.
    std::string values;
    for (const auto& [name, p] : properties.object) {
      CHECK(p.find("type"));
      REQUIRE(p.find("default"));
      values += (values.empty() ? "\"" : ",\"") + name + "\":" + json::dump(*p.find("default"));
    }
    const json::Value same = result(R"({"method": "figure.evaluate", "params": {"mode": "strict", "id": ")" + id + "\", \"values\": {" + values + "}}}");
    CHECK(same.find("query")->string.empty());
    CHECK(same.find("summary")->string == e.find("summary")->string);
  }
}

TEST_CASE("roofline by its door") {
  const json::Value e = result(R"({"method": "figure.evaluate", "params": {"id": "roofline", "values": {"intensity": 12, "dtype": "bf16"}}})");
  const auto out = [](const json::Value& answer, std::string_view id) {
    for (const json::Value& n : answer.find("out")->array)
      if (n.find("id")->string == id) return n;
    return json::Value{};
  };
  CHECK(out(e, "ridge").find("v")->number == 250);
  CHECK(out(e, "ridge").find("text")->string == "250\u00A0FLOP/B");
  CHECK(out(e, "attainable").find("v")->number == 48e12);
  const json::Value old = result(R"({"method": "figure.evaluate", "params": {"id": "roofline", "device": "old"}})");
  CHECK(out(old, "ridge").find("v")->number == 200);
  CHECK(old.find("query")->string.empty());
  const json::Value linked = result(R"({"method": "figure.evaluate", "params": {"id": "roofline", "device": "new", "query": "device=old&intensity=30"}})");
  CHECK(out(linked, "ridge").find("v")->number == 200);
  CHECK(linked.find("query")->string == "device=old&intensity=30");
  const json::Value pinned = result(R"({"method": "figure.evaluate", "params": {"id": "roofline", "pins": "intensity=30", "query": "dtype=fp8"}})");
  CHECK(field_value(pinned, "intensity") == "30");
  CHECK(pinned.find("query")->string == "dtype=fp8");
}

TEST_CASE("a device that lacks something says why") {
  const json::Value e = result(R"({"method": "figure.evaluate", "params": {"id": "roofline", "device": "old", "query": "dtype=fp8"}})");
  CHECK(field_value(e, "dtype") == "bf16");
  CHECK_FALSE(e.find("notices")->array.empty());
  const json::Value strict = error(R"({"method": "figure.evaluate", "params": {"id": "roofline", "device": "old", "query": "dtype=fp8", "mode": "strict"}})");
  CHECK(strict.find("what")->string.find("dtype") == 0);
}

TEST_CASE("render gives a drawing, a sentence and a table") {
  for (const plot::Figure* f : figures::all()) {
    for (const char* width : {"350", "632", "920"}) {
      const std::string id(f->id);
      const json::Value r = result(R"({"method": "figure.render", "params": {"table": true, "id": ")" + id + "\", \"prefix\": \"x-2\", \"width\": " + width + "}}");
      CHECK(r.find("svg")->string.find("<svg") == 0);
      CHECK(r.find("svg")->string.find("style=") == std::string::npos);
      CHECK(r.find("width")->number == *read_number(width));
      CHECK(r.find("height")->number > 100);
      CHECK_FALSE(r.find("summary_html")->string.empty());
      CHECK(r.find("summary_html")->string.find("style=") == std::string::npos);
      CHECK(r.find("table_html")->string.find("<table class=\"data\"") == 0);
      CHECK(r.find("provenance_html"));
    }
  }
  CHECK_FALSE(result(R"({"method": "figure.render", "params": {"id": "roofline"}})").find("table_html"));
  CHECK(result(R"({"method": "figure.render", "params": {"id": "roofline", "width": 1}})").find("width")->number == plot::narrowest);
  CHECK(result(R"({"method": "figure.render", "params": {"id": "roofline", "width": 1e300}})").find("width")->number < 10000);
  const std::string alt = result(R"({"method": "figure.render", "params": {"id": "roofline", "alt": "a < b"}})").find("svg")->string;
  CHECK(alt.find("a &lt; b") != std::string::npos);
}

TEST_CASE("dragging follows the pointer, within the field's range") {
  for (const plot::Figure* f : figures::all()) {
    const std::string id(f->id);
    const json::Value e = result(R"({"method": "figure.evaluate", "params": {"id": ")" + id + "\"}}");
    for (size_t p = 0; p < e.find("panels")->array.size(); ++p) {
      const json::Value& marks = *e.find("panels")->array[p].find("marks");
      for (size_t m = 0; m < marks.array.size(); ++m) {
        const std::string at = R"("id": ")" + id + "\", \"width\": 632, \"panel\": " + std::to_string(p) + ", \"mark\": " + std::to_string(m);
        if (!marks.array[m].find("drags")) {
          if (m == 0) CHECK(error(R"({"method": "figure.drag", "params": {"x": 1, )" + at + "}}").find("what")->string.find("dragged") != std::string::npos);
          continue;
        }
        double before = -1e300;
        for (const char* x : {"-100000", "100", "200", "300.5", "400", "100000"}) {
          const json::Value d = result(R"({"method": "figure.drag", "params": {"x": )" + std::string(x) + ", " + at + "}}");
          const std::string value = d.find("value")->string;
          const auto v = read_number(value);
          REQUIRE(v);
          CHECK(*v >= before);
          before = *v;
          const std::string field = d.find("field")->string;
          const json::Value moved = result(R"({"method": "figure.evaluate", "params": {"mode": "strict", "id": ")" + id + R"(", "values": {")" + field + "\": \"" + value + "\"}}}");
          CHECK(field_value(moved, field) == value);
        }
      }
    }
  }
}

TEST_CASE("errors say what to do") {
  CHECK(error("{\"method\": \"figure.lst\"}").find("hint")->string == "did you mean \"figure.list\"?");
  CHECK(error("{\"method\": \"zzz\"}").find("hint")->string.find("figure.render") != std::string::npos);
  CHECK(error(R"({"method": "figure.render", "params": {"id": "rofline"}})").find("hint")->string == "did you mean \"roofline\"?");
  CHECK(error(R"({"method": "figure.render", "params": {"id": "zz"}})").find("hint")->string.find("memory_transactions") != std::string::npos);
  CHECK(error("{\n\"method\": \"figure.render\",\n\"params\": {\"id\": \"roofline\", \"wdth\": 3}}").find("hint")->string == "did you mean \"width\"?");
  CHECK(error("{\n\"method\": \"figure.render\",\n\"params\": {\"id\": \"roofline\", \"wdth\": 3}}").find("line")->number == 3);
  CHECK(error("").find("line")->number == 1);
  CHECK(error("[1").find("column")->number == 3);
}

TEST_CASE("every method answers malformed parameters with an error or a result, never with anything else") {
  const std::string big(1 << 20, 'x');
  std::string deep;
  for (int i = 0; i < 5000; ++i) deep += "[";
  const std::string values[] = {"null",  "true", "-1",   "1e308",      "0.5", "\"\"",           "\"roofline\"", "[]", "[[]]", "{}", "{\"a\": {}}",
                                "{\"intensity\": null}", "\"\\u0000\"", "\"%\"", "\"a=1&a=2&=&&\"", "{\"stride\": 1e99, \"zz\": true}"};
  const char* names[] = {"id", "values", "query", "pins", "device", "mode", "width", "prefix", "alt", "table", "panel", "mark", "x", "nothing"};
  const auto judge = [](const std::string& request) {
    const std::string answer = call(request);
    const auto v = json::parse(answer);
    if (!v || (v->find("result") == nullptr) == (v->find("error") == nullptr)) FAIL(request.substr(0, 300) << "\n" << answer.substr(0, 300));
    return v->find("result") != nullptr;
  };
  for (const api::Method& method : api::figure_methods()) {
    CHECK_FALSE(method.doc.empty());
    const std::string start = R"({"method": ")" + std::string(method.name) + "\"";
    judge(start + "}");
    CHECK_FALSE(judge(start + ", \"params\": 3}"));
    CHECK_FALSE(judge(start + ", \"params\": []}"));
    CHECK_FALSE(judge(start + ", \"params\": {\"id\": 3}}"));
    CHECK_FALSE(judge(start + ", \"more\": 3}"));
    CHECK_FALSE(judge(start + ", \"params\": " + deep + "}"));
    for (const char* figure : {"", "\"id\": \"roofline\", ", "\"id\": \"memory_transactions\", "}) {
      for (const char* name : names) {
        for (const std::string& value : values) judge(start + ", \"params\": {" + figure + "\"" + name + "\": " + value + "}}");
        judge(start + ", \"params\": {" + figure + "\"" + name + "\": \"" + big + "\"}}");
      }
      judge(start + ", \"params\": {" + figure + "\"values\": {\"" + big + "\": 1}}}");
      judge(start + ", \"params\": {" + figure + "\"panel\": 0, \"mark\": 2147483647, \"x\": 1e308}}");
      judge(start + ", \"params\": {" + figure + "\"panel\": -2147483648, \"mark\": -1, \"x\": 0}}");
    }
  }
  for (const char* request : {"null", "3", "[]", "{}", "{\"method\": 3}", "{\"method\": null}", "{\"params\": {}}", "{\"method\": \"\"}"}) CHECK_FALSE(judge(request));
  CHECK_FALSE(judge("{\"method\": \"" + big + "\"}"));
  CHECK_FALSE(judge(deep));
}

TEST_CASE("every prefix and many mutations of a request give valid JSON") {
  const std::string good = R"({"method": "figure.render", "params": {"id": "roofline", "query": "intensity=12&dtype=fp8", "width": 400, "table": true}})";
  for (size_t n = 0; n < good.size(); ++n) CHECK(parsed(call(std::string_view(good).substr(0, n))).find("error"));
  Random random(21);
  for (int i = 0; i < 3000; ++i) {
    std::string s = good;
    for (uint32_t n = 1 + random.below(3); n > 0; --n) s[random.below(static_cast<uint32_t>(s.size()))] = static_cast<char>(random.below(256));
    const std::string answer = call(s);
    if (!json::parse(answer) || !valid_utf8(answer)) FAIL(s);
  }
}

TEST_CASE("values of links, of any bytes, move to something usable or are named") {
  Random random(33);
  for (int i = 0; i < 400; ++i) {
    std::string value;
    for (uint32_t n = random.below(12); n > 0; --n) value += static_cast<char>(random.below(256));
    for (const char* name : {"device", "dtype", "intensity", "points", "stride"}) {
      const std::string query = json::quoted(std::string(name) + "=" + url_encoded(value));
      for (const char* figure : {"roofline", "memory_transactions"})
        result(R"({"method": "figure.render", "params": {"id": ")" + std::string(figure) + "\", \"query\": " + query + "}}");
    }
  }
}

TEST_CASE("the world survives being written and read") {
  const std::string written = api::write_world({devices, measurements});
  const auto world = api::load_world(written);
  REQUIRE(world);
  CHECK(world->devices.all.size() == 2);
  CHECK(world->devices.fallback == "new");
  REQUIRE(world->measured_on("new"));
  CHECK(world->measured_on("new")->rows.size() == 1);
  CHECK(written.find("\n") == std::string::npos);

  CHECK(world->models.all.empty());
  const auto with_models = api::load_world(api::write_world({devices, measurements, models}));
  REQUIRE(with_models);
  REQUIRE(with_models->models.find("a"));
  CHECK(with_models->models.find("a")->vocab == 7);
  CHECK_FALSE(api::load_world(api::write_world({devices, measurements, "{"})));
  CHECK_FALSE(api::load_world(api::write_world({devices, measurements, R"({"default": "b", "models": []})"})));

  for (const char* bad : {"", "[]", "{}", "{\"devices\": 3}", "{\"devices\": {\"default\": \"a\", \"devices\": []}}"}) CHECK_FALSE(api::load_world(bad));
  CHECK_FALSE(api::load_world(api::write_world({"{", {}})));
  CHECK_FALSE(api::load_world(api::write_world({devices, {{"none", "kernel,params,median_us\n"}}})));
  CHECK_FALSE(api::load_world(api::write_world({devices, {{"new", "kernel,params\n"}}})));
}

TEST_CASE("pages load less of the world and draw the same") {
  const std::string table = test::file_text("content/devices.json"), models_text = test::file_text("content/models.json");
  const std::string compiled = test::file_text("content/compiled.json");
  const api::WorldFiles files{table, {{"h200", test::file_text("content/measurements/h200.csv")}}, models_text, compiled,
                              {{"h200", test::file_text("content/predictions/h200.csv")}}};
  const std::string slim_text = api::write_world(files, api::Detail::figures), full_text = api::write_world(files);
  CHECK(slim_text.size() + 30000 < full_text.size());
  for (const char* word : {"whitepaper", "Multi-head attention"}) CHECK(slim_text.find(word) == std::string::npos);
  const auto slim = api::load_world(slim_text), full = api::load_world(full_text);
  REQUIRE(slim);
  REQUIRE(full);
  for (const plot::Figure* figure : figures::all())
    for (const gpu::Device& device : full->devices.all) {
      INFO(figure->id << " on " << device.id);
      const auto a = plot::evaluate(*figure, *full, {}, device.id, plot::Binder::Mode::lenient);
      const auto b = plot::evaluate(*figure, *slim, {}, device.id, plot::Binder::Mode::lenient);
      REQUIRE(a);
      REQUIRE(b);
      CHECK(plot::summary_text(*a) == plot::summary_text(*b));
      CHECK(a->notices == b->notices);
      CHECK(a->view.notices == b->view.notices);
      REQUIRE(a->specs.size() == b->specs.size());
      for (size_t i = 0; i < a->specs.size(); ++i) {
        CHECK(a->specs[i].value == b->specs[i].value);
        REQUIRE(a->specs[i].options.size() == b->specs[i].options.size());
        for (size_t o = 0; o < a->specs[i].options.size(); ++o) CHECK(a->specs[i].options[o].why_not == b->specs[i].options[o].why_not);
      }
      for (const double width : {350.0, 632.0})
        CHECK(render::svg(a->view, plot::layout(a->view, width), "", "f", "") == render::svg(b->view, plot::layout(b->view, width), "", "f", ""));
      for (const plot::Named& named : a->view.out) {
        REQUIRE(b->view.find(named.id));
        CHECK(b->view.find(named.id)->v == named.num.v);
      }
    }
}

TEST_CASE("files of a world are checked with places") {
  std::vector<Problem> problems;
  const World fine = api::load_world({devices, measurements}, problems);
  CHECK(problems.empty());
  CHECK(fine.measured.size() == 1);
  api::load_world({"{\n\"default\": 3", measurements}, problems);
  REQUIRE(problems.size() == 1);
  CHECK(text(problems[0]).find("devices.json:2:13: error:") == 0);
  problems.clear();
  api::load_world({devices, {{"new", "kernel,params,median_us\nx\n"}, {"gone", ""}}}, problems);
  REQUIRE(problems.size() == 2);
  CHECK(text(problems[0]).find("measurements/new.csv:2:1: error:") == 0);
  CHECK(text(problems[1]).find("measurements/gone.csv: error:") == 0);
  problems.clear();
  api::load_world({devices, measurements, "{\"default\": \"a\",\n\"models\": 3}"}, problems);
  REQUIRE_FALSE(problems.empty());
  for (const Problem& p : problems) CHECK(p.error.at.file == "models.json");
}

TEST_CASE("the catalog answers for the book") {
  const World& world = context().world;
  const book::Catalog c = api::catalog(world);
  std::vector<std::string> ids;
  for (const plot::Figure* f : figures::all()) ids.emplace_back(f->id);
  CHECK(c.figures() == ids);
  const auto fields = c.fields("roofline");
  CHECK(std::find(fields.begin(), fields.end(), "intensity") != fields.end());
  const auto results = c.results("roofline");
  CHECK(std::find(results.begin(), results.end(), "ridge") != results.end());
  CHECK(c.fields("none").empty());
  CHECK_FALSE(c.title("roofline").empty());
  CHECK(c.default_device == "new");
  CHECK(c.devices().size() == 2);

  CHECK(c.check("roofline", {{"intensity", "12"}}).empty());
  CHECK(c.check("roofline", {{"intensity", "-1"}, {"dtpe", "bf16"}}).size() == 2);
  REQUIRE(c.check("rofline", {}).size() == 1);
  CHECK(c.check("rofline", {})[0].hint == "did you mean \"roofline\"?");

  const auto ridge = c.value("roofline", "ridge", {{"dtype", "bf16"}}, "");
  REQUIRE(ridge);
  CHECK(ridge->digits == "250");
  CHECK(ridge->unit == "FLOP/B");
  CHECK(ridge->how == "datasheet");
  CHECK(c.value("roofline", "ridge", {{"dtype", "bf16"}}, "old")->digits == "200");
  CHECK(c.value("roofline", "ridge", {{"dtype", "bf16"}, {"device", "old"}}, "new")->digits == "200");
  CHECK_FALSE(c.value("roofline", "ridge", {{"dtype", "fp8"}}, "old"));
  CHECK(c.value("roofline", "rigde", {}, "").error().hint == "did you mean \"ridge\"?");
  CHECK_FALSE(c.value("none", "ridge", {}, ""));
  CHECK_FALSE(c.value("roofline", "ridge", {}, "unknown"));
}

TEST_CASE("api: answers are kept for the same tables, and forgotten with others") {
  World world = test::real_world();
  api::Answers answers;
  answers.of_world("one");
  const plot::Values query = {{"device", "h200"}};
  const auto ridge = [](const std::shared_ptr<const Result<api::Answer>>& answer) {
    REQUIRE(*answer);
    for (const plot::Named& named : (*answer)->results)
      if (named.id == "ridge") return named.num.v;
    FAIL("no ridge");
    return 0.0;
  };
  const auto first = answers.of(world, "roofline", query, {});
  CHECK(answers.of(world, "roofline", query, {}) == first);
  for (gpu::Device& d : world.devices.all)
    if (d.id == "h200") d.bandwidth.v *= 2;
  answers.of_world("one");
  CHECK(answers.of(world, "roofline", query, {}) == first);
  answers.of_world("two");
  CHECK(ridge(answers.of(world, "roofline", query, {})) == ridge(first) / 2);
  const auto unknown = answers.of(world, "rooflin", {}, {});
  REQUIRE_FALSE(*unknown);
  CHECK(unknown->error().hint == "did you mean \"roofline\"?");
}
