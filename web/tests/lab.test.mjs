// The lab's canvases in a browser: pixels, hands, keys, clipboard, contexts. What a view does with its events is tested natively.
import { eq, ok, painted, serve, site, test, until, visit } from "./harness.mjs";

const lab = (figure, query = "") => `lab/figure/${figure}/${query}`;

/** Opens a lab page and gives it with `call`, which runs a function in the page with its Lab, its first host and view. */
async function open(figure, use, { query = "", ...options } = {}) {
  const server = await serve(site());
  try {
    await visit(server.url + lab(figure, query), async (page, faults, context) => {
      await page.waitForSelector("[data-live] canvas", { timeout: 20_000 });
      await page.evaluate(async () => {
        const script = [...document.scripts].find(({ src }) => /\/lab\.[^/]*js$/.test(src));
        window.lab = await (await import(script.src)).ready;
        window.host = document.querySelector("[data-lab]");
        window.view = window.lab.view(window.host);
      });
      await until(() => page.evaluate(() => view.gl !== null), "a WebGL context");
      await still(page);
      await use(page, context, faults);
    }, options);
  } finally {
    await server.stop();
  }
}

/** Waits until no view draws any more. */
async function still(page) {
  let before = -1;
  await until(async () => {
    await page.waitForTimeout(120);
    const now = await page.evaluate(() => view.frames);
    const rests = now === before;
    before = now;
    return rests;
  }, "the view to rest");
}

const state = (page) => page.evaluate(() => view.state());
const value = async (page, field) => new URLSearchParams((await state(page)).query).get(field);
/** Where a point of a control stands in the window: `t` of its width, `down` from its top. */
const spot = (page, field, t, down) => page.evaluate(([field, t, down]) => {
  const [x0, y0, x1] = view.state().places[field];
  const box = view.stage.getBoundingClientRect();
  return { x: box.left + x0 + 8 + t * (x1 - x0 - 16), y: box.top + y0 + down };
}, [field, t, down]);
const track = (page, field, t, roomy = false) => spot(page, field, t, roomy ? 58 : 38);
const number = (page, field) => spot(page, field, 0.96, 13);

/** Size, colors and background of what a view has drawn, read in the frame that drew it. */
const picture = (page, which = "view") => page.evaluate((which) => {
  const one = window[which];
  one.step();
  const { width, height } = one.canvas;
  const copy = document.createElement("canvas");
  copy.width = width;
  copy.height = height;
  const paper = copy.getContext("2d", { willReadFrequently: true });
  paper.drawImage(one.canvas, 0, 0);
  const { data } = paper.getImageData(0, 0, width, height);
  const colors = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const key = (data[i] << 16) | (data[i + 1] << 8) | data[i + 2];
    colors.set(key, (colors.get(key) ?? 0) + 1);
  }
  const [common] = [...colors].sort((a, b) => b[1] - a[1])[0];
  const box = one.stage.getBoundingClientRect();
  const token = (name) => {
    const text = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim().replace(/^#(.)(.)(.)$/, "#$1$1$2$2$3$3");
    return Number.parseInt(text.slice(1), 16);
  };
  return { width, height, css: [box.width, box.height], colors: colors.size, background: common, bg: token("bg"), has: ["ink", "accent", "faint"].filter((name) => colors.has(token(name))) };
}, which);

for (const deviceScaleFactor of [1, 1.5, 2]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`the canvas has a pixel for each pixel of the screen and the page's colors, ${deviceScaleFactor}, ${colorScheme}`, () =>
      open("roofline", async (page) => {
        const seen = await picture(page);
        eq([seen.width, seen.height], seen.css.map((length) => Math.round(length * deviceScaleFactor)), "size");
        ok(seen.colors > 50, `only ${seen.colors} colors: nothing is drawn`);
        eq(seen.background, seen.bg, "background");
        eq(seen.has, ["ink", "accent", "faint"], "tokens of the page in the picture");
        ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "the page scrolls sideways");
      }, { deviceScaleFactor, colorScheme }));
  }
}

test("nothing is drawn while nothing happens", () => open("roofline", async (page) => {
  const before = await page.evaluate(() => view.frames);
  await page.waitForTimeout(1500);
  eq(await page.evaluate(() => view.frames), before, "frames after a second and a half");
}));

