// What the lanes of a warp do together, and barriers.
#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/machine.h"

namespace lk::simt {
namespace {

template <class F>
void each_lane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(static_cast<uint32_t>(std::countr_zero(mask)));
}

std::string count_text(int n, const char* one, const char* more) { return std::to_string(n) + " " + (n == 1 ? one : more); }

}  // namespace

// The lanes that a lane's member mask names must be here, itself among them.
void Machine::check_members(const Micro& m, const Warp& warp, uint32_t active, const uint32_t* members) {
  if (!options_.checks) return;
  uint32_t wrong = 0;
  each_lane(active, [&](uint32_t lane) {
    const uint32_t mask = members[lane];
    wrong |= uint32_t{(mask & ~active & warp.live) != 0 || !(mask >> lane & 1)} << lane;
  });
  if (wrong == 0) return;
  const auto lane = static_cast<uint32_t>(std::countr_zero(wrong));
  const uint32_t mask = members[lane], absent = mask & ~active & warp.live;
  Finding* f = report(Kind::absent_lane, {m.at, warp.number * lanes + lane}, static_cast<uint64_t>(std::popcount(wrong)));
  if (f == nullptr) return;
  if (absent != 0) {
    const auto first = static_cast<uint32_t>(std::countr_zero(absent));
    const bool left = (warp.exited >> first & 1) != 0;
    f->what = "The mask names " + count_text(std::popcount(absent), "lane that does", "lanes that do") + " not take part, such as lane " + std::to_string(first) +
              (left ? ", whose thread has returned." : ", which is in another branch.");
    f->hint = left ? "Return after the warp's last exchange, or build the mask before with __ballot_sync."
                   : "Name the lanes that come here: build the mask with __ballot_sync before the branch. A GPU waits for every lane that is named.";
  } else {
    f->what = "Lane " + std::to_string(lane) + " takes part but is not in its own mask.";
    f->hint = "Every lane that calls has to be in the mask.";
  }
}

void Machine::shuffle(const Micro& m, Warp& warp, uint32_t active) {
  const Instr& instr = code_.instructions[m.at];
  const uint32_t *R = warp.units, *b = R + m.b, *members = R + m.c;
  check_members(m, warp, active, members);
  const auto width = static_cast<uint32_t>(instr.imm), outside = lanes - width;
  uint32_t from[lanes], absent = 0, absent_from = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint32_t first = lane & outside, last = first | (width - 1);
    uint32_t source = lane;
    bool valid = true;
    switch (instr.op) {
      case Op::shuffle_up: source = lane - (b[lane] & 31); valid = (b[lane] & 31) <= lane - first; break;
      case Op::shuffle_down: source = lane + (b[lane] & 31); valid = source <= last; break;
      case Op::shuffle_xor: source = lane ^ (b[lane] & 31); valid = source <= last; break;
      default: source = first | (b[lane] & (width - 1)); break;
    }
    from[lane] = valid ? source : lane;
    if ((active >> lane & 1) && !(active >> from[lane] & 1)) {
      if (absent == 0) absent_from = from[lane];
      absent |= 1u << lane;
    }
  }
  if (m.blended == 2) {
    const auto* a = reinterpret_cast<const uint64_t*>(R + m.a);
    auto* d = reinterpret_cast<uint64_t*>(scratch_);
    for (uint32_t lane = 0; lane < lanes; ++lane) d[lane] = a[from[lane]];
  } else {
    const uint32_t* a = R + m.a;
    for (uint32_t lane = 0; lane < lanes; ++lane) scratch_[lane] = a[from[lane]];
  }
  write(m, warp.units + m.d, active);
  if (absent == 0 || !options_.checks) return;
  const auto lane = static_cast<uint32_t>(std::countr_zero(absent));
  // The mask was wrong as well then, which has been said.
  if ((members[lane] & ~active & warp.live) != 0) return;
  if (Finding* f = report(Kind::absent_lane, {m.at, warp.number * lanes + lane, warp.number * lanes + absent_from}, static_cast<uint64_t>(std::popcount(absent)))) {
    f->what = "Lane " + std::to_string(lane) + " takes the value of lane " + std::to_string(absent_from) + ", which does not take part: the value is undefined.";
    f->hint = "Let every lane that is read from call the shuffle too, and use the result only where it is meant to be used.";
  }
}

