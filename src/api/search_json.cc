#include "api/search_json.h"

#include <algorithm>
#include <cmath>

#include "base/json.h"

namespace lk::api {
namespace {

// Three decimals. (The writer's own numbers are exact and cost a module twelve times the bytes of this.)
std::string thousandths(double v) {
  const auto all = static_cast<unsigned>(std::lround(std::max(0.0, std::min(v, 1e6)) * 1000));
  std::string decimals = std::to_string(all % 1000);
  decimals.insert(0, 3 - decimals.size(), '0');
  while (!decimals.empty() && decimals.back() == '0') decimals.pop_back();
  return std::to_string(all / 1000) + (decimals.empty() ? "" : "." + decimals);
}

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
  w.field("number", hit.number).field("page", hit.page).key("score").raw(thousandths(hit.score));
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

}  // namespace

Result<std::string> search_json(const search::Index& index, std::string_view query, const search::Options& options) {
  const auto answer = search::search(index, query, options);
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
    const auto page = index.page(n);
    if (page && !page->file.empty()) w.begin_object().key("page").raw(std::to_string(n)).field("file", std::string(page->file)).end_object();
  }
  w.end_array().field("cut", answer->cut).end_object();
  return w.take();
}

std::string start_json(const search::Index& index) {
  json::Writer w;
  write_links(w, search::start(index));
  return w.take();
}

}  // namespace lk::api
