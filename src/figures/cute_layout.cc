// Shapes and strides as a function: a layout as a grid of offsets, what an operation of CuTe's algebra makes of it, and where a warp's
// elements lie in the banks of shared memory. The arithmetic is lk::layout and gpu::wavefronts; here it is drawn.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "figures/registry.h"
#include "gpu/banks.h"
#include "layout/layout.h"

namespace lk::figures {
namespace {

using namespace plot;
using Shape = plot::Shape;

constexpr int64_t most_cells = 1024, table_rows = 64;
constexpr int64_t least_side = 8;      // bands of a grid, so that few cells do not stand as towers
constexpr int64_t least_memory = 4;    // rows of 32 words
constexpr const char* first_a = "(8,8):(8,1)";
constexpr const char* first_b = "<4,2>";

const std::array<Choice, 7> operations{{{"none", "A alone"}, {"coalesce", "coalesce(A)"}, {"composition", "composition(A, B)"},
                                        {"complement", "complement(B, size of A)"}, {"logical_divide", "logical_divide(A, B)"},
                                        {"zipped_divide", "zipped_divide(A, B)"}, {"logical_product", "logical_product(A, B)"}}};
enum Operation { none, coalesce, composition, complement, logical_divide, zipped_divide, logical_product };

constexpr layout::Swizzle swizzles[] = {{0, 0, 0}, {1, 0, 3}, {2, 0, 3}, {3, 0, 3}, {5, 0, 5}};
const std::array<Choice, std::size(swizzles)> swizzle_choices{{{"none", "None"}, {"1,0,3", "Swizzle<1,0,3>"}, {"2,0,3", "Swizzle<2,0,3>"},
                                                             {"3,0,3", "Swizzle<3,0,3>"}, {"5,0,5", "Swizzle<5,0,5>"}}};
const std::array<Choice, 2> orders{{{"column", "Down the columns"}, {"row", "Along the rows"}}};
constexpr Role colors[] = {Role::memory, Role::compute, Role::network, Role::on_chip, Role::host, Role::other};

/// Rows are the first mode, columns all others.
int64_t grid_rows(const layout::Layout& l) { return layout::rank(l) > 1 ? size(layout::mode(l, 0)) : 1; }

struct Params {
  std::string a = first_a, b = first_b;
  int operation = zipped_divide, element = 13, swizzle = 0, order = 0;

  // What the texts say, settled while the fields are walked.
  layout::Layout left, result;
  layout::Tiler right;
  std::vector<std::string> said;
  std::string refused;

  void fields(Fields& f, const World&) {
    f.text(a, {"a", "Layout A", "shape:stride, as ((4,2),8):((2,16),8); without strides it is column-major"}, 80);
    f.choice(operation, {"operation", "Operation", "what is made of A"}, operations);
    f.text(b, {"b", "Layout B", "a layout, as 4:2, or one for each mode of A, as <4,2>"}, 80);
    settle();
    element = static_cast<int>(std::min<int64_t>(element, drawn(result) - 1));
    f.integer(element, {"element", "Element followed", "its number in the result, the first mode counting fastest"}, Unit::one, 0, static_cast<int>(drawn(result)) - 1);
    f.choice(swizzle, {"swizzle", "Swizzle", "bits of the offset that are added into lower ones before memory is addressed"}, swizzle_choices);
    f.choice(order, {"warp", "A warp reads", "the first 32 elements of the result in this order, 4 bytes each"}, orders);
  }

  static int64_t drawn(const layout::Layout& l) { return std::min(size(l), most_cells); }
  bool needs_b() const { return operation >= composition; }

