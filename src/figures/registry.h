// All figures of the book, in the order of figures.def.
#pragma once
#include <span>
#include <string_view>

#include "plot/figure.h"

namespace lk::figures {

std::span<const plot::Figure* const> all();
const plot::Figure* find(std::string_view id);

}  // namespace lk::figures
