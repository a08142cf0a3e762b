#include "gpu/calibration.h"

#include <algorithm>

namespace lk::gpu {
namespace {

template <class Group>
struct Member {
  std::string_view key;
  double Group::*at;
};

using K = KernelConstants;
constexpr Member<K> kernel_members[] = {
    {"launch_cold", &K::launch_cold}, {"launch_warm", &K::launch_warm}, {"prologue", &K::prologue}, {"dispatch", &K::dispatch},
    {"ramp", &K::ramp}, {"fill", &K::fill}, {"outer_norm", &K::outer_norm}, {"inner_norm", &K::inner_norm},
    {"dram_latency", &K::dram_latency}, {"l2_latency", &K::l2_latency}, {"l1_latency", &K::l1_latency},
    {"shared_latency", &K::shared_latency}, {"alu_latency", &K::alu_latency}, {"shuffle_latency", &K::shuffle_latency},
    {"special_latency", &K::special_latency}, {"barrier_base", &K::barrier_base}, {"barrier_per_warp", &K::barrier_per_warp},
    {"barrier_arrival", &K::barrier_arrival}, {"branch", &K::branch}, {"load_floor", &K::load_floor}, {"store_line", &K::store_line},
    {"l2_sectors", &K::l2_sectors}, {"l2_lines", &K::l2_lines}, {"l2_full", &K::l2_full}, {"l2_partial", &K::l2_partial},
    {"bandwidth", &K::bandwidth}, {"turnaround", &K::turnaround}, {"activation", &K::activation}, {"dirty", &K::dirty},
    {"dirty_bytes", &K::dirty_bytes}, {"dirty_writes", &K::dirty_writes}, {"absorbed", &K::absorbed}, {"resident", &K::resident},
    {"resident_ramp", &K::resident_ramp}, {"atomic_lanes", &K::atomic_lanes}, {"atomic_sectors", &K::atomic_sectors},
};

using L = LibraryConstants;
constexpr Member<L> library_members[] = {
    {"launch", &L::launch}, {"gemm_fill", &L::gemm_fill}, {"gap", &L::gap}, {"efficiency_bf16", &L::efficiency_bf16},
    {"efficiency_fp8", &L::efficiency_fp8}, {"efficiency_tf32", &L::efficiency_tf32}, {"efficiency_fp32", &L::efficiency_fp32},
    {"few_warps", &L::few_warps}, {"wave", &L::wave}, {"l2_bytes", &L::l2_bytes}, {"bandwidth", &L::bandwidth},
    {"output_share", &L::output_share}, {"dirty", &L::dirty}, {"dirty_bytes", &L::dirty_bytes}, {"split", &L::split},
    {"unaligned", &L::unaligned}, {"fused_128", &L::fused_128}, {"fused_64", &L::fused_64}, {"flash_128", &L::flash_128},
    {"flash_64", &L::flash_64}, {"attention_wave", &L::attention_wave}, {"attention_mask", &L::attention_mask},
    {"attention_fill", &L::attention_fill}, {"attention_split", &L::attention_split}, {"decode", &L::decode},
    {"decode_split", &L::decode_split}, {"elementwise", &L::elementwise}, {"elementwise_fill", &L::elementwise_fill},
    {"softmax", &L::softmax}, {"host", &L::host}, {"host_hidden", &L::host_hidden},
};

double read_constant(json::Reader& group, std::string_view key, std::string_view file, std::vector<Problem>& problems) {
  const json::Value* value = group.object(key, true);
  if (!value) return 0;
  json::Reader r(*value, file, problems);
  const double v = r.number("v");
  const std::string how = r.text("how");
  if (how != "measured" && how != "fitted" && how != "datasheet")
    r.problem(*value, "\"" + how + "\" is no way to find a constant", "known: measured, fitted, datasheet");
  r.text("note", "");
  r.done();
  if (!(v >= 0)) r.problem(*value, '"' + std::string(key) + "\" must not be negative");
  return v;
}

template <class Group, size_t N>
void read_group(const json::Value* value, Group& into, const Member<Group> (&members)[N], std::string_view file, std::vector<Problem>& problems) {
  if (!value) return;
  json::Reader r(*value, file, problems);
  for (const Member<Group>& m : members) into.*m.at = read_constant(r, m.key, file, problems);
  r.done();
}

void take_device(Calibration& c, const Device& d) {
  c.device = d.id;
  c.sms = d.sms;
  c.clock = d.clock_hz.v / 1e6;
  c.datasheet_bandwidth = d.bandwidth.v / 1e6;
  for (const Peak& p : d.peaks) {
    // Vendors quote rates of matrix units at clocks of their own; a unit's width is a power of two operations in a cycle.
    const double exact = p.flops.v / d.sms / d.clock_hz.v;
    double power = 1;
    while (power * 1.5 < exact) power *= 2;
    c.peak_per_cycle[static_cast<size_t>(p.type)] = power;
  }
}

}  // namespace

Calibration load_calibration(const json::Value& root, const Devices& devices, std::string_view file, std::vector<Problem>& problems) {
  Calibration c;
  json::Reader r(root, file, problems);
  c.device = r.text("device");
  r.text("method");
  if (const Device* d = devices.find(c.device))
    take_device(c, *d);
  else if (const json::Value* at = root.find("device"))
    r.problem(*at, "the device \"" + c.device + "\" is not in the device table", "its entry in devices.json says clock, SMs and peaks");
  c.measured_on = c.device;
  read_group(r.object("kernel", true), c.kernel, kernel_members, file, problems);
  read_group(r.object("library", true), c.library, library_members, file, problems);
  double before = 0;
  for (const json::Value& pair : r.array("atomic_slices", true)) {
    json::Reader p(pair, file, problems);
    const double lines = p.number("lines"), busy = p.number("slices");
    p.done();
    if (!(lines > before) || !(busy > 0)) p.problem(pair, "lines must grow from entry to entry, and slices be above zero");
    before = lines;
    c.atomic_slices.emplace_back(lines, busy);
  }
  r.done();
  return c;
}

Calibration carried_to(const Device& to, const Calibration& from, const Devices& devices) {
  Calibration c = from;
  const Device* source = devices.find(from.device);
  if (!source || source->id == to.id) return c;
  take_device(c, to);
  const double memory = to.bandwidth.v / source->bandwidth.v;
  const double chip = to.sms * to.clock_hz.v / (source->sms * source->clock_hz.v);
  const double cache = to.l2_bytes.v / source->l2_bytes.v;
  for (double K::*rate : {&K::l2_sectors, &K::l2_lines, &K::l2_full, &K::l2_partial, &K::atomic_lanes, &K::atomic_sectors}) c.kernel.*rate *= chip;
  for (double K::*size : {&K::dirty_bytes, &K::dirty_writes, &K::absorbed, &K::resident, &K::resident_ramp}) c.kernel.*size *= cache;
  c.kernel.bandwidth *= memory;
  c.kernel.dirty *= cache / memory;
  c.library.bandwidth *= memory;
  c.library.dirty *= cache / memory;
  c.library.dirty_bytes *= cache;
  c.library.elementwise *= chip;
  c.library.softmax *= chip;
  return c;
}

}  // namespace lk::gpu
