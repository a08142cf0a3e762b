// content/ -> Book: book.json, the chapters, the glossary, the reading list, listings and measurements.
#include <algorithm>
#include <map>
#include <set>

#include "base/utf8.h"
#include "book/book.h"
#include "book/front_matter.h"

namespace lk::book {
namespace {

// Longer names do not fit into a folder's name with what is added to it.
constexpr size_t longest_name = 100;

bool is_id(std::string_view text) {
  return !text.empty() && text.size() <= longest_name && std::all_of(text.begin(), text.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; });
}

bool ends_with(std::string_view text, std::string_view tail) { return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail; }

// Places that the site fills itself.
bool is_taken(std::string_view first) {
  static constexpr std::string_view taken[] = {"assets", "embed", "lab", "edit", "-"};
  return std::find(std::begin(taken), std::end(taken), first) != std::end(taken);
}

// "/old/place/": what every server and every disk takes as it is.
bool is_old_address(std::string_view text) {
  if (text.size() < 3 || text.front() != '/' || text.back() != '/') return false;
  bool first = true;
  for (text.remove_prefix(1); !text.empty(); first = false) {
    const size_t end = text.find('/');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (part.empty() || part.size() > longest_name) return false;
    for (const char c : part) {
      const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (!letter && c != '-' && c != '_') return false;
    }
    if (first && is_taken(part)) return false;
  }
  return true;
}

// Below the content folder, whatever the name is joined to.
bool stays_inside(std::string_view path) {
  for (size_t from = 0; from <= path.size();) {
    const size_t end = std::min(path.find('/', from), path.size());
    const std::string_view part = path.substr(from, end - from);
    if (part.empty() || part == "." || part == "..") return false;
    from = end + 1;
  }
  return true;
}

bool on_the_web(const std::string& url) {
  const size_t host = url.compare(0, 8, "https://") == 0 ? 8 : url.compare(0, 7, "http://") == 0 ? 7 : 0;
  return host != 0 && safe_address(url) && host < url.size() && url.find_first_of("/?#", host) != host && url.find_first_of(" \"<>", host) == std::string::npos;
}

class Loader {
 public:
  Loader(const Files& files, std::vector<Problem>& problems) : files_(files), problems_(problems) {}

  // Faults of the table are told where it is used; here it only says which listings can be run.
  void launches(std::string text) {
    book_.kernels_json = std::move(text);
    const auto root = json::parse(book_.kernels_json, "kernels.json");
    const json::Value* all = root ? root->find("kernels") : nullptr;
    if (all == nullptr) return;
    for (const json::Value& one : all->array) {
      const json::Value *file = one.find("file"), *function = one.find("function");
      if (function == nullptr) function = one.find("name");
      if (file != nullptr && function != nullptr) book_.launches.emplace_back(file->string, function->string);
    }
  }

  Book load() {
    book_.whole = true;
    with_json("book.json", [this](const json::Value& root) { outline(root); });
    with_json("glossary.json", [this](const json::Value& root) { glossary(root); });
    with_json("reading.json", [this](const json::Value& root) { reading(root); });
    book_.devices_json = text_file("devices.json").value_or(std::string());
    if (auto models = text_of("models.json")) book_.models_json = std::move(*models);
    if (auto kernels = files_.read("kernels.json")) launches(std::move(*kernels));
    if (auto compiled = files_.read("compiled.json")) book_.compiled_json = std::move(*compiled);
    else unreadable("compiled.json");
    if (const auto home = text_file("home.md")) book_.home = parse_markdown(*home, "home.md", 0, problems_);
    for (Chapter& chapter : book_.chapters) chapter.written = prose(chapter).has_value();
    for (Section& section : book_.sections) section_file(section);
    for (TextPage& page : book_.text_pages) text_page_file(page);
    number_figures();
    leads();
    if (outline_read_) unnamed_files();
    for (const std::string& name : files_.list("listings")) {
      if (auto text = text_of("listings/" + name)) book_.listings.emplace_back(name, std::move(*text));
    }
    tables("measurements", book_.measurements);
    tables("predictions", book_.predictions);
    return std::move(book_);
  }

 private:
  /// The CSV files of a folder, by the names of their devices.
  void tables(const std::string& folder, std::vector<std::pair<std::string, std::string>>& out) {
    for (const std::string& name : files_.list(folder)) {
      if (!ends_with(name, ".csv")) continue;
      if (auto text = text_of(folder + "/" + name)) out.emplace_back(name.substr(0, name.size() - 4), std::move(*text));
    }
  }
  void report(Place at, std::string what, std::string hint) {
    problems_.push_back({Severity::error, {std::move(at), std::move(what), std::move(hint)}});
  }
  static Place at(std::string_view file, const json::Value& value) { return {std::string(file), value.line, value.column}; }

