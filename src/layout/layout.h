// CuTe's layouts: nested shapes and strides, and their algebra. A layout is a function from coordinates to offsets; here it is always
// finite, with sizes of at least 1 and strides of at least 0. The definitions are those of CUTLASS's documentation ("CuTe Layouts",
// "CuTe Layout Algebra"); what they leave undefined is refused with the reason.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lk::layout {

/// An integer, or a tuple of such (one item at least).
struct Tuple {
  int64_t value = 0;
  std::vector<Tuple> items = {};
  Tuple() = default;
  Tuple(int64_t v) : value(v) {}
  Tuple(std::vector<Tuple> parts) : items(std::move(parts)) {}
  bool leaf() const { return items.empty(); }
  bool operator==(const Tuple& other) const { return items == other.items && (!leaf() || value == other.value); }
};

/// shape and stride have the same nesting.
struct Layout {
  Tuple shape = 1, stride = 0;
  bool operator==(const Layout&) const = default;
};

/// A size and its stride: the leaves of a layout.
struct Mode {
  int64_t size = 1, stride = 0;
  bool operator==(const Mode&) const = default;
};

constexpr int most_leaves = 32, most_depth = 8;
constexpr int64_t most_size = int64_t{1} << 31, most_offset = int64_t{1} << 53;  // of a layout; larger ones are refused

/// "((4,2),8):((2,16),8)"; blanks are free. Without strides they are those of a compact column-major layout: "(4,8)" is (4,8):(1,4).
/// Errors: the place in the text, what was expected.
Result<Layout> parse(std::string_view text);
std::string text(const Tuple& tuple);
std::string text(const Layout& layout);

/// Layouts by mode, "<3:3,(2,4):(1,8)>", or one for all, "4:2". An integer n is n:1.
struct Tiler {
  std::vector<Layout> modes;
  bool by_mode = false;
};
Result<Tiler> parse_tiler(std::string_view text);
std::string text(const Tiler& tiler);

/// Number of coordinates; largest offset and 1.
int64_t size(const Tuple& shape);
int64_t size(const Layout& layout);
int64_t cosize(const Layout& layout);

/// Modes at the top: 1 for an integer.
int rank(const Layout& layout);
Layout mode(const Layout& layout, int which);
Layout make_layout(std::span<const Layout> modes);
std::vector<Mode> flatten(const Layout& layout);
/// Strides of a compact layout, first mode fastest.
Layout column_major(const Tuple& shape);

/// The offset of a one-dimensional coordinate, the first mode counting fastest. Beyond size(layout) the last mode goes on.
int64_t offset(const Layout& layout, int64_t index);
/// The coordinate of that number, nested like the shape: idx2crd(16, (3,(2,3))) is (1,(1,2)).
Tuple idx2crd(int64_t index, const Tuple& shape);
/// The offset of a coordinate that is an integer wherever the shape is one or more deeply nested. Refused: other nestings, and
/// numbers outside the shape.
Result<int64_t> crd2idx(const Tuple& coordinate, const Layout& layout);
/// The number of a coordinate.
Result<int64_t> crd2num(const Tuple& coordinate, const Tuple& shape);

/// Any coordinate within `a` is one within `b`: the same nesting, where b may be nested deeper with the same size.
bool compatible(const Tuple& a, const Tuple& b);

/// The same function with as few modes as possible: sizes of 1 go, and s0:d0 with s1:d1 become one where d1 = s0 * d0.
Layout coalesce(const Layout& layout);
/// The same for each mode on its own.
Layout coalesce_modes(const Layout& layout);

/// R with R(c) = A(B(c)), nested like B or deeper. The stride d of each leaf s:d of B is divided out of A's shape from the left, then s is
/// kept of it. Where B reaches beyond A's size, A goes on along its last mode, as in CuTe.
/// Refused: a stride and a size of A of which neither divides the other, unless the leaf ends within that size; a leaf that ends
/// amid a mode of A that it goes beyond; leaves whose sum carries from one mode of A into the next. (CuTe checks less and then gives another function.)
Result<Layout> composition(const Layout& a, const Layout& b);
Result<Layout> composition(const Layout& a, const Tiler& b);

/// The layout that fills what `a` leaves free in 0 .. target-1 and repeats it: in order of strides, (d / cur):cur, then cur = s * d, at
/// the end ceil(target / cur):cur. Strides of 0 count for nothing. Refused: a layout that meets an offset twice or leaves holes that are no multiple.
Result<Layout> complement(const Layout& a, int64_t target);

/// A o (B, complement(B, |A|)): what B points to, and how that repeats.
Result<Layout> logical_divide(const Layout& a, const Tiler& b);
/// By mode: ((tiles), (rests and further modes)), and with the rests as modes of their own. For one tiler: logical_divide.
Result<Layout> zipped_divide(const Layout& a, const Tiler& b);
Result<Layout> tiled_divide(const Layout& a, const Tiler& b);

/// (A, complement(A, |A| * cosize(B)) o B): A, repeated as B says.
Result<Layout> logical_product(const Layout& a, const Tiler& b);

/// x ^ ((x & mask << (base + shift)) >> shift), mask = 2^bits - 1: bits of the row are added into those of the column. A negative
/// shift moves the other way. CuTe's Swizzle<bits, base, shift>.
struct Swizzle {
  int bits = 0, base = 0, shift = 0;
  int64_t operator()(int64_t x) const;
  /// Why CuTe has no such swizzle; empty when it has.
  std::string why_not() const;
};

}  // namespace lk::layout
