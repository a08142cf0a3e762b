// search.query {"query": text, "limit": 1 to 50 (10), "snippets": boolean (true)} ->
//   {"results": [{"url", "title", "kind", "number", "page", "score", "marked": segments, "snippet": segments,
//                 "headings": [{"url", "marked"}]}],
//    "corrected": [{"typed", "read"}], "suggestions": [{"url", "title"}], "missing": [{"page", "file"}], "cut": boolean}
//   kind: term, section, heading, figure, source, page. Addresses begin with '/' and lack the site's base. Segments are
//   [{"text", "mark": true}], in order, together the text; "mark" only where the query matches. "missing": pages whose texts would
//   add snippets or decide about a quoted phrase, with their files. "cut": only the first 24 words of the query count.
// search.start {} -> [{"url", "title"}]: glossary entries for someone who has not typed yet.
#include <cmath>

#include "api/api.h"
#include "search/query.h"

namespace lk::api {
namespace {

constexpr int most_results = 50;

Error no_index() { return {{}, "there is no search index here", "load one first"}; }

void write(json::Writer& w, const search::Segments& segments) {
  w.begin_array();
  for (const search::Segment& s : segments) {
    w.begin_object().field("text", s.text);
    if (s.mark) w.field("mark", true);
    w.end_object();
  }
  w.end_array();
}

void write(json::Writer& w, const search::Hit& hit) {
  w.begin_object().field("url", hit.url).field("title", hit.title).field("kind", search::name(hit.kind));
  w.field("number", hit.number).field("page", hit.page).field("score", std::round(hit.score * 1000) / 1000);
  w.key("marked");
  write(w, hit.marked);
  w.key("snippet");
  write(w, hit.snippet);
  w.key("headings").begin_array();
  for (const auto& heading : hit.headings) {
    w.begin_object().field("url", heading.url).key("marked");
    write(w, heading.marked);
    w.end_object();
  }
  w.end_array().end_object();
}

void write_links(json::Writer& w, const std::vector<search::Hit>& hits) {
  w.begin_array();
  for (const search::Hit& hit : hits) w.begin_object().field("url", hit.url).field("title", hit.title).end_object();
  w.end_array();
}

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

  const auto answer = search::search(*context.search, words, options);
  if (!answer) return answer.error();
  json::Writer w;
  w.begin_object().key("results").begin_array();
  for (const search::Hit& hit : answer->hits) write(w, hit);
  w.end_array().key("corrected").begin_array();
  for (const search::Correction& c : answer->corrected) w.begin_object().field("typed", c.typed).field("read", c.read).end_object();
  w.end_array().key("suggestions");
  write_links(w, answer->suggestions);
  w.key("missing").begin_array();
  for (const uint32_t n : answer->missing) {
    const auto page = context.search->page(n);
    if (page && !page->file.empty()) w.begin_object().field("page", n).field("file", std::string(page->file)).end_object();
  }
  w.end_array().field("cut", answer->cut).end_object();
  return w.take();
}

Result<std::string> start(const Context& context, const json::Value& params) {
  std::vector<Problem> problems;
  json::Reader(params, {}, problems).done();
  if (!problems.empty()) return problems.front().error;
  if (context.search == nullptr) return no_index();
  json::Writer w;
  write_links(w, search::start(*context.search));
  return w.take();
}

constexpr Method methods[] = {
    {"search.query", R"(Find entries of the book: {"query": "shared memory", "limit": 10})", query},
    {"search.start", "Glossary entries to begin with: {}", start},
};

}  // namespace

Methods search_methods() { return methods; }

}  // namespace lk::api