  std::optional<std::string> text_file(const std::string& path) {
    auto text = files_.read(path);
    if (!text && !unreadable(path)) report({path, 0, 0}, "the file is missing", "create it");
    return text;
  }

  bool listed(const std::string& path) const {
    const size_t slash = path.rfind('/');
    const std::vector<std::string> names = files_.list(slash == std::string::npos ? "" : path.substr(0, slash));
    return std::find(names.begin(), names.end(), path.substr(slash == std::string::npos ? 0 : slash + 1)) != names.end();
  }

  // What stands in its folder and gives no text must not pass for a file that is not there.
  bool unreadable(const std::string& path) {
    if (!listed(path)) return false;
    report({path, 0, 0}, "this cannot be read", "make it a file that you may read");
    return true;
  }

  // For texts whose reader does not report bad UTF-8 itself. A folder has no text.
  std::optional<std::string> text_of(const std::string& path) {
    auto text = files_.read(path);
    if (!text) return text;
    if (const size_t bad = first_invalid_utf8(*text); bad < text->size()) {
      const auto lines = std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(bad), '\n');
      const size_t start = bad == 0 ? std::string::npos : text->rfind('\n', bad - 1);
      report({path, static_cast<int>(lines) + 1, static_cast<int>(start == std::string::npos ? bad + 1 : bad - start)}, "bytes that are no UTF-8", "save the file as UTF-8");
    }
    if (text->compare(0, 3, "\xEF\xBB\xBF") == 0) report({path, 1, 1}, "a byte order mark", "save the file as UTF-8 without it");
    if (const size_t bad = first_control(*text); bad < text->size()) {
      const auto lines = std::count(text->begin(), text->begin() + static_cast<std::ptrdiff_t>(bad), '\n');
      const size_t start = bad == 0 ? std::string::npos : text->rfind('\n', bad - 1);
      report({path, static_cast<int>(lines) + 1, static_cast<int>(start == std::string::npos ? bad + 1 : bad - start)}, control_name((*text)[bad]), "remove it");
    }
    return text;
  }

  // Problems of a file come in the order of its text.
  void sort_from(size_t from) {
    std::stable_sort(problems_.begin() + static_cast<std::ptrdiff_t>(from), problems_.end(), [](const Problem& a, const Problem& b) {
      return std::pair(a.error.at.line, a.error.at.column) < std::pair(b.error.at.line, b.error.at.column);
    });
  }

  void with_json(const std::string& path, const std::function<void(const json::Value&)>& use) {
    const auto text = text_file(path);
    if (!text) {
      book_.whole = false;
      return;
    }
    const auto root = json::parse(*text, path);
    if (!root) {
      book_.whole = false;
      problems_.push_back({Severity::error, root.error()});
      return;
    }
    const size_t from = problems_.size();
    use(*root);
    sort_from(from);
  }

  // An id that is well formed and new; `what` names its kind.
  void id(const std::string& id, std::string_view what, const Place& place, std::map<std::string, std::string>& taken) {
    if (id.empty()) return;  // the reader reported it
    if (!is_id(id)) report(place, std::string(what) + " id `" + id + "` is not usable in an address", "use up to 100 lowercase letters, digits and '-'");
    const auto [first, fresh] = taken.emplace(id, std::string(what));
    if (!fresh) report(place, std::string(what) + " id `" + id + "` is taken by a " + first->second, "choose another");
  }

  void outline(const json::Value& root) {
    constexpr std::string_view file = "book.json";
    json::Reader reader(root, file, problems_);
    book_.title = reader.text("title");
    book_.tagline = reader.text("tagline", "");
    book_.description = reader.text("description", "");
    book_.language = reader.text("language", "en");
    book_.edit_url = reader.text("edit_url", "");
    book_.repository = reader.text("repository", "");
    book_.device = reader.text("device", "");
    if (const json::Value* device = root.find("device")) book_.device_at = at(file, *device);
    std::map<std::string, std::string> ids;
    for (const Page& page : pages()) ids.emplace(page.id, "page");
    for (const json::Value& entry : reader.array("chapters", true)) chapter(entry, ids);
    for (const json::Value& entry : reader.array("pages", false)) text_page(entry, ids);
    redirects(reader.object("redirects"));
    reader.done();
    outline_read_ = root.is(json::Kind::object);
    for (const auto& [key, url] : {std::pair<const char*, const std::string&>{"edit_url", book_.edit_url}, {"repository", book_.repository}})
      if (!url.empty() && !on_the_web(url)) reader.problem(*root.find(key), "`" + url + "` is no address on the web", "begin it with https://");
    if (const json::Value* language = root.find("language"); language != nullptr && language->is(json::Kind::string)) {
      const bool tag = !book_.language.empty() && book_.language.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") == std::string::npos;
      if (!tag) reader.problem(*language, "`" + book_.language + "` is no language", "write its tag, for example en");
    }
  }

