// The machine behind Run: warps that take turns, memory with its counters and checks. Private to this folder.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "simt/decode.h"
#include "simt/machine_memory.h"
#include "simt/machine_race.h"
#include "simt/run.h"

namespace lk::simt {

struct Saved {
  uint32_t active = 0, first = 0, second = 0;  // if_: taken. loop: left, skipped. frame: returned
};

struct Warp {
  uint32_t number = 0;           // in its block
  uint32_t live = 0;             // lanes that exist
  uint32_t active = 0, left = 0, skipped = 0, returned = 0;
  size_t pc = 0;
  int saved_count = 0;
  uint32_t* units = nullptr;     // registers
  Saved* saved = nullptr;
  uint8_t* local = nullptr;      // lane after lane
  uint8_t* local_known = nullptr;
  bool done = false, waiting = false;
  uint32_t wait_at = 0;          // the barrier's instruction
  uint32_t synced = 0;           // number of the access after the last __syncwarp
  uint32_t exited = 0;           // lanes that returned from the kernel
  int frames = 0;                // inlined functions that are open
};

/// Dependences of one warp: when each unit is ready, in cycles from the start of its block.
// Each chain of dependences is followed three times, by where loads find what the L1 lacks: all of it in the L2; in DRAM what the block
// touches for the first time; in DRAM also what it comes back to after much else.
enum : size_t { in_cache, first_in_memory, all_in_memory };
constexpr size_t cases = 3;

struct Trace {
  std::array<std::vector<float>, cases> ready;
  std::vector<uint8_t> from_memory;
  std::array<double, cases> floor{}, memory_floor{}, latest{}, end{};
  double first_use = 0;          // when the first loaded value was asked for; 0: not yet
  std::vector<std::pair<double, int>> loads;  // start and lines of those that may be in flight then
  double flight = 0;
  uint32_t trips = 0, most_trips = 0;
  std::vector<uint32_t> turns;   // of each loop, since it last was a border of the batch
};

class Machine final : public Run {
 public:
  Machine(const Program& program, const Kernel& kernel, Launch launch, const Options& options, Decoded decoded);
  bool advance(uint64_t steps) override;
  double progress() const override;
  const Profile& profile() override;
  std::span<const Buffer> buffers() const override { return launch_.buffers; }

 private:
  enum class Turn : uint8_t { ended, waits, pauses, stops };

  void begin_block();
  void end_block();
  bool run_block();              // false: out of steps, or stopped
  void release_barrier();
  Turn run_warp(Warp& warp);
  void finish();

  // Inside a warp's turn.
  void expand(uint32_t active);
  void blend(uint32_t* d, const uint32_t* s, uint32_t count) const;
  void write(const Micro& m, uint32_t* d, uint32_t active);  // scratch_ into the active lanes
  bool stop(uint32_t at, uint32_t segment);
  void special(const Micro& m, Warp& warp, uint32_t* d);
  void half(const Micro& m, uint32_t* R, uint32_t* d);
  void check_division(const Micro& m, const Warp& warp, uint32_t active);
  void shuffle(const Micro& m, Warp& warp, uint32_t active);
  void vote(const Micro& m, Warp& warp, uint32_t active);
  void match(const Micro& m, Warp& warp, uint32_t active);
  void reduce(const Micro& m, Warp& warp, uint32_t active);
  void check_members(const Micro& m, const Warp& warp, uint32_t active, const uint32_t* members);
  void check_barrier(const Micro& m, const Warp& warp, uint32_t active);
  void matrix_fill(const Micro& m, Warp& warp);
  bool matrix_memory(const Micro& m, Warp& warp, uint32_t active);
  void matrix_multiply(const Micro& m, Warp& warp);

