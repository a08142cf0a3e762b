// CuTe's layout algebra against its definitions, over all indices.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <set>

#include "base/random.h"
#include "layout/layout.h"

using namespace lk;
using layout::cosize;
using layout::Layout;
using layout::Mode;
using layout::Tiler;
using layout::Tuple;

namespace {

Layout of(std::string_view text) {
  const Result<Layout> out = layout::parse(text);
  if (!out) FAIL(text << ": " << lk::text(out.error()));
  return *out;
}
Tiler tiler(std::string_view text) {
  const Result<Tiler> out = layout::parse_tiler(text);
  if (!out) FAIL(text << ": " << lk::text(out.error()));
  return *out;
}
std::string shown(const Result<Layout>& out) { return out ? layout::text(*out) : "refused: " + out.error().what; }
std::string composed(std::string_view a, std::string_view b) { return shown(layout::composition(of(a), tiler(b))); }
std::string complement(std::string_view a, int64_t target) { return shown(layout::complement(of(a), target)); }

std::vector<int64_t> image(const Layout& l) {
  std::vector<int64_t> out;
  for (int64_t i = 0; i < size(l); ++i) out.push_back(offset(l, i));
  return out;
}

/// Sum over the leaves of coordinate times stride, walked leaf by leaf: the definition, without any arithmetic on layouts.
int64_t inner(const Tuple& coordinate, const Tuple& stride) {
  if (coordinate.leaf()) return coordinate.value * stride.value;
  int64_t sum = 0;
  for (size_t i = 0; i < coordinate.items.size(); ++i) sum += inner(coordinate.items[i], stride.items[i]);
  return sum;
}

/// All coordinates of a shape, first mode fastest.
std::vector<Tuple> coordinates(const Tuple& shape) {
  std::vector<Tuple> out;
  if (shape.leaf()) {
    for (int64_t i = 0; i < shape.value; ++i) out.emplace_back(i);
    return out;
  }
  std::vector<std::vector<Tuple>> all{{}};
  for (size_t i = 0; i < shape.items.size(); ++i) {
    std::vector<std::vector<Tuple>> next;
    for (const Tuple& own : coordinates(shape.items[i]))
      for (std::vector<Tuple> before : all) {
        before.push_back(own);
        next.push_back(std::move(before));
      }
    all = std::move(next);
  }
  for (std::vector<Tuple>& c : all) out.emplace_back(std::move(c));
  return out;
}

Layout random_layout(Random& random, int most_modes, int64_t most_stride, int depth = 2) {
  if (depth == 0 || random.below(3) == 0) return {1 + static_cast<int64_t>(random.below(8)), static_cast<int64_t>(random.below(static_cast<uint32_t>(most_stride)))};
  std::vector<Layout> modes;
  const int n = 1 + static_cast<int>(random.below(static_cast<uint32_t>(most_modes)));
  for (int i = 0; i < n; ++i) modes.push_back(random_layout(random, 2, most_stride, depth - 1));
  return layout::make_layout(modes);
}

/// Strides of sizes that divide well, as layouts in use have them.
Layout usual_layout(Random& random, int modes) {
  const int64_t sizes[] = {1, 2, 2, 3, 4, 4, 6, 8}, strides[] = {0, 1, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32};
  std::vector<Layout> parts;
  for (int i = 0; i < modes; ++i) parts.push_back({sizes[random.below(8)], strides[random.below(12)]});
  return parts.size() == 1 ? parts[0] : layout::make_layout(parts);
}

/// Is there a layout of one mode or several with these values in order, each of whose modes walks along one mode of A (strides that
/// cut diagonally through two are no composition in CuTe)? Tries all ways to split.
bool is_layout(std::span<const int64_t> f, const std::vector<Mode>& a) {
  const size_t n = f.size();
  if (n <= 1) return true;
  const int64_t d = f[1] - f[0];
  if (std::none_of(a.begin(), a.end(), [&](const Mode& m) { return d % m.stride == 0; })) return false;
  for (size_t run = 2; run <= n; ++run) {
    if (f[run - 1] - f[0] != static_cast<int64_t>(run - 1) * d) break;
    if (n % run != 0) continue;
    std::vector<int64_t> starts;
    bool same = true;
    for (size_t j = 0; j < n; ++j) {
      if (j % run == 0) starts.push_back(f[j]);
      same = same && f[j] == f[j - j % run] + static_cast<int64_t>(j % run) * d;
    }
    if (same && is_layout(starts, a)) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("layouts as text, there and back") {
  for (const char* text : {"8:1", "(4,8):(1,4)", "((4,2),8):((2,16),8)", "(2,(1,6)):(1,(6,2))", "(4):(1)", "((2,2),(2,(2,2))):((1,4),(2,(8,16)))", "1:0"})
    CHECK(layout::text(of(text)) == text);
  CHECK(layout::text(of(" ( 4 , 8 ) : ( 8 , 1 ) ")) == "(4,8):(8,1)");
  CHECK(layout::text(of("(4,(2,3))")) == "(4,(2,3)):(1,(4,8))");
  CHECK(layout::text(of("12")) == "12:1");
  CHECK(layout::text(tiler("<3:3, (2,4):(1,8)>")) == "<3:3,(2,4):(1,8)>");
  CHECK(layout::text(tiler("<3,8>")) == "<3:1,8:1>");
  CHECK(layout::text(tiler("4:2")) == "4:2");
}

TEST_CASE("layouts that cannot be read say where and why") {
  const struct {
    const char* text;
    int column;
    const char* what;
  } wrong[] = {{"", 1, "missing"},         {"(4,8", 5, "missing"},       {"(4,8):(1)", 7, "not nested"},      {"(4,8):1", 7, "not nested"},
               {"(4,0):(1,4)", 4, "less"}, {"(4,-2)", 4, "less"},        {"4:-1", 3, "negative"},             {"4:1)", 4, "follows"},
               {"4:x", 3, "missing"},      {"(4,,8)", 4, "missing"},     {"()", 2, "missing"},                {"99999999999", 1, "too large"},
               {"((((((((((1))))))))))", 9, "nested more"},              {"(65536,65536)", 1, "elements"},    {"(2,2,2):(2147483647,2147483647,2147483647) x", 44, "follows"}};
  for (const auto& w : wrong) {
    INFO(w.text);
    const Result<Layout> out = layout::parse(w.text);
    REQUIRE_FALSE(out);
    CHECK(out.error().at.column == w.column);
    CHECK(out.error().what.find(w.what) != std::string::npos);
    CHECK(!out.error().hint.empty());
  }
  CHECK_FALSE(layout::parse("(2147483647,1):(2147483647,1)"));
  CHECK_FALSE(layout::parse_tiler("<4:1"));
  CHECK_FALSE(layout::parse_tiler("<4:1>>"));
  std::string many = "(1";
  for (int i = 0; i < 40; ++i) many += ",1";
  CHECK_FALSE(layout::parse(many + ")"));
}

TEST_CASE("coordinates and offsets, by the definition") {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Layout l = random_layout(random, 3, 40);
    INFO(layout::text(l));
    const std::vector<Tuple> all = coordinates(l.shape);
    REQUIRE(static_cast<int64_t>(all.size()) == size(l));
    int64_t most = 0;
    for (int64_t i = 0; i < size(l); ++i) {
      const Tuple& c = all[static_cast<size_t>(i)];
      const int64_t want = inner(c, l.stride);
      most = std::max(most, want);
      const bool same = offset(l, i) == want && layout::idx2crd(i, l.shape) == c && *layout::crd2idx(c, l) == want && *layout::crd2idx(i, l) == want;
      if (!same) FAIL("at " << i);
    }
    CHECK(cosize(l) == most + 1);
  }
  // A coordinate may be an integer where the shape is nested.
  const Layout l = of("(3,(2,3)):(3,(12,1))");
  CHECK(layout::text(layout::idx2crd(16, l.shape)) == "(1,(1,2))");
  CHECK(*layout::crd2idx(Tuple(16), l) == 17);
  CHECK(*layout::crd2idx(Tuple({Tuple(1), Tuple(5)}), l) == 17);
  CHECK(*layout::crd2idx(Tuple({Tuple(1), Tuple({Tuple(1), Tuple(2)})}), l) == 17);
  CHECK_FALSE(layout::crd2idx(Tuple(18), l));
  CHECK_FALSE(layout::crd2idx(Tuple({Tuple(1), Tuple(6)}), l));
  CHECK_FALSE(layout::crd2idx(Tuple({Tuple(1), Tuple(1), Tuple(1)}), l));
  CHECK_FALSE(layout::crd2idx(Tuple({Tuple({Tuple(1), Tuple(1)}), Tuple(1)}), l));
}

TEST_CASE("coalesce keeps the function and leaves nothing to merge") {
  CHECK(layout::text(layout::coalesce(of("(2,(1,6)):(1,(6,2))"))) == "12:1");
  CHECK(layout::text(layout::coalesce_modes(of("(2,(1,6)):(1,(6,2))"))) == "(2,6):(1,2)");
  CHECK(layout::text(layout::coalesce(of("(2,4):(1,2)"))) == "8:1");
  CHECK(layout::text(layout::coalesce(of("(2,4):(4,1)"))) == "(2,4):(4,1)");
  CHECK(layout::text(layout::coalesce(of("(1,1):(7,3)"))) == "1:0");
  Random random(2);
  for (int round = 0; round < 2000; ++round) {
    const Layout l = usual_layout(random, 1 + static_cast<int>(random.below(4)));
    const Layout c = layout::coalesce(l), by_mode = layout::coalesce_modes(l);
    INFO(layout::text(l) << " gives " << layout::text(c));
    CHECK(image(c) == image(l));
    CHECK(image(by_mode) == image(l));
    CHECK(layout::rank(by_mode) == layout::rank(l));
    const std::vector<Mode> modes = layout::flatten(c);
    for (size_t i = 0; i < modes.size(); ++i) {
      CHECK((modes[i].size > 1 || modes.size() == 1));
      if (i > 0) CHECK(modes[i].stride != modes[i - 1].size * modes[i - 1].stride);
    }
  }
}

TEST_CASE("composition: the documentation's examples") {
  CHECK(composed("(6,2):(8,2)", "(4,3):(3,1)") == "((2,2),3):((24,2),8)");
  CHECK(composed("20:2", "(5,4):(4,1)") == "(5,4):(8,2)");
  CHECK(composed("(10,2):(16,4)", "(5,4):(1,5)") == "(5,(2,2)):(16,(80,4))");
  CHECK(composed("(3,6,2,8):(1,1000,1000000,1000000000)", "16:9") == "(2,2,4):(3000,1000000,1000000000)");
  CHECK(composed("(12,(4,8)):(59,(13,1))", "<3:4,8:2>") == "(3,(2,4)):(236,(26,1))");
  CHECK(composed("(12,(4,8)):(59,(13,1))", "<3,8>") == "(3,(4,2)):(59,(13,1))");
  CHECK(composed("(4,6,8,10):(2,3,5,7)", "6:12") == "(2,3):(9,5)");
  CHECK(composed("(4,6,8):(1,4,7)", "6:1") == "6:1");
  CHECK(composed("4:1", "4:0") == "4:0");
  CHECK(composed("4:0", "4:1") == "4:0");
}

TEST_CASE("composition is A(B(c)), nested like B, and refused with the reason where no strides give that") {
  Random random(3);
  int composed_count = 0, refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = usual_layout(random, 1 + static_cast<int>(random.below(4))), b = usual_layout(random, 1 + static_cast<int>(random.below(3)));
    const Result<Layout> r = layout::composition(a, b);
    if (!r) {
      ++refused;
      CHECK(!r.error().hint.empty());
      continue;
    }
    ++composed_count;
    INFO(layout::text(a) << " o " << layout::text(b) << " = " << layout::text(*r));
    CHECK(layout::compatible(b.shape, r->shape));
    const Layout flat = layout::coalesce(a);  // beyond its size A goes on along its last mode that is longer than 1
    bool same = true;
    for (int64_t i = 0; i < size(b); ++i) same = same && offset(*r, i) == offset(flat, offset(b, i));
    CHECK(same);
  }
  CHECK(composed_count > 5000);
  CHECK(refused > 1000);
}

TEST_CASE("composition: one mode is refused only where no strides along A's modes give it") {
  // Strides without accidental relations, so that a sum is a layout only for a reason.
  Random random(4);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::vector<Layout> parts;
    for (int i = 0; i < 4; ++i) parts.push_back({2 + static_cast<int64_t>(random.below(7)), 1000003 + static_cast<int64_t>(random.below(1000000000))});
    const Layout a = layout::make_layout(parts), b{2 + static_cast<int64_t>(random.below(15)), 1 + static_cast<int64_t>(random.below(20))};
    std::vector<int64_t> f;
    for (int64_t i = 0; i < size(b); ++i) f.push_back(offset(a, offset(b, i)));
    const Result<Layout> r = layout::composition(a, b);
    refused += !r;
    if (static_cast<bool>(r) != is_layout(f, layout::flatten(a))) FAIL(layout::text(a) << " o " << layout::text(b) << ": " << shown(r));
  }
  CHECK(refused > 1000);
  CHECK(refused < 19000);
  CHECK(composed("(6,2):(1,10)", "3:4").find("neither") != std::string::npos);
  CHECK(composed("(4,6):(1,10)", "6:1").find("no multiple") != std::string::npos);
  CHECK(composed("(4,4):(1,10)", "(4,3):(1,1)").find("carries") != std::string::npos);
}

