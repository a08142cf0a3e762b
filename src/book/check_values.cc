#include "book/check_values.h"

#include <algorithm>
#include <array>
#include <set>

#include "book/sentences.h"

namespace lk::book {
namespace {

void report(std::vector<Problem>& problems, const Place& at, std::string what, std::string advice) {
  problems.push_back({Severity::error, {at, std::move(what), std::move(advice)}});
}

template <class T>
bool contains(const std::vector<T>& items, std::string_view item) {
  return std::find(items.begin(), items.end(), item) != items.end();
}

std::vector<Catalog::DeviceName> devices_of(const Catalog& catalog) { return catalog.devices ? catalog.devices() : std::vector<Catalog::DeviceName>(); }

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool word_char(char c) { return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

std::string lowered(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) == "\xC2\xA0") {
      out += ' ';
      ++i;
    } else {
      out += lower(text[i]);
    }
  }
  return out;
}

// What people call a device: its name, its id in any spelling, and the first word of its name when that holds a digit.
std::vector<std::string> spellings(const Catalog::DeviceName& device) {
  std::set<std::string> out{lowered(device.name), lowered(device.id)};
  std::string id = lowered(device.id);
  for (const char gap : {' ', '-'}) {
    std::replace_if(id.begin(), id.end(), [](char c) { return c == '_' || c == ' '; }, gap);
    out.insert(id);
  }
  const std::string first = lowered(device.name.substr(0, device.name.find(' ')));
  if (std::any_of(first.begin(), first.end(), [](char c) { return c >= '0' && c <= '9'; })) out.insert(first);
  out.erase(std::string());
  return {out.begin(), out.end()};
}

bool names_word(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    size_t end = at + word.size();
    if (end < text.size() && text[end] == 's') ++end;
    if ((at == 0 || !word_char(text[at - 1])) && (end >= text.size() || !word_char(text[end]))) return true;
  }
  return false;
}

class DeviceNames {
 public:
  DeviceNames(const Catalog& catalog, std::vector<Problem>& problems) : problems_(problems) {
    for (const auto& device : devices_of(catalog)) names_.emplace_back(device.name, spellings(device));
  }

  void block(const Node& node) {
    switch (node.kind) {
      case Kind::table:
        table(node);
        return;
      case Kind::stats:
        for (const Node& item : node.children) whole(item, {});
        return;
      case Kind::paragraph:
      case Kind::heading:
      case Kind::figure:
        sentences(node);
        return;
      default:
        for (const Node& child : node.children) block(child);
    }
  }

 private:
  void sentences(const Node& node) {
    Run run;
    flatten(node, run);
    if (run.values.empty()) return;
    size_t from = 0;
    for (const size_t end : sentence_ends(run.text)) {
      const std::string words = lowered(std::string_view(run.text).substr(from, end - from));
      for (const auto& [offset, value] : run.values) {
        if (offset >= from && offset < end) test(words, *value);
      }
      from = end;
    }
  }

  void whole(const Node& node, std::string_view more) {
    Run run;
    flatten(node, run);
    for (const auto& [offset, value] : run.values) test(lowered(run.text + " | " + std::string(more)), *value);
  }

  void table(const Node& table) {
    std::vector<std::string> heads;
    for (const Node& row : table.children) {
      Run run;
      std::vector<size_t> starts;
      for (const Node& cell : row.children) {
        run.text += " | ";
        starts.push_back(run.values.size());
        flatten(cell, run);
        if (cell.level == 1) heads.push_back(plain_text(cell));
      }
      for (size_t i = 0; i < run.values.size(); ++i) {
        const auto column = static_cast<size_t>(std::upper_bound(starts.begin(), starts.end(), i) - starts.begin()) - 1;
        test(lowered(run.text + " | " + (column < heads.size() ? heads[column] : std::string())), *run.values[i].second);
      }
    }
  }

