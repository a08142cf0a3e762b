import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, live, ok, painted, root, section, serve, site, test, visit } from "./harness.mjs";
import { pages, share } from "./pages.mjs";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

async function faults(page) {
  // Through the debugger, so that the page's policy does not matter.
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return found.violations.flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.target.join(" ")} (${node.failureSummary?.split("\n")[1]?.trim()})`));
}

const parts = 6;
for (let part = 0; part < parts; part++) {
  test(`axe finds nothing at 390, 768 and 1440 px in both themes, part ${part + 1} of ${parts} of the pages`, async () => {
    const folder = site();
    const server = await serve(folder);
    const all = [];
    try {
      for (const path of share(folder, part, parts)) {
        await visit(server.url + path, async (page) => {
          for (const width of [1440, 768, 390]) {
            await page.setViewportSize({ width, height: 900 });
            for (const uid of await page.locator("figure[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.uid))) await live(page, uid);
            await page.evaluate(() => document.querySelectorAll("main details:not(.prov)").forEach((one) => (one.open = true)));
            await page.evaluate(() => scrollTo(0, 0));
            const grounds = {};
            for (const colorScheme of ["light", "dark"]) {
              await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
              await painted(page);
              grounds[colorScheme] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
              for (const fault of await faults(page)) all.push(`/${path} ${colorScheme} ${width} px: ${fault}`);
            }
            ok(grounds.light !== grounds.dark, `/${path}: both themes have the ground ${grounds.light}`);
          }
        }, { colorScheme: "light", viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
      }
    } finally {
      await server.stop();
    }
    ok(all.length === 0, `${all.length} faults:\n${[...new Set(all)].slice(0, 25).join("\n")}`);
  });
}

test("axe finds nothing in what opens by hand", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const figure = await live(page, "roofline");
      await figure.locator("[data-tool=embed]").click();
      const input = figure.locator("input[type=text]").first();
      await input.fill("much");
      await page.keyboard.press("Enter");
      eq(await faults(page), [], "embed code and a refused number");
      await page.locator("a.term").first().hover();
      await page.locator("[role=tooltip]").waitFor();
      eq(await faults(page), [], "a term");
    }, { reducedMotion: "reduce" });
    await visit(server.url + section, async (page) => {
      await page.locator("a.term").first().tap();
      await page.locator("[role=dialog]").waitFor();
      eq(await faults(page), [], "a term's sheet");
      await page.keyboard.press("Escape");
      await page.locator("a.only-drawer").tap();
      eq(await faults(page), [], "the drawer");
    }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
  } finally {
    await server.stop();
  }
});

test("the Nu checker finds nothing", async () => {
  const folder = site();
  const files = pages(folder, { redirects: true }).map((path) => join(folder, path.endsWith(".html") ? path : `${path}index.html`));
  const jar = join(root, "web/node_modules/vnu-jar/build/dist/vnu.jar");
  let out = "";
  try {
    execFileSync("java", ["-jar", jar, "--format", "gnu", "--stdout", ...files], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 26 });
  } catch (error) {
    out = `${error.stdout ?? ""}${error.stderr ?? ""}` || error.message;
  }
  // Files on a disk have no origin, so 'self' matches nothing there; data blocks never run.
  const policy = /(Resource|Inline script) violates Content Security Policy/;
  const lines = out.split("\n").filter((line) => line && !policy.test(line)).map((line) => line.replace(`file:${folder}`, "").replace(folder, ""));
  ok(lines.length === 0, `${lines.length} messages:\n${lines.slice(0, 20).join("\n")}`);
});
