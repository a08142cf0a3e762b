// Frame -> SVG. Roles become classes, no style attributes; ids are prefixed so that several figures share a page.
// Classes (web/css/drawing.css gives them their looks, each below `svg.plot`):
//   role_class()   r1 .. r6, ri, ... : sets the color that the others use
//   f p w o        filled: solid, pale, wash, outline (a disc is then filled with the background)
//   l              drawn as a line; d: dashed; q: translucent (thin links)
//   m e            text anchored at its middle, at its end; b: semibold; h: halo; v: on a solid mark of its role;
//                  n: inside a mark that answers to the pointer itself
//   drag, hit      the group that a hand moves and the area that answers to it
#pragma once
#include <string>
#include <string_view>

#include "plot/frame.h"

namespace lk::render {

/// One <svg> element of the frame's size: role="img" with `alt` as its name, text as <text>. What shows a table row carries
/// data-row; what a click sets carries data-set="field=value"; what drags is a group with data-panel, data-mark and
/// data-drag="field". `prefix` makes ids unique. `css_class` is added to the element ("wide", "narrow").
std::string svg(const plot::View& view, const plot::Frame& frame, std::string_view alt, std::string_view prefix, std::string_view css_class);

/// Class name of a role: the one list that CSS, SVG and tests share.
std::string_view role_class(plot::Role role);

}  // namespace lk::render
