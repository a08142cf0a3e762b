#include "base/json.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/random.h"
#include "base/utf8.h"

using namespace lk;

namespace {

constexpr const char* sample = R"({
  "name": "roofline \u00e9 \"x\" \ud83d\ude00",
  "list": [1, -2.5e3, 0.1, true, false, null],
  "nested": {"a": {"b": [[], {}]}},
  "last": 7
})";

std::string where(const Error& e) { return std::to_string(e.at.line) + ":" + std::to_string(e.at.column); }

void check_places(const json::Value& v) {
  CHECK(v.line > 0);
  CHECK(v.column > 0);
  for (const auto& a : v.array) check_places(a);
  for (const auto& [k, o] : v.object) check_places(o);
}

}  // namespace

TEST_CASE("every value knows where it stands") {
  const auto parsed = json::parse(sample, "a.json");
  REQUIRE(parsed);
  const json::Value& root = *parsed;
  check_places(root);
  CHECK((root.line == 1 && root.column == 1));
  const json::Value* name = root.find("name");
  REQUIRE(name);
  CHECK(name->string == "roofline \u00e9 \"x\" \U0001F600");
  CHECK((name->line == 2 && name->column == 11));
  const json::Value* list = root.find("list");
  REQUIRE(list);
  REQUIRE(list->array.size() == 6);
  const int columns[] = {12, 15, 23, 28, 34, 41};
  for (size_t i = 0; i < 6; ++i) {
    CHECK(list->array[i].line == 3);
    CHECK(list->array[i].column == columns[i]);
  }
  CHECK(list->array[0].integral);
  CHECK_FALSE(list->array[1].integral);
  CHECK(list->array[1].number == -2500);
  CHECK(list->array[3].boolean);
  CHECK(list->array[5].is(json::Kind::null));
  const json::Value* b = root.find("nested")->find("a")->find("b");
  REQUIRE(b);
  CHECK((b->array[1].line == 4 && b->array[1].column == 30));
  CHECK((root.find("last")->line == 5 && root.find("last")->column == 11));
  CHECK(root.find("nothing") == nullptr);
  CHECK(name->find("x") == nullptr);
}

TEST_CASE("scalars may stand alone") {
  for (const char* s : {"1", "-1.5", "\"x\"", "true", "null", " 12 ", "[]", "{}"}) {
    INFO(s);
    CHECK(json::parse(s));
  }
  CHECK(json::parse(" \n 12 ")->line == 2);
  CHECK(json::parse(" \n 12 ")->column == 2);
  CHECK(json::parse("123456789012345678901234567890")->integral);
  CHECK(json::parse("123456789012345678901234567890")->number == 123456789012345678901234567890.0);
  CHECK_FALSE(json::parse("1e2")->integral);
}

TEST_CASE("errors point at their place") {
  const struct {
    const char* text;
    const char* at;
    const char* what;
  } cases[] = {
      {"", "1:1", "no JSON"},
      {" \n ", "2:2", "no JSON"},
      {"{\n  \"a\": 1,\n  \"b\": }", "3:8", "unexpected '}'"},
      {"[1, 2", "1:6", "unexpected end"},
      {"[,]", "1:2", "unexpected ','"},
      {"[1,,2]", "1:4", "unexpected ','"},
      {"[1 2]", "1:4", "unexpected number"},
      {"{\"a\" \"b\"}", "1:6", "unexpected string"},
      {"{1: 2}", "1:2", "unexpected number"},
      {"[1]\n]", "2:1", "unexpected ']'"},
      {"[tru]", "1:5", "invalid literal"},
      {"[\"a\n\"]", "1:4", "control character"},
      {"[\"\\x\"]", "1:4", "forbidden character after backslash"},
      {"[-01]", "1:4", "unexpected number"},
      {"[1.5 2]", "1:6", "unexpected number"},
      {"01", "1:2", "unexpected number"},
      {"[01]", "1:3", "unexpected number"},
      {"[1e999]", "1:2", "too large"},
      {"{\n\"a\": 1,\n\"b\": 2,\n\"a\": 3}", "4:1", "occurs twice, on lines 2 and 4"},
      {"\xEF\xBB\xBF{}", "1:1", "byte order mark"},
      {"[\"a\",\n\"b\xFF\"]", "2:3", "UTF-8"},
      {"[\"\\ud800\"]", "1:9", "surrogate"},
  };
  for (const auto& c : cases) {
    const auto r = json::parse(c.text, "f.json");
    INFO(c.text);
    REQUIRE_FALSE(r);
    INFO(text(r.error()));
    CHECK(r.error().at.file == "f.json");
    CHECK(where(r.error()) == c.at);
    CHECK(r.error().what.find(c.what) != std::string::npos);
  }
}

TEST_CASE("a duplicate key is found in a large object too") {
  std::string big = "{";
  for (int i = 0; i < 20000; ++i) big += "\"k" + std::to_string(i) + "\": 0,\n";
  CHECK(json::parse(big + "\"x\": 1}"));
  const auto r = json::parse(big + "\"k77\": 1}");
  REQUIRE_FALSE(r);
  CHECK(r.error().at.line == 20001);
  CHECK(r.error().what.find("lines 78 and 20001") != std::string::npos);
}

TEST_CASE("nesting ends at 64 levels") {
  CHECK(json::parse(std::string(64, '[') + std::string(64, ']')));
  const auto r = json::parse(std::string(65, '[') + std::string(65, ']'));
  REQUIRE_FALSE(r);
  CHECK(r.error().at.column == 65);
  CHECK(r.error().what.find("deep") != std::string::npos);
  CHECK_FALSE(json::parse(std::string(1000000, '[')));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK_FALSE(json::parse(objects));
}

