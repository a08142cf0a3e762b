// Compiled once for everything that knows all figures, and once for each reader module: with one of LK_FIGURES_MAIN, LK_FIGURES_CODE,
// LK_FIGURES_SERVING, LK_FIGURES_NUMBERS and LK_FIGURES_TIMING it lists the figures of that module alone, and the linker leaves the others out.
#include "figures/registry.h"

#include <algorithm>
#include <array>

namespace lk::figures {

#if !defined(LK_FIGURES_MAIN) && !defined(LK_FIGURES_CODE) && !defined(LK_FIGURES_SERVING) && !defined(LK_FIGURES_NUMBERS) && !defined(LK_FIGURES_TIMING)
#define LK_FIGURES_MAIN
#define LK_FIGURES_CODE
#define LK_FIGURES_SERVING
#define LK_FIGURES_NUMBERS
#define LK_FIGURES_TIMING
#endif
#ifdef LK_FIGURES_MAIN
#define LK_TAKE_main(x) x
#else
#define LK_TAKE_main(x)
#endif
#ifdef LK_FIGURES_CODE
#define LK_TAKE_code(x) x
#else
#define LK_TAKE_code(x)
#endif
#ifdef LK_FIGURES_SERVING
#define LK_TAKE_serving(x) x
#else
#define LK_TAKE_serving(x)
#endif
#ifdef LK_FIGURES_NUMBERS
#define LK_TAKE_numbers(x) x
#else
#define LK_TAKE_numbers(x)
#endif
#ifdef LK_FIGURES_TIMING
#define LK_TAKE_timing(x) x
#else
#define LK_TAKE_timing(x)
#endif

#define LK_FIGURE(name, module) extern const plot::Figure name;
#include "figures/figures.def"
#undef LK_FIGURE

namespace {
const std::array table{
#define LK_FIGURE(name, module) LK_TAKE_##module(&name) LK_COMMA_##module
#define LK_COMMA_main LK_TAKE_main(LK_COMMA)
#define LK_COMMA_code LK_TAKE_code(LK_COMMA)
#define LK_COMMA_serving LK_TAKE_serving(LK_COMMA)
#define LK_COMMA_numbers LK_TAKE_numbers(LK_COMMA)
#define LK_COMMA_timing LK_TAKE_timing(LK_COMMA)
#define LK_COMMA ,
#include "figures/figures.def"
#undef LK_FIGURE
};
}  // namespace

std::span<const plot::Figure* const> all() { return table; }

const plot::Figure* find(std::string_view id) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const plot::Figure* f) { return f->id == id; });
  return it == table.end() ? nullptr : *it;
}

std::string_view module_of(const plot::Figure& figure) {
#define LK_FIGURE(name, module) \
  if (figure.id == #name) return #module;
#include "figures/figures.def"
#undef LK_FIGURE
  return "main";
}

}  // namespace lk::figures
