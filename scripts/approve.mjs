// usage: scripts/approve                      a contact sheet of what differs from the goldens
//        scripts/approve --all                the same of every state of every figure
//        scripts/approve --accept [FIGURE[/NAME]...]   replaces these goldens, or all that differ
// Writes build/approve/index.html and pictures of it: every state as approved and as it is now, at three widths, in both themes.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const out = join(root, "build/approve"), goldens = join(root, "tests/golden");

function fail(what, hint) {
  console.error(`scripts/approve: ${what}`);
  if (hint) console.error(`  ${hint}`);
  process.exit(1);
}

const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("-")), named = words.filter((word) => !word.startsWith("-"));
const accept = flags.includes("--accept"), all = flags.includes("--all");
if (flags.some((flag) => flag !== "--accept" && flag !== "--all") || (named.length > 0 && !accept)) {
  const help = readFileSync(fileURLToPath(import.meta.url), "utf8").split("\n").filter((line) => line.startsWith("//")).slice(0, 4);
  console.log(help.map((line) => line.slice(3)).join("\n"));
  process.exit(flags.includes("--help") || flags.includes("-h") ? 0 : 2);
}

// ---------- what the figures say now ----------
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const tests = process.env.LK_TESTS ?? join(root, "build/native/lk_tests");
if (!process.env.LK_TESTS) {
  console.log("building the tests");
  try {
    execFileSync("bash", ["-c", "source scripts/lib.sh && cmake_build release lk_tests"], { stdio: ["ignore", "ignore", "inherit"] });
  } catch {
    fail("the tests could not be built.", "cmake --build build/native --target lk_tests shows why.");
  }
}
try {
  execFileSync(tests, ["views and tables are as approved"], { env: { ...process.env, LK_APPROVE: out }, stdio: ["ignore", "pipe", "inherit"] });
} catch (error) {
  fail("the figures could not be evaluated.", String(error.stdout ?? error.message).trim());
}

const read = (path) => existsSync(path) ? readFileSync(path, "utf8") : "";
const states = readdirSync(out).filter((name) => name.endsWith(".json")).sort().map((file) => {
  const [figure, name] = file.slice(0, -5).split(".");
  const now = read(join(out, file)), golden = join(goldens, figure, `${name}.json`), before = read(golden);
  return { id: `${figure}/${name}`, stem: join(out, file.slice(0, -5)), golden, now, before, changed: now !== before };
});

// ---------- accepting ----------
if (accept) {
  const wanted = (state) => named.length === 0 ? state.changed : named.some((name) => state.id === name || state.id.startsWith(`${name}/`));
  const chosen = states.filter(wanted);
  for (const name of named) {
    if (!states.some((state) => state.id === name || state.id.startsWith(`${name}/`))) {
      fail(`there is no state "${name}".`, `States: ${states.map((state) => state.id).join(", ")}`);
    }
  }
  for (const state of chosen.filter(({ changed }) => changed)) {
    mkdirSync(dirname(state.golden), { recursive: true });
    writeFileSync(state.golden, state.now);
    console.log(`accepted ${state.id}`);
  }
  if (!chosen.some(({ changed }) => changed)) console.log("nothing to accept: these goldens are as they were");
  process.exit(0);
}

// ---------- the contact sheet ----------
const shown = all ? states : states.filter(({ changed }) => changed);
if (shown.length === 0) {
  console.log(`all ${states.length} states are as approved (scripts/approve --all shows them)`);
  process.exit(0);
}
const escape = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const css = ["fonts", "tokens", "drawing"].map((name) => read(join(root, "web/css", `${name}.css`))).join("\n")
  .replace(/url\((lk-[a-z-]+\.woff2)\)/g, (_, font) => `url(${pathToFileURL(join(root, "build/fonts", font))})`)
  .replaceAll("font-display: optional", "font-display: block");
function differences({ now, before }) {
  const old = before.split("\n"), fresh = now.split("\n"), found = [];
  for (let i = 0; i < Math.max(old.length, fresh.length) && found.length < 12; ++i) {
    if (old[i] !== fresh[i]) found.push(`- ${old[i] ?? ""}`, `+ ${fresh[i] ?? ""}`);
  }
  return found.map((line) => line.slice(0, 400)).join("\n");
}
const sheet = shown.map((state) => {
  const rows = [920, 632, 350].map((width) => {
    const side = (which) => {
      const svg = read(`${state.stem}.${which}.${width}.svg`).replaceAll(`"${which}-`, `"${state.id}-${which}-${width}-`).replaceAll(`#${which}-`, `#${state.id}-${which}-${width}-`);
      return `<div class="side"><small>${which === "old" ? "approved" : "now"}, ${width} px</small>${svg || "<p>not approved yet</p>"}</div>`;
    };
    return `<div class="pair">${side("old")}${side("new")}</div>`;
  });
  const words = state.before && state.changed ? `<pre>${escape(differences(state))}</pre>` : "";
  return `<section><h2>${state.id}${state.changed ? "" : " (as approved)"}</h2>${rows.join("")}${words}</section>`;
});
const page = (theme) => `<!doctype html><html lang="en"${theme ? ` data-theme="${theme}"` : ""}><meta charset="utf-8"><title>Figures: approved and now</title>
<style>${css}
body { margin: 0; padding: 24px; background: var(--bg); color: var(--ink); font: 400 13px/20px var(--font-ui); }
.pair { display: flex; gap: 40px; margin-bottom: 24px; } .side { flex: none; } small { display: block; margin-bottom: 8px; color: var(--muted); }
pre { max-width: 1880px; white-space: pre-wrap; color: var(--muted); } section { margin-bottom: 56px; border-top: 1px solid var(--ink); }
</style>${sheet.join("\n")}</html>`;
for (const theme of ["light", "dark"]) writeFileSync(join(out, `${theme}.html`), page(theme));
writeFileSync(join(out, "index.html"), page(""));

const names = shown.map(({ id, changed, before }) => `  ${id}${!changed ? "" : before ? ": changed" : ": new"}`);
console.log(`${shown.length} of ${states.length} states:\n${names.join("\n")}`);
console.log(`contact sheet: ${relative(root, join(out, "index.html"))}`);
const browser = ["/usr/bin/chromium", "/usr/bin/google-chrome"].find(existsSync);
if (browser && existsSync(join(root, "web/node_modules/playwright-core"))) {
  const { chromium } = await import(pathToFileURL(join(root, "web/node_modules/playwright-core/index.mjs")).href);
  const open = await chromium.launch({ executablePath: browser, args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
  const tall = 4000;  // px a picture: longer ones do not open everywhere
  for (const theme of ["light", "dark"]) {
    const tab = await open.newPage({ viewport: { width: 1960, height: 1000 } });
    await tab.goto(pathToFileURL(join(out, `${theme}.html`)).href);
    const height = await tab.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0, n = 1; y < height; y += tall, ++n) {
      const path = join(out, `${theme}-${n}.png`);
      await tab.screenshot({ path, fullPage: true, clip: { x: 0, y, width: 1960, height: Math.min(tall, height - y) } });
      console.log(`  ${relative(root, path)}`);
    }
    await tab.close();
  }
  await open.close();
} else {
  console.log("  (no pictures: Chromium or web/node_modules is missing; scripts/setup installs both)");
}
console.log("scripts/approve --accept takes them all, --accept FIGURE/NAME one.");
