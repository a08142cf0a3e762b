// What arrays hold before a launch: reproducible numbers, the same here and in the program that measures kernels on a GPU.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "simt/code.h"

namespace lk::simt {

/// nothing: no value at all (reading it is a finding). random: floats in [0, 1) with 24 bits, integers from 0 to 255.
enum class Fill : uint8_t { nothing, zeros, ones, iota, random };

std::string_view name(Fill fill);

/// 32 well mixed bits of a position: two rounds of multiplication and shifts (constants of the low-bias family of "hash-prospector").
uint32_t scramble(uint64_t position);

/// Writes elements `first`, `first` + 1, ... of an array of `element` into `bytes`, whose size is a multiple of the element's.
void fill(std::span<uint8_t> bytes, Fill kind, Type element, uint64_t first, uint64_t seed);

}  // namespace lk::simt
