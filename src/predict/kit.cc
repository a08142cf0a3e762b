#include "predict/kit.h"

#include "base/json.h"

namespace lk::predict {
namespace {

void write_texts(json::Writer& w, std::string_view key, const KitFiles::Texts& texts) {
  w.key(key).begin_object();
  for (const auto& [name, text] : texts) w.field(name, text);
  w.end_object();
}

KitFiles::Texts read_texts(json::Reader& r, std::string_view key) {
  KitFiles::Texts out;
  if (const json::Value* v = r.object(key, true))
    for (const auto& [name, text] : v->object) out.emplace_back(name, text.string);
  return out;
}

}  // namespace

Kit load_kit(const KitFiles& files, std::vector<Problem>& problems) {
  Kit out;
  const auto parsed = [&](const std::string& text, const std::string& file) {
    auto root = json::parse(text, file);
    if (!root) problems.push_back({Severity::error, root.error()});
    return root;
  };
  if (const auto devices = parsed(files.devices, "devices.json")) out.devices = gpu::load_devices(*devices, "devices.json", problems);
  if (const auto launches = parsed(files.launches, "kernels.json")) out.launches = load_launches(*launches, "kernels.json", problems);
  for (const auto& [name, text] : files.calibrations)
    if (const auto root = parsed(text, "calibrations/" + name)) out.calibrations.push_back(gpu::load_calibration(*root, out.devices, "calibrations/" + name, problems));
  for (const auto& [device, csv] : files.measurements) out.measured.push_back(gpu::load_measured(csv, device, "measurements/" + device + ".csv", problems));
  for (const LaunchCase& c : out.launches) {
    bool there = false;
    for (const auto& listing : files.listings) there = there || listing.first == c.file;
    if (!there) problems.push_back({Severity::error, {{"kernels.json", 0, 0}, c.kernel.name + " stands in " + c.file + ", which is not there", "name a file of listings/"}});
  }
  out.sources = files.listings;
  return out;
}

std::string write_kit(const KitFiles& files) {
  KitFiles::Texts named;
  for (const auto& listing : files.listings)
    if (files.launches.find('"' + listing.first + '"') != std::string::npos) named.push_back(listing);
  json::Writer w;
  w.begin_object().field("devices", files.devices).field("kernels", files.launches);
  write_texts(w, "calibrations", files.calibrations);
  write_texts(w, "measurements", files.measurements);
  write_texts(w, "listings", named);
  w.end_object();
  return w.text();
}

Result<Kit> read_kit(std::string_view text) {
  const auto root = json::parse(text);
  if (!root) return root.error();
  std::vector<Problem> problems;
  json::Reader r(*root, {}, problems);
  KitFiles files;
  files.devices = r.text("devices");
  files.launches = r.text("kernels");
  files.calibrations = read_texts(r, "calibrations");
  files.measurements = read_texts(r, "measurements");
  files.listings = read_texts(r, "listings");
  r.done();
  Kit out = load_kit(files, problems);
  for (const Problem& p : problems)
    if (p.severity == Severity::error) return p.error;
  return out;
}

}  // namespace lk::predict
