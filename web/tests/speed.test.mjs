import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { eq, live, ok, section, serve, site, test, visit } from "./harness.mjs";
import { pages } from "./pages.mjs";
import { sizes } from "./sizes.mjs";
import { mainThread } from "./trace.mjs";

test("sizes keep their budgets", async () => {
  const all = sizes(site(), section);
  for (const [name, { bytes, budget }] of Object.entries(all)) ok(!budget || bytes <= budget, `${name}: ${bytes} bytes of ${budget}`);
  ok(all["reader module"].bytes > 10_000, "the reader module was not found");
  ok(all["fonts"].bytes > 10_000, "the fonts were not found");
});

const observe = () => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((one) => window.shifts.push({ value: one.value, input: one.hadRecentInput, of: one.sources?.map((s) => s.node?.className ?? s.node?.nodeName ?? "?").join(", ") }))).observe({ type: "layout-shift", buffered: true });
};

for (const [width, device] of [[1440, undefined], [390, undefined], [1440, "a100_80gb"]]) {
  test(`nothing shifts while a page loads and figures wake up, ${width} px${device ? `, reader of ${device}` : ""}`, async () => {
    const folder = site();
    const server = await serve(folder);
    try {
      for (const path of pages(folder)) {
        await visit(server.url + path, async (page) => {
          for (const uid of await page.locator("figure[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.uid))) await live(page, uid);
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
          await page.waitForTimeout(300);
          const shifts = await page.evaluate(() => window.shifts);
          eq(shifts.filter((one) => one.value > 0.0005), [], `/${path}`);
        }, { viewport: { width, height: 900 }, init: `(${observe})(); ${device ? `localStorage.setItem("lk-device", "${device}")` : ""}` });
      }
    } finally {
      await server.stop();
    }
  });
}

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
});

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
