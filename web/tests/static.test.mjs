import { eq, ok, section, serve, site, test, visit } from "./harness.mjs";

test("without JavaScript the section reads: figures, tables, no dead controls", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const figures = page.locator("figure[data-figure]");
      ok(await figures.count() >= 2, "the section has no two figures");
      for (const figure of await figures.all()) {
        const id = await figure.getAttribute("id");
        eq(await figure.locator(".fig__draw > svg:visible").count(), 1, `${id}: drawings that show`);
        const { width, height } = await figure.locator(".fig__draw > svg:visible").boundingBox();
        ok(width > 250 && height > 100, `${id}: the drawing is ${width} x ${height}`);
        ok((await figure.locator(".fig__live").innerText()).length > 20, `${id}: no sentence`);
        eq(await figure.locator(".ctl").isVisible(), false, `${id}: controls show`);
        eq(await figure.locator("[data-tool]:visible").count(), 0, `${id}: buttons show`);
        await figure.locator("details > summary.tool").click();
        ok(await figure.locator("table.data tbody tr").first().isVisible(), `${id}: the table does not open`);
      }
      eq(await page.locator("#theme").isVisible(), false, "the theme button shows");
      eq(await page.locator(".pick").isVisible(), false, "the device picker shows");
      ok(/20[0-9]/.test(await page.locator("data.value").first().innerText()) || await page.locator("data.value").count() > 0, "no values in the text");
      eq(await page.locator("[data-tool=copy]:visible").count(), 0, "copy buttons show");
    }, { javaScriptEnabled: false });
  } finally {
    await server.stop();
  }
});

test("without JavaScript every static drawing is laid out for its width, never scaled", async () => {
  const server = await serve(site());
  try {
    for (const width of [320, 390, 768, 1024, 1440]) {
      await visit(server.url + section, async (page) => {
        for (const svg of await page.locator(".fig__draw > svg:visible").all()) {
          const shown = (await svg.boundingBox()).width;
          eq(Math.round(shown), Number(await svg.getAttribute("width")), `at ${width} px`);
        }
        const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
        ok(scroll <= client, `the page is ${scroll} px wide in a window of ${client}`);
      }, { javaScriptEnabled: false, viewport: { width, height: 800 } });
    }
  } finally {
    await server.stop();
  }
});
