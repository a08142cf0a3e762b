// The core as one async interface with two transports. Figures ask it and never know where it runs.
import { loadReader } from "./reader";

export interface Option {
  id: string;
  label: string;
  why_not: string;
}

export interface FieldSpec {
  id: string;
  label: string;
  kind: "number" | "integer" | "choice" | "toggle" | "text" | "device";
  /// Of numbers and integers.
  unit: string;
  lo: number;
  hi: number;
  step: number;
  steps: "linear" | "log";
  /// Number of slider positions above the first, and where the value stands among them.
  positions: number;
  position: number;
  /// Of choices and devices: those that cannot be chosen now.
  unavailable?: Option[];
  /// What it means; when asked for.
  doc?: string;
  /// Plain text: "12", "bf16", "on".
  fallback: string;
  value: string;
  /// As people read it: "12 FLOP/B".
  shown: string;
  /// It differs from what the reader would see without having touched anything.
  changed: boolean;
}

export interface RenderParams {
  id: string;
  query: string;
  pins: string;
  device?: string;
  width: number;
  prefix: string;
  table: boolean;
  mode: "lenient";
  described?: true;
}

export interface Rendered {
  fields: FieldSpec[];
  /// The state that was drawn: only what differs from the figure at rest.
  query: string;
  notices: string[];
  svg: string;
  /// What the page found in it.
  piece?: unknown;
  width: number;
  height: number;
  summary_html: string;
  table_html?: string;
  provenance_html?: string;
}

export interface DragParams {
  id: string;
  query: string;
  pins: string;
  device?: string;
  width: number;
  panel: number;
  mark: number;
  x: number;
}

export interface Dragged {
  field: string;
  value: string;
}

export interface Methods {
  "figure.render": [RenderParams, Rendered];
  "figure.drag": [DragParams, Dragged];
}

export class EngineError extends Error {
  constructor(what: string, readonly hint = "") {
    super(what);
  }
}

export interface Engine {
  call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]>;
}

interface Envelope {
  result?: unknown;
  error?: { what: string; hint?: string };
}

function open<T>(text: string): T {
  const envelope = JSON.parse(text) as Envelope;
  if (envelope.error) throw new EngineError(envelope.error.what, envelope.error.hint);
  return envelope.result as T;
}

/// Runs the module on the page's own thread: an answer arrives within the frame that asked.
export function direct(reader: string, world: string): Engine {
  let loading: Promise<(request: string) => string> | undefined;
  let ready: ((request: string) => string) | undefined;
  return {
    async call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
      if (!ready) {
        loading ??= loadReader(reader, world);
        try {
          ready = await loading;
        } catch (error) {
          loading = undefined; // the next call tries again
          throw error;
        }
      }
      return open<Methods[M][1]>(ready(JSON.stringify({ method, params })));
    },
  };
}

export interface Ask {
  id: number;
  request: string;
}
export interface Answer {
  id: number;
  response?: string;
  failure?: string;
}

/// Runs the module in a worker, for figures too slow to compute between two frames.
export function inWorker(script: string, reader: string, world: string): Engine {
  let worker: Worker | undefined;
  let last = 0;
  const waiting = new Map<number, { done: (text: string) => void; no: (error: Error) => void }>();
  const start = (): Worker => {
    const started = new Worker(script);
    started.postMessage({ reader: new URL(reader, location.href).href, world: new URL(world, location.href).href });
    started.onmessage = ({ data }: MessageEvent<Answer>) => {
      const asked = waiting.get(data.id);
      waiting.delete(data.id);
      if (data.response !== undefined) asked?.done(data.response);
      else asked?.no(new EngineError(data.failure ?? "The worker gave no answer."));
    };
    started.onerror = (event) => {
      event.preventDefault();
      for (const { no } of waiting.values()) no(new EngineError("The figure's worker stopped."));
      waiting.clear();
      started.terminate();
      worker = undefined; // the next call starts a new one
    };
    return started;
  };
  return {
    async call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
      worker ??= start();
      const id = ++last;
      const request = JSON.stringify({ method, params });
      const text = await new Promise<string>((done, no) => {
        waiting.set(id, { done, no });
        worker?.postMessage({ id, request } satisfies Ask);
      });
      return open<Methods[M][1]>(text);
    },
  };
}

/// The latest request wins: at most one is under way, a newer one replaces the one that waits, and the answer to an
/// overtaken request is dropped. Asking many times within a frame costs one run.
export class Latest<T> {
  private busy = false;
  private frame = 0;
  private run: (() => Promise<T>) | undefined;

  constructor(private readonly show: (answer: T) => void, private readonly fail: (error: unknown) => void) {}

  ask(run: () => Promise<T>): void {
    this.run = run;
    if (!this.busy && !this.frame) this.frame = requestAnimationFrame(() => this.start());
  }

  /// Does at once what waits for the next frame.
  now(): void {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.start();
  }

  private start(): void {
    this.frame = 0;
    const run = this.run;
    if (!run) return;
    this.run = undefined;
    this.busy = true;
    run().then((answer) => this.end(() => this.show(answer)), (error: unknown) => this.end(() => this.fail(error)));
  }

  private end(deliver: () => void): void {
    this.busy = false;
    if (this.run) this.start();
    else deliver();
  }
}
