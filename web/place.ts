// Where the reader is: kept while a section is read, offered again on the next visit, shown in the contents. All of it stays in
// this browser:
//   lk-place  the last place: {url, title, chapter, heading, paragraph, time}
//   lk-read   every section begun: {path: {heading, paragraph, part, end}}; `part` is the share of its blocks passed, `end` that
//             its last one has been seen
// A paragraph is counted from the heading above it, so that it is found again when other parts of the section have changed.
import { memory } from "./page";
import { Pause } from "./pause";

interface Spot {
  heading: string;
  paragraph: number;
}
interface Place extends Spot {
  url: string;
  title: string;
  chapter: string;
  time: number;
}
interface Begun extends Spot {
  part: number;
  end: boolean;
}
type Read = Record<string, Begun>;

/// What a link to the remembered place ends in. No page has such an anchor.
const there = "#lk-place";

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
const isSpot = (value: Record<string, unknown>): boolean => typeof value["heading"] === "string" && typeof value["paragraph"] === "number";

function parsed(key: string): unknown {
  try {
    return JSON.parse(memory.get(key) ?? "null");
  } catch {
    return null;
  }
}

function lastPlace(): Place | undefined {
  const value = parsed("lk-place");
  if (!isObject(value) || !isSpot(value) || typeof value["url"] !== "string" || typeof value["title"] !== "string") return undefined;
  return value as unknown as Place;
}

function begun(): Read {
  const value = parsed("lk-read");
  const out: Read = {};
  if (!isObject(value)) return out;
  for (const [path, one] of Object.entries(value))
    if (isObject(one) && isSpot(one) && typeof one["part"] === "number") out[path] = { ...(one as unknown as Begun), end: one["end"] === true };
  return out;
}

/// The blocks of a section in order: what a reader reads one after the other.
function blocks(article: HTMLElement): HTMLElement[] {
  return [...article.querySelectorAll<HTMLElement>("h2, h3, h4, .text > :is(p, ul, ol, blockquote, hr), figure, .list, .stats, .scroll, .sources")]
    .filter((one) => !one.closest("header, .next") && !one.parentElement?.closest("figure, .list, .sources"));
}
const isHeading = (one: HTMLElement): boolean => /^H[2-4]$/.test(one.tagName) && Boolean(one.id);

function find(all: HTMLElement[], { heading, paragraph }: Spot): HTMLElement | undefined {
  const from = heading ? all.findIndex((one) => isHeading(one) && one.id === heading) : 0;
  if (from < 0) return undefined;
  let at = from;
  while (at < from + paragraph && all[at + 1] && !isHeading(all[at + 1] as HTMLElement)) at++;
  return all[at];
}

function spot(all: HTMLElement[], at: number): Spot {
  let from = at;
  while (from > 0 && !isHeading(all[from] as HTMLElement)) from--;
  const head = all[from];
  return { heading: head && isHeading(head) ? head.id : "", paragraph: at - from };
}

