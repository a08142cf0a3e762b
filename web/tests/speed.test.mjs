import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { eq, live, ok, root, scratch, section, serve, site, test, visit } from "./harness.mjs";
import { chapterOne } from "./chapter_one.mjs";
import { pages } from "./pages.mjs";
import { page, sizes } from "./sizes.mjs";
import { mainThread } from "./trace.mjs";

test("sizes keep their budgets", async () => {
  const all = sizes(site(), section);
  for (const [name, { bytes, budget }] of Object.entries(all)) ok(!budget || bytes <= budget, `${name}: ${bytes} bytes of ${budget}`);
  ok(all["reader module"].bytes > 10_000, "the reader module was not found");
  ok(all["fonts"].bytes > 10_000, "the fonts were not found");
});

test("a book of one chapter is searched within 75 KB: module, dictionary, postings and glossary", async () => {
  const content = chapterOne(join(root, "content"), join(scratch, "chapter-one"));
  const { "search module": module, "search index": index } = sizes(site({ content, name: "chapter one" }), section);
  ok(index.bytes > 30_000, "the index is there");
  ok(module.bytes + index.bytes <= 75_000, `${module.bytes} + ${index.bytes} bytes of 75000`);
});

test("every section keeps the budgets of a page", async () => {
  const folder = site();
  const sections = pages(folder).filter((path) => /^chapters\/[^/]+\/[^/]+\/$/.test(path));
  ok(sections.length > 3, "sections");
  const over = sections.flatMap((path) => Object.entries(page(folder, path)).filter(([, { bytes, budget }]) => bytes > budget).map(([name, { bytes, budget }]) => `/${path}: ${name}: ${bytes} bytes of ${budget}`));
  eq(over, []);
});

test("the main thread is never blocked for long", async () => {
  const server = await serve(site());
  try {
    await visit("about:blank", async (page, _faults, context) => {
      // In processor time: the machine may be busy, and the clock does not tell.
      const tasks = await mainThread(context, page, async () => {
        await page.goto(server.url + section);
        await live(page, "roofline");
        await page.waitForTimeout(500);
      });
      ok(tasks.length > 20, `only ${tasks.length} tasks were seen`);
      const beyond = tasks.reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0);
      ok(beyond < 20, `blocked for ${beyond} ms`);
      eq(await page.evaluate(() => [...document.scripts].filter((one) => one.src && !one.defer && !one.async && one.type !== "module").map((one) => one.src)), [], "blocking scripts");
    });
  } finally {
    await server.stop();
  }
}, { alone: true });

test("every asset has its hash in its name and every page only assets that exist", async () => {
  const folder = site();
  const assets = new Set(readdirSync(join(folder, "assets")));
  for (const name of assets) ok(/\.[0-9a-f]{8,}\.[a-z0-9]+$/.test(name), name);
  for (const path of pages(folder)) {
    const html = readFileSync(join(folder, path.endsWith(".html") ? path : `${path}index.html`), "utf8");
    for (const [, name] of html.matchAll(/["'(]\/assets\/([\w.-]+)/g)) ok(assets.has(name), `/${path} asks for ${name}`);
  }
  ok(brotliCompressSync(readFileSync(join(folder, section, "index.html"))).length > 1000, "the section");
});
