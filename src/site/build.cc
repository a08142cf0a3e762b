#include "site/build.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <map>
#include <thread>

#include "api/api.h"
#include "api/catalog.h"
#include "api/placed.h"
#include "base/json.h"
#include "figures/registry.h"
#include "predict/kit.h"
#include "render/figure.h"
#include "render/page.h"
#include "render/page_markdown.h"
#include "site/assets.h"
#include "site/content.h"
#include "site/page_checks.h"
#include "site/search_files.h"
#include "site/sha256.h"
#include "site/worlds.h"

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

/// Modules that a page needs, a bit for each of reader_modules.
using ModuleSet = unsigned;
constexpr ModuleSet every_set = 1U << reader_modules.size();

std::string page_json(Assets& assets, const BuildOptions& options, const std::string& device, const char* world, ModuleSet modules = 0) {
  json::Writer w;
  w.begin_object().field("base", options.base).field("world", assets.address(world));
  w.field("terms", assets.address("terms.json"));
  for (const char* module : {"reader", "lab"})
    if (const std::string url = assets.address(std::string(module) + ".wasm"); !url.empty()) w.field(module, url);
  if (modules != 0) {
    w.key("modules").begin_object();
    for (size_t i = 0; i < reader_modules.size(); ++i) {
      const ReaderModule& m = reader_modules[i];
      if (modules >> i & 1) w.key(m.name).begin_object().field("reader", assets.address(m.wasm)).field("world", assets.address(m.world)).end_object();
    }
    w.end_object();
  }
  if (assets.has("sw.js")) w.field("sw", options.base + "sw.js");
  w.field("device", device);
  if (!options.live.empty()) w.field("live", true);
  return w.end_object().take();
}

/// What the editor begins with: {"chapters/1-foundations/the-kv-cache.md": text, ...}.
std::string content_json(const Content& content) {
  json::Writer w;
  w.begin_object();
  for (const auto& [path, text] : content.files) w.field(path, text);
  return w.end_object().take();
}

std::string terms(const Content& content, const std::string& base) {
  render::Assets assets;  // of which a sentence needs the base only
  assets.base = base;
  const book::Catalog catalog = api::catalog(content.world, content.answers);
  return render::terms_json({content.book, catalog, assets, {}});
}

/// The pages that share nothing but what is read: each thread renders with one of its own.
class Pages {
 public:
  /// A file and who renders it.
  struct Job {
    std::string path;
    std::function<std::string(Pages&)> render;
  };

  /// `by_modules`: what a page with each set of modules links to. `lab`: for the lab, which draws any figure. `edit`: for the editor.
  Pages(const BuildOptions& options, const Content& content, const std::array<render::Assets, every_set>& by_modules, const render::Assets& lab,
        const render::Assets& edit)
      : options_(options), content_(content), catalog_(api::catalog(content.world, content.answers)), lab_(context(lab)), edit_(context(edit)) {
    for (const render::Assets& assets : by_modules) contexts_.push_back(context(assets));
  }
  Pages(const Pages&) = delete;  // its contexts know where it lies

  /// Every page, and again as Markdown beside it.
  static std::vector<Job> jobs(const book::Book& book) {
    std::vector<Job> out;
    const auto page = [&](std::string_view address, std::function<std::string(Pages&)> html, std::function<std::string(Pages&)> markdown = {}) {
      out.push_back({std::string(address.substr(1)) + "index.html", std::move(html)});
      if (markdown) out.push_back({render::markdown_address(address).substr(1), std::move(markdown)});
    };
    page("/", [&](Pages& p) { return render::home_page(p.context_for(book.home)); }, [](Pages& p) { return render::home_markdown(p.markdown()); });
    for (const book::Chapter& chapter : book.chapters)
      page(chapter.url, [&](Pages& p) { return render::chapter_page(p.context_for(chapter.body), chapter); },
           [&](Pages& p) { return render::chapter_markdown(p.markdown(), chapter); });
    for (const book::Section& section : book.sections) {
      if (!section.written) continue;
      page(section.url, [&](Pages& p) { return render::section_page(p.context_for(section.body), section); },
           [&](Pages& p) { return render::section_markdown(p.markdown(), section); });
    }
    for (const book::TextPage& text : book.text_pages)
      page(text.url, [&](Pages& p) { return render::text_page(p.context_for(text.body), text); },
           [&](Pages& p) { return render::text_markdown(p.markdown(), text); });
    page("/chapters/glossary/", [](Pages& p) { return render::glossary_page(p.contexts_[0]); }, [](Pages& p) { return render::glossary_markdown(p.markdown()); });
    page("/chapters/reading/", [](Pages& p) { return render::reading_page(p.contexts_[0]); }, [](Pages& p) { return render::reading_markdown(p.markdown()); });
    for (const auto& redirect : book.redirects) {
      const std::string& to = redirect.second;
      page(redirect.first, [&](Pages& p) { return render::redirect_page(p.contexts_[0], to); });
    }
    for (const plot::Figure* figure : figures::all()) {
      const std::string id(figure->id);
      page("/embed/" + id + "/", [=](Pages& p) { return render::embed_page(p.contexts_[module_of(*figure)], id, p.figure_html(*figure, {}, id, {}, {})); });
      page("/lab/figure/" + id + "/", [=](Pages& p) { return render::lab_page(p.lab_, id, figure->title, p.first_place(id)); });
    }
    out.push_back({"404.html", [](Pages& p) { return render::not_found_page(p.contexts_[0]); }});
    page("/edit/", [](Pages& p) { return render::edit_page(p.edit_); });
    page("/edit/preview/", [](Pages& p) { return render::edit_preview_page(p.contexts_[0]); });
    out.push_back({"llms.txt", [](Pages& p) { return render::llms_text(p.markdown()); }});
    return out;
  }

