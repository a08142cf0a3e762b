#include "gpu/banks.h"

#include <algorithm>
#include <numeric>

namespace lk::gpu {
namespace {

// One pass after another: the words that each bank has been asked for so far.
class Phase {
 public:
  void add(uint64_t word, bool one_by_one) {
    const auto bank = static_cast<uint32_t>(word % bank_count);
    int& count = counts_[bank];
    if (!one_by_one) {
      for (int i = 0; i < count; ++i)
        if (words_[bank][i] == word) return;
    }
    words_[bank][count] = word;
    most_ = std::max(most_, ++count);
  }
  int most() const { return most_; }

 private:
  int counts_[bank_count] = {};
  uint64_t words_[bank_count][warp_lanes * 2];  // as many as a half-warp of 16-byte lanes has words: 64
  int most_ = 0;
};

bool pairs(std::span<const uint64_t, warp_lanes> addresses, uint32_t active, unsigned distance) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane) {
    const unsigned other = lane ^ distance;
    if ((active >> lane & 1) && (active >> other & 1) && addresses[lane] != addresses[other]) return false;
  }
  return true;
}

}  // namespace

int wavefronts(std::span<const uint64_t, warp_lanes> addresses, uint32_t active, int width, BankUse use) {
  if (active == 0 || width <= 0) return 0;
  unsigned phases = width >= 16 ? 4 : width == 8 ? 2 : 1;
  if (use == BankUse::load && phases > 1 && (pairs(addresses, active, 1) || pairs(addresses, active, 2))) phases /= 2;
  const unsigned lanes = warp_lanes / phases;
  const uint64_t words = static_cast<uint64_t>(std::max(width / bank_bytes, 1));
  int passes = 0;
  for (unsigned phase = 0; phase < phases; ++phase) {
    Phase banks;
    for (unsigned lane = phase * lanes; lane < (phase + 1) * lanes; ++lane) {
      if (!(active >> lane & 1)) continue;
      for (uint64_t word = 0; word < words; ++word) banks.add(addresses[lane] / bank_bytes + word, use == BankUse::atomic);
    }
    passes += banks.most();
  }
  return passes;
}

int wavefronts_strided(uint64_t first, int64_t stride, int width, BankUse use) {
  if (width > bank_bytes || use == BankUse::atomic) return 0;
  const int64_t size = stride < 0 ? -stride : stride;
  if (size % bank_bytes != 0) {
    // Narrow elements side by side: at most 32 words in a row, which are 32 banks.
    return size <= bank_bytes ? 1 : 0;
  }
  (void)first;
  return size == 0 ? 1 : static_cast<int>(std::gcd(size / bank_bytes, int64_t{bank_count}));
}

int ideal_wavefronts(int64_t bytes) { return static_cast<int>(std::max<int64_t>(1, (bytes + bank_count * bank_bytes - 1) / (bank_count * bank_bytes))); }

}  // namespace lk::gpu
