#include "lab/bench.h"

#include <algorithm>
#include <cmath>

#include "imgui_internal.h"
#include "lab/text.h"

namespace lk::lab {
namespace {

constexpr double title_px = 15, type_px = 13, note_px = 12;
constexpr double copied_for = 1.4;  // seconds
constexpr double two_columns_from = 900, roomy_below = 640;

void rule(const Theme& theme, ImVec2 at, float width, Token token) {
  ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width, at.y + theme.px(1)), theme.color(token));
}

Words words(const Theme& theme, double px, Token token, bool strong = false, plot::Prim::Anchor anchor = plot::Prim::start) {
  return {px, strong, theme.color(token), anchor, 0};
}

}  // namespace

Bench::Bench(const World& world, const plot::Figure& figure, plot::Values values, std::string device)
    : world_(world), figure_(figure), values_(std::move(values)), device_(std::move(device)) {
  evaluate();
}

void Bench::evaluate() {
  auto result = plot::evaluate(figure_, world_, values_, device_, plot::Binder::Mode::lenient);
  if (!result) {
    failure_ = text(result.error());
    return;
  }
  failure_.clear();
  now_ = std::move(*result);
  values_ = now_->canonical;
  frame_width_ = 0;
  ++changes_;
}

void Bench::set(std::string_view field, std::string_view value) {
  const auto it = std::find_if(values_.begin(), values_.end(), [&](const auto& pair) { return pair.first == field; });
  if (it != values_.end())
    it->second = value;
  else
    values_.emplace_back(field, value);
  evaluate();
}

void Bench::reset() {
  values_.clear();
  editing_ = {};
  told_ = 0;
  evaluate();
}

void Bench::device(std::string_view id) {
  if (device_ == id) return;
  device_ = id;
  evaluate();
}

bool Bench::take_copy_link() { return std::exchange(copy_link_, false); }

std::optional<double> Bench::wake(double seconds) const {
  const double left = copied_at_ + copied_for - seconds;
  if (left <= 0) return std::nullopt;
  return left;
}

void Bench::apply() {
  if (pending_reset_) reset();
  pending_reset_ = false;
  for (const auto& [field, value] : std::exchange(pending_, {})) set(field, value);
}

float Bench::show(const Theme& theme, float width, double seconds) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const double css = static_cast<double>(width / theme.scale);
  const bool roomy = css < roomy_below;
  if (!now_) {
    const std::vector<Run> runs{{failure_, theme.color(Token::bad), false}};
    return flow(ImGui::GetWindowDrawList(), theme, at, runs, title_px, 24, width);
  }
  const ImVec2 body = head(theme, at, width);
  float end = 0;
  if (css >= two_columns_from) {
    const float gutter = theme.px(56);
    const float left = std::floor((width - gutter) * 0.55F), right = width - gutter - left;
    float y = drawing(theme, body, left);
    y = sentence(theme, ImVec2(body.x, y + theme.px(16)), left);
    const float x = body.x + left + gutter;
    float z = controls(theme, ImVec2(x, body.y), right, roomy);
    y = tools(theme, ImVec2(body.x, y + theme.px(12)), left, roomy, seconds);  // after the controls, as keys reach them
    z = data(theme, ImVec2(x, z + theme.px(28)), right, 12, roomy);
    end = std::max(y, z);
    const float middle = std::floor(body.x + left + gutter / 2);
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(middle, body.y), ImVec2(middle + theme.px(1), end), theme.color(Token::rule));
  } else {
    end = drawing(theme, body, width);
    end = sentence(theme, ImVec2(body.x, end + theme.px(16)), width);
    end = controls(theme, ImVec2(body.x, end + theme.px(16)), width, roomy);
    end = tools(theme, ImVec2(body.x, end + theme.px(16)), width, roomy, seconds);
    end = data(theme, ImVec2(body.x, end + theme.px(20)), width, 0, roomy);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, end));
  ImGui::Dummy(ImVec2(width, theme.px(4)));
  apply();
  return end - at.y + theme.px(4);
}