TEST_CASE("complement: the documentation's examples") {
  CHECK(complement("4:1", 24) == "6:4");
  CHECK(complement("6:4", 24) == "4:1");
  CHECK(complement("(4,6):(1,4)", 24) == "1:0");
  CHECK(complement("4:2", 24) == "(2,3):(1,8)");
  CHECK(complement("(2,4):(1,6)", 24) == "3:2");
  CHECK(complement("(2,2):(1,6)", 24) == "(3,2):(2,12)");
  CHECK(complement("4:0", 24) == "24:1");
  CHECK(complement("1:0", 24) == "24:1");
  CHECK(complement("(2,2):(1,1)", 8).find("overlap") != std::string::npos);
  CHECK(complement("(4,10):(1,10)", 100).find("no multiple") != std::string::npos);
  CHECK(complement("4:1", 0).find("refused") == 0);
}

TEST_CASE("complement fills what is free, in order, each offset once") {
  Random random(5);
  int done = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = usual_layout(random, 1 + static_cast<int>(random.below(3)));
    const int64_t target = 1 + static_cast<int64_t>(random.below(96));
    const Result<Layout> c = layout::complement(a, target);
    std::set<int64_t> own;
    for (const int64_t v : image(a)) own.insert(v);
    if (!c) {
      CHECK(!c.error().hint.empty());
      continue;
    }
    INFO(layout::text(a) << " within " << target << " leaves " << layout::text(*c));
    ++done;
    // Strides grow.
    int64_t before = 0;
    for (const Mode& m : layout::flatten(*c)) {
      if (m.size > 1) CHECK(m.stride > before);
      before = m.stride;
    }
    // Together they cover 0 .. without a gap, at least to the target, each offset once.
    std::set<int64_t> both;
    bool once = true;
    for (const int64_t x : own)
      for (const int64_t y : image(*c)) once = both.insert(x + y).second && once;
    CHECK(once);
    CHECK(*both.begin() == 0);
    CHECK(*both.rbegin() == static_cast<int64_t>(both.size()) - 1);
    CHECK(static_cast<int64_t>(both.size()) >= target);
  }
  CHECK(done > 3000);
}

