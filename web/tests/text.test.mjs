import { eq, ok, section, serve, site, test, until, visit } from "./harness.mjs";

const on = (name, run, options = {}) => test(name, async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, (page, faults, context) => run(page, server, context), options);
  } finally {
    await server.stop();
  }
});

on("terms explain themselves to mouse and keyboard", async (page) => {
  const term = page.locator("a.term").first();
  await term.hover();
  const tip = page.locator("[role=tooltip]");
  await tip.waitFor();
  eq(await term.getAttribute("aria-describedby"), await tip.getAttribute("id"), "the term's description");
  ok((await tip.innerText()).length > 20, "words");
  await tip.hover();
  await page.waitForTimeout(500);
  eq(await tip.count(), 1, "the tip stays under the pointer");
  await page.keyboard.press("Escape");
  eq(await tip.count(), 0, "Escape closes it");
  await page.mouse.move(5, 5);
  await page.locator("a.skip").focus();
  for (let press = 0; press < 200 && !(await page.evaluate(() => document.activeElement?.classList.contains("term"))); press++) await page.keyboard.press("Tab");
  await tip.waitFor();
  const href = await page.evaluate(() => document.activeElement.href);
  await page.keyboard.press("Enter");
  await page.waitForURL(href);
  ok(await page.locator(":target").count() === 1, "the glossary has the entry");
});

on("a tap opens the term as a sheet with a link to the glossary", async (page) => {
  const term = page.locator("a.term").first();
  await term.scrollIntoViewIfNeeded();
  await term.tap();
  const sheet = page.locator(".pop[role=dialog]");
  await sheet.waitFor();
  const { x, y, width, height } = await sheet.boundingBox();
  eq([x, Math.round(y + height), width], [0, 844, 390], "the sheet's place");
  ok((await sheet.locator("a").getAttribute("href")).includes("glossary"), "link");
  eq(await term.getAttribute("aria-expanded"), "true");
  await page.touchscreen.tap(200, 100);
  await until(async () => await sheet.count() === 0, "a tap beside to close it");
  eq(await page.evaluate(() => location.pathname.endsWith("memory-bound/")), true, "the page stays");
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

on("a listing copies its code without line numbers", async (page) => {
  const list = page.locator(".list").first();
  const button = list.locator("[data-tool=copy]");
  await button.click();
  await until(async () => (await button.innerText()) === "Copied", "the confirmation");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  eq(text, await list.locator("pre").evaluate((pre) => [...pre.querySelectorAll("[data-n]")].map((line) => line.textContent.replace(/\n$/, "")).join("\n") + "\n"));
  ok(text.includes("\n") && !/^\s*\d+\s/.test(text), text);
}, { permissions: ["clipboard-read", "clipboard-write"] });

on("the contents mark the part being read", async (page) => {
  const links = page.locator(".here a");
  const count = await links.count();
  ok(count > 2, "parts");
  for (const at of [0, Math.floor(count / 2), count - 1]) {
    const href = await links.nth(at).getAttribute("href");
    await page.evaluate((id) => document.getElementById(id).scrollIntoView(), decodeURIComponent(href.slice(1)));
    await until(async () => (await page.locator(".here a[aria-current]").getAttribute("href").catch(() => "")) === href, `${href} to be current`);
  }
});

on("the drawer opens, takes focus, closes by Escape", async (page) => {
  const button = page.locator("a.only-drawer");
  eq(await page.locator(".side").isVisible(), false, "the contents at first");
  await button.click();
  ok(await page.locator(".side").isVisible(), "the contents after a click");
  eq(await button.getAttribute("aria-expanded"), "true");
  ok(await page.evaluate(() => document.querySelector(".side").contains(document.activeElement)), "focus in the contents");
  await page.keyboard.press("Escape");
  eq(await page.locator(".side").isVisible(), false, "the contents after Escape");
  ok(await button.evaluate((el) => el === document.activeElement), "focus back on the button");
}, { viewport: { width: 390, height: 844 } });

on("notes refer to notes that exist", async (page) => {
  const bad = await page.locator("a.ref").evaluateAll((all) => all.filter((one) => !document.querySelector(one.getAttribute("href"))).map((one) => one.outerHTML));
  eq(bad, []);
});
