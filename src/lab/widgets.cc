#include "lab/widgets.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "imgui_internal.h"
#include "lab/text.h"

namespace lk::lab {
namespace {

using plot::FieldKind;
using plot::FieldSpec;

constexpr double type_px = 13, note_px = 12;

ImVec2 here() { return ImGui::GetCursorScreenPos(); }

float baseline(const Theme& theme, float top, float height, double px) { return top + height / 2 + theme.px(px * 0.364); }

bool focused() { return ImGui::IsItemFocused() && !GImGui->NavDisableHighlight; }

void ring(const Theme& theme, ImVec2 a, ImVec2 b, float round) {
  const float d = theme.px(3);
  ImGui::GetWindowDrawList()->AddRect(ImVec2(a.x - d, a.y - d), ImVec2(b.x + d, b.y + d), theme.color(Token::accent), round + d, 0,
                                      theme.px(2));
}

void label(const Theme& theme, const FieldSpec& spec, ImVec2 at, float height) {
  write(ImGui::GetWindowDrawList(), theme, ImVec2(at.x, baseline(theme, at.y, height, type_px)), spec.label,
        {type_px, false, theme.color(Token::muted), plot::Prim::start, 0});
}

// The keys of a slider: arrows step, page keys make ten steps, Home and End go to the ends. Up and down move on to the
// next control, so they stay with Dear ImGui.
bool keys(const FieldSpec& spec, double& value) {
  const ImGuiID id = ImGui::GetItemID();
  for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_PageUp, ImGuiKey_PageDown, ImGuiKey_Home, ImGuiKey_End})
    ImGui::SetKeyOwner(key, id);
  const auto pressed = [&](ImGuiKey key) { return ImGui::IsKeyPressed(key, id, ImGuiInputFlags_Repeat); };
  const int last = std::max(spec.positions(), 1), at = spec.position();
  int to = at;
  if (pressed(ImGuiKey_LeftArrow)) --to;
  if (pressed(ImGuiKey_RightArrow)) ++to;
  if (pressed(ImGuiKey_PageDown)) to -= std::max(1, last / 10);
  if (pressed(ImGuiKey_PageUp)) to += std::max(1, last / 10);
  if (pressed(ImGuiKey_Home)) to = 0;
  if (pressed(ImGuiKey_End)) to = last;
  to = std::clamp(to, 0, last);
  if (to == at) return false;
  value = spec.steps == plot::Steps::linear && spec.step > 0 ? spec.lo + to * spec.step
                                                             : from_track(spec, static_cast<double>(to) / last);
  return true;
}

void start(const FieldSpec& spec, Editing& editing) {
  editing.field = spec.id;
  editing.starting = true;
  editing.wrong.clear();
  const size_t n = std::min(spec.value.size(), sizeof editing.buffer - 1);
  std::memcpy(editing.buffer, spec.value.data(), n);
  editing.buffer[n] = 0;
}

bool slider(const Theme& theme, const FieldSpec& spec, float width, bool roomy, Editing& editing, std::string& value) {
  const float height = theme.px(roomy ? 44 : 24), radius = theme.px(8);
  const ImVec2 at = here();
  ImGui::InvisibleButton("slider", ImVec2(width, height));
  const ImGuiID id = ImGui::GetItemID();
  if (editing.back == spec.id) {
    editing.back.clear();
    ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
    GImGui->NavDisableHighlight = false;
  }
  if (GImGui->NavActivateId == id && editing.field != spec.id) start(spec, editing);
  const bool active = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered(), ringed = focused();
  double v = read_number(spec.value).value_or(spec.lo);
  bool moved = false;
  const float from = at.x + radius, span = std::max(width - 2 * radius, 1.0F);
  if (active && ImGui::IsMouseDown(ImGuiMouseButton_Left)) {
    v = from_track(spec, static_cast<double>((ImGui::GetIO().MousePos.x - from) / span));
    moved = true;
  }
  if (ImGui::IsItemFocused()) {
    editing.stepping = true;
    if (keys(spec, v)) moved = true;
  }
  bool changed = false;
  if (moved) {
    std::string next = spec.nearest(v);
    if (next != spec.value) {
      value = std::move(next);
      changed = true;
    }
  }
  const double shown = changed ? read_number(value).value_or(v) : read_number(spec.value).value_or(v);
  const float x = from + span * static_cast<float>(to_track(spec, shown));
  const float y = std::floor(at.y + height / 2);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 on = theme.color(spec.changed || active ? Token::accent : Token::ink);
  const float thick = theme.px(1);
  list->AddRectFilled(ImVec2(at.x, y - thick), ImVec2(x, y + thick), on);
  list->AddRectFilled(ImVec2(x, y - thick), ImVec2(at.x + width, y + thick), theme.color(Token::faint));
  list->AddCircleFilled(ImVec2(x, y), radius, hovered || active ? theme.color(Token::accent) : on);
  if (!spec.changed && !active) list->AddCircleFilled(ImVec2(x, y), radius - theme.px(2), theme.color(Token::bg));
  if (ringed) list->AddCircle(ImVec2(x, y), radius + theme.px(3), theme.color(Token::accent), 0, theme.px(2));
  if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  return changed;
}

