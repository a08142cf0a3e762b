// One figure on the bench: drawing, live sentence, controls, data, all from the figure's own description.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "lab/draw.h"
#include "lab/table.h"
#include "lab/widgets.h"
#include "plot/figure.h"
#include "plot/frame.h"

namespace lk::lab {

class Bench {
 public:
  /// `world` and `figure` outlive the bench. `device`: the reader's device id, empty for the book's default.
  Bench(const World& world, const plot::Figure& figure, plot::Values values, std::string device);

  /// Draws everything at the cursor of the current window, `width` device pixels wide; returns the height it took.
  float show(const Theme& theme, float width, double seconds);

  void set(std::string_view field, std::string_view value);
  void reset();
  void device(std::string_view id);

  const std::optional<plot::Evaluated>& state() const { return now_; }
  const plot::Frame& frame() const { return frame_; }
  /// Top left corner of the drawing in device pixels, as last drawn.
  ImVec2 origin() const { return origin_; }
  /// Where the control of a field stands, CSS pixels of the canvas; the tools are "@link" and "@reset".
  struct Control {
    std::string field;
    Box box;
  };
  const std::vector<Control>& places() const { return places_; }
  /// Counts changes of the state, so that a host knows when to read it again.
  int changes() const { return changes_; }
  /// True once after the reader asked to copy the link.
  bool take_copy_link();
  /// Call when the link was copied: the tool says so for a moment.
  void link_copied(double seconds) { copied_at_ = seconds; }
  /// Seconds until the bench changes by itself ("Link copied" goes), or none.
  std::optional<double> wake(double seconds) const;
  /// A slider has the keyboard: page keys, Home and End are its own.
  bool stepping() const { return editing_.stepping; }
  /// The next picture differs from this one without further input: an input is about to open.
  bool restless() const { return editing_.starting || !editing_.back.empty(); }
  /// Row that mark and table show as pointed at, or -1: under the mouse on the drawing, in the table, last tapped.
  int lit_row() const { return lit_ >= 0 ? lit_ : pointed_ >= 0 ? pointed_ : picked_; }

 private:
  struct Column {
    ImVec2 at;
    float width, end;
  };
  void evaluate();
  ImVec2 head(const Theme& theme, ImVec2 at, float width);
  float drawing(const Theme& theme, ImVec2 at, float width);
  float sentence(const Theme& theme, ImVec2 at, float width);
  float controls(const Theme& theme, ImVec2 at, float width, bool roomy);
  float tools(const Theme& theme, ImVec2 at, float width, bool roomy, double seconds);
  float data(const Theme& theme, ImVec2 at, float width, int most_rows, bool roomy);
  void hands(const Theme& theme, bool pressed, bool held, bool hovered);
  void apply();
  void note_place(const Theme& theme, std::string field, ImVec2 from, ImVec2 to);

  const World& world_;
  const plot::Figure& figure_;
  plot::Values values_;
  std::string device_;
  std::optional<plot::Evaluated> now_;
  std::string failure_;
  plot::Frame frame_;
  double frame_width_ = 0;
  int changes_ = 0;
  ImVec2 origin_ = {0, 0};
  float told_ = 0, told_width_ = 0;  // room that the sentence took at this width
  std::string dragged_;      // field that the hand on the drawing moves
  int dragged_panel_ = -1;
  double grip_ = 0;          // from the hand to the mark, CSS pixels
  int lit_ = -1;             // row whose mark is pointed at
  int pointed_ = -1;         // row pointed at in the table, in the last picture
  int picked_ = -1;          // row last tapped
  Editing editing_;
  Table table_;
  std::vector<Control> places_;
  std::vector<std::pair<std::string, std::string>> pending_;  // changes of this frame, applied at its end
  bool pending_reset_ = false, copy_link_ = false;
  double copied_at_ = -100;
};

}  // namespace lk::lab
