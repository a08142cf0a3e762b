// search.query {"query": text, "limit": 1 to 50 (10), "snippets": boolean (true)} and search.start {}: see search_json.h for
// what they return.
#include "api/api.h"
#include "api/search_json.h"

namespace lk::api {
namespace {

constexpr int most_results = 50;

Error no_index() { return {{}, "there is no search index here", "load one first"}; }

Result<std::string> query(const Context& context, const json::Value& params) {
  std::vector<Problem> problems;
  json::Reader reader(params, {}, problems);
  const std::string words = reader.text("query");
  search::Options options;
  const int limit = reader.integer("limit", static_cast<int>(options.limit));
  options.snippets = reader.boolean("snippets", true);
  if (limit < 1 || limit > most_results)
    reader.problem(*params.find("limit"), "\"limit\" must be between 1 and " + std::to_string(most_results), "");
  reader.done();
  if (!problems.empty()) return problems.front().error;
  if (context.search == nullptr) return no_index();
  options.limit = static_cast<size_t>(limit);

  return search_json(*context.search, words, options);
}

Result<std::string> start(const Context& context, const json::Value& params) {
  std::vector<Problem> problems;
  json::Reader(params, {}, problems).done();
  if (!problems.empty()) return problems.front().error;
  if (context.search == nullptr) return no_index();
  return start_json(*context.search);
}

constexpr Method methods[] = {
    {"search.query", R"(Find entries of the book: {"query": "shared memory", "limit": 10})", query},
    {"search.start", "Glossary entries to begin with: {}", start},
};

}  // namespace

Methods search_methods() { return methods; }

}  // namespace lk::api
