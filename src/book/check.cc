#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "base/utf8.h"
#include "book/book.h"
#include "book/check_values.h"
#include "book/options.h"

namespace lk::book {
namespace {

constexpr std::array<std::string_view, 6> schemes = {"term", "figure", "source", "section", "value", "set"};
constexpr std::array<std::string_view, 8> page_ids = {"main", "device", "theme", "contents", "search", "top", "lk-page", "lk-values"};
constexpr std::array<std::string_view, 5> page_prefixes = {"fig-", "sn-", "ref-", "h-", "lk-"};

bool reserved(std::string_view id) {
  return std::find(page_ids.begin(), page_ids.end(), id) != page_ids.end() ||
         std::any_of(page_prefixes.begin(), page_prefixes.end(), [&](std::string_view prefix) { return id.substr(0, prefix.size()) == prefix; });
}

// "https:example.org" is one letter or two from an address, and browsers read it as a place on this site.
bool names_no_host(std::string_view url) {
  const size_t colon = url.find(':');
  if (colon == std::string_view::npos || url.substr(0, 4) != "http" || colon > 5) return false;
  return url.substr(colon + 1, 2) != "//" || url.size() == colon + 3 || url.find_first_of("/?#", colon + 3) == colon + 3;
}

bool is_heading(const Node& node, std::string_view text) { return node.kind == Kind::heading && node.text == text; }

// What one page offers to the links on it.
struct PageInfo {
  std::set<std::string> anchors;
  std::vector<std::string> figures;  // uids
};

PageInfo page_info(const Node& tree) {
  PageInfo out;
  walk(tree, [&](const Node& node) {
    if (node.kind == Kind::figure) out.figures.emplace_back(uid(node));
    if (node.kind == Kind::figure || node.kind == Kind::heading) out.anchors.insert(node.anchor);
  });
  return out;
}

class Checker {
 public:
  Checker(const Book& book, const Catalog& catalog, std::vector<Problem>& problems) : book_(book), catalog_(catalog), problems_(problems) {}

  void run() {
    if (!book_.device.empty() && book_.device != catalog_.default_device) {
      report(book_.device_at, "the device is `" + book_.device + "`, but devices.json says `" + catalog_.default_device + "`", "make them equal");
    }
    page(book_.home, {});
    for (const Chapter& chapter : book_.chapters) page(chapter.body, [&] { lede(chapter.lede, chapter.lede_at); });
    for (const Section& section : book_.sections) {
      if (section.written) page(section.body, [&] { head(section); });
    }
    for (const TextPage& text : book_.text_pages) page(text.body, [&] { lede(text.lede, text.lede_at); });
    for (const Term& term : book_.terms) glossary_entry(term);
    for (const Source& source : book_.sources) {
      if (reserved(source.id)) report(source.at, "the source id `" + source.id + "` is taken by the page itself", "choose another");
      entry(source.note, source.at);
    }
    for (const Group& group : book_.groups) reading_group(group);
    tables();
    unused();
  }

 private:
  void report(const Place& at, std::string what, std::string advice) { problems_.push_back({Severity::error, {at, std::move(what), std::move(advice)}}); }
  void warn(const Place& at, std::string what, std::string advice) { problems_.push_back({Severity::warning, {at, std::move(what), std::move(advice)}}); }

  // One page: its problems come in the order of the text.
  void page(const Node& tree, const std::function<void()>& more) {
    const size_t from = problems_.size();
    page_ = page_info(tree);
    if (more) more();
    headings(tree);
    node(tree);
    check_device_names(catalog_, tree, problems_);
    std::stable_sort(problems_.begin() + static_cast<std::ptrdiff_t>(from), problems_.end(), [](const Problem& a, const Problem& b) {
      return std::pair(a.error.at.line, a.error.at.column) < std::pair(b.error.at.line, b.error.at.column);
    });
  }

  void lede(const std::string& words, const Place& at) {
    if (words.find("](") != std::string::npos || words.find('`') != std::string::npos) report(at, "the lede holds markup", "write plain words");
  }

