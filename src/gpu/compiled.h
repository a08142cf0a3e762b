// What the compiler made of the listings: content/compiled.json, written by scripts/compile-listings.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "gpu/targets.h"

namespace lk::gpu {

/// A line of PTX or SASS and the line of the source (from 1) that the compiler's line table gives for it; 0: none.
struct CodeLine {
  int source = 0;
  std::string_view text;
  bool instruction = false;  // else a declaration or a label
};

/// The body of one kernel for every target that it is the same for.
struct Code {
  std::vector<Target> targets;  // PTX: compute_80; SASS: sm_90
  int ptx = 0;                  // SASS: index of the PTX that it was made of
  int registers = 0;            // SASS: of a thread, as ptxas reports them
  std::string text;             // "7 ld.param.u64 %rd2, [param_0];": each line behind its line of the source
  std::vector<CodeLine> lines() const;  // of `text`, which must outlive them
  /// Instructions that belong to a line of the source; to any when it is -1.
  int instructions(int source_line = -1) const;
};

struct Variant {
  std::string id, label;
  std::string file, region;     // the listing it is taken from
  std::string source;           // its text
  std::vector<Code> ptx, sass;
  std::vector<std::string_view> source_lines() const;
  /// The PTX for `target` (its suffix does not matter: none of these kernels uses special features); nullptr: not stored.
  const Code* ptx_for(const Target& target) const;
  /// The machine code for `gpu` made of that PTX, one of this variant's.
  const Code* sass_for(Capability gpu, const Code& from) const;
};

struct Compiled {
  std::string compiler, flags;
  std::vector<Variant> variants;
  bool empty() const { return variants.empty(); }
};

/// Loads compiled.json; problems carry places in `file`. Every variant has PTX and SASS, every source line a line stands for exists.
Compiled load_compiled(const json::Value& root, std::string_view file, std::vector<Problem>& problems);

}  // namespace lk::gpu
