#include "simt/run.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/random.h"
#include "simt/machine.h"

namespace lk::simt {
namespace {

constexpr uint32_t most_threads = 1024, most_x = 1024, most_z = 64;
constexpr uint32_t most_grid_x = 0x7FFFFFFF, most_grid_yz = 65535;
constexpr uint64_t most_shared = 227 * 1024;           // of a block on an H200
constexpr uint64_t most_register_words = 1u << 26;     // 256 MiB
constexpr uint64_t most_local_bytes = 1u << 28;

std::string text(const Extent& e) { return std::to_string(e.x) + " x " + std::to_string(e.y) + " x " + std::to_string(e.z); }

Error wrong(std::string what, std::string hint) { return Error{{}, std::move(what), std::move(hint)}; }

// What of L1 one block has to itself when as many as fit are resident, on an H200: 256 KB for L1 and shared memory, 2,048 threads, 65,536
// registers.
uint64_t first_level_share(const Kernel& kernel, uint64_t threads, uint64_t shared) {
  const uint64_t registers = static_cast<uint64_t>(std::clamp(kernel.registers, 16, 255)) * threads;
  uint64_t blocks = std::min<uint64_t>({32, std::max<uint64_t>(1, 2048 / threads), std::max<uint64_t>(1, 65536 / registers)});
  blocks = std::min(blocks, std::max<uint64_t>(1, 228 * 1024 / (shared + 1024)));
  const uint64_t used = blocks * (shared + 1024);
  return std::max<uint64_t>(2048, (256 * 1024 - std::min<uint64_t>(used, 240 * 1024)) / blocks);
}

}  // namespace

Result<std::unique_ptr<Run>> Run::start(const Program& program, const Kernel& kernel, Launch launch, const Options& options) {
  const Extent &grid = launch.grid, &block = launch.block;
  if (block.x == 0 || block.y == 0 || block.z == 0 || grid.x == 0 || grid.y == 0 || grid.z == 0)
    return wrong("a launch of " + text(grid) + " blocks of " + text(block) + " threads runs nothing", "each extent is at least 1");
  if (block.x > most_x || block.y > most_x || block.z > most_z || block.size() > most_threads)
    return wrong("a block of " + text(block) + " threads is too large", "a block has at most 1,024 threads, 1,024 along x and y and 64 along z");
  if (grid.x > most_grid_x || grid.y > most_grid_yz || grid.z > most_grid_yz)
    return wrong("a grid of " + text(grid) + " blocks is too large", "at most 2,147,483,647 blocks along x and 65,535 along y and z");
  if (kernel.max_threads > 0 && block.size() > static_cast<uint64_t>(kernel.max_threads))
    return wrong("a block of " + std::to_string(block.size()) + " threads for a kernel with __launch_bounds__(" +
                     std::to_string(kernel.max_threads) + ")",
                 "launch smaller blocks or raise the bound");
  if (launch.dynamic_shared > 0 && !kernel.dynamic_shared)
    return wrong("the launch gives " + std::to_string(launch.dynamic_shared) + " bytes of dynamic shared memory, but " + kernel.name +
                     " declares none",
                 "declare extern __shared__ in the kernel, or leave the size out");
  if (kernel.shared_bytes < 0 || kernel.dynamic_offset < 0 || kernel.local_bytes < 0 || kernel.parameter_bytes < 0)
    return wrong("the kernel " + kernel.name + " has a negative size", "compile it again");
  const uint64_t shared = std::max<uint64_t>(static_cast<uint64_t>(kernel.shared_bytes),
                                             kernel.dynamic_shared ? static_cast<uint64_t>(kernel.dynamic_offset) + launch.dynamic_shared : 0);
  if (shared > most_shared)
    return wrong("the block needs " + std::to_string(shared) + " bytes of shared memory", "at most 227 KiB (232,448 bytes) fit into one block");
  if (launch.arguments.size() != kernel.parameters.size())
    return wrong(kernel.name + " has " + std::to_string(kernel.parameters.size()) + " parameters, and the launch gives " +
                     std::to_string(launch.arguments.size()) + " arguments",
                 "give one argument for each parameter, in order");
  const uint64_t warps = (block.size() + lanes - 1) / lanes;
  if (warps * (static_cast<uint64_t>(std::max(kernel.units, 0)) + 16) * lanes > most_register_words)
    return wrong("the kernel " + kernel.name + " has too many values alive for blocks of this size", "launch smaller blocks");
  if (static_cast<uint64_t>(kernel.local_bytes) * lanes * warps > most_local_bytes)
    return wrong("the threads of a block need " + std::to_string(static_cast<uint64_t>(kernel.local_bytes) * block.size()) +
                     " bytes for their local arrays",
                 "make the arrays smaller or launch smaller blocks");
  for (const Buffer& b : launch.buffers) {
    const uint64_t size = std::max<uint64_t>(b.bytes.size(), b.size);
    if (size > most_buffer_bytes) return wrong("the buffer " + b.name + " is larger than 32 GiB", "use a smaller one");
    if (!b.known.empty() && b.known.size() != b.bytes.size())
      return wrong("the buffer " + b.name + " knows " + std::to_string(b.known.size()) + " of its " + std::to_string(b.bytes.size()) + " bytes",
                   "give one mark for each byte, or none at all");
  }
  std::vector<uint8_t> bytes_of(static_cast<size_t>(kernel.parameter_bytes), 0);
  for (size_t k = 0; k < launch.arguments.size(); ++k) {
    const Argument& a = launch.arguments[k];
    const Parameter& p = kernel.parameters[k];
    uint64_t bits = a.bits;
    if (p.pointer && a.buffer >= 0) {
      if (static_cast<size_t>(a.buffer) >= launch.buffers.size())
        return wrong("the argument for " + p.name + " is buffer " + std::to_string(a.buffer) + " of " + std::to_string(launch.buffers.size()),
                     "number the buffers from 0");
      const Buffer& b = launch.buffers[static_cast<size_t>(a.buffer)];
      const uint64_t size = std::max<uint64_t>(b.bytes.size(), b.size);
      if (a.offset > size)
        return wrong("the argument for " + p.name + " begins " + std::to_string(a.offset) + " bytes into " + b.name + ", which has " +
                         std::to_string(size),
                     "begin inside the buffer");
      bits = (static_cast<uint64_t>(a.buffer) + 1) * stretch + a.offset;
    } else if (!p.pointer && a.buffer >= 0) {
      return wrong("the argument for " + p.name + " is a buffer, but the parameter is " + p.type, "pass a number");
    }
    const auto size = static_cast<size_t>(bytes(p.value));
    if (p.offset < 0 || static_cast<size_t>(p.offset) + size > bytes_of.size())
      return wrong("the parameter " + p.name + " lies outside of the parameters", "compile the kernel again");
    std::memcpy(bytes_of.data() + p.offset, &bits, size);
  }
  auto decoded = decode(program, kernel, bytes_of);
  if (!decoded) return decoded.error();
  return std::unique_ptr<Run>(new Machine(program, kernel, std::move(launch), options, std::move(*decoded)));
}

Machine::Machine(const Program& program, const Kernel& kernel, Launch launch, const Options& options, Decoded decoded)
    : program_(program), kernel_(kernel), launch_(std::move(launch)), options_(options), code_(std::move(decoded)) {
  const auto count = static_cast<size_t>(kernel_.end - kernel_.begin);
  counters_.assign(count, Counters{});
  passes_.assign(count, Passes{});
  executed_.assign(code_.segments.size(), 0);
  lanes_.assign(code_.segments.size(), 0);
  budget_ = std::max<uint64_t>(options_.max_steps, 1);
  threads_ = static_cast<uint32_t>(launch_.block.size());
  warps_ = (threads_ + lanes - 1) / lanes;
  blocks_ = launch_.grid.size();
  blocks_to_run_ = options_.sampled_blocks == 0 ? blocks_ : std::min(options_.sampled_blocks, blocks_);
  if (options_.seed != 0) {
    // Another order of blocks: steps that have no divisor in common with their number visit each of them once.
    Random random(options_.seed);
    block_first_ = random.next() % blocks_;
    block_step_ = 1 + random.below(1 << 16);
    while (std::gcd(block_step_, blocks_) != 1) ++block_step_;
  }

  constexpr size_t line_words = 16;
  const size_t words = size_t{code_.units} * lanes;
  registers_store_.assign(words * warps_ + line_words, 0);
  const auto at = reinterpret_cast<uintptr_t>(registers_store_.data());
  registers_ = registers_store_.data() + ((64 - at % 64) % 64) / 4;
  saved_.assign(static_cast<size_t>(code_.depth + 1) * warps_, Saved{});
  const auto local = static_cast<size_t>(kernel_.local_bytes) * lanes;
  local_.assign(local * warps_, 0);
  local_known_.assign(local * warps_, 0);
  all_warps_.assign(warps_, Warp{});
  order_.assign(warps_, 0);
  thread_ids_.assign(size_t{warps_} * 3 * lanes, 0);
  for (uint32_t w = 0; w < warps_; ++w) {
    Warp& warp = all_warps_[w];
    warp.number = w;
    warp.units = registers_ + words * w;
    warp.saved = saved_.data() + static_cast<size_t>(code_.depth + 1) * w;
    warp.local = local_.data() + local * w;
    warp.local_known = local_known_.data() + local * w;
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      const Extent e = extent(std::min(w * lanes + lane, threads_ - 1), launch_.block);
      uint32_t* ids = thread_ids_.data() + size_t{w} * 3 * lanes + lane;
      ids[0] = e.x;
      ids[lanes] = e.y;
      ids[2 * lanes] = e.z;
    }
  }

