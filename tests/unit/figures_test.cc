#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "figures/registry.h"
#include "gpu/transactions.h"
#include "plot/frame.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::plot;
using namespace lk::test;

namespace {

Evaluated figure(std::string_view id, std::string_view query, std::string_view device = {}) {
  const Figure* f = figures::find(id);
  REQUIRE(f != nullptr);
  Result<Evaluated> e = evaluate(*f, real_world(), parse_query(query), device, Binder::Mode::strict);
  if (!e) FAIL(text(e.error()));
  return *e;
}

double out(const Evaluated& e, std::string_view id) {
  const Num* n = e.view.find(id);
  REQUIRE(n != nullptr);
  return n->v;
}

const Cell& cell(const Evaluated& e, size_t row, std::string_view column) {
  for (size_t c = 0; c < e.view.columns.size(); ++c)
    if (e.view.columns[c].id == column) return e.view.cells.at(row * e.view.columns.size() + c);
  FAIL("no column " << column);
  return e.view.cells[0];
}

bool about(double a, double b, double share = 0.005) { return std::fabs(a - b) <= share * std::fabs(b); }

}  // namespace

TEST_CASE("memory_transactions counts what the rules say") {
  struct Case {
    const char* query;
    int sectors, lines, dram, asked, fetched, ideal;
    double efficiency;
  };
  for (const Case& c : {Case{"", 4, 1, 2, 128, 128, 4, 1}, Case{"stride=2", 8, 2, 4, 128, 256, 4, 0.5}, Case{"stride=8", 32, 8, 16, 128, 1024, 4, 0.125},
                        Case{"stride=32", 32, 32, 32, 128, 1024, 4, 0.125}, Case{"offset=1", 5, 2, 3, 128, 160, 4, 0.8}, Case{"offset=8", 4, 2, 3, 128, 128, 4, 1},
                        Case{"width=16", 16, 4, 8, 512, 512, 16, 1}, Case{"width=1", 1, 1, 1, 32, 32, 1, 1}, Case{"active=1&lane=0", 1, 1, 1, 4, 32, 1, 0.125},
                        Case{"stride=32&width=16", 32, 32, 32, 512, 1024, 16, 0.5}}) {
    INFO(c.query);
    const Evaluated e = figure("memory_transactions", c.query);
    CHECK(out(e, "sectors") == c.sectors);
    CHECK(out(e, "lines") == c.lines);
    CHECK(out(e, "dram_blocks") == c.dram);
    CHECK(out(e, "asked") == c.asked);
    CHECK(out(e, "fetched") == c.fetched);
    CHECK(out(e, "ideal") == c.ideal);
    CHECK(out(e, "efficiency") == c.efficiency);
    CHECK(e.view.rows() == static_cast<size_t>(c.sectors));
  }
}

TEST_CASE("the table of memory_transactions adds up to its results") {
  for (const int stride : {1, 2, 3, 7, 8, 31})
    for (const int width : {1, 2, 4, 8, 16})
      for (const int active : {1, 5, 20, 32}) {
        const Evaluated e = figure("memory_transactions", "stride=" + std::to_string(stride) + "&width=" + std::to_string(width) + "&active=" + std::to_string(active) + "&offset=3&lane=0");
        double used = 0;
        for (size_t row = 0; row < e.view.rows(); ++row) {
          used += cell(e, row, "used").v;
          CHECK(std::fmod(cell(e, row, "address").v, gpu::sector_bytes) == 0);
          CHECK(cell(e, row, "share").v == cell(e, row, "used").v / gpu::sector_bytes);
        }
        CHECK(used == out(e, "asked"));
        CHECK(static_cast<double>(e.view.rows()) == out(e, "sectors"));
      }
}

