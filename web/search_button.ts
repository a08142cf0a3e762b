// The button in the header that opens the search, and the key that does the same. All else comes when somebody wants it.
import { alertLine } from "./page";
import type { Page } from "./page";

export interface SearchPanel {
  open(opener: HTMLElement): void;
}

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select"));

export function searchButton(about: Page): void {
  const button = document.querySelector<HTMLButtonElement>("#find");
  if (!button) return;
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-keyshortcuts", "/");
  let panel: Promise<SearchPanel> | undefined;
  const load = (): Promise<SearchPanel> => {
    panel ??= import(new URL("./search.js", import.meta.url).href).then((search: { panel(about: Page): SearchPanel }) => search.panel(about));
    panel.catch(() => (panel = undefined));
    return panel;
  };
  const open = async (): Promise<void> => {
    document.querySelector("#find-failed")?.remove();
    try {
      (await load()).open(button);
    } catch {
      alertLine("find-failed", "The search did not load. Check the connection, then try again.");
    }
  };
  for (const early of ["focus", "pointerenter"]) button.addEventListener(early, () => void load().catch(() => undefined));
  button.addEventListener("click", () => void open());
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    event.preventDefault();
    void open();
  });
}
