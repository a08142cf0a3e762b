import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { eq, freePort, live, ok, profile, scratch, section, serve, site, test, visit } from "./harness.mjs";
import { share } from "./pages.mjs";

async function all(page) {
  for (const uid of await page.locator("figure[data-figure]").evaluateAll((all) => all.map((one) => one.dataset.uid))) await live(page, uid);
}
const wider = (page) => page.evaluate(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  return [...document.querySelectorAll("body *")].filter((el) => el.getBoundingClientRect().right > clientWidth + 1).slice(0, 5).map((el) => `${el.tagName}.${el.getAttribute("class")} to ${el.getBoundingClientRect().right}`);
});
const small = (page) => page.evaluate(() => {
  const found = new Set();
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const el = node.parentElement;
    if (!node.textContent.trim() || !el.checkVisibility?.({ visibilityProperty: true }) || el.closest("script, style, .vh, .skip")) continue;
    const scale = el.ownerSVGElement ? el.getScreenCTM().a / Math.cos(Math.atan2(el.getScreenCTM().b, el.getScreenCTM().a)) : 1;
    const size = parseFloat(getComputedStyle(el).fontSize) * scale;
    if (size < 11.99) found.add(`${size} px: ${el.tagName} "${node.textContent.trim().slice(0, 30)}"`);
  }
  return [...found];
});

const observe = () => {
  window.shifts = [];
  new PerformanceObserver((list) => list.getEntries().forEach((one) => window.shifts.push({ value: one.value, input: one.hadRecentInput, of: one.sources?.map((s) => s.node?.className ?? s.node?.nodeName ?? "?").join(", ") }))).observe({ type: "layout-shift", buffered: true });
};

const parts = 2;
for (const [width, device] of [[320], [390], [768], [1440], [1440, "a100_80gb"]]) {
  for (let part = 0; part < parts; part++) {
    test(`no page shifts, scrolls sideways or has text under 12 px at ${width} px${device ? ` for a reader of ${device}` : ""}, part ${part + 1} of ${parts}`, async () => {
      const folder = site();
      const server = await serve(folder);
      try {
        for (const path of share(folder, part, parts)) {
          await visit(server.url + path, async (page) => {
            await all(page);
            eq(await wider(page), [], `/${path}`);
            eq(await small(page), [], `/${path}`);
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            await page.waitForTimeout(300);
            const shifts = await page.evaluate(() => window.shifts);
            eq(shifts.filter((one) => one.value > 0.0005), [], `/${path}`);
          }, { viewport: { width, height: 900 }, init: `(${observe})(); ${device ? `localStorage.setItem("lk-device", "${device}")` : ""}` });
        }
      } finally {
        await server.stop();
      }
    });
  }
}

test("nothing shifts while a page arrives in pieces", async () => {
  const folder = site();
  const server = await serve(folder);
  // The page itself comes from here, a piece a frame and cut wherever an element ends that something may stand beside.
  const slow = createServer(async (request, response) => {
    const path = new URL(request.url, server.url).pathname;
    if (!path.endsWith("/")) {
      const answer = await fetch(server.url + path.slice(1));
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
      response.end(Buffer.from(await answer.arrayBuffer()));
      return;
    }
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    // Its head and header are in the first packets of any connection.
    const html = readFileSync(join(folder, path, "index.html"), "utf8");
    const whole = Math.max(html.indexOf("</header>"), 0);
    for (const piece of [html.slice(0, whole), ...html.slice(whole).split(/(?<=<\/(?:summary|details|form|output|svg|button|figcaption|aside|nav)>)/)]) {
      response.write(piece);
      await new Promise((done) => setTimeout(done, 20));
    }
    response.end();
  });
  const port = await freePort();
  await new Promise((done) => slow.listen(port, "127.0.0.1", done));
  try {
    for (const path of [section, "embed/cute_layout/", "embed/roofline/", "chapters/reading/"]) {
      for (const width of [390, 1440]) {
        await visit(`http://127.0.0.1:${port}/${path}`, async (page) => {
          await page.waitForTimeout(200);
          const shifts = await page.evaluate(() => window.shifts);
          eq(shifts.filter((one) => one.value > 0.0005), [], `/${path} at ${width} px`);
        }, { viewport: { width, height: 900 }, init: `(${observe})()` });
      }
    }
  } finally {
    slow.closeAllConnections();
    slow.close();
    await server.stop();
  }
});

