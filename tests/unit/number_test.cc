#include "base/number.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "base/random.h"

using namespace lk;

namespace {
constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

// text() with its no-break space as '_' so that the table below shows it.
std::string shown(double v, Unit unit) {
  std::string s = text({v, unit});
  for (size_t at; (at = s.find("\u00A0")) != std::string::npos;) s.replace(at, 2, "_");
  return s;
}
}  // namespace

TEST_CASE("digits: three significant, whole numbers in full") {
  const struct {
    double v;
    const char* text;
  } cases[] = {
      {0, "0"}, {-0.0, "0"}, {1, "1"}, {4.8, "4.8"}, {57.6, "57.6"}, {206.125, "206"}, {206.5, "207"},
      {0.0833333, "0.0833"}, {4096, "4,096"}, {1234567, "1,234,567"}, {-4096, "\u22124,096"}, {-0.5, "\u22120.5"},
      {2730.67, "2,730"}, {1e15, "1e15"}, {1e20, "1e20"}, {-1.25e20, "\u22121.25e20"}, {0.0001, "0.0001"},
      {0.00009, "9e-5"}, {8.3333e-5, "8.33e-5"}, {0.99951, "1"}, {0.9994, "0.999"}, {9.996, "10"}, {99.96, "100"},
      {999.6, "1,000"}, {1.555, "1.56"}, {1.005, "1.01"}, {2.675, "2.68"}, {0.125, "0.125"}, {4096.0000000001, "4,096"},
      {2.9999999999, "3"}, {0.1 + 0.2, "0.3"}, {inf, "not available"}, {-inf, "not available"}, {no_number, "not available"},
      {5e-324, "4.94e-324"}, {1.7976931348623157e308, "1.8e308"}, {100.4, "100"}, {10.04, "10"},
  };
  for (const auto& c : cases) {
    INFO(c.v);
    CHECK(digits(c.v) == c.text);
  }
  CHECK(digits(3.14159, 1) == "3");
  CHECK(digits(3.14159, 5) == "3.1416");
  CHECK(digits(3.14159, 0) == "3");
  CHECK(digits(0.1, 99) == "0.1");
}