void Machine::vote(const Micro& m, Warp& warp, uint32_t active) {
  const Op op = code_.instructions[m.at].op;
  if (op == Op::active_mask) {
    LK_LANES scratch_[i] = active;
  } else {
    const uint32_t* members = warp.units + m.c;
    check_members(m, warp, active, members);
    const uint32_t yes = predicate_bits(warp.units + m.a) & active;
    for (int i = 0; i < lanes; ++i) {
      const uint32_t mask = members[i] & active;
      scratch_[i] = op == Op::ballot ? yes & mask : op == Op::any ? (yes & mask) != 0 : (yes & mask) == mask;
    }
  }
  write(m, warp.units + m.d, active);
}

void Machine::match(const Micro& m, Warp& warp, uint32_t active) {
  const uint32_t* members = warp.units + m.c;
  check_members(m, warp, active, members);
  const bool wide = units(code_.instructions[m.at].type) == 2;
  const uint32_t* a = warp.units + m.a;
  const auto* a64 = reinterpret_cast<const uint64_t*>(a);
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t alike = 0;
    for (uint32_t other = 0; other < lanes; ++other)
      alike |= uint32_t{wide ? a64[lane] == a64[other] : a[lane] == a[other]} << other;
    scratch_[lane] = alike & active & members[lane];
  }
  write(m, warp.units + m.d, active);
}

void Machine::reduce(const Micro& m, Warp& warp, uint32_t active) {
  const Instr& instr = code_.instructions[m.at];
  const uint32_t *members = warp.units + m.c, *a = warp.units + m.a;
  check_members(m, warp, active, members);
  const bool is_signed = instr.type == Type::s32;
  const auto combine = [&](uint32_t x, uint32_t y) {
    switch (instr.op) {
      case Op::reduce_add: return x + y;
      case Op::reduce_min: return is_signed ? (static_cast<int32_t>(x) < static_cast<int32_t>(y) ? x : y) : std::min(x, y);
      case Op::reduce_max: return is_signed ? (static_cast<int32_t>(x) > static_cast<int32_t>(y) ? x : y) : std::max(x, y);
      case Op::reduce_and: return x & y;
      case Op::reduce_or: return x | y;
      default: return x ^ y;
    }
  };
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    uint32_t rest = members[lane] & active, result = 0;
    if (rest != 0) {
      result = a[std::countr_zero(rest)];
      each_lane(rest & (rest - 1), [&](uint32_t other) { result = combine(result, a[other]); });
    }
    scratch_[lane] = result;
  }
  write(m, warp.units + m.d, active);
}

void Machine::check_division(const Micro& m, const Warp& warp, uint32_t active) {
  const uint32_t* b = warp.units + m.b;
  const auto* wide = reinterpret_cast<const uint64_t*>(b);
  uint32_t zero = 0;
  for (unsigned i = 0; i < lanes; ++i) zero |= uint32_t{m.value == 2 ? wide[i] == 0 : b[i] == 0} << i;
  zero &= active;
  if (zero == 0 || !options_.checks) return;
  const uint32_t thread = thread_of(warp, std::countr_zero(zero));
  if (Finding* f = report(Kind::division_by_zero, {m.at, thread}, static_cast<uint64_t>(std::popcount(zero)))) {
    f->what = "Thread " + thread_text(thread) + " divides an integer by zero.";
    f->hint = "A GPU does not stop there: the result has all its bits set. Test the divisor first.";
  }
}