// The number beside the label: reads as text, becomes an input by a click on it or Enter on the slider.
bool number_box(const Theme& theme, const FieldSpec& spec, ImVec2 at, ImVec2 size, Editing& editing, std::string& value) {
  ImGui::SetCursorScreenPos(at);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (editing.field == spec.id) {
    // Digits stand at the right, where they stood before.
    const float left_over = size.x - ImGui::CalcTextSize(editing.buffer).x - theme.px(9);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(std::max(left_over, theme.px(8)), (size.y - ImGui::GetFontSize()) / 2));
    ImGui::PushStyleColor(ImGuiCol_Border, theme.color(Token::accent));
    if (editing.starting) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(size.x);
    const bool entered = ImGui::InputText("##number", editing.buffer, sizeof editing.buffer,
                                          ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_EnterReturnsTrue);
    const bool left = ImGui::IsItemDeactivated();
    const bool escaped = ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    if (editing.starting) {
      editing.starting = false;
      return false;
    }
    if (!entered && !left) return false;
    editing.field.clear();
    editing.wrong.clear();
    if (entered || escaped) editing.back = spec.id;
    if (escaped && !entered) return false;
    const auto number = read_number(editing.buffer);
    if (!number) {
      editing.wrong = editing.buffer;
      editing.wrong_field = spec.id;
      return false;
    }
    value = plain(std::clamp(*number, spec.lo, spec.hi));  // typed numbers keep their digits
    return value != spec.value;
  }
  // Keys reach it through its slider, so that a control is one stop.
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  const bool pressed = ImGui::InvisibleButton("number", size);
  ImGui::PopItemFlag();
  const bool hovered = ImGui::IsItemHovered();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  list->AddRect(at, end, theme.color(hovered ? Token::ink : Token::rule), theme.px(4), 0, theme.px(1));
  write(list, theme, ImVec2(end.x - theme.px(8), baseline(theme, at.y, size.y, type_px)), spec.shown,
        {type_px, true, theme.color(spec.changed ? Token::accent : Token::ink), plot::Prim::end, 0});
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (pressed) start(spec, editing);
  return false;
}

bool number(const Theme& theme, const FieldSpec& spec, float width, bool roomy, Editing& editing, std::string& value) {
  const ImVec2 at = here();
  const float row = theme.px(roomy ? 36 : 26);
  label(theme, spec, at, row);
  const float box = std::max(theme.px(72), lab::width(theme, spec.shown, type_px, true) + theme.px(18));
  bool changed = number_box(theme, spec, ImVec2(at.x + width - box, at.y), ImVec2(box, row), editing, value);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + row));
  changed = slider(theme, spec, width, roomy, editing, value) || changed;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImVec2 below(at.x, at.y + row + theme.px(roomy ? 36 : 24));
  const bool whole = spec.kind == FieldKind::integer;
  const auto end_text = [&](double v) { return text(Num{v, whole && spec.unit == Unit::one ? Unit::one : spec.unit, How::computed}); };
  const float line = below.y + theme.px(12);
  write(list, theme, ImVec2(below.x, line), end_text(spec.lo), {note_px, false, theme.color(Token::muted), plot::Prim::start, 0});
  write(list, theme, ImVec2(below.x + width, line), end_text(spec.hi), {note_px, false, theme.color(Token::muted), plot::Prim::end, 0});
  below.y += theme.px(16);
  if (!editing.wrong.empty() && editing.wrong_field == spec.id) {
    const std::string words = "\u201C" + editing.wrong + "\u201D is not a number.";
    write(list, theme, ImVec2(below.x, below.y + theme.px(14)), words, {note_px, false, theme.color(Token::bad), plot::Prim::start, 0});
    below.y += theme.px(18);
  }
  ImGui::SetCursorScreenPos(below);
  return changed;
}

