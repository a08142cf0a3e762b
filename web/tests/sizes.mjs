// Brotli sizes of what a reader of one page downloads, with their budgets in bytes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const brotli = (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

const known = new Map(); // sizes of assets, by their path: each has its hash in its name
function sum(list) {
  return list.reduce((total, path) => {
    if (!known.has(path)) known.set(path, brotli(readFileSync(path)));
    return total + known.get(path);
  }, 0);
}
const asset = (folder, pattern) => readdirSync(join(folder, "assets")).filter((name) => pattern.test(name)).map((name) => join(folder, "assets", name));

/** What one page brings, and its budgets. */
export function page(folder, path) {
  const html = readFileSync(join(folder, path, "index.html"), "utf8");
  const bare = html.replace(/<svg[\s\S]*?<\/svg>|<style>[\s\S]*?<\/style>/g, "");
  const critical = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
  const scripts = asset(folder, /^(main|figures)\..*\.js$/);
  const style = asset(folder, /^style\..*\.css$/);
  // A figure of another module brings that module's world.
  const figures = [...html.matchAll(/<figure[^>]* data-figure[^>]*>/g)].map(([tag]) => /data-module="([^"]+)"/.exec(tag)?.[1]);
  const worlds = [...new Set(figures)].map((module) => new RegExp(module ? `"${module}":\\{[^}]*"world":"([^"]+)"` : '"world":"([^"]+)"').exec(html)[1]);
  const world = worlds.map((file) => join(folder, file));
  return {
    "page without fonts and WebAssembly": { bytes: brotli(html) + sum(scripts) + sum(style) + sum(world), budget: 45_000 },
    // The critical CSS stands in the HTML and has a budget of its own.
    "HTML without its drawings": { bytes: brotli(bare), budget: 14_000 },
    "critical CSS": { bytes: brotli(critical), budget: 5_000 },
  };
}

export function sizes(folder, path) {
  const all = (pattern) => asset(folder, pattern);
  const bytes = (pattern) => all(pattern).reduce((total, file) => total + readFileSync(file).length, 0);
  return {
    ...page(folder, path),
    "HTML": { bytes: brotli(readFileSync(join(folder, path, "index.html"), "utf8")) },
    "style sheet": { bytes: sum(all(/^style\..*\.css$/)) },
    "scripts": { bytes: sum(all(/^(main|figures)\..*\.js$/)) },
    // woff2 is compressed already. Pages with formulas load one more.
    "fonts": { bytes: bytes(/^lk-(?!math).*\.woff2$/), budget: 50_000 },
    "search module": { bytes: sum(all(/^search\..*\.wasm$/)), budget: 38_000 },
    // A book of one chapter has 75 KB for both (speed.test.mjs); beyond that the index grows with the text, but stays well under it.
    "search index": { bytes: sum(all(/^search\..*\.bin$/)), budget: Math.max(37_000, Math.round(0.55 * sum(all(/^text-\d+\..*\.bin$/)))) },
    "search texts": { bytes: sum(all(/^text-\d+\..*\.bin$/)) },
    "reader module for numbers": { bytes: sum(all(/^reader-numbers\..*\.wasm$/)), budget: 110_000 },
    "reader module for predicted times": { bytes: sum(all(/^reader-timing\..*\.wasm$/)), budget: 110_000 },
    // Authors alone load these.
    "editor: module": { bytes: sum(all(/^author\..*\.wasm$/)), budget: 400_000 },
    "editor: scripts, style sheets, texts of the book": { bytes: sum(all(/^(edit|preview|author)\..*\.(js|css)$|^content\..*\.json$/)) },
    "reader module for code": { bytes: sum(all(/^reader-code\..*\.wasm$/)), budget: 110_000 },
    "reader module for models": { bytes: sum(all(/^reader-serving\..*\.wasm$/)), budget: 110_000 },
    "reader module": { bytes: sum(all(/^reader\..*\.(wasm|m?js)$/)), budget: 110_000 },
  };
}
