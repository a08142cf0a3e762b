// usage: scripts/bench-search [--content FOLDER] [--only ours,lunr] [--json]: see there.
import { createServer } from "node:http";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { esbuild } from "../esbuild.mjs";
import { finish, launch, root, scratch, site } from "./harness.mjs";
import { pages } from "./pages.mjs";

const option = (name) => process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined;
const content = resolve(option("--content") ?? join(root, "content"));
const modules = join(root, "web/node_modules");
const rounds = 5;
const budgets = { size: 75_000, p95: 0.35 };

const folder = site({ content, name: content });
const assets = readdirSync(join(folder, "assets"));
const asset = (pattern) => assets.find((name) => pattern.test(name));
const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 } }).length;
const read = (name) => readFileSync(join(folder, "assets", name));

/* queries whose pages the book has */

const paths = pages(folder).filter((path) => path.startsWith("chapters/")).map((path) => `/${path}`);
const html = new Map(paths.map((path) => [path, readFileSync(join(folder, path, "index.html"), "utf8")]));
const holds = (path, id) => html.get(path)?.includes(`id="${id}"`) ?? false;
/** "section:the-kv-cache" -> whether an address is it. */
function place(right) {
  const [kind, id] = right.split(":");
  if (kind === "section") return paths.some((path) => path.endsWith(`/${id}/`)) ? (url) => url.split("#")[0].endsWith(`/${id}/`) : undefined;
  const path = kind === "term" ? "/chapters/glossary/" : "/chapters/reading/";
  return holds(path, id) ? (url) => url === `${path}#${id}` : undefined;
}
const all = JSON.parse(readFileSync(join(root, "tests/search/queries.json"), "utf8"))
  .map(({ query, right, kind }, n) => ({ query, kind, tuned: n % 2 === 0, right: right.map(place).filter(Boolean) }));
const queries = all.filter(({ right }) => right.length);

/** 1 / rank of the first right answer; parts of one section count once. */
function reciprocal(found, right) {
  const seen = new Set();
  let rank = 0;
  for (const url of found) {
    const key = /\/chapters\/(glossary|reading)\//.test(url) ? url : url.split("#")[0];
    if (seen.has(key)) continue;
    seen.add(key);
    if (++rank > 20) return 0;
    if (right.some((is) => is(url))) return 1 / rank;
  }
  return 0;
}

/* Pagefind's index, of the same pages */

const pagefind = await import("pagefind");
const { index } = await pagefind.createIndex({ rootSelector: "main", excludeSelectors: ["svg", ".fig__tools", ".data"] });
for (const [path, text] of html) await index.addHTMLFile({ url: `/site${path}`, content: text });
const pagefindFolder = join(scratch, "pagefind");
await index.writeFiles({ outputPath: pagefindFolder });
await pagefind.close();

/* a server with what the engines need, isolated so that its clock is fine */

const bundle = await esbuild([join(root, "web/search_module.ts"), "--bundle", "--minify", "--format=esm"]);
const files = {
  "/": "<!doctype html><title>bench</title>",
  "/search_module.mjs": bundle,
  "/bench.mjs": readFileSync(join(root, "web/tests/bench-search-page.mjs")),
  "/lunr.js": `${readFileSync(join(modules, "lunr/lunr.min.js"), "utf8").replace("}(this,", "}(globalThis,")}`,
  "/minisearch.js": readFileSync(join(modules, "minisearch/dist/es/index.js")),
  "/flexsearch.js": readFileSync(join(modules, "flexsearch/dist/flexsearch.bundle.module.min.mjs")),
};
const types = { ".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html", "": "text/html" };
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  let body = files[pathname];
  if (body === undefined && pathname.startsWith("/site/")) body = html.get(pathname.slice(5)) ?? (existsSync(join(folder, pathname.slice(5))) ? readFileSync(join(folder, pathname.slice(5))) : undefined);
  if (body === undefined && pathname.startsWith("/pagefind/") && existsSync(join(pagefindFolder, pathname.slice(10)))) body = readFileSync(join(pagefindFolder, pathname.slice(10)));
  response.writeHead(body === undefined ? 404 : 200, { "content-type": types[extname(pathname)] ?? "application/octet-stream", "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp", "cache-control": "max-age=600" });
  response.end(body);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;

const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);
const folderBytes = (path) => readdirSync(path, { recursive: true, withFileTypes: true }).filter((one) => one.isFile())
  .map((one) => [one.name, readFileSync(join(one.parentPath ?? one.path, one.name))]);