TEST_CASE("divisions: the documentation's examples") {
  CHECK(shown(layout::logical_divide(of("(4,2,3):(2,1,8)"), tiler("4:2"))) == "((2,2),(2,3)):((4,1),(2,8))");
  const Layout a = of("(9,(4,8)):(59,(13,1))");
  const Tiler b = tiler("<3:3,(2,4):(1,8)>");
  CHECK(shown(layout::logical_divide(a, b)) == "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  CHECK(shown(layout::zipped_divide(a, b)) == "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
  CHECK(shown(layout::tiled_divide(a, b)) == "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
  CHECK(shown(layout::composition(a, b)) == "(3,(2,4)):(177,(13,2))");
  CHECK(shown(layout::zipped_divide(of("(8,8,5)"), tiler("<4,2>"))) == "((4,2),(2,4,5)):((1,8),(4,16,64))");
  CHECK(shown(layout::logical_divide(of("8:1"), tiler("<4:1,2:1>"))).find("1") != std::string::npos);
  CHECK_FALSE(layout::logical_divide(of("8:1"), tiler("<4:1,2:1>")));
}

TEST_CASE("a division sorts A's elements: the first mode is A at B, and together they are A, each element once") {
  Random random(6);
  int done = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = usual_layout(random, 1 + static_cast<int>(random.below(3))), b = usual_layout(random, 1 + static_cast<int>(random.below(2)));
    const Result<Layout> d = layout::logical_divide(a, {{b}, false});
    if (!d || size(*d) != size(a)) continue;  // B divides A
    ++done;
    INFO(layout::text(a) << " / " << layout::text(b) << " = " << layout::text(*d));
    CHECK(layout::rank(*d) == 2);
    const Layout flat = layout::coalesce(a);
    std::vector<int64_t> tile = image(layout::mode(*d, 0));
    bool same = true;
    for (int64_t i = 0; i < size(b); ++i) same = same && tile[static_cast<size_t>(i)] == offset(flat, offset(b, i));
    CHECK(same);
    bool injective = true;
    std::set<int64_t> seen;
    for (const int64_t v : image(b)) injective = seen.insert(v).second && injective;
    if (!injective) continue;
    std::vector<int64_t> sorted = image(*d), want = image(a);
    std::sort(sorted.begin(), sorted.end());
    std::sort(want.begin(), want.end());
    CHECK(sorted == want);
  }
  CHECK(done > 1000);
}

TEST_CASE("by mode: tiles and rests are those of each mode") {
  Random random(7);
  int done = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<Layout> modes;
    for (int i = 0; i < 3; ++i) modes.push_back(usual_layout(random, 1 + static_cast<int>(random.below(2))));
    const Layout a = layout::make_layout(modes);
    const Tiler b{{usual_layout(random, 1), usual_layout(random, 1)}, true};
    const Result<Layout> logical = layout::logical_divide(a, b), zipped = layout::zipped_divide(a, b), tiled = layout::tiled_divide(a, b);
    CHECK(static_cast<bool>(logical) == static_cast<bool>(zipped));
    CHECK(static_cast<bool>(logical) == static_cast<bool>(tiled));
    if (!logical) continue;
    ++done;
    INFO(layout::text(a) << " / " << layout::text(b));
    CHECK(layout::mode(*zipped, 0) == *layout::composition(layout::make_layout(std::span(modes).first(2)), b));
    CHECK(layout::rank(*zipped) == 2);
    CHECK(layout::rank(*tiled) == 4);
    for (int i = 0; i < 2; ++i) {
      const Result<Layout> own = layout::logical_divide(modes[static_cast<size_t>(i)], {{b.modes[static_cast<size_t>(i)]}, false});
      CHECK(layout::mode(*logical, i) == *own);
      CHECK(layout::mode(*tiled, i + 1) == layout::mode(*own, 1));
    }
    CHECK(layout::mode(*logical, 2) == modes[2]);
    CHECK(layout::mode(*tiled, 3) == modes[2]);
  }
  CHECK(done > 300);
}

