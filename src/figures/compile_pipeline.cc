// One kernel in three languages, with the lines that belong together, and which GPUs run what it was compiled for. The texts are
// the compiler's (content/compiled.json), the rules of compatibility gpu::targets.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "figures/registry.h"
#include "gpu/compiled.h"
#include "gpu/targets.h"

namespace lk::figures {
namespace {

using namespace plot;
using gpu::Capability;
using gpu::Code;
using gpu::Fate;
using gpu::Target;

/// Compute capabilities of GPUs on cards and boards, and one of each (NVIDIA's list of CUDA GPUs).
struct Known {
  Capability capability;
  std::string_view example;
};
constexpr Known known[] = {{{8, 0}, "A100"}, {{8, 6}, "RTX A6000"}, {{8, 9}, "RTX 4090"}, {{9, 0}, "H100, H200"},
                           {{10, 0}, "B200"}, {{10, 3}, "B300"}, {{12, 0}, "RTX 5090"}};

/// What a program may carry: ids, names for wide and narrow drawings, the images.
struct Program {
  std::string_view id, label, brief;
  std::array<Target, 4> images;
  size_t count;
  std::span<const Target> all() const { return {images.data(), count}; }
};
constexpr Target sm(int major, int minor, char features = 0) { return {false, {major, minor}, features}; }
constexpr Target compute(int major, int minor, char features = 0) { return {true, {major, minor}, features}; }
constexpr Program programs[] = {
    {"sm_80", "sm_80", "sm_80", {sm(8, 0)}, 1},
    {"compute_80", "compute_80", "compute_80", {compute(8, 0)}, 1},
    {"arch_90", "sm_90 + compute_90", "sm_90 + PTX", {sm(9, 0), compute(9, 0)}, 2},
    {"sm_90a", "sm_90a", "sm_90a", {sm(9, 0, 'a')}, 1},
    {"compute_90a", "compute_90a", "compute_90a", {compute(9, 0, 'a')}, 1},
    {"sm_100f", "sm_100f", "sm_100f", {sm(10, 0, 'f')}, 1},
    {"fat", "sm_80, sm_90, sm_100 + compute_100", "80, 90, 100 + PTX", {sm(8, 0), sm(9, 0), sm(10, 0), compute(10, 0)}, 4},
};
constexpr int standard_program = 2;
constexpr std::string_view standard_variant = "restrict";

constexpr double pitch = 17.0 / 24;           // of a line of code, in text lines
constexpr int rows_wide = 27, rows_narrow = 11, source_narrow = 13;

/// The PTX of a program, or the one its first image was made of: compute_90 for sm_90.
Target virtual_of(const Target& image) { return {true, image.capability, image.features}; }

struct Params {
  const gpu::Device* device = nullptr;
  std::vector<Capability> gpus;
  int present = 0, program = standard_program, variant = 0, line = 1;

  void fields(Fields& f, const World& world) {
    const auto& variants = world.compiled.variants;
    if (!variants.empty()) {
      std::vector<Choice> choices;
      for (const gpu::Variant& v : variants) {
        if (v.id == standard_variant) variant = static_cast<int>(choices.size());
        choices.push_back({v.id, v.label});
      }
      f.choice(variant, {"variant", "Variant", "how the kernel is written"}, choices);
      const gpu::Variant& v = variants[static_cast<size_t>(variant)];
      line = first_load(v);
      f.integer(line, {"line", "Line followed", "line of the kernel whose PTX and SASS are marked"}, Unit::one, 1, static_cast<int>(v.source_lines().size()));
    }
    std::vector<Choice> choices;
    for (const Program& p : programs) choices.push_back({p.id, p.label});
    f.choice(program, {"target", "Compiled for", "what nvcc puts into the program: machine code (sm) and PTX (compute)"}, choices);
    f.device(device, {"device", "Your device", "whose compute capability the GPU has, unless another is chosen"},
             [](const gpu::Device& d) {
               if (d.cc_major <= 0) return std::string("it has no compute capability, and CUDA is NVIDIA's");
               return usable(own(d)) ? std::string() : std::string("it is older than every target of these programs");
             });
    for (const Known& k : known) add(k.capability);
    for (const gpu::Device& d : world.devices.all) add(own(d));
    std::vector<std::string> words;  // id and label of each
    for (size_t i = 0; i < gpus.size(); ++i) {
      if (device != nullptr && gpus[i] == own(*device)) present = static_cast<int>(i);
      words.push_back(gpu::text(gpus[i]));
      words.push_back(words.back() + example(gpus[i]));
    }
    choices.clear();
    for (size_t i = 0; i < words.size(); i += 2) choices.push_back({words[i], words[i + 1]});
    f.choice(present, {"gpu", "GPU present", "compute capability of the GPU that the program meets"}, choices);
  }

