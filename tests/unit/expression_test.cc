#include "predict/expression.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace lk;

namespace {
const predict::Names names{{"n", 1000}, {"tiles", 7}, {"nothing", 0}};

int64_t value(std::string_view text) {
  const auto v = predict::evaluate(text, names);
  INFO(text << ": " << (v ? "" : v.error().what));
  REQUIRE(v);
  return *v;
}
std::string wrong(const std::string& text) {
  const auto v = predict::evaluate(text, names);
  return v ? "none" : std::to_string(v.error().at.column) + ": " + v.error().what;
}
}  // namespace

TEST_CASE("expressions of sizes: ranks, names, functions") {
  CHECK(value("1 + 2 * 3") == 7);
  CHECK(value("(1 + 2) * 3") == 9);
  CHECK(value("7 - 2 - 1") == 4);
  CHECK(value("100 / 7 % 5 * 2") == 8);
  CHECK(value("(n + 255) / 256") == 4);
  CHECK(value("up(n, 256)") == 4);
  CHECK(value("up(1024, 256)") == 4);
  CHECK(value("min(up(n, 256), 2 * tiles, 3)") == 3);
  CHECK(value("max( n ,tiles)") == 1000);
  CHECK(value(" 0 ") == 0);
}

TEST_CASE("expressions that are wrong say where") {
  CHECK(wrong("") == "1: a number or name is missing");
  CHECK(wrong("1 +") == "4: a number or name is missing");
  CHECK(wrong("tile * 2") == "1: unknown name \"tile\"");
  CHECK(wrong("1 2") == "3: \"2\" is left over");
  CHECK(wrong("(1").find("closing parenthesis") != std::string::npos);
  CHECK(wrong("min(1").find("closing parenthesis") != std::string::npos);
  CHECK(wrong("up(1)").find("two numbers") != std::string::npos);
  CHECK(wrong("1 / nothing").find("division by zero") != std::string::npos);
  CHECK(wrong("1 % nothing").find("division by zero") != std::string::npos);
  CHECK(wrong("9223372036854775807 + 1").find("64 bits") != std::string::npos);
  CHECK(wrong("99999999999999999999").find("64 bits") != std::string::npos);
  CHECK(wrong(std::string(5000, '(')).find("nested too deeply") != std::string::npos);
  CHECK(wrong("$") == "1: \"$\" is no number or name");
}
