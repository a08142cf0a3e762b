import { createServer } from "node:http";
import { eq, live, ok, serve, site, slider, test, until, visit } from "./harness.mjs";

test("an embedded figure moves and tells the page around it how high it is", async () => {
  const server = await serve(site());
  const host = createServer((_request, response) => response.setHeader("content-type", "text/html").end(
    `<!doctype html><title>Host</title><iframe title="figure" width="700" height="300" src="${server.url}embed/roofline/?roofline.intensity=5&theme=dark"></iframe>`));
  await new Promise((done) => host.listen(0, "127.0.0.1", done));
  try {
    await visit(`http://127.0.0.1:${host.address().port}/`, async (page) => {
      const frame = page.frameLocator("iframe");
      const figure = frame.locator("#fig-roofline");
      await frame.locator("#fig-roofline[data-live]").waitFor();
      eq(await figure.locator("[data-field=intensity] input[type=text]").inputValue(), "5", "the state of the address");
      eq(await frame.locator("html").getAttribute("data-theme"), "dark", "the theme of the address");
      const height = await until(() => page.evaluate(() => window.heights.at(-1)), "a height");
      eq([height.type, height.id], ["learn-kernels:height", "roofline"]);
      eq(height.height, await frame.locator("html").evaluate((el) => Math.ceil(el.getBoundingClientRect().height)), "the height");
      const before = height.height;
      await figure.locator("details summary.tool").click();
      await until(() => page.evaluate((h) => window.heights.at(-1).height > h + 50, before), "the height to grow with the table");
      await slider(figure, "intensity").focus();
      const src = await frame.locator("html").evaluate(() => location.search);
      await page.keyboard.press("ArrowRight");
      await until(async () => (await figure.locator("[data-field=intensity] input[type=text]").inputValue()) !== "5", "the figure to move");
      eq(await frame.locator("html").evaluate(() => location.search), src, "the frame's address");
      eq(await frame.locator("html").evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)).catch(() => 0), 0, "service workers");
    }, { init: () => {
      window.heights = [];
      addEventListener("message", ({ data }) => window.heights.push(data));
    } });
  } finally {
    host.close();
    await server.stop();
  }
});

test("every figure has an embed that stands alone", async () => {
  const server = await serve(site());
  try {
    for (const id of ["roofline", "memory_transactions"]) {
      await visit(`${server.url}embed/${id}/`, async (page) => {
        const figure = await live(page, id);
        ok(await figure.locator("form.ctl").isVisible(), "controls");
        eq(await page.locator(".head, .side, .foot").count(), 0, "frame of the book");
        ok(await page.locator("h1, h2").count() >= 1, "a heading");
      });
    }
  } finally {
    await server.stop();
  }
});
