// One figure of the page, made live: state, drawing, sentence, controls, table, tools, address.
import { Controls } from "./controls";
import { drags } from "./drag";
import type { Grip } from "./drag";
import { EngineError, Latest } from "./engine";
import type { Engine, FieldSpec, Rendered, RenderParams } from "./engine";
import { draw } from "./morph";
import { calm, confirm, copy } from "./page";
import { Pause } from "./pause";
import { whenIdle } from "./remember";
import type { Sharing } from "./share";
import { parse, replaceState, withFigure, write } from "./url";
import type { Values } from "./url";

export interface Setting {
  engine: Engine;
  /// The reader's device, or undefined while they have not chosen.
  device(): string | undefined;
  bookDevice: string;
  /// In an embed the address belongs to the host page's frame and stays as it is.
  address: boolean;
  onSize?: () => void;
}

const part = <T extends Element>(of: Element, selector: string): T => {
  const found = of.querySelector<T>(selector);
  if (!found) throw new Error(`The figure has no ${selector}.`);
  return found;
};

export class Island {
  readonly uid: string;
  private readonly id: string;
  private readonly draw: HTMLElement;
  private readonly live: HTMLElement;
  private readonly controls: Controls;
  private readonly latest: Latest<Rendered>;
  private readonly pins: Values;
  private readonly data: HTMLDetailsElement | null;
  private own: Values = new Map();
  private fields: FieldSpec[] = [];
  private width = 0;
  private started = false;
  private staleTable = false;
  private refreshBox: (() => void) | undefined;
  private drawn = (): void => undefined;
  private ahead: (() => void) | undefined;
  private readonly said = document.createElement("span");
  private provenance: string | undefined;
  private sentence: string | undefined;
  private readonly resting = new Pause(400, () => this.rest());

  constructor(readonly figure: HTMLElement, private readonly setting: Setting) {
    this.id = figure.dataset["figure"] ?? "";
    this.uid = figure.dataset["uid"] ?? this.id;
    this.pins = parse(figure.dataset["pins"] ?? "");
    this.draw = part(figure, ".fig__draw");
    this.live = part(figure, ".fig__live");
    this.data = figure.querySelector<HTMLDetailsElement>("details:has(table.data)");
    const form = part<HTMLFormElement>(figure, "form.ctl");
    this.controls = new Controls(form, {
      set: (field, value, settled) => this.set(field, value, settled),
      near: (field, values) => this.near(field, values),
    });
    this.latest = new Latest((answer) => this.show(answer), (error) => this.fail(error));

    drags(this.draw, { move: (grip, x) => this.drag(grip, x), set: (pair) => this.pair(pair) });
    this.hover();
    this.data?.addEventListener("toggle", () => void this.freshTable());
    this.tools();
    new ResizeObserver(() => this.resized()).observe(this.draw);
    addEventListener("beforeprint", () => this.print(632));
    addEventListener("afterprint", () => this.print(0));

    this.said.className = "vh";
    this.said.setAttribute("role", "status");
    this.live.setAttribute("aria-live", "off");
    this.live.after(this.said);

    form.hidden = false;
    for (const button of figure.querySelectorAll<HTMLElement>("[data-tool]")) button.hidden = false;
  }