  void head(const Section& section) {
    lede(section.lede, section.lede_at);
    bool has_sources = false;
    walk(section.body, [&](const Node& n) { has_sources = has_sources || is_heading(n, "Sources"); });
    if (!has_sources && section.sources_needed) report({section.file, 1, 1}, "the section names no sources", "end it with ## Sources, or write `sources: none` in the front matter");
    if (has_sources && !section.sources_needed) report({section.file, 1, 1}, "the front matter says `sources: none`, but there are some", "remove that line");
  }

  void headings(const Node& tree) {
    int level = 1;
    std::map<std::string, int> seen;
    for (size_t i = 0; i < tree.children.size(); ++i) {
      const Node& n = tree.children[i];
      if (n.kind != Kind::heading) continue;
      if (n.text.empty()) {
        report(n.at, "an empty heading", "write its words");
      } else if (n.level == 1) {
        report(n.at, "a heading of the first level", "the title comes from book.json; begin at ##");
      } else if (n.level > level + 1) {
        report(n.at, "a heading of level " + std::to_string(n.level) + " under one of level " + std::to_string(level), "use level " + std::to_string(level + 1));
      }
      level = std::max(n.level, 1);
      anchor(n, seen);
      if (is_heading(n, "Sources") && (i + 1 == tree.children.size() || tree.children[i + 1].kind != Kind::sources)) {
        report(n.at, "no list under `Sources`", "write - [title](source:id): what was taken");
      }
    }
  }

  void anchor(const Node& heading, std::map<std::string, int>& seen) {
    if (heading.text.empty()) return;
    const std::string id = slug(heading.text);
    const auto [first, fresh] = seen.emplace(id, heading.at.line);
    if (!fresh) report(heading.at, "the anchor `" + id + "` is taken by the heading in line " + std::to_string(first->second), "change the words of one of them");
    if (reserved(id)) report(heading.at, "the anchor `" + id + "` is taken by the page itself", "change the words of the heading");
  }

  void node(const Node& n) {
    switch (n.kind) {
      case Kind::figure: figure(n); break;
      case Kind::listing: listing(n); break;
      case Kind::sources: sources(n); break;
      case Kind::footnote: footnote(n); break;
      case Kind::image: image(n); break;
      case Kind::link: words(n); link(n); break;
      case Kind::term: words(n); term(n); break;
      case Kind::source: words(n); source(n); break;
      case Kind::section: words(n); section(n); break;
      case Kind::set: words(n); set(n); break;
      case Kind::value:
        words(n);
        only(n, true, false);
        check_value(catalog_, n, problems_);
        break;
      default: break;
    }
    for (const Node& child : n.children) node(child);
  }

  void words(const Node& n) {
    if (plain_text(n).find_first_not_of(' ') == std::string::npos) report(n.at, "a link without words", "write [words](" + n.target.raw + ")");
  }

  // Parts of an address that its scheme has no use for.
  void only(const Node& n, bool query, bool fragment) {
    if (!query && !n.target.query.empty()) report(n.at, "`" + n.target.scheme + ":` takes no parameters", "remove what follows '?'");
    if (!fragment && !n.target.fragment.empty()) report(n.at, "`" + n.target.scheme + ":` takes no fragment", "remove what follows '#'");
  }

  void figure(const Node& n) {
    only(n, true, false);
    if (plain_text(n).find_first_not_of(' ') == std::string::npos) report(n.at, "a figure without a caption", "write ![what to try and what to notice](" + n.target.raw + ")");
    bool notes = false;
    walk(n, [&](const Node& child) { notes = notes || child.kind == Kind::footnote_ref; });
    if (notes) report(n.at, "a footnote in a caption", "put it into the text");
    if (check_figure_id(catalog_, n.target.id, n.at, problems_)) check_query(catalog_, n.target.id, n.target.query, n.at, problems_);
  }

  void image(const Node& n) {
    if (n.target.scheme == "figure") {
      report(n.at, "a figure inside a paragraph", "let it stand alone between empty lines");
      check_figure_id(catalog_, n.target.id, n.at, problems_);
    } else {
      report(n.at, "an image that is no figure", "figures are placed with ![caption](figure:id)");
    }
  }

