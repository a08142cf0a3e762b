// usage: scripts/bench [--json]
// Sizes against their budgets, and times: the core in WebAssembly, what a move of a slider costs, the page's own start, how soon a
// saved text shows.
// A move is measured in processor time of the page's thread (script, style, layout, paint, commit), which other programs on the
// machine hardly change, and multiplied for a slower processor.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { field, finish, live, painted, section, serve, site, slider, visit } from "./harness.mjs";
import { mainThread } from "./trace.mjs";
import { loadReader } from "./load-reader.mjs";
import { saves } from "./live.mjs";
import { sizes } from "./sizes.mjs";

const slowdown = 4;
const rows = [];
const add = (what, value, unit, budget) => rows.push({ what, value, unit, budget, kept: budget === undefined || value <= budget });
const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(share * list.length))];

/** Milliseconds of processor time that each of `count` slider moves costs the page's thread, all its work until the next move. */
async function moves(context, page, range, count, hovers) {
  // A mouse is over the slider half a second before it presses, which lets the figure think ahead. A finger is not.
  await range.evaluate((el, ms) => new Promise((done) => {
    if (ms) el.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    setTimeout(() => {
      el.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
      done();
    }, ms);
  }), hovers ? 500 : 0);
  const tasks = await mainThread(context, page, () => range.evaluate((el, count) => new Promise((done) => {
    let move = 0;
    const next = () => {
      if (move++ >= count) return done();
      performance.mark("move");
      el.value = String(Math.round(Number(el.max) * (0.5 + 0.4 * Math.sin(move / 9))));
      el.dispatchEvent(new Event("input", { bubbles: true }));
      requestAnimationFrame(() => setTimeout(next));
    };
    requestAnimationFrame(next);
  }), count));
  const costs = [];
  for (const { ms, marks } of tasks) {
    if (marks.includes("move")) costs.push(0);
    if (costs.length) costs[costs.length - 1] += ms;
  }
  if (costs.length < count * 0.9) throw new Error(`only ${costs.length} moves of ${count} were seen`);
  return costs.slice(10);
}

const folder = site();
for (const [what, { bytes, budget }] of Object.entries(sizes(folder, section))) add(`${what}, brotli`, bytes, "B", budget);

// The core alone, as Node runs it.
const assets = readdirSync(join(folder, "assets"));
const asset = (start, end) => readFileSync(join(folder, "assets", assets.find((name) => name.startsWith(start) && name.endsWith(end))));
const call = await loadReader(asset("reader.", ".wasm"), asset("world.", ".json").toString());
for (const [id, query] of [["roofline", "intensity="], ["memory_transactions", "stride="]]) {
  const times = [];
  for (let n = 0; n < 400; n++) {
    const began = performance.now();
    const answer = call("figure.render", { id, query: query + (1 + n % 32), width: 632, prefix: id });
    if (!answer.svg) throw new Error(`figure.render of ${id} gave no drawing`);
    if (n >= 100) times.push(performance.now() - began);
  }
  add(`${id}: evaluate, layout, render in WebAssembly, median`, at(times, 0.5), "ms", 2);
}

const server = await serve(folder);
try {
  for (const hand of ["finger", "mouse"]) for (const [uid, name] of [["roofline", "intensity"], ["memory_transactions", "stride"]]) {
    await visit(server.url + section, async (page, _faults, context) => {
      const figure = await live(page, uid);
      await field(figure, name).scrollIntoViewIfNeeded();
      await painted(page);
      const frames = await moves(context, page, slider(figure, name), 120, hand === "mouse");
      add(`${uid}: slider to frame by ${hand}, ${slowdown} times slower, p50`, at(frames, 0.5) * slowdown, "ms");
      add(`${uid}: slider to frame by ${hand}, ${slowdown} times slower, p95`, at(frames, 0.95) * slowdown, "ms", 16);
    });
  }
  await visit(server.url + section, async (page) => {
    await live(page, "roofline");
    const { paint, shift } = await page.evaluate(() => new Promise((done) => {
      let shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((one) => (shift += one.hadRecentInput ? 0 : one.value))).observe({ type: "layout-shift", buffered: true });
      setTimeout(() => done({ paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN, shift }), 300);
    }));
    add("first contentful paint, loopback", paint, "ms");
    add("layout shift", shift, "", 0.001);
  });
  const found = await saves(10);
  add("served while writing: from a save to the page, median of 10", at(found.map(({ ms }) => ms), 0.5), "ms", 300);
  add("served while writing: from a save to the page, the worst", Math.max(...found.map(({ ms }) => ms)), "ms", 300);
  add("served while writing: how far the page moved", Math.max(...found.map(({ moved }) => moved)), "px", 1);
  // A letter typed in the editor until its page shows it: the pause that tells the end of typing, the core in its worker, the frame.
  await visit(`${server.url}edit/?section=the-kv-cache`, async (page) => {
    await page.waitForSelector("main[data-checked]", { timeout: 30_000 });
    await page.frameLocator("#edit-frame").locator("#fig-kv_cache_growth").waitFor();
    const times = await page.evaluate(async () => {
      const box = document.querySelector("#edit-text");
      const shown = document.querySelector("#edit-frame").contentDocument;
      // The end of the first paragraph below the first heading.
      const at = box.value.indexOf("\n\n", box.value.indexOf("\n\n", box.value.indexOf("\n## ")) + 2);
      box.focus();
      const times = [];
      for (let n = 0; n < 24; n++) {
        box.setSelectionRange(at, at);
        const seen = new Promise((done, no) => {
          setTimeout(() => no(new Error("no page shows the letter")), 10_000);
          const watch = new MutationObserver(() => (watch.disconnect(), done()));
          watch.observe(shown.querySelector("main"), { subtree: true, childList: true, characterData: true });
        });
        const began = performance.now();
        document.execCommand("insertText", false, "x");
        await seen;
        times.push(performance.now() - began);
        await new Promise((done) => setTimeout(done, 400)); // for the check behind it
      }
      return times.slice(4);
    });
    add("editor: a letter to the page that shows it, median", at(times, 0.5), "ms", 150);
  });
} finally {
  await server.stop();
  await finish();
}

if (process.argv.includes("--json")) console.log(JSON.stringify(rows, null, 1));
else for (const { what, value, unit, budget, kept } of rows) {
  const shown = unit === "B" ? String(value) : value.toFixed(unit ? 2 : 4);
  console.log(`${kept ? "  " : "! "}${what.padEnd(70)} ${shown.padStart(9)} ${unit.padEnd(2)} ${budget === undefined ? "" : `of ${budget}`}`);
}
process.exit(rows.every(({ kept }) => kept) ? 0 : 1);
