#include "site/assets.h"

#include <catch2/catch_test_macros.hpp>

#include "site/sha256.h"

namespace lk::site {
namespace {

std::string name_of(const std::string& stem, const std::string& ending, const std::string& bytes) {
  return stem + '.' + sha256_hex(bytes).substr(0, 8) + ending;
}

TEST_CASE("assets: names follow content, also the content of what they mention") {
  const std::string font = "font", wasm = std::string("\0asm", 4);
  const auto make = [&](const std::string& font_bytes) {
    return Assets({{"a.woff2", font_bytes},
                   {"unused.woff2", "x"},
                   {"reader.wasm", wasm},
                   {"style.css", "a{src:url(a.woff2)}b{src:url('./a.woff2')}c{src:url(\"a.woff2#x\")}"},
                   {"main.js", "import(\"./figures.js\");x=`reader.wasm`"},
                   {"figures.js", "fetch('/assets/reader.wasm');y='not-reader.wasm';z='reader.wasm.map'"}},
                  "/x/");
  };
  Assets a = make(font);
  const std::string font_name = name_of("a", ".woff2", font), wasm_name = name_of("reader", ".wasm", wasm);
  const std::string css =
      "a{src:url(" + font_name + ")}b{src:url('./" + font_name + "')}c{src:url(\"" + font_name + "#x\")}";
  CHECK(a.address("style.css") == "/x/assets/" + name_of("style", ".css", css));
  const std::string figures = "fetch('/assets/" + wasm_name + "');y='not-reader.wasm';z='reader.wasm.map'";
  const std::string main = "import(\"./" + name_of("figures", ".js", figures) + "\");x=`" + wasm_name + "`";
  CHECK(a.address("main.js") == "/x/assets/" + name_of("main", ".js", main));
  CHECK(a.address("absent.js").empty());
  Site site;
  a.add_to(site);
  site.finish();
  CHECK(site.files.size() == 5);
  CHECK(site.find("assets/" + font_name) != nullptr);
  CHECK(make("other font").address("style.css") != a.address("style.css"));
  CHECK(make("other font").address("main.js") == a.address("main.js"));
  CHECK(a.problems().empty());
}

TEST_CASE("assets: inlined text gets whole addresses") {
  Assets a({{"a.woff2", "font"}, {"critical.css", "a{src:url(a.woff2)}\n"}}, "/x/");
  CHECK(a.inlined("critical.css") == "a{src:url(/x/assets/" + name_of("a", ".woff2", "font") + ")}");
  CHECK(a.inlined("absent.css").empty());
}

TEST_CASE("assets: a circle is a problem, not an endless loop") {
  Assets a({{"a.js", "import './b.js'"}, {"b.js", "import './a.js'"}}, "/");
  a.address("a.js");
  REQUIRE(a.problems().size() == 1);
  Assets self({{"a.js", "new Worker('a.js')"}}, "/");
  self.address("a.js");
  CHECK(self.problems().empty());
}

}  // namespace
}  // namespace lk::site
