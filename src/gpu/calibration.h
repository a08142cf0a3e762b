// Constants of the time models for one device, as measured or fitted: content/calibrations/<device>.json.
//
// Times are microseconds and rates are per microsecond, as in the tables of measurements; cycles are those of the SM's clock.
// The file says of each constant how it was found: "measured" by a small kernel of its own, "fitted" to the table, "datasheet".
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "gpu/device.h"

namespace lk::gpu {

/// Of the model of kernels that are written by hand (kernel_time.h).
struct KernelConstants {
  double launch_cold = 0, launch_warm = 0;   // an empty launch between two events: while the device is still busy, and idle
  double prologue = 0;                       // first instructions and parameters
  double dispatch = 0, ramp = 0;             // of each block; share of the first wave's dispatch that nothing hides
  double fill = 0;                           // share of one DRAM latency that is exposed before the pipe is full
  double outer_norm = 0, inner_norm = 0;     // exponents: how terms of the chip, and of one SM, blend
  double dram_latency = 0, l2_latency = 0, l1_latency = 0, shared_latency = 0, alu_latency = 0, shuffle_latency = 0, special_latency = 0;
  double barrier_base = 0, barrier_per_warp = 0, barrier_arrival = 0;  // cycles: latency; SM cycles for each warp that arrives
  double branch = 0;                         // extra issue slots for each branch
  double load_floor = 0, store_line = 0;     // LSU cycles: least of a global access; for each 128 B line of a store
  double l2_sectors = 0, l2_lines = 0;       // read: 32 B sectors, and lines when each gives one sector
  double l2_full = 0, l2_partial = 0;        // written: whole sectors, and parts of sectors
  double bandwidth = 0, turnaround = 0, activation = 0;  // DRAM: bytes; relative cost of mixing reads and writes, and of rows opened for little
  double dirty = 0, dirty_bytes = 0, dirty_writes = 0, absorbed = 0;  // changed lines that a flush left in the L2: time, bytes over which it is paid
  double resident = 0, resident_ramp = 0;    // bytes: re-reads hit the L2 up to the first, miss it beyond both together
  double atomic_lanes = 0, atomic_sectors = 0;  // lanes on one address in one slice; sector operations of the chip
};

/// Of the models of library kernels (library_time.h).
struct LibraryConstants {
  double launch = 0, gemm_fill = 0, gap = 0;
  double efficiency_bf16 = 0, efficiency_fp8 = 0, efficiency_tf32 = 0, efficiency_fp32 = 0, few_warps = 0;
  double wave = 0, l2_bytes = 0, bandwidth = 0, output_share = 0, dirty = 0, dirty_bytes = 0, split = 0, unaligned = 0;
  double fused_128 = 0, fused_64 = 0, flash_128 = 0, flash_64 = 0, attention_wave = 0, attention_mask = 0, attention_fill = 0, attention_split = 0;
  double decode = 0, decode_split = 0;
  double elementwise = 0, elementwise_fill = 0, softmax = 0, host = 0, host_hidden = 0;
};

struct Calibration {
  std::string device;       // whose constants these are
  std::string measured_on;  // the device that they were measured on: another one when they were carried over
  int sms = 0;
  double clock = 0;         // SM cycles per microsecond
  KernelConstants kernel;
  LibraryConstants library;
  std::array<double, 9> peak_per_cycle{};  // FLOP per cycle and SM, dense, by Type; 0 where the device has none
  std::vector<std::pair<double, double>> atomic_slices;  // lines that atomics touch -> slices of the L2 that they keep busy
  double datasheet_bandwidth = 0;  // bytes per microsecond
  bool carried_over() const { return device != measured_on; }
};

/// Reads a calibration; problems carry places in `file`. The device must be in the table: clock, SMs and peaks are its own.
Calibration load_calibration(const json::Value& root, const Devices& devices, std::string_view file, std::vector<Problem>& problems);

/// The same constants for a device that nobody measured: rates of memory scale with its bandwidth, those of the L2 with SMs and
/// clock, capacities with its L2; latencies in cycles and efficiencies stay. A guess, and to be labelled as one.
Calibration carried_to(const Device& to, const Calibration& from, const Devices& devices);

}  // namespace lk::gpu
