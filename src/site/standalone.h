// A drawing as a file of its own: the page's SVG with the colors and fonts that a page would give it.
#pragma once
#include <string>

namespace lk::site {

/// `svg` as render::svg() writes it. Light colors on a background, whatever program shows it.
std::string standalone_svg(const std::string& svg);

}  // namespace lk::site
