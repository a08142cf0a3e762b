// Frame -> SVG. Roles become classes, no style attributes; ids are prefixed so that several figures share a page.
#pragma once
#include <string>
#include <string_view>

#include "plot/frame.h"

namespace lk::render {

/// One <svg> element: role="img" with `alt` as its name, text as <text>, marks as groups with data-mark, data-panel, data-row,
/// data-drag and data-set attributes. `prefix` makes ids unique. `css_class` is added to the element ("wide", "narrow").
std::string svg(const plot::View& view, const plot::Frame& frame, std::string_view alt, std::string_view prefix, std::string_view css_class);

/// Class names by role and fill, the one list that CSS, SVG and tests share: {"s1", "--series-1"} ...
std::string_view role_class(plot::Role role);

}  // namespace lk::render
