// The text being written: a textarea over a copy of its words that carries the underlines, and what is said where one is pointed at.
import type { Fault } from "./author-messages";

/// A fault where it stands now: what is typed before it moves it, what is typed into it takes it away until the next check.
interface Mark {
  from: number;
  to: number;
  fault: Fault;
}

const part = <T extends Element>(selector: string, kind: new () => T): T => {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
};

/// Words of a message; what stands between backticks is code.
export const words = (message: string): (string | HTMLElement)[] =>
  message.split(/`([^`]*)`/).map((one, n) => {
    if (n % 2 === 0) return one;
    const code = document.createElement("code");
    code.textContent = one;
    return code;
  });

export class Writing {
  readonly area = part("#edit-text", HTMLTextAreaElement);
  private readonly back = part("#edit-back", HTMLPreElement);
  private readonly scroller = part(".edit__text", HTMLDivElement);
  private readonly pop = document.createElement("div");
  private marks: Mark[] = [];
  private before = "";
  private said: Fault | undefined;

  constructor(changed: (text: string) => void) {
    this.pop.className = "edit__pop";
    this.pop.setAttribute("role", "status");
    this.pop.hidden = true;
    this.scroller.append(this.pop);
    this.area.addEventListener("input", () => {
      this.shift(this.area.value);
      this.paint();
      this.caret();
      changed(this.area.value);
    });
    this.area.addEventListener("pointermove", ({ clientX, clientY, pointerType }) => {
      if (pointerType !== "touch") this.say(this.under(clientX, clientY) ?? this.at());
    });
    this.area.addEventListener("pointerleave", () => this.caret());
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.area) this.caret();
    });
    this.area.addEventListener("blur", () => this.say(undefined));
    // The list of problems below grows; what is being written stays in view.
    let height = this.scroller.clientHeight;
    new ResizeObserver(() => {
      const before = height;
      height = this.scroller.clientHeight;
      if (height >= before || document.activeElement !== this.area) return;
      const below = this.spot(this.area.selectionStart).bottom - this.scroller.getBoundingClientRect().top;
      if (below > height && below <= before + 24) this.scroller.scrollTop += below - height + 48;
    }).observe(this.scroller);
    this.area.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !this.pop.hidden) this.say(undefined);
      if (event.key !== "F8") return;
      event.preventDefault();
      this.step(event.shiftKey ? -1 : 1);
    });
  }

  /// Another text, from its beginning.
  open(text: string, label: string): void {
    this.area.value = text;
    this.area.setAttribute("aria-label", label);
    this.before = text;
    this.marks = [];
    this.paint();
    this.say(undefined);
    this.area.setSelectionRange(0, 0);
    this.scroller.scrollTop = 0;
  }

  /// The same text after an undo: the place is kept.
  replace(text: string): void {
    const { scrollTop } = this.scroller;
    const { selectionStart } = this.area;
    this.area.value = text;
    this.shift(text);
    this.paint();
    this.area.setSelectionRange(Math.min(selectionStart, text.length), Math.min(selectionStart, text.length));
    this.scroller.scrollTop = scrollTop;
  }

  /// The faults of this text as it is now.
  show(faults: readonly Fault[]): void {
    this.marks = faults.filter(({ from, to }) => to > from).map((fault) => ({ from: fault.from, to: fault.to, fault }));
    this.marks.sort((a, b) => a.from - b.from || b.to - a.to);
    this.paint();
    if (document.activeElement === this.area) this.caret();
    else if (this.said && !faults.includes(this.said)) this.say(undefined);
  }

  /// Selects what a fault points at and brings it into view.
  go(fault: Fault): void {
    const now = this.marks.find((mark) => mark.fault === fault);
    const from = Math.min(now?.from ?? fault.from, this.area.value.length);
    const to = Math.min(now?.to ?? fault.to, this.area.value.length);
    this.area.focus({ preventScroll: true });
    this.area.setSelectionRange(from, to);
    this.reveal(from, 96, 1 / 3);
    this.caret();
  }

  /// Where a place of the text is in the window.
  private spot(offset: number): DOMRect {
    const walk = document.createTreeWalker(this.back, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let left = offset, node = walk.nextNode(); node; left -= node.textContent?.length ?? 0, node = walk.nextNode())
      if (left < (node.textContent?.length ?? 0)) {
        range.setStart(node, left);
        range.setEnd(node, left + 1);
        return range.getBoundingClientRect();
      }
    return this.back.getBoundingClientRect();
  }

  /// Scrolls to a place that is nearer than `room` to an edge: to this share of the height.
  private reveal(offset: number, room: number, share: number): void {
    const box = this.scroller.getBoundingClientRect();
    const { top, bottom } = this.spot(offset);
    if (top < box.top + 8 || bottom > box.bottom - room) this.scroller.scrollTop += top - box.top - box.height * share;
  }

  /// How far down the text the caret is: 0 to 1.
  share(): number {
    return this.area.selectionStart / Math.max(1, this.area.value.length);
  }

  private step(way: 1 | -1): void {
    const here = this.area.selectionStart;
    const list = way > 0 ? this.marks : [...this.marks].reverse();
    const next = list.find(({ from }) => way > 0 ? from > here : from < here) ?? list[0];
    if (next) this.go(next.fault);
  }

  /// Keeps the marks on their words while the next check is under way.
  private shift(text: string): void {
    const old = this.before;
    this.before = text;
    const most = Math.min(old.length, text.length);
    let start = 0;
    while (start < most && old.charCodeAt(start) === text.charCodeAt(start)) start++;
    let end = 0;
    while (end < most - start && old.charCodeAt(old.length - 1 - end) === text.charCodeAt(text.length - 1 - end)) end++;
    const by = text.length - old.length;
    this.marks = this.marks.flatMap((mark) =>
      mark.to <= start ? [mark] : mark.from >= old.length - end ? [{ ...mark, from: mark.from + by, to: mark.to + by }] : []);
  }

  private paint(): void {
    const text = this.area.value;
    const parts: (string | HTMLElement)[] = [];
    let at = 0;
    for (const { from, to, fault } of this.marks) {
      const begin = Math.max(at, from);
      parts.push(text.slice(at, begin));
      const mark = document.createElement("mark"); // also where it lies within the one before: one for each
      mark.textContent = text.slice(begin, Math.max(begin, to));
      mark.className = fault.severity;
      parts.push(mark);
      at = Math.max(begin, to);
    }
    // A line end at the end shows a line only when something follows it.
    parts.push(text.slice(at), "\u200b");
    this.back.replaceChildren(...parts.filter((one) => one !== ""));
  }

  private at(): Mark | undefined {
    if (document.activeElement !== this.area) return undefined;
    const { selectionStart: from, selectionEnd: to } = this.area;
    return this.marks.find((mark) => mark.from <= from && to <= mark.to);
  }

  private under(x: number, y: number): Mark | undefined {
    const all = this.back.querySelectorAll("mark");
    return this.marks.find((_, n) => [...(all[n]?.getClientRects() ?? [])].some(({ left, right, top, bottom }) => left <= x && x <= right && top <= y && y <= bottom));
  }

  private caret(): void {
    this.say(this.at());
  }

  private say(mark: Mark | undefined): void {
    if (!mark) {
      this.said = undefined;
      this.pop.hidden = true;
      return;
    }
    const element = this.back.querySelectorAll("mark")[this.marks.indexOf(mark)];
    const rects = element?.getClientRects();
    const last = rects?.[rects.length - 1];
    const first = rects?.[0];
    if (!last || !first) return;
    if (this.said !== mark.fault || this.pop.hidden) {
      const what = document.createElement("b");
      what.append(...words(mark.fault.what));
      const hint = document.createElement("span");
      hint.append(...words(mark.fault.hint));
      this.pop.dataset["severity"] = mark.fault.severity;
      this.pop.replaceChildren(what, ...(mark.fault.hint ? [hint] : []));
      this.pop.hidden = false;
      this.said = mark.fault;
    }
    const box = this.scroller.getBoundingClientRect();
    const { width, height } = this.pop.getBoundingClientRect();
    const left = Math.max(8, Math.min(last.left - box.left, this.scroller.clientWidth - width - 8));
    const below = last.bottom + height + 12 < box.bottom || first.top - height - 12 < box.top;
    this.pop.style.left = `${left}px`;
    this.pop.style.top = `${(below ? last.bottom + 6 : first.top - height - 6) - box.top + this.scroller.scrollTop}px`;
  }
}
