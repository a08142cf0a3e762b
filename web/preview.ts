// The page that the editor frames. It takes the main part of a page again and again and changes only what differs, so that its scroll
// stays and figures keep the state that they were moved to.
import { Device } from "./device";
import { EngineError } from "./engine";
import type { Answer, Engine, Methods } from "./engine";
import { Island } from "./figure";
import { page } from "./page";
import { remembering } from "./remember";
import { listings } from "./shell";
import { terms } from "./terms";
import { parse } from "./url";

export type ToPreview =
  /// Whoever is there first asks for the other.
  | { type: "lk-preview:hello" }
  /// With a port to the author's worker, which computes the figures.
  | { type: "lk-preview:begin" }
  /// `fresh`: another page, from its top. Else what changed comes into view, nearest to `at`, the writer's share of the text. `tables`
  /// differs when figures may compute otherwise.
  | { type: "lk-preview:show"; html: string; home: boolean; fresh: boolean; tables: number; at: number }
  | { type: "lk-preview:why"; what: string; hint: string }
  | { type: "lk-preview:theme"; theme: string | undefined };

export type FromPreview =
  | { type: "lk-preview:ready" }
  /// A link to another page of the book was followed.
  | { type: "lk-preview:open"; href: string };

const about = page();
const device = new Device(about.device);
const main = document.querySelector<HTMLElement>("main") ?? document.body;

/* figures */

/// The engine at the other end of a port.
function across(port: MessagePort): Engine {
  const waiting = new Map<number, { done: (text: string) => void; no: (error: Error) => void }>();
  let last = 0;
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.response !== undefined) asked?.done(data.response);
    else asked?.no(new EngineError(data.failure ?? "The editor gave no answer."));
  };
  return {
    async call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
      const id = ++last;
      const text = await new Promise<string>((done, no) => {
        waiting.set(id, { done, no });
        port.postMessage({ id, request: JSON.stringify({ method, params }) });
      });
      const { result, error } = JSON.parse(text) as { result?: Methods[M][1]; error?: { what: string; hint?: string } };
      if (error || result === undefined) throw new EngineError(error?.what ?? "The editor gave no answer.", error?.hint);
      return result;
    },
  };
}

let theirs: Engine | undefined;
let remembered: Engine | undefined;
let computed = 0;
/// Answers are remembered while the tables stay as they are.
const engine: Engine = {
  call: (method, params) => {
    if (!theirs) return Promise.reject(new EngineError("The editor is not there yet."));
    remembered ??= remembering(theirs, 6e6);
    return remembered.call(method, params);
  },
};
const islands = new Map<HTMLElement, Island>();
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    islands.get(target as HTMLElement)?.start();
  }
}, { rootMargin: "600px 0px" });
device.onChange(() => islands.forEach((island) => island.deviceChanged()));

function figures(): void {
  for (const [figure] of islands)
    if (!figure.isConnected) {
      near.unobserve(figure);
      islands.delete(figure);
    }
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-figure]")) {
    if (islands.has(figure)) continue;
    islands.set(figure, new Island(figure, { engine, device: () => device.choice(), bookDevice: about.device, address: false }));
    near.observe(figure);
  }
}

/* what is shown, and what it was made from */

let source: Element = document.createElement("main");
/// Where a node of the source stands in the page.
let twins = new WeakMap<Node, Node>();

function made(node: Node): Node {
  const copy = document.importNode(node, true);
  const pair = (a: Node, b: Node): void => {
    twins.set(a, b);
    const theirs = [...b.childNodes];
    a.childNodes.forEach((child, n) => theirs[n] && pair(child, theirs[n]));
  };
  pair(node, copy);
  return copy;
}

const opens = (a: Node, b: Node): boolean =>
  a instanceof Element && b instanceof Element && a.matches("article, header, section, div.text, figure.fig, .gl, .gl dl, .part, ol.reading") &&
  (a.cloneNode() as Element).isEqualNode(b.cloneNode());

