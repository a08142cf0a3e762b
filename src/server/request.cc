#include "server/request.h"

#include <array>
#include <utility>

namespace lk::server {

namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::shared_ptr<const std::string> shared(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

Answer plain(int status, std::string text) {
  return {status,
          "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n",
          shared(std::move(text))};
}

Answer redirect(int status, const std::string& location) {
  Answer a = plain(status, "Moved to " + location + "\n");
  a.headers += "Location: " + location + "\r\n";
  return a;
}

/// Pages carry their policy in a meta element; the header repeats it, so that both always agree.
std::string policy(std::string_view html) {
  constexpr std::string_view mark = "<meta http-equiv=\"Content-Security-Policy\" content=\"";
  const size_t at = html.substr(0, 4096).find(mark);
  if (at == std::string_view::npos) return {};
  const size_t from = at + mark.size(), to = html.find('"', from);
  if (to == std::string_view::npos) return {};
  std::string out;
  for (std::string_view text = html.substr(from, to - from); !text.empty();) {
    if (text.starts_with("&#39;")) {
      out += '\'';
      text.remove_prefix(5);
    } else if (static_cast<unsigned char>(text[0]) < 0x20) {
      return {};
    } else {
      out += text[0];
      text.remove_prefix(1);
    }
  }
  return out;
}

bool tag_matches(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const size_t comma = list.find(',');
    std::string_view one = list.substr(0, comma);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
    while (!one.empty() && (one.front() == ' ' || one.front() == '\t')) one.remove_prefix(1);
    while (!one.empty() && (one.back() == ' ' || one.back() == '\t')) one.remove_suffix(1);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (one == "*" || one == tag) return true;
  }
  return false;
}

Answer file_answer(int status, std::string_view path, File file, const Request& request) {
  Answer a{status, {}, std::move(file.bytes)};
  const std::string tag = '"' + file.hash + '"';
  a.headers += path.starts_with("assets/") ? "Cache-Control: public, max-age=31536000, immutable\r\n"
                                           : "Cache-Control: no-cache\r\n";
  if (status == 200 && !file.hash.empty()) {
    a.headers += "ETag: " + tag + "\r\n";
    if (tag_matches(request.if_none_match, tag)) return {304, std::move(a.headers), nullptr};
  }
  a.headers += "Content-Type: " + std::string(media_type(path)) + "\r\nX-Content-Type-Options: nosniff\r\n";
  if (path.ends_with(".html")) {
    if (std::string csp = policy(*a.body); !csp.empty()) {
      // Figures are made to be framed by anyone, pages are not. A meta element cannot say so.
      if (!path.starts_with("embed/")) csp += "; frame-ancestors 'self'";
      a.headers += "Content-Security-Policy: " + csp + "\r\n";
    }
  }
  return a;
}

Answer not_found(const Request& request, const Get& get) {
  if (auto page = get("404.html")) return file_answer(404, "404.html", std::move(*page), request);
  return plain(404, "Nothing here.\n");
}

}  // namespace

std::optional<std::string> safe_path(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return std::nullopt;
  std::string path;
  for (size_t i = 0; i < target.size(); ++i) {
    char c = target[i];
    if (c == '%') {
      if (i + 2 >= target.size() || hex(target[i + 1]) < 0 || hex(target[i + 2]) < 0) return std::nullopt;
      c = static_cast<char>(hex(target[i + 1]) * 16 + hex(target[i + 2]));
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\') return std::nullopt;
    path += c;
  }
  for (size_t slash = 0; slash + 1 < path.size();) {
    if (path[slash + 1] == '/' || path[slash + 1] == '.') return std::nullopt;
    slash = path.find('/', slash + 1);
    if (slash == std::string::npos) break;
  }
  return path;
}

std::string_view media_type(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 17> types{{
      {".html", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".wasm", "application/wasm"},
      {".woff2", "font/woff2"},
      {".ttf", "font/ttf"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".webmanifest", "application/manifest+json"},
      {".xml", "application/xml"},
      {".txt", "text/plain; charset=utf-8"},
      {".md", "text/markdown; charset=utf-8"},
      {".ico", "image/x-icon"},
      {".pdf", "application/pdf"},
  }};
  for (const auto& [ending, type] : types)
    if (path.ends_with(ending)) return type;
  return "application/octet-stream";
}

Answer answer(const Request& request, const Options& options, const Get& get) {
  if (request.method != "GET" && request.method != "HEAD") {
    Answer a = plain(405, "Only GET and HEAD are answered here.\n");
    a.headers += "Allow: GET, HEAD\r\n";
    return a;
  }
  if (!request.target.starts_with('/')) return plain(400, "The request's target must be a path.\n");
  const auto path = safe_path(request.target);
  if (!path) return not_found(request, get);
  const std::string_view base = options.base;
  if (!path->starts_with(base)) {
    // Someone opened the bare address, or forgot the slash after the site's folder.
    if (*path == "/" || *path + '/' == base) return redirect(302, std::string(base));
    return not_found(request, get);
  }
  std::string name = path->substr(base.size());
  if (options.events && name == "-/live.js")
    return {200, "Content-Type: text/javascript; charset=utf-8\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n",
            shared(std::string(live_script()))};
  if (options.events && name == "-/live.css")
    return {200, "Content-Type: text/css; charset=utf-8\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n",
            shared(std::string(live_style()))};
  if (name.empty() || name.ends_with('/')) {
    name += "index.html";
    if (auto file = get(name)) return file_answer(200, name, std::move(*file), request);
    return not_found(request, get);
  }
  if (auto file = get(name)) return file_answer(200, name, std::move(*file), request);
  if (get(name + "/index.html")) {
    const size_t query = request.target.find_first_of("?#");
    std::string to(request.target.substr(0, query));
    to += '/';
    if (query != std::string_view::npos) to += request.target.substr(query);
    return redirect(301, to);
  }
  return not_found(request, get);
}

}  // namespace lk::server