  void link(const Node& n) {
    const std::string& scheme = n.target.scheme;
    const std::string& raw = n.target.raw;
    if (scheme == "figure") {
      report(n.at, "a link to a figure", "place it with ![caption](figure:id), or move it with [words](set:id?name=value)");
    } else if (scheme == "javascript" || scheme == "data" || scheme == "vbscript" || scheme == "file" || scheme == "blob") {
      report(n.at, "`" + scheme + ":` is not allowed as an address", "link to https, or use one of the book's own schemes");
    } else if (!scheme.empty()) {
      report(n.at, "unknown scheme `" + scheme + "`", hint(scheme, schemes, "schemes are term, figure, source, section, value, set, https, http and mailto"));
    } else if (raw.empty()) {
      report(n.at, "a link without an address", "write it between the parentheses");
    } else if (!safe_address(raw)) {
      report(n.at, "`" + raw + "` is not allowed as an address", "link to https, or use one of the book's own schemes");
    } else if (names_no_host(raw)) {
      report(n.at, "`" + raw + "` names no host", "write https://host/path");
    } else if (raw.front() == '#') {
      fragment(n, page_.anchors, "this page");
    } else if (raw.find(':') == std::string::npos || raw.find(':') > raw.find_first_of("/?#")) {
      report(n.at, "`" + raw + "` is a relative address", "link to pages with section:id");
    }
  }

  void fragment(const Node& n, const std::set<std::string>& anchors, std::string_view where) {
    const std::string& name = n.target.fragment;
    if (anchors.count(name) != 0) return;
    report(n.at, "no anchor `" + name + "` on " + std::string(where), hint(name, anchors, "anchors are made of headings: `" + slug(name) + "` needs one"));
  }

  void term(const Node& n) {
    only(n, false, false);
    if (const Term* found = book_.term(n.target.id)) {
      used_terms_.insert(found->id);
      return;
    }
    std::vector<std::string> names;
    for (const Term& t : book_.terms) {
      names.push_back(t.id);
      names.push_back(t.name);
      names.insert(names.end(), t.aliases.begin(), t.aliases.end());
    }
    report(n.at, "unknown term `" + n.target.id + "`", hint(n.target.id, names, "add it to glossary.json"));
  }

  bool source_id(const std::string& id, const Place& at) {
    if (book_.source(id) != nullptr) {
      used_sources_.insert(id);
      return true;
    }
    std::vector<std::string> ids;
    for (const Source& s : book_.sources) ids.push_back(s.id);
    report(at, "unknown source `" + id + "`", hint(id, ids, "add it to reading.json"));
    return false;
  }

  void source(const Node& n) {
    only(n, false, false);
    source_id(n.target.id, n.at);
  }

  void section(const Node& n) {
    only(n, false, true);
    const std::string& id = n.target.id;
    if (!resolve(book_, n.target)) {
      std::vector<std::string> ids;
      for (const Section& s : book_.sections) ids.push_back(s.id);
      for (const Chapter& c : book_.chapters) ids.push_back(c.id);
      for (const TextPage& p : book_.text_pages) ids.push_back(p.id);
      for (const Page& p : pages()) ids.emplace_back(p.id);
      report(n.at, "unknown section `" + id + "`", hint(id, ids, "sections, chapters and pages are named by their id in book.json"));
      return;
    }
    if (n.target.fragment.empty()) return;
    std::set<std::string> anchors;
    if (const Section* to = book_.section(id)) {
      if (!to->written) return;
      anchors = page_info(to->body).anchors;
    } else if (id == "glossary") {
      for (const Term& t : book_.terms) anchors.insert(t.id);
    } else if (id == "reading") {
      for (const Source& s : book_.sources) anchors.insert(s.id);
      for (const Group& g : book_.groups) anchors.insert(g.id);
    } else if (const Chapter* chapter = book_.chapter(id)) {
      anchors = page_info(chapter->body).anchors;
    } else if (const TextPage* text = book_.text_page(id)) {
      anchors = page_info(text->body).anchors;
    } else if (id == "home") {
      anchors = page_info(book_.home).anchors;
    }
    fragment(n, anchors, "`" + id + "`");
  }

