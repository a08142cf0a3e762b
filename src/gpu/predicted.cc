#include "gpu/predicted.h"

#include "base/number.h"

namespace lk::gpu {
namespace {

constexpr std::string_view header =
    "kernel,params,family,group,measured_us,predicted_us,datasheet_us,calibrated_us,limit,launches,median_us,low_us,high_us,least_us,most_us";
constexpr std::string_view again = "run content/measurements/harness/predictions.py --write again";

/// Takes the fields of a line off its front; what is wrong stays wrong.
class Fields {
 public:
  explicit Fields(std::string_view line) : rest_(line) {}

  std::string word() {
    if (ended_) sound_ = false;
    const size_t at = rest_.find(',');
    const std::string_view field = rest_.substr(0, at);
    ended_ = at == std::string_view::npos;
    rest_ = ended_ ? std::string_view() : rest_.substr(at + 1);
    return std::string(field);
  }
  double number(bool may_lack) {
    const std::string field = word();
    if (field.empty() && may_lack) return 0;
    const auto v = read_number(field);
    if (!v || !(*v > 0)) sound_ = false;
    return v.value_or(1);
  }
  double seconds(bool may_lack = false) { return number(may_lack) / 1e6; }
  bool sound() const { return sound_ && ended_; }

 private:
  std::string_view rest_;
  bool ended_ = false, sound_ = true;
};

}  // namespace

PredictedSet load_predicted(std::string_view csv, std::string_view device, std::string_view file, std::vector<Problem>& problems) {
  PredictedSet set;
  set.device = device;
  for (int line = 1; !csv.empty(); ++line) {
    const size_t end = csv.find('\n');
    const std::string_view text = csv.substr(0, end);
    csv = end == std::string_view::npos ? std::string_view() : csv.substr(end + 1);
    bool sound = text == header;
    if (line > 1) {
      Fields f(text);
      PredictedRow row;
      row.kernel = f.word();
      row.params = f.word();
      row.family = f.word();
      row.group = f.word();
      row.measured = f.seconds();
      row.predicted = f.seconds();
      row.datasheet = f.seconds();
      row.calibrated = f.seconds();
      row.limit = f.word();
      row.launches = static_cast<int>(f.number(true));
      row.again = f.seconds(true);
      row.low = f.seconds(true);
      row.high = f.seconds(true);
      row.least = f.seconds(true);
      row.most = f.seconds(true);
      sound = f.sound() && !row.kernel.empty() && !row.family.empty();
      if (sound) set.rows.push_back(std::move(row));
    }
    if (!sound) problems.push_back({Severity::error, {{std::string(file), line, 1}, line == 1 ? "this is no table of predictions" : "this is no row of predictions", std::string(again)}});
  }
  return set;
}

}  // namespace lk::gpu