  std::vector<Problem> problems;

 private:
  render::PageContext context(const render::Assets& assets) {
    return {content_.book, catalog_, assets,
            [this](const book::Node& node, std::string_view uid, std::string_view caption) { return placed(node, uid, caption); }};
  }

  const render::PageContext& context_for(const book::Node& body) const { return contexts_[modules_in(body)]; }

  static ModuleSet module_of(const plot::Figure& figure) {
    for (size_t i = 0; i < reader_modules.size(); ++i)
      if (figures::module_of(figure) == reader_modules[i].name) return 1U << i;
    return 0;
  }

  static ModuleSet modules_in(const book::Node& node) {
    const plot::Figure* figure = node.kind == book::Kind::figure ? figures::find(node.target.id) : nullptr;
    ModuleSet set = figure ? module_of(*figure) : 0;
    for (const book::Node& child : node.children) set |= modules_in(child);
    return set;
  }

  render::MarkdownContext markdown() {
    return {contexts_[0], [this](const book::Node& node) { return in_words(node); }};
  }

  /// A figure stands in a page, in its Markdown and in others.
  const Result<plot::Evaluated>& evaluated(const plot::Figure& figure, const plot::Values& pins) {
    const std::string key = std::string(figure.id) + '?' + plot::write_query(pins);
    const auto at = evaluated_.find(key);
    if (at != evaluated_.end()) return at->second;
    if (evaluated_.size() >= 64) evaluated_.clear();
    return evaluated_.emplace(key, plot::evaluate(figure, content_.world, {}, {}, plot::Binder::Mode::strict, pins)).first->second;
  }

  render::FigureText in_words(const book::Node& node) {
    const plot::Figure* figure = figures::find(node.target.id);
    if (!figure) return {};
    const Result<plot::Evaluated>& evaluated = this->evaluated(*figure, node.target.query);
    if (!evaluated) return {std::string(figure->title), {}, {}};  // reported with the page
    return {std::string(figure->title), plot::summary_text(*evaluated), render::table_markdown(*evaluated)};
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
      problems.push_back(
          {Severity::error, {node.at, "unknown figure \"" + node.target.id + '"', "lk figures lists them"}});
      return {};
    }
    return figure_html(*figure, node.target.query, uid, node.number, caption, node.at);
  }

  std::string figure_html(const plot::Figure& figure, const plot::Values& pins, std::string_view uid,
                          std::string_view number, std::string_view caption, const Place& at = {}) {
    const Result<plot::Evaluated>& evaluated = this->evaluated(figure, pins);
    if (evaluated) return api::placed_figure(*evaluated, figure, pins, {uid, number, caption, options_.base, !number.empty()});  // numbered ones stand in sections, whose header has the picker
    Error e = evaluated.error();
    e.at = at;
    problems.push_back({Severity::error, std::move(e)});
    return {};
  }

  const BuildOptions& options_;
  const Content& content_;
  book::Catalog catalog_;
  std::map<std::string, Result<plot::Evaluated>> evaluated_;
  std::vector<render::PageContext> contexts_;  // by ModuleSet
  render::PageContext lab_, edit_;
};