// A barrier that part of a warp reaches.
void Machine::check_barrier(const Micro& m, const Warp& warp, uint32_t active) {
  const uint32_t elsewhere = warp.live & ~active & ~warp.exited;
  if (elsewhere == 0) return;
  const uint32_t thread = thread_of(warp, std::countr_zero(active)), other = thread_of(warp, std::countr_zero(elsewhere));
  if (Finding* f = report(Kind::barrier_divergence, {m.at, thread, other}, static_cast<uint64_t>(std::popcount(elsewhere)))) {
    f->what = "Only " + std::to_string(std::popcount(active)) + " of the " + std::to_string(std::popcount(warp.live)) + " threads of warp " +
              std::to_string(warp.number) + " come to this barrier; thread " + thread_text(other) + " is in another branch.";
    f->hint = "Move __syncthreads() out of the branch. A GPU counts thread by thread: it waits for the missing ones and hangs, or takes a later barrier of "
              "theirs for this one.";
  }
}

void Machine::release_barrier() {
  const Warp* first = nullptr;
  const Warp* differs = nullptr;
  uint32_t exited = 0, exited_thread = 0;
  for (const Warp& warp : all_warps_) {
    if (warp.waiting && first == nullptr) first = &warp;
    if (warp.waiting && warp.wait_at != first->wait_at && differs == nullptr) differs = &warp;
    if (warp.exited != 0) {
      if (exited == 0) exited_thread = thread_of(warp, std::countr_zero(warp.exited));
      exited += static_cast<uint32_t>(std::popcount(warp.exited));
    }
  }
  if (options_.checks && differs != nullptr) {
    const uint32_t thread = thread_of(*first, std::countr_zero(first->active)), other = thread_of(*differs, std::countr_zero(differs->active));
    if (Finding* f = report(Kind::barrier_divergence, {first->wait_at, thread, other, static_cast<int64_t>(differs->wait_at)})) {
      f->what = "Warp " + std::to_string(first->number) + " waits at this barrier, warp " + std::to_string(differs->number) +
                " of the same block at another one.";
      f->hint = "Let all threads of the block meet at the same __syncthreads(). A GPU lets both pass together, so neither orders what its author meant.";
    }
  }
  if (options_.checks && exited != 0) {
    const uint32_t thread = thread_of(*first, std::countr_zero(first->active));
    if (Finding* f = report(Kind::barrier_divergence, {first->wait_at, thread, exited_thread, -2}, exited)) {
      f->has_other = false;
      f->what = count_text(static_cast<int>(exited), "thread", "threads") + " of the block had returned before this barrier, such as thread " +
                thread_text(exited_thread) + ".";
      f->hint = "Keep every thread until the last barrier and guard only its loads and stores. GPUs since Volta no longer wait for threads that have "
                "returned, older ones hang, and CUDA promises neither.";
    }
  }
  // Votes count the threads that came.
  uint32_t came = 0, yes = 0;
  for (const Warp& warp : all_warps_) {
    if (!warp.waiting) continue;
    const Micro& m = code_.code[warp.pc];
    came += static_cast<uint32_t>(std::popcount(warp.active));
    if (m.act == Act::sync_block_vote) yes += static_cast<uint32_t>(std::popcount(predicate_bits(warp.units + m.a) & warp.active));
  }
  trace_barrier();
  for (Warp& warp : all_warps_) {
    if (!warp.waiting) continue;
    const Micro& m = code_.code[warp.pc];
    if (m.act == Act::sync_block_vote) {
      const Op op = code_.instructions[m.at].op;
      const uint32_t result = op == Op::sync_block_count ? yes : op == Op::sync_block_and ? uint32_t{yes == came} : uint32_t{yes != 0};
      LK_LANES scratch_[i] = result;
      write(m, warp.units + m.d, warp.active);
    }
    warp.waiting = false;
    ++warp.pc;
  }
  marks_.barrier();
  ++epoch_;
  ++phases_;
  if (options_.seed != 0) std::rotate(order_.begin(), order_.begin() + static_cast<ptrdiff_t>(phases_ % order_.size()), order_.end());
}

}  // namespace lk::simt
