// Views and tables of figures, compared with approved ones at six significant digits. scripts/approve shows what changed
// and accepts it.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "figures/registry.h"
#include "plot/frame.h"
#include "render/svg.h"
#include "support/real_world.h"
#include "support/view_text.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

struct Case {
  std::string figure, name, query;
};

std::vector<std::string> lines(const std::string& text);

/// Every figure at its defaults, and the states that tests/golden/cases.txt lists.
std::vector<Case> cases() {
  std::vector<Case> out;
  for (const Figure* figure : figures::all()) out.push_back({std::string(figure->id), "default", ""});
  for (const std::string& line : lines(file_text("tests/golden/cases.txt"))) {
    if (line.empty() || line[0] == '#') continue;
    const size_t slash = line.find('/'), space = line.find(' ');
    if (slash == std::string::npos || space == std::string::npos || space < slash) FAIL("tests/golden/cases.txt: a line is not 'figure/name query': " << line);
    out.push_back({line.substr(0, slash), line.substr(slash + 1, space - slash - 1), line.substr(space + 1)});
  }
  return out;
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

/// Equal but for the last digit of numbers, where native code and WebAssembly may round to different sides.
bool same(const std::string& a, const std::string& b) {
  size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const auto number = [](const std::string& s, size_t at) { return std::isdigit(static_cast<unsigned char>(s[at])) || s[at] == '-'; };
    if (number(a, i) && number(b, j)) {
      char *end_a = nullptr, *end_b = nullptr;
      const double x = std::strtod(a.c_str() + i, &end_a), y = std::strtod(b.c_str() + j, &end_b);
      const auto used_a = static_cast<size_t>(end_a - a.c_str()) - i, used_b = static_cast<size_t>(end_b - b.c_str()) - j;
      if (used_a > 0 && used_b > 0) {
        if (std::fabs(x - y) > 1.5e-5 * std::max(std::fabs(x), std::fabs(y))) return false;
        i += used_a;
        j += used_b;
        continue;
      }
    }
    if (a[i++] != b[j++]) return false;
  }
  return i == a.size() && j == b.size();
}

/// The first lines that differ, old beside new.
std::string difference(const std::string& approved, const std::string& now) {
  const std::vector<std::string> a = lines(approved), b = lines(now);
  std::string out;
  int shown = 0;
  for (size_t i = 0; i < std::max(a.size(), b.size()) && shown < 6; ++i) {
    const std::string& x = i < a.size() ? a[i] : "";
    const std::string& y = i < b.size() ? b[i] : "";
    if (same(x, y)) continue;
    ++shown;
    out += "  line " + std::to_string(i + 1) + "\n    approved: " + x + "\n    now:      " + y + "\n";
  }
  return out;
}

void save(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  CHECK(file.good());
}

}  // namespace

TEST_CASE("views and tables are as approved") {
  // scripts/approve asks for the new texts and for drawings of old and new, and names a folder that exists.
  const char* folder = std::getenv("LK_APPROVE");
  for (const Case& c : cases()) {
    const std::string id = c.figure + "/" + c.name;
    INFO(id);
    const Figure* figure = figures::find(c.figure);
    REQUIRE(figure != nullptr);
    const Result<Evaluated> e = evaluate(*figure, real_world(), parse_query(c.query), "", Binder::Mode::strict);
    if (!e) FAIL(text(e.error()));
    const std::string now = view_text(*e), approved = file_text("tests/golden/" + id + ".json");
    const Result<json::Value> read = json::parse(now, id);
    REQUIRE(read);
    if (folder != nullptr) {
      const std::string stem = std::string(folder) + "/" + c.figure + "." + c.name;
      save(stem + ".json", now);
      const Result<json::Value> old = json::parse(approved, id);
      for (const double width : {350.0, 632.0, 920.0}) {
        const std::string end = "." + std::to_string(static_cast<int>(width)) + ".svg";
        save(stem + ".new" + end, render::svg(e->view, layout(e->view, width), summary_text(*e), "new", ""));
        if (!old) continue;
        const View view = read_panels(*old);
        save(stem + ".old" + end, render::svg(view, layout(view, width), "as approved", "old", ""));
      }
      continue;
    }
    const std::string differs = difference(approved, now);
    if (!approved.empty() && differs.empty()) continue;
    FAIL_CHECK(id << (approved.empty() ? " has not been approved yet" : " differs from what was approved:\n" + differs)
                  << "\nscripts/approve shows both side by side; scripts/approve --accept " << id << " replaces the golden.");
  }
}

TEST_CASE("the comparison forgives the last of six digits, and nothing else") {
  CHECK(same("[0.123456, \"a 12\"]", "[0.123457, \"a 12\"]"));
  CHECK(!same("[0.123456]", "[0.12347]"));
  CHECK(!same("[1]", "[2]"));
  CHECK(!same("[1]", "[1, 2]"));
  CHECK(!same("\"a\"", "\"b\""));
  CHECK(difference("a\n1\n", "a\n2\n").find("line 2") != std::string::npos);
  CHECK(difference("a\n", "a\n").empty());
}

TEST_CASE("a golden holds all that is drawn") {
  // Drawing the text of a view gives the drawing of the view, but for what lies beyond six digits.
  for (const Case& c : cases()) {
    const Result<Evaluated> e = evaluate(*figures::find(c.figure), real_world(), parse_query(c.query), "", Binder::Mode::strict);
    REQUIRE(e);
    const Result<json::Value> read = json::parse(view_text(*e, 17), c.name);
    REQUIRE(read);
    const View again = read_panels(*read);
    for (const double width : {350.0, 920.0}) CHECK(render::svg(again, layout(again, width), "x", "a", "") == render::svg(e->view, layout(e->view, width), "x", "a", ""));
  }
}
