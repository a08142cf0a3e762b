#include "plot/field.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/utf8.h"

namespace lk::plot {
namespace {

constexpr size_t longest_quote = 40;

// What was given, short enough to repeat in a message.
std::string quote(std::string_view given) {
  size_t end = 0;
  while (end < given.size() && end < longest_quote) next_code_point(given, end);
  return '"' + std::string(given.substr(0, end)) + (end < given.size() ? "\u2026\"" : "\"");
}

std::string range_text(Unit unit, double lo, double hi) { return text({lo, unit}) + " to " + text({hi, unit}); }

const std::string* find_value(const Values& values, std::string_view id) {
  for (const auto& [name, value] : values)
    if (name == id) return &value;
  return nullptr;
}

double rounded_to_three(double v) {
  std::array<char, 40> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.2e", v);
  return std::strtod(buffer.data(), nullptr);
}

double with_decimals(double v, int decimals) {
  std::array<char, 400> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, v);
  return std::strtod(buffer.data(), nullptr);
}

std::string join_ids(const std::vector<FieldSpec::Option>& options) {
  std::string out = "one of";
  for (const auto& o : options)
    if (o.why_not.empty()) out += ' ' + o.id;
  return out;
}

std::vector<std::string_view> ids_of(const std::vector<FieldSpec::Option>& options) {
  std::vector<std::string_view> ids;
  for (const auto& o : options) ids.push_back(o.id);
  return ids;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& names, std::string otherwise) {
  const std::string near = closest(word, names);
  return near.empty() ? std::move(otherwise) : "did you mean \"" + near + "\"?";
}

// Index of the option to use when `wanted` cannot be: itself if usable, else the first usable, else itself.
size_t usable(const std::vector<FieldSpec::Option>& options, size_t wanted) {
  if (wanted < options.size() && options[wanted].why_not.empty()) return wanted;
  for (size_t i = 0; i < options.size(); ++i)
    if (options[i].why_not.empty()) return i;
  return wanted < options.size() ? wanted : 0;
}

size_t index_of(const std::vector<FieldSpec::Option>& options, std::string_view id) {
  size_t i = 0;
  while (i < options.size() && options[i].id != id) ++i;
  return i;
}

}  // namespace

int FieldSpec::positions() const {
  if ((kind != FieldKind::number && kind != FieldKind::integer) || !(step > 0) || !(hi > lo)) return 0;
  const double n = steps == Steps::log ? std::round(std::log10(hi / lo) / step) : std::floor((hi - lo) / step + 1e-9);
  return static_cast<int>(std::clamp(n, 1.0, 1e6));
}

int FieldSpec::position() const {
  const int n = positions();
  if (n == 0) return 0;
  const double v = read_number(value).value_or(lo);
  const double at = steps == Steps::log ? std::log(v / lo) / std::log(hi / lo) * n : (v - lo) / step;
  return static_cast<int>(std::clamp(std::round(at), 0.0, static_cast<double>(n)));
}

std::string FieldSpec::nearest(double v) const {
  if ((kind != FieldKind::number && kind != FieldKind::integer) || std::isnan(v)) return {};
  v = std::clamp(v, lo, hi);
  const int n = positions();
  if (n == 0) return plain(v);
  if (steps == Steps::log) {
    const double i = std::clamp(std::round(std::log(v / lo) / std::log(hi / lo) * n), 0.0, static_cast<double>(n));
    if (i == 0 || i == n) return plain(i == 0 ? lo : hi);
    return plain(std::clamp(rounded_to_three(lo * std::pow(hi / lo, i / n)), lo, hi));
  }
  v = lo + std::clamp(std::round((v - lo) / step), 0.0, static_cast<double>(n)) * step;
  // The sum carries a binary tail (0.1 + 2 * 0.1); no value has more decimals than `lo` and `step` together.
  for (int decimals = 0; decimals <= 12; ++decimals) {
    const double tidy = with_decimals(v, decimals);
    if (std::fabs(tidy - v) <= 1e-6 * step) return plain(tidy);
  }
  return plain(v);
}

Binder::Binder(const World& world, Values values, std::string_view device, Mode mode, Values pins)
    : world_(world), values_(std::move(values)), pins_(std::move(pins)), device_(device), mode_(mode) {
  specs_.reserve(16);
}

FieldSpec& Binder::add(Field field, FieldKind kind) {
  FieldSpec& spec = specs_.emplace_back();
  spec.id = field.id;
  spec.label = field.label;
  spec.doc = field.doc;
  spec.kind = kind;
  return spec;
}

void Binder::complain(const FieldSpec& spec, std::string what, std::string hint, std::string notice) {
  if (mode_ == Mode::strict) {
    problems_.push_back({{}, spec.id + ": " + std::move(what), std::move(hint)});
  } else {
    notices_.push_back(spec.label + ": " + std::move(notice));
  }
}