// One option: its label, and why it cannot be chosen.
bool option(const Theme& theme, const FieldSpec::Option& option, bool selected, float width, bool roomy) {
  const bool off = !option.why_not.empty();
  const ImVec2 at = here();
  const float pad = theme.px(10), line = theme.px(roomy ? 44 : 30);
  const std::vector<Run> reason{{option.why_not, theme.color(Token::muted), false}};
  const float wrap = width - 2 * pad;
  const float extra = off ? flow(nullptr, theme, at, reason, note_px, 17, wrap) + theme.px(6) : 0;
  ImGui::PushID(option.id.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  const bool chosen = ImGui::Selectable("##option", selected, off ? ImGuiSelectableFlags_Disabled : 0, ImVec2(width, line + extra));
  if (selected && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
  ImGui::PopStyleVar();
  ImGui::PopID();
  ImDrawList* list = ImGui::GetWindowDrawList();
  write(list, theme, ImVec2(at.x + pad, baseline(theme, at.y, line, type_px)), option.label,
        {type_px, selected, theme.color(off ? Token::muted : selected ? Token::accent : Token::ink), plot::Prim::start, 0});
  if (off) flow(list, theme, ImVec2(at.x + pad, at.y + line - theme.px(4)), reason, note_px, 17, wrap);
  return chosen;
}

bool choice(const Theme& theme, const FieldSpec& spec, float width, bool roomy, std::string& value) {
  const ImVec2 at = here();
  const float row = theme.px(24), height = theme.px(roomy ? 44 : 32);
  label(theme, spec, at, row);
  const ImVec2 box(at.x, at.y + row);
  ImGui::SetCursorScreenPos(box);
  // The popup takes the frame's padding for its own; entries bring theirs.
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, (height - ImGui::GetFontSize()) / 2));
  ImGui::PushStyleColor(ImGuiCol_NavHighlight, 0);
  ImGui::SetNextItemWidth(width);
  ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0), ImVec2(width, theme.px(480)));
  bool changed = false;
  const bool open = ImGui::BeginCombo("##combo", "", ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLargest);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  const bool ringed = !open && focused(), hovered = !open && ImGui::IsItemHovered();
  if (open) {
    for (const auto& entry : spec.options) {
      if (!option(theme, entry, entry.id == spec.value, width, roomy)) continue;
      changed = entry.id != spec.value;
      value = entry.id;
    }
    ImGui::EndCombo();
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ringed) ring(theme, box, ImVec2(box.x + width, box.y + height), theme.px(4));
  if (hovered) {
    list->AddRect(box, ImVec2(box.x + width, box.y + height), theme.color(Token::ink), theme.px(4), 0, theme.px(1));
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  write(list, theme, ImVec2(box.x + theme.px(10), baseline(theme, box.y, height, type_px)), spec.shown,
        {type_px, spec.changed, theme.color(spec.changed ? Token::accent : Token::ink), plot::Prim::start, 0});
  const ImVec2 tip(box.x + width - theme.px(14), std::floor(box.y + height / 2));
  const float w = theme.px(4), h = theme.px(2);
  list->PathLineTo(ImVec2(tip.x - w, tip.y - h));
  list->PathLineTo(ImVec2(tip.x, tip.y + h));
  list->PathLineTo(ImVec2(tip.x + w, tip.y - h));
  list->PathStroke(theme.color(Token::muted), 0, theme.px(1.4));
  ImGui::SetCursorScreenPos(ImVec2(at.x, box.y + height));
  return changed;
}

bool toggle(const Theme& theme, const FieldSpec& spec, float width, bool roomy, std::string& value) {
  const ImVec2 at = here();
  const float height = theme.px(roomy ? 44 : 28), side = theme.px(roomy ? 20 : 16);
  const bool on = spec.value == "on";
  const bool pressed = ImGui::InvisibleButton("toggle", ImVec2(width, height));
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 a(at.x, std::floor(at.y + (height - side) / 2)), b(a.x + side, a.y + side);
  if (on) {
    list->AddRectFilled(a, b, theme.color(Token::accent), theme.px(3));
    list->PathLineTo(ImVec2(a.x + side * 0.24F, a.y + side * 0.52F));
    list->PathLineTo(ImVec2(a.x + side * 0.43F, a.y + side * 0.70F));
    list->PathLineTo(ImVec2(a.x + side * 0.77F, a.y + side * 0.30F));
    list->PathStroke(theme.color(Token::on_accent), 0, theme.px(1.8));
  } else {
    list->AddRect(a, b, theme.color(hovered ? Token::ink : Token::faint), theme.px(3), 0, theme.px(1));
  }
  if (focused()) ring(theme, a, b, theme.px(3));
  write(list, theme, ImVec2(b.x + theme.px(8), baseline(theme, at.y, height, type_px)), spec.label,
        {type_px, false, theme.color(Token::ink), plot::Prim::start, 0});
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (pressed) value = on ? "off" : "on";
  return pressed;
}

