#include "site/build.h"

#include <algorithm>
#include <filesystem>

#include "api/api.h"
#include "api/catalog.h"
#include "base/json.h"
#include "figures/registry.h"
#include "render/figure.h"
#include "render/page.h"
#include "render/page_markdown.h"
#include "site/assets.h"
#include "site/content.h"
#include "site/search_files.h"
#include "site/sha256.h"

namespace lk::site {

namespace {

// The brand mark on a square that survives round and squircle masks.
constexpr std::string_view icon_svg =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 64 64\"><path fill=\"#fcfcfa\" d=\"M0 0h64v64H0z\"/>"
    "<path fill=\"none\" stroke=\"#16181d\" stroke-width=\"4\" d=\"M14 47.5 33.500 25H50\"/><circle cx=\"33.500\" "
    "cy=\"25\" r=\"6.200\" fill=\"#ad0050\"/></svg>\n";

std::string manifest(const book::Book& book, const std::string& base, const std::string& icon) {
  json::Writer w;
  w.begin_object()
      .field("id", base)
      .field("name", book.title)
      .field("short_name", book.title)
      .field("description", book.description);
  w.field("lang", book.language).field("start_url", base).field("scope", base).field("display", "standalone");
  w.field("background_color", "#fcfcfa").field("theme_color", "#fcfcfa").key("icons").begin_array();
  for (const char* purpose : {"any", "maskable"})
    w.begin_object()
        .field("src", icon)
        .field("sizes", "any")
        .field("type", "image/svg+xml")
        .field("purpose", purpose)
        .end_object();
  return w.end_array().end_object().take() + "\n";
}

std::string policy(const render::Assets& a) {
  const auto hash = [](const std::string& text) {
    return text.empty() ? std::string() : " '" + sha256_csp(text) + "'";
  };
  return "default-src 'none'; script-src 'self'" + hash(a.theme_script) + " 'wasm-unsafe-eval'; style-src 'self'" +
         hash(a.critical_css) +
         "; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; "
         "base-uri 'none'; form-action 'none'";
}

/// `code`: for pages with figures that show compiled code. They have a module and a world of their own.
std::string page_json(Assets& assets, const BuildOptions& options, const std::string& device, const char* world, bool code = false) {
  json::Writer w;
  w.begin_object().field("base", options.base).field("world", assets.address(world));
  w.field("terms", assets.address("terms.json"));
  for (const char* module : {"reader", "lab"})
    if (const std::string url = assets.address(std::string(module) + ".wasm"); !url.empty()) w.field(module, url);
  if (code)
    w.key("modules").begin_object().key("code").begin_object().field("reader", assets.address("reader-code.wasm"))
        .field("world", assets.address("world-code.json")).end_object().end_object();
  if (assets.has("sw.js")) w.field("sw", options.base + "sw.js");
  w.field("device", device);
  if (!options.live.empty()) w.field("live", true);
  return w.end_object().take();
}

std::string terms(const Content& content, const std::string& base) {
  render::Assets assets;  // of which a sentence needs the base only
  assets.base = base;
  const book::Catalog catalog = api::catalog(content.world);
  return render::terms_json({content.book, catalog, assets, {}});
}

class Pages {
 public:
  /// `with_code`: for pages with figures that show compiled code. `lab`: for the lab, which draws any figure.
  Pages(const BuildOptions& options, const Content& content, const render::Assets& assets, const render::Assets& with_code,
        const render::Assets& lab, Site& site, std::vector<Problem>& problems)
      : options_(options),
        content_(content),
        site_(site),
        problems_(problems),
        catalog_(api::catalog(content.world)),
        context_(context(assets)),
        with_code_(context(with_code)),
        lab_(context(lab)) {}

