// Which 32-byte sectors one warp-wide load touches. All arithmetic is gpu::transactions; here it is drawn.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "figures/registry.h"
#include "gpu/transactions.h"

namespace lk::figures {
namespace {

using namespace plot;

constexpr std::array<int, 5> widths{1, 2, 4, 8, 16};
const std::array<Choice, 5> width_choices{{{"1", "1 B"}, {"2", "2 B"}, {"4", "4 B"}, {"8", "8 B"}, {"16", "16 B"}}};

constexpr double strip = 0.24;        // height of memory within its panel; links cross the rest
constexpr double between = 0.02;      // of a slot, free between neighboring sectors; times the square root of their number
constexpr double skipped = 0.2;       // more of it where addresses are skipped
constexpr double word_gap = 0.06;     // of an element, so that neighbors stay apart

struct Params {
  int stride = 1, offset = 0, width = 2, active = gpu::warp_lanes, lane = 11;

  void fields(Fields& f, const World&) {
    f.integer(stride, {"stride", "Stride", "elements from one lane's address to the next lane's"}, Unit::elements, 1, 32);
    f.integer(offset, {"offset", "Offset", "elements between a 128-byte border and the element of lane 0"}, Unit::elements, 0, 32);
    f.choice(width, {"width", "Element width", "bytes that each lane reads"}, width_choices);
    f.integer(active, {"active", "Active lanes", "lanes that take part, from lane 0 on"}, Unit::lanes, 1, gpu::warp_lanes);
    lane = std::min(lane, active - 1);
    f.integer(lane, {"lane", "Lane followed", "the lane whose way is drawn in color"}, Unit::one, 0, active - 1);
  }

  int bytes() const { return widths[static_cast<size_t>(width)]; }

  View evaluate(const World&) const {
    const gpu::WarpAccess access = gpu::strided(stride, offset * bytes(), bytes(), active);
    const gpu::Transactions t = gpu::transactions(access);
    View view;
    // Elements are aligned to their width, so each lies in one sector.
    std::vector<int> sector_of;
    for (const uint64_t address : access.addresses) {
      const auto it = std::lower_bound(t.sectors.begin(), t.sectors.end(), address / gpu::sector_bytes);
      sector_of.push_back(static_cast<int>(it - t.sectors.begin()));
    }
    view.panels.push_back(lanes(access, sector_of));
    view.panels.push_back(memory(access, t, sector_of));
    table(view, t, sector_of);
    view.out = {{"sectors", {static_cast<double>(t.sectors.size()), Unit::sectors}},
                {"lines", {static_cast<double>(t.lines), Unit::one}},
                {"dram_blocks", {static_cast<double>(t.dram_blocks), Unit::blocks}},
                {"asked", {static_cast<double>(t.asked), Unit::bytes}},
                {"fetched", {static_cast<double>(t.fetched), Unit::bytes}},
                {"efficiency", {t.efficiency, Unit::percent}},
                {"ideal", {static_cast<double>(t.ideal_sectors), Unit::sectors}}};
    const std::string who = active == gpu::warp_lanes ? "the warp asks" : active == 1 ? "{active} of the warp asks" : "{active} of the warp ask";
    view.summary = "With a stride of {stride}, " + who + " for {asked} and {sectors} " + (t.sectors.size() == 1 ? "moves" : "move") +
                   ": {fetched}, of which {efficiency} is used.";
    if (active == 1) view.notices.push_back("One lane alone has no neighbor: the stride changes nothing.");
    view.provenance = {{How::computed, "Exact rule: the distinct 32-byte sectors among the addresses of the active lanes."}};
    return view;
  }

  Panel lanes(const gpu::WarpAccess& access, const std::vector<int>& sector_of) const {
    Panel panel;
    panel.title = "One warp, 32 lanes";
    const uint64_t first = access.addresses[static_cast<size_t>(lane)], last = first + static_cast<uint64_t>(bytes()) - 1;
    panel.note = "lane " + std::to_string(lane) + " reads byte" + (first == last ? " " : "s ") + digits(static_cast<double>(first)) +
                 (first == last ? "" : "–" + digits(static_cast<double>(last)));
    panel.x.scale = panel.y.scale = Scale::band;
    panel.x.labels = panel.y.labels = false;
    panel.y.bands = {""};
    panel.lines = 1;
    for (int l = 0; l < gpu::warp_lanes; ++l) {
      panel.x.bands.push_back(std::to_string(l));
      Mark m{.shape = Shape::cell, .role = Role::memory, .fill = Fill::pale, .at = {{static_cast<double>(l), 0}}, .label = std::to_string(l)};
      if (l >= active) {
        m.fill = Fill::hatch;
        m.label.clear();
      } else {
        m.row = sector_of[static_cast<size_t>(l)];
        m.sets = "lane=" + std::to_string(l);
      }
      if (l == lane) {
        m.role = Role::accent;
        m.fill = Fill::solid;
        m.strong = true;
      }
      panel.marks.push_back(std::move(m));
    }
    return panel;
  }