  void set(const Node& n) {
    only(n, true, false);
    const std::string& name = n.target.id;
    if (n.target.query.empty()) report(n.at, "`" + n.target.raw + "` sets nothing", "write set:figure?name=value");
    // The second figure of a kind on a page is "id-2".
    std::string id = name;
    const size_t dash = id.rfind('-');
    if (dash != std::string::npos && dash + 1 < id.size() && id.find_first_not_of("0123456789", dash + 1) == std::string::npos) id.resize(dash);
    if (!check_figure_id(catalog_, id, n.at, problems_)) return;
    if (std::find(page_.figures.begin(), page_.figures.end(), name) == page_.figures.end()) {
      report(n.at, "figure `" + name + "` is not on this page", hint(name, page_.figures, "place it with ![caption](figure:" + id + ")"));
    }
    check_query(catalog_, id, n.target.query, n.at, problems_);
  }

  void listing(const Node& n) {
    std::map<std::string, std::string> options(n.options.begin(), n.options.end());
    if (options.count("source") != 0) source_id(options["source"], n.at);
    const auto file = options.find("file");
    if (file == options.end()) {
      hot(n, options["hot"], {});
      return;
    }
    std::vector<std::string> names;
    const std::string* text = nullptr;
    for (const auto& [name, content] : book_.listings) {
      names.push_back(name);
      if (name == file->second) text = &content;
    }
    if (text == nullptr) {
      report(n.at, "no file `" + file->second + "` in listings/", hint(file->second, names, "add it"));
      return;
    }
    used_listings_.insert(file->second);
    const std::string name = options["region"];
    const auto found = region(*text, name);
    if (!found) {
      const std::vector<std::string> all = regions(*text);
      const bool there = std::find(all.begin(), all.end(), name) != all.end();
      report(n.at, there ? "region `" + name + "` of `" + file->second + "` stands twice or never closes" : "no region `" + name + "` in `" + file->second + "`",
             there ? "write // [" + name + "] once before it and // [/" + name + "] after it" : hint(name, all, "mark it with // [" + name + "] and // [/" + name + "]"));
      return;
    }
    if (!n.text.empty() && n.text != found->text) report(n.at, "the listing's text differs from `" + file->second + "`", "copy the region again, or leave the block empty");
    hot(n, options["hot"], found->lines);
  }

  void hot(const Node& n, const std::string& list, const std::vector<int>& lines) {
    const auto count = static_cast<int>(std::count(n.text.begin(), n.text.end(), '\n'));
    for (const int line : line_list(list)) {
      const bool there = lines.empty() ? line <= count : std::find(lines.begin(), lines.end(), line) != lines.end();
      if (there) continue;
      report(n.at, "line " + std::to_string(line) + " is not in the listing", "hot= counts lines of the file");
      return;
    }
  }

  void sources(const Node& n) {
    for (const Node& item : n.children) {
      const Node* first = item.children.empty() || item.children.front().children.empty() ? nullptr : &item.children.front().children.front();
      if (first == nullptr || first->kind != Kind::source) {
        report(item.at, "an entry of Sources that begins with no source", "write - [title](source:id): what was taken");
        continue;
      }
      const std::string all = plain_text(item);
      const std::string title = plain_text(*first);
      if (all.find_first_not_of(" :.,", title.size()) == std::string::npos) warn(item.at, "nothing says what was taken from `" + first->target.id + "`", "write - [title](source:id): what was taken");
    }
  }

  void footnote(const Node& n) {
    if (n.children.size() != 1 || n.children.front().kind != Kind::paragraph) report(n.at, "a footnote of more than one paragraph", "it stands in the margin: keep it to one paragraph");
  }