// `read` takes a given text over into the value, `show` writes the value into the spec.
template <class Read, class Show>
void Binder::settle(FieldSpec& spec, const Read& read, const Show& show) {
  if (const std::string* pin = find_value(pins_, spec.id)) read(*pin);
  show();
  spec.fallback = spec.value;
  if (const std::string* given = find_value(values_, spec.id)) {
    read(*given);
    show();
  }
  spec.changed = spec.value != spec.fallback;
}

void Binder::number(double& value, Field field, Unit unit, double lo, double hi, double step, Steps steps) {
  FieldSpec& spec = add(field, FieldKind::number);
  hi = std::max(lo, hi);
  spec.unit = unit;
  spec.lo = lo;
  spec.hi = hi;
  spec.step = step;
  spec.steps = steps;
  value = std::clamp(value, lo, hi);
  const auto used = [&] { return lk::text({value, unit}) + " is used"; };
  settle(
      spec,
      [&](const std::string& given) {
        const auto v = read_number(given);
        if (!v) {
          complain(spec, quote(given) + " is no number", range_text(unit, lo, hi), quote(given) + " is no number; " + used());
          return;
        }
        value = std::clamp(*v, lo, hi);
        if (value != *v)
          complain(spec, quote(given) + " is out of range", range_text(unit, lo, hi), quote(given) + " is out of range; " + used());
      },
      [&] {
        spec.value = plain(value);
        spec.shown = lk::text({value, unit});
      });
}

void Binder::integer(int& value, Field field, Unit unit, int lo, int hi, int step) {
  FieldSpec& spec = add(field, FieldKind::integer);
  hi = std::max(lo, hi);
  step = std::max(step, 1);
  spec.unit = unit;
  spec.lo = lo;
  spec.hi = hi;
  spec.step = step;
  const auto onto = [&](double v) {
    const double i = std::round((std::clamp<double>(v, lo, hi) - lo) / step);
    const int64_t last = (int64_t{hi} - lo) / step;
    return static_cast<int>(lo + std::min(static_cast<int64_t>(i), last) * step);
  };
  value = onto(value);
  const auto used = [&] { return lk::text({static_cast<double>(value), unit}) + " is used"; };
  settle(
      spec,
      [&](const std::string& given) {
        const auto v = read_number(given);
        if (!v) {
          complain(spec, quote(given) + " is no number", range_text(unit, lo, hi), quote(given) + " is no number; " + used());
          return;
        }
        value = onto(*v);
        if (*v < lo || *v > hi) {
          complain(spec, quote(given) + " is out of range", range_text(unit, lo, hi), quote(given) + " is out of range; " + used());
        } else if (value != *v) {
          const std::string grid = step == 1 ? "whole numbers only" : "steps of " + std::to_string(step) + " from " + std::to_string(lo);
          complain(spec, quote(given) + " is not possible", grid, quote(given) + " is not possible (" + grid + "); " + used());
        }
      },
      [&] {
        spec.value = std::to_string(value);
        spec.shown = lk::text({static_cast<double>(value), unit});
      });
}

void Binder::choice(int& value, Field field, std::span<const Choice> choices) {
  FieldSpec& spec = add(field, FieldKind::choice);
  for (const Choice& c : choices) spec.options.push_back({std::string(c.id), std::string(c.label), c.why_not});
  if (spec.options.empty()) return;
  size_t at = usable(spec.options, static_cast<size_t>(std::max(value, 0)));
  settle(
      spec,
      [&](const std::string& given) {
        const size_t i = index_of(spec.options, given);
        if (i == spec.options.size()) {
          complain(spec, quote(given) + " is not a choice", did_you_mean(given, ids_of(spec.options), join_ids(spec.options)),
                   quote(given) + " is not a choice; " + spec.options[at].label + " is used");
        } else if (!spec.options[i].why_not.empty()) {
          complain(spec, quote(given) + " cannot be chosen", spec.options[i].why_not,
                   spec.options[i].label + " cannot be chosen (" + spec.options[i].why_not + "); " + spec.options[at].label + " is used");
        } else {
          at = i;
        }
      },
      [&] {
        spec.value = spec.options[at].id;
        spec.shown = spec.options[at].label;
      });
  value = static_cast<int>(at);
}

void Binder::toggle(bool& value, Field field) {
  FieldSpec& spec = add(field, FieldKind::toggle);
  settle(
      spec,
      [&](const std::string& given) {
        if (given == "on" || given == "true" || given == "1" || given == "yes") {
          value = true;
        } else if (given == "off" || given == "false" || given == "0" || given == "no") {
          value = false;
        } else {
          complain(spec, quote(given) + " is neither on nor off", "on or off",
                   quote(given) + " is neither on nor off; " + (value ? "on" : "off") + " is used");
        }
      },
      [&] {
        spec.value = value ? "on" : "off";
        spec.shown = spec.value;
      });
}