  void render() {
    const book::Book& book = content_.book;
    add("/", render::home_page(context_for(book.home)));
    for (const book::Chapter& chapter : book.chapters) add(chapter.url, render::chapter_page(context_for(chapter.body), chapter));
    for (const book::Section& section : book.sections)
      if (section.written) add(section.url, render::section_page(context_for(section.body), section));
    for (const book::TextPage& page : book.text_pages) add(page.url, render::text_page(context_for(page.body), page));
    add("/chapters/glossary/", render::glossary_page(context_));
    add("/chapters/reading/", render::reading_page(context_));
    for (const auto& [from, to] : book.redirects) add(from, render::redirect_page(context_, to));
    for (const plot::Figure* figure : figures::all()) {
      const std::string id(figure->id);
      const render::PageContext& context = in_code(*figure) ? with_code_ : context_;
      add("/embed/" + id + "/", render::embed_page(context, id, figure_html(*figure, {}, id, {}, {})));
      add("/lab/figure/" + id + "/", render::lab_page(lab_, id, figure->title, first_place(id)));
    }
    site_.add("404.html", render::not_found_page(context_));
    markdown();
  }

 private:
  render::PageContext context(const render::Assets& assets) {
    return {content_.book, catalog_, assets,
            [this](const book::Node& node, std::string_view uid, std::string_view caption) { return placed(node, uid, caption); }};
  }

  const render::PageContext& context_for(const book::Node& body) const { return shows_code(body) ? with_code_ : context_; }

  static bool in_code(const plot::Figure& figure) { return figures::module_of(figure) == "code"; }

  static bool shows_code(const book::Node& node) {
    const plot::Figure* figure = node.kind == book::Kind::figure ? figures::find(node.target.id) : nullptr;
    return (figure && in_code(*figure)) || std::any_of(node.children.begin(), node.children.end(), shows_code);
  }

  /// Every page again as Markdown, beside it, and the list of them.
  void markdown() {
    const book::Book& book = content_.book;
    const render::MarkdownContext context{context_, [this](const book::Node& node) { return in_words(node); }};
    const auto page = [&](std::string_view address, std::string text) {
      site_.add(render::markdown_address(address).substr(1), std::move(text));
    };
    page("/", render::home_markdown(context));
    for (const book::Chapter& chapter : book.chapters) page(chapter.url, render::chapter_markdown(context, chapter));
    for (const book::Section& section : book.sections)
      if (section.written) page(section.url, render::section_markdown(context, section));
    for (const book::TextPage& text : book.text_pages) page(text.url, render::text_markdown(context, text));
    page("/chapters/glossary/", render::glossary_markdown(context));
    page("/chapters/reading/", render::reading_markdown(context));
    site_.add("llms.txt", render::llms_text(context));
  }

  render::FigureText in_words(const book::Node& node) const {
    const plot::Figure* figure = figures::find(node.target.id);
    if (!figure) return {};
    const auto evaluated = plot::evaluate(*figure, content_.world, {}, {}, plot::Binder::Mode::strict, node.target.query);
    if (!evaluated) return {std::string(figure->title), {}, {}};  // reported with the page
    return {std::string(figure->title), plot::summary_text(*evaluated), render::table_markdown(*evaluated)};
  }

  void add(std::string_view address, std::string html) {
    site_.add(std::string(address.substr(1)) + "index.html", std::move(html));
  }

  /// Where the text shows a figure first, "" when it does not.
  std::string first_place(const std::string& id) const {
    std::string anchor;
    for (const book::Section& section : content_.book.sections)
      if (find_figure(section.body, id, anchor)) return section.url + '#' + anchor;
    return find_figure(content_.book.home, id, anchor) ? "/#" + anchor : std::string();
  }
  static bool find_figure(const book::Node& node, const std::string& id, std::string& anchor) {
    if (node.kind == book::Kind::figure && node.target.id == id) {
      anchor = node.anchor;
      return true;
    }
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const book::Node& child) { return find_figure(child, id, anchor); });
  }

  std::string placed(const book::Node& node, std::string_view uid, std::string_view caption) {
    const plot::Figure* figure = figures::find(node.target.id);
    if (!figure) {
      problems_.push_back(
          {Severity::error, {node.at, "unknown figure \"" + node.target.id + '"', "lk figures lists them"}});
      return {};
    }
    return figure_html(*figure, node.target.query, uid, node.number, caption, node.at);
  }

