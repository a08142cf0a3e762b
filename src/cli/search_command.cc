#include <unistd.h>

#include <cstdio>

#include "api/api.h"
#include "api/corpus.h"
#include "base/json.h"
#include "base/utf8.h"
#include "cli/commands.h"
#include "search/query.h"
#include "search/write.h"
#include "site/content.h"
#include "site/live.h"

namespace lk::cli {

namespace {

constexpr size_t label_width = 6;

const std::string& text_of(const json::Value& value, std::string_view key) {
  static const std::string none;
  const json::Value* v = value.find(key);
  return v && v->is(json::Kind::string) ? v->string : none;
}

const std::vector<json::Value>& list_of(const json::Value& value, std::string_view key) {
  static const std::vector<json::Value> none;
  const json::Value* v = value.find(key);
  return v && v->is(json::Kind::array) ? v->array : none;
}

/// What matches is bold where a person is watching.
std::string line(const std::vector<json::Value>& segments, bool bold) {
  std::string out;
  for (const json::Value& s : segments) {
    const std::string words = one_line(text_of(s, "text"));
    out += bold && s.find("mark") ? "\x1b[1m" + words + "\x1b[0m" : words;
  }
  return out;
}

std::string label(const json::Value& result) {
  const std::string& kind = text_of(result, "kind");
  std::string out = kind == "term" ? "Aa" : kind == "source" ? "Src" : kind == "figure" ? "Fig" : text_of(result, "number");
  out.resize(std::max(label_width, out.size() + 1), ' ');
  return out;
}

void print(const json::Value& answer, const std::string& query) {
  const bool bold = isatty(STDOUT_FILENO) == 1;
  const auto& results = list_of(answer, "results");
  const std::string indent(label_width, ' ');
  for (const json::Value& c : list_of(answer, "corrected"))
    std::printf("%s is not in the book: %s was looked for.\n", one_line(text_of(c, "typed")).c_str(), text_of(c, "read").c_str());
  for (const json::Value& result : results) {
    std::printf("%s%s\n", label(result).c_str(), line(list_of(result, "marked"), bold).c_str());
    std::printf("%s%s\n", indent.c_str(), text_of(result, "url").c_str());
    if (const std::string snippet = line(list_of(result, "snippet"), bold); !snippet.empty()) std::printf("%s%s\n", indent.c_str(), snippet.c_str());
    for (const json::Value& heading : list_of(result, "headings"))
      std::printf("%s- %s  %s\n", indent.c_str(), line(list_of(heading, "marked"), bold).c_str(), text_of(heading, "url").c_str());
  }
  if (!results.empty()) return;
  std::printf("Nothing found for %s.\n", one_line(query).c_str());
  std::string near;
  for (const json::Value& s : list_of(answer, "suggestions")) near += (near.empty() ? "" : ", ") + text_of(s, "title");
  if (!near.empty()) std::printf("Did you mean: %s?\n", near.c_str());
}

int fail(int status, const Error& error) {
  std::fprintf(stderr, "lk: %s\n", text(error).c_str());
  return status;
}

}  // namespace

int search(const Search& command) {
  std::string query;
  for (const std::string& word : command.words) query += (query.empty() ? "" : " ") + word;
  if (query.find_first_not_of(" \t\n") == std::string::npos)
    return fail(usage_error, {{}, "there is nothing to search for", "for example: lk search shared memory"});
  site::Content content = site::load_content(command.content);
  if (!content.usable) {
    std::fputs(site::problem_lines(content.problems).c_str(), stderr);
    return content_error;
  }
  const search::Index index = lk::search::index_of(api::corpus(content.book));
  const api::Context context{std::move(content.world), &index};
  const api::Methods tables[] = {api::search_methods()};
  json::Writer w;
  w.begin_object().field("method", "search.query").key("params").begin_object();
  // What is complete on a command line needs no guess at how its last word goes on.
  w.field("query", query + ' ').field("limit", command.limit).end_object().end_object();
  const auto answer = json::parse(api::call(tables, context, w.text()));
  if (!answer) return fail(usage_error, answer.error());
  if (const json::Value* error = answer->find("error")) return fail(usage_error, {{}, text_of(*error, "what"), text_of(*error, "hint")});
  const json::Value* result = answer->find("result");
  if (command.json)
    std::printf("%s\n", json::dump(*result->find("results")).c_str());
  else
    print(*result, query);
  return ok;
}

}  // namespace lk::cli
