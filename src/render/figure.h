// A figure as HTML: head, drawing, live sentence, controls, caption, tools, data table. The same text at build time and in WASM.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "plot/figure.h"
#include "plot/frame.h"

namespace lk::render {

/// The live sentence: words with <b> around what the reader set.
std::string summary_html(const plot::Evaluated& figure);
/// <table class="data">, one row a data row with data-row, missing values as an em dash with a spoken name; source label in the head.
std::string table_html(const plot::Evaluated& figure);
/// GFM table.
std::string table_markdown(const plot::Evaluated& figure);
/// <form class="ctl">: native inputs with labels, units, values; `name` attributes are field ids. `uid` makes ids unique ("roofline", "roofline-2").
/// `picker`: the page has a picker of devices (<select id="device">); a list of devices then holds the chosen one alone, and the
/// script that shows it copies the others from there.
std::string controls_html(const plot::Evaluated& figure, std::string_view uid, bool picker = false);
/// <div class="provs">: a disclosure for each way the numbers were obtained.
std::string provenance_html(const plot::Evaluated& figure);

struct FigureHtml {
  std::string uid;           // "roofline", second instance "roofline-2": also the prefix of its parameters in the URL
  std::string number;        // "1.2"; empty in an embed
  std::string caption_html;  // from the text
  std::string pins;          // the author's values, as a query string
  std::string lab_url, embed_url;
  bool picker = false;       // the page has a picker of devices: see controls_html
  std::string module;        // the reader module that carries it; empty: the main one
};
/// The whole <figure>, static: SVGs for three widths (wide figures: 920, 632, 350; beside: 632, 350), chosen by container queries;
/// the data table inside <details>; controls carry `hidden` until a script takes it away.
std::string figure_html(const plot::Evaluated& figure, const FigureHtml& about);

}  // namespace lk::render