// Like a number it reads as text until a click or Enter: arrows pass it by, and a phone's keyboard comes when it is wanted.
bool text_field(const Theme& theme, const FieldSpec& spec, float width, bool roomy, Editing& editing, std::string& value) {
  const ImVec2 at = here();
  const float row = theme.px(24), height = theme.px(roomy ? 44 : 32);
  label(theme, spec, at, row);
  const ImVec2 box(at.x, at.y + row), end(box.x + width, box.y + height);
  ImGui::SetCursorScreenPos(box);
  if (editing.field == spec.id) {
    std::vector<char> buffer(std::max(spec.max_bytes, spec.value.size()) + 1, 0);
    std::memcpy(buffer.data(), spec.value.data(), spec.value.size());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(10), (height - ImGui::GetFontSize()) / 2));
    ImGui::PushStyleColor(ImGuiCol_Border, theme.color(Token::accent));
    if (editing.starting) ImGui::SetKeyboardFocusHere();
    ImGui::SetNextItemWidth(width);
    const bool edited = ImGui::InputText("##text", buffer.data(), buffer.size(), ImGuiInputTextFlags_AutoSelectAll);
    const bool left = ImGui::IsItemDeactivated() && !editing.starting;
    const bool by_key = ImGui::IsKeyPressed(ImGuiKey_Escape, false) || ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
    ImGui::PopStyleColor();
    ImGui::PopStyleVar();
    editing.starting = false;
    if (left) {
      editing.field.clear();
      if (by_key) editing.back = spec.id;
    }
    ImGui::SetCursorScreenPos(ImVec2(at.x, end.y));
    if (edited) value = buffer.data();
    return edited && value != spec.value;
  }
  const bool pressed = ImGui::InvisibleButton("text", ImVec2(width, height));
  const ImGuiID id = ImGui::GetItemID();
  if (editing.back == spec.id) {
    editing.back.clear();
    ImGui::SetFocusID(id, ImGui::GetCurrentWindow());
    GImGui->NavDisableHighlight = false;
  }
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRect(box, end, theme.color(hovered ? Token::ink : Token::rule), theme.px(4), 0, theme.px(1));
  list->PushClipRect(box, end, true);
  write(list, theme, ImVec2(box.x + theme.px(10), baseline(theme, box.y, height, type_px)), spec.value,
        {type_px, false, theme.color(spec.changed ? Token::accent : Token::ink), plot::Prim::start, 0});
  list->PopClipRect();
  if (focused()) ring(theme, box, end, theme.px(4));
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
  if (pressed) start(spec, editing);
  ImGui::SetCursorScreenPos(ImVec2(at.x, end.y));
  return false;
}

}  // namespace

double to_track(const FieldSpec& spec, double value) {
  if (!(spec.hi > spec.lo)) return 0;
  const double t = spec.steps == plot::Steps::log && spec.lo > 0 ? std::log(value / spec.lo) / std::log(spec.hi / spec.lo)
                                                                 : (value - spec.lo) / (spec.hi - spec.lo);
  return std::clamp(t, 0.0, 1.0);
}

double from_track(const FieldSpec& spec, double t) {
  t = std::clamp(t, 0.0, 1.0);
  if (spec.steps == plot::Steps::log && spec.lo > 0) return spec.lo * std::pow(spec.hi / spec.lo, t);
  return spec.lo + t * (spec.hi - spec.lo);
}

bool control(const Theme& theme, const FieldSpec& spec, float width, bool roomy, Editing& editing, std::string& value) {
  ImGui::PushID(spec.id.c_str());
  bool changed = false;
  switch (spec.kind) {
    case FieldKind::number:
    case FieldKind::integer: changed = number(theme, spec, width, roomy, editing, value); break;
    case FieldKind::choice:
    case FieldKind::device: changed = choice(theme, spec, width, roomy, value); break;
    case FieldKind::toggle: changed = toggle(theme, spec, width, roomy, value); break;
    case FieldKind::text: changed = text_field(theme, spec, width, roomy, editing, value); break;
  }
  ImGui::PopID();
  return changed;
}

bool tool(const Theme& theme, const char* id, std::string_view label, bool roomy) {
  const ImVec2 at = here();
  const ImVec2 size(lab::width(theme, label, type_px), theme.px(roomy ? 44 : 24));
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float base = baseline(theme, at.y, size.y, type_px);
  const ImU32 color = theme.color(hovered ? Token::accent : Token::muted);
  write(list, theme, ImVec2(at.x, base), label, {type_px, false, color, plot::Prim::start, 0});
  if (hovered) {
    const float y = std::floor(base + theme.px(4));
    list->AddRectFilled(ImVec2(at.x, y), ImVec2(at.x + size.x, y + theme.px(1)), color);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  }
  if (focused()) ring(theme, at, ImVec2(at.x + size.x, at.y + size.y), theme.px(2));
  return pressed;
}

}  // namespace lk::lab
