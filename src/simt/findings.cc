#include <algorithm>
#include <bit>
#include <cstring>

#include "simt/machine.h"

namespace lk::simt {
namespace {

template <class F>
void each_lane(uint32_t mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(std::countr_zero(mask));
}

// The word for elements of a type, as readers write it.
const char* elements(Type type, int count) {
  switch (type) {
    case Type::f32: return count == 4 ? "float4 values" : count == 2 ? "float2 values" : "floats";
    case Type::f64: return "doubles";
    case Type::f16: case Type::f16x2: return "halves";
    case Type::bf16: case Type::bf16x2: return "bf16 values";
    case Type::s32: case Type::u32: return count == 4 ? "int4 values" : count == 2 ? "int2 values" : "ints";
    case Type::s64: case Type::u64: return "64-bit integers";
    case Type::s16: case Type::u16: return "shorts";
    default: return "bytes";
  }
}

std::string grouped(uint64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<size_t>(at), ",");
  return digits;
}

std::string byte_count(uint64_t n) { return grouped(n) + (n == 1 ? " byte" : " bytes"); }

std::string hex(uint64_t n) {
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[n & 15]);
    n >>= 4;
  } while (n != 0);
  return "0x" + digits;
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

}  // namespace

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::out_of_bounds: return "out of bounds";
    case Kind::misaligned: return "misaligned";
    case Kind::uninitialized: return "uninitialized";
    case Kind::unwritten_shared: return "unwritten shared memory";
    case Kind::shared_race: return "race in shared memory";
    case Kind::global_race: return "race in global memory";
    case Kind::barrier_divergence: return "barrier not reached by all";
    case Kind::absent_lane: return "absent lane";
    case Kind::missing_sync_warp: return "missing __syncwarp";
    case Kind::division_by_zero: return "division by zero";
    case Kind::trap: return "trap";
    case Kind::runaway: return "runaway";
    case Kind::freed: return "freed";
    case Kind::count_: break;
  }
  return "";
}

Extent Machine::extent(uint64_t number, const Extent& of) const {
  Extent e;
  e.x = static_cast<uint32_t>(number % of.x);
  e.y = static_cast<uint32_t>(number / of.x % of.y);
  e.z = static_cast<uint32_t>(number / of.x / of.y % of.z);
  return e;
}

std::string Machine::thread_text(uint32_t thread) const {
  const Extent e = extent(thread, launch_.block);
  if (launch_.block.z > 1) return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
  if (launch_.block.y > 1) return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ")";
  return std::to_string(e.x);
}

Finding* Machine::report(Kind kind, const Where& where, uint64_t times) {
  const std::tuple<Kind, uint32_t, int64_t> key{kind, where.at, where.other};
  if (const auto found = found_.find(key); found != found_.end()) {
    profile_.findings[found->second].times += times;
    return nullptr;
  }
  if (profile_.findings.size() >= static_cast<size_t>(std::max(options_.max_findings, 1))) {
    // A run that ends says why.
    const bool last = kind == Kind::out_of_bounds || kind == Kind::misaligned || kind == Kind::trap || kind == Kind::runaway;
    if (!last) {
      dropped_[key] += times;
      profile_.unique_findings_dropped = dropped_.size();
      return nullptr;
    }
  }
  found_.emplace(key, profile_.findings.size());
  Finding& f = profile_.findings.emplace_back();
  f.kind = kind;
  f.place = code_.instructions[where.at].place;
  if (where.other >= 0) {
    f.other = code_.instructions[where.other].place;
    f.has_other = true;
  }
  f.block = block_at_;
  f.thread = extent(where.thread, launch_.block);
  f.other_thread = extent(where.other_thread, launch_.block);
  f.times = times;
  return &f;
}

std::string Machine::element(const Area& area, int64_t offset) const {
  const int64_t size = int64_t{bytes(area.element)} * area.element_count;
  return area.name + "[" + std::to_string(floor_div(offset, size)) + "]";
}

