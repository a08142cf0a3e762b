// A listing as HTML: head with file and lines, numbered lines, caption.
#pragma once
#include <string>

#include "render/page.h"

namespace lk::render {

std::string listing_html(const PageContext& context, const book::Node& listing);

/// href of a source: its address, or its place on the reading page when it has none.
std::string source_href(const PageContext& context, const book::Source& source);
/// "S. Williams and others, Roofline, 2009": what a link to a source says on hover.
std::string source_title(const book::Source& source);
/// A path of the book ("/chapters/x/") with the site's base in front.
std::string site_href(const PageContext& context, std::string_view path);

}  // namespace lk::render
