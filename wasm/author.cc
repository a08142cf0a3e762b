// The C ABI of the author module: the files of a book put in one by one, then calls of api/author.h. web/author.ts is the other side;
// memory is handed over and answers come back as in bridge.cc. Nothing that comes in makes the module trap.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "api/author.h"

namespace {

std::unique_ptr<lk::api::Author> author;
std::string response;

const char* respond(std::string_view json) {
  const auto length = static_cast<uint32_t>(json.size());
  response.resize(sizeof length);
  std::memcpy(response.data(), &length, sizeof length);
  response += json;
  return response.data();
}

const char* no_book() { return respond(R"({"error":{"what":"the module has no book yet","hint":"call lk_init first","line":0,"column":0}})"); }

std::string_view request(const char* at, uint32_t size) { return at == nullptr ? std::string_view() : std::string_view(at, size); }

}  // namespace

extern "C" {

char* lk_alloc(uint32_t size) { return static_cast<char*>(std::malloc(size == 0 ? 1 : size)); }

void lk_free(char* at) { std::free(at); }

/// Begins a book without files. The text is the path that the site is mounted at: "/".
const char* lk_init(const char* at, uint32_t size) {
  author = std::make_unique<lk::api::Author>(std::string(request(at, size)));
  return respond(R"({"result":true})");
}

/// A file: its path, `path` bytes of it, and then its own bytes.
const char* lk_put(const char* at, uint32_t size, uint32_t path) {
  if (!author) return no_book();
  const std::string_view text = request(at, size);
  const size_t end = path < text.size() ? path : text.size();
  author->put(std::string(text.substr(0, end)), std::string(text.substr(end)));
  return respond(R"({"result":true})");
}

/// Takes a file out; {"result": false} when there was none.
const char* lk_remove(const char* at, uint32_t size) {
  if (!author) return no_book();
  return respond(author->remove(request(at, size)) ? R"({"result":true})" : R"({"result":false})");
}

/// {"method": ..., "params": ...}
const char* lk_call(const char* at, uint32_t size) {
  if (!author) return no_book();
  return respond(lk::api::call(*author, request(at, size)));
}

}  // extern "C"
