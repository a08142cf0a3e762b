// How the book launches its listings: content/kernels.json. Each entry names a kernel as the measured tables do, the listing that
// holds it, its parameters, and expressions of those for grid, block and arguments.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "predict/kernel.h"
#include "simt/fill.h"
#include "simt/run.h"

namespace lk::predict {


using simt::Fill;

/// One argument: an array of `count` elements, or a number.
struct LaunchArgument {
  std::string array;            // element type as CUDA spells it ("float", "int"); empty for a number
  std::string count;            // expression: elements
  Fill fill = Fill::nothing;
  std::string value;            // expression, when no array
};

struct LaunchCase {
  Kernel kernel;
  std::string file, function;   // listing and __global__ function; with template arguments where it has some ("sum<8>")
  std::array<std::string, 3> grid, block;  // expressions; empty ones are 1
  std::string dynamic_shared;   // expression, bytes; empty: none
  std::vector<LaunchArgument> arguments;
  bool flushed = true;          // measured after the caches were flushed
  std::string flop;             // expression; empty: none counted
  std::string example;          // values of the parameters that a reader starts with: "n=1048576"
  int registers = 0;            // of a thread, as the assembler prints them for compute capability 9.0; 0: not given
};

/// Reads kernels.json; problems carry places in `file`. Expressions are tried with every parameter at its least value.
std::vector<LaunchCase> load_launches(const json::Value& root, std::string_view file, std::vector<Problem>& problems);

struct Sizes {
  simt::Extent grid, block;
  uint32_t dynamic_shared = 0;
  std::vector<int64_t> counts;  // elements of each array; the value of each number
  double flop = 0;
};
/// Grid, block and arguments for checked values of the parameters.
Result<Sizes> sizes(const LaunchCase& c, const Values& values);

}  // namespace lk::predict
