// The device table: content/devices.json as values. Every number carries where it comes from, and what is missing says why.
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

/// A number with its sources. `other` holds what a second source says when they disagree. What a device does not have, or nobody
/// has published, is `absent` with the reason and no number: "it has no cache", "Google publishes none".
struct Sourced {
  double v = 0;
  std::vector<std::string> sources;  // ids of content/reading.json or addresses
  std::string note;
  struct Other {
    double v = 0;
    std::string source, note;
  };
  std::vector<Other> other;
  std::string absent = {};
  bool known() const { return v > 0; }
  /// Why there is no number, for people; empty when there is one.
  std::string missing() const { return known() ? std::string() : absent.empty() ? "the number is not known" : absent; }
};

/// Words with their sources: "TSMC 4N". Empty when absent.
struct Named {
  std::string name;
  std::vector<std::string> sources;
  std::string note, absent;
};

struct Peak {
  Type type;
  Sourced flops;  // dense, FLOP/s
};

/// What joins the device to others of its kind at more than the bus of the host gives.
struct Link {
  std::string name;  // "NVLink 4"
  Sourced total;     // bytes/s of one device over all its links, both directions added, as vendors print it
  double per_direction() const { return total.v / 2; }
};

struct Device {
  std::string id;            // "h200"
  std::string name;          // "H200 SXM"
  std::string vendor;        // "NVIDIA"
  std::string family;        // the heading that lists put it under: "NVIDIA Hopper"; devices of a family stand together
  std::string architecture;  // "Hopper"
  std::string year;          // of first shipment
  int cc_major = 0, cc_minor = 0;  // compute capability, 0.0 for other vendors
  int sms = 0;               // multiprocessors, or what takes their place
  std::string core = "multiprocessor";  // what the vendor calls one of them
  Sourced cores;             // `sms` with its sources
  Sourced clock_hz;          // boost
  Sourced memory_bytes;      // decimal, as sold
  Sourced bandwidth;         // bytes/s, peak
  Sourced l2_bytes;          // of the whole device
  Link link;
  Sourced power;             // watts, the limit that it is sold with
  Sourced dies;              // with logic, without memory stacks
  Sourced transistors;       // of all dies
  Named process;             // "TSMC 4N"
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

/// The same table for pages: names, families, capabilities, multiprocessors, memory, bandwidth and peaks as bare numbers, and reasons why one
/// is absent. A figure that computes with more (clocks, caches, links) adds it here; a test says when pages lack something.
std::string write_bare(const Devices& devices);
Devices load_bare(const json::Value& root, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::gpu
