// Pages for readers in need: the one for addresses that lead nowhere, and the one about privacy.
import { page } from "./page";

const wordsOf = (text: string): Set<string> =>
  new Set(text.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 1 && !["chapters", "html", "the", "and"].includes(word)));

/// Names the page whose address or title has most words in common with the address asked for.
function near(line: HTMLElement): void {
  const asked = wordsOf(location.pathname);
  let best: HTMLElement | undefined;
  let most = 0;
  for (const place of document.querySelectorAll<HTMLElement>(".toc a, .toc .todo, .foot a")) {
    if (place instanceof HTMLAnchorElement && place.hash) continue;
    const has = wordsOf(place instanceof HTMLAnchorElement ? place.pathname : (place.textContent ?? "").replace(/^[\d.]+/, ""));
    const common = [...asked].filter((word) => has.has(word)).length;
    const score = common / (asked.size + has.size - common || 1);
    if (score > most) {
      most = score;
      best = place;
    }
  }
  if (!best) return;
  const name = [...best.childNodes].filter((one) => one.nodeName !== "SMALL").map((one) => one.textContent?.trim()).join(" ");
  if (best instanceof HTMLAnchorElement) {
    const link = document.createElement("a");
    link.href = best.href;
    link.textContent = name;
    line.replaceChildren("Perhaps you meant ", link, ".");
  } else {
    line.textContent = `Perhaps you meant ${name}, which is not written yet.`;
  }
  line.hidden = false;
}

/// Everything that the book keeps in this browser; says what there was.
async function erase(base: string): Promise<string> {
  const removed: string[] = [];
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith("lk-"));
    for (const key of keys) localStorage.removeItem(key);
    if (keys.length) removed.push(keys.length === 1 ? "one entry" : `${keys.length} entries`);
  } catch {
    // Closed to us, and so empty of ours.
  }
  const registration = await navigator.serviceWorker?.getRegistration(base);
  if (registration && new URL(registration.scope).pathname === base) await registration.unregister();
  if ("caches" in window) {
    const names = (await caches.keys()).filter((name) => name.startsWith(`lk ${base} `));
    await Promise.all(names.map((name) => caches.delete(name)));
    if (names.length) removed.push("the copy for reading offline");
  }
  return removed.length
    ? `Removed: ${removed.join(" and ")}. The next page of the book that you open saves a copy again.`
    : "There was nothing to remove.";
}

const line = document.querySelector<HTMLElement>("#near");
if (line) near(line);

const button = document.querySelector<HTMLButtonElement>("#erase");
const said = document.querySelector<HTMLElement>("#erased");
if (button && said)
  button.addEventListener("click", () => {
    button.disabled = true;
    erase(page().base)
      .catch((error: unknown) => `Not all of it could be removed: ${error instanceof Error ? error.message : String(error)}. Delete this site’s data in the browser’s settings instead.`)
      .then((words) => {
        said.textContent = words;
        document.querySelector("#offline")?.replaceChildren();
        button.disabled = false;
      });
  });
