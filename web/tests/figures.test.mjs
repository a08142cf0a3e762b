import { box, eq, field, live, ok, painted, section, sentence, serve, site, slider, test, until, visit } from "./harness.mjs";

const on = (name, run, options = {}) => test(name, async () => {
  const server = await serve(site());
  try {
    await visit(server.url + section + (options.query ?? ""), (page, faults, context) => run(page, server, faults, context), options);
  } finally {
    await server.stop();
  }
});
const query = (page) => page.evaluate(() => location.search);
const drawing = (figure) => figure.locator(".fig__draw").innerHTML();

on("the roofline follows its slider: drawing, sentence, value, address", async (page) => {
  const figure = await live(page, "roofline");
  const [before, words] = [await drawing(figure), await sentence(figure)];
  const range = slider(figure, "intensity");
  await range.focus();
  await page.keyboard.press("ArrowRight");
  await painted(page);
  ok(await drawing(figure) !== before, "the drawing did not change");
  ok(await sentence(figure) !== words, "the sentence did not change");
  const value = await box(figure, "intensity").inputValue();
  ok((await range.getAttribute("aria-valuetext")).startsWith(value), "the slider does not say its value");
  await until(async () => (await query(page)) === `?roofline.intensity=${value}`, "the address");
  await page.keyboard.press("ArrowLeft");
  await until(async () => (await query(page)) === "", "the address without the default state");
  eq(await drawing(figure), before, "the drawing at rest");
});

on("every key press on a slider moves its value, from end to end", async (page) => {
  const figure = await live(page, "roofline");
  const range = slider(figure, "intensity");
  await range.focus();
  await page.keyboard.press("Home");
  await painted(page);
  let last = Number(await box(figure, "intensity").inputValue());
  for (let press = 0; press < 25; press++) {
    await page.keyboard.press("ArrowRight");
    await painted(page);
    const now = Number(await box(figure, "intensity").inputValue());
    ok(now > last, `key press ${press + 1} left the value at ${now}`);
    last = now;
  }
  await page.keyboard.press("End");
  await painted(page);
  eq(await box(figure, "intensity").inputValue(), String(Number(await range.evaluate((el) => el.dataset.hi))), "the value at the end");
});

on("memory transactions follow slider and radio buttons", async (page) => {
  const figure = await live(page, "memory_transactions");
  const words = await sentence(figure);
  await slider(figure, "stride").focus();
  await page.keyboard.press("ArrowRight");
  await painted(page);
  const moved = await sentence(figure);
  ok(moved !== words, "the sentence did not change");
  ok(await field(figure, "stride").evaluate((el) => el.classList.contains("changed")), "the control does not show that it was changed");
  const choice = field(figure, "width").locator("input[type=radio]:not(:checked), option:not(:checked)").first();
  if (await choice.evaluate((el) => el.tagName) === "OPTION") await field(figure, "width").locator("select").selectOption(await choice.getAttribute("value"));
  else await choice.check({ force: true });
  await painted(page);
  ok(await sentence(figure) !== moved, "the choice changed nothing");
});

on("a dragged mark follows the pointer though the drawing is replaced under it", async (page) => {
  const figure = await live(page, "roofline");
  const x = async () => {
    const { x, y, width, height } = await figure.locator("[data-drag=intensity] .hit").first().boundingBox();
    return { x: x + width / 2, y: y + height / 2 };
  };
  const from = await x();
  const before = await box(figure, "intensity").inputValue();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  const values = [];
  for (let step = 1; step <= 12; step++) {
    await page.mouse.move(from.x + 10 * step, from.y + step);
    await painted(page);
    values.push(Number(await box(figure, "intensity").inputValue()));
    const at = await x();
    ok(Math.abs(at.x - (from.x + 10 * step)) < 4, `after ${10 * step} px the mark stands ${at.x - from.x} px from its start`);
  }
  await page.mouse.up();
  ok(values.every((value, n) => n === 0 || value > values[n - 1]), `values ${values}`);
  ok(values[0] > Number(before), "the first move moved nothing");
  const rested = await box(figure, "intensity").inputValue();
  await page.mouse.move(from.x, from.y);
  await painted(page);
  eq(await box(figure, "intensity").inputValue(), rested, "the value after the pointer let go");
  await until(async () => (await query(page)) === `?roofline.intensity=${rested}`, "the address");
});