/// The first block that shows below the header.
function topmost(all: HTMLElement[]): number {
  const line = (document.querySelector<HTMLElement>(".head")?.offsetHeight ?? 0) + 8;
  let low = 0;
  let high = all.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((all[middle] as HTMLElement).getBoundingClientRect().bottom > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

const words = (heading: string): string => {
  const head = heading ? document.getElementById(heading) : null;
  return head ? [...head.childNodes].filter((one) => !(one instanceof Element && one.classList.contains("hash"))).map((one) => one.textContent).join("").trim() : "";
};

/// "You were further down" with a button, until the reader takes it, closes it or reads on.
function offer(to: HTMLElement, { heading }: Spot): () => void {
  const bar = document.createElement("div");
  bar.className = "hint-bar back";
  bar.setAttribute("role", "status");
  const text = document.createElement("span");
  const name = words(heading);
  text.textContent = name ? `You were at “${name}”.` : "You were further down.";
  const go = document.createElement("button");
  go.type = "button";
  go.className = "btn btn--go";
  go.textContent = "Go there";
  const no = document.createElement("button");
  no.type = "button";
  no.className = "icon";
  no.setAttribute("aria-label", "Close");
  no.textContent = "×";
  const close = (): void => bar.remove();
  go.addEventListener("click", () => {
    close();
    show(to);
  });
  no.addEventListener("click", close);
  bar.append(text, go, no);
  (document.querySelector(".foot") ?? document.body).append(bar);
  return close;
}

/// Scrolls to a block and puts the keyboard there, so that Tab goes on from it.
function show(block: HTMLElement): void {
  block.scrollIntoView({ block: "start" });
  if (!block.hasAttribute("tabindex")) {
    block.tabIndex = -1;
    block.addEventListener("blur", () => block.removeAttribute("tabindex"), { once: true });
  }
  block.focus({ preventScroll: true });
}

function section(article: HTMLElement): void {
  const all = blocks(article);
  if (all.length < 2) return;
  const path = location.pathname;
  const before = begun()[path];
  const far = before && (before.heading || before.paragraph > 0) ? find(all, before) : undefined;
  let close: (() => void) | undefined;
  if (location.hash === there) {
    history.replaceState(history.state, "", path + location.search);
    // Once the fonts stand and everything has its height.
    if (far) void document.fonts.ready.then(() => show(far));
  } else if (far && !location.hash && scrollY < 200) {
    close = offer(far, before as Spot);
  }

  const title = article.querySelector("h1")?.textContent ?? document.title;
  const chapter = article.querySelector(".crumb")?.textContent ?? "";
  const number = article.dataset["section"] ?? "";
  let moved = false;
  const keep = (): void => {
    if (!moved || document.visibilityState === "hidden" && scrollY === 0) return;
    const at = topmost(all);
    const last = all[all.length - 1] as HTMLElement;
    const end = last.getBoundingClientRect().bottom <= innerHeight + 4;
    const here = spot(all, at);
    const read = begun();
    const old = read[path];
    read[path] = { ...here, part: Math.max(old?.part ?? 0, end ? 1 : at / all.length), end: (old?.end ?? false) || end };
    memory.set("lk-read", JSON.stringify(read));
    const place: Place = { url: path, title: `${number} ${title}`.trim(), chapter, ...here, time: Date.now() };
    memory.set("lk-place", JSON.stringify(place));
  };
  const rest = new Pause(400, keep);
  if (scrollY > 0) {
    // Read on before this script came.
    moved = true;
    rest.wait();
  }
  addEventListener("scroll", () => {
    moved = true;
    rest.wait();
    if (close && scrollY > innerHeight) {
      close();
      close = undefined;
    }
  }, { passive: true });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keep());
}

const circle = (share: number): string => {
  const around = 2 * Math.PI * 4.75;
  return `<circle cx="6" cy="6" r="4.75"/><circle class="on" cx="6" cy="6" r="4.75" stroke-dasharray="${(share * around).toFixed(1)} 30" transform="rotate(-90 6 6)"/>`;
};

/// A tick beside what was read to the end, a part of a circle beside what was begun.
function marks(read: Read): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(".toc ol a, .side li li > a")) {
    link.querySelector(".mark")?.remove();
    const one = link.hash ? undefined : read[link.pathname];
    if (!one) continue;
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 12 12");
    svg.setAttribute("class", one.end ? "mark mark--done" : "mark");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", one.end ? "read" : `${Math.round(one.part * 100)}% read`);
    svg.innerHTML = one.end ? '<path d="m2 6.5 2.8 2.8L10.200 3"/>' : circle(one.part);
    link.append(svg);
  }
}

function home(): void {
  const go = document.querySelector<HTMLAnchorElement>("#go");
  const at = document.querySelector<HTMLElement>("#go-at");
  const progress = document.querySelector<HTMLElement>("#progress");
  const forget = document.querySelector<HTMLElement>("#forget");
  const last = lastPlace();
  const known = last && [...document.querySelectorAll<HTMLAnchorElement>(".toc ol a")].find((link) => link.pathname === last.url);
  if (go && at && last && known) {
    const number = known.querySelector("span")?.textContent ?? "";
    go.href = last.url + there;
    go.textContent = `Continue with ${number}`;
    at.textContent = `You were in “${last.title.slice(number.length).trim()}”, ${new Date(last.time).toLocaleDateString(document.documentElement.lang, { day: "numeric", month: "long" })}.`;
  }
  const read = Object.values(begun());
  if (!progress || !forget || !read.length) return;
  const done = read.filter((one) => one.end).length;
  const all = document.querySelectorAll(".toc > li > ol > li :is(.todo, a[href$='/'])").length;
  progress.textContent = `${done} of ${all} sections read to the end.`;
  forget.hidden = false;
  forget.addEventListener("click", () => {
    memory.set("lk-read", undefined);
    memory.set("lk-place", undefined);
    marks({});
    progress.textContent = "The marks are removed.";
    forget.hidden = true;
    document.querySelector<HTMLElement>("main")?.focus();
  });
}

const article = document.querySelector<HTMLElement>("article[data-section]");
if (article) section(article);
marks(begun());
if (document.querySelector("main.home")) home();
// Another window reads on.
addEventListener("storage", ({ key }) => {
  if (key === "lk-read") marks(begun());
});