  shared_size_ = std::max<uint64_t>(static_cast<uint64_t>(kernel_.shared_bytes),
                                    kernel_.dynamic_shared ? static_cast<uint64_t>(kernel_.dynamic_offset) + launch_.dynamic_shared : 0);
  shared_.assign(shared_size_, 0);
  marks_.resize((shared_size_ + static_cast<uint64_t>(code_.shared_granule) - 1) / static_cast<uint64_t>(code_.shared_granule));
  first_level_.resize(first_level_share(kernel_, threads_, shared_size_));

  areas_.resize(launch_.buffers.size());
  for (size_t k = 0; k < areas_.size(); ++k) {
    Buffer& b = launch_.buffers[k];
    Area& a = areas_[k];
    a.name = b.name;
    a.data = b.bytes.data();
    a.known = b.known.empty() ? nullptr : b.known.data();
    a.base = (k + 1) * stretch;
    a.size = std::max<uint64_t>(b.bytes.size(), b.size);
    a.paged = b.bytes.empty() && b.size > 0;
    a.fill = b.fill;
    a.fill_element = b.element;
    a.seed = b.seed;
    const size_t bitmap = static_cast<size_t>(a.size / 128 + 32) / 32;
    a.reads.assign(bitmap, 0);
    a.writes.assign(bitmap, 0);
    for (size_t i = 0; i < launch_.arguments.size(); ++i) {
      const Parameter& p = kernel_.parameters[i];
      if (!p.pointer || launch_.arguments[i].buffer != static_cast<int>(k)) continue;
      if (bytes(a.element) == 1 || !a.written) {
        a.element = p.element;
        a.element_count = std::max(p.element_count, 1);
      }
      a.written = a.written || !p.constant;
    }
    if (options_.checks && a.written && code_.stores) {
      const auto granules = static_cast<size_t>(a.size / static_cast<uint64_t>(code_.global_granule));
      a.marks.assign(std::min(granules, most_marks), GlobalMark{});
    }
  }
  profile_.blocks = blocks_;
  profile_.warps = blocks_ * warps_;
}