TEST_CASE("every prefix and every changed byte gives a value or an error with a place") {
  const std::string good = sample;
  const auto judge = [](const std::string& s) {
    const auto r = json::parse(s);
    if (r) {
      // What was read can be written and read again.
      if (!json::parse(json::dump(*r))) FAIL(s);
    } else if (r.error().what.empty() || r.error().at.line < 1 || r.error().at.column < 1 || !valid_utf8(text(r.error()))) {
      FAIL(s << " -> " << text(r.error()));
    }
  };
  for (size_t n = 0; n <= good.size(); ++n) judge(good.substr(0, n));
  for (size_t i = 0; i < good.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string s = good;
      s[i] = static_cast<char>(byte);
      judge(s);
    }
    std::string shorter = good;
    judge(shorter.erase(i, 1));
    std::string longer = good;
    judge(longer.insert(i, 1, '"'));
  }
  SUCCEED();
}

TEST_CASE("random bytes of JSON's alphabet never crash") {
  constexpr std::string_view alphabet = "{}[]\",:\\u0123456789eE+-.truefalsn \n\xC3\xA9";
  Random random(42);
  for (int i = 0; i < 20000; ++i) {
    std::string s;
    for (uint32_t n = random.below(30); n > 0; --n) s += alphabet[random.below(static_cast<uint32_t>(alphabet.size()))];
    const auto r = json::parse(s);
    if (!r && r.error().at.line < 1) FAIL(s);
  }
  SUCCEED();
}

TEST_CASE("the writer places commas, escapes text and rounds nothing") {
  json::Writer w;
  w.begin_object().field("a", 1).field("b", "x<y\n\"\\\x01").field("c", 0.1).field("d", true).key("e").begin_array();
  w.value(1.0 / 0.0).null().begin_object().end_object().begin_array().end_array().value(std::string("s")).raw("[1]").end_array().end_object();
  CHECK(w.text() == "{\"a\":1,\"b\":\"x\\u003cy\\n\\\"\\\\\\u0001\",\"c\":0.1,\"d\":true,\"e\":[null,null,{},[],\"s\",[1]]}");
  CHECK(json::parse(w.text()));
  CHECK(json::quoted("a\xFF" "b") == "\"a\uFFFD" "b\"");
}

TEST_CASE("strings of any bytes are written as valid JSON") {
  Random random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string s;
    for (uint32_t n = random.below(12); n > 0; --n) s += static_cast<char>(random.below(256));
    const auto back = json::parse(json::quoted(s));
    REQUIRE(back);
    if (valid_utf8(s)) CHECK(back->string == s);
  }
}

TEST_CASE("the reader collects what is missing, mistyped or unknown") {
  const auto parsed = json::parse("{\n\"title\": 5,\n\"count\": 1.5,\n\"flag\": \"yes\",\n\"names\": [\"a\", 2],\n\"titel\": \"x\"\n}", "b.json");
  REQUIRE(parsed);
  std::vector<Problem> problems;
  json::Reader r(*parsed, "b.json", problems);
  CHECK(r.text("title").empty());
  CHECK(r.integer("count") == 0);
  CHECK_FALSE(r.boolean("flag", false));
  CHECK(r.texts("names").size() == 1);
  CHECK(r.number("width") == 0);
  CHECK(r.number("height", 3) == 3);
  CHECK(r.text("note", "none") == "none");
  CHECK(r.integer("size", 4) == 4);
  CHECK(r.object("missing") == nullptr);
  CHECK(r.array("rows").empty());
  r.done();
  REQUIRE(problems.size() == 6);
  CHECK(text(problems[0]) == "b.json:2:10: error: \"title\" must be a string, this is a number");
  CHECK(text(problems[1]) == "b.json:3:10: error: \"count\" must be a whole number");
  CHECK(problems[2].error.at.line == 4);
  CHECK((problems[3].error.at.line == 5 && problems[3].error.at.column == 16));
  CHECK(text(problems[4]) == "b.json:1:1: error: the member \"width\" is missing");
  CHECK(text(problems[5]) == "b.json:6:10: error: unknown member \"titel\" (did you mean \"title\"?)");

  problems.clear();
  const auto number = json::parse("[3]", "c.json");
  json::Reader none(*number, "c.json", problems);
  CHECK(none.text("a").empty());
  CHECK(none.number("b") == 0);
  none.done();
  CHECK(problems.size() == 1);
}

TEST_CASE("a NUL is reported where it stands, anywhere in the text") {
  const std::string whole = "{\n  \"a\": [1, \"x\"],\n  \"b\": true\n}\n";
  for (size_t at = 0; at <= whole.size(); ++at) {
    std::string broken = whole;
    broken.insert(at, 1, '\0');
    const auto r = json::parse(broken);
    REQUIRE_FALSE(r);
    CHECK(r.error().what == "a NUL byte");
    CHECK(r.error().at.line == 1 + std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }
}

TEST_CASE("the reader refuses empty texts where words are needed, and control characters anywhere") {
  const auto parsed = json::parse(R"({"id": "", "name": " \n", "note": "", "bad": "a\u0000b", "list": ["x\u001b"]})", "b.json");
  REQUIRE(parsed);
  std::vector<Problem> problems;
  json::Reader r(*parsed, "b.json", problems);
  r.text("id");
  r.text("name");
  CHECK(r.text("note", "none").empty());
  r.text("bad", "");
  r.texts("list");
  REQUIRE(problems.size() == 4);
  CHECK(text(problems[0]) == "b.json:1:8: error: \"id\" is empty (fill it in)");
  CHECK(problems[1].error.what == "\"name\" is empty");
  CHECK(problems[2].error.what == "\"bad\" holds a NUL byte");
  CHECK(problems[3].error.what == "\"list\" holds a control character (U+001B)");
}
