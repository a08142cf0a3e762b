// CuTe's coalesce: the same function of integers, written with as few modes as possible.
// Build and run:  g++ -std=c++17 -I cutlass/include -I cuda/include coalesce_cute.cpp -o coalesce && ./coalesce
#include <cstdio>
#include <cute/layout.hpp>

using namespace cute;

template <class A, class B>
bool same_function(const A& a, const B& b) {
  if (size(a) != size(b)) return false;
  for (int i = 0; i < int(size(a)); ++i)
    if (a(i) != b(i)) return false;
  return true;
}

int main() {
  const int pairs = 3;
  // [coalesce]
  // Four words of a row, then two such rows, then three such pairs: no gaps.
  auto rows = Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_4, _8>>>{};
  auto flat = coalesce(rows);
  static_assert(std::is_same_v<decltype(flat), Layout<_24, _1>>);

  // Rows padded to five words: the step from row to row is no longer 4 * 1.
  auto padded = Layout<Shape<_4, Shape<_2, _3>>, Stride<_1, Stride<_5, _10>>>{};
  auto two = coalesce(padded);
  static_assert(std::is_same_v<decltype(two), Layout<Shape<_4, _6>, Stride<_1, _5>>>);

  // How many pairs is known at run time only: what is static merges.
  auto some = make_layout(make_shape(_4{}, make_shape(_2{}, pairs)),
                          make_stride(_1{}, make_stride(_4{}, _8{})));
  auto part = coalesce(some);  // (_8,3):(_1,_8) for pairs = 3
  // [/coalesce]
  const bool right = same_function(rows, flat) && same_function(padded, two) && same_function(some, part);
  print(rows), print("  coalesces to  "), print(flat), print("\n");
  print(padded), print("  coalesces to  "), print(two), print("\n");
  print(some), print("  coalesces to  "), print(part), print("\n");
  std::printf(right ? "same functions\n" : "WRONG\n");

  // [divide]
  auto matrix = Layout<Shape<_8, _8>, Stride<_8, _1>>{};  // 8 x 8, row by row
  auto tiles = zipped_divide(matrix, Shape<_4, _2>{});    // ((4,2),(2,4)):((8,1),(32,2))
  // tiles(place in the tile, which tile)
  // [/divide]
  print(tiles), print("\n");
  return right ? 0 : 1;
}