void Binder::text(std::string& value, Field field, size_t max_bytes) {
  FieldSpec& spec = add(field, FieldKind::text);
  spec.max_bytes = max_bytes;
  settle(
      spec,
      [&](const std::string& given) {
        if (!valid_utf8(given)) {
          complain(spec, "the text is no valid UTF-8", "", "the text is no valid UTF-8; the default is used");
          return;
        }
        if (given.size() <= max_bytes) {
          value = given;
          return;
        }
        size_t end = max_bytes;
        while (end > 0 && (static_cast<unsigned char>(given[end]) & 0xC0u) == 0x80u) --end;
        value = given.substr(0, end);
        const std::string limit = "at most " + std::to_string(max_bytes) + " bytes";
        complain(spec, "the text is too long", limit, "the text is too long and was cut (" + limit + ")");
      },
      [&] {
        spec.value = value;
        spec.shown = value;
      });
}

void Binder::device(const gpu::Device*& value, Field field, const Needs& needs) {
  FieldSpec& spec = add(field, FieldKind::device);
  const auto& all = world_.devices.all;
  for (const gpu::Device& d : all) spec.options.push_back({d.id, d.name, needs ? needs(d) : std::string(), d.family});
  if (all.empty()) return;
  size_t at = usable(spec.options, index_of(spec.options, world_.devices.fallback));
  const auto read = [&](const std::string& given) {
    const size_t i = index_of(spec.options, given);
    if (i == spec.options.size()) {
      complain(spec, "unknown device " + quote(given), did_you_mean(given, ids_of(spec.options), join_ids(spec.options)),
               quote(given) + " is not in the book; " + all[at].name + " is shown");
    } else if (!spec.options[i].why_not.empty()) {
      complain(spec, all[i].name + " cannot be used here", spec.options[i].why_not,
               all[i].name + " cannot be used here (" + spec.options[i].why_not + "); " + all[at].name + " is shown");
    } else {
      at = i;
    }
  };
  // Explicit choices replace the reader's device, so only then is a device that cannot serve worth a word.
  const bool chosen = find_value(values_, spec.id) != nullptr || find_value(pins_, spec.id) != nullptr;
  if (!device_.empty()) {
    const size_t i = index_of(spec.options, device_);
    if (!chosen) {
      read(device_);
    } else if (i < spec.options.size() && spec.options[i].why_not.empty()) {
      at = i;
    }
  }
  settle(spec, read, [&] {
    spec.value = all[at].id;
    spec.shown = all[at].name;
  });
  value = &all[at];
}

void Binder::finish() {
  std::vector<std::string_view> ids;
  for (const FieldSpec& spec : specs_) ids.push_back(spec.id);
  std::string known = "it has";
  for (const std::string_view id : ids) known += ' ' + std::string(id);
  if (ids.empty()) known = "it has none";
  const auto complain_about = [&](const std::string& name, const std::string& what, const std::string& hint) {
    if (mode_ == Mode::strict) {
      problems_.push_back({{}, what + quote(name), hint});
    } else {
      notices_.push_back("The link was not understood in full: " + what + quote(name));
    }
  };
  for (const Values* values : {&pins_, &values_}) {
    for (size_t i = 0; i < values->size(); ++i) {
      const std::string& name = (*values)[i].first;
      if (std::find(ids.begin(), ids.end(), name) == ids.end()) {
        complain_about(name, "unknown parameter ", did_you_mean(name, ids, known));
      } else if (find_value(*values, name) != &(*values)[i].second) {
        complain_about(name, "more than one value for ", "keep one of them");
      }
    }
  }
}

Values Binder::canonical() const {
  Values out;
  for (const FieldSpec& spec : specs_)
    if (spec.changed) out.emplace_back(spec.id, spec.value);
  return out;
}

Values parse_query(std::string_view query) {
  Values out;
  if (!query.empty() && query[0] == '?') query.remove_prefix(1);
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view part = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = std::min(part.find('='), part.size());
    if (equals == 0) continue;
    out.emplace_back(url_decoded(part.substr(0, equals)), url_decoded(part.substr(std::min(equals + 1, part.size()))));
  }
  return out;
}

std::string write_query(const Values& values) {
  std::string out;
  for (const auto& [name, value] : values) {
    if (!out.empty()) out += '&';
    out += url_encoded(name) + '=' + url_encoded(value);
  }
  return out;
}

}  // namespace lk::plot
