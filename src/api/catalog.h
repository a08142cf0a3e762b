// What the book's checks and pages ask of figures and devices, answered by the figures themselves.
#pragma once
#include <memory>

#include "api/answers.h"
#include "base/error.h"
#include "book/book.h"
#include "plot/world.h"

namespace lk::api {

/// The catalog keeps a reference to `world`, which must outlive it.
/// `answers` may be shared with other catalogs of the same world.
book::Catalog catalog(const World& world, std::shared_ptr<Answers> answers = {});

Error unknown_figure(std::string_view id);

}  // namespace lk::api