TEST_CASE("products: the documentation's examples, and A again at every place of B") {
  CHECK(shown(layout::logical_product(of("(2,2):(4,1)"), tiler("6:1"))) == "((2,2),(2,3)):((4,1),(2,8))");
  CHECK(shown(layout::logical_product(of("(2,2):(4,1)"), tiler("(4,2):(2,1)"))) == "((2,2),(4,2)):((4,1),(8,2))");
  Random random(8);
  int done = 0;
  for (int round = 0; round < 20000; ++round) {
    const Layout a = usual_layout(random, 1 + static_cast<int>(random.below(2))), b = usual_layout(random, 1 + static_cast<int>(random.below(2)));
    const Result<Layout> p = layout::logical_product(a, {{b}, false});
    if (!p) continue;
    ++done;
    INFO(layout::text(a) << " x " << layout::text(b) << " = " << layout::text(*p));
    CHECK(layout::mode(*p, 0) == a);
    CHECK(layout::compatible(b.shape, layout::mode(*p, 1).shape));
    // Copy i of A starts at the offset number b(i) among those that A's complement leaves, and copies overlap only where B repeats.
    const Result<Layout> free = layout::complement(a, size(a) * cosize(b));
    REQUIRE(free);
    const std::vector<int64_t> starts = image(layout::mode(*p, 1));
    bool same = true;
    std::map<int64_t, int64_t> owner;
    for (int64_t i = 0; i < size(b); ++i) {
      same = same && starts[static_cast<size_t>(i)] == offset(*free, offset(b, i));
      for (const int64_t v : image(a)) {
        const auto [it, first] = owner.emplace(v + starts[static_cast<size_t>(i)], offset(b, i));
        same = same && it->second == offset(b, i);
      }
    }
    CHECK(same);
  }
  CHECK(done > 1000);
}

