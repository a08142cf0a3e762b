// The reader module in Node, with the loader that pages use.
import { esbuild } from "../esbuild.mjs";
import { join } from "node:path";
import { root } from "./harness.mjs";

/** Gives call(method, params) -> result. */
export async function loadReader(wasm, world) {
  const script = await esbuild([join(root, "web/reader.ts"), "--bundle", "--format=esm"]);
  const { loadReader: load } = await import(`data:text/javascript;base64,${Buffer.from(script).toString("base64")}`);
  const before = globalThis.fetch;
  globalThis.fetch = async (url) => new Response(url === "wasm" ? wasm : world, { headers: { "content-type": url === "wasm" ? "application/wasm" : "application/json" } });
  try {
    const request = await load("wasm", "world");
    return (method, params) => {
      const { result, error } = JSON.parse(request(JSON.stringify({ method, params })));
      if (error) throw new Error(`${method}: ${error.what}`);
      return result;
    };
  } finally {
    globalThis.fetch = before;
  }
}