  Panel memory(const gpu::WarpAccess& access, const gpu::Transactions& t, const std::vector<int>& sector_of) const {
    Panel panel;
    panel.row = 1;
    panel.lines = 5.5;
    panel.x.scale = Scale::band;
    panel.x.label = "first byte of each sector";
    panel.x.unit = Unit::bytes;
    panel.y.scale = Scale::hidden;
    // The scale changes in few steps, so that a longer strip means more traffic.
    size_t slots = 8;
    while (slots < t.sectors.size()) slots *= 2;
    const double gap = between * std::sqrt(static_cast<double>(slots));
    panel.x.bands.resize(slots);
    struct Place {
      double x0, x1;
    };
    std::vector<Place> place;
    for (size_t i = 0; i < t.sectors.size(); ++i) {
      panel.x.bands[i] = digits(static_cast<double>(t.sectors[i] * gpu::sector_bytes));
      const bool jump_before = i > 0 && t.sectors[i] != t.sectors[i - 1] + 1;
      const bool jump_after = i + 1 < t.sectors.size() && t.sectors[i + 1] != t.sectors[i] + 1;
      const double at = static_cast<double>(i);
      place.push_back({at + (gap + (jump_before ? skipped : 0)) / 2, at + 1 - (gap + (jump_after ? skipped : 0)) / 2});
      panel.marks.push_back({.shape = Shape::bar, .role = Role::memory, .fill = Fill::pale, .at = {{place[i].x0, 0}, {place[i].x1, strip}}, .row = static_cast<int>(i)});
    }
    for (size_t l = 0; l < access.addresses.size(); ++l) {
      const auto s = static_cast<size_t>(sector_of[l]);
      const double unit = (place[s].x1 - place[s].x0) / gpu::sector_bytes;
      const double from = place[s].x0 + unit * static_cast<double>(access.addresses[l] % gpu::sector_bytes), size = unit * bytes();
      const bool followed = static_cast<int>(l) == lane;
      // Without a row of their own: the sector below answers to the pointer, and all of them are one path to draw.
      panel.marks.push_back({.shape = Shape::bar, .role = followed ? Role::accent : Role::memory, .fill = Fill::solid,
                             .at = {{from + size * word_gap, 0}, {from + size * (1 - word_gap), strip}}});
    }
    for (size_t l = 0; l < access.addresses.size(); ++l) {
      const bool followed = static_cast<int>(l) == lane;
      panel.marks.push_back({.shape = Shape::link, .role = followed ? Role::accent : Role::memory, .strong = followed,
                             .from = {0, static_cast<int>(l)}, .to = {1, static_cast<int>(t.sectors.size() + l)}});
    }
    panel.keys = {{Role::memory, Fill::solid, "asked for"}, {Role::memory, Fill::pale, "fetched only"}};
    if (active < gpu::warp_lanes) panel.keys.push_back({Role::memory, Fill::hatch, "idle lane"});
    return panel;
  }

  void table(View& view, const gpu::Transactions& t, const std::vector<int>& sector_of) const {
    view.columns = {{"address", "First byte", Unit::bytes, How::computed},
                    {"lanes", "Lanes served", Unit::one, How::computed, true},
                    {"used", "Bytes asked for", Unit::bytes, How::computed},
                    {"share", "Share of the sector", Unit::percent, How::computed}};
    for (size_t s = 0; s < t.sectors.size(); ++s) {
      const auto from = std::lower_bound(sector_of.begin(), sector_of.end(), static_cast<int>(s));
      const auto to = std::upper_bound(from, sector_of.end(), static_cast<int>(s));
      const auto first = from - sector_of.begin(), last = to - sector_of.begin() - 1;
      const double used = static_cast<double>(to - from) * bytes();
      view.cells.emplace_back(static_cast<double>(t.sectors[s] * gpu::sector_bytes));
      view.cells.emplace_back(std::to_string(first) + (first == last ? "" : "–" + std::to_string(last)));
      view.cells.emplace_back(used);
      view.cells.emplace_back(used / gpu::sector_bytes);
    }
  }
};

}  // namespace

extern const plot::Figure memory_transactions = plot::figure<Params>(
    "memory_transactions", "One warp, thirty-two lanes, and the sectors they touch", plot::Cost::instant, plot::Place::wide);

}  // namespace lk::figures
