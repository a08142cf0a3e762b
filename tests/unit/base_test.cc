#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"

using namespace lk;

TEST_CASE("errors print what is known of their place") {
  Error e{{"a.json", 3, 7}, "what", "hint"};
  CHECK(text(e) == "a.json:3:7: error: what (hint)");
  e.at.column = 0;
  CHECK(text(e) == "a.json:3: error: what (hint)");
  e.at = {};
  e.hint.clear();
  CHECK(text(e) == "error: what");
  CHECK(text(Problem{Severity::warning, {{"b", 0, 0}, "w", ""}}) == "b: warning: w");
}

TEST_CASE("errors are one line that a terminal can show, whatever was typed") {
  CHECK(text(Error{{"a\nb\x1b[31m", 1, 2}, std::string("w\0\xff", 3), "\xc2\x9b"}) == "a\uFFFDb\uFFFD[31m:1:2: error: w\uFFFD\uFFFD (\uFFFD)");
  CHECK(one_line("caf\u00e9 \u00b5s") == "caf\u00e9 \u00b5s");
  CHECK(first_control("a\tb\r\n") == 5);
  CHECK(first_control("ab\x7f") == 2);
  CHECK(control_name('\0') == "a NUL byte");
  CHECK(control_name('\x1b') == "a control character (U+001B)");
}

TEST_CASE("the closest name is offered only when it is close") {
  const std::vector<std::string> names{"stride", "offset", "width", "active_lanes"};
  CHECK(closest("strid", names) == "stride");
  CHECK(closest("ofset", names) == "offset");
  CHECK(closest("active_lane", names) == "active_lanes");
  CHECK(closest("zebra", names).empty());
  // Swapped neighbors are one slip of the fingers, in short words too.
  const std::vector<std::string> words{"term", "warp", "value"};
  CHECK(closest("trem", words) == "term");
  CHECK(closest("wrap", words) == "warp");
  CHECK(closest("vlaue", words) == "value");
  CHECK(edit_distance("ab", "ba", 3) == 1);
  CHECK(edit_distance("abcd", "badc", 3) == 2);
  CHECK(edit_distance("kitten", "sitting", 5) == 3);
  CHECK(edit_distance("kitten", "sitting", 2) == 3);
  CHECK(edit_distance("", "abc", 5) == 3);
}

TEST_CASE("results hold a value or an error") {
  const Result<int> good = 3;
  const Result<int> bad = Error{{}, "no", ""};
  CHECK(good);
  CHECK(*good == 3);
  CHECK_FALSE(bad);
  CHECK(bad.error().what == "no");
  CHECK(bad.value_or(7) == 7);
}

TEST_CASE("UTF-8: every sequence of up to two bytes and the borders of longer ones are judged right") {
  // Brute force: what one and two bytes may be (RFC 3629).
  for (int a = 0; a < 256; ++a) {
    const std::string one(1, static_cast<char>(a));
    CHECK(valid_utf8(one) == (a < 0x80));
    for (int b = 0; b < 256; ++b) {
      const std::string two{static_cast<char>(a), static_cast<char>(b)};
      const bool ascii = a < 0x80 && b < 0x80;
      const bool pair = a >= 0xC2 && a <= 0xDF && b >= 0x80 && b <= 0xBF;
      if (valid_utf8(two) != (ascii || pair)) FAIL("bytes " << a << " " << b);
    }
  }
  CHECK(valid_utf8("\u20AC\U0010FFFF\U00010000\uD7FF\uE000"));
  CHECK_FALSE(valid_utf8("\xE0\x9F\xBF"));      // overlong
  CHECK_FALSE(valid_utf8("\xED\xA0\x80"));      // surrogate
  CHECK_FALSE(valid_utf8("\xF4\x90\x80\x80"));  // beyond U+10FFFF
  CHECK_FALSE(valid_utf8("\xF0\x8F\xBF\xBF"));  // overlong
  CHECK_FALSE(valid_utf8("\xE2\x82"));          // broken off
  CHECK(first_invalid_utf8("ab\xFF" "c") == 2);
  CHECK(first_invalid_utf8("\u20AC") == 3);

  size_t at = 0;
  CHECK(next_code_point("\u20ACx", at) == 0x20AC);
  CHECK(at == 3);
  CHECK(next_code_point("\u20ACx", at) == 'x');
  at = 0;
  CHECK(next_code_point("\xE2\x82x", at) == 0xFFFD);
  CHECK(at == 1);
  at = 5;
  CHECK(next_code_point("abc", at) == 0xFFFD);
}

TEST_CASE("escapes") {
  CHECK(html_escaped("<a href=\"x\">&'\u20AC") == "&lt;a href=&quot;x&quot;&gt;&amp;&#39;\u20AC");
  CHECK(url_encoded("a b&c=\u20AC~") == "a%20b%26c%3D%E2%82%AC~");
  CHECK(url_decoded("a+b%26%e2%82%ac") == "a b&\u20AC");
  CHECK(url_decoded("100%") == "100%");
  CHECK(url_decoded("%4") == "%4");
  CHECK(url_decoded("%zz%41") == "%zzA");
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    std::string s;
    for (uint32_t n = random.below(20); n > 0; --n) s += static_cast<char>(random.below(256));
    CHECK(url_decoded(url_encoded(s)) == s);
  }
}

TEST_CASE("slugs") {
  CHECK(slug("Compute-bound and memory-bound") == "compute-bound-and-memory-bound");
  CHECK(slug("Little's law") == "littles-law");
  CHECK(slug("Little\u2019s law") == "littles-law");
  CHECK(slug("  GEMM: 2-D tiles!  ") == "gemm-2-d-tiles");
  CHECK(slug("\u20AC") == "section");
  CHECK(slug("") == "section");
}

TEST_CASE("random numbers are the published sequence") {
  // SplitMix64 with seed 1234567, as listed with the reference implementation's test values.
  Random random(1234567);
  CHECK(random.next() == 6457827717110365317ULL);
  CHECK(random.next() == 3203168211198807973ULL);
  for (int i = 0; i < 1000; ++i) {
    const double u = random.unit();
    CHECK((u >= 0 && u < 1));
    CHECK(random.below(7) < 7);
  }
}