/// What the service worker keeps: every file by address, hash and size, in front of its script.
std::string service_worker(const Site& site, std::string_view script) {
  json::Writer w;
  w.begin_object().field("version", site.version).key("files").begin_array();
  for (const File& f : site.files)
    w.begin_array()
        .value(address(site.base, f.path))
        .value(f.hash)
        .value(static_cast<double>(f.size))
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

namespace {

/// Renders with as many threads as there are processors. The files and problems come in the order of the jobs.
template <class Renderer>
void render_pages(const std::vector<Pages::Job>& jobs, const Renderer& renderer, Site& site, PageChecks& checks,
                  std::vector<Problem>& problems) {
  std::vector<File> files(jobs.size());
  std::vector<std::vector<Problem>> found(jobs.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    Pages pages = renderer();
    for (size_t i = next++; i < jobs.size(); i = next++) {
      std::string text = jobs[i].render(pages);
      found[i] = std::exchange(pages.problems, {});
      if (jobs[i].path.ends_with(".html")) checks.add(jobs[i].path, text);
      files[i] = site.taken(jobs[i].path, std::move(text));
    }
  };
  std::vector<std::thread> others(std::min<size_t>(std::clamp(std::thread::hardware_concurrency(), 1U, 8U) - 1, jobs.size() / 8));
  for (std::thread& one : others) one = std::thread(work);
  work();
  for (std::thread& one : others) one.join();
  site.files.insert(site.files.end(), std::make_move_iterator(files.begin()), std::make_move_iterator(files.end()));
  for (std::vector<Problem>& of_job : found) problems.insert(problems.end(), std::make_move_iterator(of_job.begin()), std::make_move_iterator(of_job.end()));
}

}  // namespace

Built build(const BuildOptions& options, const std::function<void(std::string_view)>& step, const std::function<Result<Sink>()>& open) {
  Built built;
  const auto say = [&](std::string_view words) {
    if (step) step(words);
  };
  if (auto why = check_address(options)) {
    built.problems.push_back({Severity::error, std::move(*why)});
    return built;
  }
  say("load and check the content");
  Content content = load_content(options.content, options.answers);
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
  std::vector<std::pair<const char*, const char*>> modules{{"reader.wasm", "pages read, but figures do not move"},
                                                           {"lab.wasm", "the lab stays empty"},
                                                           {"search.wasm", "the search finds nothing"},
                                                           {"author.wasm", "the editor shows neither previews nor problems"},
                                                           {"kernels.wasm", "listings cannot be run"}};
  for (const ReaderModule& m : reader_modules) modules.emplace_back(m.wasm, m.loss);
  for (const auto& [module, loss] : modules)
    if (files.count(module) == 0)
      built.problems.push_back({Severity::warning,
                                {{options.assets, 0, 0},
                                 std::string(module) + " is missing: " + loss,
                                 "build the WebAssembly modules, then the front end: scripts/run --build-only"}});
  for (auto& [name, bytes] : read_folder(options.fonts, {".woff2", ".ttf"})) files[name] = std::move(bytes);
  const book::Book& book = content.book;
  files["world.json"] = module_world(book, "main");
  for (const ReaderModule& m : reader_modules) files[m.world] = module_world(book, m.name);
  files["world-lab.json"] = api::write_world({book.devices_json, book.measurements, book.models_json, book.compiled_json, book.predictions});
  files["terms.json"] = terms(content, options.base);
  files["content.json"] = content_json(content);
  files["kit.json"] = predict::write_kit(kit_files(options.content, built.problems));
  files["icon.svg"] = icon_svg;
  Site site;
  site.base = options.base;
  if (open) {
    auto sink = open();
    if (!sink) {
      built.problems.push_back({Severity::error, sink.error()});
      return built;
    }
    site.sink = std::move(*sink);
  }
  Assets assets(std::move(files), options.base);
  add_search(assets, site, content.book);
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
  links.edit_script = assets.address("edit.js");
  links.edit_style = assets.address("edit.css");
  links.preview_script = assets.address("preview.js");
  links.preview_style = assets.address("preview.css");
  // A font that comes a moment after the first paint would move the text, even an optional one: browsers wait for those that are asked for here.
  for (const char* font :
       {"lk-text-regular.woff2", "lk-text-italic.woff2", "lk-text-bold.woff2", "lk-sans-regular.woff2", "lk-sans-semibold.woff2", "lk-mono-regular.woff2"})
    if (std::string url = assets.address(font); !url.empty()) links.preload_fonts.push_back(std::move(url));
  links.math_font = assets.address("lk-math.woff2");
  links.icon = assets.address("icon.svg");
  links.manifest = options.base + "manifest.webmanifest";
  const std::string device = api::catalog(content.world, content.answers).default_device;
  links.csp = policy(links);
  links.live = options.live;
  std::array<render::Assets, every_set> by_modules;
  for (ModuleSet set = 0; set < every_set; ++set) {
    by_modules[set] = links;
    by_modules[set].page_json = page_json(assets, options, device, "world.json", set);
  }
  render::Assets lab = links;
  lab.page_json = page_json(assets, options, device, "world-lab.json");
  // The editor frames its preview.
  render::Assets edit = by_modules[0];
  edit.csp += "; frame-src 'self'";
  for (const Problem& p : assets.problems()) built.problems.push_back(p);

  say("render the pages");
  assets.add_to(site);
  site.add("manifest.webmanifest", manifest(content.book, options.base, links.icon));
  const size_t before = built.problems.size();
  PageChecks checks;
  render_pages(Pages::jobs(book), [&] { return Pages(options, content, by_modules, lab, edit); }, site, checks, built.problems);
  for (size_t i = before; i < built.problems.size(); ++i) {
    std::string& file = built.problems[i].error.at.file;
    if (!file.empty()) file = (std::filesystem::path(options.content) / file).string();
  }
  site.finish();
  checks.finish(site, built.problems);
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
