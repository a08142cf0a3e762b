// Memory as one warp access sees it: an area for each buffer, the lines it touches, an L1 cache that lives as long as a block.
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "simt/decode.h"
#include "simt/fill.h"
#include "simt/machine_race.h"
#include "simt/run.h"

namespace lk::simt {

/// Every buffer has its own stretch of addresses, so an address says whose it is even where it points outside. Buffer k begins at
/// (k + 1) << stretch_bits; what lies in the upper half of a stretch lies before the next buffer.
constexpr unsigned stretch_bits = 36;
constexpr uint64_t stretch = uint64_t{1} << stretch_bits;
constexpr uint64_t most_buffer_bytes = stretch / 2;

/// One buffer.
struct Area {
  std::string name;
  uint8_t* data = nullptr;
  uint8_t* known = nullptr;      // nullptr: all of it
  uint64_t base = 0, size = 0;
  Type element = Type::u8;       // of the parameter that points to it
  int element_count = 1;
  bool written = false;          // some parameter that points to it is not const
  std::vector<uint64_t> reads, writes;   // a bit for each 64 B block
  std::vector<GlobalMark> marks;         // last accesses of each granule, of the first ones only where there are very many
  // A buffer that is not there as a whole: pages are made when they are first touched, one behind the other in `arena`.
  bool paged = false;
  Fill fill = Fill::zeros;
  Type fill_element = Type::f32;
  uint64_t seed = 0;
  std::unordered_map<uint64_t, uint64_t> pages;  // number in the buffer -> number in the arena
  std::vector<uint8_t> arena;
  uint64_t last_page = ~uint64_t{0}, last_begin = 0;

  /// Where a page begins in the arena; it is made when it is not there yet. Pointers into the arena end with that.
  uint64_t page(uint64_t number);
  /// The byte at an offset of the buffer, for as long as no page is made.
  const uint8_t* at(uint64_t offset);
};

constexpr unsigned page_bits = 16;

/// Lines of 128 B that an access touches, and which of their sectors.
struct Touched {
  int count = 0;
  uint64_t line[lanes];
  uint8_t sectors[lanes];
};

/// An access of some lanes to one stretch.
struct Request {
  const Micro* micro = nullptr;
  const Instr* instr = nullptr;
  uint32_t active = 0;
  int width = 0;
  bool strided = false;          // all lanes, at first + lane * stride; then `at` waits for fill
  bool filled = true;
  int64_t stride = 0;
  uint64_t first = 0;
  uint64_t at[lanes];            // addresses; offsets once the area is known

  uint64_t last() const { return first + static_cast<uint64_t>(stride) * (lanes - 1); }
  void fill() {
    if (filled) return;
    filled = true;
    for (uint64_t i = 0; i < lanes; ++i) at[i] = first + i * static_cast<uint64_t>(stride);
  }
};

/// What an instruction's last access to shared memory looked like, so that the next of its kind need not be counted again: passes do not
/// change when all addresses move by the same number of words.
struct Passes {
  uint32_t active = 0;           // 0: none yet
  uint32_t phase = 0;            // first address modulo 4
  int passes = 0;
  uint32_t offsets[lanes] = {};
};

/// A sectored L1 with the lines of one block, least recently used first out, four ways. Approximate: the hardware's hash and its other
/// tenants are unknown.
class FirstLevel {
 public:
  void resize(uint64_t bytes);
  void clear() { ++generation_; }
  /// Sectors of the line that it does not hold; then it does.
  uint8_t miss(uint64_t line, uint8_t sectors);

 private:
  struct Entry {
    uint64_t line = 0;
    uint32_t generation = 0, used = 0;
    uint8_t sectors = 0;
  };
  std::vector<Entry> entries_;
  uint64_t sets_ = 1;
  uint32_t generation_ = 1, clock_ = 0;
};

constexpr int cycles_dram = 796, cycles_l2 = 283, cycles_l1 = 39, cycles_shared = 29, cycles_shuffle = 30;
constexpr float cycles_alu = 4.5f;

}  // namespace lk::simt
