// Every figure of the book by keys alone: from control to control, each of them moved, the state taken back.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eq, live, ok, painted, root, serve, site, test, until, visit } from "./harness.mjs";
import { pages } from "./pages.mjs";

/** What has the focus, as the tests need to know it. */
const focused = (page) => page.evaluate(() => {
  const el = document.activeElement;
  const figure = el?.closest("figure[data-figure]");
  const block = el?.closest("[data-field]");
  return { lost: !el || el === document.body, figure: figure?.dataset.uid ?? "", field: block?.dataset.field ?? "", kind: block?.dataset.kind ?? "",
    type: el?.type ?? "", tag: el?.tagName ?? "", tool: el?.dataset.tool ?? "", name: el?.id || el?.className || el?.tagName || "" };
});
const state = (page, uid) => page.evaluate((uid) => {
  const figure = document.querySelector(`figure[data-uid="${uid}"]`);
  // In whatever order a changed element carries its attributes.
  const drawing = [...figure.querySelectorAll(".fig__draw > svg:not([hidden]) *")].map((one) =>
    `${one.tagName} ${[...one.attributes].map(({ name, value }) => `${name}=${value}`).sort().join(" ")} ${one.children.length ? "" : one.textContent}`).join("\n");
  return { drawing, sentence: figure.querySelector(".fig__live").textContent,
    note: figure.querySelector(".fig__note:not([hidden])")?.textContent ?? "", address: location.search };
}, uid);

/** Where two texts part. */
const first = (a, b) => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return `${a.slice(Math.max(0, at - 30), at + 40)} instead of ${b.slice(Math.max(0, at - 30), at + 40)}`;
};

/** Whether the eye finds what has the focus: it stands free in the window, and looks otherwise than without. */
async function seen(page, where) {
  const box = await page.evaluate(() => {
    const el = document.activeElement;
    const shown = el.closest(".seg label, .check") ?? el;
    const { x, y, width, height } = shown.getBoundingClientRect();
    const over = document.elementFromPoint(x + width / 2, y + Math.min(height, 40) / 2);
    const free = over && (shown.contains(over) || over.contains(shown));
    return { x: x - 8, y: y - 8, width: width + 16, height: height + 16, free, within: y >= 0 && y + Math.min(height, 40) <= innerHeight };
  });
  ok(box.within && box.free, `${where}: what has the focus lies outside of the window or under something`);
  const clip = { x: Math.max(0, box.x), y: Math.max(0, box.y), width: box.width, height: Math.min(box.height, 300) };
  const look = async () => (await page.screenshot({ clip, animations: "disabled" })).toString("base64");
  const on = await look();
  await page.evaluate(() => {
    window.was = document.activeElement;
    window.was.blur();
  });
  await painted(page);
  const off = await look();
  await page.evaluate(() => window.was.focus({ preventScroll: true }));
  ok(on !== off, `${where}: the focus cannot be seen`);
}

/** Moves the control that has the focus, by the keys that its kind has. */
async function move(page, { type, tag }) {
  if (tag === "SELECT") {
    const last = await page.evaluate(() => {
      const { selectedIndex, options } = document.activeElement;
      return ![...options].slice(selectedIndex + 1).some((one) => !one.disabled);
    });
    await page.keyboard.press(last ? "ArrowUp" : "ArrowDown");
  } else if (type === "checkbox") {
    await page.keyboard.press("Space");
  } else if (type === "radio") {
    await page.keyboard.press("ArrowRight");
  } else if (type === "range") {
    const end = await page.evaluate(() => Number(document.activeElement.value) >= Number(document.activeElement.max));
    await page.keyboard.press(end ? "ArrowLeft" : "ArrowRight");
  } else {
    const text = await page.evaluate(() => {
      const { activeElement: el } = document;
      const range = el.closest("[data-field]").querySelector("input[type=range]");
      if (!range) return `${el.value}1`;
      // Downwards: what lies above may be more than the other fields leave room for.
      const [value, least] = [Number(el.value), Number(range.dataset.lo ?? range.min)];
      return String(value - 1 >= least ? value - 1 : value + 1);
    });
    await page.keyboard.press("Control+A");
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
  }
}

