// The device table: content/devices.json as values. Every number carries where it comes from.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"

namespace lk::gpu {

/// Element types with a matrix or vector peak. `fp32` is the CUDA-core rate, the others dense matrix rates.
enum class Type : uint8_t { fp64, fp32, tf32, fp16, bf16, fp8, fp6, fp4, int8 };
std::string_view id(Type type);     // "bf16"
std::string_view label(Type type);  // "BF16"
std::optional<Type> type_of(std::string_view id);
double bytes(Type type);            // bytes per element in memory (fp4: 0.5)

/// A number with its sources. `other` holds what a second source says when they disagree.
struct Sourced {
  double v = 0;
  std::vector<std::string> sources;  // ids of content/reading.json or addresses
  std::string note;
  struct Other {
    double v = 0;
    std::string source, note;
  };
  std::vector<Other> other;
};

struct Peak {
  Type type;
  Sourced flops;  // dense, FLOP/s
};

struct Device {
  std::string id;          // "h200"
  std::string name;        // "H200 SXM"
  std::string vendor;      // "NVIDIA"
  std::string year;        // of first shipment
  int cc_major = 0, cc_minor = 0;  // compute capability, 0.0 for other vendors
  int sms = 0;             // multiprocessors (or their equivalent)
  Sourced clock_hz;        // boost
  Sourced memory_bytes;    // decimal, as sold
  Sourced bandwidth;       // bytes/s, peak
  Sourced l2_bytes;
  std::vector<Peak> peaks;
  std::optional<double> peak(Type type) const;  // FLOP/s, dense
};

struct Devices {
  std::vector<Device> all;
  std::string fallback;  // id of the book's default device
  const Device* find(std::string_view id) const;
  /// The default device; exists whenever `all` is not empty.
  const Device& standard() const { return *find(fallback); }
};

/// Loads devices.json; problems carry places in `file`. On any error the result is what could be read.
Devices load_devices(const json::Value& root, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::gpu
