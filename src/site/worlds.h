// The data that each reader module gets: a page downloads the worlds of its figures.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "book/book.h"

namespace lk::site {

/// Reader modules beside the main one (the last word of a line in figures.def): their figures have a world of their own.
struct ReaderModule {
  std::string_view name;
  const char *wasm, *world, *loss;
};
inline constexpr std::array<ReaderModule, 4> reader_modules{
    {{"code", "reader-code.wasm", "world-code.json", "figures of compiled code do not move"},
     {"serving", "reader-serving.wasm", "world-serving.json", "figures of models do not move"},
     {"numbers", "reader-numbers.wasm", "world-numbers.json", "figures of number formats and layouts do not move"},
     {"timing", "reader-timing.wasm", "world-timing.json", "figures of predicted times do not move"}}};

/// What the figures of a module look at (api::write_world): devices, the measurements that they name, models for "serving", compiled
/// listings for "code", predictions for "timing".
std::string module_world(const book::Book& book, std::string_view module);

}  // namespace lk::site
