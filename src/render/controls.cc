#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "render/figure.h"

namespace lk::render {
namespace {

using plot::FieldKind;
using plot::FieldSpec;

std::string attribute(std::string_view name, std::string_view value) {
  std::string out(" ");
  out.append(name).append("=\"").append(html_escaped(value)).append("\"");
  return out;
}

// The unit that stands behind a value in its base unit; nothing when people read it scaled (GB/s, %).
bool typed_as_shown(const FieldSpec& spec) { return scaled(spec.unit, std::max(spec.hi, -spec.lo)).divide == 1; }

std::string label(const FieldSpec& spec, std::string_view id) {
  return "<label class=\"lab\"" + attribute("for", id) + '>' + html_escaped(spec.label) +
         "</label>";
}

// The current value as text to type over, or only to read where the base unit is no way to write it.
std::string value_box(const FieldSpec& spec, const std::string& id) {
  if (!typed_as_shown(spec)) return "<output class=\"num\"" + attribute("for", id + "-range") + '>' + html_escaped(spec.shown) + "</output>";
  // A keypad of digits only has no minus.
  const bool digits_only = spec.kind == FieldKind::integer && spec.lo >= 0;
  const bool short_values = plain(spec.lo).size() <= 3 && plain(spec.hi).size() <= 3 && spec.kind == FieldKind::integer;
  std::string out = short_values ? "<span class=\"num num--short\">" : "<span class=\"num\">";
  out += "<input type=\"text\"" + attribute("inputmode", digits_only ? "numeric" : "decimal");
  out += attribute("id", id) + attribute("name", spec.id) + attribute("value", spec.value);
  out += '>';
  const std::string unit = parts({read_number(spec.value).value_or(0), spec.unit}).unit;
  if (!unit.empty()) out += "<span class=\"unit\">" + html_escaped(unit) + "</span>";
  return out + "</span>";
}

std::string slider(const FieldSpec& spec, const std::string& id) {
  const bool log = spec.steps == plot::Steps::log;
  std::string out = "<input type=\"range\"" + attribute("id", id + "-range") + attribute("aria-label", spec.label);
  if (log || spec.shown != spec.value) out += attribute("aria-valuetext", spec.shown);
  if (log) {
    out += attribute("min", "0") + attribute("max", std::to_string(spec.positions()));
    out += attribute("value", std::to_string(spec.position())) + attribute("data-scale", "log");
    out += attribute("data-lo", plain(spec.lo)) + attribute("data-hi", plain(spec.hi));
  } else {
    out += attribute("min", plain(spec.lo)) + attribute("max", plain(spec.hi));
    if (spec.step != 1) out += attribute("step", plain(spec.step));  // 1 is what a slider has anyway
    out += attribute("value", spec.value);
  }
  out += '>';
  if (log) {
    out += "<span class=\"ends\" aria-hidden=\"true\"><span>" + html_escaped(parts({spec.lo, spec.unit}).digits) + "</span><span>" +
           html_escaped(parts({spec.hi, spec.unit}).digits) + "</span></span>";
  }
  return out;
}

// Options of one reason together: "GeForce 8800 GTX, Tesla M2050: it has no BF16 arithmetic".
std::string reasons(const FieldSpec& spec) {
  std::vector<std::pair<std::string, std::string>> names;  // reason, options
  for (const FieldSpec::Option& o : spec.options) {
    if (o.why_not.empty()) continue;
    const auto same = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == o.why_not; });
    if (same == names.end()) names.emplace_back(o.why_not, o.label);
    else same->second += ", " + o.label;
  }
  std::string words;
  for (const auto& [why, labels] : names) words += (words.empty() ? "" : "; ") + labels + ": " + why;
  return words.empty() ? words : "<span class=\"hint hint--why\">" + html_escaped(words) + "</span>";
}

size_t letters(std::string_view text) {
  size_t n = 0;
  for (size_t at = 0; at < text.size(); ++n) next_code_point(text, at);
  return n;
}

