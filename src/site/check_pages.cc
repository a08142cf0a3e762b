#include <algorithm>
#include <unordered_set>

#include "base/utf8.h"
#include "site/build.h"
#include "site/page_checks.h"

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

uint32_t PageChecks::Names::number(std::string_view text) {
  const auto [at, fresh] = numbers.try_emplace(std::string(text), static_cast<uint32_t>(texts.size()));
  if (fresh) texts.push_back(&at->first);
  return at->second;
}

void PageChecks::add(const std::string& path, std::string_view html) {
  std::unordered_set<std::string> ids, links;
  Page page;
  page.path = path;
  attributes(html, [&](std::string_view, std::string_view name, std::string_view value) {
    if (name == "id") {
      std::string id = unescaped(value);
      if (const auto [at, fresh] = ids.insert(std::move(id)); !fresh) page.twice.push_back(*at);
    } else if (name == "href" || name == "src") {
      std::string link = unescaped(value);
      if (const size_t query = link.substr(0, link.find('#')).find('?'); query != std::string::npos)
        link.erase(query, std::min(link.find('#'), link.size()) - query);
      if (link.starts_with('/') || link.starts_with('#')) links.insert(std::move(link));
    }
  });
  std::vector<std::string_view> in_order(links.begin(), links.end());
  std::sort(in_order.begin(), in_order.end());
  const std::lock_guard lock(mutex_);
  for (const std::string& id : ids) page.ids.push_back(names_.number(id));
  std::sort(page.ids.begin(), page.ids.end());
  for (const std::string_view link : in_order) page.links.push_back(names_.number(link));
  pages_.push_back(std::move(page));
}

void PageChecks::finish(const Site& site, std::vector<Problem>& problems) {
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
  std::sort(pages_.begin(), pages_.end(), [](const Page& a, const Page& b) { return a.path < b.path; });
  for (const Page& page : pages_)
    for (const std::string& id : page.twice)
      report(page.path, "the id \"" + id + "\" stands twice in the page", "rename the heading, term or figure that brings it");

  // Most links stand on many pages: each is looked up once. Those to a place in their own page depend on the page.
  struct Target {
    const Page* page = nullptr;  // whose place it names, none for a whole page or another file
    uint32_t id = 0;
    std::string fault, place_fault;  // without and with the place
  };
  const auto page_at = [&](std::string_view path) -> const Page* {
    const auto at = std::lower_bound(pages_.begin(), pages_.end(), path, [](const Page& p, std::string_view q) { return p.path < q; });
    return at != pages_.end() && at->path == path ? &*at : nullptr;
  };
  const auto target = [&](const std::string& link, const Page* own) {
    Target out;
    const size_t hash = link.find('#');
    const std::string to = link.substr(0, hash), fragment = hash == std::string::npos ? std::string() : url_decoded(link.substr(hash + 1));
    std::string path = own ? own->path : std::string();
    if (!to.empty()) {
      if (!to.starts_with(site.base)) {
        out.fault = "a link leads to " + to + ", outside of the site";
        return out;
      }
      path = to.substr(site.base.size());
      if (path == "-/live.js" || path == "sw.js") return out;
      if (path.empty() || path.ends_with('/')) path += "index.html";
      if (!site.find(path)) {
        out.fault = "a link leads to " + to + ", which the site does not have";
        return out;
      }
    }
    if (fragment.empty() || !path.ends_with(".html")) return out;
    out.place_fault = "a link leads to #" + fragment + " of " + path + ", which that page does not have";
    out.page = page_at(path);
    const auto id = names_.numbers.find(fragment);
    if (!out.page || id == names_.numbers.end()) {
      out.page = nullptr;
      out.fault = std::move(out.place_fault);
    } else {
      out.id = id->second;
    }
    return out;
  };
  std::unordered_map<uint32_t, Target> known;
  for (const Page& page : pages_) {
    for (const uint32_t link : page.links) {
      const std::string& text = *names_.texts[link];
      const bool own = text.starts_with('#');
      const Target here = own ? target(text, &page) : Target{};
      if (!own && known.count(link) == 0) known.emplace(link, target(text, nullptr));
      const Target& t = own ? here : known.find(link)->second;
      if (!t.fault.empty())
        report(page.path, t.fault, "");
      else if (t.page && !std::binary_search(t.page->ids.begin(), t.page->ids.end(), t.id))
        report(page.path, t.place_fault, "");
    }
  }
}

void check_pages(const Site& site, std::vector<Problem>& problems) {
  PageChecks checks;
  for (const File& page : site.files)
    if (page.path.ends_with(".html")) checks.add(page.path, page.bytes);
  checks.finish(site, problems);
}

}  // namespace lk::site