const browser = await launch();
const rows = [];
try {
  const context = await browser.newContext();
  const fresh = async (use) => {
    const page = await context.newPage();
    page.on("pageerror", (error) => console.error(error.message));
    await page.goto(url);
    try {
      return await use(page);
    } finally {
      await page.close();
    }
  };
  const documents = await fresh((page) => page.evaluate(async (list) => (await import("/bench.mjs")).passages(list), paths));
  const texts = assets.filter((name) => /^text-\d+\..*\.bin$/.test(name)).map((name) => [Number(/\d+/.exec(name)[0]), `${url}site/assets/${name}`]);
  const about = { documents, module: `${url}site/assets/${asset(/^search\..*\.wasm$/)}`, index: `${url}site/assets/${asset(/^search\..*\.bin$/)}`, texts };
  const code = { lunr: files["/lunr.js"], minisearch: files["/minisearch.js"], flexsearch: files["/flexsearch.js"] };
  for (const name of ["ours", "lunr", "minisearch", "flexsearch", "pagefind"].filter((one) => !option("--only") || option("--only").split(",").includes(one))) {
    const runs = [];
    for (let round = 0; round < rounds; round++)
      runs.push(await fresh((page) => page.evaluate(async ([engine, given, words]) => (await import("/bench.mjs")).run(engine, given, words), [name, about, queries.map(({ query }) => query)])));
    // Every page asks every query once, so no answer is warm; of the pages the quickest counts, for other programs run too.
    const quickest = (lists) => queries.map((_, n) => Math.min(...lists.map((list) => list[n] ?? Infinity)));
    const times = quickest(runs.map((one) => one.times));
    const ranks = queries.map(({ right, tuned }, n) => ({ tuned, value: reciprocal(runs[0].found[n], right), query: queries[n].query }));
    const bytes = name === "ours" ? brotli(read(asset(/^search\..*\.wasm$/))) + brotli(read(asset(/^search\..*\.bin$/)))
      : name === "pagefind" ? folderBytes(pagefindFolder).filter(([file]) => !/ui|highlight|component/.test(file)).reduce((sum, [file, data]) => sum + (/\.pf_|\.pagefind$/.test(file) ? data.length : brotli(data)), 0)
        : brotli(Buffer.from(code[name])) + brotli(Buffer.from(runs[0].bytes));
    rows.push({ name, mrr: mean(ranks.map(({ value }) => value)), mrrTuned: mean(ranks.filter(({ tuned }) => tuned).map(({ value }) => value)),
      mrrOther: mean(ranks.filter(({ tuned }) => !tuned).map(({ value }) => value)), p50: at(times, 0.5), p95: at(times, 0.95), max: Math.max(...times),
      full: at(quickest(runs.map((one) => one.full)), 0.95), load: Math.min(...runs.map((one) => one.load)), bytes });
    if (process.env.MISSES && name === process.env.MISSES) for (const { query, value, tuned } of ranks) if (value < 1 && tuned) console.log(`  ${value.toFixed(2)} ${query}`);
  }
} finally {
  server.closeAllConnections?.();
  server.close();
  await finish();
}

const [ours, lunr, flexsearch] = ["ours", "lunr", "flexsearch"].map((name) => rows.find((row) => row.name === name) ?? rows[0]);
const kept = [
  ["mean reciprocal rank is at least Lunr's", ours.mrr >= lunr.mrr],
  [`95% of the queries take at most ${budgets.p95} ms, or what FlexSearch takes here`, ours.p95 <= Math.max(budgets.p95, flexsearch.p95)],
  [`module and index are at most ${budgets.size} B`, ours.bytes <= budgets.size],
];
if (process.argv.includes("--json")) console.log(JSON.stringify({ queries: queries.length, of: all.length, rows, kept }, null, 1));
else {
  console.log(`${queries.length} of ${all.length} queries have a right answer in this book; ${rounds} fresh pages each; times in ms, bytes in brotli`);
  console.log("engine        MRR  tuned half  other half   query p50     p95     max    load   code and index");
  for (const { name, mrr, mrrTuned, mrrOther, p50, p95, max, load, bytes } of rows)
    console.log(`${name.padEnd(11)} ${mrr.toFixed(3)}       ${mrrTuned.toFixed(3)}       ${mrrOther.toFixed(3)}      ${p50.toFixed(3).padStart(6)}  ${p95.toFixed(3).padStart(6)}  ${max.toFixed(2).padStart(6)}  ${load.toFixed(2).padStart(6)}  ${String(bytes).padStart(8)}`);
  console.log(`ours with marked snippets: p95 ${ours.full.toFixed(3)} ms`);
  for (const [words, good] of kept) console.log(`${good ? "  " : "! "}${words}`);
}
process.exit(kept.every(([, good]) => good) ? 0 : 1);
