// The search: by keyboard, by pointer, offline, when something is missing, for screen readers, on a phone.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eq, ok, painted, profile, scratch, section, serve, site, test, until, visit } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const results = (page) => page.locator("#seek-list [role=option]");
const titles = (page) => page.locator("#seek-list .seek__title b").allInnerTexts();
const note = (page) => page.locator(".seek__note").innerText();
const active = (page) => page.evaluate(() => document.getElementById(document.querySelector("#seek-q").getAttribute("aria-activedescendant") ?? "")?.textContent ?? "");
const opened = (page) => page.waitForSelector("dialog.seek[open]");

/** A page of the book with the search open and what was typed answered. */
async function search(page, words) {
  await page.keyboard.press("/");
  await opened(page);
  await page.fill("#seek-q", words);
  await page.waitForFunction(() => document.querySelector("#seek-list [role=option] .seek__title, .seek__note:not(.vh)"));
  await painted(page);
}

async function served(use, options = {}, folder = site()) {
  const server = await serve(folder);
  try {
    await visit(server.url + section, (page, faults, context) => use(page, server, context), options);
  } finally {
    await server.stop();
  }
}

test("nothing of the search is loaded until somebody wants it", () => served(async (page) => {
  const loaded = () => page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name).filter((name) => /\/(search|text-\d+)\./.test(name)).length);
  await page.waitForTimeout(500);
  eq(await loaded(), 0);
  await page.focus("#find");
  await until(loaded, "the search to load");
}));

test("by keyboard alone: open, type, move, follow, close", () => served(async (page, server) => {
  await page.keyboard.press("/");
  await opened(page);
  eq(await page.evaluate(() => document.activeElement.id), "seek-q", "focus");
  ok(await results(page).count() >= 3, "before anything is typed some entries are offered");
  await page.keyboard.type("ridge point");
  await until(async () => (await titles(page))[0] === "Ridge point", "the entry of the term to come first");
  ok((await active(page)).includes("Ridge point"), "the first result is active");
  await page.keyboard.press("ArrowDown");
  const second = await active(page);
  ok(second && !second.includes("Ridge pointGlossary"), "down moves on");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  const last = await results(page).last().innerText();
  ok((await active(page)).includes(last.split("\n")[0].trim()), "up from the first goes to the last");
  await page.keyboard.press("Escape");
  eq(await page.locator("dialog.seek[open]").count(), 0, "open dialogs after Escape");
  await page.keyboard.press("/");
  await opened(page);
  await page.keyboard.type("ridge point");
  await until(async () => (await titles(page))[0] === "Ridge point", "the results again");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}chapters/glossary/#ridge-point`);
}));

test("a result on the same page takes the focus along", () => served(async (page) => {
  await search(page, "bytes in flight");
  const option = page.locator("#seek-list [role=option][href$='#the-bytes-in-flight']").first();
  await option.click();
  eq(await page.locator("dialog.seek[open]").count(), 0, "open dialogs");
  await until(() => page.evaluate(() => location.hash === "#the-bytes-in-flight" && document.activeElement.id === "the-bytes-in-flight"), "the heading to have the focus");
}));

test("the slash types itself where people type, and opens nothing over an open dialog", () => served(async (page) => {
  await page.evaluate(() => document.querySelector("main").insertAdjacentHTML("afterbegin", "<input id='mine'>"));
  await page.focus("#mine");
  await page.keyboard.press("/");
  await page.waitForTimeout(100);
  eq(await page.locator("dialog.seek[open]").count(), 0);
  eq(await page.inputValue("#mine"), "/");
}));

test("snippets mark what was looked for and arrive by themselves", () => served(async (page) => {
  await search(page, "roofline williams");
  await until(async () => (await page.locator(".seek__snip mark").allInnerTexts()).some((text) => /williams/i.test(text)), "a mark in a snippet");
  eq(await page.locator("#seek-list b b, #seek-list script").count(), 0);
}));

test("typing errors, code, phrases, nothing found", () => served(async (page) => {
  await search(page, "ocupancy");
  await until(async () => (await note(page)).includes("“ocupancy” is not in the book; this is for “occupancy”."), "the correction");
  eq((await titles(page))[0], "Occupancy");
  await page.fill("#seek-q", "\"ridge point\"");
  await until(async () => (await titles(page)).length && (await note(page)) === `${await page.locator(".seek__title").count()} results`, "the phrase");
  await page.fill("#seek-q", "\"point ridge\"");
  await until(async () => (await note(page)).startsWith("Nothing found"), "no phrase");
  await page.fill("#seek-q", "<img src=x onerror=alert(1)> zzzzqqq");
  await painted(page);
  eq(await page.locator("dialog.seek img").count(), 0);
  for (const words of ["🚀", "显卡", "\u0007", "x".repeat(10_000)]) {
    await page.fill("#seek-q", words);
    await until(async () => /Nothing found|result|for example/i.test(await note(page)), `an answer to ${words.slice(0, 5)}`);
  }
}));

