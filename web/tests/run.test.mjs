// "Run this": a listing runs in the page, its counters stand at its lines, and a mistake is told at its line.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, ok, root, section, serve, site, test, visit } from "./harness.mjs";
import { pages } from "./pages.mjs";

const patience = 60_000; // of a busy machine

async function opened(page) {
  const button = page.locator(".list button", { hasText: "Run this" }).first();
  await button.focus();
  await page.keyboard.press("Enter");
  await said(page, /^Ran /);
  return page.locator("dialog.run");
}
const said = (page, words) => page.waitForFunction((source) => new RegExp(source).test(document.querySelector(".run__status")?.textContent ?? ""), words.source, { timeout: patience });
const write = (page, from, to) => page.locator(".run__src").evaluate((el, [from, to]) => {
  if (!el.value.includes(from)) throw new Error(`the listing has no ${from}`);
  el.value = el.value.replace(from, to);
  el.dispatchEvent(new Event("input", { bubbles: true }));
}, [from, to]);

test("a listing runs: time with its limit, counters with definitions, counts beside lines", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const sheet = await opened(page);
      ok(/predicted on H200 SXM/.test(await sheet.locator(".run__big").innerText()), "the predicted time");
      ok(/The limit: /.test(await sheet.locator(".run__why").innerText()), "what limits it");
      ok(/^Measured: /.test(await sheet.locator(".run__why").innerText()), "the unedited listing was measured");
      const instructions = sheet.locator(".run__table tbody tr").first();
      ok(/^[\d,]+$/.test(await instructions.locator("td").first().innerText()), "a count");
      await instructions.locator("summary").click();
      ok(await instructions.locator("code", { hasText: "smsp__inst_executed" }).isVisible(), "its name in Nsight Compute");
      ok(await sheet.locator(".run__v:not(:empty)").count() >= 2, "counts beside lines");
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "hidden" });
      eq(await page.evaluate(() => document.activeElement?.textContent), "Run this", "the focus is back");
    });
  } finally {
    await server.stop();
  }
});

test("an index beyond the end, a word that is none, and the way back", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const sheet = await opened(page);
      await write(page, "if (i < n) c[i]", "c[i + 1]");
      await page.keyboard.press("Control+Enter");
      await said(page, /^Stopped .*one fault/);
      const fault = sheet.locator(".run__found li");
      ok(/^Line 11 out of bounds .*c\[1048576\]/.test((await fault.innerText()).replace(/\s+/g, " ")), await fault.innerText());
      eq(await sheet.locator(".run__mark").count(), 1, "its line is marked");
      await fault.locator("button").click();
      ok((await page.evaluate(() => getSelection()?.toString() || document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd))).includes("c[i + 1]"), "the line is selected");
      await write(page, "c[i + 1]", "d[i]");
      await sheet.locator(".btn--main").click();
      await said(page, /^One error in the source/);
      ok(/'?d'?/.test(await fault.first().innerText()), "the word is named");
      await sheet.getByRole("button", { name: "Back to the listing" }).click();
      await sheet.locator("#run-grid").fill("1");
      await sheet.locator(".btn--main").click();
      await said(page, /^Ran 1 block in/);
      await sheet.locator("#run-grid").fill("none");
      await sheet.locator(".btn--main").click();
      await said(page, /the grid "none"/);
    });
  } finally {
    await server.stop();
  }
});

for (const [width, theme] of [[390, "light"], [390, "dark"], [1440, "light"], [1440, "dark"]])
  test(`the sheet has no fault of access, ${width} px, ${theme}`, async () => {
    const server = await serve(site());
    try {
      await visit(server.url + section, async (page) => {
        await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
        await opened(page);
        await page.evaluate(readFileSync(join(root, "web/node_modules/axe-core/axe.min.js"), "utf8"));
        const { violations } = await page.evaluate(() => window.axe.run("dialog.run"));
        eq(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)}`).join("\n"), "", "axe");
        ok(await page.evaluate(() => document.querySelector("dialog.run").scrollWidth <= innerWidth), "no sideways scroll");
      }, { viewport: { width, height: 844 } });
    } finally {
      await server.stop();
    }
  });

test("every listing with a button runs", async () => {
  const folder = site();
  const server = await serve(folder);
  try {
    for (const path of pages(folder)) {
      if (!readFileSync(join(folder, path.endsWith(".html") ? path : `${path}index.html`), "utf8").includes(" data-run=")) continue;
      await visit(server.url + path, async (page) => {
        const buttons = page.locator(".list button", { hasText: "Run this" });
        const count = await buttons.count();
        eq(count, await page.locator("[data-run]").count(), `/${path}: buttons`);
        for (let n = 0; n < count; n++) {
          await buttons.nth(n).click();
          await page.waitForFunction(() => /^(?!Running|Loading|$)/.test(document.querySelector("dialog.run[open] .run__status")?.textContent ?? ""), undefined, { timeout: patience });
          ok(/^Ran /.test(await page.locator(".run__status").innerText()), `/${path}, listing ${n + 1}: ${await page.locator(".run__status").innerText()}`);
          await page.keyboard.press("Escape");
        }
      });
    }
  } finally {
    await server.stop();
  }
});
