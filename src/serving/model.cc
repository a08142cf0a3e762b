#include "serving/model.h"

#include <cmath>

#include "base/number.h"
#include "serving/transformer.h"

namespace lk::serving {
namespace {

// How far the published number of parameters may be from the sum of the parts: reports round to three digits.
constexpr double tolerance = 0.005;

int count(json::Reader& r, std::string_view key) {
  const int n = r.integer(key);
  const json::Value* v = r.self().find(key);
  if (v && v->is(json::Kind::number) && v->integral && n <= 0) r.problem(*v, '"' + std::string(key) + "\" must be above zero");
  return n;
}

Model read_model(const json::Value& item, std::string_view file, std::vector<Problem>& problems) {
  Model m;
  const size_t before = problems.size();
  json::Reader r(item, file, problems);
  if (!item.is(json::Kind::object)) return m;
  m.id = r.text("id");
  m.name = r.text("name");
  for (const auto& [key, to] : {std::pair{"layers", &m.layers}, {"hidden", &m.hidden}, {"heads", &m.heads}, {"kv_heads", &m.kv_heads},
                                {"head_dim", &m.head_dim}, {"ffn", &m.ffn}, {"vocab", &m.vocab}})
    *to = count(r, key);
  m.max_context = count(r, "max_context");
  m.tied = r.boolean("tied", false);
  m.qk_norm = r.boolean("qk_norm", false);
  if (const json::Value* v = r.object("experts")) {
    json::Reader e(*v, file, problems);
    m.experts = Experts{count(e, "count"), count(e, "active"), e.integer("shared", 0), count(e, "ffn"), e.integer("dense_layers", 0), e.boolean("bias", false)};
    e.done();
  }
  if (const json::Value* v = r.object("latent")) {
    json::Reader l(*v, file, problems);
    m.latent = Latent{count(l, "query"), count(l, "kv"), count(l, "rope")};
    l.done();
  }
  const std::string dtype = r.text("dtype");
  const json::Value* dtype_at = item.find("dtype");
  if (const auto type = gpu::type_of(dtype)) {
    m.dtype = *type;
  } else if (dtype_at && dtype_at->is(json::Kind::string)) {
    r.problem(*dtype_at, "unknown element type \"" + dtype + '"', "known: fp64 fp32 tf32 fp16 bf16 fp8 fp6 fp4 int8");
  }
  m.parameters = r.number("parameters");
  if (r.texts("sources").empty()) r.problem(item, "the model \"" + m.id + "\" names no source", "add \"sources\": [\"id of content/reading.json\"]");
  r.text("note", "");
  r.done();
  if (problems.size() != before) return m;
  if (m.heads % m.kv_heads != 0)
    r.problem(*item.find("kv_heads"), std::to_string(m.heads) + " heads do not share " + std::to_string(m.kv_heads) + " evenly", "each key head serves the same number of query heads");
  if (m.experts && m.experts->active > m.experts->count) r.problem(*item.find("experts"), "a token visits more experts than there are");
  const double sum = parameters(m);
  if (std::fabs(sum - m.parameters) > tolerance * m.parameters)
    r.problem(*item.find("parameters"), "the parts add up to " + digits(sum) + " parameters", "compare the sizes with the model's configuration file");
  return m;
}

}  // namespace

const Model* Models::find(std::string_view id) const {
  for (const Model& m : all)
    if (m.id == id) return &m;
  return nullptr;
}

Models load_models(const json::Value& root, std::string_view file, std::vector<Problem>& problems) {
  Models models;
  json::Reader r(root, file, problems);
  models.fallback = r.text("default");
  std::vector<std::string> ids;
  for (const json::Value& item : r.array("models", true)) {
    Model m = read_model(item, file, problems);
    if (m.id.empty()) continue;
    if (models.find(m.id)) {
      r.problem(*item.find("id"), "the model \"" + m.id + "\" occurs twice", "ids must differ");
      continue;
    }
    ids.push_back(m.id);
    models.all.push_back(std::move(m));
  }
  r.done();
  const json::Value* chosen = root.find("default");
  if (chosen && chosen->is(json::Kind::string) && !models.find(models.fallback)) {
    const std::string near = closest(models.fallback, ids);
    r.problem(*chosen, "the default model \"" + models.fallback + "\" is not in the table", near.empty() ? "" : "did you mean \"" + near + "\"?");
  }
  return models;
}

}  // namespace lk::serving
