#include "lab/view.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "imgui_internal.h"

namespace lk::lab {
namespace {

// Dear ImGui's functions work on a current context; this makes ours current for a scope.
class Current {
 public:
  explicit Current(ImGuiContext* context) : before_(ImGui::GetCurrentContext()) { ImGui::SetCurrentContext(context); }
  ~Current() { ImGui::SetCurrentContext(before_); }
  Current(const Current&) = delete;
  Current& operator=(const Current&) = delete;

 private:
  ImGuiContext* before_;
};

struct KeyName {
  std::string_view code;
  ImGuiKey key;
};
constexpr KeyName key_names[] = {
    {"Tab", ImGuiKey_Tab},           {"ArrowLeft", ImGuiKey_LeftArrow},   {"ArrowRight", ImGuiKey_RightArrow},
    {"ArrowUp", ImGuiKey_UpArrow},   {"ArrowDown", ImGuiKey_DownArrow},   {"PageUp", ImGuiKey_PageUp},
    {"PageDown", ImGuiKey_PageDown}, {"Home", ImGuiKey_Home},             {"End", ImGuiKey_End},
    {"Delete", ImGuiKey_Delete},     {"Backspace", ImGuiKey_Backspace},   {"Space", ImGuiKey_Space},
    {"Enter", ImGuiKey_Enter},       {"NumpadEnter", ImGuiKey_Enter},     {"Escape", ImGuiKey_Escape},
    {"KeyA", ImGuiKey_A},            {"KeyC", ImGuiKey_C},                {"KeyX", ImGuiKey_X},
    {"KeyY", ImGuiKey_Y},            {"KeyZ", ImGuiKey_Z},
};

ImGuiKey key_of(std::string_view code) {
  for (const auto& entry : key_names)
    if (entry.code == code) return entry.key;
  return ImGuiKey_None;
}

ImGuiMouseSource source_of(Source source) {
  if (source == Source::touch) return ImGuiMouseSource_TouchScreen;
  return source == Source::pen ? ImGuiMouseSource_Pen : ImGuiMouseSource_Mouse;
}

}  // namespace

const char* const cursor_names[10] = {"default",     "text",        "move",    "ns-resize",   "ew-resize",
                                      "nesw-resize", "nwse-resize", "pointer", "not-allowed", "none"};

View::View(const World& world, const plot::Figure& figure, std::string_view query, std::string_view device)
    : context_(nullptr), bench_(world, figure, plot::parse_query(query), std::string(device)) {
  ImGuiContext* before = ImGui::GetCurrentContext();
  context_ = ImGui::CreateContext();
  ImGui::SetCurrentContext(context_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  io.ConfigInputTextCursorBlink = false;  // a caret that blinks would draw while nobody does anything
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.KeyRepeatDelay = FLT_MAX;  // the host repeats keys
  io.ClipboardUserData = this;
  io.SetClipboardTextFn = [](void* user, const char* text) {
    auto* view = static_cast<View*>(user);
    view->clipboard_ = text;
    view->copied_ = true;
  };
  io.GetClipboardTextFn = [](void* user) { return static_cast<View*>(user)->clipboard_.c_str(); };
  theme_.fonts = &fonts_;
  ImGui::SetCurrentContext(before);
}

View::~View() {
  ImGuiContext* before = ImGui::GetCurrentContext();
  ImGui::DestroyContext(context_);
  if (before != context_) ImGui::SetCurrentContext(before);
}

void View::fonts(std::string_view regular, std::string_view strong, std::string_view mono) {
  regular_ = regular;
  strong_ = strong;
  mono_ = mono;
  stale_fonts_ = true;
  settle_ = 3;
}

void View::resize(double width, double height, double scale) {
  if (static_cast<float>(scale) != theme_.scale) stale_fonts_ = stale_style_ = true;
  theme_.scale = static_cast<float>(std::clamp(scale, 0.25, 8.0));
  width_ = width;
  height_ = height;
  settle_ = 3;
}

void View::theme(std::string_view tokens) {
  theme_.set(tokens);
  stale_style_ = true;
  settle_ = 3;
}

void View::apple(bool yes) {
  const Current scope(context_);
  ImGui::GetIO().ConfigMacOSXBehaviors = yes;
}

void View::hand(Hand what, double x, double y, int button, Source source) {
  const Current scope(context_);
  ImGuiIO& io = ImGui::GetIO();
  settle_ = 3;
  io.AddMouseSourceEvent(source_of(source));
  if (what == Hand::leave) {
    if (!io.MouseDown[0]) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    return;
  }
  if (what != Hand::cancel) io.AddMousePosEvent(theme_.px(x), theme_.px(y));
  const int which = button == 1 ? ImGuiMouseButton_Middle : button == 2 ? ImGuiMouseButton_Right : ImGuiMouseButton_Left;
  if (what == Hand::down) io.AddMouseButtonEvent(which, true);
  if (what == Hand::up || what == Hand::cancel) {
    io.AddMouseButtonEvent(which, false);
    if (source == Source::touch) io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  }
}

bool View::wheel(double dx, double dy) {
  const Current scope(context_);
  ImGuiContext& g = *context_;
  // The window under the mouse, or one that holds it, that has a way to go in this direction.
  bool ours = false;
  for (const ImGuiWindow* window = g.HoveredWindow; window != nullptr && !ours; window = window->ParentWindow) {
    const bool down = dy > 0 && window->Scroll.y < window->ScrollMax.y, up = dy < 0 && window->Scroll.y > 0;
    const bool right = dx > 0 && window->Scroll.x < window->ScrollMax.x, left = dx < 0 && window->Scroll.x > 0;
    ours = (std::abs(dy) >= std::abs(dx) ? down || up : right || left);
    if (!(window->Flags & ImGuiWindowFlags_ChildWindow)) break;
  }
  if (!ours) return false;
  settle_ = 3;
  // Dear ImGui scrolls five lines a notch; a browser's notch is 100 pixels.
  const float notch = 5 * g.FontSize / theme_.scale;
  g.IO.AddMouseWheelEvent(static_cast<float>(-dx) / notch, static_cast<float>(-dy) / notch);
  return true;
}

bool View::typing() const { return context_->IO.WantTextInput; }

bool View::key(std::string_view code, bool down, bool repeat, Modifiers modifiers) {
  const Current scope(context_);
  ImGuiContext& g = *context_;
  ImGuiIO& io = g.IO;
  const ImGuiKey key = key_of(code);
  const bool command = io.ConfigMacOSXBehaviors ? modifiers.super : modifiers.ctrl;
  const bool popup = g.OpenPopupStack.Size > 0;
  const bool letter = key >= ImGuiKey_A && key <= ImGuiKey_Z;
  bool ours = key != ImGuiKey_None;
  if (letter) ours = typing() && command;
  if (key == ImGuiKey_Tab) ours = typing() || popup;
  if (!typing() && (modifiers.ctrl || modifiers.alt || modifiers.super)) ours = false;
  // What scrolls the page does so unless a control has the keyboard.
  const bool page = key == ImGuiKey_PageUp || key == ImGuiKey_PageDown || key == ImGuiKey_Home || key == ImGuiKey_End;
  const bool arrow = key == ImGuiKey_UpArrow || key == ImGuiKey_DownArrow;
  if (page && !typing()) ours = bench_.stepping() || popup;
  if (arrow && !typing()) ours = by_key_ || !g.NavDisableHighlight || popup;
  const bool side = key == ImGuiKey_LeftArrow || key == ImGuiKey_RightArrow;
  if (side && !typing() && !popup && !bench_.stepping()) ours = false;
  if (key == ImGuiKey_Escape && !typing() && !popup) ours = false;
  // Releases always arrive, or a key would stay down.
  if (!ours && down) return false;
  settle_ = 3;
  io.AddKeyEvent(ImGuiMod_Ctrl, modifiers.ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, modifiers.shift);
  io.AddKeyEvent(ImGuiMod_Alt, modifiers.alt);
  io.AddKeyEvent(ImGuiMod_Super, modifiers.super);
  if (arrow && !typing() && !popup) {
    // Up and down go through the controls in their order, wherever they stand: what Tab does inside of Dear ImGui.
    if (down) {
      io.AddKeyEvent(ImGuiMod_Shift, key == ImGuiKey_UpArrow);
      io.AddKeyEvent(ImGuiKey_Tab, true);
      io.AddKeyEvent(ImGuiKey_Tab, false);
      io.AddKeyEvent(ImGuiMod_Shift, false);
    }
  } else if (key != ImGuiKey_None) {
    if (down && repeat) io.AddKeyEvent(key, false);
    io.AddKeyEvent(key, down);
  }
  return ours;
}

void View::characters(std::string_view utf8) {
  const Current scope(context_);
  settle_ = 3;
  ImGui::GetIO().AddInputCharactersUTF8(std::string(utf8).c_str());
}

void View::focus(bool has, bool by_key) {
  if (has == focused_) return;
  by_key_ = has && by_key;
  focused_ = has;
  const Current scope(context_);
  settle_ = 3;
  ImGui::GetIO().AddFocusEvent(has);
}

void View::paste(std::string_view utf8) {
  clipboard_ = utf8;
  const Current scope(context_);
  settle_ = 3;
  ImGuiIO& io = ImGui::GetIO();
  const ImGuiKey command = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
  io.AddKeyEvent(command, true);
  io.AddKeyEvent(ImGuiKey_V, true);
  io.AddKeyEvent(ImGuiKey_V, false);
  io.AddKeyEvent(command, false);
}

Outcome View::frame(double seconds) {
  const Current scope(context_);
  ImGuiContext& g = *context_;
  ImGuiIO& io = g.IO;
  Outcome outcome;
  if (stale_fonts_) {
    fonts_.build(*io.Fonts, regular_, strong_, mono_, theme_.scale);
    unsigned char* pixels = nullptr;
    int wide = 0, high = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &wide, &high);
    io.FontDefault = fonts_.face(13, false);
    outcome.fonts = true;
    stale_fonts_ = false;
  }
  if (stale_style_) apply(theme_);
  stale_style_ = false;
  io.DisplaySize = ImVec2(std::round(theme_.px(width_)), std::round(theme_.px(height_)));
  io.DisplayFramebufferScale = ImVec2(1, 1);
  io.DeltaTime = last_ >= 0 && seconds > last_ ? static_cast<float>(std::min(seconds - last_, 1.0)) : 1.0F / 60;
  last_ = seconds;
  io.MouseDragThreshold = theme_.px(4);

  ImGui::NewFrame();
  ImGui::SetNextWindowPos(ImVec2(0, 0));
  ImGui::SetNextWindowSize(io.DisplaySize);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2(1, 1));
  ImGui::Begin("bench", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground);
  // Room for the focus ring around what touches the edge.
  const float margin = theme_.px(6);
  ImGui::SetCursorScreenPos(ImVec2(margin, margin));
  needed_ = bench_.show(theme_, io.DisplaySize.x - 2 * margin, seconds) + 2 * margin;
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::Render();

  if (settle_ > 0) --settle_;
  if (bench_.restless() || bench_.changes() != changes_ || bench_.lit_row() != lit_) settle_ = std::max(settle_, 3);
  changes_ = bench_.changes();
  lit_ = bench_.lit_row();
  outcome.again = settle_ > 0 || g.InputEventsQueue.Size > 0;
  outcome.again_in = bench_.wake(seconds).value_or(-1);
  outcome.typing = io.WantTextInput;
  outcome.caret_x = g.PlatformImeData.InputPos.x / theme_.scale;
  outcome.caret_y = g.PlatformImeData.InputPos.y / theme_.scale;
  outcome.caret_height = g.PlatformImeData.InputLineHeight / theme_.scale;
  const ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
  outcome.cursor = cursor < 0 || cursor > 8 ? 9 : cursor;
  outcome.height = std::ceil(needed_ / theme_.scale);
  outcome.changes = bench_.changes();
  outcome.copy_link = bench_.take_copy_link();
  outcome.copied = copied_;
  copied_ = false;
  return outcome;
}

ImDrawData* View::picture() const {
  const Current scope(context_);
  return ImGui::GetDrawData();
}

}  // namespace lk::lab