on("a finger drags the mark sideways", async (page, _server, _faults, context) => {
  const figure = await live(page, "roofline");
  await figure.locator("[data-drag=intensity]").first().scrollIntoViewIfNeeded();
  const { x, y, width, height } = await figure.locator("[data-drag=intensity] .hit").first().boundingBox();
  const [cx, cy] = [x + width / 2, Math.min(y + height / 2, 700)];
  const before = Number(await box(figure, "intensity").inputValue());
  const touch = await context.newCDPSession(page);
  const send = (type, at) => touch.send("Input.dispatchTouchEvent", { type, touchPoints: at === undefined ? [] : [{ x: at, y: cy, id: 1 }] });
  await send("touchStart", cx);
  for (let step = 1; step <= 8; step++) await send("touchMove", cx + 6 * step);
  await send("touchEnd");
  await until(async () => Number(await box(figure, "intensity").inputValue()) > before * 1.2, "the value to follow the finger");
}, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

on("a tap on a mark that sets a field sets it", async (page) => {
  const figure = await live(page, "memory_transactions");
  const marks = figure.locator(".fig__draw [data-set]");
  if (await marks.count() === 0) return;
  const words = await sentence(figure);
  const state = await query(page);
  for (const mark of await marks.all()) {
    await mark.click({ force: true });
    await painted(page);
    await page.waitForTimeout(200);
    if (await query(page) !== state || await sentence(figure) !== words) return;
  }
  ok(false, "no mark set anything");
});

on("numbers are typed: 1,5 is one and a half, nonsense is refused, Escape restores", async (page) => {
  const figure = await live(page, "roofline");
  const input = box(figure, "intensity");
  eq(await input.getAttribute("inputmode"), "decimal", "keyboard of the phone");
  const rest = await input.inputValue();
  await input.fill("1,5");
  await page.keyboard.press("Enter");
  await until(async () => (await query(page)) === "?roofline.intensity=1.5", "the address");
  eq(await input.inputValue(), "1.5");
  const words = await sentence(figure);
  await input.fill("a lot");
  await page.keyboard.press("Enter");
  eq(await input.getAttribute("aria-invalid"), "true", "aria-invalid");
  const message = await page.locator(`#${await input.getAttribute("aria-describedby")}`).innerText();
  ok(/number/i.test(message), `message: ${message}`);
  eq(await sentence(figure), words, "the sentence after nonsense");
  await page.keyboard.press("Escape");
  eq(await input.inputValue(), "1.5", "after Escape");
  eq(await input.getAttribute("aria-invalid"), null, "aria-invalid after Escape");
  await input.fill("99999999");
  await page.keyboard.press("Tab");
  await until(async () => (await figure.locator(".fig__note").innerText()).length > 10, "a notice about the range");
  ok(Number(await input.inputValue()) < 99999999, "the value stays out of range");
  await figure.locator("[data-tool=reset]").click();
  await until(async () => (await query(page)) === "", "the address after reset");
  eq(await input.inputValue(), rest, "after reset");
});

on("single letters typed in inputs reach no shortcut, handles take no focus", async (page) => {
  const figure = await live(page, "roofline");
  eq(await figure.locator(".fig__draw [tabindex], .fig__draw a, .fig__draw button").count(), 0, "focusable parts of the drawing");
  const input = box(figure, "intensity");
  await input.fill("");
  await page.keyboard.type("12");
  eq(await input.inputValue(), "12");
});

on("state in the address moves the figure before the reader does", async (page) => {
  const figure = await live(page, "roofline");
  await until(async () => (await box(figure, "intensity").inputValue()) === "100", "the value of the address");
  eq(await query(page), "?x=1&roofline.intensity=100", "the address");
}, { query: "?x=1&roofline.intensity=100" });

on("a wrong address gives the nearest state and says so", async (page) => {
  const figure = await live(page, "roofline");
  await until(async () => await figure.locator(".fig__note").count() && (await figure.locator(".fig__note").innerText()).length > 10, "a notice");
  ok(Number(await box(figure, "intensity").inputValue()) < 1e8, "the value");
}, { query: "?roofline.intensity=1e30&roofline.nonsense=1" });

on("address before pin before the reader's device before the book's", async (page, server) => {
  const device = (figure) => field(figure, "device").locator("select").inputValue();
  await live(page, "roofline");
  // A pinned copy of the figure, as an author would place it, beside the page's own.
  const pinned = async (query, stored) => {
    await page.evaluate((id) => id ? localStorage.setItem("lk-device", id) : localStorage.removeItem("lk-device"), stored);
    await page.goto(server.url + section + query);
  };
  await page.route(`**/${section}*`, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const figure = /<figure[^>]*data-figure="roofline"[\s\S]*?<\/figure>/.exec(html)[0];
    const second = figure.replaceAll('"roofline-', '"roofline-2-').replaceAll("fig-roofline", "fig-roofline-2").replaceAll('data-uid="roofline"', 'data-uid="roofline-2"')
      .replaceAll('"h-roofline"', '"h-roofline-2"').replace(/ data-pins="[^"]*"/, "").replace('data-figure="roofline"', 'data-figure="roofline" data-pins="device=h100_sxm"');
    await route.fulfill({ response, body: html.replace(figure, figure + second) });
  });
  const cases = [
    // [address, stored device, the figure's own, the pinned copy]
    ["", undefined, "h200", "h100_sxm"],
    ["", "a100_80gb", "a100_80gb", "h100_sxm"],
    ["?device=b200", "a100_80gb", "b200", "h100_sxm"],
    ["?roofline.device=a100_40gb", "a100_80gb", "a100_40gb", "h100_sxm"],
    ["?roofline-2.device=a100_40gb", "a100_80gb", "a100_80gb", "a100_40gb"],
  ];
  for (const [address, stored, own, copy] of cases) {
    await pinned(address, stored);
    const [first, second] = [await live(page, "roofline"), await live(page, "roofline-2")];
    await until(async () => (await device(first)) === own && (await device(second)) === copy, `${address || "no address"}, stored ${stored}: ${own} and ${copy}`);
  }
  // Both instances move apart, each under its own name.
  await pinned("", undefined);
  const [first, second] = [await live(page, "roofline"), await live(page, "roofline-2")];
  await box(second, "intensity").fill("3");
  await page.keyboard.press("Enter");
  await until(async () => (await query(page)) === "?roofline-2.intensity=3", "the address of the second instance");
  ok((await box(first, "intensity").inputValue()) !== "3", "the first instance moved along");
  // Taking the pin's place by hand stands in the address; going back to it leaves.
  await field(second, "device").locator("select").selectOption("h200");
  await until(async () => (await query(page)) === "?roofline-2.intensity=3&roofline-2.device=h200" || (await query(page)) === "?roofline-2.device=h200&roofline-2.intensity=3", "the device of the second instance");
  await field(second, "device").locator("select").selectOption("h100_sxm");
  await until(async () => (await query(page)) === "?roofline-2.intensity=3", "the address back at the pin");
});