  // Memory. False: the run stops.
  bool access(const Micro& m, Warp& warp, uint32_t active);
  bool access_at(Request& r, Warp& warp);
  bool access_group(Request& r, Warp& warp);
  bool access_global(Request& r, Warp& warp);
  bool access_shared(Request& r, Warp& warp);
  bool access_local(Request& r, Warp& warp);
  void transfer(Request& r, Warp& warp, uint8_t* memory);
  void atomic(const Request& r, Warp& warp, uint8_t* memory);
  void to_pages(Request& r, Area& area);
  void count_global(Request& r, Area& area);
  void wait(float cycles);
  void visit(uint64_t first, uint64_t blocks, bool reads);
  bool bad_address(Request& r, const Warp& warp);
  bool misaligned(Request& r, const Warp& warp);
  void check_known(Request& r, const Warp& warp, Area& area);
  void shared_marks(Request& r, Warp& warp);
  void global_marks(Request& r, Warp& warp, Area& area);
  bool same_value(const Request& r, const Warp& warp, int lane, int other) const;

  // Findings.
  struct Where {
    uint32_t at = 0;             // instruction
    uint32_t thread = 0, other_thread = 0;
    int64_t other = -1;          // instruction, or -1
    uint64_t other_block = ~uint64_t{0};
  };
  Finding* report(Kind kind, const Where& where, uint64_t times = 1);
  uint32_t thread_of(const Warp& warp, int lane) const { return warp.number * lanes + static_cast<uint32_t>(lane); }
  Extent extent(uint64_t number, const Extent& of) const;
  std::string element(const Area& area, int64_t offset) const;
  std::string shared_element(uint64_t offset) const;
  std::string thread_text(uint32_t thread) const;

  // Dependences.
  void trace(const Micro& m, Warp& warp, uint32_t active);
  void trace_barrier();
  void trace_loop(const Micro& m, const Warp& warp);

  const Program& program_;
  const Kernel& kernel_;
  Launch launch_;
  Options options_;
  Decoded code_;
  Profile profile_;
  std::vector<uint64_t> executed_, lanes_;       // of each segment

  // The launch.
  uint64_t blocks_ = 0, blocks_to_run_ = 0, next_block_ = 0;
  uint64_t block_step_ = 1, block_first_ = 0;    // order by seed
  uint32_t threads_ = 0, warps_ = 0;
  uint64_t budget_ = 0, slice_end_ = 0;
  bool in_block_ = false, ended_ = false, complete_ = false;
  uint64_t block_ = 0;
  Extent block_at_;
  std::vector<uint32_t> registers_store_;
  uint32_t* registers_ = nullptr;                // on a cache line
  std::vector<uint32_t> thread_ids_;             // x, y, z of each warp's lanes
  std::vector<Saved> saved_;
  std::vector<Warp> all_warps_;
  std::vector<uint32_t> order_;
  size_t turn_ = 0;
  uint64_t turn_end_ = 0;
  bool in_turn_ = false;
  uint32_t epoch_ = 0;                           // block barriers passed, over the launch
  uint32_t phases_ = 0;
  alignas(64) uint32_t scratch_[4 * lanes];
  alignas(64) uint32_t mask_[lanes];
  alignas(64) uint64_t wide_mask_[lanes];
  uint32_t mask_of_ = 0;

  // Memory.
  std::vector<Area> areas_;
  std::vector<uint8_t> shared_;
  uint64_t shared_size_ = 0;
  std::vector<uint8_t> local_;
  std::vector<uint8_t> local_known_;
  FirstLevel first_level_;
  SharedMarks marks_;
  std::vector<Counters> counters_;
  std::vector<Passes> passes_;                   // of the last shared access of each instruction

  // Findings.
  std::map<std::tuple<Kind, uint32_t, int64_t>, size_t> found_;
  std::map<std::tuple<Kind, uint32_t, int64_t>, uint64_t> dropped_;

  // Dependences of the warps of sampled blocks.
  bool tracing_ = false;
  std::vector<Trace> traces_;
  std::array<float, cases> access_latency_{};
  int access_lines_ = 0;
  std::unordered_map<uint64_t, uint64_t> visits_;  // 64 B blocks of memory that the followed block touched: number of the last visit
  uint64_t visit_ = 0, own_sum_ = 0;
  std::array<double, cases> latency_sum_{};
  double flight_sum_ = 0, trips_sum_ = 0;
  uint64_t traced_ = 0;
};

}  // namespace lk::simt