test("a slider follows the mouse; sentence, address and links follow the slider", () => open("roofline", async (page) => {
  const [from, to] = [await track(page, "intensity", 0.4), await track(page, "intensity", 0.8)];
  const sentence = await page.locator("output[aria-live]").innerText();
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x, to.y, { steps: 6 });
  await page.mouse.up();
  const intensity = Number(await value(page, "intensity"));
  ok(intensity > 400, `the slider is at ${intensity}`);
  await until(async () => (await page.locator("output[aria-live]").innerText()) !== sentence, "the sentence to change");
  await until(() => new URL(page.url()).searchParams.get("roofline.intensity") === String(intensity), "the address to follow");
  const back = page.locator("a[data-lab-back]");
  if (await back.count()) ok((await back.getAttribute("href")).includes(`roofline.intensity=${intensity}`), "the link back carries the state");
  await page.reload();
  await page.waitForSelector("[data-live] canvas");
  await until(async () => (await page.locator("output[aria-live]").innerText()).includes(intensity.toLocaleString("en-US").slice(0, 3)), "the state after a reload");
}));

test("marks follow the hand that drags them", () => open("roofline", async (page) => {
  const grip = await page.evaluate(() => {
    const { x, y } = view.state().handles[0];
    const box = view.stage.getBoundingClientRect();
    return { x: box.left + x, y: box.top + y };
  });
  await page.mouse.move(grip.x, grip.y);
  await until(() => page.evaluate(() => view.stage.style.cursor === "ew-resize"), "the cursor that says so");
  await page.mouse.down();
  await page.mouse.move(grip.x + 120, grip.y, { steps: 5 });
  await page.mouse.up();
  ok(Number(await value(page, "intensity")) > 20, `the intensity is ${await value(page, "intensity")}`);
}));

test("a finger moves a slider sideways and the page up and down", () => open("memory_transactions", async (page, context) => {
  const touch = await context.newCDPSession(page);
  const drag = async (from, to) => {
    await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [from] });
    for (let i = 1; i <= 8; ++i) {
      const point = { x: from.x + ((to.x - from.x) * i) / 8, y: from.y + ((to.y - from.y) * i) / 8 };
      await touch.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: [point] });
      await painted(page);
    }
    await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await page.evaluate(() => scrollTo(0, 0));
  await page.evaluate(() => view.stage.scrollIntoView({ block: "start" }));
  await page.evaluate(() => scrollBy(0, 200));
  const place = await track(page, "stride", 0.02, true);
  await drag(place, await track(page, "stride", 0.9, true));
  ok(Number(await value(page, "stride")) > 20, `the stride is ${await value(page, "stride")}`);
  const before = await page.evaluate(() => scrollY);
  await drag({ x: 190, y: 600 }, { x: 190, y: 300 });
  await until(async () => (await page.evaluate(() => scrollY)) > before + 100, "the page to scroll");
}, { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true }));

test("the wheel scrolls the page where the canvas has nothing to scroll", () => open("roofline", async (page) => {
  const box = await page.locator(".lab__stage").boundingBox();
  await page.mouse.move(box.x + 200, box.y + 150);
  await page.mouse.wheel(0, 150);
  await until(async () => (await page.evaluate(() => scrollY)) > 50, "the page to scroll");
}, { viewport: { width: 1280, height: 400 } }));

test("the keyboard reaches every control and leaves again", () => open("memory_transactions", async (page) => {
  const focus = () => page.evaluate(() => document.activeElement?.className ?? "");
  for (let i = 0; i < 20 && (await focus()) !== "lab__stage"; ++i) await page.keyboard.press("Tab");
  eq(await focus(), "lab__stage", "focus");
  const moved = new Set();
  for (let i = 0; i < 14; ++i) {
    await page.keyboard.press("ArrowDown");
    await still(page);
    const before = (await state(page)).query;
    await page.keyboard.press("ArrowRight");
    await still(page);
    const after = (await state(page)).query;
    if (after !== before) for (const [field] of new URLSearchParams(after)) moved.add(field);
  }
  ok(moved.has("stride") && moved.has("offset"), `arrow keys moved only ${[...moved]}`);
  await page.keyboard.press("Tab");
  ok((await focus()) !== "lab__stage", "Tab leaves the canvas");
  await page.keyboard.press("Shift+Tab");
  eq(await focus(), "lab__stage", "focus after Shift+Tab");
}));

