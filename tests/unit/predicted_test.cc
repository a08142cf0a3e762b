// The committed predictions: how they are read, what they must keep to, and the figure that shows them.
#include "gpu/predicted.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "figures/registry.h"
#include "support/real_world.h"

using namespace lk;
using namespace lk::test;

namespace {

const std::string head = "kernel,params,family,group,measured_us,predicted_us,datasheet_us,calibrated_us,limit,launches,median_us,low_us,high_us,least_us,most_us\n";
const std::string line = "reduce_1,n=512,reduce,hand-written,4,5,1,3,latency,30,4.1,4,4.25,3.9,6\n";

gpu::PredictedSet read(const std::string& csv, std::string& said) {
  std::vector<Problem> problems;
  gpu::PredictedSet set = gpu::load_predicted(csv, "h200", "p.csv", problems);
  for (const Problem& p : problems) said += text(p) + "\n";
  return set;
}

struct Errors {
  double rows = 0, model = 0, datasheet = 0, calibrated = 0;
  void add(const gpu::PredictedRow& r) {
    ++rows;
    model += std::fabs(r.predicted / r.measured - 1);
    datasheet += std::fabs(r.datasheet / r.measured - 1);
    calibrated += std::fabs(r.calibrated / r.measured - 1);
  }
};

plot::View shown(const std::string& query) {
  const auto e = plot::evaluate(*figures::find("model_error"), real_world(), plot::parse_query(query), {}, plot::Binder::Mode::strict);
  INFO(query << (e ? "" : ": " + e.error().what));
  REQUIRE(e);
  return e->view;
}

double out(const plot::View& view, std::string_view id) {
  const Num* n = view.find(id);
  INFO(id);
  REQUIRE(n);
  return n->v;
}

}  // namespace

TEST_CASE("predictions are read with their samples, or without") {
  std::string said;
  const gpu::PredictedSet set = read(head + line + "gemm_bf16,m=1;n=2;k=3,gemm_bf16,library,8,9,1,2,arithmetic,,,,,,\n", said);
  CHECK(said.empty());
  REQUIRE(set.rows.size() == 2);
  CHECK(set.device == "h200");
  CHECK(set.rows[0].measured == 4e-6);
  CHECK(set.rows[0].limit == "latency");
  CHECK(set.rows[0].launches == 30);
  CHECK(set.rows[0].high == 4.25e-6);
  CHECK(set.rows[1].params == "m=1;n=2;k=3");
  CHECK(set.rows[1].launches == 0);
}

TEST_CASE("tables of predictions that are none are refused with their line") {
  for (const std::string bad : {"reduce_1,n=512,reduce,hand-written,4,5,1,3,latency\n", "reduce_1,n=512,reduce,hand-written,4,five,1,3,latency,,,,,,\n",
                                "reduce_1,n=512,reduce,hand-written,0,5,1,3,latency,,,,,,\n", ",,,,,,,,,,,,,,\n", "\n", "a,b\n"}) {
    std::string said;
    const gpu::PredictedSet set = read(head + line + bad, said);
    INFO(bad);
    CHECK(set.rows.size() == 1);
    CHECK(said.starts_with("p.csv:3:1: error: this is no row of predictions"));
  }
  std::string said;
  CHECK(read("kernel,params\n" + line, said).rows.size() == 1);
  CHECK(said.starts_with("p.csv:1:1: error: this is no table of predictions"));
}

