// Keys of the page: the help, turning pages, and silence while somebody types.
import { eq, ok, live, section, serve, site, test, visit } from "./harness.mjs";

const first = "chapters/foundations/threads-blocks-and-warps/";
const path = (page) => new URL(page.url()).pathname.slice(1);

test("? shows every key in a dialog that keeps the focus and gives it back", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await page.locator("#theme").focus();
      await page.keyboard.press("?");
      const box = page.locator("dialog.keys");
      await box.waitFor();
      eq(await box.evaluate((one) => one.matches(":modal") && one.contains(document.activeElement)), true, "modal, with the focus inside");
      const words = await box.innerText();
      for (const key of ["[", "]", "?", "Esc", "Page Up", "Home"]) ok((await box.locator("kbd").allInnerTexts()).includes(key), `no ${key}`);
      ok(/Previous: 1\.1 Threads/.test(words), `the section before is not named: ${words}`);
      eq((await box.locator("kbd").allInnerTexts()).includes("/"), await page.locator("#search, #find").count() > 0, "the key of the search");
      for (let n = 0; n < 6; n++) {
        await page.keyboard.press("Tab");
        ok(await page.evaluate(() => document.activeElement === document.body || !!document.activeElement?.closest("dialog")), "the focus left the dialog");
      }
      await page.keyboard.press("[");
      eq(path(page), section, "a key behind the dialog");
      await page.keyboard.press("Escape");
      await box.waitFor({ state: "detached" });
      eq(await page.evaluate(() => document.activeElement?.id), "theme", "focus after it");
      await page.locator("#keys").click();
      await box.waitFor();
      await page.mouse.click(5, 5);
      await box.waitFor({ state: "detached" });
    });
  } finally {
    await server.stop();
  }
});

test("[ and ] turn the pages", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await page.keyboard.press("[");
      await page.waitForURL((url) => !url.pathname.endsWith(section));
      const before = path(page);
      await page.keyboard.press("]");
      await page.waitForURL((url) => url.pathname.endsWith(section));
      eq(before, first, "the section before");
    });
  } finally {
    await server.stop();
  }
});

test("keys do nothing while somebody types, with Ctrl held, or once switched off", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const figure = await live(page, "roofline");
      await figure.locator("input[type=text]").first().focus();
      for (const key of ["?", "[", "]"]) await page.keyboard.press(key);
      await page.locator("#device").focus();
      await page.keyboard.press("[");
      await page.locator("#theme").focus();
      await page.keyboard.press("Control+[");
      eq(await page.locator("dialog").count(), 0, "dialogs");
      await page.locator("#keys").click();
      await page.locator("dialog.keys input[type=checkbox]").uncheck();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.reload();
      await page.keyboard.press("?");
      await page.keyboard.press("[");
      await page.waitForTimeout(200);
      eq(await page.locator("dialog").count(), 0, "dialogs once switched off");
      eq(path(page), section, "still here");
      await page.locator("#keys").click();
      await page.locator("dialog.keys input[type=checkbox]").check();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
      await page.keyboard.press("?");
      await page.locator("dialog.keys").waitFor();
    });
  } finally {
    await server.stop();
  }
});
