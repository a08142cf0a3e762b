// usage: scripts/bench-paint [--loads 15] [--json]
// First contentful paint of section 1.2 beside a bare page with the same words: no script, no style, no figure. The same server, the
// same Chromium, loads in turns, each in a context of its own with nothing kept from the one before. Ends with status 1 when the
// section's median is more than a tenth above the bare page's.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finish, launch, section, serve, site } from "./harness.mjs";

const most = 1.1;
const at = process.argv.indexOf("--loads");
const loads = at < 0 ? 15 : Number(process.argv[at + 1]);
if (!(loads >= 3)) {
  console.error("scripts/bench-paint: --loads needs a number, 3 or more.");
  process.exit(2);
}

/** The page's words in its own elements, and nothing that would have to be fetched, run or drawn. */
function bare(html) {
  return html.replace(/<(script|style|svg|form|select)\b[\s\S]*?<\/\1>/g, "").replace(/<(link|meta http-equiv)\b[^>]*>/g, "").replace(/ (style|class)="[^"]*"/g, "");
}

const folder = site();
mkdirSync(join(folder, "bare"), { recursive: true });
writeFileSync(join(folder, "bare/index.html"), bare(readFileSync(join(folder, section, "index.html"), "utf8")));
const server = await serve(folder);
const times = { section: [], bare: [] };
try {
  const browser = await launch();
  // The first pair warms the browser and does not count.
  for (let n = 0; n <= loads; n++) for (const [what, path] of [["section", section], ["bare", "bare/"]]) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(server.url + path, { waitUntil: "load" });
    const ms = await page.evaluate(() => new Promise((done) => {
      new PerformanceObserver((list) => list.getEntries().forEach((one) => one.name === "first-contentful-paint" && done(one.startTime))).observe({ type: "paint", buffered: true });
    }));
    await context.close();
    if (n > 0) times[what].push(ms);
  }
} finally {
  await server.stop();
  await finish();
}
const middle = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const result = { section: middle(times.section), bare: middle(times.bare), ratio: middle(times.section) / middle(times.bare), budget: most };
if (process.argv.includes("--json")) console.log(JSON.stringify({ ...result, times }, null, 1));
else {
  for (const [what, list] of Object.entries(times)) console.log(`  ${what.padEnd(8)} ${middle(list).toFixed(1).padStart(7)} ms, median of ${list.length} (${Math.min(...list).toFixed(0)} to ${Math.max(...list).toFixed(0)})`);
  console.log(`${result.ratio <= most ? " " : "!"} ratio    ${result.ratio.toFixed(3).padStart(7)}, at most ${most}`);
}
process.exit(result.ratio <= most ? 0 : 1);
