// What an instruction gives for known operands: the compiler's own arithmetic.
#pragma once
#include <cstdint>
#include <optional>

#include "simt/code.h"
#include "simt/half.h"

namespace lk::simt {

/// Bits as they stand in a register unit: 32-bit values have zeros above, narrow integers are extended to 32 bits.
/// Empty when the operation cannot be done at compile time (division by zero, functions whose last bit may differ).
std::optional<uint64_t> fold(Op op, Type type, Type from, uint64_t a, uint64_t b, uint64_t c);

/// Nearest even, overflow to infinity.
uint16_t half_bits(double v);
double half_value(uint16_t bits);
uint16_t bf16_bits(double v);
double bf16_value(uint16_t bits);
/// Wraps an integer to a type and writes it as a unit holds it.
uint64_t integer_bits(Type type, uint64_t v);
int64_t signed_value(Type type, uint64_t bits);

}  // namespace lk::simt
