// A view as JSON text and back: what goldens hold. Numbers carry six significant digits, in which native code and
// WebAssembly agree; one mark and one row a line, so that differences read well.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "plot/figure.h"

namespace lk::test {

namespace names {
constexpr const char* role[] = {"ink", "muted", "faint", "grid", "axis", "memory", "compute", "network", "on_chip", "host", "other", "good", "warn", "bad", "accent"};
constexpr const char* fill[] = {"solid", "pale", "outline", "hatch", "wash"};
constexpr const char* scale[] = {"linear", "log", "band", "hidden"};
constexpr const char* shape[] = {"bar", "line", "area", "dot", "arrow", "note", "cell", "code", "link"};
constexpr const char* side[] = {"right", "left", "above", "below", "inside", "along"};
constexpr const char* when[] = {"always", "wide", "narrow"};
constexpr const char* how[] = {"computed", "datasheet", "published", "measured", "illustrative"};
}  // namespace names

class ViewWriter {
 public:
  explicit ViewWriter(int significant) : significant_(significant) {}

  std::string write(const plot::Evaluated& e) {
    out_ = "{\n\"summary\": " + json::quoted(plot::summary_text(e)) + ",\n\"notices\": [";
    list(e.notices, [&](const std::string& n) { out_ += json::quoted(n); });
    out_ += "],\n";
    view(e.view);
    return out_ + "}\n";
  }
  /// The members of a view alone, without the braces around them.
  std::string write(const plot::View& v) {
    out_.clear();
    view(v);
    return out_;
  }

 private:
  template <class List, class Write>
  void list(const List& items, Write write, std::string_view between = ", ") {
    bool first = true;
    for (const auto& item : items) {
      if (!first) out_ += between;
      first = false;
      write(item);
    }
  }
  std::string number(double v) const {
    if (!std::isfinite(v)) return "null";
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.*g", significant_, v == 0 ? 0.0 : v);
    return buffer;
  }
  void member(std::string_view name, const std::string& value) {
    if (out_.back() != '{') out_ += ", ";
    out_ += '"' + std::string(name) + "\": " + value;
  }
  void words(std::string_view name, const std::string& value) {
    if (!value.empty()) member(name, json::quoted(value));
  }
  void amount(std::string_view name, double value, double usual) {
    if (value != usual) member(name, number(value));
  }
  template <class E, size_t N>
  void choice(std::string_view name, E value, const char* const (&table)[N], E usual) {
    if (value != usual) member(name, '"' + std::string(table[static_cast<size_t>(value)]) + '"');
  }
  void flag(std::string_view name, bool value, bool usual) {
    if (value != usual) member(name, value ? "true" : "false");
  }

  void axis(std::string_view name, const plot::Axis& a) {
    const plot::Axis usual;
    member(name, "");
    out_ += "{";
    words("label", a.label);
    amount("unit", static_cast<double>(a.unit), 0);
    amount("lo", a.lo, usual.lo);
    amount("hi", a.hi, usual.hi);
    choice("scale", a.scale, names::scale, usual.scale);
    if (!a.bands.empty()) {
      member("bands", "[");
      list(a.bands, [&](const std::string& b) { out_ += json::quoted(b); });
      out_ += "]";
    }
    flag("turn", a.turn, false);
    flag("labels", a.labels, true);
    flag("grid", a.grid, true);
    out_ += "}";
  }

  void mark(const plot::Mark& m) {
    out_ += "{";
    member("shape", '"' + std::string(names::shape[static_cast<size_t>(m.shape)]) + '"');
    choice("role", m.role, names::role, plot::Role::ink);
    choice("fill", m.fill, names::fill, plot::Fill::solid);
    if (!m.at.empty()) {
      member("at", "[");
      list(m.at, [&](const plot::Point& p) { out_ += "[" + number(p.x) + ", " + number(p.y) + "]"; });
      out_ += "]";
    }
    amount("row", m.row, -1);
    words("label", m.label);
    words("detail", m.detail);
    choice("side", m.side, names::side, plot::Side::right);
    flag("strong", m.strong, false);
    flag("dashed", m.dashed, false);
    amount("keep", m.keep, 0);
    words("drags", m.drags);
    words("sets", m.sets);
    if (m.shape == plot::Shape::link) {
      member("from", "[" + std::to_string(m.from.panel) + ", " + std::to_string(m.from.mark) + "]");
      member("to", "[" + std::to_string(m.to.panel) + ", " + std::to_string(m.to.mark) + "]");
    }
    out_ += "}";
  }

