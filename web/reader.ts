// Instantiates the reader module by hand: memory, four exports, and stubs for the little that libc imports.

interface Exports {
  memory: WebAssembly.Memory;
  lk_alloc(size: number): number;
  lk_free(at: number): void;
  lk_init(at: number, size: number): number;
  lk_call(at: number, size: number): number;
  _initialize?(): void;
  __wasm_call_ctors?(): void;
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

/// Fetches and starts the module; gives a function from request to response, both JSON.
export async function loadReader(readerUrl: string, worldUrl: string): Promise<(request: string) => string> {
  const [module, world] = await Promise.all([compile(fetch(readerUrl)), text(fetch(worldUrl))]);
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== "function") throw new Error(`The reader module imports ${space}.${name}, which this page cannot give.`);
    // The core neither reads files nor exits: anything but a notice means that something is broken.
    (imports[space] ??= {})[name] = /notify_memory_growth/.test(name) ? () => undefined : () => { throw new Error(`The reader module called ${name}.`); };
  }
  const instance = await WebAssembly.instantiate(module, imports);
  const core = instance.exports as unknown as Exports;
  core._initialize?.();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const send = (entry: (at: number, size: number) => number, words: string): string => {
    const bytes = encoder.encode(words);
    const at = core.lk_alloc(bytes.length);
    if (at) new Uint8Array(core.memory.buffer).set(bytes, at); // 0: no memory, which the core answers for
    const answer = entry(at, bytes.length);
    core.lk_free(at);
    const size = new DataView(core.memory.buffer).getUint32(answer, true);
    return decoder.decode(new Uint8Array(core.memory.buffer, answer + 4, size));
  };
  const started = JSON.parse(send(core.lk_init, world)) as { error?: { what: string } };
  if (started.error) throw new Error(started.error.what);
  return (request) => send(core.lk_call, request);
}