std::string Machine::shared_element(uint64_t offset) const {
  for (const SharedVariable& v : kernel_.shared) {
    const auto begin = static_cast<uint64_t>(v.offset);
    const uint64_t size = v.size > 0 ? static_cast<uint64_t>(v.size) : shared_size_ - std::min(shared_size_, begin);
    if (offset < begin || offset >= begin + size) continue;
    uint64_t index = (offset - begin) / static_cast<uint64_t>(bytes(v.element));
    if (v.size > 0 && v.extents.empty()) return v.name;
    std::string subscripts;
    for (size_t k = v.extents.size(); k-- > 1;) {
      const auto extent = static_cast<uint64_t>(std::max(v.extents[k], 1));
      subscripts.insert(0, "[" + std::to_string(index % extent) + "]");
      index /= extent;
    }
    return v.name + "[" + std::to_string(index) + "]" + subscripts;
  }
  return "byte " + grouped(offset) + " of shared memory";
}

bool Machine::bad_address(Request& r, const Warp& warp) {
  r.fill();
  // The lanes that are to blame; the first of them speaks for all.
  uint32_t bad = 0;
  const auto width = static_cast<uint64_t>(r.width);
  const uint64_t key = r.at[std::countr_zero(r.active)] >> stretch_bits;
  const bool in_shared = key == shared_window >> stretch_bits, in_local = key == local_window >> stretch_bits;
  const Space space = r.instr->space;
  const bool other_space = (space == Space::shared && !in_shared) || (space == Space::local && !in_local) ||
                           (space == Space::global && (in_shared || in_local));
  const Area* area = nullptr;
  if (!in_shared && !in_local && key >= 1 && key <= areas_.size()) area = &areas_[key - 1];
  uint64_t base = in_shared ? shared_window : in_local ? local_window : area != nullptr ? area->base : 0;
  uint64_t size = in_shared ? shared_size_ : in_local ? static_cast<uint64_t>(kernel_.local_bytes) : area != nullptr ? area->size : 0;
  if (other_space) size = 0;
  each_lane(r.active, [&](int i) { bad |= uint32_t{size < width || r.at[i] - base > size - width} << i; });
  const int lane = std::countr_zero(bad);
  const uint32_t thread = thread_of(warp, lane);
  Finding* f = report(Kind::out_of_bounds, {r.micro->at, thread}, static_cast<uint64_t>(std::popcount(bad)));
  if (f == nullptr) return false;
  const uint64_t address = r.at[lane];
  const std::string verb = r.instr->op == Op::load ? "reads" : r.instr->op == Op::store ? "writes" : "updates";
  const std::string who = "Thread " + thread_text(thread) + " of block " + std::to_string(block_) + " " + verb + " ";
  f->hint = "Test the index against the number of elements, also in the last block.";
  if (other_space) {
    const char* meant = space == Space::shared ? "shared" : space == Space::local ? "local" : "global";
    f->object = hex(address);
    f->what = who + "through a pointer to " + meant + " memory that points elsewhere.";
    f->hint = "Look where the pointer comes from.";
    return false;
  }
  if (in_shared || in_local) {
    const char* what = in_shared ? "the block's shared memory" : "the thread's own array";
    f->address = address - base;
    f->object = in_shared ? "shared memory" : "local memory";
    f->what = who + "at byte " + grouped(f->address) + " of " + what + ", which has " + grouped(size) + ".";
    if (in_shared) f->hint = "Test the index against the array's extent; with extern __shared__ look at the size that the launch gives.";
    if (in_shared && size == 0) f->hint = "The launch gives no dynamic shared memory: pass its size as the third argument of <<< >>>.";
    return false;
  }
  // Before its first element a buffer's addresses are in the stretch below it.
  if (key < areas_.size() && (address & (stretch - 1)) >= most_buffer_bytes) {
    area = &areas_[key];
    const uint64_t before = area->base - address;
    f->address = uint64_t{0} - before;
    f->object = element(*area, -static_cast<int64_t>(before));
    f->what = who + f->object + ", " + byte_count(before) + " before the start of " + area->name + ".";
    f->hint = "An index turned negative, or an unsigned one wrapped around.";
    return false;
  }
  if (area != nullptr) {
    const int64_t each = int64_t{bytes(area->element)} * area->element_count;
    f->address = address - area->base;
    f->object = element(*area, static_cast<int64_t>(f->address));
    f->what = who + f->object + ", which is " + byte_count(f->address + width - size) + " past the end of " + area->name + " (" +
              grouped(size / static_cast<uint64_t>(each)) + " " + elements(area->element, area->element_count) + ").";
    return false;
  }
  f->address = address;
  f->object = hex(address);
  f->what = who + "at address " + hex(address) + (address < 4096 ? ", a null pointer." : ", which belongs to no buffer.");
  f->hint = address < 4096 ? "Pass a buffer for that parameter." : "Look at the pointer arithmetic: the address is far from every buffer.";
  return false;
}

