// The lab's WebAssembly module: its functions by name, texts in and out.

interface Gl {
  registerContext(context: WebGL2RenderingContext, attributes: { majorVersion: number; minorVersion: number }): number;
  deleteContext(handle: number): void;
}

interface Instance {
  GL: Gl;
  HEAPU8: Uint8Array;
  HEAPF64: Float64Array;
  _malloc(size: number): number;
  _free(at: number): void;
  _lab_init(world: number, size: number): number;
  _lab_fonts(regular: number, regularSize: number, strong: number, strongSize: number, mono: number, monoSize: number): void;
  _lab_add(id: number, idSize: number, query: number, querySize: number, device: number, deviceSize: number): number;
  _lab_remove(view: number): void;
  _lab_attach(view: number, gl: number): void;
  _lab_resize(view: number, width: number, height: number, scale: number): void;
  _lab_theme(view: number, tokens: number, size: number): void;
  _lab_apple(view: number, yes: number): void;
  _lab_hand(view: number, what: number, x: number, y: number, button: number, source: number): void;
  _lab_wheel(view: number, dx: number, dy: number): number;
  _lab_key(view: number, code: number, size: number, down: number, repeat: number, modifiers: number): number;
  _lab_characters(view: number, text: number, size: number): void;
  _lab_focus(view: number, has: number, byKey: number): void;
  _lab_paste(view: number, text: number, size: number): void;
  _lab_frame(view: number, seconds: number): number;
  _lab_state(view: number): number;
  _lab_clipboard(view: number): number;
  _lab_set(view: number, field: number, fieldSize: number, value: number, valueSize: number): void;
  _lab_device(view: number, id: number, size: number): void;
  _lab_link_copied(view: number, seconds: number): void;
}

/// What the page does after a frame; src/lab/view.h says more.
export interface Outcome {
  again: boolean;
  againIn: number;
  typing: boolean;
  caret: { x: number; y: number; height: number };
  cursor: string;
  height: number;
  changes: number;
  copyLink: boolean;
  copied: boolean;
  lit: number;
}

/// The state of a view in words.
export interface LabState {
  query: string;
  summary: string;
  notices: string[];
  columns: string[];
  rows: string[][];
  /// Controls by field, tools as "@link" and "@reset": left, top, right, bottom in CSS pixels of the canvas.
  places: Record<string, [number, number, number, number]>;
  /// Marks that a hand can move.
  handles: { field: string; x: number; y: number }[];
  lit: number;
}