  /// What a pointer over the drawing shows comes with the first pointer.
  private hover(): void {
    this.figure.addEventListener("pointerover", async ({ target, clientX, clientY, pointerType }) => {
      try {
        const { hovers } = await import(new URL("./hover.js", import.meta.url).href) as { hovers(figure: HTMLElement, draw: HTMLElement, ready: () => Promise<void>): () => void };
        this.drawn = hovers(this.figure, this.draw, () => this.freshTable());
        // The pointer is there already and would not come again.
        if (target instanceof Element && target.matches(":hover")) target.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, clientX, clientY, pointerType }));
      } catch {
        this.hover();
      }
    }, { once: true });
  }

  restore(values: Values): void {
    this.own = new Map(values);
    this.ask();
  }

  /// Moves some fields and keeps the others: what links in the text do.
  move(values: Values): void {
    for (const [field, value] of values) this.put(field, value);
    this.changed();
  }

  /// The reader chose another device.
  deviceChanged(): void {
    if (this.started) this.ask();
  }

  /// Loads the core and lays the figure out at its width.
  start(): void {
    if (this.started) return;
    this.started = true;
    this.ask();
  }

  private set(field: string, value: string, settled: boolean): void {
    this.put(field, value);
    this.changed();
    if (settled) this.latest.now();
  }

  private pair(text: string): void {
    for (const [field, value] of parse(text)) this.put(field, value);
    this.changed();
  }

  private put(field: string, value: string): void {
    this.own.set(field, value); // the answer takes it out again when it is the resting state
  }

  private changed(): void {
    this.started = true;
    this.ask();
  }

  /// Computes while the hand is still coming what it will ask for: a move then only shows it.
  private near(field: string, values: Iterable<string>): void {
    this.ahead?.();
    if (!this.started || this.figure.dataset["cost"] === "worker") return;
    const own = new Map(this.own);
    const tasks = function* (this: Island): Generator<() => Promise<unknown>> {
      let letters = 0; // within what the engine remembers
      for (const value of values) {
        if (letters > 3e6) return;
        yield () => this.setting.engine.call("figure.render", this.render(new Map(own).set(field, value))).then(({ svg }) => (letters += svg.length), () => undefined);
      }
    };
    this.ahead = whenIdle(tasks.call(this));
  }

  private params(own = this.own): { id: string; query: string; pins: string; width: number; device?: string } {
    const device = this.setting.device();
    // In the same order whichever field was moved last: one state has one text.
    return { id: this.id, query: write(new Map([...own].sort(([a], [b]) => a < b ? -1 : 1))), pins: write(this.pins), width: this.width || this.measure(), ...(device === undefined ? {} : { device }) };
  }

  private measure(): number {
    return Math.floor(this.draw.clientWidth);
  }

  private render(own = this.own): RenderParams {
    return { ...this.params(own), prefix: this.uid, table: this.data?.open ?? false, mode: "lenient", ...(this.fields.length ? {} : { described: true as const }) };
  }

  private ask(): void {
    if (!this.started) return;
    this.latest.ask(() => {
      if (!this.width) this.width = this.measure();
      return this.setting.engine.call("figure.render", this.render());
    });
  }

  private drag(grip: Grip, x: number): void {
    this.started = true;
    this.latest.ask(async () => {
      const { engine } = this.setting;
      const { field, value } = await engine.call("figure.drag", { ...this.params(), panel: grip.panel, mark: grip.mark, x });
      this.put(field, value);
      return engine.call("figure.render", this.render());
    });
  }

  private resized(): void {
    const width = this.measure();
    if (!width || width === this.width) return;
    this.width = width;
    if (this.started) this.ask();
  }

  private print(width: number): void {
    if (!this.started) return;
    this.width = width || this.measure();
    this.ask();
    this.latest.now();
  }

  private show(answer: Rendered): void {
    draw(this.draw, answer);
    this.drawn();
    this.figure.dataset["live"] = "";
    // New nodes, not moved words: those would count as a shift of the page.
    if (this.sentence !== answer.summary_html) this.live.innerHTML = answer.summary_html;
    this.sentence = answer.summary_html;
    // What the core moved to the nearest usable value moves here too, and what is at rest leaves the address.
    this.own = parse(answer.query);
    this.fields = answer.fields;
    if (this.setting.address) replaceState(this.uid, this.own);
    this.resting.wait();
    this.controls.show(answer.fields);
    if (answer.table_html !== undefined) this.table(answer.table_html);
    else this.staleTable = true;
    if (answer.provenance_html !== undefined && answer.provenance_html !== this.provenance) {
      if (this.provenance !== undefined || this.figure.querySelectorAll(".prov").length !== answer.provenance_html.split("<details").length - 1)
        part(this.figure, ".provs").outerHTML = answer.provenance_html;
      this.provenance = answer.provenance_html;
    }
    this.note(answer.notices.map((words) => /[.!?]$/.test(words) ? words : `${words}.`).join(" "), false);
    this.setting.onSize?.();
  }

  private table(html: string): void {
    const table = this.figure.querySelector("table.data");
    if (table) table.outerHTML = html;
    this.staleTable = false;
  }

  private async freshTable(): Promise<void> {
    this.setting.onSize?.();
    if (!this.staleTable) return;
    try {
      const answer = await this.setting.engine.call("figure.render", { ...this.params(), prefix: this.uid, table: true, mode: "lenient" });
      if (answer.table_html !== undefined) this.table(answer.table_html);
    } catch (error) {
      this.fail(error);
    }
    this.setting.onSize?.();
  }

  /// A sentence under the live one: what was corrected or is not known, or what went wrong and what to do.
  private note(words: string, wrong: boolean): HTMLElement | undefined {
    let line = this.figure.querySelector<HTMLElement>(".fig__note");
    if (!line) {
      if (!words) return undefined;
      line = document.createElement("p");
      line.className = "fig__note";
      line.setAttribute("role", "status");
      part(this.figure, ".fig__body").after(line);
    }
    line.classList.toggle("fig__note--error", wrong);
    if (line.textContent !== words) line.textContent = words;
    line.hidden = !words;
    return line;
  }

  private fail(error: unknown): void {
    const known = error instanceof EngineError;
    const why = error instanceof Error ? error.message : String(error);
    const words = known
      ? `This state cannot be shown: ${why} ${error.hint || "Press Reset to go back to the figure at rest."}`
      : `The figure cannot move yet: its program did not load (${why}). The picture shows its resting state. Check the connection, then `;
    const line = this.note(words, true);
    if (!line || known) return;
    const again = document.createElement("button");
    again.type = "button";
    again.className = "btn";
    again.textContent = "Try again";
    again.addEventListener("click", () => this.ask());
    line.append(again);
    this.setting.onSize?.();
  }

  /* tools */

  /// The figure's state for others: they may have another device, so the one shown here goes along when it is chosen.
  private shared(): string {
    const values = new Map(this.own);
    const device = this.setting.device();
    if (device !== undefined && device !== this.setting.bookDevice && !this.pins.has("device") && !values.has("device") &&
        this.fields.some(({ kind, id }) => kind === "device" && id === "device")) values.set("device", device);
    return write(new Map([...this.pins, ...values]), `${this.id}.`);
  }

  /// The reader has let go: links hold the state, and the sentence is said once, not at every step of a drag.
  private rest(): void {
    this.links();
    const words = this.live.textContent ?? "";
    if (this.said.textContent !== words) this.said.textContent = words;
  }

  private links(): void {
    const query = this.shared();
    for (const link of this.figure.querySelectorAll<HTMLAnchorElement>(".fig__tools a[href*='/lab/']")) {
      const url = new URL(link.href);
      const href = url.pathname + (query ? `?${query}` : "");
      if (link.getAttribute("href") !== href) link.setAttribute("href", href);
    }
    this.refreshBox?.();
  }

  private address(): string {
    const values = new Map(this.own);
    const device = this.setting.device();
    if (device !== undefined && device !== this.setting.bookDevice && !this.pins.has("device") && !values.has("device")) values.set("device", device);
    return location.origin + location.pathname + withFigure(location.search, this.uid, values) + `#${this.figure.id}`;
  }

  private tools(): void {
    this.figure.addEventListener("click", (event) => {
      const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-tool]") : null;
      switch (button?.dataset["tool"]) {
        case "link":
          void this.copyLink(button);
          break;
        case "embed":
          this.embed(button);
          break;
        case "reset":
          this.own.clear();
          this.changed();
          break;
        default:
      }
    });
  }

  private async copyLink(button: HTMLElement): Promise<void> {
    const address = this.address();
    if (await copy(address)) confirm(button, "Copied");
    else await this.box("link");
  }

  private embed(button: HTMLElement): void {
    if (this.figure.querySelector(".embed-code")) {
      this.closeBox();
      return;
    }
    button.setAttribute("aria-expanded", "true");
    void this.box("embed");
  }

  private closeBox(): void {
    this.figure.querySelector(".embed-code")?.remove();
    this.figure.querySelector("[data-tool=embed]")?.setAttribute("aria-expanded", "false");
    this.refreshBox = undefined;
    this.setting.onSize?.();
  }

  /// A box with text to copy by hand or by button.
  private async box(what: "link" | "embed"): Promise<void> {
    try {
      const share = await import(new URL("./share.js", import.meta.url).href) as { box(what: "link" | "embed", sharing: Sharing): () => void };
      this.refreshBox = share.box(what, {
        figure: this.figure,
        uid: this.uid,
        address: () => this.address(),
        query: () => this.shared(),
        closed: () => this.closeBox(),
        sized: () => this.setting.onSize?.(),
      });
    } catch {
      this.closeBox();
      this.note("The box with the text did not load. Check the connection, then press the button again.", true);
    }
  }

  /// Brings the figure into view after a link in the text moved it.
  reveal(): void {
    const { top, bottom } = this.figure.getBoundingClientRect();
    const whole = top >= 60 && bottom <= innerHeight;
    if (!whole) this.figure.scrollIntoView({ behavior: calm() ? "instant" : "smooth", block: bottom - top < innerHeight - 80 ? "center" : "start" });
    this.figure.focus({ preventScroll: true });
  }
}