  std::string figure_html(const plot::Figure& figure, const plot::Values& pins, std::string_view uid,
                          std::string_view number, std::string_view caption, const Place& at = {}) {
    const auto evaluated = plot::evaluate(figure, content_.world, {}, {}, plot::Binder::Mode::strict, pins);
    if (!evaluated) {
      Error e = evaluated.error();
      e.at = at;
      problems_.push_back({Severity::error, std::move(e)});
      return {};
    }
    const std::string query = plot::write_query(pins),
                      tail = std::string(figure.id) + '/' + (query.empty() ? "" : '?' + query);
    render::FigureHtml about;
    about.uid = uid;
    about.number = number;
    about.caption_html = caption;
    about.pins = query;
    about.lab_url = options_.base + "lab/figure/" + tail;
    about.embed_url = options_.base + "embed/" + tail;
    if (const std::string_view module = figures::module_of(figure); module != "main") about.module = module;
    return render::figure_html(*evaluated, about);
  }

  const BuildOptions& options_;
  const Content& content_;
  Site& site_;
  std::vector<Problem>& problems_;
  book::Catalog catalog_;
  render::PageContext context_, with_code_, lab_;
};

/// What the service worker keeps: every file by address, hash and size, in front of its script.
std::string service_worker(const Site& site, std::string_view script) {
  json::Writer w;
  w.begin_object().field("version", site.version).key("files").begin_array();
  for (const File& f : site.files)
    w.begin_array()
        .value(address(site.base, f.path))
        .value(f.hash)
        .value(static_cast<double>(f.bytes.size()))
        .end_array();
  w.end_array().end_object();
  return "self.LK_BUILD = " + w.take() + ";\n" + std::string(script);
}

}  // namespace

namespace {

/// "example.org", "localhost:8080", "[::1]:8080": a name or address as it travels, and at most a port.
bool is_host(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  std::string_view name = text.substr(0, text.find(']') == std::string_view::npos ? text.find(':') : text.find(']') + 1);
  std::string_view port = text.substr(name.size());
  if (!port.empty()) {
    port.remove_prefix(1);
    if (text[name.size()] != ':' || port.empty() || port.size() > 5 || port.find_first_not_of(digits) != port.npos) return false;
    int number = 0;
    for (const char c : port) number = number * 10 + (c - '0');
    if (number < 1 || number > 65535) return false;
  }
  if (name.starts_with('[')) {
    if (name.size() < 4 || !name.ends_with(']')) return false;
    name = name.substr(1, name.size() - 2);
    return name.find_first_not_of("0123456789abcdefABCDEF:.") == name.npos && name.find(':') != name.npos;
  }
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
  return !name.empty() && name.size() <= 253 && name.find_first_not_of(letters) == name.npos && name.front() != '.' &&
         name.front() != '-' && name.find("..") == name.npos;
}

}  // namespace

std::optional<Error> check_address(const BuildOptions& options) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '~' || c == '.' || c == '/';
  };
  const std::string& base = options.base;
  if (base.empty() || base.front() != '/' || base.back() != '/' || base.find("//") != std::string::npos ||
      base.find("/.") != std::string::npos || !std::all_of(base.begin(), base.end(), plain))
    return Error{{}, "--base \"" + base + "\" is no path of a site", "it begins and ends with a slash: /book/"};
  const std::string& origin = options.origin;
  if (origin.empty()) return std::nullopt;
  const size_t host = origin.starts_with("https://") ? 8 : origin.starts_with("http://") ? 7 : std::string::npos;
  if (host == std::string::npos || !is_host(std::string_view(origin).substr(host)))
    return Error{{},
                 "--origin \"" + origin + "\" is no origin",
                 "a scheme and a host, without a slash at the end: https://example.org"};
  return std::nullopt;
}

