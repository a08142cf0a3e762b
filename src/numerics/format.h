// The number formats of GPUs, bit by bit: every pattern decoded exactly, every value encoded with one rounding.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lk::numerics {

enum class Format : uint8_t { e4m3, e5m2, e3m2, e2m3, e2m1, e8m0, bf16, fp16, tf32, fp32 };
constexpr size_t format_count = 10;

/// What the largest exponent is spent on. ieee: infinities and NaNs. nan: one NaN for each sign, the pattern of ones alone
/// (E4M3; E8M0 without signs); none: numbers only.
enum class Specials : uint8_t { ieee, nan, none };

/// 1 sign bit (none in E8M0), `exponent` bits with `bias`, `mantissa` bits, from the top.
struct Spec {
  Format format;
  const char* id;    // "e4m3"
  const char* name;  // "E4M3"
  int exponent, mantissa, bias;
  Specials specials;
  bool sign = true;
  constexpr int bits() const { return (sign ? 1 : 0) + exponent + mantissa; }
  constexpr uint32_t patterns_end() const { return bits() == 32 ? 0xFFFFFFFFu : (1u << bits()) - 1; }  // the last pattern
  constexpr uint32_t sign_bit() const { return sign ? 1u << (bits() - 1) : 0; }
};

/// Sources: E4M3 and E5M2 from "FP8 Formats for Deep Learning" (Micikevicius et al. 2022) and OCP's OFP8; E3M2, E2M3, E2M1 and
/// E8M0 from OCP's Microscaling Formats 1.0; BF16, FP16, TF32 (19 bits of a 32-bit word) from the PTX manual; FP32 is IEEE 754 binary32.
const Spec& spec(Format format);

/// The format of an id ("e4m3"); empty when there is none.
std::optional<Format> find_format(std::string_view id);

enum class Kind : uint8_t { zero, subnormal, normal, infinity, nan };
Kind kind(Format format, uint32_t bits);

/// The value of a pattern; bits above the format's width are ignored. Every finite value is exact in a double.
/// (-1)^s * 2^(e - bias) * (1 + m / 2^mantissa), and for e = 0: (-1)^s * 2^(1 - bias) * m / 2^mantissa. E8M0: 2^(e - 127).
double decode(Format format, uint32_t bits);

/// What becomes of values that round beyond the largest number. saturate: that number, also from infinity. special: infinity
/// where the format has one, else NaN, else that number.
enum class Overflow : uint8_t { saturate, special };

/// The pattern of the nearest number, of two equally near ones the one whose last bit is 0 (round to nearest even), as CUDA's
/// cuda_fp8.h, cuda_fp6.h, cuda_fp4.h, cuda_bf16.h and cuda_fp16.h convert. The sign of zero stays. NaN becomes the positive
/// pattern of ones, and the largest positive number where there is no NaN. E8M0 has no nearest: see encode_scale(); here down.
uint32_t encode(Format format, double value, Overflow overflow = Overflow::saturate);

/// E8M0 of |value|: the power of two below or above it (values under 2^-127 give 2^-127), as __nv_cvt_float_to_e8m0
/// with cudaRoundZero and cudaRoundPosInf. Above 2^127: 2^127 or, with Overflow::special, NaN (0xFF), which NaN always gives.
enum class Toward : uint8_t { down, up };
uint8_t encode_scale(double value, Toward toward, Overflow overflow = Overflow::saturate);

/// The largest finite number, the smallest normal and the smallest positive one.
double largest(Format format);
double smallest_normal(Format format);
double smallest(Format format);
/// Exponent of the largest finite number: floor(log2(largest)). OCP's emax.
int emax(Format format);
/// Patterns that are finite numbers; both zeros count.
uint64_t finite_patterns(Format format);

/// The next number above or below a finite pattern; nothing when there is none. From either zero: the smallest of that sign.
std::optional<uint32_t> next(Format format, uint32_t bits, bool up);

/// Distance between a finite pattern's number and the next one away from zero within its binade (a unit in the last place).
/// E8M0: the number itself.
double spacing(Format format, uint32_t bits);

}  // namespace lk::numerics