TEST_CASE("quantities as text") {
  const struct {
    double v;
    Unit unit;
    const char* text;
  } cases[] = {
      {4.8e12, Unit::bytes_per_s, "4.8_TB/s"}, {4.80e12, Unit::bytes_per_s, "4.8_TB/s"}, {1.555e12, Unit::bytes_per_s, "1.56_TB/s"},
      {3.35e12, Unit::bytes_per_s, "3.35_TB/s"}, {999.6e9, Unit::bytes_per_s, "1_TB/s"}, {999.4e9, Unit::bytes_per_s, "999_GB/s"},
      {0, Unit::bytes_per_s, "0_B/s"}, {32, Unit::bytes_per_s, "32_B/s"}, {1e3, Unit::bytes_per_s, "1_kB/s"},
      {57.6e12, Unit::flop_per_s, "57.6_TFLOP/s"}, {989e12, Unit::flop_per_s, "989_TFLOP/s"}, {1979e12, Unit::flop_per_s, "1,979_TFLOP/s"},
      {9999.6e12, Unit::flop_per_s, "10_PFLOP/s"}, {10e15, Unit::flop_per_s, "10_PFLOP/s"}, {0.292e12, Unit::flop_per_s, "292_GFLOP/s"},
      {999.9e9, Unit::flop_per_s, "1_TFLOP/s"}, {12, Unit::flop_per_s, "12_FLOP/s"},
      {16384, Unit::flop, "16,384_FLOP"}, {1e6, Unit::flop, "1_MFLOP"}, {2e9, Unit::flop, "2_GFLOP"}, {1.0995e12, Unit::flop, "1.1_TFLOP"},
      {1024, Unit::bytes, "1,024_B"}, {999999, Unit::bytes, "999,999_B"}, {1e6, Unit::bytes, "1_MB"}, {1234.5, Unit::bytes, "1.23_kB"},
      {16.06e9, Unit::bytes, "16.1_GB"}, {141e9, Unit::bytes, "141_GB"}, {0, Unit::bytes, "0_B"}, {0.5, Unit::bytes, "0.5_B"},
      {-1024, Unit::bytes, "\u22121,024_B"}, {999.9e6, Unit::bytes, "1_GB"},
      {40960, Unit::binary_bytes, "40_KiB"}, {1023, Unit::binary_bytes, "1,023_B"}, {1023 * 1024.0, Unit::binary_bytes, "1,023_KiB"},
      {1023.4 * 1024, Unit::binary_bytes, "1,023_KiB"}, {1023.99 * 1024, Unit::binary_bytes, "1_MiB"}, {50.0 * 1024 * 1024, Unit::binary_bytes, "50_MiB"},
      {0.125, Unit::percent, "12.5%"}, {0.07, Unit::percent, "7%"}, {1, Unit::percent, "100%"}, {0, Unit::percent, "0%"}, {0.08333, Unit::percent, "8.33%"},
      {12, Unit::flop_per_byte, "12_FLOP/B"}, {206.125, Unit::flop_per_byte, "206_FLOP/B"}, {1.0 / 12, Unit::flop_per_byte, "0.0833_FLOP/B"},
      {3.35e-3, Unit::seconds, "3.35_ms"}, {1e-9, Unit::seconds, "1_ns"}, {2.5e-10, Unit::seconds, "0.25_ns"}, {4.5e-6, Unit::seconds, "4.5_\u00B5s"},
      {999.6e-6, Unit::seconds, "1_ms"}, {0, Unit::seconds, "0_s"}, {90, Unit::seconds, "90_s"}, {3600, Unit::seconds, "3,600_s"}, {-2e-3, Unit::seconds, "\u22122_ms"},
      {1.98e9, Unit::hertz, "1.98_GHz"}, {1410e6, Unit::hertz, "1.41_GHz"}, {700, Unit::watts, "700_W"},
      {1, Unit::sectors, "1_sector"}, {8, Unit::sectors, "8_sectors"}, {0, Unit::sectors, "0_sectors"}, {1.5, Unit::sectors, "1.5_sectors"},
      {1, Unit::elements, "1_element"}, {2, Unit::elements, "2_elements"}, {4096, Unit::tokens, "4,096_tokens"}, {1, Unit::threads, "1_thread"},
      {32, Unit::lanes, "32_lanes"}, {2, Unit::warps, "2_warps"}, {1, Unit::blocks, "1_block"}, {3, Unit::steps, "3_steps"}, {8, Unit::bits, "8_bits"},
      {4096, Unit::one, "4,096"}, {no_number, Unit::bytes_per_s, "not available"}, {inf, Unit::percent, "not available"},
  };
  for (const auto& c : cases) {
    INFO(c.v);
    CHECK(shown(c.v, c.unit) == c.text);
  }
}

TEST_CASE("parts and text agree, for every unit and magnitude") {
  Random random(7);
  for (int u = 0; u <= static_cast<int>(Unit::steps); ++u) {
    const auto unit = static_cast<Unit>(u);
    for (int i = 0; i < 300; ++i) {
      const double v = (random.unit() + 0.1) * std::pow(10.0, static_cast<int>(random.below(40)) - 15);
      const Parts p = parts({v, unit});
      const std::string gap = unit == Unit::percent || p.unit.empty() ? "" : "\u00A0";
      CHECK(text({v, unit}) == p.digits + gap + p.unit);
      // What is printed is the value to half a unit of the third digit.
      const Scaled s = scaled(unit, v);
      const auto back = read_number(p.digits);
      REQUIRE(back);
      const double printed = *back * s.divide;
      if (p.unit == s.unit) CHECK(std::fabs(printed - v) <= 0.0051 * v);
      // Never four digits before a prefix that has a larger sibling.
      if (unit == Unit::bytes_per_s && v < 1e15) CHECK(*back < 1000);
    }
  }
}