Built build(const BuildOptions& options, const std::function<void(std::string_view)>& step) {
  Built built;
  const auto say = [&](std::string_view words) {
    if (step) step(words);
  };
  if (auto why = check_address(options)) {
    built.problems.push_back({Severity::error, std::move(*why)});
    return built;
  }
  say("load and check the content");
  Content content = load_content(options.content);
  built.problems = std::move(content.problems);
  if (!content.usable) return built;

  say("name the assets");
  auto files = read_folder(options.assets, {".js", ".mjs", ".css", ".wasm"});
  if (files.count("main.js") == 0 || files.count("critical.css") == 0) {
    built.problems.push_back({Severity::error,
                              {{options.assets, 0, 0},
                               "the front end is not built",
                               "run scripts/run --build-only, or: node web/build.mjs"}});
    return built;
  }
  constexpr std::pair<const char*, const char*> modules[] = {{"reader.wasm", "pages read, but figures do not move"},
                                                             {"reader-code.wasm", "figures of compiled code do not move"},
                                                             {"lab.wasm", "the lab stays empty"},
                                                             {"search.wasm", "the search finds nothing"}};
  for (const auto& [module, loss] : modules)
    if (files.count(module) == 0)
      built.problems.push_back({Severity::warning,
                                {{options.assets, 0, 0},
                                 std::string(module) + " is missing: " + loss,
                                 "build the WebAssembly modules, then the front end: scripts/run --build-only"}});
  for (auto& [name, bytes] : read_folder(options.fonts, {".woff2", ".ttf"})) files[name] = std::move(bytes);
  const book::Book& book = content.book;
  files["world.json"] = api::write_world({book.devices_json, book.measurements, book.models_json}, api::Detail::figures);
  files["world-code.json"] = api::write_world({book.devices_json, {}, {}, book.compiled_json}, api::Detail::figures);
  files["world-lab.json"] = api::write_world({book.devices_json, book.measurements, book.models_json, book.compiled_json});
  files["terms.json"] = terms(content, options.base);
  files["icon.svg"] = icon_svg;
  Assets assets(std::move(files), options.base);
  add_search(assets, content.book);
  render::Assets links;
  links.base = options.base;
  links.origin = options.origin;
  links.critical_css = assets.inlined("critical.css");
  links.theme_script = assets.inlined("theme.js");
  links.style = assets.address("style.css");
  links.main_script = assets.address("main.js");
  links.embed_script = assets.address("embed.js");
  links.lab_script = assets.address("lab.js");
  links.lab_style = assets.address("lab.css");
  links.lists_script = assets.address("lists.js");
  links.lists_style = assets.address("lists.css");
  links.home_style = assets.address("home.css");
  links.help_script = assets.address("help.js");
  // What the first screen of every page is set in; the others come when something asks for them.
  for (const char* font :
       {"lk-text-regular.woff2", "lk-text-bold.woff2", "lk-sans-regular.woff2", "lk-sans-semibold.woff2"})
    if (std::string url = assets.address(font); !url.empty()) links.preload_fonts.push_back(std::move(url));
  links.icon = assets.address("icon.svg");
  links.manifest = options.base + "manifest.webmanifest";
  const std::string device = api::catalog(content.world).default_device;
  links.page_json = page_json(assets, options, device, "world.json");
  links.csp = policy(links);
  links.live = options.live;
  render::Assets with_code = links;
  with_code.page_json = page_json(assets, options, device, "world.json", true);
  render::Assets lab = links;
  lab.page_json = page_json(assets, options, device, "world-lab.json");
  for (const Problem& p : assets.problems()) built.problems.push_back(p);

  say("render the pages");
  Site site;
  site.base = options.base;
  assets.add_to(site);
  site.add("manifest.webmanifest", manifest(content.book, options.base, links.icon));
  const size_t before = built.problems.size();
  Pages(options, content, links, with_code, lab, site, built.problems).render();
  for (size_t i = before; i < built.problems.size(); ++i) {
    std::string& file = built.problems[i].error.at.file;
    if (!file.empty()) file = (std::filesystem::path(options.content) / file).string();
  }
  site.finish();
  check_pages(site, built.problems);
  if (has_errors(built.problems)) return built;
  if (assets.has("sw.js")) {
    std::string script = service_worker(site, assets.raw("sw.js"));
    site.add("sw.js", std::move(script));
    site.finish();
  }
  built.site = std::move(site);
  return built;
}

}  // namespace lk::site