  void chapter(const json::Value& entry, std::map<std::string, std::string>& ids) {
    json::Reader reader(entry, "book.json", problems_);
    Chapter chapter;
    chapter.id = reader.text("id");
    chapter.title = reader.text("title");
    chapter.number = reader.text("number");
    chapter.summary = reader.text("summary", "");
    chapter.url = "/chapters/" + chapter.id + "/";
    chapter.file = file_of(reader, entry, "chapters/" + chapter.number + "-" + chapter.id + "/index.md");
    id(chapter.id, "chapter", at("book.json", entry), ids);
    for (const Chapter& other : book_.chapters)
      if (other.number == chapter.number && !chapter.number.empty()) reader.problem(*entry.find("number"), "the number " + chapter.number + " is taken by the chapter `" + other.id + "`", "choose another");
    for (const json::Value& item : reader.array("sections", true)) {
      json::Reader inner(item, "book.json", problems_);
      Section section;
      section.id = inner.text("id");
      section.title = inner.text("title");
      section.summary = inner.text("summary", "");
      section.file = file_of(inner, item, "chapters/" + chapter.number + "-" + chapter.id + "/" + section.id + ".md");
      section.number = chapter.number + "." + std::to_string(chapter.sections.size() + 1);
      section.url = chapter.url + section.id + "/";
      section.chapter = static_cast<int>(book_.chapters.size());
      inner.done();
      id(section.id, "section", at("book.json", item), ids);
      chapter.sections.push_back(static_cast<int>(book_.sections.size()));
      book_.sections.push_back(std::move(section));
    }
    reader.done();
    book_.chapters.push_back(std::move(chapter));
  }

  // The file that an entry names, or the usual one; empty when it names none of the content folder.
  static std::string file_of(json::Reader& reader, const json::Value& entry, const std::string& usual) {
    std::string file = reader.text("file", usual);
    const json::Value* named = entry.find("file");
    if (named == nullptr || stays_inside(file)) return file;
    reader.problem(*named, "`" + file + "` is no file of the content folder", "name it from that folder on, without '.' and '..'");
    return {};
  }

  void text_page(const json::Value& entry, std::map<std::string, std::string>& ids) {
    json::Reader reader(entry, "book.json", problems_);
    TextPage page;
    page.id = reader.text("id");
    page.title = reader.text("title");
    page.summary = reader.text("summary", "");
    page.url = "/" + page.id + "/";
    page.file = file_of(reader, entry, "pages/" + page.id + ".md");
    page.footer = reader.boolean("footer", true);
    reader.done();
    id(page.id, "page", at("book.json", entry), ids);
    if (is_taken(page.id) || page.id == "chapters") reader.problem(entry, "the page `" + page.id + "` would hide a part of the site", "choose another id");
    book_.text_pages.push_back(std::move(page));
  }

