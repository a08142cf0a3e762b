#include "api/api.h"

#include <algorithm>

#include "api/write.h"
#include "base/utf8.h"
#include "figures/registry.h"
#include "plot/frame.h"
#include "render/figure.h"
#include "render/svg.h"

namespace lk::api {
namespace {

/// A drawing as a browser reads it quickest. Both kinds of quotes are escaped in its values and words, so either may hold
/// them; single ones need no escapes in JSON. With letters beyond ASCII as numbers it stays a string of single bytes.
std::string light(std::string svg) {
  std::replace(svg.begin(), svg.end(), '"', '\'');
  const auto beyond = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (std::none_of(svg.begin(), svg.end(), beyond)) return svg;
  std::string out;
  for (size_t at = 0; at < svg.size();) {
    const size_t begin = at;
    while (at < svg.size() && !beyond(svg[at])) ++at;
    out.append(svg, begin, at - begin);
    if (at < svg.size()) out.append("&#").append(std::to_string(static_cast<uint32_t>(next_code_point(svg, at)))).append(";");
  }
  return out;
}

using plot::Binder;

constexpr double widest = 4000;
constexpr double usual_width = 632;  // the text column

// Parameters of one call: typed access, then one check that nothing was wrong or unknown.
class Params {
 public:
  explicit Params(const json::Value& params) : reader_(params, {}, problems_) {}
  json::Reader& read() { return reader_; }
  void problem(const json::Value& at, std::string what, std::string hint) { reader_.problem(at, std::move(what), std::move(hint)); }
  /// The first thing that was wrong, if anything was.
  const Error* error() {
    reader_.done();
    return problems_.empty() ? nullptr : &problems_.front().error;
  }

