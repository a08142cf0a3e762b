// How often one warp access goes through the 32 banks of shared memory. Measured rules, exact on all 120 patterns they were fitted to.
#pragma once
#include <cstdint>
#include <span>

#include "gpu/transactions.h"

namespace lk::gpu {

constexpr int bank_count = 32;  // bank of a byte: (address >> 2) & 31
constexpr int bank_bytes = 4;

/// What the lanes do at their addresses. `atomic` is one whose old value is used or whose operand differs between lanes;
/// `atomic_merged` adds the same constant everywhere and nobody reads the result, so the hardware adds the lanes up first.
enum class BankUse : uint8_t { load, store, atomic, atomic_merged };

/// Passes (wavefronts) of one access: the sum over its phases of the largest number of distinct 4-byte words that fall into one bank.
/// Phases, as measured on an H200 with Nsight Compute's l1tex__data_pipe_lsu_wavefronts_mem_shared:
///   32 bits or less                1
///   64-bit load                    2, the half-warps; 1 if every active lane l has the address of lane l^1, or every one that of l^2
///   128-bit load                   4, the quarter-warps; 2 half-warps under the same test
///   64-bit, 128-bit store          2, 4
///   atomic                         as a load of its width without the test, and lanes that share a word count one by one
///   atomic_merged                  as a store
/// A partner that is not active passes the test; a phase without an active lane takes no pass. 64-bit atomics were not measured.
/// `addresses` holds one for each lane (those outside `active` are not looked at), each a multiple of `width`: 1, 2, 4, 8 or 16 bytes.
/// 0 when no lane is active.
int wavefronts(std::span<const uint64_t, warp_lanes> addresses, uint32_t active, int width, BankUse use);

/// The same for all 32 lanes at first + lane * stride bytes with a width of at most 4, in closed form where there is one: stride s
/// in words gives gcd(s, 32) passes. 0 where the general rule has to be asked.
int wavefronts_strided(uint64_t first, int64_t stride, int width, BankUse use);

/// What as many bytes take when no bank is asked twice: ceil(bytes / 128), at least 1.
int ideal_wavefronts(int64_t bytes);

}  // namespace lk::gpu
