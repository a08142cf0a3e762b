// The register bytecode between the compiler of CUDA C and the machine that runs it: what a kernel is once it is compiled.
// A warp runs one instruction for its 32 lanes at a time. Control flow is structured, so a stack of lane masks is enough.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lk::simt {

constexpr int lanes = 32;

/// What an instruction computes with. A value of 32 bits or less takes one register unit (32 lanes of 32 bits), a value of
/// 64 bits takes two neighboring units that hold 32 lanes of 64 bits. Narrow integers live sign- or zero-extended in a unit,
/// f16 and bf16 in the low half of one, f16x2 and bf16x2 fill one. A predicate is 0 or 1 in a unit. A pointer is u64.
/// A vector of memory (float4) is consecutive values, component by component.
enum class Type : uint8_t { pred, s8, u8, s16, u16, s32, u32, s64, u64, f16, bf16, f16x2, bf16x2, f32, f64 };

constexpr int units(Type type) {
  return type == Type::s64 || type == Type::u64 || type == Type::f64 ? 2 : 1;
}
constexpr int bytes(Type type) {
  switch (type) {
    case Type::pred: case Type::s8: case Type::u8: return 1;
    case Type::s16: case Type::u16: case Type::f16: case Type::bf16: return 2;
    case Type::s64: case Type::u64: case Type::f64: return 8;
    default: return 4;
  }
}

/// Where an address points. Addresses are 64-bit and generic, as in CUDA: one value tells all three apart, so a pointer may be
/// passed around freely. `generic` leaves it to run time, lane by lane; the compiler names the space where it knows it.
enum class Space : uint8_t { generic, global, shared, local };
/// Shared addresses are shared_window + offset in the block's shared memory; local ones local_window + offset in the lane's own.
constexpr uint64_t shared_window = uint64_t{1} << 56;
constexpr uint64_t local_window = uint64_t{2} << 56;

/// Instructions. `d` is the destination unit, `a b c` source units, `imm` a number. Unless said otherwise only active lanes
/// write, `type` is the type of the sources and of the result, and integer arithmetic wraps.
enum class Op : uint8_t {
  nop,
  // Moves. constant: d = constants[imm] (its low bits for 32-bit types), every lane alike. special: d = Special(imm), u32.
  // parameter: d = the kernel's argument at byte imm of its parameters. convert: d = (type)a, where a has type `from`:
  // to integers toward zero and saturating as PTX's cvt.rzi, to narrower floats nearest even.
  move, constant, special, parameter, convert, bits,   // bits: the same bits as another type of the same size
  // Arithmetic. fma: d = a * b + c, one rounding for floats; integers too (IMAD). mul_hi: the upper half of the product.
  // div and rem of integers: a division by zero is a finding and gives all ones (what the hardware gives).
  add, sub, mul, mul_hi, fma, div, rem, neg, abs, min, max,
  // Bits. shr is arithmetic for signed types. Shift counts of the width or more give 0 (or the sign), as PTX clamps them.
  and_, or_, xor_, not_, shl, shr, popc, clz, ffs, brev, funnel_l, byte_perm,
  // Comparisons give a pred; those with a NaN are false but for ne. select: d = c ? a : b (c is a pred unit).
  eq, ne, lt, le, gt, ge, select, is_nan, is_inf,
  // Functions of f32 and f64 (f16 through f32). The fast ones are what __expf and its kin compile to: ex2 and lg2 of scaled
  // arguments; they may differ from the exact ones by what CUDA's programming guide allows.
  sqrt, rsqrt, rcp, exp, exp2, exp10, expm1, log, log2, log10, log1p, sin, cos, tan, tanh, pow, erf, floor, ceil, trunc, round, rint,
  fmod, copysign, exp_fast, log_fast, sin_fast, cos_fast, div_fast, pow_fast, saturate,
  // Memory: address in a (u64) plus imm bytes. load: d, d + 1, ... = `count` values of `type`; store: the values start at b.
  // Together they are one access of count * bytes(type) bytes, which must be aligned to that size.
  load, store,
  // d = old value, memory = old op b (compare_swap: c is the new value, b what is expected). With `unused` nobody reads d.
  atomic_add, atomic_sub, atomic_min, atomic_max, atomic_and, atomic_or, atomic_xor, atomic_exchange, atomic_compare_swap, atomic_inc, atomic_dec,
  fence,  // imm: 0 block, 1 device, 2 system
  // Between the lanes of a warp: c is the unit of the member mask. shuffles: value a, b = delta, lane or lane mask, imm = width.
  shuffle_down, shuffle_up, shuffle_xor, shuffle_index,
  ballot, any, all, active_mask, match_any,            // ballot, any, all: a is a pred
  reduce_add, reduce_min, reduce_max, reduce_and, reduce_or, reduce_xor,
  sync_warp,                                           // c: member mask
  sync_block, sync_block_count, sync_block_and, sync_block_or,  // __syncthreads and its three kin (a: pred, d: s32)
  // Control. Masks: the active mask, the loop's `left` (broken out) and `skipped` (continued), the function's `returned`.
  // if_: saves the mask and keeps the lanes with pred a; when none is left goes to imm (its else_ or end_if).
  // else_: the other lanes of the if_, without those that left, skipped or returned since; when none goes to imm (end_if).
  // end_if: the saved mask, without those that left, skipped or returned since.
  if_, else_, end_if,
  // loop: opens one (top of the stack); imm is the instruction of its loop_end. loop_test: lanes without pred a leave; when none
  // stays goes to imm (loop_end). loop_next: skipped lanes come back. loop_back: goes to imm (after loop) while a lane is active.
  // loop_end: the mask at loop, without those that left an outer loop or returned since.
  loop, loop_test, loop_next, loop_back, loop_end,
  // break_, continue_, return_: the active lanes leave, skip or return; then none is active and control goes to imm, the
  // enclosing else_, end_if, loop_next or loop_end (which restores a mask). return_ inside an inlined function closes at its
  // `frame_end`.
  break_, continue_, return_,
  frame, frame_end,                                    // an inlined function: return_ in it returns lanes only to frame_end
  exit, trap,                                          // the kernel's end; __trap and a failed assert: imm names the place
  // Matrix fragments (nvcuda::wmma, m16n16k16): a fragment's 256 elements lie in eight units. load, store: fragment d (store reads it), address a,
  // elements from one row or column to the next b; imm: 0 row, 1 column major. multiply: d = a * b + c, where a and b have type `from`
  // (f16, bf16) and c and d `type` (f32, f16). fill: every element of d = a.
  matrix_load, matrix_store, matrix_multiply, matrix_fill,
  count_
};

