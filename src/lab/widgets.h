// Controls of the lab, made of Dear ImGui's buttons, popups and text inputs, drawn as the book draws its own.
#pragma once
#include <string>
#include <string_view>

#include "lab/theme.h"
#include "plot/field.h"

namespace lk::lab {

/// Where a value stands on its slider, 0 to 1, and back.
double to_track(const plot::FieldSpec& spec, double value);
double from_track(const plot::FieldSpec& spec, double t);

/// What a control remembers between frames; one for all controls of a view, as one is edited at a time.
struct Editing {
  std::string field;    // whose number is being typed
  bool starting = false;
  std::string back;     // field whose slider gets the keyboard back
  char buffer[64] = {};
  bool stepping = false;  // a slider has the keyboard in this frame
  std::string wrong;    // "12 apples": what was typed and is no number
  std::string wrong_field;
};

/// Draws the control of one field in `width` device pixels at the cursor and moves the cursor below it.
/// Returns true with the new value in `value` (plain text) when the reader changed it. `roomy`: targets for thumbs.
bool control(const Theme& theme, const plot::FieldSpec& spec, float width, bool roomy, Editing& editing, std::string& value);

/// A word that acts: muted, in the accent when hovered.
bool tool(const Theme& theme, const char* id, std::string_view label, bool roomy);

}  // namespace lk::lab
