#include <algorithm>

#include "base/random.h"
#include "simt/machine.h"

namespace lk::simt {
namespace {

constexpr uint64_t longest_turn = 256;  // warp instructions before the next warp gets a turn: warps of a block advance side by side, as they do in the caches
constexpr uint32_t everyone = ~0u;

uint64_t bits_of(uint32_t mask) { return static_cast<uint64_t>(__builtin_popcount(mask)); }

}  // namespace

void Machine::expand(uint32_t active) {
  if (mask_of_ == active) return;
  mask_of_ = active;
  for (unsigned i = 0; i < lanes; ++i) mask_[i] = active >> i & 1 ? ~0u : 0u;
  for (unsigned i = 0; i < lanes; ++i) wide_mask_[i] = active >> i & 1 ? ~uint64_t{0} : uint64_t{0};
}

void Machine::blend(uint32_t* d, const uint32_t* s, uint32_t count) const {
  if (count == 2) {
    auto* to = reinterpret_cast<uint64_t*>(d);
    const auto* from = reinterpret_cast<const uint64_t*>(s);
    LK_LANES to[i] = (to[i] & ~wide_mask_[i]) | (from[i] & wide_mask_[i]);
  } else {
    LK_LANES d[i] = (d[i] & ~mask_[i]) | (s[i] & mask_[i]);
  }
}

void Machine::write(const Micro& m, uint32_t* d, uint32_t active) {
  expand(active);
  blend(d, scratch_, m.blended);
}

void Machine::special(const Micro& m, Warp& warp, uint32_t* d) {
  const auto which = static_cast<Special>(m.value);
  const auto all = [&](uint32_t v) { LK_LANES d[i] = v; };
  switch (which) {
    case Special::thread_x: case Special::thread_y: case Special::thread_z: {
      const uint32_t* ids = thread_ids_.data() + (size_t{warp.number} * 3 + static_cast<size_t>(which)) * lanes;
      LK_LANES d[i] = ids[i];
      break;
    }
    case Special::block_x: all(block_at_.x); break;
    case Special::block_y: all(block_at_.y); break;
    case Special::block_z: all(block_at_.z); break;
    case Special::block_dim_x: all(launch_.block.x); break;
    case Special::block_dim_y: all(launch_.block.y); break;
    case Special::block_dim_z: all(launch_.block.z); break;
    case Special::grid_dim_x: all(launch_.grid.x); break;
    case Special::grid_dim_y: all(launch_.grid.y); break;
    case Special::grid_dim_z: all(launch_.grid.z); break;
    case Special::lane:
      for (uint32_t i = 0; i < lanes; ++i) d[i] = i;
      break;
    case Special::warp_size: all(lanes); break;
    case Special::clock: all(static_cast<uint32_t>(profile_.steps)); break;
  }
}

// Halves by way of floats: the two roundings of + - * / and sqrt never differ from one.
void Machine::half(const Micro& m, uint32_t* R, uint32_t* d) {
  const auto type = static_cast<Type>(m.value);
  const bool bf16 = type == Type::bf16 || type == Type::bf16x2, pair = type == Type::f16x2 || type == Type::bf16x2;
  uint32_t result[2][lanes];
  for (const bool upper : {false, true}) {
    if (upper && !pair) break;
    uint32_t* out = result[upper];
    if (m.act == Act::fma_half) {
      uint32_t x[3][lanes];
      const uint32_t* from[3] = {R + m.a, R + m.b, R + m.c};
      const unsigned shift = upper ? 16 : 0;
      for (size_t k = 0; k < 3; ++k) LK_LANES x[k][i] = from[k][i] >> shift & 0xFFFF;
      (bf16 ? fma_bf16 : fma_f16)(out, x[0], x[1], x[2]);
      continue;
    }
    float x[3][lanes], y[lanes];
    widen(x[0], R + m.a, bf16, upper);
    widen(x[1], R + m.b, bf16, upper);
    widen(x[2], R + m.c, bf16, upper);
    if (m.act == Act::half_compare) {
      m.f(out, x[0], x[1], x[2]);
    } else {
      m.f(y, x[0], x[1], x[2]);
      narrow(out, y, bf16);
    }
  }
  if (pair) {
    LK_LANES d[i] = result[0][i] | result[1][i] << 16;
  } else {
    LK_LANES d[i] = result[0][i];
  }
}

// What was counted for the whole segment but did not run any more.
bool Machine::stop(uint32_t at, uint32_t segment) {
  const Segment& s = code_.segments[segment];
  const uint64_t active = bits_of(all_warps_[order_[turn_]].active);
  for (uint32_t i = at + 1; i < s.end; ++i) {
    --counters_[i].executed;
    counters_[i].lanes -= active;
    --profile_.steps;
  }
  profile_.stopped = true;
  return false;
}

Machine::Turn Machine::run_warp(Warp& warp) {
  const Micro* const code = code_.code.data();
  const Micro* m = code + warp.pc;
  uint32_t* const R = warp.units;
  uint32_t active = warp.active, segment = 0;
  const uint64_t limit = std::min({turn_end_, slice_end_, budget_});
  Saved* const saved = warp.saved;
  const auto gone = [&] { return warp.left | warp.skipped | warp.returned; };
  const auto stopped = [&] {
    warp.active = active;
    stop(m->at, segment);
    return Turn::stops;
  };
  for (;;) {
    switch (m->act) {
      case Act::segment: {
        if (profile_.steps >= limit) {
          warp.pc = static_cast<size_t>(m - code);
          warp.active = active;
          return Turn::pauses;
        }
        segment = static_cast<uint32_t>(m->value);
        ++executed_[segment];
        lanes_[segment] += bits_of(active);
        profile_.steps += code_.segments[segment].end - code_.segments[segment].first;
        ++m;
        break;
      }
      case Act::divide:
        check_division(*m, warp, active);
        [[fallthrough]];
      case Act::alu:
        if (active == everyone) {
          m->f(R + m->d, R + m->a, R + m->b, R + m->c);
        } else {
          m->f(scratch_, R + m->a, R + m->b, R + m->c);
          write(*m, R + m->d, active);
        }
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::half: case Act::half_compare: case Act::fma_half:
        half(*m, R, scratch_);
        write(*m, R + m->d, active);
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::broadcast: {
        uint32_t* d = active == everyone ? R + m->d : scratch_;
        if (m->blended == 2) {
          auto* wide = reinterpret_cast<uint64_t*>(d);
          LK_LANES wide[i] = m->value;
        } else {
          const auto value = static_cast<uint32_t>(m->value);
          LK_LANES d[i] = value;
        }
        if (active != everyone) write(*m, R + m->d, active);
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      }
      case Act::special:
        special(*m, warp, scratch_);
        write(*m, R + m->d, active);
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::memory:
        if (!access(*m, warp, active)) return stopped();
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::matrix_memory:
        if (!matrix_memory(*m, warp, active)) return stopped();
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::fence: ++m; break;
      case Act::shuffle: shuffle(*m, warp, active); goto done;
      case Act::vote: vote(*m, warp, active); goto done;
      case Act::match: match(*m, warp, active); goto done;
      case Act::reduce: reduce(*m, warp, active); goto done;
      case Act::matrix_fill: matrix_fill(*m, warp); goto done;
      case Act::matrix_multiply: matrix_multiply(*m, warp); goto done;
      done:
        if (tracing_) trace(*m, warp, active);
        ++m;
        break;
      case Act::sync_warp:
        check_members(*m, warp, active, R + m->c);
        warp.synced = marks_.number();
        ++m;
        break;
      case Act::sync_block: case Act::sync_block_vote:
        if (options_.checks) check_barrier(*m, warp, active);
        ++profile_.barriers;
        warp.waiting = true;
        warp.wait_at = m->at;
        warp.pc = static_cast<size_t>(m - code);
        warp.active = active;
        return Turn::waits;

      case Act::if_: {
        const uint32_t taken = predicate_bits(R + m->a) & active;
        if (taken != 0 && taken != active) ++counters_[m->at].diverged;
        if (tracing_) trace(*m, warp, active);
        saved[warp.saved_count++] = {active, taken, 0};
        active = taken;
        m = taken != 0 ? m + 1 : code + m->target;
        break;
      }
      case Act::else_: {
        const Saved& top = saved[warp.saved_count - 1];
        active = top.active & ~top.first & ~gone();
        m = active != 0 ? m + 1 : code + m->target;
        break;
      }
      case Act::end_if:
        active = saved[--warp.saved_count].active & ~gone();
        m = active != 0 ? m + 1 : code + m->target;
        break;
      case Act::loop:
        saved[warp.saved_count++] = {active, warp.left, warp.skipped};
        warp.left = warp.skipped = 0;
        ++m;
        break;
      case Act::loop_test: {
        const uint32_t stay = predicate_bits(R + m->a) & active;
        if (stay != 0 && stay != active) ++counters_[m->at].diverged;
        if (tracing_) trace(*m, warp, active);
        warp.left |= active & ~stay;
        active = stay;
        m = stay != 0 ? m + 1 : code + m->target;
        break;
      }
      case Act::loop_next:
        active |= warp.skipped;
        warp.skipped = 0;
        m = active != 0 ? m + 1 : code + m->target;
        break;
      case Act::loop_back:
        if (tracing_) trace_loop(*m, warp);
        m = active != 0 ? code + m->target : m + 1;
        break;
      case Act::loop_end: {
        const Saved& top = saved[--warp.saved_count];
        warp.left = top.first;
        warp.skipped = top.second;
        active = top.active & ~gone();
        m = active != 0 ? m + 1 : code + m->target;
        break;
      }
      case Act::leave_loop:
        warp.left |= active;
        active = 0;
        m = code + m->target;
        break;
      case Act::next_trip:
        warp.skipped |= active;
        active = 0;
        m = code + m->target;
        break;
      case Act::return_:
        warp.returned |= active;
        if (warp.frames == 0) warp.exited |= active;
        active = 0;
        m = code + m->target;
        break;
      case Act::frame:
        saved[warp.saved_count++] = {active, warp.returned, 0};
        warp.returned = 0;
        ++warp.frames;
        ++m;
        break;
      case Act::frame_end: {
        const Saved& top = saved[--warp.saved_count];
        warp.returned = top.first;
        --warp.frames;
        active = top.active & ~gone();
        m = active != 0 ? m + 1 : code + m->target;
        break;
      }
      case Act::exit:
        warp.done = true;
        warp.exited = warp.live;
        warp.active = 0;
        return Turn::ended;
      case Act::trap: {
        const auto lane = static_cast<uint32_t>(__builtin_ctz(active));
        if (Finding* f = report(Kind::trap, {m->at, warp.number * lanes + lane}, bits_of(active))) {
          f->what = "Thread " + thread_text(warp.number * lanes + lane) + " gives up here: a failed assert or __trap().";
          f->hint = "On a GPU the whole launch ends with an error. Look at what the assertion says and at the values that lead to it.";
        }
        return stopped();
      }
    }
  }
}

void Machine::begin_block() {
  const uint64_t turn = blocks_to_run_ == blocks_ ? next_block_ : next_block_ * blocks_ / blocks_to_run_;
  block_ = blocks_to_run_ == blocks_ ? (block_first_ + static_cast<uint64_t>(turn) * block_step_) % blocks_ : turn;
  block_at_ = extent(block_, launch_.grid);
  for (uint32_t w = 0; w < warps_; ++w) {
    Warp& warp = all_warps_[w];
    const uint32_t count = std::min<uint32_t>(lanes, threads_ - w * lanes);
    Warp fresh;
    fresh.number = w;
    fresh.live = fresh.active = count == lanes ? everyone : (1u << count) - 1;
    fresh.units = warp.units;
    fresh.saved = warp.saved;
    fresh.local = warp.local;
    fresh.local_known = warp.local_known;
    fresh.synced = 0;
    warp = fresh;
    order_[w] = w;
  }
  if (options_.seed != 0) {
    Random random(options_.seed * 0x9E3779B97F4A7C15u + block_);
    for (uint32_t w = warps_; w > 1; --w) std::swap(order_[w - 1], order_[random.below(w)]);
  }
  std::fill(shared_.begin(), shared_.end(), uint8_t{0});
  std::fill(local_known_.begin(), local_known_.end(), uint8_t{0});
  first_level_.clear();
  marks_.begin_block();
  ++epoch_;
  phases_ = 1;
  turn_ = 0;
  in_turn_ = false;
  in_block_ = true;
  // A few blocks, spread evenly, are followed in time.
  constexpr uint64_t followed = 8;
  const uint64_t every = std::max<uint64_t>(1, blocks_to_run_ / followed);
  tracing_ = options_.latency && next_block_ % every == 0 && traced_ < followed;
  if (tracing_) {
    traces_.assign(warps_, Trace{});
    visits_.clear();
    visit_ = 0;
    for (Trace& t : traces_) {
      for (auto& ready : t.ready) ready.assign(code_.units, 0.0f);
      t.from_memory.assign(code_.units, 0);
      t.turns.assign(counters_.size(), 0);
    }
  }
}

void Machine::end_block() {
  in_block_ = false;
  ++next_block_;
  ++profile_.blocks_run;
  profile_.phases = std::max(profile_.phases, static_cast<int>(phases_));
  if (!tracing_) return;
  double flight = 0, trips = 0;
  for (size_t n = 0; n < cases; ++n) {
    double latency = 0;
    for (const Trace& t : traces_) latency = std::max(latency, std::max(t.end[n], t.latest[n]));
    latency_sum_[n] += latency;
  }
  own_sum_ += visits_.size();
  for (Trace& t : traces_) {
    if (t.first_use == 0) {
      for (const auto& [start, lines] : t.loads) t.flight += lines;
    }
    flight = std::max(flight, t.flight);
    trips = std::max(trips, static_cast<double>(std::max(t.trips, t.most_trips)));
  }
  flight_sum_ += flight;
  trips_sum_ += std::max(trips, 1.0);
  ++traced_;
  tracing_ = false;
}

// True when every warp of the block has ended.
bool Machine::run_block() {
  for (;;) {
    bool waiting = false, running = false;
    for (; turn_ < order_.size(); ++turn_) {
      Warp& warp = all_warps_[order_[turn_]];
      if (warp.done || warp.waiting) {
        waiting = waiting || warp.waiting;
        continue;
      }
      if (!in_turn_) {
        // Uneven turns show what depends on the order of warps.
        const uint64_t length = options_.seed == 0 ? longest_turn : 256 + Random(options_.seed ^ profile_.steps).below(4096);
        turn_end_ = profile_.steps + length;
        in_turn_ = true;
      }
      const Turn turn = run_warp(warp);
      if (turn == Turn::stops) return false;
      if (turn == Turn::pauses) {
        if (profile_.steps >= budget_) {
          const uint32_t at = code_.code[warp.pc].at;
          if (Finding* f = report(Kind::runaway, {at, thread_of(warp, __builtin_ctz(warp.active))}, bits_of(warp.active))) {
            f->what = "After " + std::to_string(profile_.steps) + " warp instructions the kernel has not ended; this is where it was.";
            f->hint = "Look for a loop whose condition never turns false, or one that waits for another block: blocks run one after the other here, "
                      "and nothing promises that a GPU runs them together.";
          }
          profile_.stopped = true;
          return false;
        }
        if (profile_.steps >= slice_end_ && profile_.steps < turn_end_) return false;  // the same warp goes on in the next slice
      }
      in_turn_ = false;
      if (profile_.steps >= slice_end_) {
        ++turn_;
        return false;
      }
    }
    turn_ = 0;
    for (const Warp& warp : all_warps_) {
      running = running || (!warp.done && !warp.waiting);
      waiting = waiting || warp.waiting;
    }
    if (running) continue;
    if (!waiting) return true;
    release_barrier();
  }
}

bool Machine::advance(uint64_t steps) {
  if (ended_) return false;
  slice_end_ = profile_.steps + std::max<uint64_t>(steps, 1);
  while (next_block_ < blocks_to_run_) {
    if (!in_block_) begin_block();
    if (run_block()) {
      end_block();
    } else if (profile_.stopped) {
      break;
    }
    if (profile_.steps >= slice_end_ && next_block_ < blocks_to_run_) return true;
  }
  ended_ = true;
  finish();
  return false;
}

double Machine::progress() const {
  return ended_ ? 1.0 : static_cast<double>(next_block_) / static_cast<double>(blocks_to_run_);
}

const Profile& Machine::profile() {
  if (!ended_) finish();
  return profile_;
}

}  // namespace lk::simt
