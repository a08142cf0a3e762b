// The editor: what is wrong is underlined where it is, the page follows what is typed, files come and go, and nothing is lost or sent.
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, live, ok, profile, root, scratch, sentence, serve, site, slider, test, until, visit } from "./harness.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const file = "chapters/1-foundations/the-kv-cache.md";
const original = readFileSync(join(root, "content", file), "utf8");
const area = "#edit-text";

async function ready(page) {
  await page.waitForSelector("main[data-ready]", { timeout: 20_000 });
  await page.waitForSelector("main[data-checked]", { timeout: 20_000 });
  await until(async () => (await preview(page).locator("h1").innerText()) !== "Preview", "the first preview");
}
const preview = (page) => page.frameLocator("#edit-frame");
const frame = (page) => page.frames().find((one) => one.url().endsWith("/edit/preview/"));
const count = (page) => page.locator("#edit-count").innerText();
const kept = (page) => page.locator("#edit-kept").innerText();
/** What the count says when `here` problems stand in the open text and `others` elsewhere, besides those of the book at rest. */
let resting = 0;
const told = (here, others = 0) => [here ? `${here} in this text` : "", others + resting ? `${others + resting} in other files` : ""].filter(Boolean).join(", ") || "None";
const marks = (page) => page.locator("#edit-back mark").allInnerTexts();
const text = (page) => page.locator(area).inputValue();

/** Puts the caret behind the first `words` of the text. */
const behind = (page, words) => page.evaluate(([selector, words]) => {
  const box = document.querySelector(selector);
  const at = box.value.indexOf(words) + words.length;
  box.focus();
  box.setSelectionRange(at, at);
}, [area, words]);

async function edited(use, { query = "?section=the-kv-cache", base = "/", folder = site({ base }), ...options } = {}) {
  const server = await serve(folder, { base });
  try {
    await visit(`${server.url}edit/${query}`, async (page, faults, context) => {
      await ready(page);
      await until(async () => /None|other files/.test(await page.locator("#edit-count").textContent()), "the first count");
      resting = Number(/(\d+) in other files/.exec(await page.locator("#edit-count").textContent())?.[1] ?? 0);
      await use(page, server, context, faults);
    }, options);
  } finally {
    await server.stop();
  }
}

test("a broken link is underlined at its place with the right words; mended, the underline goes", () => edited(async (page) => {
  eq(await text(page), original, "the text");
  await behind(page, "\n## ");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("\nSee [a “thing” 𝛼](section:the-kv-cach) here.\n");
  await until(async () => (await count(page)) === told(1), "the problem to be counted");
  await until(async () => (await marks(page)).join() === "[a “thing” 𝛼](section:the-kv-cach)", "the whole link to be underlined");
  // The copy below the letters breaks its lines where the text does.
  eq(await page.evaluate(() => {
    const [back, box] = [document.querySelector("#edit-back"), document.querySelector("#edit-text")];
    return [box.scrollHeight - box.clientHeight, back.clientWidth - box.clientWidth];
  }), [0, 0], "the text and its copy");
  await page.locator("#edit-list button").first().click();
  const line = (await text(page)).split("\n").findIndex((one) => one.includes("the-kv-cach)")) + 1;
  const listed = await page.locator("#edit-list button").first().innerText();
  ok(listed.includes(`${line}:5`) && listed.includes("unknown section the-kv-cach") && listed.includes("did you mean the-kv-cache?"), `the list says ${listed}`);
  eq(await page.evaluate((selector) => {
    const box = document.querySelector(selector);
    return box.value.slice(box.selectionStart, box.selectionEnd);
  }, area), "[a “thing” 𝛼](section:the-kv-cach)", "what the list selects");
  const pop = page.locator(".edit__pop");
  ok((await pop.innerText()).includes("did you mean the-kv-cache?"), "the caret in it says why");
  const [mark, bubble, box] = [await page.locator("#edit-back mark").boundingBox(), await pop.boundingBox(), await page.locator(".edit__text").boundingBox()];
  ok(mark.y > box.y && mark.y + mark.height < box.y + box.height, "the mark is in view");
  ok(Math.min(Math.abs(bubble.y - mark.y - mark.height), Math.abs(bubble.y + bubble.height - mark.y)) < 40, "the words stand beside it");
  await page.keyboard.press("Escape");
  eq(await pop.isVisible(), false, "Escape closes the words");
  await page.mouse.move(mark.x + 20, mark.y + 4);
  ok(await pop.isVisible(), "the mouse over it opens them");
  await behind(page, "(section:the-kv-cach");
  await page.keyboard.type("e");
  await until(async () => (await count(page)) === told(0), "the problem to go");
  eq(await marks(page), []);
  eq(await page.locator("#edit-list li").count(), resting, "lines in the list");
}));