  void redirects(const json::Value* entries) {
    if (entries == nullptr) return;
    std::set<std::string> urls;
    for (const Page& page : pages()) urls.emplace(page.url);
    for (const Chapter& chapter : book_.chapters) urls.insert(chapter.url);
    for (const Section& section : book_.sections) urls.insert(section.url);
    for (const TextPage& page : book_.text_pages) urls.insert(page.url);
    std::map<std::string, std::string> next;
    for (const auto& [from, value] : entries->object) {
      const Place place = at("book.json", value);
      if (!value.is(json::Kind::string)) {
        report(place, "a redirect leads to " + std::string(json::name(value.kind)), "write an address of the site");
        continue;
      }
      if (urls.count(from) != 0) {
        report(place, "redirect from `" + from + "` hides a page of the book", "remove it");
      } else if (!is_old_address(from)) {
        const bool slashes = from.size() > 1 && from.front() == '/' && from.back() == '/';
        report(place, "redirect from `" + from + "`", slashes ? "use letters, digits, '-' and '_' between slashes, and nothing below /assets/, /embed/, /lab/ or /-/" : "begin and end it with '/'");
      }
      next.emplace(from, value.string);
      book_.redirects.emplace_back(from, value.string);
    }
    for (const auto& [from, value] : entries->object) {
      if (!value.is(json::Kind::string)) continue;
      std::set<std::string> seen{from};
      std::string to = value.string.substr(0, value.string.find('#'));
      while (next.count(to) != 0 && seen.insert(to).second) {
        const std::string& target = next[to];
        to = target.substr(0, target.find('#'));
      }
      if (seen.count(to) != 0) {
        report(at("book.json", value), "redirect from `" + from + "` loops", "let it lead to a page");
      } else if (urls.count(to) == 0) {
        const std::string near = closest(to, urls);
        report(at("book.json", value), "redirect to `" + to + "`, which is no page", near.empty() ? "write the address of a page, from '/' to '/'" : "did you mean `" + near + "`?");
      } else {
        leads_.emplace_back(at("book.json", value), value.string);
      }
    }
  }

  // A redirect leads to a text that is there, at a place that it has. Known only when the texts have been read.
  void leads() {
    for (const auto& [place, to] : leads_) {
      const size_t hash = std::min(to.find('#'), to.size());
      for (const Section& section : book_.sections) {
        if (section.url != to.substr(0, hash)) continue;
        bool there = hash == to.size();
        const std::string anchor(to, std::min(hash + 1, to.size()));
        walk(section.body, [&](const Node& n) { there = there || ((n.kind == Kind::heading || n.kind == Kind::figure) && n.anchor == anchor); });
        if (!section.written) {
          report(place, "redirect to `" + to + "`, which is not written yet", "let it lead to its chapter");
        } else if (!there) {
          report(place, "redirect to `" + to + "`, which that page does not have", "write the anchor of one of its headings");
        }
      }
    }
  }

  void glossary(const json::Value& root) {
    constexpr std::string_view file = "glossary.json";
    json::Reader reader(root, file, problems_);
    std::map<std::string, std::string> ids, names;
    for (const json::Value& entry : reader.array("terms", true)) {
      json::Reader inner(entry, file, problems_);
      Term term;
      term.at = at(file, entry);
      term.id = inner.text("id");
      term.name = inner.text("name");
      term.unit = inner.text("unit", "");
      term.sentence = inner.text("sentence");
      term.detail = inner.text("detail", "");
      term.aliases = inner.texts("aliases");
      term.see = inner.texts("see");
      term.sources = inner.texts("sources");
      inner.done();
      id(term.id, "term", term.at, ids);
      std::vector<std::string> own = term.aliases;
      own.push_back(term.name);
      for (const std::string& name : own) {
        std::string word;
        for (const char c : name) word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const auto [first, fresh] = names.emplace(word, term.id);
        if (!fresh && !word.empty()) report(term.at, "`" + name + "` already names the term `" + first->second + "`", "remove one");
      }
      book_.terms.push_back(std::move(term));
    }
    reader.done();
  }

  void reading(const json::Value& root) {
    constexpr std::string_view file = "reading.json";
    static constexpr std::string_view kinds[] = {"paper", "documentation", "datasheet", "post", "repository", "book", "talk"};
    json::Reader reader(root, file, problems_);
    std::map<std::string, std::string> ids;
    for (const json::Value& entry : reader.array("sources", true)) {
      json::Reader inner(entry, file, problems_);
      Source source;
      source.at = at(file, entry);
      source.id = inner.text("id");
      source.title = inner.text("title");
      const json::Value* authors = entry.find("authors");
      if (authors != nullptr && authors->is(json::Kind::array)) {
        for (const std::string& name : inner.texts("authors")) source.authors += (source.authors.empty() ? "" : ", ") + name;
      } else {
        source.authors = inner.text("authors", "");
      }
      const json::Value* year = entry.find("year");
      source.year = year != nullptr && year->is(json::Kind::number) ? std::to_string(inner.integer("year")) : inner.text("year", "");
      source.venue = inner.text("venue", "");
      source.url = inner.text("url", "");
      source.kind = inner.text("kind");
      source.note = inner.text("note", "");
      inner.done();
      id(source.id, "source", source.at, ids);
      if (!source.kind.empty() && std::find(std::begin(kinds), std::end(kinds), source.kind) == std::end(kinds)) {
        const std::string near = closest(source.kind, kinds);
        inner.problem(*entry.find("kind"), "unknown kind `" + source.kind + "`", near.empty() ? "use paper, documentation, datasheet, post, repository, book or talk" : "did you mean `" + near + "`?");
      }
      if (!source.url.empty() && !on_the_web(source.url)) inner.problem(*entry.find("url"), "`" + source.url + "` is no address on the web", "begin it with https://");
      book_.sources.push_back(std::move(source));
    }
    for (const json::Value& entry : reader.array("parts", false)) part(entry, ids);
    reader.done();
  }

