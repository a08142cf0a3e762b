// Instantiates modules of the core by hand: memory, a few exports, and stubs for the little that libc imports.

export interface Core {
  memory: WebAssembly.Memory;
  lk_alloc(size: number): number;
  lk_free(at: number): void;
  lk_init(at: number, size: number): number;
  _initialize?(): void;
}

interface Reader extends Core {
  lk_call(at: number, size: number): number;
}

async function compile(response: Promise<Response>): Promise<WebAssembly.Module> {
  const got = await response;
  if (!got.ok) throw new Error(`${got.url} answered ${got.status}`);
  if (got.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(got);
  return WebAssembly.compile(await got.arrayBuffer());
}

async function text(response: Promise<Response>): Promise<string> {
  const got = await response;
  if (!got.ok) throw new Error(`${got.url} answered ${got.status}`);
  return got.text();
}

/// Fetches and starts a module; `called` names it in errors.
export async function start(url: string, called: string): Promise<Core> {
  const module = await compile(fetch(url));
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") throw new Error(`The ${called} module imports ${space}.${name}, which this page cannot give.`);
    // The core neither reads files nor exits: anything but a notice means that something is broken.
    (imports[space] ??= {})[name] = /notify_memory_growth/.test(name) ? () => undefined : () => { throw new Error(`The ${called} module called ${name}.`); };
  }
  const core = (await WebAssembly.instantiate(module, imports)).exports as unknown as Core;
  core._initialize?.();
  return core;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/// What the module left at `answer`: a length and as many bytes of JSON.
export function read(core: Core, answer: number): string {
  const size = new DataView(core.memory.buffer).getUint32(answer, true);
  return decoder.decode(new Uint8Array(core.memory.buffer, answer + 4, size));
}

/// Hands words or bytes to an entry of the module and reads its answer.
export function send(core: Core, entry: (at: number, size: number) => number, what: string | Uint8Array): string {
  const bytes = typeof what === "string" ? encoder.encode(what) : what;
  const at = core.lk_alloc(bytes.length);
  if (at) new Uint8Array(core.memory.buffer).set(bytes, at); // 0: no memory, which the core answers for
  const answer = entry(at, bytes.length);
  core.lk_free(at);
  return read(core, answer);
}

/// Fetches and starts the reader module; gives a function from request to response, both JSON.
export async function loadReader(readerUrl: string, worldUrl: string): Promise<(request: string) => string> {
  const [core, world] = await Promise.all([start(readerUrl, "reader") as Promise<Reader>, text(fetch(worldUrl))]);
  const started = JSON.parse(send(core, core.lk_init, world)) as { error?: { what: string } };
  if (started.error) throw new Error(started.error.what);
  return (request) => send(core, core.lk_call, request);
}
