#include "simt/machine_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gpu/banks.h"
#include "simt/machine.h"

namespace lk::simt {
namespace {

constexpr uint32_t everyone = ~0u;
constexpr uint64_t shared_key = shared_window >> stretch_bits, local_key = local_window >> stretch_bits;

template <class F>
void each_lane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

// All lanes: equal steps from one address to the next?
bool even(const uint64_t* at) {
  const uint64_t stride = at[1] - at[0];
  uint64_t differ = 0;
  for (int i = 1; i < lanes; ++i) differ |= (at[i] - at[i - 1]) ^ stride;
  return differ == 0;
}

// Elements of M bytes in memory, R in a register.
template <class M, class R>
void load(const Request& r, uint32_t* d, const uint8_t* memory) {
  const int count = r.instr->count;
  for (int c = 0; c < count; ++c) {
    auto* to = reinterpret_cast<R*>(d) + c * lanes;
    const uint8_t* from = memory + static_cast<size_t>(c) * sizeof(M);
    M v;
    if (r.strided && r.stride == 0) {
      std::memcpy(&v, from + r.first, sizeof v);
      const R all = static_cast<R>(v);
      LK_LANES to[i] = all;
    } else if (r.strided && sizeof(M) == sizeof(R) && r.stride == sizeof(M)) {
      std::memcpy(to, from + r.first, sizeof(M) * lanes);
    } else if (r.strided) {
      const uint8_t* p = from + r.first;
      const auto step = static_cast<ptrdiff_t>(r.stride);
      for (int i = 0; i < lanes; ++i) {
        std::memcpy(&v, p + i * step, sizeof v);
        to[i] = static_cast<R>(v);
      }
    } else if (r.active == everyone) {
      for (int i = 0; i < lanes; ++i) {
        std::memcpy(&v, from + r.at[i], sizeof v);
        to[i] = static_cast<R>(v);
      }
    } else {
      each_lane(r.active, [&](int i) {
        std::memcpy(&v, from + r.at[i], sizeof v);
        to[i] = static_cast<R>(v);
      });
    }
  }
}

template <class M, class R>
void store(Request& r, const uint32_t* b, uint8_t* memory) {
  const int count = r.instr->count;
  for (int c = 0; c < count; ++c) {
    const auto* from = reinterpret_cast<const R*>(b) + c * lanes;
    uint8_t* to = memory + static_cast<size_t>(c) * sizeof(M);
    if (r.strided && sizeof(M) == sizeof(R) && r.stride == sizeof(M)) {
      std::memcpy(to + r.first, from, sizeof(M) * lanes);
    } else {
      r.fill();
      each_lane(r.active, [&](int i) {
        const M v = static_cast<M>(from[i]);
        std::memcpy(to + r.at[i], &v, sizeof v);
      });
    }
  }
}

void mark_known(Request& r, uint8_t* known) {
  r.fill();
  each_lane(r.active, [&](int i) { std::memset(known + r.at[i], 1, static_cast<size_t>(r.width)); });
}

uint64_t head_of(const Request& r) { return r.strided ? r.first : r.at[std::countr_zero(r.active) & (lanes - 1)]; }

int64_t first_offset(const Request& r) { return r.stride < 0 ? static_cast<int64_t>(r.last()) : static_cast<int64_t>(r.first); }

// Lines and sectors of offsets in an area; `lines_of` tells for each lane which of the lines its own is.
void touch(Request& r, Touched& t, uint8_t* line_of) {
  t.count = 0;
  const int64_t size = r.stride < 0 ? -r.stride : r.stride;
  if (r.strided && size <= 32) {
    const auto low = static_cast<uint64_t>(first_offset(r)), high = low + static_cast<uint64_t>(size * (lanes - 1) + r.width - 1);
    const uint64_t first = low >> 5, last = high >> 5;
    for (uint64_t line = first >> 2; line <= last >> 2; ++line) {
      unsigned sectors = 15;
      if (line == first >> 2) sectors &= 15u << (first & 3);
      if (line == last >> 2) sectors &= 15u >> (3 - (last & 3));
      t.line[t.count] = line;
      t.sectors[t.count++] = static_cast<uint8_t>(sectors);
    }
    return;
  }
  const bool apart = r.strided && size >= 128;
  r.fill();
  each_lane(r.active, [&](int i) {
    const uint64_t line = r.at[i] >> 7;
    const auto sector = static_cast<uint8_t>(1u << (r.at[i] >> 5 & 3));
    int k = t.count;
    if (!apart) {
      while (k > 0 && t.line[k - 1] != line) --k;
      --k;
    }
    if (apart || k < 0) {
      k = t.count++;
      t.line[k] = line;
      t.sectors[k] = 0;
    }
    t.sectors[k] |= sector;
    line_of[i] = static_cast<uint8_t>(k);
  });
}

// Sectors that a store does not write whole.
int partial(const Request& r, const Touched& t, const uint8_t* line_of, int sectors) {
  const int64_t size = r.stride < 0 ? -r.stride : r.stride;
  if (r.strided && size == r.width) {
    const auto low = static_cast<uint64_t>(first_offset(r)), end = low + static_cast<uint64_t>(size) * lanes;
    if (sectors == 1) return low % 32 != 0 || end % 32 != 0;
    return (low % 32 != 0) + (end % 32 != 0);
  }
  if (r.strided && size <= 32) return sectors;
  uint32_t covered[lanes][4] = {};
  const uint32_t bits = r.width == 32 ? ~0u : (1u << r.width) - 1;
  each_lane(r.active, [&](int i) { covered[line_of[i]][r.at[i] >> 5 & 3] |= bits << (r.at[i] & 31); });
  int part = 0;
  for (int k = 0; k < t.count; ++k)
    for (unsigned s = 0; s < 4; ++s) part += (t.sectors[k] >> s & 1) && covered[k][s] != ~0u;
  return part;
}

// Over the sectors of an access, the most lanes that share one address, added up.
uint64_t same_address(Request& r) {
  r.fill();
  uint64_t address[lanes];
  int times[lanes], count = 0;
  each_lane(r.active, [&](int i) {
    int k = 0;
    while (k < count && address[k] != r.at[i]) ++k;
    if (k == count) {
      address[count] = r.at[i];
      times[count++] = 0;
    }
    ++times[k];
  });
  uint64_t sum = 0;
  for (int k = 0; k < count; ++k) {
    bool first = true;
    int most = times[k];
    for (int j = 0; j < count; ++j) {
      if (address[j] >> 5 != address[k] >> 5) continue;
      first = first && j >= k;
      most = std::max(most, times[j]);
    }
    if (first) sum += static_cast<uint64_t>(most);
  }
  return sum;
}

}  // namespace

uint64_t Area::page(uint64_t number) {
  if (number == last_page) return last_begin;
  constexpr uint64_t page_size = uint64_t{1} << page_bits;
  const auto [found, fresh] = pages.try_emplace(number, arena.size() >> page_bits);
  if (fresh) {
    arena.resize(arena.size() + page_size);
    simt::fill({arena.data() + (found->second << page_bits), page_size}, fill, fill_element, number * page_size / static_cast<uint64_t>(bytes(fill_element)), seed);
  }
  last_page = number;
  return last_begin = found->second << page_bits;
}

const uint8_t* Area::at(uint64_t offset) {
  return paged ? arena.data() + page(offset >> page_bits) + (offset & ((uint64_t{1} << page_bits) - 1)) : data + offset;
}

void FirstLevel::resize(uint64_t bytes) {
  sets_ = std::bit_floor(std::max<uint64_t>(1, bytes / 128 / 4));
  entries_.assign(sets_ * 4, Entry{});
}

uint8_t FirstLevel::miss(uint64_t line, uint8_t sectors) {
  Entry* const set = entries_.data() + ((line ^ line >> 9) & (sets_ - 1)) * 4;
  ++clock_;
  Entry* oldest = set;
  for (Entry* e = set; e < set + 4; ++e) {
    if (e->generation == generation_ && e->line == line) {
      const auto missing = static_cast<uint8_t>(sectors & ~e->sectors);
      e->sectors |= sectors;
      e->used = clock_;
      return missing;
    }
    if (e->generation != generation_) {
      if (oldest->generation == generation_) oldest = e;
    } else if (oldest->generation == generation_ && e->used < oldest->used) {
      oldest = e;
    }
  }
  *oldest = {line, generation_, clock_, sectors};
  return sectors;
}

bool Machine::access(const Micro& m, Warp& warp, uint32_t active) {
  Request r;
  r.micro = &m;
  r.instr = &code_.instructions[m.at];
  r.active = active;
  r.width = r.instr->count * bytes(r.instr->type);
  const auto* a = reinterpret_cast<const uint64_t*>(warp.units + m.a);
  const auto offset = static_cast<uint64_t>(static_cast<int64_t>(r.instr->imm));
  if (active == everyone && even(a)) {
    r.stride = static_cast<int64_t>(a[1] - a[0]);
    r.first = a[0] + offset;
    if (r.stride < 1 << 30 && r.stride > -(1 << 30) && r.last() >> stretch_bits == r.first >> stretch_bits) {
      r.strided = true;
      r.filled = false;
    }
  }
  if (!r.strided) LK_LANES r.at[i] = a[i] + offset;
  return access_at(r, warp);
}

// `at` holds addresses. An access whose lanes point to several stretches goes one by one.
bool Machine::access_at(Request& r, Warp& warp) {
  const uint32_t active = r.active;
  Counters& c = counters_[r.micro->at];
  ++c.requests;
  c.bytes += static_cast<uint64_t>(active == everyone ? lanes : std::popcount(active)) * static_cast<uint64_t>(r.width);
  access_latency_.fill(0);
  access_lines_ = 0;
  if (r.strided) return access_group(r, warp);
  const uint64_t key = r.at[std::countr_zero(active) & (lanes - 1)] >> stretch_bits;
  uint64_t differ = 0;
  each_lane(active, [&](int i) { differ |= r.at[i] >> stretch_bits ^ key; });
  if (differ == 0) return access_group(r, warp);
  for (uint32_t rest = active; rest != 0;) {
    Request part = r;
    part.strided = false;
    part.active = 0;
    const uint64_t here = r.at[std::countr_zero(rest)] >> stretch_bits;
    each_lane(rest, [&](int i) { part.active |= uint32_t{r.at[i] >> stretch_bits == here} << i; });
    rest &= ~part.active;
    if (!access_group(part, warp)) return false;
  }
  return true;
}

bool Machine::access_group(Request& r, Warp& warp) {
  const uint64_t key = head_of(r) >> stretch_bits;
  const Space space = r.instr->space;
  uint64_t low = 0;
  if (r.strided) {
    low = r.first | static_cast<uint64_t>(r.stride);
  } else {
    each_lane(r.active, [&](int i) { low |= r.at[i]; });
  }
  if ((low & static_cast<uint64_t>(r.width - 1)) != 0) return misaligned(r, warp);
  if (key == shared_key) return space == Space::shared || space == Space::generic ? access_shared(r, warp) : bad_address(r, warp);
  if (key == local_key) return space == Space::local || space == Space::generic ? access_local(r, warp) : bad_address(r, warp);
  if (space != Space::global && space != Space::generic) return bad_address(r, warp);
  return access_global(r, warp);
}

// Whether [at, at + width) of every lane lies in `size` bytes from `base`; then `at` becomes offsets from there.
static bool inside(Request& r, uint64_t base, uint64_t size) {
  const auto width = static_cast<uint64_t>(r.width);
  const auto fits = [&](uint64_t at) { return at - base <= size - width; };
  if (size < width) return false;
  if (r.strided) {
    if (!fits(r.first) || !fits(r.last())) return false;
    r.first -= base;
    if (!r.filled) return true;
  } else {
    bool all = true;
    each_lane(r.active, [&](int i) { all = all && fits(r.at[i]); });
    if (!all) return false;
  }
  LK_LANES r.at[i] -= base;
  return true;
}

bool Machine::access_global(Request& r, Warp& warp) {
  const uint64_t key = head_of(r) >> stretch_bits;
  if (key == 0 || key > areas_.size()) return bad_address(r, warp);
  Area& area = areas_[key - 1];
  if (!inside(r, area.base, area.size)) return bad_address(r, warp);
  const Op op = r.instr->op;
  count_global(r, area);
  if (options_.checks) {
    if (area.known != nullptr && op != Op::store) check_known(r, warp, area);
    if (!area.marks.empty()) global_marks(r, warp, area);
  }
  if (area.known != nullptr && op != Op::load) mark_known(r, area.known);
  if (area.paged) {
    to_pages(r, area);
    transfer(r, warp, area.arena.data());
  } else {
    transfer(r, warp, area.data);
  }
  return true;
}

// Offsets in the buffer become offsets in its arena. An aligned access never crosses a page.
void Machine::to_pages(Request& r, Area& area) {
  constexpr uint64_t within = (uint64_t{1} << page_bits) - 1;
  if (r.strided && r.first >> page_bits == r.last() >> page_bits) {
    r.first = area.page(r.first >> page_bits) + (r.first & within);
    r.filled = false;
    return;
  }
  r.fill();
  r.strided = false;
  each_lane(r.active, [&](int i) { r.at[i] = area.page(r.at[i] >> page_bits) + (r.at[i] & within); });
}

void Machine::count_global(Request& r, Area& area) {
  const Op op = r.instr->op;
  Counters& c = counters_[r.micro->at];
  Touched t;
  uint8_t line_of[lanes];
  touch(r, t, line_of);
  int sectors = 0;
  for (int k = 0; k < t.count; ++k) sectors += std::popcount(t.sectors[k]);
  c.sectors += static_cast<uint64_t>(sectors);
  c.lines += static_cast<uint64_t>(t.count);
  c.ideal_sectors += static_cast<uint64_t>(std::popcount(r.active) * r.width + 31) / 32;
  if (op == Op::store) c.partial_sectors += static_cast<uint64_t>(partial(r, t, line_of, sectors));
  if (is_atomic(op)) c.atomic_same += same_address(r);
  const bool reads = op != Op::store, writes = op != Op::load, cached = op == Op::load && !(r.instr->flags & flag_volatile);
  wait(cycles_l1);
  for (int k = 0; k < t.count; ++k) {
    const uint64_t line = t.line[k];
    const unsigned shift = static_cast<unsigned>(line & 31) * 2;
    const uint64_t blocks = uint64_t{(t.sectors[k] & 3) != 0} | uint64_t{(t.sectors[k] & 12) != 0} << 1;
    uint64_t& read = area.reads[line >> 5];
    uint64_t& written = area.writes[line >> 5];
    if (op == Op::load) {
      const uint8_t missing = cached ? first_level_.miss((area.base >> 7) + line, t.sectors[k]) : t.sectors[k];
      profile_.l2_read_sectors += static_cast<uint64_t>(std::popcount(missing));
      profile_.l2_read_lines += missing != 0;
      if (missing != 0) wait(cycles_l2);
      if (tracing_ && missing != 0) visit((area.base >> 6) + line * 2, blocks, true);
    } else {
      wait(cycles_l2);
      if (tracing_) visit((area.base >> 6) + line * 2, blocks, reads);
    }
    if (reads) read |= blocks << shift;
    if (writes) written |= blocks << shift;
  }
  access_lines_ += t.count;
}

void Machine::wait(float cycles) {
  for (float& t : access_latency_) t = std::max(t, cycles);
}

// The followed block comes to 64 B blocks of memory: `first` and, by bit, the next.
void Machine::visit(uint64_t first, uint64_t blocks, bool reads) {
  for (uint64_t k = 0; k < 2; ++k) {
    if ((blocks >> k & 1) == 0) continue;
    const auto [at, fresh] = visits_.try_emplace(first + k, ++visit_);
    // Much else: a quarter of all that the block has touched. A neighboring sector a moment later is still there.
    const bool far = !fresh && (visit_ - at->second) * 4 > visits_.size();
    at->second = visit_;
    if (!reads) continue;
    if (fresh) access_latency_[first_in_memory] = std::max(access_latency_[first_in_memory], static_cast<float>(cycles_dram));
    if (fresh || far) access_latency_[all_in_memory] = std::max(access_latency_[all_in_memory], static_cast<float>(cycles_dram));
  }
}

bool Machine::access_shared(Request& r, Warp& warp) {
  if (!inside(r, shared_window, shared_size_)) return bad_address(r, warp);
  const Op op = r.instr->op;
  Counters& c = counters_[r.micro->at];
  gpu::BankUse use = op == Op::load ? gpu::BankUse::load : gpu::BankUse::store;
  if (is_atomic(op)) {
    use = gpu::BankUse::atomic;
    const bool integer = r.instr->type == Type::s32 || r.instr->type == Type::u32;
    if (integer && (op == Op::atomic_add || op == Op::atomic_sub) && r.instr->flags & flag_unused) {
      const uint32_t* b = warp.units + r.micro->b;
      bool same = true;
      each_lane(r.active, [&](int i) { same = same && b[i] == b[std::countr_zero(r.active)]; });
      if (same) use = gpu::BankUse::atomic_merged;
    }
  }
  int passes = r.strided ? gpu::wavefronts_strided(r.first, r.stride, r.width, use) : 0;
  if (passes == 0) {
    r.fill();
    Passes& last = passes_[r.micro->at];
    const auto first = static_cast<uint32_t>(r.at[std::countr_zero(r.active)]);
    uint32_t offsets[lanes], differ = last.active ^ r.active;
    LK_LANES offsets[i] = static_cast<uint32_t>(r.at[i]) - first;
    if (r.active == everyone) {
      for (int i = 0; i < lanes; ++i) differ |= offsets[i] ^ last.offsets[i];
    } else {
      each_lane(r.active, [&](int i) { differ |= offsets[i] ^ last.offsets[i]; });
    }
    const bool varies = is_atomic(op);  // the operand decides too
    if (differ != 0 || last.phase != (first & 3) || varies) {
      last.active = r.active;
      last.phase = first & 3;
      std::memcpy(last.offsets, offsets, sizeof offsets);
      last.passes = gpu::wavefronts(r.at, r.active, r.width, use);
    }
    passes = last.passes;
  }
  c.wavefronts += static_cast<uint64_t>(passes);
  c.ideal_wavefronts += static_cast<uint64_t>(std::min(passes, gpu::ideal_wavefronts(std::popcount(r.active) * r.width)));
  if (is_atomic(op)) c.atomic_same += same_address(r);
  wait(static_cast<float>(cycles_shared + passes - 1));
  if (options_.checks) shared_marks(r, warp);
  transfer(r, warp, shared_.data());
  return true;
}

bool Machine::access_local(Request& r, Warp& warp) {
  const auto each = static_cast<uint64_t>(kernel_.local_bytes);
  if (!inside(r, local_window, each)) return bad_address(r, warp);
  r.fill();
  // In the GPU's memory word k of all lanes lies side by side.
  Counters& c = counters_[r.micro->at];
  uint64_t sectors[lanes * 4];
  size_t count = 0;
  for (int word = 0; word < std::max(r.width / 4, 1); ++word)
    each_lane(r.active, [&](int i) { sectors[count++] = (r.at[i] / 4 + static_cast<uint64_t>(word)) * 4 + static_cast<uint64_t>(i) / 8; });
  std::sort(sectors, sectors + count);
  for (size_t k = 0; k < count; ++k) {
    c.sectors += k == 0 || sectors[k] != sectors[k - 1];
    c.lines += k == 0 || sectors[k] >> 2 != sectors[k - 1] >> 2;
  }
  c.ideal_sectors += static_cast<uint64_t>(std::popcount(r.active) * r.width + 31) / 32;
  wait(cycles_l1);
  r.strided = false;
  each_lane(r.active, [&](int i) { r.at[i] += static_cast<uint64_t>(i) * each; });
  if (options_.checks) {
    if (r.instr->op == Op::load) {
      uint32_t unknown = 0;
      each_lane(r.active, [&](int i) {
        unknown |= uint32_t{std::memchr(warp.local_known + r.at[i], 0, static_cast<size_t>(r.width)) != nullptr} << i;
      });
      if (unknown != 0) {
        const uint32_t thread = thread_of(warp, std::countr_zero(unknown));
        if (Finding* f = report(Kind::uninitialized, {r.micro->at, thread}, static_cast<uint64_t>(std::popcount(unknown)))) {
          f->address = r.at[std::countr_zero(unknown)] % each;
          f->object = "local memory";
          f->what = "Thread " + thread_text(thread) + " reads an element of its own array that it has not written.";
          f->hint = "Give the array its values first: a local array begins with whatever was there.";
        }
      }
    } else {
      mark_known(r, warp.local_known);
    }
  }
  transfer(r, warp, warp.local);
  return true;
}

void Machine::transfer(Request& r, Warp& warp, uint8_t* memory) {
  if (is_atomic(r.instr->op)) {
    r.fill();
    return atomic(r, warp, memory);
  }
  const bool loads = r.instr->op == Op::load;
  uint32_t* d = warp.units + r.micro->d;
  const uint32_t* b = warp.units + r.micro->b;
  switch (r.instr->type) {
    case Type::s8: return loads ? load<int8_t, int32_t>(r, d, memory) : store<int8_t, int32_t>(r, b, memory);
    case Type::pred: case Type::u8: return loads ? load<uint8_t, uint32_t>(r, d, memory) : store<uint8_t, uint32_t>(r, b, memory);
    case Type::s16: return loads ? load<int16_t, int32_t>(r, d, memory) : store<int16_t, int32_t>(r, b, memory);
    case Type::u16: case Type::f16: case Type::bf16:
      return loads ? load<uint16_t, uint32_t>(r, d, memory) : store<uint16_t, uint32_t>(r, b, memory);
    case Type::s64: case Type::u64: case Type::f64: return loads ? load<uint64_t, uint64_t>(r, d, memory) : store<uint64_t, uint64_t>(r, b, memory);
    default: return loads ? load<uint32_t, uint32_t>(r, d, memory) : store<uint32_t, uint32_t>(r, b, memory);
  }
}

bool Machine::same_value(const Request& r, const Warp& warp, int lane, int other) const {
  const uint32_t* b = warp.units + r.micro->b;
  const bool wide = units(r.instr->type) == 2;
  for (int c = 0; c < r.instr->count; ++c) {
    if (wide) {
      const auto* values = reinterpret_cast<const uint64_t*>(b) + c * lanes;
      if (values[lane] != values[other]) return false;
    } else {
      const uint32_t* values = b + c * lanes;
      if (values[lane] != values[other]) return false;
    }
  }
  return true;
}

}  // namespace lk::simt