test("numbers are typed, copied and pasted; Enter ends, Tab stays inside while typing", () => open("roofline", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const typing = () => page.evaluate(() => document.activeElement?.classList.contains("lab__input"));
  const at = await number(page, "intensity");
  await page.mouse.click(at.x, at.y);
  await until(typing, "the text input");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("1,5");
  await page.keyboard.press("Enter");
  await until(async () => (await value(page, "intensity")) === "1.5", "the typed number");
  await until(async () => !(await typing()), "the input to end");
  await page.mouse.click(at.x, at.y);
  await until(typing, "the text input again");
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+C");
  await until(async () => (await page.evaluate(() => navigator.clipboard.readText())) === "1.5", "the copied number");
  await page.evaluate(() => navigator.clipboard.writeText("250"));
  await page.keyboard.press("Control+A");
  await page.keyboard.press("Control+V");
  await page.keyboard.press("Tab");
  await until(async () => (await value(page, "intensity")) === "250", "the pasted number");
}));

test("soft keyboards and input methods: text without keys, Backspace by its effect, composition at the caret", () => open("roofline", async (page, context) => {
  const devtools = await context.newCDPSession(page);
  const at = await number(page, "intensity");
  await page.mouse.click(at.x, at.y);
  await until(() => page.evaluate(() => document.activeElement?.classList.contains("lab__input")), "the text input");
  eq(await page.evaluate(() => document.activeElement.inputMode), "decimal", "kind of soft keyboard");
  await page.keyboard.press("Control+A");
  await devtools.send("Input.insertText", { text: "123" });
  await page.evaluate(() => document.execCommand("delete"));
  await devtools.send("Input.imeSetComposition", { text: "4", selectionStart: 1, selectionEnd: 1 });
  ok(await page.evaluate(() => view.input.hasAttribute("data-composing")), "the composition shows");
  const caret = await page.evaluate(() => {
    const box = view.input.getBoundingClientRect();
    const [x0, y0, x1, y1] = view.state().places.intensity;
    const stage = view.stage.getBoundingClientRect();
    return box.left >= stage.left + x0 && box.left <= stage.left + x1 && box.top >= stage.top + y0 - 4 && box.top <= stage.top + y1;
  });
  ok(caret, "the composition stands at the control");
  await devtools.send("Input.insertText", { text: "4" });
  await page.keyboard.press("Enter");
  await until(async () => (await value(page, "intensity")) === "124", "the composed number");
}));

test("two canvases on one page keep to themselves", () => open("roofline", async (page) => {
  await page.evaluate(() => {
    const host = document.createElement("div");
    Object.assign(host.dataset, { lab: "memory_transactions", uid: "memory_transactions-2", title: "Second" });
    window.host.after(host);
    window.second = window.lab.add_view(host);
    second.stage.scrollIntoView({ block: "center" });
  });
  await until(() => page.evaluate(() => second.gl !== null), "the second context");
  await page.waitForTimeout(300);
  const frames = await page.evaluate(() => view.frames);
  const first = await state(page);
  const at = await page.evaluate(() => {
    const [x0, y0, x1] = second.state().places.stride;
    const box = second.stage.getBoundingClientRect();
    return { x: box.left + x0 + 8 + 0.5 * (x1 - x0 - 16), y: box.top + y0 + 38 };
  });
  await page.mouse.click(at.x, at.y);
  await until(() => page.evaluate(() => second.state().query.includes("stride=")), "the second to move");
  eq(await state(page), first, "state of the first");
  ok((await page.evaluate(() => view.frames)) <= frames + 4, "the first hardly draws");
  await until(() => page.url().includes("memory_transactions-2.stride="), "the address of the second");
  ok((await picture(page, "second")).colors > 50, "the second is drawn");
  const undrawn = await page.evaluate(() => {
    try {
      window.lab.add_view(Object.assign(document.createElement("div"), { textContent: "" }));
      return false;
    } catch (error) {
      return /no figure/.test(error.message);
    }
  });
  ok(undrawn, "a figure that does not exist is an error with words");
}));