TEST_CASE("a swizzle is its formula, its own inverse, and keeps rows of 2^(base + shift + bits)") {
  for (int bits = 0; bits <= 4; ++bits)
    for (int base = 0; base <= 4; ++base)
      for (int shift = -5; shift <= 5; ++shift) {
        const layout::Swizzle s{bits, base, shift};
        CHECK(s.why_not().empty() == (std::max(shift, -shift) >= bits));
        if (!s.why_not().empty()) continue;
        std::set<int64_t> seen;
        const int64_t n = int64_t{1} << (bits + base + std::max(shift, -shift));
        bool good = true;
        for (int64_t x = 0; x < n; ++x) {
          // Bit by bit: bit base + i of the lower field takes in bit base + i + |shift| of the upper, or the other way round.
          int64_t want = x;
          for (int i = 0; i < bits; ++i) {
            const int low = base + i, high = base + i + std::max(shift, -shift);
            const int from = shift >= 0 ? high : low, to = shift >= 0 ? low : high;
            want ^= (x >> from & 1) << to;
          }
          good = good && s(x) == want && s(s(x)) == x && s(x) < n && seen.insert(s(x)).second;
        }
        CHECK(good);
      }
  // Swizzle<3,4,3> on rows of 128 bytes: the 16-byte column is added to the row, modulo 8.
  const layout::Swizzle s{3, 4, 3};
  for (int64_t row = 0; row < 8; ++row)
    for (int64_t column = 0; column < 8; ++column) CHECK(s(row * 128 + column * 16) == row * 128 + ((column ^ row) * 16));
}
