#include "figures/registry.h"

#include <algorithm>
#include <array>

namespace lk::figures {

#define LK_FIGURE(name) extern const plot::Figure name;
#include "figures/figures.def"
#undef LK_FIGURE

namespace {
const std::array table{
#define LK_FIGURE(name) &name,
#include "figures/figures.def"
#undef LK_FIGURE
};
}  // namespace

std::span<const plot::Figure* const> all() { return table; }

const plot::Figure* find(std::string_view id) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const plot::Figure* f) { return f->id == id; });
  return it == table.end() ? nullptr : *it;
}

}  // namespace lk::figures