ImVec2 Bench::head(const Theme& theme, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  rule(theme, at, width, Token::ink);
  std::string how;
  for (const auto& entry : now_->view.provenance) {
    if (!how.empty()) how += " \u00B7 ";
    how += name(entry.how);
  }
  const std::vector<Run> title{{figure_.title, theme.color(Token::ink), true}};
  float y = at.y + theme.px(10);
  const float title_wide = lab::width(theme, figure_.title, title_px, true), how_wide = lab::width(theme, how, note_px);
  if (title_wide + how_wide + theme.px(16) <= width) {
    write(list, theme, ImVec2(at.x + width, y + theme.px(16)), how, words(theme, note_px, Token::muted, false, plot::Prim::end));
    y += flow(list, theme, ImVec2(at.x, y), title, title_px, 22, width);
  } else {
    y += flow(list, theme, ImVec2(at.x, y), title, title_px, 22, width);
    write(list, theme, ImVec2(at.x, y + theme.px(15)), how, words(theme, note_px, Token::muted));
    y += theme.px(20);
  }
  return {at.x, y + theme.px(20)};
}

float Bench::drawing(const Theme& theme, ImVec2 at, float width) {
  const double css = std::max(plot::narrowest, static_cast<double>(width / theme.scale));
  if (frame_width_ != css) {
    frame_ = plot::layout(now_->view, css);
    frame_width_ = css;
  }
  origin_ = at;
  const ImVec2 size(theme.px(frame_.width), theme.px(frame_.height));
  ImGui::SetCursorScreenPos(at);
  // The drawing takes no focus: its handles mirror controls that have the keyboard.
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  ImGui::InvisibleButton("drawing", size);
  ImGui::PopItemFlag();
  const bool pressed = ImGui::IsItemActivated(), held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw(frame_, list, at, theme);
  hands(theme, pressed, held, hovered);
  draw_highlight(now_->view, frame_, lit_row(), list, at, theme);
  return at.y + size.y;
}

void Bench::hands(const Theme& theme, bool pressed, bool held, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const double x = static_cast<double>((io.MousePos.x - origin_.x) / theme.scale);
  const double y = static_cast<double>((io.MousePos.y - origin_.y) / theme.scale);
  lit_ = -1;
  if (!held) dragged_.clear();
  if (held && !dragged_.empty()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    const auto value = plot::invert_x(frame_, dragged_panel_, x - grip_);
    const auto spec = std::find_if(now_->specs.begin(), now_->specs.end(), [&](const auto& s) { return s.id == dragged_; });
    if (!value || spec == now_->specs.end()) return;
    std::string next = spec->nearest(*value);
    // A value between two stops of its slider stays until the hand has gone to another one.
    if (next != spec->nearest(read_number(spec->value).value_or(*value))) pending_.emplace_back(dragged_, std::move(next));
    return;
  }
  if (!hovered && !pressed) return;
  const bool touch = io.MouseSource == ImGuiMouseSource_TouchScreen;
  const Hit found = hit(now_->view, frame_, x, y, touch ? 16 : 5, theme);
  if (pressed) picked_ = -1;
  if (found.mark < 0) return;
  const plot::Mark& mark = now_->view.panels[static_cast<size_t>(found.panel)].marks[static_cast<size_t>(found.mark)];
  lit_ = mark.row;
  if (found.handle) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  if (!found.handle && !mark.sets.empty()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!pressed) return;
  picked_ = mark.row;
  if (found.handle) {
    dragged_ = mark.drags;
    dragged_panel_ = found.panel;
    // The hand keeps the distance it has when it takes hold of the line, as long as it is on it.
    grip_ = 0;
    for (const plot::Prim& prim : frame_.prims) {
      if (prim.panel != found.panel || prim.mark != found.mark || !prim.handle) continue;
      const Box box = bounds(prim, theme);
      const double center = (box.x0 + box.x1) / 2;
      if (box.x1 - box.x0 < 80) grip_ = std::abs(x - center) < 40 ? x - center : 0;
      break;
    }
  } else if (!mark.sets.empty()) {
    for (auto& pair : plot::parse_query(mark.sets)) pending_.push_back(std::move(pair));
  }
}

