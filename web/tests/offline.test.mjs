import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { box, eq, freePort, live, ok, profile, root, scratch, section, sentence, serve, site, test, until, watch } from "./harness.mjs";

const state = (page) => page.locator("#offline").innerText();
const saved = (page) => until(async () => /^Available offline, \d+\.\d MB$/.test(await state(page)), "the book to be saved", 30_000);
const folder = (name) => {
  const path = join(scratch, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
};

for (const base of ["/", "/deep/er/"]) {
  test(`visit once, lose the network, come back in a new browser: all is there (${base})`, async () => {
    const built = site({ base });
    const server = await serve(built, { base });
    const kept = folder(`profile${base.length}`);
    let context = await profile(kept);
    const said = [];
    try {
      const page = await context.newPage();
      const faults = watch(page);
      await page.exposeFunction("heard", (words) => said.push(words));
      await page.addInitScript(() => addEventListener("DOMContentLoaded", () => {
        const line = document.querySelector("#offline");
        if (line) new MutationObserver(() => window.heard(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
      }));
      await page.goto(server.url);
      await saved(page);
      ok(said.some((words) => /^Saving the book for offline reading: \d+%$/.test(words)), `progress: ${said.join("; ")}`);
      const percents = said.map((words) => Number(/(\d+)%/.exec(words)?.[1] ?? 100));
      ok(percents.every((one, n) => n === 0 || one >= percents[n - 1]), `percents ${percents}`);
      eq(faults, []);
    } finally {
      await context.close();
      await server.stop();
    }
    context = await profile(kept);
    try {
      const page = await context.newPage();
      // A manifest that is still being read when the page is left reads as an empty one.
      const faults = watch(page, { allow: /404|sw\.js|ERR_CONNECTION_REFUSED|Manifest: Line: 1, column: 1,/ });
      await page.goto(server.url + section); // never opened before
      const figure = await live(page, "roofline");
      const words = await sentence(figure);
      await box(figure, "intensity").fill("3");
      await page.keyboard.press("Enter");
      await until(async () => (await sentence(figure)) !== words, "the figure to move");
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      await page.click("#theme");
      ok(await page.evaluate(() => getComputedStyle(document.body).backgroundColor) !== background, "the theme");
      ok(await page.evaluate(() => document.fonts.check("16px 'LK Text'")), "fonts");
      eq(await page.evaluate(() => getComputedStyle(document.querySelector(".fig")).clear), "both", "the style sheet");
      await page.goto(`${server.url}chapters/glossary/?from=test`);
      ok(await page.locator("dt").count() > 3, "the glossary with a query");
      await page.goto(`${server.url}${section.replace(/\/$/, "")}`);
      ok(page.url().endsWith("memory-bound/"), "the way to the trailing slash");
      const missing = await page.goto(`${server.url}no/such/page/`);
      eq(missing.status(), 404, "status of a page that is not there");
      ok(/nothing here/i.test(await page.locator("h1").innerText()), "the page for it");
      const part = await page.evaluate(async (path) => {
        const response = await fetch(path, { headers: { range: "bytes=0-14" } });
        return [response.status, response.headers.get("content-range"), await response.text()];
      }, `${base}${section}`);
      eq([part[0], part[2]], [206, "<!doctype html>"], "a range");
      eq(faults, []);
    } finally {
      await context.close();
    }
  });
}

/** A server whose files can be changed and whose wire can be cut after any number of files. */
async function tricky(built) {
  const port = await freePort();
  let left = Infinity;
  let files = built;
  const change = new Map();
  const asked = [];
  const types = { html: "text/html", js: "text/javascript", css: "text/css", json: "application/json", wasm: "application/wasm", svg: "image/svg+xml", woff2: "font/woff2", webmanifest: "application/manifest+json" };
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const worker = path === "/sw.js";
    if (!worker && left-- <= 0) return void request.socket.destroy();
    if (!worker) asked.push(path);
    try {
      const body = change.get(path) ?? readFileSync(join(files, path.endsWith("/") ? `${path}index.html` : path));
      response.setHeader("content-type", types[path.endsWith("/") ? "html" : path.split(".").pop()] ?? "text/plain");
      response.setHeader("cache-control", "no-cache");
      response.end(body);
    } catch {
      response.statusCode = 404;
      response.end("missing");
    }
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${port}/`, asked, change, cut: (after) => (left = after), show: (other) => (files = other), stop: () => new Promise((done) => {
    server.close(done);
    server.closeAllConnections();
  }) };
}

/** The book with one word changed, so that pages and the manifest differ. */
function second() {
  const content = folder("content-two");
  cpSync(join(root, "content"), content, { recursive: true });
  const file = join(content, "book.json");
  const book = JSON.parse(readFileSync(file, "utf8"));
  book.title = "Learn Kernels, second edition";
  writeFileSync(file, JSON.stringify(book));
  const home = join(content, "home.md");
  writeFileSync(home, `${readFileSync(home, "utf8")}\n\nThe second edition.\n`);
  return site({ content, name: "second" });
}

test("an update cut after any file leaves the old version whole; done, it waits for the reader", async () => {
  const [one, two] = [site(), second()];
  const server = await tricky(one);
  const context = await profile(folder("profile-update"));
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await saved(page);
    await page.reload();
    const edition = async (on = page) => /second edition/i.test(await on.locator("main").innerText());
    eq(await edition(), false, "the first edition at first");
    server.show(two);
    const update = () => page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      try {
        await registration.update();
      } catch {
        return "none";
      }
      const worker = registration.installing;
      if (!worker) return registration.waiting ? "installed" : "none";
      return new Promise((done) => worker.addEventListener("statechange", () => {
        if (worker.state === "installed" || worker.state === "redundant") done(worker.state);
      }));
    });
    let cuts = 0;
    for (let after = 0; ; after++) {
      server.asked.length = 0;
      server.cut(after);
      const outcome = await update();
      const fetched = server.asked.length;
      server.cut(0);
      if (outcome === "installed") break;
      eq(outcome, "redundant", `cut after ${after} files`);
      cuts++;
      // No network at all: the old version must be whole, page and parts.
      for (const path of ["", section, "chapters/glossary/"]) {
        const response = await page.goto(server.url + path);
        eq(response.status(), 200, `/${path} after a cut at ${after}`);
        eq(await edition(), false, `/${path} after a cut at ${after}`);
      }
      await page.goto(server.url + section);
      await live(page, "roofline");
      await page.goto(server.url);
      ok(fetched <= after, `${fetched} files went through a wire cut after ${after}`);
      ok(after < 60, "the update never completes");
    }
    ok(cuts >= 2, `only ${cuts} cuts`);
    // Installed, but the reader has not said yes: the old version still serves.
    server.cut(0);
    await page.goto(server.url + section);
    await page.goto(server.url);
    eq(await edition(), false, "the first edition while the second waits");
    const other = await context.newPage();
    await other.goto(server.url);
    const hint = page.locator(".hint-bar");
    await hint.waitFor();
    ok(/new version/i.test(await hint.innerText()), await hint.innerText());
    await other.locator(".hint-bar").waitFor(); // it listens by now
    await page.bringToFront();
    await hint.locator("button").click();
    await until(() => edition(), "the second edition after the reload", 10_000);
    await until(async () => /earlier version/i.test(await other.locator(".hint-bar").innerText()), "the other tab to say that it is old");
    await other.locator(".hint-bar button").click();
    await until(() => edition(other), "the second edition in the other tab");
    await page.goto(server.url + section);
    await live(page, "roofline");
    eq(await page.evaluate(async () => (await caches.keys()).length) <= 2, true, "caches that stay");
  } finally {
    await context.close();
    await server.stop();
  }
});

test("an update fetches only what changed, and none when a file is not what the manifest says", async () => {
  const [one, two] = [site(), second()];
  const server = await tricky(one);
  const context = await profile(folder("profile-mixed"));
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await saved(page);
    await page.reload();
    server.show(two);
    server.change.set("/", "<!doctype html><title>Third edition</title>");
    server.asked.length = 0;
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.ready;
      await registration.update();
      const worker = registration.installing;
      if (worker) await new Promise((done) => worker.addEventListener("statechange", () => worker.state === "redundant" || worker.state === "installed" ? done() : undefined));
    });
    ok(server.asked.includes("/"), "the update looked at the page");
    ok(!server.asked.some((path) => path.endsWith(".wasm") || path.endsWith(".woff2")), `unchanged files were fetched again: ${server.asked}`);
    eq(await page.evaluate(async () => Boolean((await navigator.serviceWorker.ready).waiting)), false, "a version that is not whole waits");
    await page.reload();
    eq(/edition/i.test(await page.locator("main").innerText()), false, "the first version still serves");
  } finally {
    await context.close();
    await server.stop();
  }
});

test("a first visit that is cut says so, and the next one completes it", async () => {
  const server = await tricky(site());
  const context = await profile(folder("profile-cut"));
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    // Whatever the page itself needed has come; the book's saving gets five files.
    server.cut(5);
    await until(async () => /^(Not saved|Available)/.test(await state(page)), "an outcome", 20_000);
    if (/^Not saved/.test(await state(page))) ok(/next visit/.test(await state(page)), await state(page));
    server.cut(Infinity);
    await page.reload();
    await saved(page);
  } finally {
    await context.close();
    await server.stop();
  }
});
