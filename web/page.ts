// What the page tells its scripts, and what the reader's browser remembers.

export interface Page {
  /// The site's base path, "/" or "/sub/path/".
  base: string;
  /// Addresses of the world's data, the glossary's sentences, the reader module and the service worker.
  world: string;
  terms: string;
  reader: string;
  /// Further reader modules, each with its world: figures name theirs in data-module.
  modules: Record<string, { reader: string; world: string }>;
  sw: string;
  /// The book's device.
  device: string;
  /// Served while writing: pages reload by themselves, nothing is kept offline.
  live: boolean;
}

export function json<T>(id: string): T | undefined {
  const text = document.getElementById(id)?.textContent;
  if (!text) return undefined;
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

export function page(): Page {
  return { base: "/", world: "", terms: "", reader: "", modules: {}, sw: "", device: "h200", live: false, ...json<Partial<Page>>("lk-page") };
}

/// Storage that may be closed: reading gives nothing, writing does nothing.
export const memory = {
  get(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(key: string, value: string | undefined): void {
    try {
      if (value === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Nothing to do: the choice holds for this page.
    }
  },
};

export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function after(task: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(task, { timeout: 2000 });
  else setTimeout(task, 1);
}

/// A line over the page's foot for some seconds: what went wrong and what to do.
export function alertLine(id: string, words: string): void {
  document.getElementById(id)?.remove();
  const line = document.createElement("p");
  line.id = id;
  line.className = "hint-bar";
  line.setAttribute("role", "alert");
  line.textContent = words;
  document.body.append(line);
  setTimeout(() => line.remove(), 8000);
}

/// Adds a style sheet and waits for it. Should it not come, what opens reads all the same, though plainly.
export function sheet(href: string): Promise<void> {
  return new Promise((done) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}

/// Says on the button itself that something was copied, for 1.4 seconds.
export function confirm(button: HTMLElement, words: string): void {
  const label = button.querySelector("span") ?? button;
  button.dataset["label"] ??= label.textContent ?? "";
  const before = button.dataset["label"];
  label.textContent = words;
  clearTimeout(Number(button.dataset["timer"]));
  button.dataset["timer"] = String(setTimeout(() => (label.textContent = before), 1400));
}

/// Copies text; false when the browser would not, so that the caller can show the text instead.
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const box = document.createElement("textarea");
    box.value = text;
    box.className = "vh";
    const focused = document.activeElement;
    document.body.append(box);
    box.select();
    let done = false;
    try {
      done = document.execCommand("copy");
    } catch {
      done = false;
    }
    box.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return done;
  }
}
