#include "serving/transformer.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "support/real_world.h"

using namespace lk;
using namespace lk::serving;

namespace {

const Model& model(const char* id) {
  const Model* m = test::real_world().models.find(id);
  REQUIRE(m);
  return *m;
}

bool about(double a, double b, double share) { return std::fabs(a - b) <= share * std::fabs(b); }

/// Two layers with small sizes, to be counted on paper.
Model small() {
  Model m;
  m.layers = 2;
  m.hidden = 6;
  m.heads = 4;
  m.kv_heads = 2;
  m.head_dim = 3;
  m.ffn = 10;
  m.vocab = 7;
  return m;
}

}  // namespace

TEST_CASE("the parts of each model add up to the number of parameters in its files") {
  const struct {
    const char* id;
    double parameters;
  } cases[] = {{"llama2_7b", 6738415616},    {"llama3_8b", 8030261248},      {"llama3_70b", 70553706496},  {"llama3_405b", 405853388800},
               {"qwen3_32b", 32762123264},   {"mixtral_8x7b", 46702792704},  {"deepseek_v3", 671026419200}};
  for (const auto& c : cases) {
    INFO(c.id);
    CHECK(parameters(model(c.id)) == c.parameters);
    CHECK(model(c.id).parameters == c.parameters);
  }
  CHECK(test::real_world().models.all.size() == std::size(cases));
}

TEST_CASE("parameters of a token's own path, as reports print them") {
  CHECK(about(active_weights(model("mixtral_8x7b")) + 32000.0 * 4096, 12.9e9, 0.005));  // Mixtral of Experts: 12.9B, embedding included
  CHECK(about(active_weights(model("deepseek_v3")), 37e9, 0.015));                      // DeepSeek-V3: 37B
  // Dense: all but the embedding and the gains.
  CHECK(active_weights(model("llama3_8b")) == 8030261248.0 - 128256.0 * 4096 - (2 * 32 + 1) * 4096.0);
}

TEST_CASE("bytes that the cache keeps for a token") {
  // BF16, as "Insights into DeepSeek-V3" (arXiv 2505.09343), table 1, and the Llama configurations give them.
  CHECK(2 * kv_elements(model("llama2_7b")) == 524288);
  CHECK(2 * kv_elements(model("llama3_8b")) == 131072);
  CHECK(2 * kv_elements(model("qwen3_32b")) == 262144);
  CHECK(2 * kv_elements(model("mixtral_8x7b")) == 131072);
  CHECK(2 * kv_elements(model("llama3_70b")) == 327680);
  CHECK(2 * kv_elements(model("llama3_405b")) == 516096);
  CHECK(2 * kv_elements(model("deepseek_v3")) == 70272);
}

TEST_CASE("a small model, counted on paper") {
  Model m = small();
  // A layer: Q and output 6 x 12 each, K and V 6 x 6 each, three matrices of 6 x 10, two gains of 6.
  const double attention = 2 * 72 + 2 * 36, ffn = 180;
  CHECK(parameters(m) == 2 * (attention + ffn + 12) + 6 + 2 * 42);
  CHECK(active_weights(m) == 2 * (attention + ffn) + 42);
  CHECK(weights_read(m, 1) == 2 * (2 * (attention + ffn + 12) + 6 + 42));
  CHECK(kv_elements(m) == 2 * 2 * 2 * 3);
  const Step with = cached_step(m, 5, 11, 2);
  CHECK(with.weight_flop == 2 * 5 * active_weights(m));
  CHECK(with.attention_flop == 5 * 11 * 2 * 4 * (2 * 3 + 2 * 3));
  CHECK(with.kv_bytes == 5 * 11 * 24 * 2);
  CHECK(with.weight_bytes == weights_read(m, 5));
  const Step without = recomputed_step(m, 5, 11);
  CHECK(without.weight_flop == 2 * 5 * (11 * 2 * (attention + ffn) + 42));
  CHECK(without.attention_flop == 5 * 66 * 2 * 4 * 12);
  CHECK(without.kv_bytes == 0);
  CHECK(without.weight_bytes == with.weight_bytes);

  m.tied = true;
  CHECK(parameters(m) == 2 * (attention + ffn + 12) + 6 + 42);
  CHECK(weights_read(m, 1) == 2 * parameters(m));
  m.qk_norm = true;
  CHECK(parameters(m) == 2 * (attention + ffn + 12 + 6) + 6 + 42);

  m = small();
  m.experts = Experts{.count = 4, .active = 1, .shared = 1, .ffn = 5, .dense_layers = 1, .bias = true};
  const double expert = 3 * 6 * 5, router = 24;
  CHECK(parameters(m) == 2 * (attention + 12) + ffn + 5 * expert + router + 4 + 6 + 84);
  CHECK(active_weights(m) == 2 * attention + ffn + 2 * expert + router + 42);
  // Two tokens: each routed expert stays unvisited with probability 9/16.
  CHECK(about(weights_read(m, 2) - weights_read(m, 1), 2 * 4 * expert * (7.0 / 16 - 1.0 / 4), 1e-12));

  m = small();
  m.kv_heads = 4;
  m.latent = Latent{.query = 5, .kv = 8, .rope = 2};
  CHECK(kv_elements(m) == 2 * (8 + 2));
  const double latent = 6 * 5 + 5 * 4 * (3 + 2) + 6 * (8 + 2) + 8 * 4 * (3 + 3) + 4 * 3 * 6;
  CHECK(parameters(m) == 2 * (latent + ffn + 12 + 5 + 8) + 6 + 84);
  CHECK(cached_step(m, 1, 1, 2).attention_flop == 2 * 4 * (2 * (8 + 2) + 2 * 8));
  CHECK(recomputed_step(m, 1, 1).attention_flop == 2 * 4 * (2 * (3 + 2) + 2 * 3));
}

