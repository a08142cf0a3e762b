// Whole-number expressions of a kernel's sizes: "(n + 255) / 256", "min(n / 1024, 2112)". They say how the book launches a listing.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace lk::predict {

/// Names in an expression and what they stand for.
using Names = std::vector<std::pair<std::string, int64_t>>;

/// Knows whole numbers, names, + - * / % with their usual ranks, parentheses, min(a, b, ...), max(a, b, ...) and up(a, b), which
/// is a / b rounded up. Division is toward zero. Unknown names, division by zero, results beyond 64 bits, nesting beyond 64 and
/// left-over text are Errors; their column is the place in `text`, from 1.
Result<int64_t> evaluate(std::string_view text, const Names& names);

}  // namespace lk::predict
