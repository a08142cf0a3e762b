// The figures of the book, in the order of figures.def.
#pragma once
#include <span>
#include <string_view>

#include "plot/figure.h"

namespace lk::figures {

std::span<const plot::Figure* const> all();
const plot::Figure* find(std::string_view id);
/// The reader module that carries a figure: "main", "code", "serving", "numbers" or "timing".
std::string_view module_of(const plot::Figure& figure);

}  // namespace lk::figures