test("typing above a mark moves it along at once; several problems and other files are listed in order", () => edited(async (page) => {
  await behind(page, "\n## ");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("\n[one](term:nothing) [two](source:nothing) [](https://example.org)\n");
  await until(async () => (await marks(page)).length === 3, "three marks");
  await behind(page, "---\n");
  const shifted = await page.evaluate((selector) => {
    document.execCommand("insertText", false, "# "); // before any check can have answered
    return [...document.querySelectorAll("#edit-back mark")].map((one) => one.textContent);
  });
  eq(shifted.slice(-3), ["[one](term:nothing)", "[two](source:nothing)", "[](https://example.org)"]);
  await page.keyboard.press("Control+z");
  await until(async () => (await count(page)) === told(3), "the check after it");
  await page.selectOption("#edit-file", "home.md");
  await until(async () => (await count(page)) === told(0, 3), "the problems to be those of another file");
  await page.locator("#edit-list button").first().click();
  eq(await page.locator("#edit-file").inputValue(), file, "the list leads to the file");
  await page.goBack();
  eq(await page.locator("#edit-file").inputValue(), "home.md", "Back");
  ok(/edit\/\?section=home$/.test(page.url()), page.url());
}));

test("the preview shows what is typed, keeps its place and the state of its figures, and brings changes into view", () => edited(async (page) => {
  await page.locator(area).focus();
  const inside = frame(page);
  await inside.waitForSelector("#fig-kv_cache_growth");
  const figure = await live(inside, "kv_cache_growth");
  const before = await sentence(figure);
  const range = figure.locator("input[type=range]").first();
  await range.focus();
  for (let n = 0; n < 3; n++) await range.press("ArrowRight");
  await until(async () => (await sentence(figure)) !== before, "the figure to move");
  await page.waitForTimeout(600); // for the last of the steps
  const moved = await sentence(figure);
  await inside.evaluate(() => (document.querySelector("#fig-kv_cache_growth").dataset.same = "yes"));
  const caption = await figure.locator("figcaption").innerText();
  await page.evaluate((selector) => {
    const box = document.querySelector(selector);
    const at = box.value.indexOf("![") + 2;
    box.focus({ preventScroll: true });
    box.setSelectionRange(at, at);
  }, area);
  await page.keyboard.type("Typed in the caption. ");
  await until(async () => (await figure.locator("figcaption").innerText()) === `Typed in the caption. ${caption}`, "the caption to follow");
  eq(await sentence(figure), moved, "the figure's state");
  eq(await figure.getAttribute("data-same"), "yes", "the figure itself");

  await inside.evaluate(() => scrollTo(0, 600));
  const top = () => inside.evaluate(() => scrollY);
  const at = await top();
  const seen = await inside.evaluate(() => [...document.querySelectorAll("main p")].find((one) => one.getBoundingClientRect().top > 200 && one.textContent.length > 80).textContent.slice(0, 40));
  await behind(page, seen.slice(0, 12));
  await page.keyboard.type(" really");
  await until(() => preview(page).locator("main").innerText().then((all) => all.includes(`${seen.slice(0, 12)} really`)), "the words to appear");
  ok(Math.abs(await top() - at) < 40, `the place moved from ${at} to ${await top()}`);
  await behind(page, "\n## Sources");
  await page.keyboard.type(" of all this");
  await until(async () => preview(page).getByRole("heading", { name: "Sources of all this" }).isVisible(), "the heading");
  await until(() => preview(page).getByRole("heading", { name: "Sources of all this" }).evaluate((one) => one.getBoundingClientRect().top < innerHeight), "the heading to come into view");
}));

