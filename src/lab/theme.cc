#include "lab/theme.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "widths.inc"

namespace lk::lab {
namespace {

struct Entry {
  std::string_view name;
  uint32_t rgb;
};
// The light theme of the style sheet, for use without a page; a page hands over its own.
constexpr Entry tokens[token_count] = {
    {"bg", 0xFCFCFA},       {"surface", 0xF3F3F0},   {"raised", 0xFFFFFF},   {"rule", 0xDDDDD8},     {"grid", 0xE9E9E5},
    {"ink", 0x16181D},      {"muted", 0x545A64},     {"faint", 0x858B94},    {"accent", 0xAD0050},   {"accent-wash", 0xFBE9F0},
    {"on-accent", 0xFFFFFF}, {"on-series", 0x16181D}, {"good", 0x0C6B55},     {"warn", 0x906606},     {"bad", 0x8E0F14},
    {"series-1", 0x2F7BEF}, {"series-2", 0xCF6C06},  {"series-3", 0x0A6C63}, {"series-4", 0x46318C}, {"series-5", 0x4A3500},
    {"series-6", 0x8A8878}, {"syn-key", 0x46318C},   {"syn-type", 0x1B5FB8}, {"syn-num", 0x8A4704},
};

ImU32 packed(uint32_t rgb) { return IM_COL32((rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255, 255); }

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "#rgb" or "#rrggbb".
bool read_color(std::string_view text, ImU32& color) {
  if (text.size() != 4 && text.size() != 7) return false;
  if (text[0] != '#') return false;
  uint32_t rgb = 0;
  for (const char c : text.substr(1)) {
    const int h = hex(c);
    if (h < 0) return false;
    rgb = rgb * 16 + static_cast<uint32_t>(h);
    if (text.size() == 4) rgb = rgb * 16 + static_cast<uint32_t>(h);
  }
  color = packed(rgb);
  return true;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::string_view name(Token token) { return tokens[static_cast<size_t>(token)].name; }

ImU32 faded(ImU32 color, double opacity) {
  const double alpha = static_cast<double>((color >> IM_COL32_A_SHIFT) & 255) * opacity;
  return (color & ~IM_COL32_A_MASK) | (static_cast<ImU32>(std::lround(std::clamp(alpha, 0.0, 255.0))) << IM_COL32_A_SHIFT);
}

Theme::Theme() {
  for (size_t i = 0; i < token_count; ++i) colors[i] = packed(tokens[i].rgb);
}

void Theme::set(std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(';'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t equals = pair.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = trimmed(pair.substr(0, equals)), value = trimmed(pair.substr(equals + 1));
    if (key == "wash") {
      const double read = std::strtod(std::string(value).c_str(), nullptr);
      if (read > 0 && read <= 1) wash = static_cast<float>(read);
      continue;
    }
    for (size_t i = 0; i < token_count; ++i)
      if (tokens[i].name == key) read_color(value, colors[i]);
  }
}

ImU32 Theme::mark(plot::Role role) const {
  using plot::Role;
  switch (role) {
    case Role::ink: return color(Token::ink);
    case Role::muted: return color(Token::muted);
    case Role::faint: return color(Token::faint);
    case Role::grid: return color(Token::grid);
    case Role::axis: return color(Token::faint);
    case Role::memory: return color(Token::series_1);
    case Role::compute: return color(Token::series_2);
    case Role::network: return color(Token::series_3);
    case Role::on_chip: return color(Token::series_4);
    case Role::host: return color(Token::series_5);
    case Role::other: return color(Token::series_6);
    case Role::good: return color(Token::good);
    case Role::warn: return color(Token::warn);
    case Role::bad: return color(Token::bad);
    case Role::accent: return color(Token::accent);
  }
  return color(Token::ink);
}

ImU32 Theme::words(plot::Role role) const {
  using plot::Role;
  switch (role) {
    case Role::memory: return color(Token::syn_type);
    case Role::compute: return color(Token::syn_num);
    case Role::on_chip: return color(Token::syn_key);
    case Role::faint:
    case Role::grid:
    case Role::axis:
    case Role::other: return color(Token::muted);
    default: return mark(role);
  }
}

ImU32 Theme::words_on(plot::Role role) const {
  using plot::Role;
  switch (role) {
    case Role::memory:
    case Role::compute:
    case Role::other:
    case Role::faint:
    case Role::axis: return IM_COL32_BLACK;
    case Role::on_chip: return IM_COL32_WHITE;
    case Role::grid: return color(Token::ink);
    case Role::accent: return color(Token::on_accent);
    default: return color(Token::bg);
  }
}

void Fonts::build(ImFontAtlas& atlas, std::string_view regular, std::string_view strong, std::string_view mono, float scale) {
  // Everything the subset may hold; the atlas skips what it lacks.
  static constexpr ImWchar ranges[] = {0x20, 0x17F, 0x370, 0x3FF, 0x2000, 0x22FF, 0x2300, 0x23FF, 0x2700, 0x27BF, 0xFFFD, 0xFFFD, 0};
  // Dear ImGui makes a face's ascent and descent together as high as asked; those of JetBrains Mono are 1.32 em.
  constexpr float mono_line = 1.32F;
  atlas.Clear();
  faces_.clear();
  mono_ = nullptr;
  atlas.Flags |= ImFontAtlasFlags_NoMouseCursors;
  line_ = static_cast<double>(kFontAscent + kFontDescent) / 1000;
  const auto add = [&](std::string_view data, float px) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = scale > 1.5F ? 2 : 3;  // glyphs stand at fractions of a pixel
    config.OversampleV = 1;
    config.GlyphRanges = ranges;
    config.EllipsisChar = 0x2026;
    const float size = px * scale * static_cast<float>(line_);
    // Dear ImGui takes a mutable pointer and, as told above, leaves the data alone.
    ImFont* font = atlas.AddFontFromMemoryTTF(const_cast<char*>(data.data()), static_cast<int>(data.size()), size, &config);
    return font;
  };
  const auto face = [&](std::string_view data, float px, bool bold) {
    if (ImFont* font = add(data, px)) faces_.push_back({font, px, bold});
  };
  if (regular.empty()) {
    ImFontConfig config;
    config.SizePixels = std::round(13 * scale);
    faces_.push_back({atlas.AddFontDefault(&config), 13, false});
    line_ = 1;
  } else {
    for (const float px : {13.0F, 11.0F, 12.0F, 14.0F, 15.0F, 17.0F}) face(regular, px, false);
    for (const float px : {12.0F, 13.0F, 15.0F}) face(strong.empty() ? regular : strong, px, true);
    if (!mono.empty()) mono_ = add(mono, 12 * mono_line / static_cast<float>(line_));
  }
  atlas.Build();
}

ImFont* Fonts::face(double px, bool strong) const {
  ImFont* best = nullptr;
  double least = 1e9;
  for (const Face& face : faces_) {
    const double distance = std::abs(static_cast<double>(face.px) - px) + (face.strong != strong ? 100 : 0);
    if (distance >= least) continue;
    least = distance;
    best = face.font;
  }
  return best;
}

void apply(const Theme& theme) {
  ImGuiStyle style;
  const auto set = [&](ImGuiCol slot, ImU32 color) { style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(color); };
  const ImU32 clear = faded(theme.color(Token::bg), 0), ink = theme.color(Token::ink), muted = theme.color(Token::muted),
              faint = theme.color(Token::faint), rule = theme.color(Token::rule), bg = theme.color(Token::bg),
              surface = theme.color(Token::surface), raised = theme.color(Token::raised), accent = theme.color(Token::accent),
              wash = theme.color(Token::accent_wash);
  for (auto& slot : style.Colors) slot = ImGui::ColorConvertU32ToFloat4(clear);
  set(ImGuiCol_Text, ink);
  set(ImGuiCol_TextDisabled, muted);
  set(ImGuiCol_WindowBg, bg);
  set(ImGuiCol_PopupBg, raised);
  set(ImGuiCol_Border, faint);
  set(ImGuiCol_FrameBg, bg);
  set(ImGuiCol_FrameBgHovered, bg);
  set(ImGuiCol_FrameBgActive, bg);
  set(ImGuiCol_ScrollbarGrab, rule);
  set(ImGuiCol_ScrollbarGrabHovered, faint);
  set(ImGuiCol_ScrollbarGrabActive, muted);
  set(ImGuiCol_CheckMark, theme.color(Token::on_accent));
  set(ImGuiCol_Button, clear);
  set(ImGuiCol_ButtonHovered, clear);
  set(ImGuiCol_ButtonActive, surface);
  set(ImGuiCol_Header, surface);
  set(ImGuiCol_HeaderHovered, surface);
  set(ImGuiCol_HeaderActive, wash);
  set(ImGuiCol_Separator, rule);
  set(ImGuiCol_TableHeaderBg, clear);
  set(ImGuiCol_TableBorderStrong, rule);
  set(ImGuiCol_TableBorderLight, theme.color(Token::grid));
  set(ImGuiCol_TextSelectedBg, faded(accent, 0.22));
  set(ImGuiCol_NavHighlight, accent);
  style.WindowPadding = ImVec2(0, 0);
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = theme.px(1);
  style.FrameBorderSize = theme.px(1);
  style.FrameRounding = style.PopupRounding = style.GrabRounding = theme.px(4);
  style.ScrollbarRounding = theme.px(4);
  style.ScrollbarSize = theme.px(10);
  style.FramePadding = ImVec2(theme.px(9), theme.px(7));
  style.ItemSpacing = ImVec2(theme.px(8), theme.px(8));
  style.ItemInnerSpacing = ImVec2(theme.px(8), theme.px(4));
  style.CellPadding = ImVec2(theme.px(6), theme.px(4));
  style.TouchExtraPadding = ImVec2(0, 0);
  style.DisabledAlpha = 1;
  style.CircleTessellationMaxError = 0.15F;
  style.CurveTessellationTol = 0.4F;
  ImGui::GetStyle() = style;
}

}  // namespace lk::lab