bool Machine::misaligned(Request& r, const Warp& warp) {
  r.fill();
  uint32_t bad = 0;
  each_lane(r.active, [&](int i) { bad |= uint32_t{(r.at[i] & static_cast<uint64_t>(r.width - 1)) != 0} << i; });
  const int lane = std::countr_zero(bad);
  const uint32_t thread = thread_of(warp, lane);
  Finding* f = report(Kind::misaligned, {r.micro->at, thread}, static_cast<uint64_t>(std::popcount(bad)));
  if (f == nullptr) return false;
  const uint64_t address = r.at[lane], key = address >> stretch_bits;
  std::string where = "address " + hex(address);
  if (key == shared_window >> stretch_bits) {
    f->address = address - shared_window;
    f->object = "shared memory";
    where = "byte " + grouped(f->address) + " of shared memory";
  } else if (key == local_window >> stretch_bits) {
    f->address = address - local_window;
    f->object = "local memory";
    where = "byte " + grouped(f->address) + " of its own array";
  } else if (key >= 1 && key <= areas_.size()) {
    const Area& area = areas_[key - 1];
    f->address = address - area.base;
    f->object = element(area, static_cast<int64_t>(f->address));
    where = "byte " + grouped(f->address) + " of " + area.name;
  }
  f->what = "Thread " + thread_text(thread) + " of block " + std::to_string(block_) + " asks for " + std::to_string(r.width) + " bytes at " + where +
            ", which is no multiple of " + std::to_string(r.width) + ".";
  f->hint = "A GPU stops there with a misaligned address. Vector types such as float4 need an index that keeps to their size.";
  return false;
}

void Machine::check_known(Request& r, const Warp& warp, Area& area) {
  uint32_t unknown = 0;
  if (r.strided && r.stride == r.width) {
    if (std::memchr(area.known + r.first, 0, static_cast<size_t>(r.width) * lanes) == nullptr) return;
  }
  r.fill();
  each_lane(r.active, [&](int i) {
    unknown |= uint32_t{std::memchr(area.known + r.at[i], 0, static_cast<size_t>(r.width)) != nullptr} << i;
  });
  if (unknown == 0) return;
  const int lane = std::countr_zero(unknown);
  const uint32_t thread = thread_of(warp, lane);
  if (Finding* f = report(Kind::uninitialized, {r.micro->at, thread}, static_cast<uint64_t>(std::popcount(unknown)))) {
    f->address = r.at[lane];
    f->object = element(area, static_cast<int64_t>(r.at[lane]));
    f->what = "Thread " + thread_text(thread) + " of block " + std::to_string(block_) + " reads " + f->object +
              ", which nothing has been written to.";
    f->hint = "cudaMalloc does not clear memory: copy values there or use cudaMemset before the kernel reads it.";
  }
}

}  // namespace lk::simt