const cursors = ["default", "text", "move", "ns-resize", "ew-resize", "nesw-resize", "nwse-resize", "pointer", "not-allowed", "none"];
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class LabModule {
  private constructor(private readonly core: Instance) {}

  /// Fetches module, fonts and world at once and starts the module. A font that cannot be had is done without.
  static async load(address: (name: string) => string, worldUrl: string): Promise<LabModule> {
    const bytes = async (url: string): Promise<Uint8Array> => {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`${url} answered ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    };
    const font = (name: string): Promise<Uint8Array> => bytes(address(name)).catch(() => new Uint8Array());
    const [made, world, regular, strong, mono] = await Promise.all([
      import(address("lab.mjs")) as Promise<{ default(options: object): Promise<Instance> }>,
      bytes(worldUrl), font("lk-lab.ttf"), font("lk-lab-semibold.ttf"), font("lk-lab-mono.ttf"),
    ]);
    const lab = new LabModule(await made.default({ locateFile: () => address("lab.wasm") }));
    const wrong = lab.with([world], (at, size) => lab.text(lab.core._lab_init(at ?? 0, size ?? 0)));
    if (wrong) throw new Error(wrong);
    lab.core._lab_fonts(...lab.keep(regular), ...lab.keep(strong), ...lab.keep(mono));
    return lab;
  }

  add(id: string, query: string, device: string): number {
    return this.with([id, query, device], (a = 0, b = 0, c = 0, d = 0, e = 0, f = 0) => this.core._lab_add(a, b, c, d, e, f));
  }
  remove(view: number): void {
    this.core._lab_remove(view);
  }
  /// Gives a view a WebGL context, new or restored; undefined takes it away.
  attach(view: number, context: WebGL2RenderingContext | undefined): number {
    if (!context) {
      this.core._lab_attach(view, 0);
      return 0;
    }
    const handle = this.core.GL.registerContext(context, { majorVersion: 2, minorVersion: 0 });
    this.core._lab_attach(view, handle);
    return handle;
  }
  forget(context: number): void {
    if (context) this.core.GL.deleteContext(context);
  }
  resize(view: number, width: number, height: number, scale: number): void {
    this.core._lab_resize(view, width, height, scale);
  }
  theme(view: number, tokens: string): void {
    this.with([tokens], (at = 0, size = 0) => this.core._lab_theme(view, at, size));
  }
  apple(view: number, yes: boolean): void {
    this.core._lab_apple(view, Number(yes));
  }
  hand(view: number, what: number, x: number, y: number, button: number, source: number): void {
    this.core._lab_hand(view, what, x, y, button, source);
  }
  wheel(view: number, dx: number, dy: number): boolean {
    return this.core._lab_wheel(view, dx, dy) !== 0;
  }
  key(view: number, code: string, down: boolean, repeat: boolean, modifiers: number): boolean {
    return this.with([code], (at = 0, size = 0) => this.core._lab_key(view, at, size, Number(down), Number(repeat), modifiers)) !== 0;
  }
  characters(view: number, text: string): void {
    this.with([text], (at = 0, size = 0) => this.core._lab_characters(view, at, size));
  }
  focus(view: number, has: boolean, byKey: boolean): void {
    this.core._lab_focus(view, Number(has), Number(byKey));
  }
  paste(view: number, text: string): void {
    this.with([text], (at = 0, size = 0) => this.core._lab_paste(view, at, size));
  }
  frame(view: number, seconds: number): Outcome {
    const at = this.core._lab_frame(view, seconds) / 8;
    const n = (i: number): number => this.core.HEAPF64[at + i] ?? 0;
    return {
      again: n(0) !== 0, againIn: n(1), typing: n(2) !== 0, caret: { x: n(3), y: n(4), height: n(5) }, cursor: cursors[n(6)] ?? "default",
      height: n(7), changes: n(8), copyLink: n(9) !== 0, copied: n(10) !== 0, lit: n(11),
    };
  }
  state(view: number): LabState {
    const empty: LabState = { query: "", summary: "", notices: [], columns: [], rows: [], places: {}, handles: [], lit: -1 };
    return { ...empty, ...(JSON.parse(this.text(this.core._lab_state(view))) as Partial<LabState>) };
  }
  clipboard(view: number): string {
    return this.text(this.core._lab_clipboard(view));
  }
  set(view: number, field: string, value: string): void {
    this.with([field, value], (a = 0, b = 0, c = 0, d = 0) => this.core._lab_set(view, a, b, c, d));
  }
  device(view: number, id: string): void {
    this.with([id], (at = 0, size = 0) => this.core._lab_device(view, at, size));
  }
  linkCopied(view: number, seconds: number): void {
    this.core._lab_link_copied(view, seconds);
  }

  private keep(bytes: Uint8Array): [number, number] {
    if (!bytes.length) return [0, 0];
    const at = this.core._malloc(bytes.length);
    this.core.HEAPU8.set(bytes, at);
    return [at, bytes.length];
  }
  private with<T>(texts: (string | Uint8Array)[], use: (...places: number[]) => T): T {
    const places = texts.flatMap((text) => {
      const bytes = typeof text === "string" ? encoder.encode(text) : text;
      const at = this.core._malloc(Math.max(bytes.length, 1));
      this.core.HEAPU8.set(bytes, at);
      return [at, bytes.length];
    });
    const result = use(...places);
    for (let i = 0; i < places.length; i += 2) this.core._free(places[i] ?? 0);
    return result;
  }
  private text(at: number): string {
    const heap = this.core.HEAPU8;
    const size = new DataView(heap.buffer).getUint32(at, true);
    return decoder.decode(heap.subarray(at + 4, at + 4 + size));
  }
}