test("a view that is removed takes its canvas, listeners and context along", () => open("memory_transactions", async (page, _context, faults) => {
  await page.evaluate(() => {
    window.old = { stage: view.stage, view, gl: view.gl };
    window.lab.remove_view(window.host);
  });
  ok(await page.evaluate(() => !old.stage.isConnected && !document.querySelector(".lab__stage")), "the stage is gone");
  ok(await page.evaluate(() => old.gl.isContextLost()), "the context is given back");
  const frames = await page.evaluate(() => {
    const before = old.view.frames;
    document.body.append(old.stage);
    for (const type of ["pointerdown", "pointermove", "pointerup", "wheel", "keydown", "focusin", "paste"])
      old.stage.dispatchEvent(/^pointer/.test(type) ? new PointerEvent(type, { bubbles: true }) : type === "wheel" ? new WheelEvent(type) : type === "keydown" ? new KeyboardEvent(type, { code: "ArrowLeft" }) : new Event(type));
    old.stage.remove();
    document.documentElement.dataset.theme = "dark";
    return old.view.frames - before;
  });
  await page.waitForTimeout(200);
  eq(frames, 0, "frames of a removed view");
  eq(await page.evaluate(() => old.view.frames), await page.evaluate(() => old.view.frames), "frames");
  // Many views come and go, more than a browser has contexts.
  await page.evaluate(async () => {
    for (let i = 0; i < 24; ++i) {
      window.view = window.lab.add_view(window.host);
      await new Promise((done) => setTimeout(done, 30));
      window.lab.remove_view(window.host);
    }
    window.view = window.lab.add_view(window.host);
  });
  await until(() => page.evaluate(() => view.gl !== null), "a context after many");
  ok((await picture(page)).colors > 50, "the last is drawn");
  eq(faults, [], "faults");
}));

test("more canvases than the browser has contexts: those in view have one", () => open("memory_transactions", async (page) => {
  const lost = [];
  page.on("console", (message) => {
    if (/too many active webgl/i.test(message.text())) lost.push(message.text());
  });
  await page.evaluate(() => {
    window.all = [window.view];
    for (let i = 2; i < 22; ++i) {
      const host = document.createElement("div");
      Object.assign(host.dataset, { lab: i % 2 ? "roofline" : "memory_transactions", uid: `x-${i}`, title: `View ${i}` });
      document.querySelector("main").append(host);
      all.push(window.lab.add_view(host));
    }
  });
  for (const i of [0, 10, 20, 3]) {
    await page.evaluate((i) => all[i].stage.scrollIntoView({ block: "center" }), i);
    await until(() => page.evaluate((i) => all[i].gl !== null, i), `a context for view ${i}`);
    await page.evaluate((i) => {
      window.one = all[i];
    }, i);
    ok((await picture(page, "one")).colors > 50, `view ${i} is drawn`);
  }
  ok((await page.evaluate(() => all.filter((one) => one.gl).length)) < 12, "only some have a context");
  eq(lost, [], "contexts lost");
}));

test("a lost context comes back with the same picture", () => open("roofline", async (page) => {
  const before = await picture(page);
  await page.evaluate(() => {
    window.loss = view.gl.getExtension("WEBGL_lose_context");
    loss.loseContext();
  });
  await until(() => page.evaluate(() => view.lost), "the loss");
  const at = await track(page, "intensity", 0.7);
  await page.mouse.click(at.x, at.y);
  await page.evaluate(() => loss.restoreContext());
  await until(() => page.evaluate(() => !view.lost), "the context");
  await still(page);
  const after = await picture(page);
  eq([after.width, after.height, after.background], [before.width, before.height, before.background], "picture");
  ok(after.colors > 50, "drawn again");
  ok(Number(await value(page, "intensity")) > 100, "input is heard without a picture");
}));

test("theme and density change on the fly", () => open("roofline", async (page, context) => {
  const light = await picture(page);
  await page.locator("#theme").click();
  await still(page);
  const dark = await picture(page);
  ok(dark.background !== light.background, "the background changes");
  eq(dark.background, dark.bg, "background");
  const devtools = await context.newCDPSession(page);
  await devtools.send("Emulation.setDeviceMetricsOverride", { width: 1270, height: 900, deviceScaleFactor: 2, mobile: false });
  await until(() => page.evaluate(() => view.canvas.width === Math.round(view.stage.getBoundingClientRect().width * 2)), "twice the pixels");
  await still(page);
  ok((await picture(page)).colors > 50, "drawn at twice the density");
}, { colorScheme: "light" }));