test("every text opens with the page it is behind; those without one say so", () => edited(async (page) => {
  const files = await page.locator("#edit-file option").evaluateAll((all) => all.map(({ value, textContent, parentElement }) => [value, textContent, parentElement.label]));
  ok(files.length > 45, `${files.length} texts`);
  for (const [path, words] of files) {
    await page.selectOption("#edit-file", path);
    if (/\.md$/.test(path) || path === "glossary.json" || path === "reading.json") {
      const title = words.replace(/^[\dAB.]+ | \(not written yet\)$/g, "").replace(/ \(not written yet\)$/, "");
      if (title === "Overview" || title === "Home") continue;
      await until(async () => (await preview(page).locator("h1").innerText()) === title, `${path}: the heading ${title}`);
    } else {
      await preview(page).locator(".preview__why").waitFor();
      eq(await text(page), readFileSync(join(root, "content", path), "utf8").replaceAll("\r\n", "\n"), path);
    }
  }
  eq(await page.locator("#edit-save").isDisabled(), true, "opening changes nothing");
}));

test("a section that is not written yet begins with its head, and becomes one", () => {
  const content = join(scratch, "unwritten");
  cpSync(join(root, "content"), content, { recursive: true });
  rmSync(join(content, "chapters/2-kernel-optimization/attention.md"));
  return edited(async (page) => {
  await page.locator(area).press("Control+End");
  ok((await text(page)).startsWith("---\ntitle: Attention\nlede: "), await text(page));
  await page.keyboard.type("## Scores\n\nWords.");
  await until(() => preview(page).getByRole("heading", { name: "Scores" }).isVisible(), "its page");
  await until(async () => /in this text/.test(await count(page)), "what it lacks");
  ok(/names no sources/.test(await page.locator("#edit-list").innerText()), await page.locator("#edit-list").innerText());
  await page.click("#edit-revert");
  await until(async () => (await count(page)) === told(0), "the book as it was");
}, { query: "?section=attention", folder: site({ content, name: "unwritten" }) });
});

test("a link in the preview opens its text; set links move the figure", () => edited(async (page) => {
  const inside = frame(page);
  const figure = await live(inside, "memory_transactions");
  const before = await sentence(figure);
  await preview(page).locator("a[data-set*='stride=8']").first().click();
  await until(async () => (await sentence(figure)) !== before, "the figure to move");
  await preview(page).locator("a[href*='/chapters/foundations/the-kv-cache/']").first().click();
  await until(async () => (await page.locator("#edit-file").inputValue()) === file, "the other text");
  await until(async () => (await preview(page).locator("h1").innerText()) === "The KV cache", "its page");
}, { query: "?section=compute-bound-and-memory-bound" }));

test("download gives the edited bytes: one file, several as an archive, line ends as they were", async () => {
  const content = join(scratch, "crlf");
  cpSync(join(root, "content"), content, { recursive: true });
  writeFileSync(join(content, "home.md"), readFileSync(join(root, "content/home.md"), "utf8").replaceAll("\n", "\r\n"));
  await edited(async (page) => {
    const got = async () => {
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#edit-save")]);
      return { name: download.suggestedFilename(), path: await download.path() };
    };
    await page.locator(area).press("Control+End");
    await page.keyboard.type("\nWhat I typed: “äöü” 𝛼\n");
    const one = await got();
    eq([one.name, readFileSync(one.path, "utf8")], ["the-kv-cache.md", `${original}\nWhat I typed: “äöü” 𝛼\n`]);
    await page.selectOption("#edit-file", "home.md");
    await page.locator(area).press("Control+End");
    await page.keyboard.type("\nAnd here.");
    eq(await page.locator("#edit-save").innerText(), "Download 2 files");
    const both = await got();
    eq(both.name, "content.zip");
    const out = join(scratch, "unzipped");
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    execFileSync("python3", ["-m", "zipfile", "-t", both.path]);
    execFileSync("python3", ["-m", "zipfile", "-e", both.path, out]);
    eq(readFileSync(join(out, file), "utf8"), `${original}\nWhat I typed: “äöü” 𝛼\n`);
    eq(readFileSync(join(out, "home.md"), "utf8"), `${readFileSync(join(content, "home.md"), "utf8")}\r\nAnd here.`);
    await page.click("#edit-revert");
    eq(await text(page), readFileSync(join(root, "content/home.md"), "utf8"), "reverted");
    eq(await page.locator("#edit-save").innerText(), "Download");
    await page.click("#edit-revert");
    ok((await text(page)).endsWith("\nAnd here."), "the revert undone");
  }, { folder: site({ content, name: "crlf" }), acceptDownloads: true });
});

