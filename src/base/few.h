// Sorting of short lists: what a figure puts in order has dozens of items, and each instance of std::stable_sort costs a
// reader's module more than a kilobyte.
#pragma once
#include <utility>
#include <vector>

namespace lk {

/// Insertion sort, stable; `less(a, b)` as for std::sort. For lists of up to some hundred items.
template <class T, class Less>
void sort_few(std::vector<T>& items, const Less& less) {
  for (size_t i = 1; i < items.size(); ++i) {
    if (!less(items[i], items[i - 1])) continue;
    T item = std::move(items[i]);
    size_t at = i;
    do {
      items[at] = std::move(items[at - 1]);
      --at;
    } while (at > 0 && less(item, items[at - 1]));
    items[at] = std::move(item);
  }
}

}  // namespace lk
