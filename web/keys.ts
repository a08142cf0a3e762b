// Keys of the page: ? shows them all, [ and ] turn the pages. Single keys can be switched off, for those who speak to their
// machine or hit keys by accident.
import { alertLine, memory } from "./page";

const stored = "lk-keys";
export const on = (): boolean => memory.get(stored) !== "off";
export const turn = (single: boolean): void => memory.set(stored, single ? undefined : "off");

/// Whether keys that are pressed here become text, a choice or a movement of the lab.
export const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input:not([type=range], [type=checkbox], [type=radio]), textarea, select") || !!target.closest("[data-lab]"));

export const link = (rel: string): HTMLAnchorElement | null => document.querySelector<HTMLAnchorElement>(`.next a[rel=${rel}]`);
/// The search box of the page, or the button that brings one.
export const search = (): HTMLElement | null => document.querySelector<HTMLElement>("#search, #find");

async function show(): Promise<void> {
  if (document.querySelector("dialog[open]")) return;
  try {
    await (await import(new URL("./keys_list.js", import.meta.url).href) as { show(): Promise<void> }).show();
  } catch {
    alertLine("keys-failed", "The list of keys did not load. Check the connection, then try again.");
  }
}

export function keys(): void {
  const button = document.querySelector<HTMLElement>("#keys");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => void show());
  }
  document.addEventListener("keydown", (event) => {
    // On many keyboards brackets come with AltGr, which some systems call Ctrl and Alt.
    const held = (event.ctrlKey || event.metaKey) && !event.getModifierState("AltGraph");
    if (held || event.defaultPrevented || event.repeat || event.isComposing || !on() || typing(event.target) || document.querySelector("dialog[open]")) return;
    const { key } = event;
    if (key === "?") void show();
    else if (key === "[") link("prev")?.click();
    else if (key === "]") link("next")?.click();
    else if (key === "/" && document.querySelector("input#search")) document.querySelector<HTMLInputElement>("input#search")?.focus();
    else return;
    event.preventDefault();
  });
}
