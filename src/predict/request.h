// A wish to run a kernel, as words: what `lk run` and the page's sheet hand over. Arguments are checked against the kernel's
// parameters and become arrays and numbers.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "simt/run.h"

namespace lk::predict {

struct RunRequest {
  std::string kernel;                 // may be left out when there is one
  std::string grid = "1", block = "1";  // "X", "X,Y" or "X,Y,Z"; expressions of the numbers among the arguments
  std::string dynamic_shared = "0";   // bytes, an expression
  /// Parameter and value: a number, or an array as KIND:COUNT with KIND zeros, ones, iota, random (random:COUNT:SEED) or nothing,
  /// COUNT an expression, or file:PATH.
  std::vector<std::pair<std::string, std::string>> arguments;
};

/// Reads a file named in an argument: its bytes, or an Error.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

/// The kernel that `request` names, or the only one. Errors name the kernels there are.
Result<const simt::Kernel*> find_kernel(const simt::Program& program, std::string_view name);

/// Grid, block and arguments. Every parameter of the kernel must be given and nothing else.
Result<simt::Launch> make_launch(const simt::Kernel& kernel, const RunRequest& request, const ReadFile& read);

/// "X", "X,Y" or "X,Y,Z" of whole numbers from 1.
Result<simt::Extent> read_extent(std::string_view text, std::string_view what, const std::vector<std::pair<std::string, int64_t>>& names);

/// Values of a buffer from `begin`, `count` of them at most, as text: whole numbers in full, others with the fewest digits that
/// read back the same. Elements that were never written and had no value read "?".
std::vector<std::string> element_texts(const simt::Buffer& buffer, simt::Type element, size_t begin, size_t count);

}  // namespace lk::predict
