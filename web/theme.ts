// Runs inline before the first paint: theme, and a mark that a script is at work. Its hash stands in the policy.
const root = document.documentElement;
root.dataset["js"] = "";
// Controls that wait for a script that never comes must not look alive.
addEventListener("error", ({ target }) => {
  if (target instanceof HTMLScriptElement) delete root.dataset["js"];
}, true);
const query = new URLSearchParams(location.search);
let theme = query.get("theme");
let device = query.get("device");
try {
  theme ||= localStorage.getItem("lk-theme");
  device ||= localStorage.getItem("lk-device");
} catch {
  // Storage may be closed to us; the book works without.
}
if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
// Numbers of another device than the page's own wait for the page script instead of flashing.
if (device) root.dataset["away"] = "";

export {};