TEST_CASE("the model keeps its bar on the measured rows, and beats the calibrated roofline in every family") {
  REQUIRE(real_world().predicted.size() == 1);
  const gpu::PredictedSet& set = real_world().predicted.front();
  const gpu::MeasuredSet* measured = real_world().measured_on(set.device);
  REQUIRE(measured);
  std::map<std::string, Errors> groups, families;
  for (const gpu::PredictedRow& r : set.rows) {
    INFO(r.kernel << " " << r.params);
    const gpu::MeasuredRow* row = measured->find(r.kernel, r.params);
    REQUIRE(row);
    CHECK(std::fabs(row->seconds / r.measured - 1) < 1e-9);
    groups[r.group].add(r);
    families[r.family].add(r);
  }
  // Every row but those of whole steps, which have no model.
  const auto steps = std::count_if(measured->rows.begin(), measured->rows.end(), [](const gpu::MeasuredRow& r) { return r.kernel.ends_with("_step"); });
  CHECK(set.rows.size() + static_cast<size_t>(steps) == measured->rows.size());
  CHECK(groups.size() == 3);
  CHECK(groups["hand-written"].model <= 0.08 * groups["hand-written"].rows);
  CHECK(groups["library"].model <= 0.055 * groups["library"].rows);
  CHECK(groups["layers"].model <= 0.04 * groups["layers"].rows);
  for (const auto& [name, e] : families) {
    INFO(name);
    CHECK(e.model < e.calibrated);
    CHECK(e.model < e.datasheet);
  }
}

TEST_CASE("the figure counts what the rows say") {
  const gpu::PredictedSet& set = real_world().predicted.front();
  Errors all;
  double worst = 0;
  for (const gpu::PredictedRow& r : set.rows) {
    all.add(r);
    worst = std::max(worst, std::fabs(r.predicted / r.measured - 1));
  }
  const plot::View view = shown("");
  CHECK(out(view, "count") == static_cast<double>(set.rows.size()));
  CHECK(std::fabs(out(view, "mean") - all.model / all.rows) < 1e-12);
  CHECK(std::fabs(out(view, "datasheet_mean") - all.datasheet / all.rows) < 1e-12);
  CHECK(out(view, "worst") == worst);
  CHECK(std::fabs(out(view, "off")) == worst);  // the first row is the worst
  CHECK(std::fabs(out(shown("model=calibrated"), "mean") - out(view, "calibrated_mean")) < 1e-12);  // in another order

  // Rows are sorted, and the followed one is the row of that rank.
  const size_t columns = view.columns.size();
  for (size_t r = 1; r < view.rows(); ++r) CHECK(std::fabs(view.cells[r * columns + 6].v) <= std::fabs(view.cells[(r - 1) * columns + 6].v));
  CHECK(out(shown("row=7"), "measured") == view.cells[6 * columns + 1].v);
  CHECK(out(shown("family=layers"), "count") == 7);
  CHECK(out(shown("family=sgemm&row=12"), "mean") > out(shown("family=read"), "mean"));
  CHECK(out(shown("family=library&against=again"), "measured") == out(shown("family=library&against=again"), "again"));
}

TEST_CASE("every dot leads to its row, and the command of a row names it whole") {
  const plot::View view = shown("family=sgemm&row=3");
  size_t rows = 0, families = 0;
  for (const plot::Mark& m : view.panels[0].marks) {
    rows += m.sets.starts_with("row=");
    families += m.sets.starts_with("family=");
  }
  CHECK(rows == 11);  // all but the one that is followed
  CHECK(families == real_world().predicted.front().rows.size() - 12);
  for (const std::string query : {"", "family=attention_decode", "family=attention_standard", "family=layers"})
    for (int row = 1; row <= 3; ++row) {
      const plot::View v = shown(query + (query.empty() ? "" : "&") + "row=" + std::to_string(row));
      std::string command;
      for (const plot::Mark& m : v.panels[3].marks) {
        CHECK(m.label.size() <= 36);
        std::string part = m.label.substr(m.label.find_first_not_of(' '));
        if (part.ends_with('\\')) part.pop_back();
        else part += ' ';
        command += part;
      }
      CHECK(command == "lk predict " + v.cells[static_cast<size_t>(row - 1) * v.columns.size()].text + " --device h200 ");
      CHECK(v.panels[3].marks.size() <= v.panels[3].y.bands.size());
    }
}

TEST_CASE("without predictions the figure says so") {
  World bare = real_world();
  bare.predicted.clear();
  const auto e = plot::evaluate(*figures::find("model_error"), bare, {}, {}, plot::Binder::Mode::strict);
  REQUIRE(e);
  REQUIRE(e->view.notices.size() == 1);
  CHECK(e->view.notices[0].starts_with("Nothing is shown"));
}