TEST_CASE("memory_transactions: lanes, words and links agree") {
  const Evaluated e = figure("memory_transactions", "stride=3&active=20&lane=7");
  const std::vector<Mark>& lanes = e.view.panels[0].marks;
  const std::vector<Mark>& memory = e.view.panels[1].marks;
  CHECK(lanes.size() == 32);
  CHECK(std::count_if(lanes.begin(), lanes.end(), [](const Mark& m) { return m.fill == Fill::hatch; }) == 12);
  int links = 0;
  for (const Mark& m : memory) {
    if (m.shape != Shape::link) continue;
    ++links;
    const Mark& lane = lanes.at(static_cast<size_t>(m.from.mark));
    const Mark& word = memory.at(static_cast<size_t>(m.to.mark));
    // The word lies in the sector that the lane's row names.
    CHECK(std::any_of(memory.begin(), memory.end(), [&](const Mark& sector) {
      return sector.fill == Fill::pale && sector.row == lane.row && sector.at[0].x <= word.at[0].x && word.at[1].x <= sector.at[1].x;
    }));
    CHECK(word.fill == Fill::solid);
    CHECK((word.role == Role::accent) == (m.from.mark == 7));
    CHECK((m.role == Role::accent) == (m.from.mark == 7));
  }
  CHECK(links == 20);
}

TEST_CASE("kv_cache_growth counts what the model's sizes say") {
  // By hand: Llama 3.1 8B has 7,504,658,432 weights outside embedding and gains, of which 525,336,576 in the output head, and 524,288
  // FLOP for each pair of query and key.
  const double all = 7504658432, head = 525336576, pair = 524288, gains = 65 * 4096, n = 8192;
  const Evaluated e = figure("kv_cache_growth", "batch=2");
  CHECK(out(e, "bytes_per_token") == 131072);
  CHECK(out(e, "kv_bytes") == 2 * n * 131072);
  CHECK(out(e, "weight_bytes") == 2 * 8030261248.0);
  CHECK(out(e, "weights_read") == 2 * (all + gains));
  CHECK(out(e, "flop_with") == 2 * (2 * all + pair * n));
  CHECK(out(e, "flop_without") == 2 * (2 * ((all - head) * n + head) + pair * n * (n + 1) / 2));
  CHECK(out(e, "intensity") == 4);
  CHECK(out(e, "crossover") == std::round(2 * (all + gains) / (2 * 131072)));
  CHECK(out(e, "capacity") == std::floor((141e9 - 2 * 8030261248.0) / 131072));
  CHECK(out(e, "sequences") == 116);
  CHECK(about(out(e, "time_with"), (2 * (all + gains) + 2 * n * 131072) / 4.8e12, 1e-12));
  CHECK(about(out(e, "time_without"), out(e, "flop_without") / 989.4e12, 1e-12));
  CHECK(out(e, "step_time") == out(e, "time_with"));
  CHECK(out(e, "tokens_per_s") == 2 / out(e, "time_with"));

  const Evaluated off = figure("kv_cache_growth", "batch=2&cache=off");
  CHECK(out(off, "step_time") == out(e, "time_without"));
  CHECK(out(off, "flop") == out(e, "flop_without"));
  CHECK(out(off, "bytes") == out(off, "weights_read"));

  const Evaluated narrow = figure("kv_cache_growth", "batch=2&kv=fp8&gpus=4&device=b200");
  CHECK(out(narrow, "bytes_per_token") == 65536);
  CHECK(out(narrow, "memory") == 4 * 180e9);
  CHECK(about(out(narrow, "time_with"), (2 * (all + gains) + 2 * n * 65536) / (4 * 7.7e12), 1e-12));
}

TEST_CASE("kv_cache_growth: who computes K and V") {
  // A prompt of 3 tokens and 5 steps: each of 8 tokens once, against 3 + 4 + ... + 8.
  for (const auto& [query, computed, read] : {std::tuple{"", 8, 25}, std::tuple{"cache=off", 33, 0}}) {
    const Evaluated e = figure("kv_cache_growth", query);
    const std::vector<Mark>& cells = e.view.panels[0].marks;
    CHECK(std::count_if(cells.begin(), cells.end(), [](const Mark& m) { return m.role == Role::compute; }) == computed);
    CHECK(std::count_if(cells.begin(), cells.end(), [](const Mark& m) { return m.role == Role::memory; }) == read);
  }
}

