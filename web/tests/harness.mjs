// What the tests share: sites built and served by lk, a browser, pages that note every fault, a list of tests.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const lk = process.env.LK ?? join(root, "build/native/lk");
export const scratch = mkdtempSync(join(tmpdir(), "lk-web-"));
export const section = "chapters/foundations/compute-bound-and-memory-bound/";

/* tests */

export const tests = [];
/** `alone`: what it times may not share the machine with other tests. */
export const test = (name, run, { alone = false } = {}) => tests.push({ name, run, alone });

export function ok(truth, message) {
  if (!truth) throw new Error(message);
}
export function eq(got, wanted, what = "") {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what ? `${what}: ` : ""}got ${a}, wanted ${b}`);
}
/** Waits until `probe` gives something truthy. */
export async function until(probe, what, ms = 5000) {
  const end = Date.now() + ms;
  for (let last; ; await new Promise((done) => setTimeout(done, 25))) {
    try {
      last = await probe();
      if (last) return last;
    } catch (error) {
      last = error.message;
    }
    if (Date.now() > end) throw new Error(`waited in vain for ${what} (last: ${JSON.stringify(last)})`);
  }
}

/* sites and servers */

const built = new Map();
/** Builds the book into a folder of its own, once for each set of options. */
export function site({ base = "/", content = join(root, "content"), name = base } = {}) {
  const key = `${name} ${base} ${content}`;
  if (!built.has(key)) {
    const out = join(scratch, `site-${built.size}`);
    execFileSync(lk, ["build", "--content", content, ...(process.env.ASSETS ? ["--assets", process.env.ASSETS] : []), "--out", out, "--base", base], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
    built.set(key, out);
  }
  return built.get(key);
}

export const freePort = () => new Promise((done, no) => {
  const probe = createServer();
  probe.on("error", no);
  probe.listen(0, "127.0.0.1", () => {
    const { port } = probe.address();
    probe.close(() => done(port));
  });
});

const running = new Set();
/** Serves a folder; gives { url, stop }. The same port can be taken again after stop. */
export async function serve(folder, { port, base = "/" } = {}) {
  const at = port ?? await freePort();
  const child = spawn(lk, ["serve", "--site", folder, "--port", String(at)], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  running.add(child);
  const gone = new Promise((done) => child.on("exit", () => {
    running.delete(child);
    done();
  }));
  const url = `http://127.0.0.1:${at}${base}`;
  await until(async () => child.exitCode === null ? (await fetch(url)).ok : Promise.reject(new Error(`lk serve ended: ${said}`)), `${url} to answer`);
  return { url, port: at, stop: async () => {
    child.kill();
    await gone;
  } };
}

/* the browser */

export const flags = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
let browser;
const contexts = new Set();

export async function launch() {
  browser ??= await chromium.launch({ executablePath, args: flags });
  return browser;
}
export async function profile(folder, options = {}) {
  const context = await chromium.launchPersistentContext(folder, { executablePath, args: flags, viewport: { width: 1280, height: 900 }, ...options });
  contexts.add(context);
  context.on("close", () => contexts.delete(context));
  return context;
}

/** Notes what must never happen on a page: errors, console errors, policy violations, requests that leave the machine. */
export function watch(page, { allow } = {}) {
  const faults = [];
  const note = (text) => {
    if (!allow?.test(text)) faults.push(text);
  };
  page.on("pageerror", (error) => note(`error: ${error.message}`));
  page.on("console", (message) => {
    if (message.location().url.endsWith("/404.html")) return; // served with its status
    if (message.type() === "error" || message.type() === "warning" && /violat|refused/i.test(message.text())) note(`console: ${message.text()} ${message.location().url}`);
  });
  page.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== "127.0.0.1") note(`request to ${request.url()}`);
  });
  return faults;
}

/** A page in a context of its own; `use` gets it with its list of faults, and faults fail the test. */
export async function visit(url, use, { allow, init, before, waitUntil = "load", ...options } = {}) {
  const context = await (await launch()).newContext({ viewport: { width: 1280, height: 900 }, serviceWorkers: "block", ...options });
  try {
    if (init) await context.addInitScript(init);
    const page = await context.newPage();
    const faults = watch(page, { allow });
    if (before) await before(page, context);
    await page.goto(url, { waitUntil });
    await use(page, faults, context);
    eq(faults, [], "faults on the page");
  } finally {
    await context.close();
  }
}

/** Waits until the figure has been laid out by the core. */
export async function live(page, uid) {
  const figure = page.locator(`#fig-${uid}`);
  await figure.scrollIntoViewIfNeeded();
  await page.waitForSelector(`#fig-${uid}[data-live]`, { timeout: 10_000 });
  return figure;
}
export const sentence = (figure) => figure.locator(".fig__live").innerText();
export const field = (figure, name) => figure.locator(`[data-field="${name}"]`);
export const slider = (figure, name) => field(figure, name).locator("input[type=range]");
export const box = (figure, name) => field(figure, name).locator("input[type=text]");
/** Waits until the page has painted what it was told. */
export const painted = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

export async function finish() {
  for (const context of contexts) await context.close().catch(() => undefined);
  await browser?.close();
  for (const child of running) child.kill();
  rmSync(scratch, { recursive: true, force: true });
}
