// What the book's checks and pages ask of figures and devices, answered by the figures themselves.
#pragma once
#include "book/book.h"
#include "plot/world.h"

namespace lk::api {

/// The catalog keeps a reference to `world`, which must outlive it.
book::Catalog catalog(const World& world);

}  // namespace lk::api
