// Running a compiled kernel on a model of a GPU: exact results, counters for each instruction, checks with places.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "simt/code.h"
#include "simt/fill.h"

namespace lk::simt {

/// An array in the GPU's memory. Allocations are aligned to 256 bytes like cudaMalloc's, with room between them that belongs to nobody.
///
/// Large arrays need not be there: with no `bytes` and a `size`, pages are made when the kernel first touches them, from `fill`,
/// `element` and `seed` (simt/fill.h). What is written to such a buffer cannot be looked at afterwards.
struct Buffer {
  std::string name;
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> known;  // one for each byte: 0 until something was written there. Empty: all of it is known.
  uint64_t size = 0;           // bytes, when `bytes` is empty
  Fill fill = Fill::zeros;
  Type element = Type::f32;
  uint64_t seed = 0;
};

/// An argument: a buffer, or the bits of a scalar in the parameter's own type.
struct Argument {
  int buffer = -1;             // index into Launch::buffers
  uint64_t offset = 0;         // bytes into it
  uint64_t bits = 0;
};

struct Extent {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t size() const { return uint64_t{x} * y * z; }
};

struct Launch {
  Extent grid, block;
  uint32_t dynamic_shared = 0;
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
};

struct Options {
  uint64_t max_steps = uint64_t{1} << 36;  // warp instructions before the run is stopped as a runaway
  uint64_t seed = 0;                       // order in which warps take turns; results that depend on it are races
  bool checks = true;                      // bounds and alignment are always checked; this adds races, initialisation, masks
  uint64_t sampled_blocks = 0;             // 0: all. Otherwise that many, spread evenly, and every counter is scaled
  int max_findings = 100;                  // of different kinds or lines; more of the same are counted
  bool latency = true;                     // follow dependences of sampled warps (Profile::latency)
};

enum class Kind : uint8_t {
  out_of_bounds, misaligned, uninitialized, unwritten_shared, shared_race, global_race, barrier_divergence, absent_lane, missing_sync_warp,
  division_by_zero, trap, runaway, freed, count_
};
std::string_view name(Kind kind);  // "out of bounds", ...

/// What a check found: where, who, what to do. `other` is the second place of a race.
struct Finding {
  Kind kind = Kind::out_of_bounds;
  uint32_t place = 0, other = 0;           // indices into Program::places; other is meaningful for races
  bool has_other = false;
  Extent block, thread, other_thread;      // of the first occurrence
  uint64_t address = 0;                    // offset in the buffer or in shared memory
  std::string object;                      // buffer or shared variable, with the element: "out[1024]"
  uint64_t times = 1;                      // lanes it happened to
  std::string what, hint;                  // sentences for readers
};

/// Counters of one instruction. Each has its definition here and, where there is one, the Nsight Compute metric that it stands for.
struct Counters {
  uint64_t executed = 0;       // warps that issued it (smsp__inst_executed)
  uint64_t lanes = 0;          // active lanes over all of those (smsp__thread_inst_executed)
  uint64_t diverged = 0;       // if_ and loop_test: times both sides had lanes (smsp__sass_branch_targets_threads_divergent)
  // Memory accesses.
  uint64_t requests = 0;       // warp accesses with an active lane (l1tex__t_requests_pipe_lsu_mem_global_op_ld and kin)
  uint64_t bytes = 0;          // asked for by active lanes
  uint64_t sectors = 0;        // distinct 32 B sectors in each access (l1tex__t_sectors_...)
  uint64_t ideal_sectors = 0;  // ceil(bytes / 32) of each access
  uint64_t lines = 0;          // distinct 128 B lines in each access
  uint64_t partial_sectors = 0;// stores: sectors not written whole by one warp access
  uint64_t wavefronts = 0;     // shared memory: passes through the banks (l1tex__data_pipe_lsu_wavefronts_mem_shared)
  uint64_t ideal_wavefronts = 0;  // what the same bytes need without conflicts
  uint64_t atomic_same = 0;    // atomics: for each access, the sum over its sectors of the most lanes on one address
};

/// Cycles of a chain of dependences, by where loads find what the L1 lacks.
struct Latency {
  double cache = 0;          // all in the L2
  double first_touches = 0;  // in DRAM what the block touches for the first time
  double memory = 0;         // in DRAM also what it comes back to after a quarter of all that it touched
};

/// What a launch did. Sums are scaled when blocks were sampled.
struct Profile {
  std::vector<Counters> code;  // for each instruction of the kernel, from Kernel::begin
  uint64_t blocks = 0, blocks_run = 0, warps = 0;
  uint64_t steps = 0;          // warp instructions run, not scaled
  // Global memory as a whole. From sampled blocks: scaled, but for each buffer no more than it has.
  uint64_t dram_read_blocks = 0, dram_write_blocks = 0;  // distinct 64 B blocks touched
  uint64_t span_blocks = 0;    // 64 B blocks between the first and last touched of each buffer
  uint64_t l2_read_sectors = 0, l2_read_lines = 0;       // after an L1 of one block (sectors and lines that it did not hold)
  uint64_t barriers = 0;       // warp arrivals
  // Dependences of sampled warps (Options::latency).
  Latency latency;             // of one warp's longest chain, barriers included, mean over sampled blocks
  double own_blocks = 0;       // distinct 64 B blocks that one block of threads touches, mean over sampled blocks
  double flight = 0;           // 128 B lines that a warp has in flight when it first waits for memory
  int phases = 0;              // most barrier phases in a block
  double trips = 0;            // loop trips within a phase
  std::vector<Finding> findings;
  uint64_t unique_findings_dropped = 0;
  bool stopped = false;        // a trap, a bad access or the step budget ended it: counters cover what ran until then
};

/// One run. It advances in slices, so that a worker can report progress and be stopped between them.
class Run {
 public:
  /// Checks the launch (sizes, arguments, shared memory, threads) against the kernel. The program must outlive the run.
  static Result<std::unique_ptr<Run>> start(const Program& program, const Kernel& kernel, Launch launch, const Options& options);
  virtual ~Run() = default;
  /// Runs about `steps` warp instructions. False when the launch has ended.
  virtual bool advance(uint64_t steps) = 0;
  virtual double progress() const = 0;     // 0 to 1, by blocks
  virtual const Profile& profile() = 0;    // complete once advance gave false
  virtual std::span<const Buffer> buffers() const = 0;
};

}  // namespace lk::simt
