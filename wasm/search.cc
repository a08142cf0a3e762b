// The C ABI of the search module: an index, texts as they come, then queries. web/search_module.ts is the other side; memory is
// handed over and answers come back as in bridge.cc. Nothing that comes in makes the module trap.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "api/search_json.h"
#include "base/json.h"
#include "search/index.h"

namespace {

std::optional<lk::search::Index> index_;
std::string response;
lk::Error no_index() { return {{}, "the module has no index yet", "call lk_init first"}; }

const char* respond(std::string_view json) {
  const auto length = static_cast<uint32_t>(json.size());
  response.resize(sizeof length);
  std::memcpy(response.data(), &length, sizeof length);
  response += json;
  return response.data();
}

const char* answer(const std::optional<lk::Error>& error) {
  if (!error) return respond(R"({"result":true})");
  lk::json::Writer w;
  w.begin_object().key("error").begin_object().field("what", error->what).field("hint", error->hint).end_object().end_object();
  return respond(w.text());
}

std::string_view request(const char* at, uint32_t size) { return at == nullptr ? std::string_view() : std::string_view(at, size); }

}  // namespace

extern "C" {

char* lk_alloc(uint32_t size) { return static_cast<char*>(std::malloc(size == 0 ? 1 : size)); }

void lk_free(char* at) { std::free(at); }

/// The index. One that is none leaves the one before in place.
const char* lk_init(const char* at, uint32_t size) {
  auto opened = lk::search::Index::open(std::string(request(at, size)));
  if (!opened) return answer(opened.error());
  index_ = std::move(*opened);
  return answer(std::nullopt);
}

/// The texts of a page.
const char* lk_text(const char* at, uint32_t size, uint32_t page) {
  if (!index_) return answer(no_index());
  return answer(index_->add_text(page, std::string(request(at, size))));
}

/// A query in UTF-8, answered as search.query does: {"result": ...}.
const char* lk_query(const char* at, uint32_t size, uint32_t limit, uint32_t snippets) {
  if (!index_) return answer(no_index());
  lk::search::Options options;
  options.limit = limit;
  options.snippets = snippets != 0;
  const auto found = lk::api::search_json(*index_, request(at, size), options);
  if (!found) return answer(found.error());
  return respond("{\"result\":" + *found + '}');
}

/// As search.start does.
const char* lk_start() {
  if (!index_) return answer(no_index());
  return respond("{\"result\":" + lk::api::start_json(*index_) + '}');
}

}  // extern "C"
