// A bench with a Dear ImGui context of its own: events in, draw data out. Needs no window system and no GPU, so tests drive it
// as a browser does. Positions are CSS pixels.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "lab/bench.h"

struct ImGuiContext;
struct ImDrawData;

namespace lk::lab {

enum class Source : uint8_t { mouse, touch, pen };
enum class Hand : uint8_t { down, move, up, cancel, leave };

struct Modifiers {
  bool ctrl = false, shift = false, alt = false, super = false;
};

/// What the host does after a frame.
struct Outcome {
  bool again = false;         // draw another frame soon
  double again_in = -1;       // seconds until one is needed, negative for none
  bool typing = false;        // a text input has the keyboard: show the soft keyboard, take the Tab key
  float caret_x = 0, caret_y = 0, caret_height = 0;  // of that input, for an input method
  int cursor = 0;             // index into cursor_names
  float height = 0;           // that the content needs
  int changes = 0;            // Bench::changes
  bool copy_link = false;     // the reader asked for the link
  bool copied = false;        // text was copied or cut: read clipboard()
  bool fonts = false;         // the font atlas was built anew: upload it before drawing
};

/// CSS cursors by Outcome::cursor.
extern const char* const cursor_names[10];

class View {
 public:
  View(const World& world, const plot::Figure& figure, std::string_view query, std::string_view device);
  ~View();
  View(const View&) = delete;
  View& operator=(const View&) = delete;

  /// TrueType data that outlives the view.
  void fonts(std::string_view regular, std::string_view strong, std::string_view mono);
  /// Size of the canvas and device pixels per CSS pixel.
  void resize(double width, double height, double scale);
  void theme(std::string_view tokens);
  void apple(bool yes);  // Command instead of Control

  /// `button`: 0 left, 1 middle, 2 right, as the DOM counts.
  void hand(Hand what, double x, double y, int button, Source source);
  /// Wheel in CSS pixels. False when nothing under the mouse can scroll that way: the page should.
  bool wheel(double dx, double dy);
  /// `code`: KeyboardEvent.code. False when the key is none of ours: the browser should act on it.
  bool key(std::string_view code, bool down, bool repeat, Modifiers modifiers);
  void characters(std::string_view utf8);
  /// `by_key`: it came by the Tab key, so that arrows go to the controls; after a click they scroll the page.
  void focus(bool has, bool by_key = false);
  void paste(std::string_view utf8);
  const std::string& clipboard() const { return clipboard_; }

  /// Runs one frame. `seconds` is a clock of the host that only goes forward.
  Outcome frame(double seconds);
  /// What to draw, in device pixels; valid until the next frame.
  ImDrawData* picture() const;
  ImGuiContext* context() const { return context_; }

  Bench& bench() { return bench_; }
  /// After a change of the bench from outside: draw.
  void wake() { settle_ = 3; }
  const Theme& theme() const { return theme_; }

 private:
  bool typing() const;

  ImGuiContext* context_;
  Theme theme_;
  Fonts fonts_;
  std::string_view regular_, strong_, mono_;
  Bench bench_;
  std::string clipboard_;
  double width_ = 0, height_ = 0, last_ = -1;
  int settle_ = 3;  // frames until a change has gone through all of Dear ImGui
  bool stale_fonts_ = true, stale_style_ = true, copied_ = false, focused_ = false, by_key_ = false;
  int changes_ = -1, lit_ = -1;  // of the bench, in the last frame
  float needed_ = 0;
};

}  // namespace lk::lab