  void panel(const plot::Panel& p) {
    const plot::Panel usual;
    out_ += "{";
    words("title", p.title);
    words("note", p.note);
    amount("lines", p.lines, usual.lines);
    amount("narrow_lines", p.narrow_lines, 0);
    amount("rows", p.rows, 1);
    amount("row", p.row, 0);
    amount("share", p.share, 1);
    choice("when", p.when, names::when, plot::When::always);
    amount("shares_x", p.shares_x, -1);
    axis("x", p.x);
    axis("y", p.y);
    if (!p.keys.empty()) {
      member("keys", "[");
      list(p.keys, [&](const plot::Key& k) {
        out_ += "[\"" + std::string(names::role[static_cast<size_t>(k.role)]) + "\", \"" + names::fill[static_cast<size_t>(k.fill)] + "\", " + json::quoted(k.label) + "]";
      });
      out_ += "]";
    }
    out_ += ",\n\"marks\": [\n";
    list(p.marks, [&](const plot::Mark& m) { mark(m); }, ",\n");
    out_ += "]}";
  }

  void view(const plot::View& v) {
    out_ += "\"out\": [";
    list(v.out, [&](const plot::Named& n) {
      out_ += "[" + json::quoted(n.id) + ", " + number(n.num.v) + ", " + json::quoted(text(n.num)) + ", \"" + names::how[static_cast<size_t>(n.num.how)] + "\"]";
    });
    out_ += "],\n\"columns\": [";
    list(v.columns, [&](const plot::Column& c) {
      out_ += "[" + json::quoted(c.id) + ", " + json::quoted(c.label) + ", " + std::to_string(static_cast<int>(c.unit)) + ", \"" + names::how[static_cast<size_t>(c.how)] + "\"" + (c.text ? ", true" : "") + "]";
    });
    out_ += "],\n\"rows\": [\n";
    for (size_t r = 0; r < v.rows(); ++r) {
      if (r > 0) out_ += ",\n";
      out_ += "[";
      for (size_t c = 0; c < v.columns.size(); ++c) {
        const plot::Cell& cell = v.cells[r * v.columns.size() + c];
        if (c > 0) out_ += ", ";
        out_ += cell.missing ? "null" : v.columns[c].text ? json::quoted(cell.text) : number(cell.v);
      }
      out_ += "]";
    }
    out_ += "],\n\"provenance\": [";
    list(v.provenance, [&](const plot::Provenance& p) { out_ += "[\"" + std::string(names::how[static_cast<size_t>(p.how)]) + "\", " + json::quoted(p.detail) + "]"; });
    out_ += "],\n";
    if (v.wide_from != plot::View().wide_from) out_ += "\"wide_from\": " + number(v.wide_from) + ",\n";
    out_ += "\"panels\": [\n";
    list(v.panels, [&](const plot::Panel& p) { panel(p); }, ",\n");
    out_ += "]\n";
  }