test("the device picker, links with state and the copied link", () => open("roofline", async (page, context) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  eq(await value(page, "intensity"), "30", "state of the link");
  const before = (await state(page)).summary;
  await page.locator("select#device").selectOption("a100_80gb");
  await until(async () => (await state(page)).summary !== before, "the sentence of the other device");
  const at = await page.evaluate(() => {
    const [x0, y0, x1, y1] = view.state().places["@link"];
    const box = view.stage.getBoundingClientRect();
    return { x: box.left + (x0 + x1) / 2, y: box.top + (y0 + y1) / 2 };
  });
  await page.mouse.click(at.x, at.y);
  const link = await until(async () => {
    const text = await page.evaluate(() => navigator.clipboard.readText());
    return text.includes("roofline.intensity=30") && text;
  }, "the link in the clipboard");
  ok(link.startsWith(page.url().split("?")[0]), `the link is ${link}`);
}, { query: "?roofline.intensity=30" }));

test("the figure stands beside the canvas in words", () => open("roofline", async (page) => {
  const { summary, rows, columns } = await state(page);
  await until(async () => (await page.locator("output[aria-live]").innerText()).startsWith(summary), "the sentence");
  eq(await page.locator(".lab table tbody tr, [data-lab] table tbody tr").count(), rows.length, "rows");
  eq(await page.locator("[data-lab] table th").allInnerTexts(), columns, "columns");
  const stage = page.locator(".lab__stage");
  eq(await stage.getAttribute("role"), "application", "role");
  const help = await page.locator(`#${await stage.getAttribute("aria-describedby")}`).textContent();
  ok(/Tab leaves/.test(help) && /Escape/.test(help), "help names the keys");
}));

test("a canvas too high for the GPU gives up density, not its foot", () => open("memory_transactions", async (page) => {
  const { most, width, height, drawn, css } = await page.evaluate(() => {
    const box = view.stage.getBoundingClientRect();
    return { most: view.gl.getParameter(view.gl.MAX_RENDERBUFFER_SIZE), width: view.canvas.width, height: view.canvas.height,
      drawn: [view.gl.drawingBufferWidth, view.gl.drawingBufferHeight], css: [box.width, box.height] };
  });
  ok(css[1] * 4 > most, `the stage is only ${css[1]} high`);
  ok(height <= most, `the canvas is ${height} high, ${most} are possible`);
  eq(drawn, [width, height], "what is drawn");
  ok(Math.abs(width / height - css[0] / css[1]) < 0.005, "the canvas keeps its shape");
  const at = await page.evaluate(() => {
    view.stage.scrollIntoView({ block: "start" });
    const [x0, y0, x1] = view.state().places.stride;
    const box = view.stage.getBoundingClientRect();
    return { x: box.left + (x0 + x1) / 2, y: box.top + y0 + 58 };
  });
  await page.mouse.click(at.x, at.y);
  const stride = Number(await value(page, "stride"));
  ok(stride >= 15 && stride <= 18, `the middle of the slider is ${stride}`);
}, { query: "?memory_transactions.stride=32", viewport: { width: 390, height: 844 }, deviceScaleFactor: 4 }));

test("a module that cannot be had is said, and the figure is linked", async () => {
  const server = await serve(site());
  try {
    await visit(server.url + lab("roofline"), async (page) => {
      await until(async () => (await page.locator("[data-lab]").innerText()).includes("The lab did not start"), "the words");
      ok(await page.locator("[data-lab] a[href*='/embed/']").isVisible(), "the link to the figure shows");
    }, { allow: /lab\.|Failed to load|wasm/i, before: (page) => page.route(/\/lab\.[^/]*\.wasm$/, (route) => route.abort()) });
  } finally {
    await server.stop();
  }
});

test("without WebGL the words are there and the figure is linked", () => open_without_webgl());
async function open_without_webgl() {
  const server = await serve(site());
  try {
    await visit(server.url + lab("roofline"), async (page) => {
      await page.waitForSelector("[data-live]", { timeout: 20_000 });
      await until(async () => (await page.locator("output[aria-live]").innerText()).length > 20, "the sentence");
      ok(await page.locator("[data-lab] a[href*='/embed/']").isVisible(), "the link to the figure shows");
    }, { init: () => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
        return /^webgl/.test(kind) ? null : real.call(this, kind, ...rest);
      };
    } });
  } finally {
    await server.stop();
  }
}
