#include "render/listing.h"

#include <algorithm>
#include <cctype>

#include "base/utf8.h"
#include "book/options.h"
#include "render/highlight.h"

namespace lk::render {
namespace {

std::string option(const book::Node& listing, std::string_view name) {
  for (const auto& [key, value] : listing.options) {
    if (key == name) return value;
  }
  return {};
}

std::string_view language_label(std::string_view language) {
  if (language == "cuda") return "CUDA";
  if (language == "cpp") return "C++";
  if (language == "c") return "C";
  if (language == "ptx") return "PTX";
  if (language == "sass") return "SASS";
  if (language == "python") return "Python";
  if (language == "mlir") return "MLIR";
  if (language == "json") return "JSON";
  if (language == "sh" || language == "console") return "Shell";
  return "Text";
}

}  // namespace

std::string site_href(const PageContext& context, std::string_view path) {
  const std::string& base = context.assets.base;
  if (!path.empty() && path.front() == '/' && !base.empty() && base.back() == '/') path.remove_prefix(1);
  return html_escaped(base + std::string(path));
}

std::string source_href(const PageContext& context, const book::Source& source) {
  if (!source.url.empty() && book::safe_address(source.url)) return html_escaped(source.url);
  return site_href(context, "/chapters/reading/#" + source.id);
}

std::string source_title(const book::Source& source) {
  const std::string who = source.authors.substr(0, source.authors.find(','));
  std::string out = who + (who.size() < source.authors.size() ? " and others" : "");
  for (const std::string& part : {source.title, source.year}) {
    if (part.empty()) continue;
    if (!out.empty()) out += ", ";
    out += part;
  }
  return html_escaped(out);
}

namespace {
// The first kernel of a listing's shown text that kernels.json knows how to launch.
std::string launched(const book::Book& book, std::string_view file, std::string_view code) {
  size_t first = code.size();
  std::string found;
  for (const auto& [of, function] : book.launches) {
    if (of != file) continue;
    const std::string name = function.substr(0, function.find('<'));
    for (size_t at = code.find(name + "("); at != std::string_view::npos; at = code.find(name + "(", at + 1)) {
      const size_t global = code.rfind("__global__", at);
      // Between the two stands the head of the same function.
      if (global == std::string_view::npos || code.substr(global, at - global).find_first_of("{;") != std::string_view::npos) continue;
      if (at > 0 && (std::isalnum(static_cast<unsigned char>(code[at - 1])) != 0 || code[at - 1] == '_')) continue;
      if (at < first) first = at, found = name;
      break;
    }
  }
  return found;
}
}  // namespace

std::string listing_html(const PageContext& context, const book::Node& listing) {
  const std::string file = option(listing, "file");
  std::string code = listing.text;
  std::vector<int> numbers;
  if (!file.empty()) {
    for (const auto& [name, text] : context.book.listings) {
      if (name != file) continue;
      if (auto found = book::region(text, option(listing, "region"))) {
        code = std::move(found->text);
        numbers = std::move(found->lines);
      }
    }
  }
  const std::vector<std::string> lines = highlighted(code, listing.info);
  if (numbers.size() != lines.size()) {
    numbers.clear();
    for (size_t i = 0; i < lines.size(); ++i) numbers.push_back(static_cast<int>(i) + 1);
  }
  const std::vector<int> hot = book::line_list(option(listing, "hot"));
  const std::string_view language = language_label(listing.info);
  std::string out = "<div class=\"list\"><div class=\"list__head\">";
  if (file.empty()) {
    out.append("<span class=\"list__lang\">").append(language).append("</span>");
  } else {
    out += "<code>" + html_escaped(file) + "</code>";
    if (!numbers.empty()) {
      const bool one = numbers.front() == numbers.back();
      out += "<span class=\"list__lines\">" + std::string(one ? "line " : "lines ") + std::to_string(numbers.front());
      if (!one) out += "\xE2\x80\x93" + std::to_string(numbers.back());
      out += "</span>";
    }
  }
  if (const book::Source* source = context.book.source(option(listing, "source"))) {
    out += "<span class=\"list__from\">after <a href=\"" + source_href(context, *source) + "\" title=\"" + source_title(*source) + "\">" + html_escaped(source->title) + "</a></span>";
  }
  const std::string kernel = launched(context.book, file, code);
  out += "<button class=\"tool\" type=\"button\" data-tool=\"copy\"" + (kernel.empty() ? std::string() : " data-run=\"" + html_escaped(kernel) + '"') + " hidden>Copy</button></div>";
  // The newline stands inside each line's block, where it shows nothing, so that the text copies as lines.
  out.append("<pre tabindex=\"0\" role=\"group\" aria-label=\"").append(language).append(" listing");
  if (!file.empty()) out += " " + html_escaped(file);
  out += "\"><code>";
  for (size_t i = 0; i < lines.size(); ++i) {
    out += "<span data-n=\"" + std::to_string(numbers[i]) + "\"";
    if (std::find(hot.begin(), hot.end(), numbers[i]) != hot.end()) out += " class=\"hot\"";
    out += ">" + lines[i] + "\n</span>";
  }
  out += "</code></pre>";
  const std::string caption = option(listing, "caption"), checked = option(listing, "checked");
  if (!caption.empty() || !checked.empty()) {
    out += "<p class=\"list__cap\">" + html_escaped(caption);
    if (!checked.empty()) out += std::string(caption.empty() ? "" : " ") + "<span class=\"list__by\">Checked with " + html_escaped(checked) + ".</span>";
    out += "</p>";
  }
  return out + "</div>";
}

}  // namespace lk::render