  void test(std::string_view words, const Node& value) {
    for (const auto& [name, ways] : names_) {
      if (std::none_of(ways.begin(), ways.end(), [&](const std::string& way) { return names_word(words, way); })) continue;
      report(problems_, value.at, "the " + name + " is named beside a value that follows the reader's device",
             "pin the value with device=..., or leave the name out");
      return;
    }
  }

  std::vector<Problem>& problems_;
  std::vector<std::pair<std::string, std::vector<std::string>>> names_;
};

}  // namespace

bool check_figure_id(const Catalog& catalog, std::string_view figure, const Place& at, std::vector<Problem>& problems) {
  const std::vector<std::string> figures = catalog.figures ? catalog.figures() : std::vector<std::string>();
  if (contains(figures, figure)) return true;
  report(problems, at, "unknown figure `" + std::string(figure) + "`", hint(figure, figures, "figures are " + joined(figures)));
  return false;
}

bool check_query(const Catalog& catalog, std::string_view figure, const Pairs& query, const Place& at, std::vector<Problem>& problems) {
  const std::vector<std::string> fields = catalog.fields ? catalog.fields(figure) : std::vector<std::string>();
  const size_t before = problems.size();
  Pairs known;
  std::set<std::string> seen;
  for (const auto& [name, value] : query) {
    if (!seen.insert(name).second) {
      report(problems, at, "parameter `" + name + "` stands twice", "remove one");
    } else if (!contains(fields, name)) {
      report(problems, at, "figure `" + std::string(figure) + "` has no parameter `" + name + "`", hint(name, fields, "its parameters are " + joined(fields)));
    } else if (name == "device") {
      std::vector<std::string> ids;
      for (const auto& device : devices_of(catalog)) ids.push_back(device.id);
      if (contains(ids, value)) {
        known.emplace_back(name, value);
      } else {
        report(problems, at, "unknown device `" + value + "`", hint(value, ids, "devices are " + joined(ids)));
      }
    } else {
      known.emplace_back(name, value);
    }
  }
  if (catalog.check) {
    for (Error& error : catalog.check(figure, known)) report(problems, at, std::move(error.what), std::move(error.hint));
  }
  return problems.size() == before;
}

void check_value(const Catalog& catalog, const Node& value, std::vector<Problem>& problems) {
  const auto ref = value_ref(value.target);
  if (!ref) {
    report(problems, value.at, "`" + value.target.raw + "` names no result of a figure", "write value:figure.result");
    return;
  }
  if (!check_figure_id(catalog, ref->figure, value.at, problems) || !check_query(catalog, ref->figure, value.target.query, value.at, problems) || !catalog.value) return;
  const auto computed = catalog.value(ref->figure, ref->result, ref->query, ref->device);
  if (!computed) {
    const std::vector<std::string> results = catalog.results ? catalog.results(ref->figure) : std::vector<std::string>();
    if (contains(results, ref->result)) {
      report(problems, value.at, computed.error().what, computed.error().hint);
    } else {
      report(problems, value.at, "figure `" + ref->figure + "` has no result `" + ref->result + "`", hint(ref->result, results, "its results are " + joined(results)));
    }
    return;
  }
  const std::string printed = plain_text(value);
  const auto form = shape(printed, *computed);
  if (!form) {
    const std::string full = shown(*computed, Shape::full);
    report(problems, value.at, "the text says `" + printed + "`, computed is `" + full + "`",
           computed->digits == full ? "write " + full : "write " + computed->digits + " or " + full);
    return;
  }
  if (!ref->device.empty() || *form == Shape::full) return;
  for (const auto& device : devices_of(catalog)) {
    const auto other = catalog.value(ref->figure, ref->result, ref->query, device.id);
    if (!other || other->unit == computed->unit) continue;
    report(problems, value.at, "the unit is `" + computed->unit + "` here and `" + other->unit + "` on the " + device.name, "print the unit inside the link: " + shown(*computed, Shape::full));
    return;
  }
}

void check_device_names(const Catalog& catalog, const Node& tree, std::vector<Problem>& problems) { DeviceNames(catalog, problems).block(tree); }

}  // namespace lk::book