test("a reload and another tab keep what was written; removing everything removes it", () => edited(async (page, server, context) => {
  await page.locator(area).press("Control+End");
  await page.keyboard.type("\nStill [here](term:nothing).\n");
  await page.reload(); // at once
  await ready(page);
  ok((await text(page)).endsWith("\nStill [here](term:nothing).\n"), "the text after a reload");
  await until(async () => (await count(page)) === told(1), "its problem");
  ok(/^One file changed, kept in this browser\.$/.test(await kept(page)), await kept(page));
  const other = await context.newPage();
  await other.goto(`${server.url}edit/?section=home`);
  await ready(other);
  await other.locator(area).press("Control+End");
  await other.keyboard.type("\nFrom the other tab.\n");
  await until(async () => (await kept(page)).startsWith("2 files changed"), "the first tab to hear of it");
  await page.locator(area).press("Control+End");
  await page.keyboard.type("More.");
  await until(async () => other.evaluate(() => localStorage.getItem("lk-edit").includes("More.")), "the first tab's own words");
  ok(await other.evaluate(() => localStorage.getItem("lk-edit").includes("From the other tab.")), "both are kept");
  await other.close();
  await page.goto(`${server.url}privacy/`);
  await page.click("#erase");
  await page.waitForFunction(() => document.querySelector("#erased").textContent.startsWith("Removed"));
  eq(await page.evaluate(() => Object.keys(localStorage)), [], "what is left");
  await page.goto(`${server.url}edit/?section=the-kv-cache`);
  await ready(page);
  eq(await text(page), original, "the book's text");
}));

test("a text that has become another in the book since the changes began says so", () => edited(async (page) => {
  await page.locator(area).press("Control+End");
  await page.keyboard.type("x");
  await until(() => page.evaluate(() => localStorage.getItem("lk-edit")), "the change to be kept");
  ok(!/another now/.test(await kept(page)), "not at once");
  await page.reload();
  await ready(page);
  ok(!/another now/.test(await kept(page)), "nor after a reload");
  const words = original.replace("## Sources", "## Where it comes from");
  await page.route(/content\.[0-9a-f]+\.json/, async (route) => {
    const all = await (await route.fetch()).json();
    await route.fulfill({ json: { ...all, [file]: words } });
  });
  await page.reload();
  await ready(page);
  eq(await text(page), `${original}x`, "what was written");
  ok(/another now/.test(await kept(page)), await kept(page));
  await page.click("#edit-revert");
  eq(await text(page), words, "the newer text");
}));

test("a text that is left at once after a letter is kept, shown and checked", () => edited(async (page) => {
  await page.locator(area).press("Control+End");
  await page.evaluate((selector) => {
    document.execCommand("insertText", false, "\n[x](term:nothing)");
    const list = document.querySelector("#edit-file");
    list.value = "home.md";
    list.dispatchEvent(new Event("change", { bubbles: true }));
    return document.querySelector(selector).value;
  }, area);
  await until(async () => (await count(page)) === told(0, 1), "its problem");
  await page.reload();
  await ready(page);
  await page.selectOption("#edit-file", file);
  ok((await text(page)).endsWith("\n[x](term:nothing)"), "the letters after a reload");
}));

test("when the browser keeps nothing, the page says so and asks before it closes", () => edited(async (page) => {
  await page.locator(area).press("Control+End");
  await page.keyboard.type("x");
  await until(async () => /not kept/.test(await kept(page)), "the warning");
  // What the browser hears when somebody closes the page; a question that stays open would outlive the test.
  eq(await page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true }))), true, "the browser to ask");
}, { init: () => { Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }; } }));

function ownFolder() {
  const content = join(scratch, "my book");
  rmSync(content, { recursive: true, force: true });
  cpSync(join(root, "content"), join(content, "content"), { recursive: true });
  writeFileSync(join(content, "README.md"), "Not the book's.\n");
  mkdirSync(join(content, ".git"));
  writeFileSync(join(content, ".git/config.md"), "hidden");
  writeFileSync(join(content, "content/home.md"), "# My own book\n\nSee [x](term:nothing).\n");
  writeFileSync(join(content, "content/pages/extra.md"), "---\ntitle: Extra\nlede: x\n---\n");
  return content;
}

