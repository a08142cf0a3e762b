// What paper gets: the text with its notes, drawings and addresses, and nothing to click.
import { eq, live, ok, section, serve, site, test, visit } from "./harness.mjs";

test("on paper: no controls, notes in the text, whole figures, every address once", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await live(page, "roofline");
      await page.emulateMedia({ media: "print" });
      const seen = await page.evaluate(() => {
        const shown = (css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility({ visibilityProperty: true })).length;
        const style = (css, pseudo) => [...document.querySelectorAll(css)].map((one) => getComputedStyle(one, pseudo));
        const links = [...document.querySelectorAll("main a[href^=http]")];
        return {
          controls: shown("header.head, .side, .foot, form.ctl, button, input, select, summary.tool, .next, dialog, .hash"),
          drawings: [...document.querySelectorAll("figure[data-figure]")].map((one) => [...one.querySelectorAll(".fig__draw > svg")].filter((svg) => svg.checkVisibility()).length),
          floats: style(".sn").filter((one) => one.float !== "none" || one.display !== "block").length,
          notes: document.querySelectorAll(".sn").length,
          breaks: style("figure[data-figure], .list, .scroll tr").filter((one) => one.breakInside !== "avoid").length,
          heads: style(".scroll thead").filter((one) => one.display !== "table-header-group").length,
          spelled: links.filter((one) => getComputedStyle(one, "::after").content !== "none").map((one) => one.getAttribute("href")),
          addresses: [...new Set(links.map((one) => one.getAttribute("href")))],
        };
      });
      eq(seen.controls, 0, "controls that show");
      ok(seen.drawings.length >= 2 && seen.drawings.every((count) => count === 1), `drawings that show: ${seen.drawings}`);
      ok(seen.notes > 0, "no notes");
      eq([seen.floats, seen.breaks, seen.heads], [0, 0, 0], "notes beside the text, things that break, heads that do not repeat");
      eq([...seen.spelled].sort(), [...seen.addresses].sort(), "addresses");
    });
  } finally {
    await server.stop();
  }
});