TEST_CASE("kv_cache_growth: measured steps stand above their floor, and only where they were taken") {
  for (const char* query : {"batch=1", "batch=8", "batch=32", "batch=128"}) {
    const Evaluated e = figure("kv_cache_growth", query);
    int rows = 0;
    for (size_t row = 0; row < e.view.rows(); ++row)
      for (const auto& [measured, floor] : {std::pair{"measured_with", "time_with"}, std::pair{"measured_without", "time_without"}}) {
        if (cell(e, row, measured).missing) continue;
        ++rows;
        CHECK(cell(e, row, measured).v > cell(e, row, floor).v);
      }
    INFO(query);
    CHECK(rows >= 2);
  }
  for (const char* query : {"batch=1&gpus=2", "batch=1&kv=fp8", "batch=1&model=llama3_70b", "batch=1&device=b200", "batch=4"}) {
    const Evaluated e = figure("kv_cache_growth", query);
    INFO(query);
    CHECK(std::none_of(e.view.provenance.begin(), e.view.provenance.end(), [](const Provenance& p) { return p.how == How::measured; }));
  }
}

TEST_CASE("kv_cache_growth says what does not fit and what was not meant") {
  const auto says = [](const char* query, const char* words) {
    const Evaluated e = figure("kv_cache_growth", query);
    return std::any_of(e.notices.begin(), e.notices.end(), [&](const std::string& n) { return n.find(words) != std::string::npos; });
  };
  CHECK(says("model=llama3_70b", "does not fit"));
  CHECK_FALSE(says("model=llama3_70b&gpus=4", "does not fit"));
  CHECK(says("context=100000", "does not fit"));
  CHECK_FALSE(says("context=100000&cache=off", "does not fit"));
  CHECK(says("model=llama2_7b&context=5000", "at most 4,096 tokens"));
  CHECK(says("model=deepseek_v3&device=a100_80gb&gpus=8", "no FP8 arithmetic"));
}

TEST_CASE("kv_cache_growth without a table of models says so") {
  World none = real_world();
  none.models = {};
  const Result<Evaluated> e = evaluate(*figures::find("kv_cache_growth"), none, {}, "", Binder::Mode::strict);
  REQUIRE(e);
  CHECK(summary_text(*e) == "The book has no table of models.");
}

TEST_CASE("roofline: roofs of the datasheet") {
  const Evaluated e = figure("roofline", "dtype=bf16&intensity=12");
  CHECK(out(e, "bandwidth") == 4.8e12);
  CHECK(out(e, "peak") == 989.4e12);
  CHECK(out(e, "ridge") == 989.4e12 / 4.8e12);
  CHECK(out(e, "attainable") == 12 * 4.8e12);
  CHECK(out(e, "share") == out(e, "attainable") / out(e, "peak"));
  CHECK(out(e, "sms") == 132);
  CHECK(summary_text(e).find("memory is the limit") != std::string::npos);
  const Evaluated high = figure("roofline", "dtype=bf16&intensity=1000");
  CHECK(out(high, "attainable") == out(high, "peak"));
  CHECK(out(high, "share") == 1);
  CHECK(summary_text(high).find("arithmetic is the limit") != std::string::npos);
  CHECK(figure("roofline", "device=a100_40gb").view.find("bandwidth")->v == 1.555e12);
  CHECK(figure("roofline", "", "a100_40gb").view.find("bandwidth")->v == 1.555e12);
}