async function isOpen(page) {
  await until(async () => (await kept(page)).startsWith("Folder “"), "the folder", 20_000);
  await page.selectOption("#edit-file", "home.md");
  eq(await text(page), "# My own book\n\nSee [x](term:nothing).\n");
  await until(async () => (await preview(page).locator("h1").innerText()).startsWith("My own book"), "its page");
  await until(async () => /^2 in this text, \d+ in other files$/.test(await count(page)), "its problems");
  ok(/pages\/extra\.md/.test(await page.locator("#edit-list").innerText()), "a file that book.json does not name");
  ok(!(await page.locator("#edit-file option").evaluateAll((all) => all.map(({ value }) => value))).some((one) => /^README|\.git/.test(one)), "only the book's files");
}

test("a folder that is chosen stands in for the book, through a reload, until it is closed", () => edited(async (page) => {
  await page.locator(area).press("Control+End");
  await page.keyboard.type("\nOf the book.\n");
  await page.setInputFiles("#edit-folder", ownFolder());
  await isOpen(page);
  await page.locator(area).press("Control+End");
  await page.keyboard.type("Mine.");
  await page.reload();
  await ready(page);
  eq(await text(page), "# My own book\n\nSee [x](term:nothing).\nMine.", "after a reload");
  page.once("dialog", (dialog) => dialog.dismiss());
  await page.click("#edit-open");
  ok((await kept(page)).startsWith("Folder “"), "the question can be declined");
  page.once("dialog", (dialog) => dialog.accept());
  await page.click("#edit-open");
  await until(async () => (await kept(page)) === "One file changed, kept in this browser.", "the book again");
  await page.selectOption("#edit-file", file);
  ok((await text(page)).endsWith("\nOf the book.\n"), "what was written in the book");
}));

test("a folder that is dropped opens; other things say what to drop", () => edited(async (page, server, context) => {
  const cdp = await context.newCDPSession(page);
  const drop = async (path) => {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "dragOver", "drop"]) await cdp.send("Input.dispatchDragEvent", { type, x: 300, y: 400, data });
  };
  const folder = ownFolder();
  await drop(join(folder, "README.md"));
  await until(async () => /That is no folder/.test(await kept(page)), "a file to be refused");
  await drop(join(folder, "content/pages"));
  await until(async () => /holds no book\.json/.test(await kept(page)), "a folder without a book to be refused");
  eq(await text(page), original, "the text stays");
  await drop(folder);
  await isOpen(page);
}));

test("by keyboard alone: Tab leaves the text, F8 goes from problem to problem, the list leads back", () => edited(async (page) => {
  await page.locator(area).press("Control+Home");
  await page.keyboard.press("Tab");
  ok(await page.evaluate((selector) => document.activeElement !== document.querySelector(selector), area), "Tab is no character");
  eq(await text(page), original);
  await behind(page, "\n## ");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.type("\n[one](term:nothing) and [two](source:nothing)\n");
  await until(async () => (await marks(page)).length === 2, "two marks");
  const selected = () => page.evaluate((selector) => {
    const box = document.querySelector(selector);
    return box.value.slice(box.selectionStart, box.selectionEnd);
  }, area);
  await page.keyboard.press("F8");
  eq(await selected(), "[one](term:nothing)");
  await page.keyboard.press("F8");
  eq(await selected(), "[two](source:nothing)");
  await page.keyboard.press("Shift+F8");
  eq(await selected(), "[one](term:nothing)");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  eq(await selected(), "[two](source:nothing)", "the second line of the list");
  eq(await page.locator("[role=status]").evaluateAll((all) => all.some((one) => one.textContent.startsWith("2 in this text"))), true, "the count is announced");
}));