float Bench::sentence(const Theme& theme, ImVec2 at, float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto segments = plot::summary(*now_);
  std::vector<Run> runs;
  for (const auto& segment : segments)
    runs.push_back({segment.text, theme.color(segment.yours ? Token::accent : Token::ink), segment.yours});
  float y = at.y + flow(list, theme, at, runs, title_px, 24, std::min(width, theme.px(632)));
  std::vector<std::string> notes = now_->notices;
  if (!failure_.empty()) notes.push_back(failure_);
  for (const std::string& note : notes) {
    const std::vector<Run> line{{note, theme.color(Token::muted), false}};
    y += theme.px(4);
    y += flow(list, theme, ImVec2(at.x, y), line, type_px, 20, std::min(width, theme.px(632)));
  }
  // What stands below must not move under a hand: room once taken is kept as long as the width is the same.
  if (told_width_ != width) told_ = 0;
  told_width_ = width;
  told_ = std::max(told_, y - at.y);
  return at.y + told_;
}

float Bench::controls(const Theme& theme, ImVec2 at, float width, bool roomy) {
  const auto& specs = now_->specs;
  const double css = static_cast<double>(width / theme.scale);
  const int columns = std::max(1, std::min(static_cast<int>((css + 28) / 228), static_cast<int>(specs.size())));
  const float gap = theme.px(28), wide = std::floor((width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns));
  float top = at.y, bottom = at.y;
  int column = 0;
  places_.clear();
  editing_.stepping = false;
  for (const auto& spec : specs) {
    if (column == columns) {
      column = 0;
      top = bottom + theme.px(roomy ? 12 : 20);
    }
    const ImVec2 corner(at.x + static_cast<float>(column) * (wide + gap), top);
    ImGui::SetCursorScreenPos(corner);
    std::string value;
    if (control(theme, spec, wide, roomy, editing_, value)) pending_.emplace_back(spec.id, std::move(value));
    const float end = ImGui::GetCursorScreenPos().y;
    note_place(theme, spec.id, corner, ImVec2(corner.x + wide, end));
    bottom = std::max(bottom, end);
    ++column;
  }
  return bottom;
}

void Bench::note_place(const Theme& theme, std::string field, ImVec2 from, ImVec2 to) {
  const auto css = [&](float v) { return static_cast<double>(v / theme.scale); };
  places_.push_back({std::move(field), {css(from.x), css(from.y), css(to.x), css(to.y)}});
}

float Bench::tools(const Theme& theme, ImVec2 at, float width, bool roomy, double seconds) {
  rule(theme, at, width, Token::rule);
  const float y = at.y + theme.px(roomy ? 2 : 8);
  ImGui::SetCursorScreenPos(ImVec2(at.x, y));
  const bool fresh = seconds - copied_at_ < copied_for;
  if (tool(theme, "link", fresh ? "Link copied" : "Copy link", roomy)) copy_link_ = true;
  note_place(theme, "@link", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  if (!now_->canonical.empty()) {
    ImGui::SetCursorScreenPos(ImVec2(at.x + lab::width(theme, "Link copied", type_px) + theme.px(20), y));
    if (tool(theme, "reset", "Reset", roomy)) pending_reset_ = true;
    note_place(theme, "@reset", ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
  }
  return y + theme.px(roomy ? 44 : 24);
}

float Bench::data(const Theme& theme, ImVec2 at, float width, int most_rows, bool roomy) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  write(list, theme, ImVec2(at.x, at.y + theme.px(15)), "Data", words(theme, type_px, Token::ink, true));
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + theme.px(22)));
  pointed_ = table_.show(theme, now_->view, width, most_rows, roomy, lit_row());
  float y = ImGui::GetCursorScreenPos().y + theme.px(4);
  for (const auto& entry : now_->view.provenance) {
    const std::string text = std::string(name(entry.how)) + ": " + entry.detail;
    const std::vector<Run> runs{{text, theme.color(Token::muted), false}};
    y += flow(list, theme, ImVec2(at.x, y), runs, note_px, 18, width);
  }
  return y;
}

}  // namespace lk::lab