  static Capability own(const gpu::Device& d) { return {d.cc_major, d.cc_minor}; }
  static bool usable(Capability c) { return c >= known[0].capability; }

  /// In order, each once, and none for devices that no program here was made for.
  void add(Capability c) {
    if (!usable(c) || std::find(gpus.begin(), gpus.end(), c) != gpus.end()) return;
    gpus.push_back(c);
    for (size_t i = gpus.size() - 1; i > 0 && gpus[i] < gpus[i - 1]; --i) std::swap(gpus[i], gpus[i - 1]);
  }

  static std::string example(Capability c) {
    for (const Known& k : known)
      if (k.capability == c) return " (" + std::string(k.example) + ")";
    return {};
  }

  static int first_load(const gpu::Variant& v) {
    int first = 0;
    for (const gpu::CodeLine& l : v.ptx.front().lines())
      if (l.text.starts_with("ld.global") && (first == 0 || l.source < first)) first = l.source;
    return std::max(first, 1);
  }

  View evaluate(const World& world) const {
    View view{.wide_from = 900};
    const Capability gpu = gpus[static_cast<size_t>(present)];
    const Program& chosen = programs[program];
    const gpu::Loaded loaded = gpu::load(chosen.all(), gpu);
    view.summary = "A program with {target} on a GPU of compute capability {gpu}: ";
    if (loaded.fate == Fate::runs) view.summary += text(*loaded.image) + " runs as it is.";
    if (loaded.fate == Fate::compiles) view.summary += "the driver compiles its PTX when it is loaded.";
    if (loaded.fate == Fate::fails) view.summary += "nothing in it fits, and the launch fails.";
    if (world.compiled.empty()) {
      view.columns = {{"target", "Compiled for", Unit::one, How::computed, true}};
      for (const Program& p : programs) view.cells.emplace_back(std::string(p.label));
      view.notices.push_back("No code is shown: the content has no compiled.json.");
    } else {
      code(view, world.compiled, loaded, chosen.images.front(), gpu);
    }
    matrix(view, gpu);
    view.provenance = {{How::computed, "What runs where: the rules of the CUDA Programming Guide."}};
    if (!world.compiled.empty()) {
      std::string& detail = view.provenance.front().detail;
      detail += " Code and line tables: " + world.compiled.compiler + " " + world.compiled.flags + ".";
      if (loaded.fate == Fate::compiles) detail += " The driver's own compiler may choose other instructions.";
    }
    if (device != nullptr && gpu != own(*device))
      view.notices.push_back("The GPU was chosen here; " + device->name + " has compute capability " + gpu::text(own(*device)) + ".");
    return view;
  }

