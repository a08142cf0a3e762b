#include "gpu/compiled.h"

#include <algorithm>

namespace lk::gpu {
namespace {

constexpr std::string_view again = "run scripts/compile-listings again";

/// "7 text" as a line; -1 as its source line when it is no such thing.
CodeLine read_line(std::string_view line) {
  CodeLine out;
  size_t at = 0;
  while (at < line.size() && at < 4 && line[at] >= '0' && line[at] <= '9') out.source = out.source * 10 + (line[at++] - '0');
  if (at == 0 || at + 1 >= line.size() || line[at] != ' ') return {.source = -1};
  out.text = line.substr(at + 1);
  // A directive begins with a point, a label ends in a colon.
  out.instruction = out.text.front() != '.' && out.text.back() == ';';
  return out;
}

template <class Take>
void each_line(std::string_view text, const Take& take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

class Loader {
 public:
  Loader(std::string_view file, std::vector<Problem>& problems) : file_(file), problems_(problems) {}

  Variant variant(const json::Value& item) {
    Variant v;
    json::Reader r(item, file_, problems_);
    v.id = r.text("id");
    v.label = r.text("label");
    v.file = r.text("file");
    v.region = r.text("region");
    v.source = r.text("source");
    source_lines_ = static_cast<int>(v.source_lines().size());
    codes(r, "ptx", true, v.ptx);
    codes(r, "sass", false, v.sass);
    r.done();
    bool whole = source_lines_ > 0 && !v.ptx.empty() && !v.sass.empty();
    for (const Code& c : v.sass) whole = whole && c.ptx >= 0 && c.ptx < static_cast<int>(v.ptx.size());
    if (!whole) r.problem(item, "the variant \"" + v.id + "\" lacks source, PTX or SASS, or the PTX that its SASS is made of", std::string(again));
    return v;
  }

 private:
  void codes(json::Reader& of, std::string_view key, bool ptx, std::vector<Code>& out) {
    for (const json::Value& item : of.array(key, true)) {
      out.emplace_back();
      Code& c = out.back();
      json::Reader r(item, file_, problems_);
      for (const std::string& name : r.texts("for")) {
        const auto target = target_of(name);
        if (target && target->ptx == ptx) c.targets.push_back(*target);
        else r.problem(item, '"' + name + "\" is no architecture of this kind", "PTX is for compute_90, SASS for sm_90");
      }
      if (!ptx) {
        c.ptx = r.integer("ptx");
        c.registers = r.integer("registers");
      }
      c.text = r.text("code");
      each_line(c.text, [&](std::string_view line) {
        const int source = read_line(line).source;
        if (source < 0 || source > source_lines_)
          r.problem(item, '"' + std::string(line) + "\" does not begin with a line of the source", std::string(again));
      });
      r.done();
    }
  }

  std::string_view file_;
  std::vector<Problem>& problems_;
  int source_lines_ = 0;
};

bool names(const std::vector<Target>& targets, Capability capability) {
  for (const Target& t : targets)
    if (t.capability == capability) return true;
  return false;
}

}  // namespace

std::vector<CodeLine> Code::lines() const {
  std::vector<CodeLine> out;
  each_line(text, [&](std::string_view line) { out.push_back(read_line(line)); });
  return out;
}

int Code::instructions(int source_line) const {
  int n = 0;
  for (const CodeLine& l : lines()) n += l.instruction && (source_line < 0 || l.source == source_line);
  return n;
}

std::vector<std::string_view> Variant::source_lines() const {
  std::vector<std::string_view> out;
  each_line(source, [&](std::string_view line) { out.push_back(line); });
  return out;
}

const Code* Variant::ptx_for(const Target& target) const {
  for (const Code& c : ptx)
    if (names(c.targets, target.capability)) return &c;
  return nullptr;
}

const Code* Variant::sass_for(Capability gpu, const Code& from) const {
  for (const Code& c : sass)
    if (names(c.targets, gpu) && &ptx[static_cast<size_t>(c.ptx)] == &from) return &c;
  return nullptr;
}

Compiled load_compiled(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  Compiled out;
  json::Reader r(root, file, problems);
  out.compiler = r.text("compiler");
  out.flags = r.text("flags");
  Loader loader(file, problems);
  for (const json::Value& item : r.array("variants", true)) out.variants.push_back(loader.variant(item));
  r.done();
  return out;
}

}  // namespace lk::gpu
