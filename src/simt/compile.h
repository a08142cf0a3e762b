// A compiler for the part of CUDA C that the book's kernels are written in, to register bytecode.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "simt/code.h"

namespace lk::simt {

struct CompileOptions {
  std::string file = "kernel.cu";                            // names it in problems
  std::vector<std::pair<std::string, std::string>> defines;  // as -D
  /// Template kernels to instantiate: "transpose<32, 8>". A kernel that is no template is always compiled.
  std::vector<std::string> instances;
  uint64_t max_instructions = 1u << 20;                      // after unrolling: more is a problem with a hint
};

struct Compiled {
  Program program;                 // kernels without errors; empty when any was found
  std::vector<Problem> problems;   // errors and warnings in source order, each with line, column and hint
};

/// Compiles every __global__ function of `source`. Host functions in the same file are skipped, as long as no kernel calls them.
/// Never crashes or hangs on any input: sizes, nesting and macro expansion are limited, and each limit is a problem.
Compiled compile(std::string_view source, const CompileOptions& options = {});

}  // namespace lk::simt
