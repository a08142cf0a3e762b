#include <map>
#include <set>

#include "base/utf8.h"
#include "site/build.h"

namespace lk::site {

namespace {

std::string unescaped(std::string_view text) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&#39;", '\''}};
  std::string out;
  while (!text.empty()) {
    bool found = false;
    for (const auto& [entity, c] : entities)
      if (text.starts_with(entity)) {
        out += c;
        text.remove_prefix(entity.size());
        found = true;
        break;
      }
    if (found) continue;
    out += text.front();
    text.remove_prefix(1);
  }
  return out;
}

/// Calls `visit(tag, name, value)` for every attribute in double quotes of every tag; scripts and styles are skipped.
template <class Visit>
void attributes(std::string_view html, const Visit& visit) {
  for (size_t at = 0; (at = html.find('<', at)) != std::string_view::npos;) {
    const size_t name_end = html.find_first_of(" \n\t/>", at + 1);
    if (name_end == std::string_view::npos) return;
    const std::string_view tag = html.substr(at + 1, name_end - at - 1);
    size_t i = name_end;
    while (i < html.size() && html[i] != '>') {
      const size_t from = html.find_first_not_of(" \n\t/", i);
      if (from == std::string_view::npos) return;
      if (html[from] == '>') {
        i = from;
        break;
      }
      const size_t end = html.find_first_of("= \n\t/>", from);
      if (end == std::string_view::npos) return;
      const std::string_view name = html.substr(from, end - from);
      i = end;
      if (html[end] != '=') continue;
      const char quote = end + 1 < html.size() ? html[end + 1] : ' ';
      if (quote != '"' && quote != '\'') continue;
      const size_t close = html.find(quote, end + 2);
      if (close == std::string_view::npos) return;
      visit(tag, name, html.substr(end + 2, close - end - 2));
      i = close + 1;
    }
    at = i;
    if (tag == "script" || tag == "style") {
      const size_t close = html.find("</" + std::string(tag), at);
      if (close == std::string_view::npos) return;
      at = close;
    }
  }
}

}  // namespace

void check_pages(const Site& site, std::vector<Problem>& problems) {
  std::map<std::string, std::set<std::string>> ids;  // page -> its ids
  const auto report = [&](const std::string& path, std::string what, std::string hint) {
    problems.push_back({Severity::error, {{path, 0, 0}, std::move(what), std::move(hint)}});
  };
  // Files are in order: what stands at one address stands side by side.
  for (size_t i = 0; i < site.files.size(); ++i) {
    const std::string& path = site.files[i].path;
    if (i > 0 && site.files[i - 1].path == path)
      report(path, "two files have this address", "rename one of the chapters, sections or redirects that bring it");
    for (size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (site.find(path.substr(0, slash)))
        report(path, "it lies below " + path.substr(0, slash) + ", which is a file",
               "rename the chapter, section or redirect that brings it");
  }
  for (const File& page : site.files) {
    if (!page.path.ends_with(".html")) continue;
    auto& known = ids[page.path];
    attributes(page.bytes, [&](std::string_view, std::string_view name, std::string_view value) {
      if (name == "id" && !known.insert(unescaped(value)).second)
        report(page.path, "the id \"" + unescaped(value) + "\" stands twice in the page",
               "rename the heading, term or figure that brings it");
    });
  }
  const std::set<std::string> served{"-/live.js"};
  for (const File& page : site.files) {
    if (!page.path.ends_with(".html")) continue;
    std::set<std::string> seen;
    attributes(page.bytes, [&](std::string_view, std::string_view name, std::string_view value) {
      if (name != "href" && name != "src") return;
      std::string to = unescaped(value);
      std::string fragment;
      if (const size_t hash = to.find('#'); hash != std::string::npos) {
        fragment = url_decoded(to.substr(hash + 1));
        to.resize(hash);
      }
      if (const size_t query = to.find('?'); query != std::string::npos) to.resize(query);
      std::string path = page.path;
      if (!to.empty()) {
        if (!to.starts_with('/')) return;  // elsewhere
        if (!seen.insert(to + '#' + fragment).second) return;
        if (!to.starts_with(site.base)) return report(page.path, "a link leads to " + to + ", outside of the site", "");
        path = to.substr(site.base.size());
        if (served.count(path) != 0 || path == "sw.js") return;
        if (path.empty() || path.ends_with('/')) path += "index.html";
        if (!site.find(path)) return report(page.path, "a link leads to " + to + ", which the site does not have", "");
      }
      if (fragment.empty() || !path.ends_with(".html")) return;
      if (ids[path].count(fragment) == 0)
        report(page.path, "a link leads to #" + fragment + " of " + path + ", which that page does not have", "");
    });
  }
}

}  // namespace lk::site
