// Functions of floats go through the double's and are rounded once more, so that every build gives the same bits: the double results of two
// libraries differ in their last bit at most, which the rounding hides but for one argument in hundreds of millions.
#include <cmath>

#include "simt/machine_alu.h"

namespace lk::simt {
namespace {

constexpr double log2_e = 1.4426950408889634, ln_2 = 0.6931471805599453;

struct Sqrt { template <class T> static T of(T a) { return std::sqrt(a); } };
struct Rcp { template <class T> static T of(T a) { return T{1} / a; } };
struct Rsqrt { static double of(double a) { return 1 / std::sqrt(a); } };
struct Exp { static double of(double a) { return std::exp(a); } };
struct Exp2 { static double of(double a) { return std::exp2(a); } };
struct Exp10 { static double of(double a) { return std::pow(10.0, a); } };
struct Expm1 { static double of(double a) { return std::expm1(a); } };
struct Log { static double of(double a) { return std::log(a); } };
struct Log2 { static double of(double a) { return std::log2(a); } };
struct Log10 { static double of(double a) { return std::log10(a); } };
struct Log1p { static double of(double a) { return std::log1p(a); } };
struct Sin { static double of(double a) { return std::sin(a); } };
struct Cos { static double of(double a) { return std::cos(a); } };
struct Tan { static double of(double a) { return std::tan(a); } };
struct Tanh { static double of(double a) { return std::tanh(a); } };
struct Erf { static double of(double a) { return std::erf(a); } };
struct Pow { static double of(double a, double b) { return std::pow(a, b); } };
// Exact in either type.
struct Floor { template <class T> static T of(T a) { return std::floor(a); } };
struct Ceil { template <class T> static T of(T a) { return std::ceil(a); } };
struct Trunc { template <class T> static T of(T a) { return std::trunc(a); } };
struct Round { template <class T> static T of(T a) { return std::round(a); } };
struct Rint { template <class T> static T of(T a) { return std::nearbyint(a); } };
struct Fmod { template <class T> static T of(T a, T b) { return std::fmod(a, b); } };
struct Copysign { template <class T> static T of(T a, T b) { return std::copysign(a, b); } };
struct Saturate { template <class T> static T of(T a) { return a > 0 ? (a < 1 ? a : T{1}) : T{0}; } };
// ex2 and lg2 of arguments that were scaled, and rounded, as floats.
struct ExpFast { static double of(float a) { return std::exp2(static_cast<double>(a * static_cast<float>(log2_e))); } };
struct LogFast { static float of(float a) { return static_cast<float>(std::log2(static_cast<double>(a))) * static_cast<float>(ln_2); } };
struct DivFast { static float of(float a, float b) { return a * (1 / b); } };
struct PowFast {
  static double of(float a, float b) { return std::exp2(static_cast<double>(b * static_cast<float>(std::log2(static_cast<double>(a))))); }
};

// A float's function by way of the double's.
template <class F>
struct Through {
  static double of(float a) { return F::of(static_cast<double>(a)); }
  static double of(float a, float b) { return F::of(static_cast<double>(a), static_cast<double>(b)); }
};

template <class F>
Alu either(bool f64) { return f64 ? lanes1<F, double, double> : lanes1<Through<F>, float, float>; }
template <class F>
Alu exact(bool f64) { return f64 ? lanes1<F, double, double> : lanes1<F, float, float>; }

}  // namespace

Alu find_function(Op op, Type type) {
  if (type != Type::f32 && type != Type::f64) return nullptr;
  const bool f64 = type == Type::f64;
  switch (op) {
    case Op::sqrt: return exact<Sqrt>(f64);
    case Op::rcp: return exact<Rcp>(f64);
    case Op::rsqrt: return either<Rsqrt>(f64);
    case Op::exp: return either<Exp>(f64);
    case Op::exp2: return either<Exp2>(f64);
    case Op::exp10: return either<Exp10>(f64);
    case Op::expm1: return either<Expm1>(f64);
    case Op::log: return either<Log>(f64);
    case Op::log2: return either<Log2>(f64);
    case Op::log10: return either<Log10>(f64);
    case Op::log1p: return either<Log1p>(f64);
    case Op::sin: case Op::sin_fast: return either<Sin>(f64);
    case Op::cos: case Op::cos_fast: return either<Cos>(f64);
    case Op::tan: return either<Tan>(f64);
    case Op::tanh: return either<Tanh>(f64);
    case Op::erf: return either<Erf>(f64);
    case Op::pow: return f64 ? lanes2<Pow, double, double> : lanes2<Through<Pow>, float, float>;
    case Op::floor: return exact<Floor>(f64);
    case Op::ceil: return exact<Ceil>(f64);
    case Op::trunc: return exact<Trunc>(f64);
    case Op::round: return exact<Round>(f64);
    case Op::rint: return exact<Rint>(f64);
    case Op::fmod: return f64 ? lanes2<Fmod, double, double> : lanes2<Fmod, float, float>;
    case Op::copysign: return f64 ? lanes2<Copysign, double, double> : lanes2<Copysign, float, float>;
    case Op::saturate: return exact<Saturate>(f64);
    case Op::exp_fast: return f64 ? nullptr : lanes1<ExpFast, float, float>;
    case Op::log_fast: return f64 ? nullptr : lanes1<LogFast, float, float>;
    case Op::div_fast: return f64 ? nullptr : lanes2<DivFast, float, float>;
    case Op::pow_fast: return f64 ? nullptr : lanes2<PowFast, float, float>;
    default: return nullptr;
  }
}

}  // namespace lk::simt
