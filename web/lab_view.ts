// One canvas of the lab: events in, frames out. Draws only after something happened; everything it adds to the page goes with it.
import type { LabModule, LabState, Outcome } from "./lab_module";
import { copy } from "./page";

export interface LabOptions {
  figure: string;
  /// State of the figure, without prefix: "stride=8".
  query: string;
  /// The reader's device, empty for the book's.
  device: string;
  label: string;
  /// Id of the element that says how to use the keyboard.
  help?: string;
  /// The state changed.
  changed(state: LabState): void;
  /// The link that "Copy link" copies.
  link(): string;
}

enum Hand { down, move, up, cancel, leave }

const tokens = ["bg", "surface", "raised", "rule", "grid", "ink", "muted", "faint", "accent", "accent-wash", "on-accent", "on-series", "good",
  "warn", "bad", "series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "syn-key", "syn-type", "syn-num", "wash"];

const apple = /Mac|iPhone|iPad/.test(navigator.platform);

const keyOf: Record<string, string> = { deleteContentBackward: "Backspace", deleteContentForward: "Delete", insertLineBreak: "Enter" };

// Something to delete: soft keyboards say nothing when an empty field loses a letter.
const filler = "  ";

export class LabView {
  readonly stage = document.createElement("div");
  /// Frames drawn so far.
  frames = 0;
  private canvas = document.createElement("canvas");
  private readonly input = document.createElement("textarea");
  private readonly handle: number;
  private readonly ends = new AbortController();
  private readonly sizes = new ResizeObserver(() => this.measure());
  private readonly sight = new IntersectionObserver((entries) => this.seen(entries.at(-1)?.isIntersecting ?? false), { rootMargin: "50% 0px" });
  private readonly themes = new MutationObserver(() => this.theme());
  private context = 0;
  private gl: WebGL2RenderingContext | null = null;
  private lost = false;
  private typing = false;
  /// The focus is being moved by this script, for a hand.
  private moving = false;
  private composing = false;
  private changes = -1;
  private height = 0;
  private next = 0;
  private later = 0;
  private density: MediaQueryList | undefined;
  private scale = 1;
  private readonly densityChanged = (): void => this.watchDensity();

  constructor(private readonly module: LabModule, readonly host: HTMLElement, private readonly options: LabOptions) {
    this.handle = module.add(options.figure, options.query, options.device);
    if (!this.handle) throw new Error(`There is no figure "${options.figure}".`);
    module.apple(this.handle, apple);

    this.stage.className = "lab__stage";
    this.stage.tabIndex = 0;
    this.stage.setAttribute("role", "application");
    this.stage.setAttribute("aria-label", options.label);
    if (options.help) this.stage.setAttribute("aria-describedby", options.help);
    this.input.className = "lab__input";
    this.input.tabIndex = -1;
    this.input.setAttribute("aria-label", `${options.label}: the value being typed`);
    this.input.autocomplete = "off";
    this.input.autocapitalize = "off";
    this.input.spellcheck = false;
    this.input.inputMode = "decimal";
    this.input.rows = 1;
    this.stage.append(this.canvas, this.input);
    host.append(this.stage);

    this.listen();
    this.theme();
    this.watchDensity();
    this.themes.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.theme(), { signal: this.ends.signal });
    this.measure();
    this.step();
    this.sizes.observe(this.stage);
    // Another density leaves the CSS size as it is; three signs of it, as no browser gives all of them in every case.
    addEventListener("resize", () => this.watchDensity(), { signal: this.ends.signal });
    try {
      this.sizes.observe(this.stage, { box: "device-pixel-content-box" });
    } catch {
      // Not every browser has this box.
    }
    this.sight.observe(this.stage);
  }

  /// Takes the canvas, its context, its listeners and the state in the module away.
  remove(): void {
    this.ends.abort();
    this.sizes.disconnect();
    this.sight.disconnect();
    this.themes.disconnect();
    this.density?.removeEventListener("change", this.densityChanged);
    cancelAnimationFrame(this.next);
    clearTimeout(this.later);
    this.release();
    this.module.remove(this.handle);
    this.stage.remove();
  }

  state(): LabState {
    return this.module.state(this.handle);
  }

  set(field: string, value: string): void {
    this.module.set(this.handle, field, value);
    this.soon();
  }

  device(id: string): void {
    this.module.device(this.handle, id);
    this.soon();
  }

  // ---- drawing

  private now(): number {
    return performance.now() / 1000;
  }

  /// Draws with the next picture of the screen.
  private soon(): void {
    if (!this.next) this.next = requestAnimationFrame(() => this.step());
  }

  /// Frames right now, until what was put in has gone through: focus and clipboard belong to the event at hand.
  private at_once(): void {
    for (let i = 0; i < 6; ++i) if (!this.step().again) break;
  }

  private step(): Outcome {
    cancelAnimationFrame(this.next);
    this.next = 0;
    const outcome = this.module.frame(this.handle, this.now());
    ++this.frames;
    if (outcome.height !== this.height) {
      this.height = outcome.height;
      this.stage.style.height = `${outcome.height}px`;
      this.measure();
    }
    if (this.stage.style.cursor !== outcome.cursor) this.stage.style.cursor = outcome.cursor;
    if (outcome.changes !== this.changes) {
      this.changes = outcome.changes;
      this.options.changed(this.state());
    }
    if (outcome.copied) void copy(this.module.clipboard(this.handle));
    if (outcome.copyLink) void this.copyLink();
    this.keyboard(outcome);
    if (outcome.again) this.soon();
    clearTimeout(this.later);
    if (outcome.againIn >= 0) this.later = setTimeout(() => this.soon(), outcome.againIn * 1000 + 20);
    return outcome;
  }

  private async copyLink(): Promise<void> {
    if (!(await copy(this.options.link()))) return;
    this.module.linkCopied(this.handle, this.now());
    this.soon();
  }

  private measure(): void {
    const box = this.stage.getBoundingClientRect();
    if (!box.width) return;
    // A canvas higher than the GPU allows would be cut: then each pixel serves a little more of it.
    const most: number = this.gl && !this.lost ? (this.gl.getParameter(this.gl.MAX_RENDERBUFFER_SIZE) as number) : 4096;
    this.scale = Math.min(devicePixelRatio, most / Math.max(box.width, box.height));
    const width = Math.round(box.width * this.scale), height = Math.round(Math.max(box.height, 1) * this.scale);
    if (this.canvas.width !== width) this.canvas.width = width;
    if (this.canvas.height !== height) this.canvas.height = height;
    this.module.resize(this.handle, width / this.scale, height / this.scale, this.scale);
    this.soon();
  }

  private watchDensity(): void {
    this.density?.removeEventListener("change", this.densityChanged);
    this.density = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    this.density.addEventListener("change", this.densityChanged);
    this.measure();
  }

  private theme(): void {
    const style = getComputedStyle(document.documentElement);
    this.module.theme(this.handle, tokens.map((name) => `${name}=${style.getPropertyValue(`--${name}`).trim()}`).join(";"));
    this.soon();
  }

  // ---- WebGL contexts are few: only canvases near the window have one

  private seen(near: boolean): void {
    if (near && !this.gl) this.acquire();
    if (!near && this.gl) this.release(true);
  }

  private acquire(): void {
    this.gl = this.canvas.getContext("webgl2", { alpha: false, depth: false, stencil: false, antialias: devicePixelRatio < 2, powerPreference: "low-power" });
    if (!this.gl) {
      this.stage.dataset["failed"] = "";
      return;
    }
    delete this.stage.dataset["failed"];
    this.context = this.module.attach(this.handle, this.gl);
    this.canvas.addEventListener("webglcontextlost", (event) => {
      event.preventDefault();
      this.lost = true;
      this.module.attach(this.handle, undefined);
    }, { signal: this.ends.signal });
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.lost = false;
      this.module.forget(this.context);
      if (this.gl) this.context = this.module.attach(this.handle, this.gl);
      this.soon();
    }, { signal: this.ends.signal });
    this.measure();
    this.step();
  }

  private release(replace = false): void {
    if (!this.gl) return;
    const gl = this.gl;
    this.gl = null;
    this.module.attach(this.handle, undefined);
    this.module.forget(this.context);
    this.context = 0;
    // A canvas whose context was given back never gets another one.
    const fresh = document.createElement("canvas");
    fresh.width = this.canvas.width;
    fresh.height = this.canvas.height;
    if (replace) this.canvas.replaceWith(fresh);
    this.canvas = fresh;
    if (!this.lost) gl.getExtension("WEBGL_lose_context")?.loseContext();
    this.lost = false;
  }

  // ---- events

  private listen(): void {
    const { signal } = this.ends;
    const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void, passive = true): void =>
      this.stage.addEventListener(type, listener, { signal, passive });
    on("pointerdown", (event) => this.hand(Hand.down, event), false);
    on("pointermove", (event) => this.hand(Hand.move, event));
    on("pointerup", (event) => this.hand(Hand.up, event));
    on("pointercancel", (event) => this.hand(Hand.cancel, event));
    on("pointerleave", (event) => this.hand(Hand.leave, event));
    on("wheel", (event) => {
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      const sideways = event.shiftKey && !event.deltaX;
      const dx = (sideways ? event.deltaY : event.deltaX) * unit, dy = sideways ? 0 : event.deltaY * unit;
      if (event.ctrlKey || !this.module.wheel(this.handle, dx, dy)) return;
      event.preventDefault();
      this.soon();
    }, false);
    on("keydown", (event) => this.key(event, true), false);
    on("keyup", (event) => this.key(event, false));
    on("focusin", () => this.focus(true));
    on("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.stage.contains(event.relatedTarget))) this.focus(false);
    });
    on("copy", (event) => this.clip(event), false);
    on("cut", (event) => this.clip(event), false);
    on("paste", (event) => {
      const text = event.clipboardData?.getData("text/plain");
      if (text === undefined || !this.typing) return;
      event.preventDefault();
      this.module.paste(this.handle, text);
      this.at_once();
    }, false);
    const typed = this.input;
    typed.addEventListener("compositionstart", () => this.compose(true), { signal });
    typed.addEventListener("compositionend", (event) => {
      this.compose(false);
      this.type(event.data);
    }, { signal });
    typed.addEventListener("input", (event) => {
      if (this.composing || !(event instanceof InputEvent)) return;
      // Keys of soft keyboards come without a name; what they did has one.
      const key = keyOf[event.inputType];
      if (key) for (const down of [true, false]) this.module.key(this.handle, key, down, false, 0);
      else if (event.data && !/Composition/.test(event.inputType)) this.module.characters(this.handle, event.data);
      this.clear();
      this.at_once();
    }, { signal });
  }

  private hand(what: Hand, event: PointerEvent): void {
    if (what === Hand.down) {
      if (event.button > 2) return;
      this.stage.setPointerCapture(event.pointerId);
      // The press must not move the focus by itself: it would leave the input that is being typed in.
      event.preventDefault();
      this.stage.removeAttribute("data-keys");
      if (!this.stage.contains(document.activeElement)) this.take(this.stage);
    }
    const box = this.stage.getBoundingClientRect();
    const source = event.pointerType === "touch" ? 1 : event.pointerType === "pen" ? 2 : 0;
    this.module.hand(this.handle, what, event.clientX - box.left, event.clientY - box.top, Math.max(event.button, 0), source);
    if (what === Hand.down || what === Hand.up) this.at_once();
    else this.soon();
    // Soft keyboards open only while a tap is being handled.
    if (what === Hand.up && this.typing) this.take(this.input);
  }

  private key(event: KeyboardEvent, down: boolean): void {
    if (event.isComposing || event.key === "Process" || event.key === "Unidentified") return;
    // Paste comes as an event of its own, with the text.
    if (event.code === "KeyV" && (event.ctrlKey || event.metaKey)) return;
    const modifiers = Number(event.ctrlKey) + 2 * Number(event.shiftKey) + 4 * Number(event.altKey) + 8 * Number(event.metaKey);
    const ours = this.module.key(this.handle, event.code, down, event.repeat, modifiers);
    if (!down) {
      this.soon();
      return;
    }
    if (!ours) return;
    const clips = (event.ctrlKey || event.metaKey) && (event.code === "KeyC" || event.code === "KeyX");
    const space = event.code === "Space" && this.typing;
    if (!clips && !space) event.preventDefault();
    this.at_once();
  }

  private clip(event: ClipboardEvent): void {
    if (!this.typing) return;
    event.clipboardData?.setData("text/plain", this.module.clipboard(this.handle));
    event.preventDefault();
  }

  private focus(has: boolean): void {
    const byKey = has && !this.moving;
    if (byKey || !has) this.stage.toggleAttribute("data-keys", byKey);
    this.module.focus(this.handle, has, byKey);
    this.soon();
  }

  private type(text: string): void {
    if (text) this.module.characters(this.handle, text);
    this.clear();
    this.at_once();
  }

  /// What an input method is making stands at the caret until it is done.
  private compose(on: boolean): void {
    this.composing = on;
    if (on) this.input.value = "";
    this.input.toggleAttribute("data-composing", on);
  }

  private clear(): void {
    this.input.value = filler;
    this.input.setSelectionRange(filler.length, filler.length);
  }

  private keyboard(outcome: Outcome): void {
    if (outcome.typing) {
      this.input.style.left = `${outcome.caret.x}px`;
      this.input.style.top = `${outcome.caret.y}px`;
    }
    if (outcome.typing === this.typing) return;
    this.typing = outcome.typing;
    if (!this.stage.contains(document.activeElement)) return;
    if (this.typing) {
      this.clear();
      this.take(this.input);
    } else {
      this.take(this.stage);
    }
  }

  private take(element: HTMLElement): void {
    this.moving = true;
    element.focus({ preventScroll: true });
    this.moving = false;
  }
}