// A few short options stand side by side: about 7 px a letter and 23 px around it, in a margin of 232 px.
bool fits_in_a_row(const FieldSpec& spec) {
  size_t width = 0;
  for (const FieldSpec::Option& o : spec.options) width += 23 + 7 * letters(o.label);
  return spec.kind == FieldKind::choice && spec.options.size() <= 6 && width <= 232;
}

std::string radios(const FieldSpec& spec) {
  std::string out = "<legend class=\"lab\">" + html_escaped(spec.label) + "</legend><div class=\"seg\">";
  for (const FieldSpec::Option& o : spec.options) {
    out += "<label" + (o.why_not.empty() ? "" : attribute("title", o.why_not)) + "><input type=\"radio\"" + attribute("name", spec.id);
    out += attribute("value", o.id);
    if (o.id == spec.value) out += " checked";
    if (!o.why_not.empty()) out += " disabled";
    out += '>' + html_escaped(o.label) + "</label>";
  }
  return out + "</div>" + reasons(spec);
}

// Where the page has a picker of devices, the list holds the chosen one alone: the script that shows it copies the others from there.
std::string select(const FieldSpec& spec, const std::string& id, bool picker) {
  std::string out = label(spec, id) + "<select" + attribute("id", id) + attribute("name", spec.id) + '>';
  std::string group;
  const bool alone = picker && spec.kind == FieldKind::device;
  for (const FieldSpec::Option& o : spec.options) {
    if (alone) {
      if (o.id == spec.value) out += "<option" + attribute("value", o.id) + '>' + html_escaped(o.label) + "</option>";
      continue;
    }
    if (o.group != group) {
      if (!group.empty()) out += "</optgroup>";
      if (!o.group.empty()) out += "<optgroup" + attribute("label", o.group) + '>';
      group = o.group;
    }
    out += "<option" + attribute("value", o.id);
    if (o.id == spec.value) out += " selected";
    if (!o.why_not.empty()) out += " disabled";
    out += '>' + html_escaped(o.label) + "</option>";
  }
  if (!group.empty()) out += "</optgroup>";
  out += "</select>";
  if (spec.kind == FieldKind::device) out += "<span class=\"hint hint--follows\">Follows the page\u2019s device.</span>";
  return out + reasons(spec);
}

std::string block(const FieldSpec& spec, std::string_view uid, bool picker) {
  static constexpr std::string_view kinds[] = {"number", "integer", "choice", "toggle", "text", "device"};
  const std::string id = std::string(uid) + '-' + spec.id;
  const bool row = fits_in_a_row(spec);
  const std::string element = row ? "fieldset" : "div";
  std::string out = '<' + element + " class=\"field" + (row ? " fit" : "") + (spec.changed ? " changed" : "") + '"';
  out += attribute("data-field", spec.id) + attribute("data-kind", kinds[static_cast<size_t>(spec.kind)]) + '>';
  switch (spec.kind) {
    case FieldKind::number:
    case FieldKind::integer:
      out += "<div class=\"field__row\">" + label(spec, typed_as_shown(spec) ? id : id + "-range") + value_box(spec, id) + "</div>" + slider(spec, id);
      break;
    case FieldKind::toggle:
      out += "<label class=\"check\"><input type=\"checkbox\"" + attribute("id", id) +
             attribute("name", spec.id) + (spec.value == "on" ? " checked>" : ">") + html_escaped(spec.label) + "</label>";
      break;
    case FieldKind::text:
      out += label(spec, id) + "<input type=\"text\"" + attribute("id", id) + attribute("name", spec.id) + attribute("value", spec.value) +
             attribute("maxlength", std::to_string(spec.max_bytes)) + " spellcheck=\"false\">";
      break;
    case FieldKind::choice:
    case FieldKind::device: out += row ? radios(spec) : select(spec, id, picker); break;
  }
  return out + "</" + element + '>';
}

}  // namespace

std::string controls_html(const plot::Evaluated& figure, std::string_view uid, bool picker) {
  std::string out = "<form class=\"ctl\" hidden autocomplete=\"off\"" + attribute("aria-label", "Controls: " + std::string(figure.figure->title)) + ">\n";
  for (const FieldSpec& spec : figure.specs) out += block(spec, uid, picker) + '\n';
  return out + "</form>";
}

}  // namespace lk::render
