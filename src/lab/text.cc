#include "lab/text.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/utf8.h"
#include "plot/font.h"

namespace lk::lab {
namespace {

const ImFontGlyph* glyph(const ImFont* font, char32_t code) {
  return font->FindGlyph(code <= 0xFFFF ? static_cast<ImWchar>(code) : static_cast<ImWchar>(0xFFFD));
}

// Glyphs of a face are rasterized at its own size; this brings them to `px`.
float factor(const Theme& theme, const ImFont* font, double px) {
  return static_cast<float>(px * static_cast<double>(theme.scale) * theme.fonts->line()) / font->FontSize;
}

}  // namespace

float width(const Theme& theme, std::string_view text, double px, bool strong, bool mono) {
  if (mono) return theme.px(plot::mono_width(text, px));
  const ImFont* font = theme.fonts->face(px, strong);
  float sum = 0;
  for (size_t at = 0; at < text.size();) sum += glyph(font, next_code_point(text, at))->AdvanceX;
  return sum * factor(theme, font, px);
}

float write(ImDrawList* list, const Theme& theme, ImVec2 at, std::string_view text, const Words& words) {
  const ImFont* font = words.mono ? theme.fonts->mono() : theme.fonts->face(words.px, words.strong);
  const float length = width(theme, text, words.px, words.strong, words.mono);
  const float pitch = words.mono ? theme.px(plot::mono_advance * words.px) : 0;
  const bool even = words.mono && glyph(font, U'i')->AdvanceX == glyph(font, U'm')->AdvanceX;
  const float k = even ? pitch / glyph(font, U'm')->AdvanceX : factor(theme, font, words.px);
  const float shift = words.anchor == plot::Prim::start ? 0 : words.anchor == plot::Prim::middle ? -length / 2 : -length;
  const double radians = words.angle * std::numbers::pi / 180;
  const float c = static_cast<float>(std::cos(radians)), s = static_cast<float>(std::sin(radians));
  if (words.angle == 0) at.y = std::round(at.y);  // a baseline between two pixels blurs every letter
  const float ascent = std::round(font->Ascent);  // where the atlas puts the baseline
  const auto turned = [&](float x, float y) { return ImVec2(at.x + x * c - y * s, at.y + x * s + y * c); };
  list->PushTextureID(font->ContainerAtlas->TexID);
  float x = shift;
  for (size_t i = 0; i < text.size();) {
    const ImFontGlyph* g = glyph(font, next_code_point(text, i));
    if (g->Visible) {
      const float lead = words.mono ? (pitch - g->AdvanceX * k) / 2 : 0;  // none in the face that is meant for it
      const float x0 = x + lead + g->X0 * k, x1 = x + lead + g->X1 * k, y0 = (g->Y0 - ascent) * k, y1 = (g->Y1 - ascent) * k;
      list->PrimReserve(6, 4);
      list->PrimQuadUV(turned(x0, y0), turned(x1, y0), turned(x1, y1), turned(x0, y1), ImVec2(g->U0, g->V0), ImVec2(g->U1, g->V0),
                       ImVec2(g->U1, g->V1), ImVec2(g->U0, g->V1), words.color);
    }
    x += words.mono ? pitch : g->AdvanceX * k;
  }
  list->PopTextureID();
  return length;
}

float flow(ImDrawList* list, const Theme& theme, ImVec2 at, const std::vector<Run>& runs, double px, double line, float wrap) {
  const float step = theme.px(line);
  // The baseline centers the em box in the line, as CSS does with the font's own ascent and descent.
  const float base = theme.px(line / 2 + px * 0.364);
  float x = 0, y = 0, space = 0;
  // A word may span runs ("{stride}," has its comma in the next run), so pieces gather until a space.
  struct Piece {
    std::string_view text;
    ImU32 color;
    bool strong;
    float wide;
  };
  std::vector<Piece> word;
  float word_wide = 0;
  const auto finish = [&] {
    if (word.empty()) return;
    if (x > 0 && x + space + word_wide > wrap) {
      x = 0;
      y += step;
    } else if (x > 0) {
      x += space;
    }
    for (const Piece& piece : word) {
      if (list != nullptr)
        write(list, theme, ImVec2(at.x + x, at.y + y + base), piece.text, {px, piece.strong, piece.color, plot::Prim::start, 0});
      x += piece.wide;
    }
    word.clear();
    word_wide = 0;
    space = 0;
  };
  const float blank = width(theme, " ", px);
  for (const Run& run : runs) {
    size_t from = 0;
    while (from <= run.text.size()) {
      const size_t to = std::min(run.text.find(' ', from), run.text.size());
      const std::string_view part = run.text.substr(from, to - from);
      if (!part.empty()) {
        const float wide = width(theme, part, px, run.strong);
        word.push_back({part, run.color, run.strong, wide});
        word_wide += wide;
      }
      if (to == run.text.size()) break;
      finish();
      space = blank;
      from = to + 1;
    }
  }
  finish();
  return y + step;
}

}  // namespace lk::lab