  void code(View& view, const gpu::Compiled& compiled, const gpu::Loaded& loaded, const Target& first_image, Capability gpu) const {
    const gpu::Variant& v = compiled.variants[static_cast<size_t>(variant)];
    const Target used = virtual_of(loaded.image != nullptr ? *loaded.image : first_image);
    const Code* ptx = v.ptx_for(used);
    const Capability real = loaded.fate == Fate::runs ? loaded.image->capability : gpu;
    const Code* sass = ptx != nullptr && loaded.fate != Fate::fails ? v.sass_for(real, *ptx) : nullptr;

    std::vector<gpu::CodeLine> source;
    for (const std::string_view text : v.source_lines()) source.push_back({static_cast<int>(source.size()) + 1, text, true});
    const std::string real_name = text(Target{false, real, loaded.fate == Fate::runs ? loaded.image->features : '\0'});
    const std::string ptx_title = "PTX, " + text(used), ptx_note = ptx != nullptr ? std::to_string(ptx->instructions()) + " instructions" : "";
    const std::string sass_title = loaded.fate == Fate::fails ? "SASS" : "SASS, " + real_name + (loaded.fate == Fate::compiles ? " by the driver" : "");
    const std::string sass_note = sass != nullptr ? std::to_string(sass->instructions()) + " instructions" : "";
    const bool none = loaded.fate == Fate::fails;
    for (const When when : {When::wide, When::narrow}) {
      const int rows = when == When::wide ? rows_wide : rows_narrow;
      const int first = static_cast<int>(view.panels.size());
      view.panels.push_back(listing(source, when == When::wide ? rows_wide : source_narrow, "CUDA C++", v.label, when, 0.34));
      view.panels.push_back(listing(shown(ptx), rows, ptx_title, ptx_note, when, 0.31));
      view.panels.push_back(listing(shown(sass), rows, sass_title, sass_note, when, 0.35));
      if (sass == nullptr) {
        Panel& panel = view.panels.back();
        panel.marks.push_back({.shape = Shape::note, .role = none ? Role::bad : Role::muted, .at = {{0, 1}},
                               .label = none ? "no kernel image for this GPU" : "not stored for this GPU", .side = Side::right, .keep = 100});
      }
      if (when == When::wide) join(view, first);
    }
    for (int i = 0; i < 3; ++i) view.panels[static_cast<size_t>(i)].row = 0;
    for (int i = 3; i < 6; ++i) view.panels[static_cast<size_t>(i)].row = i - 3;

    view.columns = {{"line", "Line", Unit::one, How::computed},
                    {"cuda", "CUDA C++", Unit::one, How::computed, true},
                    {"ptx", "PTX instructions", Unit::one, How::computed},
                    {"sass", "SASS instructions", Unit::one, How::computed},
                    {"operations", "SASS operations", Unit::one, How::computed, true}};
    for (const gpu::CodeLine& l : source) {
      view.cells.emplace_back(static_cast<double>(l.source));
      view.cells.emplace_back(std::string(l.text.substr(std::min(l.text.find_first_not_of(' '), l.text.size()))));
      view.cells.push_back(ptx != nullptr ? Cell(static_cast<double>(ptx->instructions(l.source))) : Cell());
      view.cells.push_back(sass != nullptr ? Cell(static_cast<double>(sass->instructions(l.source))) : Cell());
      view.cells.push_back(sass != nullptr ? Cell(operations(*sass, l.source)) : Cell());
    }
    const auto count = [](int n) { return Num{static_cast<double>(n), Unit::one}; };
    if (ptx != nullptr) {
      view.out.push_back({"ptx_instructions", count(ptx->instructions())});
      view.out.push_back({"line_ptx", count(ptx->instructions(line))});
    }
    if (sass != nullptr) {
      view.out.push_back({"sass_instructions", count(sass->instructions())});
      view.out.push_back({"line_sass", count(sass->instructions(line))});
      view.out.push_back({"registers", count(sass->registers)});
    }
    const bool silent = ptx != nullptr && ptx->instructions(line) == 0;
    if (sass != nullptr)
      view.summary += " Line {line} became {line_ptx|instruction|instructions} of PTX and {line_sass|instruction|instructions} of SASS.";
    else if (ptx != nullptr)
      view.summary += " Line {line} became {line_ptx|instruction|instructions} of PTX.";
    if (silent) view.notices.push_back("Line " + std::to_string(line) + " has no instruction of its own in the line table.");
  }

  /// Declarations of registers say nothing about a line.
  static std::vector<gpu::CodeLine> shown(const Code* code) {
    std::vector<gpu::CodeLine> out;
    if (code == nullptr) return out;
    for (const gpu::CodeLine& l : code->lines())
      if (!l.text.starts_with(".reg")) out.push_back(l);
    return out;
  }

  static std::string operations(const Code& code, int n) {
    std::string out;
    for (const gpu::CodeLine& l : code.lines()) {
      if (!l.instruction || l.source != n) continue;
      std::string_view name = l.text;
      if (name.front() == '@') name.remove_prefix(std::min(name.find(' ') + 1, name.size()));
      name = name.substr(0, name.find_first_of(" ;"));
      out += (out.empty() ? "" : ", ") + std::string(name);
    }
    return out.empty() ? "none" : out;
  }

