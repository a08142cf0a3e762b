// JSON of what figures return. Used by the methods of this folder.
#pragma once
#include <string>

#include "base/json.h"
#include "plot/figure.h"

namespace lk::api {

/// "FLOP/B", "sectors", "B"; empty for plain numbers.
std::string unit_name(Unit unit);

/// Everything about each parameter; or what a page that holds its control needs at every move: values, and of the options only those
/// that cannot be chosen, as "unavailable"; or that and what each parameter means.
enum class Fields : uint8_t { whole, moved, described };
void write_fields(json::Writer& w, const std::vector<plot::FieldSpec>& specs, Fields which);
void write_results(json::Writer& w, const plot::View& view);
void write_columns(json::Writer& w, const plot::View& view);
void write_rows(json::Writer& w, const plot::View& view);
void write_panels(json::Writer& w, const plot::View& view);
void write_provenance(json::Writer& w, const plot::View& view);
void write_notices(json::Writer& w, const std::vector<std::string>& notices);

/// JSON Schema (2020-12) of a figure's values.
void write_schema(json::Writer& w, const std::vector<plot::FieldSpec>& specs);

}  // namespace lk::api
