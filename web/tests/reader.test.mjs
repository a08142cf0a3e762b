// The reader module by its C functions, without a browser: nothing that goes in may trap it.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { eq, ok, site, test } from "./harness.mjs";

const asset = (pattern) => {
  const folder = join(site(), "assets");
  const name = readdirSync(folder).find((one) => pattern.test(one));
  ok(name, `no asset ${pattern}`);
  return readFileSync(join(folder, name));
};

function start() {
  const module = new WebAssembly.Module(asset(/^reader\..*\.wasm$/));
  const imports = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    eq(kind, "function", `${space}.${name}`);
    (imports[space] ??= {})[name] = name.includes("notify_memory_growth") ? () => undefined : () => { throw new Error(`called ${space}.${name}`); };
  }
  const core = new WebAssembly.Instance(module, imports).exports;
  core._initialize?.();
  const answer = (at) => JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(
    new Uint8Array(core.memory.buffer, at + 4, new DataView(core.memory.buffer).getUint32(at, true))));
  const send = (entry, request) => {
    const bytes = typeof request === "string" ? new TextEncoder().encode(request) : request;
    const at = core.lk_alloc(bytes.length);
    ok(at > 0, `no memory for ${bytes.length} bytes`);
    new Uint8Array(core.memory.buffer).set(bytes, at);
    const result = answer(core[entry](at, bytes.length));
    core.lk_free(at);
    eq(Object.keys(result).filter((key) => key === "result" || key === "error").length, 1, "result or error");
    return result;
  };
  return { core, answer, init: (text) => send("lk_init", text), call: (request) => send("lk_call", request) };
}

const ready = () => {
  const reader = start();
  eq(reader.init(asset(/^world\..*\.json$/)), { result: true });
  return reader;
};
const render = (id, query, width = 632) => JSON.stringify({ method: "figure.render", params: { id, query, width } });

test("calls before a world, and worlds that cannot be read, are errors", () => {
  const reader = start();
  ok(reader.call(render("roofline", "")).error.hint.includes("lk_init"), "before a world");
  for (const bad of ["", "{}", "[", "null", "{\"devices\": {}}", "\u0000"]) ok(reader.init(bad).error.what, bad);
  ok(reader.call("{}").error.hint.includes("lk_init"), "still no world");
  eq(reader.init(asset(/^world\..*\.json$/)), { result: true });
  ok(reader.init("{}").error, "a bad world after a good one");
  ok(reader.call(render("roofline", "")).result.svg, "the good world stays");
});

test("a failed allocation is answered", () => {
  const { core, answer, call } = ready();
  eq(core.lk_alloc(0xfffffff0), 0, "four gigabytes");
  ok(answer(core.lk_call(0, 1000)).error.what, "no memory");
  ok(answer(core.lk_init(0, 1000)).error.what, "no memory");
  core.lk_free(0);
  ok(call(render("roofline", "")).result.svg, "the module goes on");
});

test("whatever bytes come in, JSON goes out", () => {
  const { call } = ready();
  const good = new TextEncoder().encode(render("roofline", "intensity=12&dtype=fp8"));
  for (let n = 0; n < good.length; n++) ok(call(good.slice(0, n)).error, `prefix of ${n}`);
  let seed = 1;
  const random = (below) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 1) % below;
  for (let i = 0; i < 1500; i++) {
    const bytes = good.slice();
    for (let n = 1 + random(3); n > 0; n--) bytes[random(bytes.length)] = random(256);
    call(bytes);
  }
  ok(call("[".repeat(1_000_000)).error, "deep");
  ok(call(JSON.stringify({ method: "figure.render", params: { id: "x".repeat(1_000_000) } })).error.what.length < 300, "long");
  const nothing = ["", "?", "%", "=", "&&", "a=%ff", "intensity=", "intensity=1e999", "device=%00"];
  for (const query of nothing) ok(call(render("roofline", query)).result.svg, query);
  for (const width of [-1e308, 0, 1, 1e308]) ok(call(render("memory_transactions", "", width)).result.svg, String(width));
});

test("memory stays the same however long a reader plays", () => {
  const { core, call } = ready();
  const play = () => {
    for (let i = 0; i < 300; i++) call(render(...(i % 2 ? ["roofline", `intensity=${i + 1}`] : ["memory_transactions", `stride=${(i % 32) + 1}`]), 300 + i));
  };
  play();
  const before = core.memory.buffer.byteLength;
  for (let i = 0; i < 5; i++) play();
  eq(core.memory.buffer.byteLength, before);
});

test("a figure is evaluated, laid out and drawn in under two milliseconds", () => {
  const { call } = ready();
  for (const [id, query] of [["roofline", (i) => `intensity=${i + 1}`], ["memory_transactions", (i) => `stride=${(i % 32) + 1}&offset=${i % 31}`]]) {
    // The machine may be busy with something else: the quietest quarter of the calls says what the code takes.
    const times = Array.from({ length: 600 }, (_, i) => {
      const begin = performance.now();
      call(render(id, query(i)));
      return performance.now() - begin;
    }).sort((a, b) => a - b);
    ok(times[150] < 2, `${id}: ${times[150].toFixed(2)} ms`);
  }
});
