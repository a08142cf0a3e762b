// Terms explain themselves: a tooltip for mouse and keyboard, a sheet with a link for fingers.
import { after } from "./page";

interface Term {
  name: string;
  unit?: string;
  html: string;
}

/// A term links to its place in the glossary.
const idOf = (link: HTMLAnchorElement): string => link.hash.slice(1);

export function terms(address: string): void {
  if (!address || !document.querySelector("a.term")) return;
  let known: Record<string, Term> = {};
  let pop: HTMLElement | undefined;
  let owner: HTMLAnchorElement | undefined;
  let timer = 0;
  let touched = false;
  let came = false;

  // Should they not come, a term is still a link to the glossary.
  const load = async (): Promise<void> => {
    try {
      const answer = await fetch(address);
      if (!answer.ok) return;
      known = await answer.json() as Record<string, Term>;
      came = true;
    } catch {
      // Asked for again at the next term.
    }
  };
  after(() => void load());

  const close = (): void => {
    clearTimeout(timer);
    pop?.remove();
    pop = undefined;
    owner?.removeAttribute("aria-expanded");
    owner?.removeAttribute("aria-describedby");
    owner = undefined;
  };

  const open = (link: HTMLAnchorElement, sheet: boolean): void => {
    if (owner === link && (!sheet || pop?.getAttribute("role") === "dialog")) {
      clearTimeout(timer);
      return;
    }
    close();
    const term = known[idOf(link)];
    if (!term) {
      if (!came) void load().then(() => came && (link.matches(":hover, :focus")) && open(link, sheet));
      return;
    }
    owner = link;
    pop = document.createElement("div");
    pop.className = "pop";
    pop.id = "term-pop";
    const name = document.createElement("b");
    name.textContent = term.name;
    if (term.unit && term.unit !== term.name) {
      const unit = document.createElement("small");
      unit.textContent = term.unit;
      name.append(unit);
    }
    const sentence = document.createElement("p");
    sentence.innerHTML = term.html;
    pop.append(name, sentence);
    if (sheet) {
      pop.setAttribute("role", "dialog");
      pop.setAttribute("aria-label", term.name);
      pop.tabIndex = -1;
      const more = document.createElement("p");
      const entry = document.createElement("a");
      entry.href = link.href;
      entry.textContent = "Open in the glossary";
      const shut = document.createElement("button");
      shut.type = "button";
      shut.className = "btn";
      shut.textContent = "Close";
      shut.addEventListener("click", () => {
        const back = owner;
        close();
        back?.focus({ preventScroll: true });
      });
      more.className = "pop__end";
      more.append(entry, shut);
      pop.append(more);
      link.setAttribute("aria-expanded", "true");
    } else {
      pop.setAttribute("role", "tooltip");
      link.setAttribute("aria-describedby", pop.id);
    }
    (link.closest("main") ?? document.body).append(pop);
    const at = link.getClientRects()[0] ?? link.getBoundingClientRect();
    const { width, height } = pop.getBoundingClientRect();
    const x = Math.min(Math.max(16, at.left), document.documentElement.clientWidth - width - 16);
    const below = at.bottom + 8 + height <= innerHeight || at.top < height + 16;
    pop.style.left = `${x + scrollX}px`;
    pop.style.top = `${(below ? at.bottom + 8 : at.top - height - 8) + scrollY}px`;
    if (sheet) pop.focus();
  };

  const later = (task: () => void, ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(task, ms);
  };
  const termOf = (event: Event): HTMLAnchorElement | null =>
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a.term") : null;

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch") return;
    const link = termOf(event);
    if (link) later(() => open(link, false), pop ? 0 : 250);
    else if (pop && event.target instanceof Node && pop.contains(event.target)) clearTimeout(timer);
    else if (pop && pop.getAttribute("role") === "tooltip" && document.activeElement !== owner) later(close, 250);
    else if (!pop) clearTimeout(timer);
  });
  document.addEventListener("pointerdown", (event) => {
    touched = event.pointerType === "touch";
    if (pop && event.target instanceof Node && !pop.contains(event.target) && termOf(event) !== owner) close();
  });
  document.addEventListener("focusin", (event) => {
    const link = termOf(event);
    if (link && link.matches(":focus-visible")) open(link, false);
    else if (!link && pop && event.target instanceof Node && !pop.contains(event.target)) close();
  });
  document.addEventListener("click", (event) => {
    const link = termOf(event);
    if (!link || !touched || !known[idOf(link)]) return;
    event.preventDefault();
    if (owner === link && pop?.getAttribute("role") === "dialog") close();
    else open(link, true);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !pop) return;
    const back = pop.getAttribute("role") === "dialog" ? owner : undefined;
    close();
    back?.focus();
  });
}