  // Markdown inside a JSON entry: all places are the entry's own.
  void entry(const std::string& markdown, const Place& at) {
    if (markdown.empty()) return;
    std::vector<Problem> found;
    Node tree = parse_markdown(markdown, at.file, 0, found);
    for (Problem& problem : found) {
      problem.error.at = at;
      problems_.push_back(std::move(problem));
    }
    const std::function<void(Node&)> move_to = [&](Node& n) {
      n.at = at;
      for (Node& child : n.children) move_to(child);
    };
    move_to(tree);
    // It is shown in lists and in tips, beside other entries: what needs a page of its own cannot stand there.
    walk(tree, [&](const Node& n) {
      if (n.kind == Kind::heading || n.kind == Kind::figure || n.kind == Kind::footnote) {
        report(at, std::string(n.kind == Kind::heading ? "a heading" : n.kind == Kind::figure ? "a figure" : "a footnote") + " in an entry", "entries are plain text with links: write a section for more");
      }
    });
    page_ = page_info(tree);
    node(tree);
    check_device_names(catalog_, tree, problems_);
  }

  void glossary_entry(const Term& term) {
    if (reserved(term.id)) report(term.at, "the term id `" + term.id + "` is taken by the page itself", "choose another");
    entry(term.sentence, term.at);
    entry(term.detail, term.at);
    for (const std::string& id : term.sources) source_id(id, term.at);
    for (const std::string& id : term.see) {
      std::vector<std::string> ids;
      for (const Term& t : book_.terms) ids.push_back(t.id);
      if (std::find(ids.begin(), ids.end(), id) == ids.end()) {
        report(term.at, "`see` of `" + term.id + "` names `" + id + "`, which is no term", hint(id, ids, "write the id of another term"));
      } else if (id == term.id) {
        report(term.at, "`see` of `" + term.id + "` names itself", "remove it");
      } else {
        used_terms_.insert(id);
      }
    }
  }

  void reading_group(const Group& group) {
    if (reserved(group.id)) report(group.at, "the group id `" + group.id + "` is taken by the page itself", "choose another");
    entry(group.note, group.at);
    std::set<std::string> seen;
    for (const std::string& id : group.sources) {
      if (source_id(id, group.at) && !seen.insert(id).second) report(group.at, "`" + id + "` stands twice in the group `" + group.id + "`", "remove one");
    }
  }

  // "sources" and "source" anywhere in devices.json and models.json: ids of the reading list or addresses.
  void tables() {
    table("devices.json", book_.devices_json);
    table("models.json", book_.models_json);
  }

  void table(const char* file, const std::string& text) {
    if (text.empty()) return;
    const auto root = json::parse(text, file);
    if (root) table_sources(file, *root);
  }

  void table_sources(const char* file, const json::Value& value) {
    for (const json::Value& item : value.array) table_sources(file, item);
    for (const auto& [key, member] : value.object) {
      if (key == "sources") {
        for (const json::Value& item : member.array) table_source(file, item);
      } else if (key == "source") {
        table_source(file, member);
      } else {
        table_sources(file, member);
      }
    }
  }

  void table_source(const char* file, const json::Value& item) {
    if (!item.is(json::Kind::string) || item.string.find(':') != std::string::npos) return;
    source_id(item.string, {file, item.line, item.column});
  }

  void unused() {
    for (const Term& term : book_.terms) {
      if (used_terms_.count(term.id) == 0) warn(term.at, "no text links to the term `" + term.id + "`", "link its first use with [words](term:" + term.id + ")");
    }
    for (const Source& source : book_.sources) {
      if (used_sources_.count(source.id) == 0) warn(source.at, "nothing refers to the source `" + source.id + "`", "refer to it with [title](source:" + source.id + ")");
    }
    for (const auto& [name, text] : book_.listings) {
      if (used_listings_.count(name) == 0 && book_.kernels_json.find('"' + name + '"') == std::string::npos) warn({"listings/" + name, 0, 0}, "no section shows this listing", "show it with file=" + name);
    }
  }

  const Book& book_;
  const Catalog& catalog_;
  std::vector<Problem>& problems_;
  PageInfo page_;
  std::set<std::string> used_terms_, used_sources_, used_listings_;
};

}  // namespace

void check(const Book& book, const Catalog& catalog, std::vector<Problem>& problems) { Checker(book, catalog, problems).run(); }

}  // namespace lk::book
