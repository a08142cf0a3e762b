// All figures of a page: which transport each uses, when it starts, and how links and the reader's device move it.
import { direct, inWorker } from "./engine";
import type { Engine } from "./engine";
import { Island } from "./figure";
import { after } from "./page";
import { remembering } from "./remember";
import type { Page } from "./page";
import { figureState, forget, parse, settle } from "./url";

export interface Start {
  page: Page;
  device(): string | undefined;
  onDevice(listener: () => void): void;
  address?: boolean;
  onSize?: () => void;
}

export function start({ page, device, onDevice, address = true, onSize }: Start): void {
  const engines = new Map<string, Engine>();
  const engine = (cost: string | undefined, module: string | undefined): Engine => {
    const key = `${cost} ${module}`;
    const { reader, world } = (module && page.modules[module]) || page;
    const made = engines.get(key) ?? (cost === "worker" ? inWorker(new URL("./worker.js", import.meta.url).href, reader, world) : remembering(direct(reader, world), 6e6));
    engines.set(key, made);
    return made;
  };

  const islands: Island[] = [];
  for (const figure of document.querySelectorAll<HTMLElement>("figure[data-figure]")) {
    const setting = { engine: engine(figure.dataset["cost"], figure.dataset["module"]), device, bookDevice: page.device, address, ...(onSize ? { onSize } : {}) };
    const island = new Island(figure, setting);
    islands.push(island);
    const state = figureState(location.search, island.uid);
    if (state.size) island.restore(state);
  }

  // A figure starts when it comes near, once the page has settled.
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      near.unobserve(target);
      after(() => islands.find(({ figure }) => figure === target)?.start());
    }
  }, { rootMargin: "600px 0px" });
  for (const { figure } of islands) near.observe(figure);

  onDevice(() => islands.forEach((island) => island.deviceChanged()));

  // An opened note on how numbers were obtained closes when the reader turns elsewhere.
  const closeNotes = (but: EventTarget | null): void => {
    for (const note of document.querySelectorAll<HTMLDetailsElement>("details.prov[open]"))
      if (!(but instanceof Node && note.contains(but))) note.open = false;
  };
  document.addEventListener("click", ({ target }) => closeNotes(target));
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeNotes(null);
  });

  const byUid = (uid: string): Island | undefined => islands.find((island) => island.uid === uid);
  addEventListener("popstate", ({ state }) => {
    forget();
    const top = (state as { top?: number } | null)?.top;
    if (top !== undefined) requestAnimationFrame(() => scrollTo({ top, behavior: "instant" }));
    for (const island of islands) island.restore(figureState(location.search, island.uid));
  });

  // "[stride 8](set:...)" in the text.
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-set]") : null;
    if (!link) return;
    const [uid = "", query = ""] = (link.dataset["set"] ?? "").split("?");
    const island = byUid(uid);
    if (!island) return;
    event.preventDefault();
    // A step of its own in the history: Back returns to the state and the place the reader left.
    settle();
    // A scroll still under way would overrun the browser's own memory of the place.
    history.replaceState({ top: scrollY }, "");
    history.pushState(null, "", location.pathname + location.search + `#${island.figure.id}`);
    island.move(parse(query));
    island.reveal();
  });
}