  // The page of the reading list has the anchors of its groups and of its entries: they share their ids.
  void part(const json::Value& entry, std::map<std::string, std::string>& ids) {
    constexpr std::string_view file = "reading.json";
    json::Reader reader(entry, file, problems_);
    book_.parts.push_back(reader.text("title"));
    for (const json::Value& item : reader.array("groups", true)) {
      json::Reader inner(item, file, problems_);
      Group group;
      group.at = at(file, item);
      group.part = static_cast<int>(book_.parts.size()) - 1;
      group.id = inner.text("id");
      group.title = inner.text("title");
      group.note = inner.text("note", "");
      group.sources = inner.texts("sources");
      inner.done();
      id(group.id, "group", group.at, ids);
      book_.groups.push_back(std::move(group));
    }
    reader.done();
  }

  // Front matter and body of the file that a page names; nothing when it cannot be read or is not there.
  template <class Page>
  std::optional<FrontMatter> prose(Page& page) {
    if (page.file.empty()) return std::nullopt;  // reported
    const auto text = files_.read(page.file);
    if (!text) {
      unreadable(page.file);  // otherwise it is not written yet
      return std::nullopt;
    }
    const size_t from = problems_.size();
    FrontMatter front = read_front_matter(*text, page.file, problems_);
    page.lede = front.lede;
    page.lede_at = front.lede_at;
    if (!front.title.empty() && front.title != page.title) {
      report(front.title_at, "the title is `" + front.title + "`, but book.json says `" + page.title + "`", "make them equal");
    }
    page.body = parse_markdown(std::string_view(*text).substr(front.body), page.file, front.lines, problems_);
    sort_from(from);
    return front;
  }

  void section_file(Section& section) {
    const auto front = prose(section);
    section.written = front.has_value();
    if (!front) return;
    section.sources_needed = front->sources;
    section.minutes = std::max(1, (count_words(section.body) + 219) / 220);
  }

  void text_page_file(TextPage& page) {
    if (!prose(page) && !page.file.empty() && !listed(page.file)) report({page.file, 0, 0}, "the file is missing", "create it, or remove the page from book.json");
  }

  static void number(Node& node, const std::string& chapter, int& count) {
    if (node.kind == Kind::figure) node.number = chapter + "." + std::to_string(++count);
    for (Node& child : node.children) number(child, chapter, count);
  }

  void number_figures() {
    for (Chapter& chapter : book_.chapters) {
      int count = 0;
      number(chapter.body, chapter.number, count);
      for (const int index : chapter.sections) number(book_.sections[static_cast<size_t>(index)].body, chapter.number, count);
    }
  }

  void unnamed_files() {
    std::set<std::string> named;
    std::set<std::string> folders;
    const auto expect = [&](const std::string& file) {
      named.insert(file);
      const size_t slash = file.rfind('/');
      if (slash != std::string::npos) folders.insert(file.substr(0, slash));
    };
    for (const Section& section : book_.sections) expect(section.file);
    for (const Chapter& chapter : book_.chapters) expect(chapter.file);
    for (const TextPage& page : book_.text_pages) expect(page.file);
    for (const std::string& name : files_.list("chapters")) {
      if (!ends_with(name, ".md")) folders.insert("chapters/" + name);
    }
    folders.insert({"chapters", "pages"});
    for (const std::string& folder : folders) {
      for (const std::string& name : files_.list(folder)) {
        const std::string path = folder + "/" + name;
        if (!ends_with(name, ".md") || named.count(path) != 0) continue;
        const std::string near = closest(path, named);
        report({path, 0, 0}, "book.json does not name this file", near.empty() ? "add it there or remove the file" : "did you mean to call it `" + near + "`?");
      }
    }
  }

  const Files& files_;
  std::vector<Problem>& problems_;
  Book book_;
  bool outline_read_ = false;
  std::vector<std::pair<Place, std::string>> leads_;  // where a redirect stands, and where it leads
};

}  // namespace

Book load(const Files& files, std::vector<Problem>& problems) { return Loader(files, problems).load(); }

}  // namespace lk::book