on("links in the text move the figure, show it, and Back returns", async (page) => {
  const link = page.locator("a[data-set]").first();
  if (await link.count() === 0) return;
  const uid = (await link.getAttribute("data-set")).split("?")[0];
  const figure = await live(page, uid);
  const before = await sentence(figure);
  await link.scrollIntoViewIfNeeded();
  await page.waitForTimeout(300);
  const top = await page.evaluate(() => scrollY);
  await link.click();
  await until(async () => (await sentence(figure)) !== before, "the figure to move");
  await until(() => figure.evaluate((el) => {
    const { top, bottom } = el.getBoundingClientRect();
    return top < innerHeight - 100 && bottom > 100;
  }), "the figure to come into view");
  eq(await page.evaluate(() => document.activeElement?.id), `fig-${uid}`, "focus");
  await until(async () => (await query(page)).includes(`${uid}.`), "the address");
  await page.goBack();
  await until(async () => (await sentence(figure)) === before, "Back to restore the state");
  eq(await query(page), "", "the address after Back");
  await until(async () => Math.abs(await page.evaluate(() => scrollY) - top) < 50, "Back to restore the place");
  await page.goForward();
  await until(async () => (await sentence(figure)) !== before, "Forward to restore the state");
});

on("the table opens, follows, and lights up with its marks", async (page) => {
  const figure = await live(page, "roofline");
  await box(figure, "intensity").fill("50");
  await page.keyboard.press("Enter");
  await figure.locator("details > summary.tool").click();
  const rows = figure.locator("table.data tbody tr[data-row]");
  ok(await rows.count() > 3, "rows");
  const mark = figure.locator(".fig__draw [data-row]").first();
  const row = await mark.getAttribute("data-row");
  // The drawing of the new intensity may still be under way.
  await until(async () => {
    await page.mouse.move(0, 0);
    await mark.hover({ force: true });
    return figure.locator(`tr[data-row="${row}"][data-on]`).count();
  }, "the row to light up");
  await until(() => page.locator(".tip").count(), "a tip");
  ok((await page.locator(".tip").innerText()).includes((await figure.locator(`tr[data-row="${row}"]`).locator("td, th").first().innerText()).trim()), "the tip reads the row");
  await figure.locator(`tr[data-row="${row}"]`).hover();
  await until(() => figure.locator(`.fig__draw [data-row="${row}"][data-on]`).count(), "the mark to light up");
  eq(await page.locator(".tip").count(), 0, "tips beside the table");
});

