// The frame around the text: theme, drawer, contents that follow the reader, copy buttons of listings.
import { confirm, copy, memory } from "./page";

type Theme = "light" | "dark";

/// The button shows the other theme. Back at the system's own, the choice is forgotten and the page follows the system again.
export function theme(): void {
  const button = document.querySelector<HTMLButtonElement>("#theme");
  if (!button) return;
  const root = document.documentElement;
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const system = (): Theme => prefersDark.matches ? "dark" : "light";
  const other = (): Theme => {
    const chosen = root.dataset["theme"];
    return (chosen === "light" || chosen === "dark" ? chosen : system()) === "dark" ? "light" : "dark";
  };
  const label = (): void => {
    const words = `Switch to the ${other()} theme`;
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  label();
  prefersDark.addEventListener("change", label);
  addEventListener("storage", ({ key, newValue }) => {
    if (key !== "lk-theme") return;
    if (newValue === "light" || newValue === "dark") root.dataset["theme"] = newValue;
    else delete root.dataset["theme"];
    label();
  });
  button.addEventListener("click", () => {
    const chosen = other();
    if (chosen === system()) delete root.dataset["theme"];
    else root.dataset["theme"] = chosen;
    memory.set("lk-theme", chosen === system() ? undefined : chosen);
    label();
  });
}

export function drawer(): void {
  const button = document.querySelector<HTMLAnchorElement>("a.only-drawer");
  const side = document.querySelector<HTMLElement>(".side");
  if (!button || !side) return;
  button.setAttribute("role", "button");
  button.setAttribute("aria-controls", side.id);
  const set = (open: boolean): void => {
    side.toggleAttribute("data-open", open);
    button.setAttribute("aria-expanded", String(open));
  };
  const toggle = (event: Event): void => {
    event.preventDefault();
    const open = button.getAttribute("aria-expanded") !== "true";
    set(open);
    if (open) (side.querySelector<HTMLElement>("[aria-current=page]") ?? side.querySelector<HTMLElement>("a"))?.focus();
  };
  set(false);
  button.addEventListener("click", toggle);
  button.addEventListener("keydown", (event) => {
    if (event.key === " ") toggle(event);
  });
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || button.contains(event.target)) return;
    if (!side.contains(event.target) || event.target.closest("a")) set(false);
    if (event.target.closest(".side__close")) {
      event.preventDefault();
      button.focus();
    }
  });
  // Whoever tabs out of the drawer is in the text again, and must see it.
  side.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !side.contains(relatedTarget) && !button.contains(relatedTarget)) set(false);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !side.hasAttribute("data-open")) return;
    set(false);
    button.focus();
  });
}

/// Marks the part of the page that is being read.
export function contents(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(".here a[href^='#']")];
  const heads = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  if (!links.length) return;
  let frame = 0;
  const mark = (): void => {
    frame = 0;
    const line = innerHeight * 0.25;
    // At the end of the page the last part counts as read wherever it stands.
    const end = scrollY + innerHeight >= document.documentElement.scrollHeight - 2 ? innerHeight : line;
    let at = -1;
    heads.forEach((head, n) => {
      if (head && head.getBoundingClientRect().top <= end) at = n;
    });
    links.forEach((link, n) => {
      if (n === at) link.setAttribute("aria-current", "location");
      else link.removeAttribute("aria-current");
    });
  };
  const soon = (): void => {
    frame ||= requestAnimationFrame(mark);
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon, { passive: true });
  soon();
}

/// A button before `copy` that opens the sheet in which a kernel runs.
function runs(copy: HTMLElement, file: string, kernel: string): void {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "tool";
  button.textContent = "Run this";
  button.addEventListener("click", () => {
    import(new URL("./run.js", import.meta.url).href)
      .then(({ open }: { open(file: string, kernel: string, opener: HTMLElement): void }) => open(file, kernel, button))
      .catch(() => confirm(button, "Did not load"));
  });
  copy.before(button);
}

export function listings(): void {
  for (const button of document.querySelectorAll<HTMLElement>("[data-tool=copy]")) {
    button.hidden = false;
    const file = button.parentElement?.querySelector("code")?.textContent ?? "";
    const kernel = button.dataset["run"];
    if (kernel) runs(button, file, kernel);
  }
  document.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tool=copy]") : null;
    const code = button?.closest(".list")?.querySelector("pre");
    if (!button || !code) return;
    const lines = [...code.querySelectorAll("[data-n]")];
    const text = lines.length ? lines.map((line) => line.textContent?.replace(/\n$/, "")).join("\n") + "\n" : (code.textContent ?? "");
    if (await copy(text)) confirm(button, "Copied");
    else {
      getSelection()?.selectAllChildren(code);
      confirm(button, "Selected");
    }
  });
}
