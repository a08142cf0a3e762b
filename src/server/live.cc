#include "server/request.h"

namespace lk::server {

// Built pages are static; while an author writes, this script reloads them, and shows what is wrong with the content
// over the last good page. The text comes from the author's own files and is set as text, never as markup.
std::string_view live_script() {
  return R"js(const here = new URL("./", document.currentScript.src);
const link = document.createElement("link");
link.rel = "stylesheet";
link.href = new URL("live.css", here).href;
document.head.append(link);
let version = document.currentScript.dataset.version;
let panel = null;
function clear() { if (panel) panel.remove(); panel = null; }
const events = new EventSource(new URL("events", here).href);
events.addEventListener("site", (event) => {
  clear();
  if (event.data !== version) location.reload();
});
events.addEventListener("problems", (event) => {
  clear();
  panel = document.createElement("section");
  panel.id = "lk-live";
  panel.setAttribute("role", "alert");
  const title = document.createElement("h2");
  title.textContent = "The content has errors; this is the last good page";
  const list = document.createElement("pre");
  list.textContent = event.data;
  panel.append(title, list);
  document.body.append(panel);
});
)js";
}

std::string_view live_style() {
  return R"css(#lk-live { position: fixed; z-index: 99; left: 1rem; right: 1rem; bottom: 1rem; max-height: 60vh; overflow: auto; padding: 1rem 1.25rem;
  background: #8e0f14; color: #fff; border-radius: 4px; font: 14px/20px system-ui, sans-serif; }
#lk-live h2 { margin: 0 0 .5rem; font: 600 16px/22px system-ui, sans-serif; }
#lk-live pre { margin: 0; white-space: pre-wrap; font: 13px/20px ui-monospace, monospace; }
)css";
}

}  // namespace lk::server