TEST_CASE("axes take one prefix for all their values") {
  CHECK(scaled(Unit::flop_per_s, 989e12).unit == "TFLOP/s");
  CHECK(scaled(Unit::flop_per_s, 989e12).divide == 1e12);
  CHECK(scaled(Unit::flop_per_s, 2e16).unit == "PFLOP/s");
  CHECK(scaled(Unit::flop_per_s, 2e16).divide == 1e15);
  CHECK(scaled(Unit::percent, 1).divide == 0.01);
  CHECK(scaled(Unit::sectors, 1).unit == "sectors");
  CHECK(scaled(Unit::bytes, 4096).unit == "B");
  CHECK(scaled(Unit::seconds, 0).unit == "s");
  CHECK(scaled(Unit::seconds, no_number).unit == "s");
  CHECK(scaled(Unit::one, 5).unit.empty());
}

TEST_CASE("plain numbers read back the same") {
  CHECK(plain(0.1) == "0.1");
  CHECK(plain(-0.0) == "0");
  CHECK(plain(1e20) == "1e+20");
  CHECK(plain(4096) == "4096");
  CHECK(plain(-2.5) == "-2.5");
  CHECK(plain(1.0 / 3) == "0.3333333333333333");
  CHECK(plain(5e-324) == "5e-324");
  CHECK(plain(no_number).empty());
  Random random(3);
  for (int i = 0; i < 3000; ++i) {
    const uint64_t bits = random.next();
    double v = 0;
    std::memcpy(&v, &bits, sizeof v);
    if (!std::isfinite(v)) continue;
    const auto back = read_number(plain(v));
    REQUIRE(back);
    CHECK(*back == v);
  }
}

TEST_CASE("numbers as people type them") {
  const struct {
    const char* text;
    double v;
  } good[] = {
      {"1.5", 1.5}, {"1,5", 1.5}, {"0,125", 0.125}, {",5", 0.5}, {".5", 0.5}, {"5.", 5}, {"5,", 5}, {"1 000", 1000}, {"1\u00A0000", 1000},
      {"1\u202F000,5", 1000.5}, {"1'000", 1000}, {"1\u2019000.5", 1000.5}, {"1e3", 1000}, {"1E3", 1000}, {"1,5e-3", 0.0015}, {"1e+20", 1e20},
      {"4,096", 4096}, {"1,000.5", 1000.5}, {"1.000,5", 1000.5}, {"1,234,567", 1234567}, {"1.234.567", 1234567}, {"1.234.567,5", 1234567.5},
      {"1,0000", 1}, {"1234,567", 1234.567}, {"1.000", 1}, {"  12  ", 12}, {"+3", 3}, {"-3", -3}, {"\u22123", -3}, {"- 3", -3}, {"0", 0}, {"-0", 0},
      {"007", 7}, {"206", 206}, {"0.0833", 0.0833},
  };
  for (const auto& c : good) {
    INFO(c.text);
    const auto v = read_number(c.text);
    REQUIRE(v);
    CHECK(*v == c.v);
  }
  for (const char* bad : {"", " ", "-", "+", ".", ",", "e3", "1e", "1e+", "abc", "1a", "0x10", "inf", "nan", "1e999", "1 5", "1 00", "12,34,56", "1,5,3",
                          "1.2.3", "1,000,5", "1..5", "1,,5", "--1", "1-", "1_000", "$5", "\xFF", "1e99999", "0 125", "1,00.5", "(1)"}) {
    INFO(bad);
    CHECK_FALSE(read_number(bad));
  }
  CHECK_FALSE(read_number(std::string(1 << 20, '1')));
}

TEST_CASE("what digits prints can be typed again") {
  Random random(11);
  for (int i = 0; i < 2000; ++i) {
    const double v = (random.unit() - 0.5) * std::pow(10.0, static_cast<int>(random.below(24)) - 8);
    const auto back = read_number(digits(v));
    INFO(digits(v));
    REQUIRE(back);
    CHECK(std::fabs(*back - v) <= 0.0051 * std::fabs(v));
  }
}
