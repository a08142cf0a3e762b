import { eq, live, ok, section, serve, site, test, until, visit } from "./harness.mjs";
import { pages } from "./pages.mjs";

const collect = () => {
  window.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => window.violations.push(`${event.effectiveDirective}: ${event.blockedURI} ${event.sourceFile ?? ""}`));
};

test("no page breaks its own content security policy, in use", async () => {
  const folder = site();
  const server = await serve(folder);
  try {
    for (const path of pages(folder)) {
      await visit(server.url + path, async (page) => {
        for (const uid of await page.locator("figure[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.uid))) {
          const figure = await live(page, uid);
          const range = figure.locator("input[type=range]").first();
          if (await range.count()) {
            await range.focus();
            await page.keyboard.press("ArrowRight");
          }
        }
        if (await page.locator("#theme").count()) await page.click("#theme");
        await page.waitForTimeout(150);
        eq(await page.evaluate(() => window.violations), [], path);
      }, { init: collect });
    }
  } finally {
    await server.stop();
  }
});

test("the policy allows no inline script, no inline style, no foreign source", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      const policy = await page.evaluate(() => document.querySelector("meta[http-equiv='Content-Security-Policy']")?.content ?? "");
      const header = (await (await fetch(server.url + section)).headers.get("content-security-policy")) ?? "";
      const both = `${policy} ${header}`;
      ok(both.trim().length > 20, "there is no policy");
      ok(!/'unsafe-inline'|'unsafe-eval'|https?:|\*/.test(both), `the policy is lax: ${both}`);
      ok(/wasm-unsafe-eval/.test(both), "WebAssembly is not allowed");
      eq(await page.evaluate(() => {
        const script = document.createElement("script");
        script.textContent = "window.injected = true";
        document.body.append(script);
        document.body.insertAdjacentHTML("beforeend", "<img src='x' onerror='window.injected = true' alt=''>");
        const box = document.createElement("div");
        box.innerHTML = "<p style='color: rgb(1, 2, 3)'>x</p>";
        document.body.append(box);
        return getComputedStyle(box.firstChild).color === "rgb(1, 2, 3)";
      }), false, "an inline style took effect");
      await page.waitForTimeout(300);
      eq(await page.evaluate(() => window.injected ?? false), false, "an injected script ran");
      await until(() => page.evaluate(() => window.violations.filter((one) => one.startsWith("script-src") || one.startsWith("style-src")).length >= 2), "violations to be reported");
      eq(await page.evaluate(async () => {
        try {
          await fetch("http://127.0.0.1:9/");
          return "went out";
        } catch {
          return "held back";
        }
      }), "held back");
    }, { init: collect, allow: /violat|refused|Failed to load|127\.0\.0\.1:9/i });
  } finally {
    await server.stop();
  }
});

test("no markup carries a style attribute or a handler", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      for (const uid of await page.locator("figure[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.uid))) await live(page, uid);
      const html = await (await fetch(server.url + section)).text();
      eq(html.match(/<[^>]*\s(style|on[a-z]+)=/g) ?? [], [], "in the page");
      const drawn = await page.locator(".fig__draw").evaluateAll((all) => all.map((one) => one.innerHTML).join(""));
      eq(drawn.match(/<[^>]*\s(style|on[a-z]+)=/g) ?? [], [], "in the drawings");
    });
  } finally {
    await server.stop();
  }
});