async function walk(page, uid) {
  const framed = new URL(page.url()).pathname.includes("/embed/"); // there the address is the host page's business
  const figure = await live(page, uid);
  await until(async () => page.evaluate(() => document.querySelectorAll("[data-tool][hidden], form.ctl[hidden]").length === 0), "the controls");
  const rest = await state(page, uid);
  const fields = await figure.locator("[data-field]").evaluateAll((all) => all.filter((one) => one.querySelector(":is(input, select):not(:disabled)")).map((one) => one.dataset.field));
  ok(fields.length > 0, `${uid} has no controls`);
  await figure.evaluate((el) => el.focus({ preventScroll: true }));
  const moved = new Set();
  const words = new Set([rest.sentence]);
  let reset = false;
  for (let press = 0; ; press++) {
    ok(press < 60, `${uid}: Tab does not leave the figure`);
    await page.keyboard.press("Tab");
    await painted(page);
    const at = await focused(page);
    if (at.lost || at.figure !== uid) {
      ok(reset, `${uid}: the focus left for ${at.name} before it came to Reset`);
      break;
    }
    const where = `${uid}, ${at.field || at.tool || at.name}`;
    await seen(page, where);
    if (at.field) {
      const before = await state(page, uid);
      await move(page, at);
      const after = await until(async () => {
        const now = await state(page, uid);
        return (now.address === before.address) === framed && (now.drawing !== before.drawing || now.note !== before.note) && now;
      }, `${where}: its ${at.type || at.tag} to change drawing and address`);
      words.add(after.sentence);
      moved.add(at.field);
      const now = await focused(page);
      eq([now.figure, now.field], [uid, at.field], `${where}: the focus after the change`);
    } else if (at.tool === "embed") {
      await page.keyboard.press("Enter");
      await until(async () => (await focused(page)).name === `${uid}-embed-text`, `${where}: the focus in the box with the code`);
      await page.keyboard.press("Escape");
      eq((await focused(page)).tool, "embed", `${where}: the focus after the box`);
    } else if (at.tool === "reset") {
      await page.keyboard.press("Enter");
      await until(async () => {
        const now = await state(page, uid);
        const other = Object.keys(rest).filter((key) => now[key] !== rest[key]);
        if (!other.length) return true;
        throw new Error(other.map((key) => `${key}: ${first(now[key], rest[key])}`).join("; "));
      }, `${where}: the state at rest`);
      eq((await focused(page)).tool, "reset", `${where}: the focus after it`);
      reset = true;
    }
  }
  eq([...moved].sort(), [...fields].sort(), `${uid}: fields that keys have moved`);
  ok(words.size > 1, `${uid}: the sentence stayed the same`);
}

// A test for each, so that a new figure is walked without being named here.
for (const [, id] of readFileSync(join(root, "src/figures/figures.def"), "utf8").matchAll(/^LK_FIGURE\((\w+)/gm)) {
  test(`${id} by keys alone: every control moves it, the focus shows and stays, Reset takes all back`, async () => {
    const folder = site();
    const place = pages(folder).map((path) => [path, readFileSync(join(folder, path.endsWith(".html") ? path : `${path}index.html`), "utf8")])
      .find(([path, html]) => !/^(embed|lab)\//.test(path) && html.includes(`data-figure="${id}"`))?.[0] ?? `embed/${id}/`; // until a section shows it
    const server = await serve(folder);
    try {
      await visit(server.url + place, async (page) => {
        await walk(page, await page.locator(`figure[data-figure="${id}"]`).first().getAttribute("data-uid"));
      }, { reducedMotion: "reduce" });
    } finally {
      await server.stop();
    }
  });
}