/// The value of Op::special.
enum class Special : uint8_t {
  thread_x, thread_y, thread_z, block_x, block_y, block_z, block_dim_x, block_dim_y, block_dim_z, grid_dim_x, grid_dim_y, grid_dim_z,
  lane, warp_size, clock
};

/// Instr::flags.
enum Flag : uint8_t {
  flag_uniform = 1,    // every active lane computes the same value (known to the compiler)
  flag_volatile = 2,   // memory: not cached in registers, may not be reordered
  flag_readonly = 4,   // memory: through __ldg or const __restrict__
  flag_unused = 8,     // atomics: nobody reads the result
  flag_folded = 16,    // becomes no instruction of its own on a GPU (an address part, a copy the register allocator removes)
  flag_branch = 32,    // if_: compiled to a branch rather than to predicated instructions
  flag_unrolled = 64,  // control of an unrolled loop that is left out of the count
};

struct Instr {
  Op op = Op::nop;
  Type type = Type::s32;
  Type from = Type::s32;       // convert and bits: the type of a; comparisons: as type
  Space space = Space::generic;
  uint8_t flags = 0;
  uint8_t count = 1;           // values of a memory access; loop_back: trips that a GPU's compiler makes one, so that every count-th is a branch
  uint16_t issued = 16;        // machine instructions it stands for on a GPU, in sixteenths; 0 with flag_folded
  uint16_t d = 0, a = 0, b = 0, c = 0;
  int32_t imm = 0;
  uint32_t place = 0;          // index into Program::places
};
static_assert(sizeof(Instr) == 24);

/// A stretch of source. Lines and columns count from 1, columns in bytes; `inlined` is the index of the call that this was
/// inlined at, or -1.
struct Span {
  int line = 0, column = 0, end_line = 0, end_column = 0;
  int inlined = -1;
};

struct Parameter {
  std::string name;
  std::string type;            // as the source spells it
  Type value = Type::u64;      // pointers: u64
  bool pointer = false, constant = false, restricted = false;
  Type element = Type::f32;    // of a pointer
  int element_count = 1;       // 4 for float4*
  int offset = 0;              // in the argument bytes
};

/// A __shared__ variable, for reports.
struct SharedVariable {
  std::string name;
  int offset = 0, size = 0;    // bytes; size 0: extern, as large as the launch says
  Type element = Type::f32;
  std::vector<int> extents;    // [32][33]
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  int parameter_bytes = 0;
  int begin = 0, end = 0;      // its code
  int units = 0;               // register units in use
  int shared_bytes = 0;        // static
  bool dynamic_shared = false; // declares extern __shared__
  int dynamic_offset = 0;      // where that begins
  int local_bytes = 0;         // of each lane: arrays indexed at run time
  int registers = 0;           // estimate of the 32-bit registers a thread needs on a GPU
  int max_threads = 0, min_blocks = 0;  // __launch_bounds__, 0 when absent
  std::vector<SharedVariable> shared;
  Span at;                     // its signature
};

struct Program {
  std::string file;
  std::vector<Kernel> kernels;
  std::vector<Instr> code;
  std::vector<uint64_t> constants;
  std::vector<Span> places;
  /// The kernel of that name, or nullptr.
  const Kernel* find(std::string_view name) const;
};

/// Checks what the machine relies on: units, targets, nesting, constants, sizes. An Error names the first instruction that is wrong.
Result<bool> verify(const Program& program);

/// One line for each instruction, with places: for tests and `lk run --code`.
std::string listing(const Program& program, const Kernel& kernel);

std::string_view name(Op op);
std::string_view name(Type type);

}  // namespace lk::simt