  int significant_;
  std::string out_;
};

inline std::string view_text(const plot::Evaluated& e, int significant = 6) { return ViewWriter(significant).write(e); }
inline std::string view_text(const plot::View& v, int significant = 6) { return ViewWriter(significant).write(v); }

/// The panels of a golden, to draw it again. Members that are not understood read as their usual values.
inline plot::View read_panels(const json::Value& golden) {
  using json::Value;
  const auto num = [](const Value& v, std::string_view key, double usual) {
    const Value* m = v.find(key);
    return m && m->is(json::Kind::number) ? m->number : usual;
  };
  const auto str = [](const Value& v, std::string_view key) {
    const Value* m = v.find(key);
    return m ? m->string : std::string();
  };
  const auto flag = [](const Value& v, std::string_view key, bool usual) {
    const Value* m = v.find(key);
    return m ? m->boolean : usual;
  };
  const auto index = [](std::string_view name, auto& table, size_t usual) {
    for (size_t i = 0; i < std::size(table); ++i)
      if (name == table[i]) return i;
    return usual;
  };
  const auto items = [](const Value& v, std::string_view key) {
    const Value* m = v.find(key);
    return m ? m->array : std::vector<Value>();
  };
  const auto axis = [&](const Value& panel, std::string_view key) {
    plot::Axis a;
    const Value* v = panel.find(key);
    if (!v) return a;
    a.label = str(*v, "label");
    a.unit = static_cast<Unit>(num(*v, "unit", 0));
    a.lo = num(*v, "lo", 0);
    a.hi = num(*v, "hi", 1);
    a.scale = static_cast<plot::Scale>(index(str(*v, "scale"), names::scale, 0));
    for (const Value& b : items(*v, "bands")) a.bands.push_back(b.string);
    a.turn = flag(*v, "turn", false);
    a.labels = flag(*v, "labels", true);
    a.grid = flag(*v, "grid", true);
    return a;
  };
  const auto ref = [&](const Value& v, std::string_view key) {
    const std::vector<Value> pair = items(v, key);
    return pair.size() == 2 ? plot::MarkRef{static_cast<int>(pair[0].number), static_cast<int>(pair[1].number)} : plot::MarkRef{};
  };
  plot::View view;
  view.wide_from = num(golden, "wide_from", view.wide_from);
  for (const Value& p : items(golden, "panels")) {
    plot::Panel panel;
    panel.title = str(p, "title");
    panel.note = str(p, "note");
    panel.lines = num(p, "lines", panel.lines);
    panel.narrow_lines = num(p, "narrow_lines", 0);
    panel.rows = static_cast<int>(num(p, "rows", 1));
    panel.row = static_cast<int>(num(p, "row", 0));
    panel.share = num(p, "share", 1);
    panel.when = static_cast<plot::When>(index(str(p, "when"), names::when, 0));
    panel.shares_x = static_cast<int>(num(p, "shares_x", -1));
    panel.x = axis(p, "x");
    panel.y = axis(p, "y");
    for (const Value& k : items(p, "keys"))
      if (k.array.size() == 3)
        panel.keys.push_back({static_cast<plot::Role>(index(k.array[0].string, names::role, 0)), static_cast<plot::Fill>(index(k.array[1].string, names::fill, 0)), k.array[2].string});
    for (const Value& m : items(p, "marks")) {
      plot::Mark mark;
      mark.shape = static_cast<plot::Shape>(index(str(m, "shape"), names::shape, 0));
      mark.role = static_cast<plot::Role>(index(str(m, "role"), names::role, 0));
      mark.fill = static_cast<plot::Fill>(index(str(m, "fill"), names::fill, 0));
      for (const Value& at : items(m, "at"))
        if (at.array.size() == 2) mark.at.push_back({at.array[0].number, at.array[1].number});
      mark.row = static_cast<int>(num(m, "row", -1));
      mark.label = str(m, "label");
      mark.detail = str(m, "detail");
      mark.side = static_cast<plot::Side>(index(str(m, "side"), names::side, 0));
      mark.strong = flag(m, "strong", false);
      mark.dashed = flag(m, "dashed", false);
      mark.keep = static_cast<int>(num(m, "keep", 0));
      mark.drags = str(m, "drags");
      mark.sets = str(m, "sets");
      mark.from = ref(m, "from");
      mark.to = ref(m, "to");
      panel.marks.push_back(std::move(mark));
    }
    view.panels.push_back(std::move(panel));
  }
  return view;
}

}  // namespace lk::test