  static std::string sentence(const Error& e) {
    std::string out = e.what + (e.hint.empty() ? "" : ": " + e.hint) + ".";
    if (!out.empty() && out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
    return out;
  }

  void settle() {
    const auto read = [&](const std::string& text, const char* name, const char* fallback) {
      const Result<layout::Tiler> out = layout::parse_tiler(text);
      if (out) return *out;
      said.push_back(std::string(name) + " cannot be read at character " + std::to_string(out.error().at.column) + ", so " + fallback + " is shown. " + sentence(out.error()));
      return *layout::parse_tiler(fallback);
    };
    const layout::Tiler whole = read(a, "A", first_a);
    left = whole.by_mode ? layout::make_layout(whole.modes) : whole.modes[0];
    right = read(b, "B", first_b);
    if (!needs_b()) said.push_back("This operation looks at A alone.");
    Result<layout::Layout> out = left;
    switch (operation) {
      case coalesce: out = layout::coalesce(left); break;
      case composition: out = layout::composition(left, right); break;
      case complement:
        out = layout::complement(right.by_mode ? layout::make_layout(right.modes) : right.modes[0], size(left));
        break;
      case logical_divide: out = layout::logical_divide(left, right); break;
      case zipped_divide: out = layout::zipped_divide(left, right); break;
      case logical_product: out = layout::logical_product(left, right); break;
      default: break;
    }
    if (out) {
      result = *out;
    } else {
      refused = sentence(out.error());
      said.push_back("Refused. " + refused);
      result = left;
    }
    for (const layout::Layout* l : {&left, &result})
      if (size(*l) > most_cells) said.push_back(digits(static_cast<double>(size(*l))) + " elements are too many to draw: these are the first " + digits(most_cells) + ".");
  }

  int64_t address(int64_t offset) const { return swizzles[static_cast<size_t>(swizzle)](offset); }

  struct Scene {
    std::vector<int64_t> offsets;            // of the result's elements
    int64_t tile = 1;                        // elements of a tile: those of one color
    std::vector<int64_t> warp;               // elements that the warp reads
    std::vector<int64_t> hit;                // its addresses, each once
    int passes = 0;
  };

  static int64_t find(const std::vector<int64_t>& list, int64_t v) {
    for (size_t i = 0; i < list.size(); ++i)
      if (list[i] == v) return static_cast<int64_t>(i);
    return -1;
  }
  /// Is another word of the same bank asked for?
  static bool conflicts(const Scene& s, int64_t at) {
    return std::any_of(s.hit.begin(), s.hit.end(), [&](int64_t other) { return other != at && (other - at) % gpu::bank_count == 0; });
  }

  Role color(const Scene& s, int64_t k) const { return colors[static_cast<size_t>(k / s.tile % 6)]; }

  View evaluate(const World&) const {
    View view;
    view.notices = said;
    Scene s;
    for (int64_t k = 0; k < drawn(result); ++k) s.offsets.push_back(offset(result, k));
    s.tile = layout::rank(result) > 1 ? grid_rows(result) : least_side;
    read_by_warp(s);
    view.panels.push_back(grid(s, left, false));
    view.panels.push_back(grid(s, result, true));
    view.panels.push_back(memory(s));
    table(view, s);
    results(view, s);
    return view;
  }

  void read_by_warp(Scene& s) const {
    const auto n = static_cast<int64_t>(s.offsets.size());
    const int64_t height = std::min(grid_rows(result), n), width = n / height;
    std::array<uint64_t, gpu::warp_lanes> bytes{};
    uint32_t active = 0;
    for (int64_t i = 0; i < std::min<int64_t>(gpu::warp_lanes, height * width); ++i) {
      const int64_t k = order == 0 ? i : i % width * height + i / width;
      s.warp.push_back(k);
      bytes[static_cast<size_t>(i)] = static_cast<uint64_t>(address(s.offsets[static_cast<size_t>(k)])) * gpu::bank_bytes;
      active |= 1u << i;
    }
    s.passes = gpu::wavefronts(bytes, active, gpu::bank_bytes, gpu::BankUse::load);
    for (const int64_t k : s.warp)
      if (const int64_t at = address(s.offsets[static_cast<size_t>(k)]); find(s.hit, at) < 0) s.hit.push_back(at);
  }

  Panel grid(const Scene& s, const layout::Layout& l, bool of_result) const {
    Panel panel;
    panel.title = (of_result ? "R = " : "A = ") + layout::text(l);
    panel.lines = 10;
    panel.narrow_lines = 9;
    panel.x.scale = panel.y.scale = Scale::band;
    panel.x.labels = panel.y.labels = false;
    const int64_t n = drawn(l), height = std::min(grid_rows(l), n), width = (n + height - 1) / height;
    panel.x.bands.resize(static_cast<size_t>(std::max(width, least_side)));
    panel.y.bands.resize(static_cast<size_t>(std::max(height, least_side)));
    const int64_t followed = s.offsets[static_cast<size_t>(element)];
    for (int64_t k = 0; k < n; ++k) {
      const int64_t at = of_result ? s.offsets[static_cast<size_t>(k)] : offset(l, k);
      const int64_t found = of_result ? k : find(s.offsets, at);
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::cell;
      m.at = {{static_cast<double>(k / height), static_cast<double>(k % height)}};
      m.label = std::to_string(of_result ? address(at) : at);
      if (of_result ? k == element : at == followed) {
        m.role = Role::accent;
        m.strong = true;
      } else if (found < 0) {
        m.role = Role::faint;
        m.fill = Fill::outline;
      } else {
        m.role = color(s, found);
        m.fill = Fill::pale;
      }
      if (found >= 0) m.sets = "element=" + std::to_string(found);
      if (found >= 0 && found < table_rows) m.row = static_cast<int>(found);
    }
    return panel;
  }

  // Memory as the hardware has it: 32 words side by side, one for each bank.
  Panel memory(const Scene& s) const {
    Panel panel;
    panel.row = 1;
    panel.title = "Memory, a bank in each column";
    panel.note = "a warp takes " + std::to_string(s.passes) + (s.passes == 1 ? " pass" : " passes");
    panel.lines = 6;
    panel.narrow_lines = 5;
    panel.x.scale = panel.y.scale = Scale::band;
    panel.x.label = "bank";
    panel.y.labels = false;
    for (int i = 0; i < gpu::bank_count; ++i) panel.x.bands.push_back(std::to_string(i));
    std::vector<int64_t> words;  // the first element at each address, or -1
    for (size_t k = 0; k < s.offsets.size(); ++k) {
      const int64_t at = address(s.offsets[k]);
      if (at >= most_cells) continue;
      if (at >= static_cast<int64_t>(words.size())) words.resize(static_cast<size_t>(at) + 1, -1);
      if (int64_t& there = words[static_cast<size_t>(at)]; there < 0) there = static_cast<int64_t>(k);
    }
    panel.y.bands.resize(static_cast<size_t>(std::max((static_cast<int64_t>(words.size()) + gpu::bank_count - 1) / gpu::bank_count, least_memory)));
    const int64_t followed = address(s.offsets[static_cast<size_t>(element)]);
    for (int64_t at = 0; at < static_cast<int64_t>(words.size()); ++at) {
      const int64_t k = words[static_cast<size_t>(at)];
      if (k < 0) continue;
      const bool hit = find(s.hit, at) >= 0;
      Mark& m = panel.marks.emplace_back();
      m.shape = Shape::cell;
      m.at = {{static_cast<double>(at % gpu::bank_count), static_cast<double>(at / gpu::bank_count)}};
      m.role = at == followed ? Role::accent : hit && conflicts(s, at) ? Role::bad : color(s, k);
      m.fill = at == followed || hit ? Fill::solid : Fill::pale;
      m.sets = "element=" + std::to_string(k);
      if (k < table_rows) m.row = static_cast<int>(k);
    }
    panel.keys = {{Role::memory, Fill::solid, "read by the warp"}, {Role::bad, Fill::solid, "its bank is asked for another word too"}, {Role::memory, Fill::pale, "other elements"}};
    return panel;
  }

  void table(View& view, const Scene& s) const {
    constexpr struct {
      const char *id, *label;
      Unit unit = Unit::one;
      bool words = false;
    } heads[] = {{"element", "Element"}, {"coordinate", "Coordinate", Unit::one, true}, {"offset", "Offset"}, {"address", "After the swizzle"}, 
                 {"bank", "Bank"}, {"tile", "Column of R"}};
    for (const auto& head : heads) {
      Column& column = view.columns.emplace_back();
      column.id = head.id;
      column.label = head.label;
      column.unit = head.unit;
      column.text = head.words;
    }
    for (int64_t k = 0; k < std::min<int64_t>(table_rows, static_cast<int64_t>(s.offsets.size())); ++k) {
      const int64_t at = s.offsets[static_cast<size_t>(k)];
      view.cells.emplace_back(static_cast<double>(k));
      view.cells.emplace_back(layout::text(layout::idx2crd(k, result.shape)));
      view.cells.emplace_back(static_cast<double>(at));
      view.cells.emplace_back(static_cast<double>(address(at)));
      view.cells.emplace_back(static_cast<double>(address(at) % gpu::bank_count));
      view.cells.emplace_back(static_cast<double>(k / grid_rows(result)));
    }
  }

  void results(View& view, const Scene& s) const {
    const int64_t at = s.offsets[static_cast<size_t>(element)];
    const auto add = [&](const char* id, int64_t v, Unit unit = Unit::one) {
      Named& out = view.out.emplace_back();
      out.id = id;
      out.num = {static_cast<double>(v), unit};
    };
    add("size_a", size(left), Unit::elements);
    add("cosize_a", cosize(left));
    add("size", size(result), Unit::elements);
    add("cosize", cosize(result));
    add("offset", at);
    add("address", address(at));
    add("bank", address(at) % gpu::bank_count);
    add("passes", s.passes);
    const std::string coordinate = layout::text(layout::idx2crd(element, result.shape));
    const std::string what = !refused.empty() ? "{operation} is refused, so R is A: " : operation == none ? "R is A: " : "{operation} is " + layout::text(result) + ": ";
    view.summary = what + "{size|element|elements}, of which number {element}, the coordinate " + coordinate + ", has the offset {offset}" +
                   (swizzle != 0 ? ", swizzled to {address}," : "") + " in bank {bank}. A warp takes {passes|pass|passes} through the banks.";
    view.provenance = {{How::computed, "CuTe’s layout algebra by its definitions; passes by the measured rules of shared memory, 32 banks of 4 bytes."}};
  }
};

}  // namespace

extern const plot::Figure cute_layout = plot::figure<Params>("cute_layout", "Shape and stride as a function", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
