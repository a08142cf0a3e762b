#include "simt/machine_race.h"

#include <algorithm>
#include <bit>

#include "simt/machine.h"

namespace lk::simt {
namespace {

template <class F>
void each_lane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

constexpr uint32_t most_numbers = 1u << 27;
constexpr size_t longest_log = size_t{1} << 20;

}  // namespace

void SharedMarks::resize(size_t granules) {
  writes.assign(granules, 0);
  reads.assign(granules, 0);
  others.assign(granules, 0);
}

void SharedMarks::forget() {
  for (auto* marks : {&writes, &reads, &others}) std::fill(marks->begin(), marks->end(), 0u);
  next_ = barrier_ = block_ = 1;
  log_.clear();
}

void SharedMarks::begin_block() {
  if (next_ > most_numbers / 2) forget();
  block_ = next_;
  barrier();
}

void SharedMarks::barrier() {
  barrier_ = next_;
  log_.clear();
}

uint32_t SharedMarks::log(uint32_t at, uint32_t warp, bool atomic) {
  if (log_.size() >= longest_log || next_ + 1 >= most_numbers) {
    // Give up what was pending; everything that was written stays written.
    const uint32_t written = block_ << 5;
    for (uint32_t& w : writes) w = w >= written ? 1u << 5 : 0;
    std::fill(reads.begin(), reads.end(), 0u);
    std::fill(others.begin(), others.end(), 0u);
    block_ = 1;
    next_ = barrier_ = 2;
    log_.clear();
  }
  log_.push_back({at, static_cast<uint16_t>(warp), atomic});
  return next_++;
}

void Machine::shared_marks(Request& r, Warp& warp) {
  const Op op = r.instr->op;
  const bool reads = op != Op::store && op != Op::atomic_exchange, writes = op != Op::load, atomic = is_atomic(op);
  const auto granule = static_cast<uint32_t>(code_.shared_granule);
  const unsigned granule_bits = static_cast<unsigned>(std::countr_zero(granule));
  const uint32_t per = static_cast<uint32_t>(r.width) / granule;
  const unsigned per_bits = static_cast<unsigned>(std::countr_zero(per));
  const uint32_t before = marks_.number();
  const uint32_t number = marks_.log(r.micro->at, warp.number, atomic), mark = number << 5;
  if (number < before) {
    for (Warp& w : all_warps_) w.synced = 0;
  }
  const uint32_t barrier = marks_.barrier_mark(), block = marks_.block_mark();
  uint32_t* const W = marks_.writes.data();
  uint32_t* const R = marks_.reads.data();
  uint32_t* const O = marks_.others.data();

  // Side by side, or all at one place, and nothing recent there: the rule in a few vector operations.
  if (r.strided && !atomic && (r.stride == r.width || (r.stride == 0 && !writes))) {
    const size_t first = r.first >> granule_bits;
    const size_t count = r.stride == 0 ? per : size_t{per} * lanes;
    uint32_t least = ~0u, most = 0;
    for (size_t k = first; k < first + count; ++k) {
      least = std::min(least, W[k]);
      most = std::max(most, W[k]);
    }
    if (writes) {
      for (size_t k = first; k < first + count; ++k) most = std::max(most, std::max(R[k], O[k]));
      if (most < barrier) {
        for (size_t k = 0; k < count; ++k) W[first + k] = mark | static_cast<uint32_t>(k >> per_bits);
        return;
      }
    } else if (least >= block && most < barrier) {
      if (r.stride == 0) {
        for (size_t k = first; k < first + count; ++k) {
          if (R[k] < barrier) R[k] = mark;
          O[k] = mark | 31;
        }
        return;
      }
      for (size_t k = 0; k < count; ++k) {
        const uint32_t mine = mark | static_cast<uint32_t>(k >> per_bits), one = R[first + k], other = O[first + k];
        const bool recent = one >= barrier, replace = other < barrier || ((one ^ other) & 31) == 0;
        O[first + k] = recent && replace ? mine : other;
        R[first + k] = recent ? one : mine;
      }
      return;
    }
  }

  const auto hazard = [&](uint32_t other, uint32_t lane, uint64_t offset, bool other_wrote) {
    if (other < barrier) return;
    const SharedMarks::Access& a = marks_.access(other);
    const uint32_t other_lane = other & 31;
    if (a.atomic && atomic) return;
    if (a.warp == warp.number) {
      if (other_lane == lane) return;
      if (other >> 5 == number) {
        // One instruction: lanes that write the same value do no harm.
        if (!writes || same_value(r, warp, static_cast<int>(lane), static_cast<int>(other_lane))) return;
      } else if (other >> 5 < warp.synced) {
        return;
      }
    }
    const bool one_warp = a.warp == warp.number && other >> 5 != number;
    const uint32_t thread = thread_of(warp, static_cast<int>(lane)), other_thread = a.warp * uint32_t{lanes} + other_lane;
    Finding* f = report(one_warp ? Kind::missing_sync_warp : Kind::shared_race, {r.micro->at, thread, other_thread, static_cast<int64_t>(a.at)});
    if (f == nullptr) return;
    f->address = offset;
    f->object = shared_element(offset);
    const char* verb = writes ? (reads ? "updates " : "writes ") : "reads ";
    if (other >> 5 == number) {
      f->what = "Threads " + thread_text(thread) + " and " + thread_text(other_thread) + " write different values to " + f->object +
                " with one instruction; which of them stays is not defined.";
      f->hint = "Let one thread write it, or combine the values with an atomic.";
    } else if (one_warp) {
      f->what = "Thread " + thread_text(thread) + " " + verb + f->object + ", which thread " + thread_text(other_thread) + " of the same warp " +
                (other_wrote ? "wrote" : "read") + " with no __syncwarp() between.";
      f->hint = "Put __syncwarp() between the two: the lanes of a warp need not run in step, and a shuffle does not order memory.";
    } else {
      f->what = "Thread " + thread_text(thread) + " " + verb + f->object + ", which thread " + thread_text(other_thread) + " " +
                (other_wrote ? "wrote" : "read") + " with no __syncthreads() between.";
      f->hint = other_wrote ? "Put __syncthreads() between the write and this access, where every thread of the block comes by."
                            : "Put __syncthreads() between the read and this write, so that nothing is overwritten while others still need it.";
    }
  };

  r.fill();
  uint32_t unwritten = 0;
  uint64_t unwritten_at = 0;
  each_lane(r.active, [&](uint32_t lane) {
    const size_t first = r.at[lane] >> granule_bits;
    const uint32_t mine = mark | lane;
    for (size_t k = first; k < first + per; ++k) {
      if (W[k] < block) {
        if (reads) {
          if (unwritten == 0) unwritten_at = uint64_t{k} << granule_bits;
          unwritten |= 1u << lane;
        }
      } else {
        hazard(W[k], lane, uint64_t{k} << granule_bits, true);
      }
      if (writes) {
        hazard(R[k], lane, uint64_t{k} << granule_bits, false);
        hazard(O[k], lane, uint64_t{k} << granule_bits, false);
        W[k] = mine;
      } else if (R[k] < barrier) {
        R[k] = mine;
      } else if ((R[k] & 31) == lane && marks_.access(R[k]).warp == warp.number) {
        R[k] = mine;
      } else {
        O[k] = mine;
      }
    }
  });
  if (unwritten != 0) {
    const uint32_t thread = thread_of(warp, std::countr_zero(unwritten));
    if (Finding* f = report(Kind::unwritten_shared, {r.micro->at, thread}, static_cast<uint64_t>(std::popcount(unwritten)))) {
      f->address = unwritten_at;
      f->object = shared_element(unwritten_at);
      f->what = "Thread " + thread_text(thread) + " reads " + f->object + ", which no thread of the block has written.";
      f->hint = "Shared memory begins with whatever was there. Write it first, also at the edges that a partial tile leaves out.";
    }
  }
}

// Blocks run one after the other here, but nothing orders them on a GPU unless they take care of it with fences, in which case they are
// left alone.
void Machine::global_marks(Request& r, Warp& warp, Area& area) {
  const Op op = r.instr->op;
  const bool writes = op != Op::load, atomic = is_atomic(op);
  const auto granule = static_cast<uint32_t>(code_.global_granule);
  const unsigned granule_bits = static_cast<unsigned>(std::countr_zero(granule));
  const uint32_t per = static_cast<uint32_t>(r.width) / granule;
  const auto block = static_cast<uint32_t>(block_ + 1);
  const uint32_t epoch = (epoch_ & 0x1FFFFF) << 11;
  r.fill();
  each_lane(r.active, [&](uint32_t lane) {
    const uint32_t thread = thread_of(warp, static_cast<int>(lane)), who = epoch | uint32_t{atomic} << 10 | thread;
    const size_t first = r.at[lane] >> granule_bits;
    for (size_t k = first; k < first + per; ++k) {
      if (k >= area.marks.size()) return;
      GlobalMark& mark = area.marks[k];
      const auto hazard = [&](uint32_t other_block, uint32_t other, uint32_t at, bool other_wrote) {
        if (other_block == 0 || (atomic && (other >> 10 & 1))) return;
        const uint32_t other_thread = other & 1023;
        if (other_block == block) {
          // Inside a block a barrier orders; inside a warp the lanes' order is left to the checks of shared memory.
          if ((other ^ epoch) >> 11 != 0 || other_thread / lanes == thread / lanes) return;
        } else if (code_.device_fence) {
          return;
        }
        if (writes && other_wrote && !atomic) {
          // The same value written twice does no harm.
          const size_t offset = (k << granule_bits) - r.at[lane];
          uint64_t value[2] = {};
          const int size = bytes(r.instr->type);
          const uint32_t* b = warp.units + r.micro->b;
          const auto c = offset / static_cast<size_t>(size);
          if (size == 8) {
            value[0] = reinterpret_cast<const uint64_t*>(b)[c * lanes + lane];
          } else {
            value[0] = b[c * lanes + lane] & (size == 4 ? ~0u : (1u << 8 * size) - 1);
          }
          __builtin_memcpy(&value[1], area.at(r.at[lane] + c * static_cast<uint64_t>(size)), static_cast<size_t>(size));
          if (value[0] == value[1]) return;
        }
        Finding* f = report(Kind::global_race, {r.micro->at, thread, other_thread, static_cast<int64_t>(at), other_block - 1});
        if (f == nullptr) return;
        f->address = k << granule_bits;
        f->object = element(area, static_cast<int64_t>(r.at[lane]));
        const bool same = other_block == block;
        f->what = "Thread " + thread_text(thread) + (writes ? " writes " : " reads ") + f->object + ", which thread " + thread_text(other_thread) +
                  (same ? " of the same block " : " of block " + std::to_string(other_block - 1) + " ") + (other_wrote ? "wrote" : "read") +
                  (same ? " with no __syncthreads() between." : "; nothing orders the two blocks.");
        f->hint = same ? "Put __syncthreads() between the two, or give each thread an element of its own."
                       : "Blocks run in any order, at the same time or not. Write to another buffer, use an atomic, or start a second kernel.";
      };
      hazard(mark.write_block, mark.write_who, mark.write_at, true);
      if (writes) {
        hazard(mark.read_block, mark.read_who, mark.read_at, false);
        mark.write_block = block;
        mark.write_who = who;
        mark.write_at = r.micro->at;
      } else {
        mark.read_block = block;
        mark.read_who = who;
        mark.read_at = r.micro->at;
      }
    }
  });
}

}  // namespace lk::simt
