// Brotli sizes of what a reader of one page downloads, with their budgets in bytes.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const brotli = (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

export function sizes(folder, path) {
  const assets = readdirSync(join(folder, "assets"));
  const asset = (pattern) => assets.filter((name) => pattern.test(name)).map((name) => readFileSync(join(folder, "assets", name)));
  const sum = (list) => list.reduce((total, bytes) => total + brotli(bytes), 0);
  const html = readFileSync(join(folder, path, "index.html"), "utf8");
  const bare = html.replace(/<svg[\s\S]*?<\/svg>|<style>[\s\S]*?<\/style>/g, "");
  const critical = /<style>([\s\S]*?)<\/style>/.exec(html)?.[1] ?? "";
  const scripts = asset(/^(main|figures)\..*\.js$/);
  const style = asset(/^style\..*\.css$/);
  // A figure of another module brings that module's world.
  const figures = [...html.matchAll(/<figure[^>]* data-figure[^>]*>/g)].map(([tag]) => /data-module="([^"]+)"/.exec(tag)?.[1]);
  const worlds = [...new Set(figures)].map((module) => new RegExp(module ? `"${module}":\\{[^}]*"world":"([^"]+)"` : '"world":"([^"]+)"').exec(html)[1]);
  const world = worlds.map((path) => readFileSync(join(folder, path)));
  return {
    "page without fonts and WebAssembly": { bytes: brotli(html) + sum(scripts) + sum(style) + sum(world), budget: 45_000 },
    "HTML": { bytes: brotli(html) },
    // The critical CSS stands in the HTML and has a budget of its own.
    "HTML without its drawings": { bytes: brotli(bare), budget: 14_000 },
    "critical CSS": { bytes: brotli(critical), budget: 5_000 },
    "style sheet": { bytes: sum(style) },
    "scripts": { bytes: sum(scripts) },
    "world": { bytes: sum(world) },
    // woff2 is compressed already. Pages with formulas load one more.
    "fonts": { bytes: asset(/^lk-(?!math).*\.woff2$/).reduce((total, bytes) => total + bytes.length, 0), budget: 50_000 },
    "search module": { bytes: sum(asset(/^search\..*\.wasm$/)), budget: 38_000 },
    // 75 KB with the module for a book of one chapter; beyond that the index grows with the text, but stays well under it.
    "search index": { bytes: sum(asset(/^search\..*\.bin$/)), budget: Math.max(37_000, Math.round(0.55 * sum(asset(/^text-\d+\..*\.bin$/)))) },
    "search texts": { bytes: sum(asset(/^text-\d+\..*\.bin$/)) },
    "reader module for numbers": { bytes: sum(asset(/^reader-numbers\..*\.wasm$/)), budget: 110_000 },
    "reader module for predicted times": { bytes: sum(asset(/^reader-timing\..*\.wasm$/)), budget: 110_000 },
    // Authors alone load these.
    "editor: module": { bytes: sum(asset(/^author\..*\.wasm$/)), budget: 400_000 },
    "editor: scripts, style sheets, texts of the book": { bytes: sum(asset(/^(edit|preview|author)\..*\.(js|css)$|^content\..*\.json$/)) },
    "reader module for code": { bytes: sum(asset(/^reader-code\..*\.wasm$/)), budget: 110_000 },
    "reader module for models": { bytes: sum(asset(/^reader-serving\..*\.wasm$/)), budget: 110_000 },
    "reader module": { bytes: sum(asset(/^reader\..*\.(wasm|m?js)$/)), budget: 110_000 },
  };
}
