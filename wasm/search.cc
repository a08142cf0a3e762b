// The C ABI of the search module: an index, texts as they come, then calls of search_methods(). web/search_module.ts is the
// other side; requests and responses travel as in bridge.cc. Nothing that comes in makes the module trap.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include "api/api.h"
#include "search/index.h"

namespace {

std::optional<lk::search::Index> index_;
std::string response;

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
  if (!index_) return answer(lk::Error{{}, "the module has no index yet", "call lk_init first"});
  return answer(index_->add_text(page, std::string(request(at, size))));
}

/// One call of the method table: {"method": ..., "params": ...}.
const char* lk_call(const char* at, uint32_t size) {
  const std::array tables{lk::api::search_methods()};
  lk::api::Context context;
  context.search = index_ ? &*index_ : nullptr;
  return respond(lk::api::call(tables, context, request(at, size)));
}

}  // extern "C"
