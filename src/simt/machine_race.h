// Who touched a word of memory last: what races are found by.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/code.h"

namespace lk::simt {

/// Shared memory of the block that runs. Accesses are numbered; a mark is number << 5 | lane, and a log tells instruction and warp of each
/// number since the last block barrier. Marks below the barrier's number are ordered before everything that comes now.
class SharedMarks {
 public:
  struct Access {
    uint32_t at = 0;     // instruction
    uint16_t warp = 0;
    bool atomic = false;
  };
  void resize(size_t granules);
  void begin_block();
  void barrier();
  uint32_t number() const { return next_; }
  /// A new access; forgets everything when numbers run out.
  uint32_t log(uint32_t at, uint32_t warp, bool atomic);
  bool current(uint32_t mark) const { return mark >= barrier_ << 5; }
  bool of_block(uint32_t mark) const { return mark >= block_ << 5; }
  uint32_t barrier_mark() const { return barrier_ << 5; }
  uint32_t block_mark() const { return block_ << 5; }
  const Access& access(uint32_t mark) const { return log_[(mark >> 5) - barrier_]; }

  std::vector<uint32_t> writes, reads, others;  // last writer; first reader since the barrier; another one

 private:
  void forget();
  std::vector<Access> log_;
  uint32_t next_ = 1, barrier_ = 1, block_ = 1;
};

/// A word of global memory: its last writer and reader. `who` is epoch << 11 | atomic << 10 | thread.
struct GlobalMark {
  uint32_t write_block = 0, write_who = 0, write_at = 0;  // block + 1; 0: nobody
  uint32_t read_block = 0, read_who = 0, read_at = 0;
};

/// Granules of a buffer that are watched: the rest would take more memory than the buffer.
constexpr size_t most_marks = size_t{1} << 20;

}  // namespace lk::simt