on("copy link copies the address of the state and says so", async (page) => {
  const figure = await live(page, "roofline");
  await box(figure, "intensity").fill("7");
  await page.keyboard.press("Enter");
  const button = figure.locator("[data-tool=link]");
  const name = await button.innerText();
  await button.click();
  await until(async () => (await button.innerText()) === "Copied", "the confirmation");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  ok(copied.endsWith("?roofline.intensity=7#fig-roofline"), copied);
  await until(async () => (await button.innerText()) === name, "the button's own words again", 3000);
}, { permissions: ["clipboard-read", "clipboard-write"] });

on("without a clipboard the link stands in a box", async (page) => {
  const figure = await live(page, "roofline");
  await figure.locator("[data-tool=link]").click();
  const input = figure.locator(".embed-code input");
  await input.waitFor();
  ok((await input.inputValue()).endsWith("#fig-roofline"), "the box holds the address");
}, { init: () => {
  Object.defineProperty(navigator, "clipboard", { value: undefined });
  document.execCommand = () => false;
} });

on("the embed code shows the state, open in lab takes it along", async (page, server) => {
  const figure = await live(page, "roofline");
  await box(figure, "intensity").fill("7");
  await page.keyboard.press("Enter");
  await until(async () => (await query(page)).includes("7"), "the address");
  await figure.locator("[data-tool=embed]").click();
  const code = await figure.locator(".embed-code input").inputValue();
  const [, src] = /^<iframe src="([^"]+)" title="[^"]+" width="100%" height="\d+" loading="lazy"><\/iframe><script>[^<]+<\/script>$/.exec(code) ?? [];
  eq(src, `${server.url}embed/roofline/?roofline.intensity=7`, "address in the code");
  await until(async () => (await figure.locator(".fig__tools a[href*='/lab/']").getAttribute("href")).endsWith("/lab/figure/roofline/?roofline.intensity=7"), "the link to the lab");
});

on("the latest request wins under a slow engine, and a run of moves costs few runs", async (page) => {
  const figure = await live(page, "roofline");
  await figure.evaluate((el) => {
    window.answers = [];
    new MutationObserver(() => window.answers.push(el.querySelector(".fig__live").textContent)).observe(el.querySelector(".fig__live"), { childList: true });
  });
  const range = slider(figure, "intensity");
  await range.evaluate((el) => {
    for (let at = 0; at <= 200; at++) {
      el.value = String(at);
      el.dispatchEvent(new Event("input", { bubbles: true }));
    }
    el.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const value = await box(figure, "intensity").inputValue();
  await until(async () => (await query(page)) === `?roofline.intensity=${value}`, "the last value in the address", 20_000);
  await page.waitForTimeout(1500);
  eq(await query(page), `?roofline.intensity=${value}`, "the address at rest");
  eq(await box(figure, "intensity").inputValue(), value, "the value at rest");
  const answers = await page.evaluate(() => window.answers.length);
  ok(answers <= 3, `${answers} drawings for one sweep`);
}, { before: async (page) => {
  // The figure runs in the worker, and the worker takes its time.
  await page.route(`**/${section}*`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('data-cost="instant"', 'data-cost="worker"') });
  });
  await page.route("**/assets/worker.*.js", async (route) => {
    const response = await route.fetch();
    const slow = "const quick = self.postMessage.bind(self); self.postMessage = (answer) => setTimeout(() => quick(answer), 400);";
    await route.fulfill({ response, body: slow + await response.text() });
  });
} });

on("an engine that does not load says what to do, and works once it can", async (page) => {
  const figure = page.locator("#fig-roofline");
  await figure.scrollIntoViewIfNeeded();
  await until(async () => /try again/i.test(await figure.locator(".fig__note").innerText()), "the sentence");
  ok(await figure.locator(".fig__draw > svg:visible").count() === 1, "the picture stays");
  await page.unroute("**/*.wasm");
  await figure.locator(".fig__note button").click();
  await page.waitForSelector("#fig-roofline[data-live]");
  eq(await figure.locator(".fig__note").isVisible(), false, "the sentence after it worked");
}, { allow: /Failed to load|ERR_FAILED/, before: (page) => page.route("**/*.wasm", (route) => route.abort()) });

on("widths change, drawings follow, nothing else moves", async (page) => {
  for (const uid of ["roofline", "memory_transactions"]) {
    const figure = await live(page, uid);
    for (const width of [1440, 1100, 900, 640, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      await until(() => figure.evaluate((el) => {
        const draw = el.querySelector(".fig__draw");
        return Math.abs(draw.querySelector("svg").getBoundingClientRect().width - draw.clientWidth) <= 1;
      }), `${uid} to fill ${width} px`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  }
});