  /// Lines of code around those that belong to the followed one.
  Panel listing(const std::vector<gpu::CodeLine>& lines, int rows, std::string title, std::string note, When when, double share) const {
    Panel panel{.title = std::move(title), .note = std::move(note)};
    panel.x = {.scale = Scale::hidden, .labels = false, .grid = false};
    panel.y = {.scale = Scale::band, .bands = std::vector<std::string>(static_cast<size_t>(rows)), .labels = false, .grid = false};
    panel.lines = rows * pitch;
    panel.share = share;
    panel.when = when;
    const int count = static_cast<int>(lines.size());
    int from = 0, first = count, last = -1;
    for (int i = 0; i < count; ++i)
      if (lines[static_cast<size_t>(i)].source == line) first = std::min(first, i), last = i;
    if (count > rows && last >= 0) {
      // The lines before the first are worth seeing too; what is cut takes a row to say so.
      from = last < rows - 1 ? 0 : std::min(first - 1, (first + last - rows) / 2 + 1);
      from = std::clamp(from, 0, count - rows);
    }
    const int to = std::min(count, from + rows);
    for (int i = from; i < to; ++i) {
      const gpu::CodeLine& l = lines[static_cast<size_t>(i)];
      Mark m{.shape = Shape::code, .at = {{0, static_cast<double>(i - from)}}};
      const int above = from + 1, below = count - to + 1;
      if ((i == from && from > 0) || (i == to - 1 && to < count)) {
        m.role = Role::muted;
        m.label = "… " + std::to_string(i == from ? above : below) + " more lines";
      } else {
        m.label = std::string(l.text);
        m.role = l.instruction ? Role::ink : Role::muted;
        if (l.source > 0) {
          m.row = l.source - 1;
          m.sets = "line=" + std::to_string(l.source);
        }
        if (l.source == line) {
          m.role = Role::accent;
          m.fill = Fill::pale;
        }
      }
      panel.marks.push_back(std::move(m));
    }
    return panel;
  }

  /// From the followed line to the runs of PTX that came of it.
  static void join(View& view, int first) {
    const auto followed = [&](int panel) {
      std::vector<int> runs;
      const auto& marks = view.panels[static_cast<size_t>(panel)].marks;
      for (size_t i = 0; i < marks.size(); ++i)
        if (marks[i].fill == Fill::pale && (i == 0 || marks[i - 1].fill != Fill::pale)) runs.push_back(static_cast<int>(i));
      return runs;
    };
    const std::vector<int> source = followed(first);
    if (source.empty()) return;
    for (const int run : followed(first + 1))
      view.panels[static_cast<size_t>(first) + 1].marks.push_back(
          {.shape = Shape::link, .role = Role::accent, .from = {first, source.front()}, .to = {first + 1, run}});
  }

  void matrix(View& view, Capability gpu) const {
    for (const When when : {When::wide, When::narrow}) {
      const bool wide = when == When::wide;
      Panel panel{.title = wide ? "What runs where" : "Compiled for, and compute capability"};
      if (wide && device != nullptr) panel.note = device->name + " has " + gpu::text(own(*device));
      panel.when = when;
      panel.row = wide ? 1 : 3;
      panel.x = {.label = "compute capability of the GPU", .scale = Scale::band};
      panel.y = {.scale = Scale::band};
      panel.lines = static_cast<double>(std::size(programs)) * (wide ? 1 : 1.1);
      for (const Capability c : gpus) panel.x.bands.push_back(gpu::text(c));
      for (const Program& p : programs) panel.y.bands.emplace_back(wide ? p.label : p.brief);
      for (size_t p = 0; p < std::size(programs); ++p) {
        for (size_t g = 0; g < gpus.size(); ++g) {
          const Fate fate = gpu::load(programs[p].all(), gpus[g]).fate;
          Mark m{.shape = Shape::cell, .fill = Fill::pale, .at = {{static_cast<double>(g), static_cast<double>(p)}}};
          m.role = fate == Fate::runs ? Role::good : fate == Fate::compiles ? Role::warn : Role::muted;
          if (fate == Fate::fails) m.fill = Fill::wash;
          m.label = fate == Fate::runs ? (wide ? "runs" : "✓") : fate == Fate::compiles ? "JIT" : wide ? "no image" : "×";
          m.sets = "target=" + std::string(programs[p].id) + "&gpu=" + gpu::text(gpus[g]);
          if (static_cast<int>(p) == program && gpus[g] == gpu) {
            m.role = Role::accent;
            m.fill = Fill::solid;
            m.strong = wide;  // the semibold face has no check mark
          }
          panel.marks.push_back(std::move(m));
        }
      }
      panel.keys = {{Role::good, Fill::pale, "runs as it is"}, {Role::warn, Fill::pale, "JIT: the driver compiles the PTX"}, {Role::muted, Fill::wash, "no kernel image"}};
      view.panels.push_back(std::move(panel));
    }
  }
};

}  // namespace

extern const plot::Figure compile_pipeline = plot::figure<Params>(
    "compile_pipeline", "One line in three languages, and the GPUs that run it", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