TEST_CASE("roofline: the points are the measurements, and below their roof") {
  struct Expect {
    const char* dtype;
    const char* kernel;
    double intensity, rate;
  };
  // By hand: vector add moves 12 B for 1 FLOP; the measured row is n = 2^28 in 919.424 us, and so on.
  for (const Expect& x : {Expect{"fp32", "vector add, 2²⁸ elements", 1.0 / 12, 268435456 / 919.424e-6},
                          Expect{"bf16", "matrix multiply, 1 row", 2.0 * 8192 * 28672 / (2.0 * (8192.0 * 28672 + 28672 + 8192)), 2.0 * 8192 * 28672 / 124.8e-6},
                          Expect{"bf16", "matrix multiply, 8,192 rows", 8192 / 3.0, 2.0 * 8192 * 8192 * 8192 / 1447.616e-6},
                          Expect{"bf16", "decode attention, batch 32", 4.0 * 32 * 32 * 2048 * 128 / (2.0 * (2.0 * 32 * 8 * 2048 * 128 + 2.0 * 32 * 32 * 128)), 4.0 * 32 * 32 * 2048 * 128 / 75.648e-6},
                          Expect{"fp8", "matrix multiply, 6,144 rows", 6144 / 2.0, 2.0 * 6144 * 6144 * 6144 / 349.056e-6},
                          Expect{"tf32", "matrix multiply, 4,096", 4096 / 6.0, 2.0 * 4096 * 4096 * 4096 / 377.792e-6}}) {
    INFO(x.dtype << " " << x.kernel);
    const Evaluated e = figure("roofline", std::string("dtype=") + x.dtype);
    bool found = false;
    for (size_t row = 0; row < e.view.rows(); ++row) {
      if (cell(e, row, "kernel").text != x.kernel) continue;
      found = true;
      CHECK(about(cell(e, row, "intensity").v, x.intensity, 1e-9));
      CHECK(about(cell(e, row, "measured").v, x.rate, 1e-9));
    }
    CHECK(found);
  }
  for (const char* dtype : {"fp32", "tf32", "bf16", "fp8"}) {
    const Evaluated e = figure("roofline", std::string("dtype=") + dtype);
    int points = 0;
    for (size_t row = 0; row < e.view.rows(); ++row) {
      if (cell(e, row, "measured").missing) continue;
      ++points;
      CHECK(cell(e, row, "measured").v < cell(e, row, "roof").v);
      CHECK(about(cell(e, row, "share").v, cell(e, row, "measured").v / cell(e, row, "roof").v, 1e-12));
    }
    INFO(dtype);
    CHECK(points >= 2);
    CHECK(e.notices.empty());
  }
}

TEST_CASE("roofline: no points where none were measured, and it says so") {
  for (const char* query : {"device=a100_40gb", "device=b200", "device=h200&dtype=fp64"}) {
    const Evaluated e = figure("roofline", query);
    INFO(query);
    REQUIRE(e.notices.size() == 1);
    CHECK(e.notices[0].find("No points") == 0);
    CHECK(std::none_of(e.view.panels[0].marks.begin(), e.view.panels[0].marks.end(), [](const Mark& m) { return m.shape == Shape::dot && m.drags.empty(); }));
    CHECK(std::none_of(e.view.provenance.begin(), e.view.provenance.end(), [](const Provenance& p) { return p.how == How::measured; }));
    CHECK(figure("roofline", std::string(query) + "&points=off").notices.empty());
  }
}

TEST_CASE("roofline: a type that the device lacks is disabled and says why") {
  const Evaluated e = figure("roofline", "device=a100_80gb");
  for (const FieldSpec& spec : e.specs) {
    if (spec.id != "dtype") continue;
    const auto fp8 = std::find_if(spec.options.begin(), spec.options.end(), [](const auto& o) { return o.id == "fp8"; });
    REQUIRE(fp8 != spec.options.end());
    CHECK(fp8->why_not == "A100 80 GB SXM has no FP8 arithmetic");
  }
  CHECK(!evaluate(*figures::find("roofline"), real_world(), parse_query("device=a100_80gb&dtype=fp8"), "", Binder::Mode::strict));
  const Result<Evaluated> lenient = evaluate(*figures::find("roofline"), real_world(), parse_query("device=a100_80gb&dtype=fp8"), "", Binder::Mode::lenient);
  REQUIRE(lenient);
  CHECK(!lenient->notices.empty());
}

