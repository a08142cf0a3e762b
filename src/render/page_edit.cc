// The editor, which a script fills, and the page that it frames to show what is written.
#include "base/utf8.h"
#include "render/page_parts.h"

namespace lk::render {

std::string edit_page(const PageContext& context) {
  PageFrame frame;
  frame.title = "Edit · " + context.book.title;
  frame.description = "The text of the book beside its pages: write, see it at once, and take the files with you.";
  frame.url = "/edit/";
  frame.body_class = "editing";
  frame.script = context.assets.main_script;
  frame.more_script = context.assets.edit_script;
  frame.more_style = context.assets.edit_style;
  std::string out = head_html(context, frame) + header_html(context, frame, false);
  out +=
      "<main class=\"edit\" id=\"main\" tabindex=\"-1\" data-pane=\"write\">\n<h1 class=\"vh\">Edit the book</h1>\n"
      "<div class=\"edit__wait\" id=\"edit-wait\"><p>The editor needs JavaScript and WebAssembly. Without them, write in the files of the "
      "content folder and look at the pages with <code>lk serve --content content</code>.</p></div>\n"
      "<div class=\"edit__bar\" hidden><label class=\"edit__pick\"><span class=\"vh\">Text to edit</span><select id=\"edit-file\" "
      "autocomplete=\"off\"></select></label>\n"
      "<button class=\"btn\" id=\"edit-open\" type=\"button\">Open a folder</button>\n"
      "<button class=\"tool\" id=\"edit-revert\" type=\"button\" disabled>Revert</button>\n"
      "<p class=\"edit__kept\" id=\"edit-kept\" role=\"status\"></p>\n"
      "<button class=\"btn btn--go\" id=\"edit-save\" type=\"button\" disabled>Download</button></div>\n"
      "<div class=\"edit__tabs\" aria-label=\"Parts of the editor\" role=\"group\" hidden>"
      "<button id=\"tab-write\" aria-controls=\"pane-write\" type=\"button\">Write</button>"
      "<button id=\"tab-preview\" aria-controls=\"pane-preview\" type=\"button\">Preview</button>"
      "<button id=\"tab-problems\" aria-controls=\"pane-problems\" type=\"button\">Problems "
      "<span class=\"edit__n\" id=\"edit-n\"></span></button></div>\n"
      "<section class=\"edit__write\" id=\"pane-write\" aria-label=\"Text\" hidden><div class=\"edit__text\"><div class=\"edit__sheet\"><pre class=\"edit__back\" "
      "id=\"edit-back\" aria-hidden=\"true\"></pre><textarea id=\"edit-text\" aria-label=\"Text\" spellcheck=\"false\" autocapitalize=\"off\" "
      "autocomplete=\"off\"></textarea></div></div></section>\n"
      "<section class=\"edit__problems\" id=\"pane-problems\" aria-labelledby=\"edit-problems-title\" hidden><div class=\"edit__head\"><h2 "
      "id=\"edit-problems-title\">Problems</h2><p id=\"edit-count\" role=\"status\"></p></div>\n<ol id=\"edit-list\"></ol></section>\n"
      "<section class=\"edit__preview\" id=\"pane-preview\" aria-label=\"Preview\" hidden><iframe id=\"edit-frame\" title=\"Preview of the page\" src=\"" +
      html_escaped(url(context, "/edit/preview/")) + "\"></iframe></section>\n</main>\n";
  return out + end_html(context);
}

std::string edit_preview_page(const PageContext& context) {
  PageFrame frame;
  frame.title = "Preview · " + context.book.title;
  frame.url = "/edit/preview/";
  frame.body_class = "preview";
  frame.script = context.assets.preview_script;
  frame.more_style = context.assets.preview_style;
  frame.index = false;
  return head_html(context, frame) +
         "<main class=\"page\" id=\"main\" tabindex=\"-1\">\n<div class=\"text\"><h1>Preview</h1>\n<p>The <a href=\"" +
         html_escaped(url(context, "/edit/")) + "\">editor</a> shows here what you write.</p></div>\n</main>\n" + end_html(context);
}

}  // namespace lk::render
