// The compiler's output that the book stores, against the compiler: only where nvcc of that release is installed.
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>

TEST_CASE("the stored PTX is what nvcc prints", "[nvcc]") {
  const std::string check = std::string(LK_SOURCE_DIR) + "/scripts/compile-listings";
  if (std::system(("\"" + check + "\" --here >/dev/null 2>&1").c_str()) != 0) SKIP("no nvcc of the stored release on this machine");
  CHECK(std::system(("\"" + check + "\" --check").c_str()) == 0);
}
