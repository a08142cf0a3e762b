// Figures at their places in pages: what the site writer and the editor's preview share.
#pragma once
#include <string>
#include <string_view>

#include "base/error.h"
#include "plot/figure.h"

namespace lk::api {

struct FigurePlace {
  std::string_view uid, number, caption_html;  // render::FigureHtml says what they are
  std::string_view base = "/";                 // of the site
  bool picker = false;                         // of devices, on the page
};

/// The whole <figure> of a state that was computed.
std::string placed_figure(const plot::Evaluated& evaluated, const plot::Figure& figure, const plot::Values& pins, const FigurePlace& place);
/// The whole <figure> with the author's values, or why it cannot be drawn (without a place).
Result<std::string> placed_figure(const World& world, const plot::Figure& figure, const plot::Values& pins, const FigurePlace& place);

}  // namespace lk::api