test("on a phone one part shows at a time, and a problem leads to the text", () => edited(async (page) => {
  const shown = () => page.locator("main > section").evaluateAll((all) => all.filter((one) => one.offsetParent).map((one) => one.id));
  eq(await shown(), ["pane-write"]);
  await page.locator(area).press("Control+End");
  await page.keyboard.type("\n[x](term:nothing)\n");
  await until(async () => (await page.locator("#edit-n").innerText()) === String(1 + resting), "the number on the tab");
  await page.locator("#tab-write").focus();
  await page.keyboard.press("ArrowRight");
  eq(await shown(), ["pane-preview"]);
  await page.keyboard.press("ArrowRight");
  eq(await shown(), ["pane-problems"]);
  await page.locator("#edit-list button").first().click();
  eq(await shown(), ["pane-write"]);
  await until(async () => (await page.locator("#edit-back mark").boundingBox()).y < 844, "the mark to be in view");
  const { scroll, client } = await page.evaluate(() => ({ scroll: document.documentElement.scrollWidth, client: document.documentElement.clientWidth }));
  ok(scroll <= client, `${scroll} px in a window of ${client}`);
}, { viewport: { width: 390, height: 844 } }));

for (const colorScheme of ["light", "dark"])
  for (const width of [390, 1440])
    test(`axe finds nothing while something is wrong, ${colorScheme}, ${width} px`, () => edited(async (page) => {
      await behind(page, "\n## ");
      await page.keyboard.press("ArrowUp");
      await page.keyboard.type("\n[one](term:nothing) $x^$\n");
      await until(async () => /in this text/.test(await count(page).catch(() => "")) || Number(await page.locator("#edit-n").innerText()) > resting, "the problems");
      for (const pane of width === 390 ? ["write", "problems", "preview"] : [""]) {
        if (pane) await page.click(`#tab-${pane}`);
        for (const one of [page, frame(page)]) {
          await one.evaluate(axe);
          const found = await one.evaluate(() => window.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], iframes: false }));
          eq(found.violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`)), [], pane);
        }
      }
    }, { colorScheme, viewport: { width, height: 900 }, reducedMotion: "reduce" }));

test("nothing is sent but requests for the site's own files, below any path", async () => {
  const folder = site({ base: "/deep/er/" });
  const sent = [];
  await edited(async (page, server) => {
    await page.locator(area).press("Control+End");
    await page.keyboard.type("\nSecret words.\n");
    await live(frame(page), "kv_cache_growth");
    await page.waitForTimeout(600);
    ok(sent.length > 10, "requests were seen");
    for (const { method, url, body } of sent) {
      eq([method, body], ["GET", null], url);
      ok(url.startsWith(server.url) || url.startsWith("data:") || url.startsWith("blob:"), url);
      ok(!/Secret/.test(decodeURIComponent(url)), url);
    }
  }, { base: "/deep/er/", folder, before: (page) => page.on("request", (one) => sent.push({ method: one.method(), url: one.url(), body: one.postData() })) });
});

test("offline, after one visit anywhere in the book, the editor works", async () => {
  const server = await serve(site());
  const kept = join(scratch, "profile-edit");
  const context = await profile(kept);
  try {
    const page = await context.newPage();
    await page.goto(server.url);
    await until(async () => /^Available offline/.test(await page.locator("#offline").innerText()), "the book to be saved", 30_000);
    await server.stop();
    await page.goto(`${server.url}edit/?section=the-kv-cache`);
    await ready(page);
    await page.locator(area).press("Control+End");
    await page.keyboard.type("\n[x](term:nothing)\n");
    await until(async () => (await count(page)) === told(1), "the check");
    await live(frame(page), "kv_cache_growth");
  } finally {
    await context.close();
    await server.stop().catch(() => undefined);
  }
});

test("without its module the editor says what is missing and what to do", async () => {
  const server = await serve(site());
  try {
    await visit(`${server.url}edit/`, async (page) => {
      await until(async () => /stopped working|could not start/.test(await page.locator("#edit-wait").innerText()), "the words");
      ok(/Reload the page|reload the page/.test(await page.locator("#edit-wait").innerText()), await page.locator("#edit-wait").innerText());
    }, { allow: /author|500|404|Failed to load/i, before: (page) => page.route(/author\..*\.wasm/, (route) => route.fulfill({ status: 500 })) });
    await visit(`${server.url}edit/`, async (page) => {
      ok(/lk serve/.test(await page.locator("main").innerText()), "without JavaScript another way is named");
    }, { javaScriptEnabled: false });
  } finally {
    await server.stop();
  }
});
