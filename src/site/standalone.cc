#include "site/standalone.h"

#include <string_view>

#include "drawing_css.inc"

namespace lk::site {

namespace {

/// Without comments, line ends and indentation.
std::string compact(std::string_view css) {
  std::string out;
  for (size_t i = 0; i < css.size(); ++i) {
    if (css.substr(i, 2) == "/*") {
      const size_t end = css.find("*/", i + 2);
      i = end == std::string_view::npos ? css.size() : end + 1;
    } else if (css[i] == '\n') {
      while (i + 1 < css.size() && css[i + 1] == ' ') ++i;
    } else {
      out += css[i];
    }
  }
  return out;
}

/// The declarations of the first rule for :root: sizes and light colors.
std::string_view root_declarations(std::string_view css) {
  const size_t open = css.find(":root {"), close = css.find('}', open);
  return open == std::string_view::npos || close == std::string_view::npos ? std::string_view{}
                                                                           : css.substr(open + 7, close - open - 7);
}

}  // namespace

std::string standalone_svg(const std::string& svg) {
  constexpr std::string_view head = "<svg ";
  const size_t end = svg.find('>');
  if (!svg.starts_with(head) || end == std::string::npos) return svg;
  const std::string style = compact(".plot{" + std::string(root_declarations(tokens_css)) +
                                    "background:var(--bg);padding:12px}" + drawing_css);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + svg.substr(head.size(), end + 1 - head.size()) + "<style>" +
         style + "</style>" + svg.substr(end + 1);
}

}  // namespace lk::site
