// The C ABI between a page and the core: JSON in, JSON out, through the module's memory. web/reader.ts is the other side.
//   at = lk_alloc(size); write the request there; response = lk_call(at, size); lk_free(at)
// A response is {uint32 length, bytes}; it stays until the next call. Nothing that comes in makes the module trap:
// malformed requests, requests before lk_init() and a failed lk_alloc() (0) are answered with {"error": ...}.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "api/api.h"
#include "base/utf8.h"

namespace {

using lk::api::Context;
using lk::api::Methods;

// The module holds one context and one response; a page that wants two instantiates it twice.
std::unique_ptr<Context> context;
std::string response;

void escape(char32_t c) {
  if (c > 0xFFFF) {
    escape(0xD7C0 + (c >> 10));
    escape(0xDC00 + (c & 0x3FF));
    return;
  }
  response += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) response += "0123456789abcdef"[(c >> shift) & 15];
}

// In ASCII, which a browser turns into a string of single bytes: half the memory, half the copying.
const char* respond(std::string_view json) {
  response.assign(sizeof(uint32_t), 0);
  response.reserve(sizeof(uint32_t) + json.size());
  for (size_t at = 0; at < json.size();) {
    const size_t begin = at;
    while (at < json.size() && static_cast<unsigned char>(json[at]) < 0x80) ++at;
    response += json.substr(begin, at - begin);
    if (at < json.size()) escape(lk::next_code_point(json, at));
  }
  const auto length = static_cast<uint32_t>(response.size() - sizeof(uint32_t));
  std::memcpy(response.data(), &length, sizeof length);
  return response.data();
}

const char* fail(const lk::Error& error) {
  lk::json::Writer w;
  w.begin_object().key("error").begin_object().field("what", error.what).field("hint", error.hint);
  w.field("line", error.at.line).field("column", error.at.column).end_object().end_object();
  return respond(w.text());
}

// Beside devices, measurements and models, which every world has.
std::span<const lk::api::WorldTable> tables() {
#if defined(LK_FIGURES_CODE)
  return {&lk::api::compiled_table, 1};
#elif defined(LK_FIGURES_TIMING)
  return {&lk::api::predictions_table, 1};
#else
  return {};
#endif
}

// What a page handed over; nothing when its memory could not be had.
std::string_view request(const char* at, uint32_t size) { return at == nullptr ? std::string_view() : std::string_view(at, size); }

}  // namespace

extern "C" {

/// Memory for a request, or 0 when there is none.
char* lk_alloc(uint32_t size) { return static_cast<char*>(std::malloc(size == 0 ? 1 : size)); }

void lk_free(char* at) { std::free(at); }

/// Loads the world ({"devices": ..., "measurements": ...}). A world that cannot be read leaves the one before in place.
const char* lk_init(const char* at, uint32_t size) {
  auto world = lk::api::load_world(request(at, size), tables());
  if (!world) return fail(world.error());
  context = std::make_unique<Context>(Context{*std::move(world)});
  return respond(R"({"result":true})");
}

/// One call of the method table: {"method": ..., "params": ...}.
const char* lk_call(const char* at, uint32_t size) {
  if (!context) return fail({{}, "the module has no world yet", "call lk_init first"});
  const std::array tables{lk::api::figure_methods()};
  return respond(lk::api::call(tables, *context, request(at, size)));
}

}  // extern "C"