 private:
  std::vector<Problem> problems_;
  json::Reader reader_;
};

// "values" as people and programs write them: text, numbers, booleans.
plot::Values read_values(Params& params) {
  plot::Values out;
  const json::Value* values = params.read().object("values");
  if (!values) return out;
  for (const auto& [key, v] : values->object) {
    switch (v.kind) {
      case json::Kind::string: out.emplace_back(key, v.string); break;
      case json::Kind::number: out.emplace_back(key, plain(v.number)); break;
      case json::Kind::boolean: out.emplace_back(key, v.boolean ? "on" : "off"); break;
      default: params.problem(v, "the value of \"" + key + "\" must be text, a number or a boolean, this is " + std::string(json::name(v.kind)), "");
    }
  }
  return out;
}

const plot::Figure* read_figure(Params& params) {
  const std::string id = params.read().text("id");
  if (const plot::Figure* figure = figures::find(id)) return figure;
  if (const json::Value* at = params.read().self().find("id"); at && at->is(json::Kind::string)) {
    std::vector<std::string_view> ids;
    std::string known = "known:";
    for (const plot::Figure* f : figures::all()) {
      ids.push_back(f->id);
      known += ' ' + std::string(f->id);
    }
    const std::string near = closest(id, ids);
    params.problem(*at, "unknown figure" + (id.size() <= 60 ? " \"" + id + '"' : std::string()),
                   near.empty() ? known : "did you mean \"" + near + "\"?");
  }
  return nullptr;
}

// What evaluate, render and drag share: id, values or query, pins, device, mode.
struct Request {
  const plot::Figure* figure = nullptr;
  plot::Values values, pins;
  std::string device;
  Binder::Mode mode = Binder::Mode::lenient;
};

Request read_request(Params& params) {
  Request r;
  r.figure = read_figure(params);
  r.values = read_values(params);
  const json::Value& self = params.read().self();
  const std::string query = params.read().text("query", "");
  if (self.find("query")) {
    if (const json::Value* both = self.find("values")) params.problem(*both, "values and query are two ways to say the same", "give one of them");
    r.values = plot::parse_query(query);
  }
  r.pins = plot::parse_query(params.read().text("pins", ""));
  r.device = params.read().text("device", "");
  const std::string mode = params.read().text("mode", "lenient");
  if (mode == "strict") {
    r.mode = Binder::Mode::strict;
  } else if (const json::Value* at = self.find("mode"); at && at->is(json::Kind::string) && mode != "lenient") {
    params.problem(*at, "\"mode\" must be lenient or strict", "");
  }
  return r;
}

double read_width(Params& params) { return std::clamp(params.read().number("width", usual_width), plot::narrowest, widest); }

Result<plot::Evaluated> evaluate(const Context& context, const Request& r) {
  return plot::evaluate(*r.figure, context.world, r.values, r.device, r.mode, r.pins);
}

void write_common(json::Writer& w, const plot::Evaluated& e, Fields fields) {
  w.field("id", e.figure->id).key("fields");
  write_fields(w, e.specs, fields);
  w.field("query", plot::write_query(e.canonical)).key("out");
  write_results(w, e.view);
  w.field("summary", plot::summary_text(e)).key("notices");
  write_notices(w, e.notices);
}

Result<std::string> list(const Context&, const json::Value& value) {
  Params params(value);
  if (const Error* e = params.error()) return *e;
  json::Writer w;
  w.begin_array();
  for (const plot::Figure* f : figures::all()) {
    w.begin_object().field("id", f->id).field("title", f->title);
    w.field("cost", f->cost == plot::Cost::instant ? "instant" : "worker");
    w.field("place", f->place == plot::Place::beside ? "beside" : "wide").end_object();
  }
  w.end_array();
  return w.take();
}

Result<std::string> schema(const Context& context, const json::Value& value) {
  Params params(value);
  const plot::Figure* figure = read_figure(params);
  if (const Error* e = params.error()) return *e;
  const auto e = plot::evaluate(*figure, context.world, {}, {}, Binder::Mode::strict);
  if (!e) return e.error();
  json::Writer w;
  w.begin_object().field("id", figure->id).field("title", figure->title).key("params");
  write_schema(w, e->specs);
  w.key("results").begin_array();
  for (const plot::Named& named : e->view.out)
    w.begin_object().field("id", named.id).field("unit", unit_name(named.num.unit)).field("how", name(named.num.how)).end_object();
  w.end_array().key("columns");
  write_columns(w, e->view);
  w.end_object();
  return w.take();
}

Result<std::string> evaluate(const Context& context, const json::Value& value) {
  Params params(value);
  const Request r = read_request(params);
  const bool markdown = params.read().boolean("markdown", false);
  if (const Error* e = params.error()) return *e;
  const auto e = evaluate(context, r);
  if (!e) return e.error();
  json::Writer w;
  w.begin_object();
  write_common(w, *e, Fields::whole);
  if (markdown) w.field("markdown", "# " + std::string(e->figure->title) + "\n\n" + plot::summary_text(*e) + "\n\n" + render::table_markdown(*e));
  w.key("columns");
  write_columns(w, e->view);
  w.key("rows");
  write_rows(w, e->view);
  w.key("provenance");
  write_provenance(w, e->view);
  w.key("panels");
  write_panels(w, e->view);
  w.end_object();
  return w.take();
}

Result<std::string> render(const Context& context, const json::Value& value) {
  Params params(value);
  const Request r = read_request(params);
  const double width = read_width(params);
  const std::string prefix = params.read().text("prefix", r.figure ? r.figure->id : std::string_view());
  const std::string alt = params.read().text("alt", "");
  const bool table = params.read().boolean("table", false);
  const bool described = params.read().boolean("described", false);
  if (const Error* e = params.error()) return *e;
  const auto e = evaluate(context, r);
  if (!e) return e.error();
  const plot::Frame frame = plot::layout(e->view, width);
  json::Writer w;
  w.begin_object();
  write_common(w, *e, described ? Fields::described : Fields::moved);
  std::string svg = render::svg(e->view, frame, alt.empty() ? plot::summary_text(*e) : alt, prefix, {});
  w.field("svg", light(std::move(svg)));
  w.field("summary_html", render::summary_html(*e)).field("width", frame.width).field("height", frame.height);
  w.field("provenance_html", render::provenance_html(*e));
  if (table) w.field("table_html", render::table_html(*e));
  w.end_object();
  return w.take();
}

Result<std::string> drag(const Context& context, const json::Value& value) {
  Params params(value);
  const Request r = read_request(params);
  const double width = read_width(params);
  const int panel = params.read().integer("panel");
  const int mark = params.read().integer("mark");
  const double x = params.read().number("x");
  if (const Error* e = params.error()) return *e;
  const auto e = evaluate(context, r);
  if (!e) return e.error();
  const auto& panels = e->view.panels;
  const bool exists = panel >= 0 && static_cast<size_t>(panel) < panels.size() && mark >= 0 &&
                      static_cast<size_t>(mark) < panels[static_cast<size_t>(panel)].marks.size();
  if (!exists) return Error{{}, "there is no mark " + std::to_string(mark) + " in panel " + std::to_string(panel), ""};
  const std::string& field = panels[static_cast<size_t>(panel)].marks[static_cast<size_t>(mark)].drags;
  const auto spec = std::find_if(e->specs.begin(), e->specs.end(), [&](const plot::FieldSpec& s) { return s.id == field; });
  const auto data = spec == e->specs.end() ? std::nullopt : plot::invert_x(plot::layout(e->view, width), panel, x);
  if (!data) return Error{{}, "this mark cannot be dragged", ""};
  json::Writer w;
  w.begin_object().field("field", field).field("value", spec->nearest(*data)).end_object();
  return w.take();
}

constexpr Method methods[] = {
    {"figure.list", R"(All figures. {})", list},
    {"figure.schema", R"(Parameters, results and columns of a figure. {"id": "roofline"})", schema},
    {"figure.evaluate", R"(Results, table and marks at given values. {"id": "roofline", "values": {"intensity": 12}, "device": "h200"})", evaluate},
    {"figure.render", R"(The drawing at a width in px, with its parameters and, of choices, those that cannot be made. {"id": "roofline", "query": "intensity=12", "width": 632, "table": true, "described": true})", render},
    {"figure.drag", R"(The value a mark takes when dragged to x px. {"id": "roofline", "width": 632, "panel": 0, "mark": 0, "x": 300})", drag},
};

}  // namespace

Methods figure_methods() { return methods; }

}  // namespace lk::api
