#include "api/placed.h"

#include "figures/registry.h"
#include "render/figure.h"

namespace lk::api {

std::string placed_figure(const plot::Evaluated& evaluated, const plot::Figure& figure, const plot::Values& pins, const FigurePlace& place) {
  const std::string query = plot::write_query(pins), tail = std::string(figure.id) + '/' + (query.empty() ? "" : '?' + query);
  render::FigureHtml about;
  about.uid = place.uid;
  about.number = place.number;
  about.caption_html = place.caption_html;
  about.pins = query;
  about.picker = place.picker;
  about.lab_url = std::string(place.base) + "lab/figure/" + tail;
  about.embed_url = std::string(place.base) + "embed/" + tail;
  if (const std::string_view module = figures::module_of(figure); module != "main") about.module = module;
  return render::figure_html(evaluated, about);
}

Result<std::string> placed_figure(const World& world, const plot::Figure& figure, const plot::Values& pins, const FigurePlace& place) {
  const auto evaluated = plot::evaluate(figure, world, {}, {}, plot::Binder::Mode::strict, pins);
  if (!evaluated) return evaluated.error();
  return placed_figure(*evaluated, figure, pins, place);
}

}  // namespace lk::api
