// Fragments of nvcuda::wmma, m16n16k16. Memory is read by eight neighboring elements for each lane, half a row or half a column.
#include <cstring>

#include "simt/machine.h"

namespace lk::simt {
namespace {

constexpr int side = 16;
static_assert(fragment_units * lanes == side * side);

// Where element (row, column) of a fragment lies, in words from its first unit.
size_t place(int row, int column) {
  const int lane = row * 2 + column / fragment_units;
  return static_cast<size_t>(column % fragment_units * lanes + lane);
}

}  // namespace

void Machine::matrix_fill(const Micro& m, Warp& warp) {
  uint32_t value[lanes];
  std::memcpy(value, warp.units + m.a, sizeof value);
  for (int j = 0; j < fragment_units; ++j) std::memcpy(warp.units + m.d + j * lanes, value, sizeof value);
}

bool Machine::matrix_memory(const Micro& m, Warp& warp, uint32_t active) {
  const Instr& instr = code_.instructions[m.at];
  const bool loads = instr.op == Op::matrix_load, by_column = instr.imm != 0;
  if (active != ~0u && options_.checks) {
    const uint32_t thread = thread_of(warp, __builtin_ctz(active));
    if (Finding* f = report(Kind::absent_lane, {m.at, thread})) {
      f->what = "A matrix fragment belongs to all 32 lanes of a warp, and not all of them are here.";
      f->hint = "Keep wmma calls out of branches that split a warp, and use blocks of whole warps.";
    }
  }
  const auto size = static_cast<uint64_t>(bytes(instr.type));
  const int count = size == 2 ? 8 : 4;  // 16 bytes at a time
  const auto* base = reinterpret_cast<const uint64_t*>(warp.units + m.a);
  const uint32_t* pitch = warp.units + m.b;
  uint32_t* const staged = warp.units + m.value;
  uint32_t* const fragment = warp.units + m.d;
  const auto exchange = [&](int j, int lane) {
    const int line = lane / 2, within = lane % 2 * fragment_units + j;
    uint32_t& here = fragment[by_column ? place(within, line) : place(line, within)];
    uint32_t& there = staged[j * lanes + lane];
    if (loads) {
      here = there;
    } else {
      there = here;
    }
  };
  const auto all = [&] {
    for (int j = 0; j < fragment_units; ++j)
      for (int lane = 0; lane < lanes; ++lane) exchange(j, lane);
  };
  if (!loads) all();
  Instr part = instr;
  part.op = loads ? Op::load : Op::store;
  part.count = static_cast<uint8_t>(count);
  Micro step = m;
  for (int j = 0; j < fragment_units; j += count) {
    step.d = step.b = static_cast<uint32_t>(m.value) + static_cast<uint32_t>(j * lanes);
    Request r;
    r.micro = &step;
    r.instr = &part;
    r.active = active;
    r.width = count * static_cast<int>(size);
    for (int lane = 0; lane < lanes; ++lane) {
      const uint64_t element = static_cast<uint64_t>(lane / 2) * pitch[lane] + static_cast<uint64_t>(lane % 2 * fragment_units + j);
      r.at[lane] = base[lane] + element * size;
    }
    if (!access_at(r, warp)) return false;
  }
  if (loads) all();
  return true;
}

// d = a * b + c: products are exact and summed as doubles, then rounded once. Tensor cores sum in an order of their own, with fewer bits.
void Machine::matrix_multiply(const Micro& m, Warp& warp) {
  const Instr& instr = code_.instructions[m.at];
  const uint32_t* R = warp.units;
  const bool bf16 = instr.from == Type::bf16, half_sum = instr.type == Type::f16;
  const auto wide = [&](uint32_t x) { return static_cast<double>(bf16 ? BF16::wide(x & 0xFFFF) : F16::wide(x & 0xFFFF)); };
  double a[side][side], b[side][side];
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      a[row][column] = wide(R[m.a + place(row, column)]);
      b[row][column] = wide(R[m.b + place(row, column)]);
    }
  }
  uint32_t result[side * side];
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      const uint32_t c = R[m.c + place(row, column)];
      double sum = half_sum ? static_cast<double>(F16::wide(c & 0xFFFF)) : static_cast<double>(bits_float(c));
      for (int k = 0; k < side; ++k) sum += a[row][k] * b[k][column];
      result[place(row, column)] = half_sum ? F16::narrow(round_to_odd(sum)) : float_bits(static_cast<float>(sum));
    }
  }
  std::memcpy(warp.units + m.d, result, sizeof result);
}

}  // namespace lk::simt
