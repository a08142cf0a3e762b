// Bytecode before registers are given out: the same instructions on any number of virtual registers.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/code.h"

namespace lk::simt {

struct Inst {
  Op op = Op::nop;
  Type type = Type::s32, from = Type::s32;
  Space space = Space::generic;
  uint8_t flags = 0, count = 1;
  uint16_t issued = 16;
  int d = -1, a = -1, b = -1, c = -1;  // virtual registers
  int64_t imm = 0;
  uint32_t place = 0;
  bool exact = false;          // not to be contracted
};

/// A virtual register. Those of a group (a vector of memory) have consecutive numbers and stay neighbors.
struct Reg {
  Type type = Type::s32;
  int group = 1;               // of the first one: how many
  int offset = 0;              // from the group's first
};

struct Body {
  std::vector<Inst> entry;     // constants, parameters, special values: before everything else
  std::vector<Inst> code;
  std::vector<Reg> regs;
};

struct Use { bool a = false, b = false, c = false, d = false; };
/// Which fields of an instruction name registers.
Use uses(const Inst& i);
Use uses(Op op, Type type);
/// No effect but its result, which depends on its operands alone.
bool pure(const Inst& i);
bool is_compare(Op op);
/// Opens or closes a structure (if_, else_, end_if, loop, loop_end, frame, ...) or changes the mask.
bool is_control(Op op);
bool is_barrier(Op op);
bool is_atomic(Op op);
bool is_signed(Type t);
bool is_float(Type t);

/// Copy propagation, common subexpressions, contraction to fma, addresses, invariant code, dead code.
void optimize(Body& body, const std::vector<uint64_t>& constants, bool contract);
/// Names the space of each access where the origin of its address is known, and marks loads through parameters whose offsets
/// are in `read_only` (const __restrict__).
void infer_spaces(Body& body, const std::vector<uint64_t>& constants, const std::vector<int>& read_only);
/// Neighboring words of shared memory in one load of two or four, as ptxas does.
void merge_shared_loads(Body& body, const std::vector<uint64_t>& constants);
/// What is uniform, what is a branch, what each instruction costs on a GPU.
void annotate(Body& body, const std::vector<uint64_t>& constants);

/// Costs of loops as they are after unrolling; follows annotate.
void share_loop_costs(Body& body);

struct Allocation {
  std::vector<int> unit;       // of each virtual register, -1 when unused
  int units = 0;
  int registers = 0;           // Kernel::registers
};
Allocation allocate(const Body& body);

}  // namespace lk::simt
