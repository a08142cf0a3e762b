// Parameters of a figure, declared once. One walk over the fields gives defaults, parsing, schema, controls, CLI flags and links.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/number.h"
#include "plot/world.h"

namespace lk::plot {

/// Name of a parameter: `id` in links and on the command line, `label` on the control, `doc` in help and schema.
struct Field {
  std::string_view id, label, doc = {};
};

/// One option of a choice. A non-empty `why_not` disables it and is shown as the reason.
struct Choice {
  std::string_view id, label;
  std::string why_not = {};
};

/// How a slider divides its range. linear: `step` is the distance between two positions. log: `step` is that distance in
/// decades (0.01: a hundred positions from 1 to 10), and the value at a position is rounded to three significant digits.
/// Numbers that are typed or linked keep every digit; integers go by their step.
enum class Steps : uint8_t { linear, log };

/// Says why a device cannot be used by a figure; empty when it can.
using Needs = std::function<std::string(const gpu::Device&)>;

/// The walk. Values hold their defaults when the walk starts; later ranges may depend on fields already walked.
class Fields {
 public:
  virtual ~Fields() = default;
  virtual void number(double& value, Field field, Unit unit, double lo, double hi, double step, Steps steps = Steps::linear) = 0;
  virtual void integer(int& value, Field field, Unit unit, int lo, int hi, int step = 1) = 0;
  virtual void choice(int& value, Field field, std::span<const Choice> choices) = 0;
  virtual void toggle(bool& value, Field field) = 0;
  virtual void text(std::string& value, Field field, size_t max_bytes) = 0;
  /// Sets `value` to the chosen device, else to the first that `needs` accepts (the book's default before others).
  virtual void device(const gpu::Device*& value, Field field, const Needs& needs = {}) = 0;
};

enum class FieldKind : uint8_t { number, integer, choice, toggle, text, device };

/// Everything a door needs to know about one parameter after a walk.
struct FieldSpec {
  std::string id, label, doc;
  FieldKind kind = FieldKind::number;
  Unit unit = Unit::one;
  double lo = 0, hi = 0, step = 0;
  Steps steps = Steps::linear;
  struct Option {
    std::string id, label, why_not;
    std::string group = {};  // of devices: the family, under which lists show it; those of a group stand together
  };
  std::vector<Option> options;  // choice and device
  size_t max_bytes = 0;         // text
  std::string fallback;         // default as plain text
  std::string value;            // current value as plain text ("12", "bf16", "on")
  std::string shown;            // current value as people read it ("12 FLOP/B", "BF16")
  bool changed = false;         // value != fallback (device: != the device the reader would get anyway)

  /// The value nearest to `v` that the slider can stand on, within the range, as plain text; empty for other kinds of fields.
  std::string nearest(double v) const;
  /// Number of slider positions above the first, and where the current value stands among them.
  int positions() const;
  int position() const;
};

/// Given values by name, e.g. from a link.
using Values = std::vector<std::pair<std::string, std::string>>;

/// Reads values into a parameter struct and records a FieldSpec for each. Out-of-range, unknown or disabled values:
/// strict (command line, content) makes each a problem; lenient (a reader's link) moves to the nearest usable value and
/// leaves a sentence in `notices()`.
class Binder final : public Fields {
 public:
  enum class Mode : uint8_t { strict, lenient };
  /// `device`: the reader's device id, used when `values` and `pins` name none; empty for the book's default.
  /// `pins`: what the author set where the figure stands; they take the place of the figure's own defaults.
  Binder(const World& world, Values values, std::string_view device, Mode mode, Values pins = {});

  void number(double&, Field, Unit, double lo, double hi, double step, Steps) override;
  void integer(int&, Field, Unit, int lo, int hi, int step) override;
  void choice(int&, Field, std::span<const Choice>) override;
  void toggle(bool&, Field) override;
  void text(std::string&, Field, size_t max_bytes) override;
  void device(const gpu::Device*&, Field, const Needs&) override;

  /// Call after the walk: values whose names no field claimed become problems or notices.
  void finish();

  const std::vector<FieldSpec>& specs() const { return specs_; }
  const std::vector<Error>& problems() const { return problems_; }
  const std::vector<std::string>& notices() const { return notices_; }
  /// The canonical query: only what differs from the defaults, in field order ("stride=8&offset=4").
  Values canonical() const;

 private:
  template <class Read, class Show>
  void settle(FieldSpec& spec, const Read& read, const Show& show);
  FieldSpec& add(Field field, FieldKind kind);
  void complain(const FieldSpec& spec, std::string what, std::string hint, std::string notice);

  const World& world_;
  Values values_;
  Values pins_;
  std::string device_;
  Mode mode_;
  std::vector<FieldSpec> specs_;
  std::vector<Error> problems_;
  std::vector<std::string> notices_;
};

/// "a=1&b=2" with percent escapes -> Values; a leading '?' is skipped. A name without '=' has an empty value.
Values parse_query(std::string_view query);
/// The reverse.
std::string write_query(const Values& values);

}  // namespace lk::plot