for (const [name, options] of [["desk, light", { colorScheme: "light" }], ["desk, dark", { colorScheme: "dark" }], ["phone, light", { viewport: { width: 390, height: 844 }, colorScheme: "light" }], ["phone, dark", { viewport: { width: 390, height: 844 }, colorScheme: "dark" }]])
  test(`accessible in every state: ${name}`, () => served(async (page) => {
    const check = async (state) => {
      const found = await page.evaluate(async ([source, rules]) => {
        if (!window.axe) (0, eval)(source);
        const { violations } = await window.axe.run(document.querySelector("dialog.seek"), rules);
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`);
      }, [axe, { resultTypes: ["violations"] }]);
      eq(found, [], state);
      eq(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false, `${state}: the page scrolls sideways`);
    };
    await page.keyboard.press("/");
    await opened(page);
    await results(page).first().waitFor();
    await check("empty");
    await page.fill("#seek-q", "memory bandwidth");
    await until(async () => (await titles(page)).length > 2, "results");
    await page.waitForTimeout(200);
    await check("results");
    await page.fill("#seek-q", "zzzzzzz");
    await until(async () => (await note(page)).startsWith("Nothing"), "nothing");
    await check("nothing found");
  }, { bypassCSP: true, ...options }));

test("an index that does not come: what happened, and another try", async () => {
  const folder = join(scratch, "no-index");
  cpSync(site(), folder, { recursive: true });
  const index = readdirSync(join(folder, "assets")).find((one) => /^search\..*\.bin$/.test(one));
  const bytes = readFileSync(join(folder, "assets", index));
  rmSync(join(folder, "assets", index));
  await served(async (page) => {
    await page.keyboard.press("/");
    await opened(page);
    await until(async () => /could not be loaded .*404.*Check the connection/.test(await note(page)), "the reason");
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(folder, "assets", index), bytes);
    await page.click(".seek__again");
    await until(async () => (await results(page).count()) >= 3, "the search to work");
    eq(await page.evaluate(() => document.activeElement.id), "seek-q", "focus");
  }, { allow: /404/ }, folder);
});

test("a damaged index says so", async () => {
  const folder = join(scratch, "damaged");
  cpSync(site(), folder, { recursive: true });
  const index = readdirSync(join(folder, "assets")).find((one) => /^search\..*\.bin$/.test(one));
  const { writeFileSync } = await import("node:fs");
  writeFileSync(join(folder, "assets", index), readFileSync(join(folder, "assets", index)).subarray(0, 5000));
  await served(async (page) => {
    await page.keyboard.press("/");
    await opened(page);
    await until(async () => /index is damaged/.test(await note(page)), "the reason");
  }, {}, folder);
});

test("offline: everything that a search needs is kept", async () => {
  const server = await serve(site());
  const context = await profile(join(scratch, "profile-search"));
  try {
    const page = context.pages()[0] ?? await context.newPage();
    await page.goto(server.url + section);
    await until(async () => /^Available offline/.test(await page.locator("#offline").innerText()), "the book to be kept", 60_000);
    await server.stop();
    await page.reload();
    await search(page, "coalescing");
    await until(async () => (await titles(page))[0] === "Coalescing", "an answer offline");
    await page.fill("#seek-q", "\"arithmetic intensity\"");
    await until(async () => (await titles(page)).length > 1, "a phrase offline");
  } finally {
    await context.close();
    await server.stop();
  }
});

test("a phone: one icon, a sheet over the whole screen, targets for fingers", () => served(async (page) => {
  const button = await page.locator("#find").boundingBox();
  ok(button.width >= 40 && button.height >= 40 && button.width <= 48, `the button is ${button.width} x ${button.height}`);
  await page.tap("#find");
  await opened(page);
  await page.fill("#seek-q", "memory");
  await until(async () => (await titles(page)).length > 2, "results");
  const sheet = await page.locator("dialog.seek").boundingBox();
  eq([sheet.x, sheet.y, sheet.width], [0, 0, 390]);
  for (const box of await results(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))) ok(box >= 40, `a result is ${box} px high`);
  await page.tap(".seek__shut");
  eq(await page.locator("dialog.seek[open]").count(), 0);
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }));

test("without JavaScript there is no search box", () => served(async (page) => {
  eq(await page.locator("#find").isVisible(), false);
}, { javaScriptEnabled: false }));