test("the header keeps its name and its targets on phones, and gives way to wider letters", async () => {
  const server = await serve(site());
  try {
    for (const width of [320, 360, 390, 430]) {
      for (const own of [true, false]) {
        await visit(server.url + section, async (page) => {
          await page.evaluate(() => document.fonts.ready);
          eq(await wider(page), [], `${width} px`);
          const { parts, cut } = await page.evaluate(() => {
            const name = document.querySelector(".brand span");
            return {
              parts: [...document.querySelectorAll(".head .icon, .find, .pick select")].filter((el) => el.checkVisibility()).map((el) => el.getBoundingClientRect()).map(({ width, height }) => [width, height]),
              cut: name.scrollWidth - name.clientWidth, // both are rounded
            };
          });
          for (const [w, h] of parts) ok(w >= 44 && h >= 44, `${width} px: a target of ${w} x ${h}`);
          if (own && width > 380) ok(cut <= 1, `${width} px: ${cut} px of the name are cut off`);
        }, { viewport: { width, height: 800 }, hasTouch: true, isMobile: true, allow: own ? undefined : /woff2|ERR_FAILED/, before: async (page) => {
          if (!own) await page.route("**/*.woff2", (route) => route.abort());
        } });
      }
    }
  } finally {
    await server.stop();
  }
});

for (const [what, options] of [
  ["at 200% zoom", { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 }],
  ["with letters twice as large", { viewport: { width: 1280, height: 900 }, fontSize: 32 }],
]) {
  test(`${what} everything is still there`, async () => {
    const server = await serve(site());
    const { fontSize, ...rest } = options;
    const folder = join(scratch, `zoom-${fontSize ?? 16}`);
    mkdirSync(join(folder, "Default"), { recursive: true });
    if (fontSize) writeFileSync(join(folder, "Default/Preferences"), JSON.stringify({ webkit: { webprefs: { default_font_size: fontSize } } }));
    const context = await profile(folder, rest);
    try {
      const page = await context.newPage();
      await page.goto(server.url + section);
      await all(page);
      if (fontSize) eq(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize), `${fontSize}px`, "the reader's letters");
      eq(await wider(page), []);
      ok(await page.locator("#device").isVisible(), "the device picker");
      const cut = await page.evaluate(() => [...document.querySelectorAll(".head, .ctl, .fig__tools, h1, .meta")].filter((el) => el.scrollWidth > el.clientWidth + 2).map((el) => `${el.className || el.tagName} ${el.scrollWidth} > ${el.clientWidth}`));
      eq(cut, [], "cut off");
    } finally {
      await context.close();
      await server.stop();
    }
  });
}

test("fingers have room: targets of 44 px on a phone", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await all(page);
      const low = await page.evaluate(() => [...document.querySelectorAll(".head :is(a, button, select), .ctl :is(select, input[type=range], .check, .seg label), .fig__tools .tool, .list .tool")]
        .filter((el) => el.checkVisibility() && !el.closest("nav") && el.getBoundingClientRect().height < 43.5 && !el.matches(".brand"))
        .map((el) => `${el.tagName}.${el.className} ${el.getBoundingClientRect().height}`));
      eq(low, []);
    }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  } finally {
    await server.stop();
  }
});

test("on paper: no controls, no header, notes inline, drawings whole", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await all(page);
      await page.emulateMedia({ media: "print" });
      for (const part of [".head", ".side", ".ctl", "[data-tool]", ".foot", ".next"]) eq(await page.locator(`${part}:visible`).count(), 0, `${part} on paper`);
      ok(await page.locator(".fig__live").first().isVisible(), "the sentence");
      const notes = page.locator(".sn");
      for (const note of await notes.all()) eq(await note.evaluate((el) => getComputedStyle(el).float), "none", "a note's float");
      eq(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), "rgb(255, 255, 255)", "paper in the dark theme");
      eq(await small(page), [], "small text on paper");
      const pdf = await page.pdf({ format: "A4" });
      ok(pdf.length > 10_000, "the PDF is empty");
    }, { colorScheme: "dark" });
  } finally {
    await server.stop();
  }
});

test("reduced motion: nothing moves by itself or under the hand", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await all(page);
      await page.selectOption("#device", "b200");
      const moving = await page.evaluate(() => [...document.querySelectorAll("*")].filter((el) => {
        const style = getComputedStyle(el);
        return style.transitionDuration.split(",").some((time) => parseFloat(time) > 0) || style.scrollBehavior === "smooth";
      }).map((el) => `${el.tagName}.${el.className}`).slice(0, 5));
      eq(moving, []);
      eq(await page.evaluate(() => document.getAnimations().length), 0, "animations");
    }, { reducedMotion: "reduce" });
  } finally {
    await server.stop();
  }
});

test("forced colors keep controls and drawings visible", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section, async (page) => {
      await all(page);
      const figure = page.locator("#fig-roofline");
      eq(await figure.locator(".fig__draw svg").first().evaluate((el) => getComputedStyle(el).forcedColorAdjust), "none", "drawings keep their colors");
      const track = await figure.locator("input[type=range]").first().evaluate((el) => getComputedStyle(el, "::-webkit-slider-runnable-track").backgroundColor);
      ok(track !== "rgba(0, 0, 0, 0)", "the slider's track shows nothing");
    }, { forcedColors: "active" });
  } finally {
    await server.stop();
  }
});