// What was counted so far, scaled to the whole launch. Distinct blocks of memory and steps stay what they are.
void Machine::finish() {
  const uint64_t run = profile_.blocks_run + (in_block_ ? 1 : 0);
  const auto scaled = [&](uint64_t n) {
    if (blocks_to_run_ == blocks_ || run == 0 || profile_.stopped) return n;
    return n / blocks_to_run_ * blocks_ + (n % blocks_to_run_ * blocks_ + blocks_to_run_ / 2) / blocks_to_run_;
  };
  if (complete_) return;
  std::vector<Counters> code = counters_;
  for (size_t s = 0; s < code_.segments.size(); ++s) {
    for (uint32_t i = code_.segments[s].first; i < code_.segments[s].end; ++i) {
      code[i].executed += executed_[s];
      code[i].lanes += lanes_[s];
    }
  }
  for (Counters& c : code) {
    for (uint64_t* n : {&c.executed, &c.lanes, &c.diverged, &c.requests, &c.bytes, &c.sectors, &c.ideal_sectors, &c.lines, &c.partial_sectors,
                        &c.wavefronts, &c.ideal_wavefronts, &c.atomic_same})
      *n = scaled(*n);
  }
  profile_.code = std::move(code);
  profile_.dram_read_blocks = profile_.dram_write_blocks = profile_.span_blocks = 0;
  for (const Area& a : areas_) {
    uint64_t first = ~uint64_t{0}, last = 0, reads = 0, writes = 0;
    for (size_t k = 0; k < a.reads.size(); ++k) {
      reads += static_cast<uint64_t>(__builtin_popcountll(a.reads[k]));
      writes += static_cast<uint64_t>(__builtin_popcountll(a.writes[k]));
      const uint64_t touched = a.reads[k] | a.writes[k];
      if (touched == 0) continue;
      if (first == ~uint64_t{0}) first = k * 64 + static_cast<uint64_t>(__builtin_ctzll(touched));
      last = k * 64 + 63 - static_cast<uint64_t>(__builtin_clzll(touched));
    }
    if (first == ~uint64_t{0}) continue;
    // What blocks share they touch once: no more than there is.
    const uint64_t whole = (a.size + 63) / 64;
    profile_.dram_read_blocks += std::min(whole, scaled(reads));
    profile_.dram_write_blocks += std::min(whole, scaled(writes));
    // Sampled blocks stand at equal distances, the last of them one distance before the end.
    const uint64_t between = blocks_to_run_ < blocks_ && blocks_to_run_ > 1 ? (last - first + 1) / (blocks_to_run_ - 1) : 0;
    profile_.span_blocks += std::min(whole, last - first + 1 + between);
  }
  if (traced_ > 0) {
    const auto n = static_cast<double>(traced_);
    profile_.latency = {latency_sum_[in_cache] / n, latency_sum_[first_in_memory] / n, latency_sum_[all_in_memory] / n};
    profile_.own_blocks = static_cast<double>(own_sum_) / n;
    profile_.flight = flight_sum_ / n;
    profile_.trips = trips_sum_ / n;
  }
  if (!ended_) return;
  complete_ = true;
  profile_.barriers = scaled(profile_.barriers);
  profile_.l2_read_sectors = scaled(profile_.l2_read_sectors);
  profile_.l2_read_lines = scaled(profile_.l2_read_lines);
}

}  // namespace lk::simt