TEST_CASE("dragging the mark of roofline gives back the intensity under the pointer") {
  for (const double width : {350.0, 632.0})
    for (const char* intensity : {"0.05", "1", "12", "206.13", "10000"}) {
      const Evaluated e = figure("roofline", std::string("intensity=") + intensity);
      const Frame frame = layout(e.view, width);
      const auto handle = std::find_if(frame.prims.begin(), frame.prims.end(), [](const Prim& p) { return p.kind == Prim::disc && p.role == Role::accent; });
      REQUIRE(handle != frame.prims.end());
      const std::optional<double> back = invert_x(frame, handle->panel, handle->px[0].x);
      REQUIRE(back);
      CHECK(about(*back, std::stod(intensity), 1e-9));
    }
}

TEST_CASE("execution_hierarchy finds its thread") {
  struct Case {
    const char* query;
    double index, warp, lane, sm, wave, waves, last, idle_lanes, resident;
  };
  for (const Case& c : {Case{"", 305 * 512 + 77, 2, 13, 41, 1, 2, 72, 0, 4}, Case{"block=560&thread=511", 560 * 512 + 511, 15, 31, 32, 2, 2, 72, 0, 4},
                        Case{"blocks=4&width=256&block=2&thread=0", 512, 0, 0, 2, 1, 1, 4, 0, 8}, Case{"width=16&height=16&block=0&thread=40", 40, 1, 8, 0, 1, 1, 600, 0, 8},
                        Case{"width=100&block=0&thread=99", 99, 3, 3, 0, 1, 1, 600, 28, 16}, Case{"width=1024&blocks=700&block=699&thread=1", 699 * 1024 + 1, 0, 1, 39, 3, 3, 172, 0, 2}}) {
    INFO(c.query);
    const Evaluated e = figure("execution_hierarchy", c.query, "h200");
    CHECK(out(e, "index") == c.index);
    CHECK(out(e, "warp") == c.warp);
    CHECK(out(e, "lane") == c.lane);
    CHECK(out(e, "sm") == c.sm);
    CHECK(out(e, "wave") == c.wave);
    CHECK(out(e, "waves") == c.waves);
    CHECK(out(e, "last") == c.last);
    CHECK(out(e, "idle_lanes") == c.idle_lanes);
    CHECK(out(e, "resident") == c.resident);
  }
}

TEST_CASE("execution_hierarchy draws every block once, and every warp and lane of the one it follows") {
  for (const char* query : {"", "block=599", "width=100&blocks=1200&block=7&thread=99", "width=1024&blocks=700&block=699", "blocks=1&width=1&block=0&thread=0"}) {
    INFO(query);
    const Evaluated e = figure("execution_hierarchy", query, "h200");
    const double blocks = out(e, "total") / out(e, "threads");
    const auto count = [&](size_t panel, auto&& wanted) { return std::count_if(e.view.panels[panel].marks.begin(), e.view.panels[panel].marks.end(), wanted); };
    const auto live = [](const Mark& m) { return (m.shape == Shape::bar || m.shape == Shape::cell) && m.fill != Fill::hatch; };
    const auto accent = [&](const Mark& m) { return live(m) && m.role == Role::accent; };
    CHECK(static_cast<double>(count(0, live)) == blocks);
    // The narrow drawing joins the blocks of a row; their widths add up to the grid.
    double joined = 0;
    for (const Mark& m : e.view.panels[1].marks)
      if (m.shape == Shape::area) joined += m.at[1].x - m.at[0].x;
    CHECK(joined == blocks);
    const double warps = out(e, "warps");
    CHECK(count(2, [&](const Mark& m) { return live(m) && m.role == Role::compute && m.fill == Fill::solid; }) + 1 == static_cast<long>(warps));
    CHECK(static_cast<double>(count(3, live)) == std::min(32.0, out(e, "threads") - 32 * out(e, "warp")));
    for (size_t panel = 0; panel < 4; ++panel) CHECK(count(panel, accent) == 1);
  }
}