/// Makes `old` and its twin like `wanted`. `changed` hears of the elements of the page that are new or follow what is gone.
function patch(old: Node, wanted: Node, changed: Element[]): void {
  const a = [...old.childNodes];
  const b = [...wanted.childNodes];
  const both = Math.min(a.length, b.length);
  const inA = (n: number): Node => a[n] as Node;
  const inB = (n: number): Node => b[n] as Node;
  let lead = 0;
  while (lead < both && inA(lead).isEqualNode(inB(lead))) lead++;
  let tail = 0;
  while (tail < both - lead && inA(a.length - 1 - tail).isEqualNode(inB(b.length - 1 - tail))) tail++;
  for (; lead < both - tail && opens(inA(lead), inB(lead)); lead++) patch(inA(lead), inB(lead), changed);
  for (; tail < both - lead && opens(inA(a.length - 1 - tail), inB(b.length - 1 - tail)); tail++) patch(inA(a.length - 1 - tail), inB(b.length - 1 - tail), changed);
  const place = twins.get(old);
  const next = a[a.length - tail] ?? null;
  const twin = next && twins.get(next);
  const before = twin?.parentNode === place ? twin ?? null : null;
  for (const node of b.slice(lead, b.length - tail)) {
    old.insertBefore(node, next);
    const copy = made(node);
    place?.insertBefore(copy, before);
    if (copy instanceof Element) changed.push(copy);
  }
  for (const node of a.slice(lead, a.length - tail)) {
    const theirs = twins.get(node);
    const after = theirs?.nextSibling ?? theirs?.parentNode;
    if (after instanceof Element) changed.push(after);
    theirs?.parentNode?.removeChild(theirs);
    old.removeChild(node);
  }
}

/// Brings into view what changed nearest to where the writer is: other changes may follow from it anywhere. `at` is a share of the text.
function reveal(changed: Element[], at: number): void {
  const seen = changed.filter((one) => one.isConnected && one !== main).map((element) => ({ element, ...pick(element.getBoundingClientRect()) }));
  const [first] = seen;
  if (!first) return;
  const far = ({ top }: { top: number }): number => Math.abs((top + scrollY) / document.documentElement.scrollHeight - at);
  const { element, top, bottom } = seen.reduce((best, one) => far(one) < far(best) ? one : best, first);
  if (bottom < 40 || top > innerHeight - 40) element.scrollIntoView({ block: "center", behavior: "instant" });
}
const pick = ({ top, bottom }: DOMRect): { top: number; bottom: number } => ({ top, bottom });

function show(html: string, home: boolean, anew: boolean, tables: number, at: number): void {
  const other = tables !== computed;
  computed = tables;
  if (other) remembered = undefined;
  document.querySelector(".preview__why")?.remove();
  const wanted = new DOMParser().parseFromString(`<main>${html}</main>`, "text/html").querySelector("main");
  if (!wanted) return;
  if (anew) {
    main.className = home ? "home" : "page";
    main.replaceChildren();
    twins = new WeakMap();
    source = document.createElement("main");
    twins.set(source, main);
  }
  const changed: Element[] = [];
  patch(source, wanted, changed);
  for (const button of main.querySelectorAll<HTMLElement>("[data-tool=copy]")) button.hidden = false;
  if (device.id !== about.device) device.follow(false);
  figures();
  if (other) islands.forEach((island) => island.deviceChanged());
  if (anew) scrollTo(0, 0);
  else reveal(changed, at);
}

/// Why there is nothing to show, above what was shown last.
function why(what: string, hint: string): void {
  document.querySelector(".preview__why")?.remove();
  const line = document.createElement("p");
  line.className = "preview__why";
  line.setAttribute("role", "status");
  line.textContent = `${what.charAt(0).toUpperCase()}${what.slice(1)}${hint ? `: ${hint}` : ""}.`;
  document.body.prepend(line);
}

/* the editor */

const tell = (message: FromPreview): void => parent.postMessage(message, location.origin);
let explained = false;

addEventListener("message", ({ data, source: from, origin, ports }: MessageEvent<ToPreview>) => {
  if (from !== parent || parent === window || origin !== location.origin) return;
  switch (data.type) {
    case "lk-preview:hello":
      tell({ type: "lk-preview:ready" });
      break;
    case "lk-preview:begin":
      if (ports[0]) theirs = across(ports[0]);
      break;
    case "lk-preview:show":
      show(data.html, data.home, data.fresh, data.tables, data.at);
      // Terms are looked for once, so there must be some.
      if (!explained && main.querySelector("a.term")) {
        explained = true;
        terms(about.terms);
      }
      break;
    case "lk-preview:why":
      why(data.what, data.hint);
      break;
    case "lk-preview:theme":
      if (data.theme === undefined) delete document.documentElement.dataset["theme"];
      else document.documentElement.dataset["theme"] = data.theme;
      break;
    default:
  }
});

document.addEventListener("click", (event) => {
  if (event.defaultPrevented || event.button !== 0 || parent === window) return;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
  if (!link) return;
  const [uid = "", query = ""] = (link.dataset["set"] ?? "").split("?");
  const island = [...islands.values()].find((one) => one.uid === uid);
  if (link.dataset["set"] !== undefined && island) {
    event.preventDefault();
    island.move(parse(query));
    island.reveal();
  } else if (!link.getAttribute("href")?.startsWith("#")) {
    event.preventDefault();
    tell({ type: "lk-preview:open", href: link.href });
  }
});

listings();
tell({ type: "lk-preview:ready" });