TEST_CASE("sums over a whole sequence are the sums of its steps") {
  for (const char* id : {"llama3_8b", "mixtral_8x7b", "deepseek_v3"}) {
    double with = 0, without = 0;
    for (int t = 1; t <= 57; ++t) {
      with += cached_step(model(id), 1, t, 2).flop();
      without += recomputed_step(model(id), 1, t).flop();
    }
    INFO(id);
    CHECK(about(cached_flop(model(id), 57), with, 1e-12));
    CHECK(about(recomputed_flop(model(id), 57), without, 1e-12));
  }
}

TEST_CASE("a step takes the longer of two times, twice") {
  const Step s{100, 30, 50, 80};
  CHECK(least_time(s, 10, 10, 10) == 10 + 8);
  CHECK(least_time(s, 1000, 2, 10) == 5 + 15);
}

TEST_CASE("every fault of a table of models is named at its place") {
  const std::string good = "{\"default\": \"a\",\n\"models\": [\n{\"id\": \"a\", \"name\": \"A\", \"layers\": 2, \"hidden\": 6, \"heads\": 4, \"kv_heads\": 2, \"head_dim\": 3, \"ffn\": 10,\n"
                           " \"vocab\": 7, \"max_context\": 8, \"dtype\": \"bf16\", \"parameters\": 906, \"sources\": [\"s\"]}\n]}";
  const auto load = [](const std::string& text, std::vector<Problem>& problems) {
    const auto root = json::parse(text, "models.json");
    REQUIRE(root);
    return load_models(*root, "models.json", problems);
  };
  std::vector<Problem> none;
  const Models models = load(good, none);
  for (const Problem& p : none) UNSCOPED_INFO(text(p));
  REQUIRE(none.empty());
  REQUIRE(models.find("a"));
  CHECK(models.find("a")->max_context == 8);
  const struct {
    const char *from, *to;
    int line;
    const char* what;
  } cases[] = {
      {"\"default\": \"a\"", "\"default\": \"b\"", 1, "the default model \"b\" is not in the table"},
      {"\"layers\": 2", "\"layers\": 0", 3, "\"layers\" must be above zero"},
      {"\"layers\": 2", "\"layer\": 2", 3, "the member \"layers\" is missing"},
      {"\"kv_heads\": 2", "\"kv_heads\": 3", 3, "4 heads do not share 3 evenly"},
      {"\"bf16\"", "\"bf61\"", 4, "unknown element type \"bf61\""},
      {"906", "1000", 4, "the parts add up to 906 parameters"},
      {"\"sources\": [\"s\"]", "\"sources\": []", 3, "names no source"},
      {"\"vocab\": 7", "\"vocab\": \"7\"", 4, "\"vocab\" must be a number"},
      {"\"dtype\"", "\"latent\": {\"query\": 1, \"kv\": 0, \"rope\": 1}, \"dtype\"", 4, "\"kv\" must be above zero"},
      {"\"dtype\"", "\"experts\": {\"count\": 2, \"active\": 3, \"ffn\": 1}, \"dtype\"", 4, "more experts than there are"},
      {"]}\n]}", "]},\n{\"id\": \"a\"}]}", 5, "the model \"a\" occurs twice"},
  };
  for (const auto& c : cases) {
    std::string broken = good;
    const size_t at = broken.find(c.from);
    REQUIRE(at != std::string::npos);
    broken.replace(at, std::string_view(c.from).size(), c.to);
    INFO(broken);
    std::vector<Problem> problems;
    load(broken, problems);
    bool found = false;
    for (const Problem& p : problems) {
      UNSCOPED_INFO(text(p));
      CHECK(p.error.at.file == "models.json");
      found = found || (p.error.at.line == c.line && p.error.what.find(c.what) != std::string::npos);
    }
    CHECK(found);
  }
}
