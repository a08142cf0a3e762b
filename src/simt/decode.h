// A kernel's code as the machine walks it: jumps resolved by the nesting, each operation bound to its function over the lanes.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/code.h"
#include "simt/machine_alu.h"

namespace lk::simt {

/// What the machine does next. One Instr becomes none, one or two of these.
enum class Act : uint8_t {
  segment,      // straight code begins here: value is its number
  alu, divide, half, half_compare, fma_half,
  broadcast,    // the bits of `value` in every lane
  special, memory, fence,
  shuffle, vote, match, reduce, sync_warp, sync_block, sync_block_vote,
  if_, else_, end_if, loop, loop_test, loop_next, loop_back, loop_end, leave_loop, next_trip, return_, frame, frame_end, exit, trap,
  matrix_fill, matrix_memory, matrix_multiply
};

/// Registers are counted in words here: unit * 32.
struct Micro {
  Act act = Act::segment;
  bool extra = false;       // belongs to the Instr of the one before it
  uint8_t blended = 0;      // units of d that are blended when lanes are inactive
  uint32_t at = 0;          // index of its Instr in Kernel::begin ..
  uint32_t d = 0, a = 0, b = 0, c = 0;
  uint32_t target = 0;      // if_: else_ or end_if; loop_test: loop_end; loop_back: behind loop; others: the next join
  Alu f = nullptr;
  uint64_t value = 0;
};

/// Code that runs from its first to its last instruction with one mask.
struct Segment {
  uint32_t first = 0, end = 0;  // instructions, from Kernel::begin
};

struct Decoded {
  std::vector<Micro> code;
  std::vector<Segment> segments;
  const Instr* instructions = nullptr;  // at Kernel::begin
  int depth = 0;                        // most masks saved at once
  uint32_t units = 0;                   // with those that only the machine uses
  int shared_granule = 4, global_granule = 4;  // bytes of the smallest access, for races
  bool device_fence = false;            // blocks may order their accesses among themselves
  bool stores = false;                  // it writes to global memory
};

/// `parameters` are the argument bytes. An Error names the first instruction that cannot run: registers or constants out of range, a jump
/// that does not nest, an operation that its type does not have.
Result<Decoded> decode(const Program& program, const Kernel& kernel, const std::vector<uint8_t>& parameters);

/// Units that an operation reads and writes, for dependences: a first unit and how many.
struct Operand {
  uint32_t unit = 0, count = 0;
};
struct Operands {
  Operand d, a, b, c;
};
Operands operands(const Instr& instr);

bool is_memory(Op op);
bool is_atomic(Op op);
bool is_shuffle(Op op);

/// A fragment of m16n16k16 is 256 elements, eight to a lane and one to a unit: lane l holds row l / 2, columns 8 * (l % 2) and on, whatever
/// the layout in memory. (What the hardware does is its own business, as CUDA leaves it.)
constexpr int fragment_units = 8;

}  // namespace lk::simt
