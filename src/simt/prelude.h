// What every source sees: CUDA's types, functions and constants, declared in CUDA C itself.
#pragma once
#include <string_view>

#include "simt/code.h"

namespace lk::simt {

std::string_view prelude();

/// Functions of the prelude without a body are one operation of the machine or close to it.
enum class Builtin : uint8_t {
  simple,      // d = op(a, b, c), all of the first parameter's type
  exact,       // the same, never contracted
  bits, convert_rn, convert_rd, convert_ru, convert_rz,
  shuffle, ballot, vote, active_mask, match_any, reduce, sync, sync_count, sync_warp, fence, atomic, compare_swap, load, store, clock, clock64, trap,
  join
};
struct BuiltinRow {
  std::string_view name;
  Builtin kind;
  Op op;
  int extra = 0;
};
/// The index of a function's row, or -1.
int find_builtin(std::string_view name);
const BuiltinRow& builtin_row(int index);

}  // namespace lk::simt
