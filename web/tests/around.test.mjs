// The pages around the sections: home, overviews, glossary, reading list, privacy, the page for wrong addresses.
import { eq, ok, section, serve, site, test, until, visit } from "./harness.mjs";

const path = `/${section}`;
const keep = (key, value) => `localStorage.setItem("${key}", ${JSON.stringify(JSON.stringify(value))})`;

async function on(address, use, options = {}) {
  const server = await serve(site());
  try {
    await visit(server.url + address, async (page, faults, context) => use(page, server, context), options);
  } finally {
    await server.stop();
  }
}

/** Scrolls so that the reader is in the middle of a paragraph; gives its first words. */
async function readTo(page, nth) {
  return page.evaluate((n) => {
    const paragraph = document.querySelectorAll("article .text > p:not(.lede, .crumb)")[n];
    scrollTo(0, paragraph.getBoundingClientRect().top + scrollY - document.querySelector(".head").offsetHeight - 10);
    return paragraph.textContent.slice(0, 60);
  }, nth);
}
const topWords = (page) => page.evaluate(() => {
  const line = document.querySelector(".head").offsetHeight + 8;
  return [...document.querySelectorAll("article .text > p")].find((one) => one.getBoundingClientRect().bottom > line)?.textContent.slice(0, 60);
});
const stored = (page, key) => page.evaluate((name) => JSON.parse(localStorage.getItem(name) ?? "null"), key);

test("the place in a section is kept to the paragraph and offered again", async () => {
  await on(section, async (page, server) => {
    await page.waitForLoadState("networkidle");
    eq(await stored(page, "lk-place"), null, "a place before anything was read");
    const words = await readTo(page, 9);
    const kept = await until(async () => stored(page, "lk-place"), "a place in the storage");
    eq([kept.url, kept.chapter], [path, "1 Foundations"]);
    ok(kept.title.startsWith("1.2 ") && kept.heading && kept.paragraph > 0 && Math.abs(Date.now() - kept.time) < 60_000, JSON.stringify(kept));

    await page.goto(server.url + section);
    const bar = page.locator(".hint-bar.back");
    await bar.waitFor();
    ok((await bar.innerText()).includes("You were at"), await bar.innerText());
    ok((await page.evaluate(() => scrollY)) === 0, "the page moved by itself");
    await bar.locator(".btn--go").click();
    eq(await topWords(page), words, "after Go there");
    eq(await bar.count(), 0, "bars");
    ok(await page.evaluate((w) => document.activeElement.textContent.startsWith(w.slice(0, 20)), words), "the keyboard is elsewhere");

    // Whoever closes the offer, or comes by a link into the text, is left alone.
    await page.goto(server.url + section);
    await bar.locator("[aria-label=Close]").click();
    eq(await bar.count(), 0, "bars after closing");
    await page.goto(`${server.url}${section}#sources`);
    await page.waitForTimeout(500);
    eq(await bar.count(), 0, "bars on a page opened at a heading");

    await page.goto(server.url);
    const go = page.locator("#go");
    await until(async () => (await go.innerText()) === "Continue with 1.2", "the button to continue");
    await page.evaluate(() => localStorage.setItem("kept", localStorage.getItem("lk-place")));
    await go.click();
    await until(async () => (await topWords(page)) !== undefined && (await page.evaluate(() => scrollY)) > 300, "the place");
    eq(new URL(page.url()).hash, "", "the address keeps no trace");
  });
});

test("a changed section is found again by heading and paragraph; one without the heading begins at its top", async () => {
  const place = { heading: "gone", paragraph: 3, part: 0.5, end: false };
  await on(section, async (page) => {
    await page.waitForTimeout(600);
    eq(await page.locator(".hint-bar.back").count(), 0, "an offer to go nowhere");
  }, { init: keep("lk-read", { [path]: place }) });
  for (const broken of ['"x"', "{", '{"a":1}', "null", `{"${path}":{"heading":1}}`]) {
    await on("", async (page) => {
      await page.waitForTimeout(300);
      eq(await page.locator("#go").innerText(), "Start with 0.1", broken);
    }, { init: `localStorage.setItem("lk-read", ${JSON.stringify(broken)}); localStorage.setItem("lk-place", ${JSON.stringify(broken)})` });
  }
});

test("a section read to its end has a mark in the contents, until the marks are removed", async () => {
  await on(section, async (page, server) => {
    await page.waitForLoadState("networkidle");
    await page.keyboard.press("End");
    await until(async () => (await stored(page, "lk-read"))?.[path]?.end, "the end");
    await page.goto(server.url);
    const mark = page.locator(`.toc a[href$="${section}"] .mark`);
    await mark.waitFor({ state: "attached" });
    eq(await mark.getAttribute("aria-label"), "read");
    ok(/^1 of \d+ sections read to the end/.test(await page.locator("#progress").innerText()), await page.locator("#progress").innerText());
    await page.goto(server.url + section);
    eq(await page.locator(".side [aria-current=page] .mark").getAttribute("aria-label"), "read", "in the side");
    await page.goto(server.url);
    await page.locator("#forget").click();
    eq(await page.locator(".mark").count(), 0, "marks");
    eq([await stored(page, "lk-read"), await stored(page, "lk-place")], [null, null], "what is left");
  });
});

test("the glossary filters as one types, by keyboard alone", async () => {
  await on("chapters/glossary/", async (page) => {
    const input = page.locator("#sift");
    const count = page.locator("#sift-count");
    const all = await page.locator("[data-entry]").count();
    eq(await count.innerText(), `${all} terms`);
    await input.focus();
    await page.keyboard.type("LITTLE'S law");
    ok(/^[12] of \d+ terms$/.test(await count.innerText()), await count.innerText());
    ok(await page.locator("#littles-law").isVisible(), "the term");
    eq(await page.locator("#warp").isVisible(), false, "another term");
    eq(await page.locator(".az a[aria-disabled]").count() > 5, true, "letters without terms");
    await page.keyboard.press("ArrowDown");
    ok((await page.evaluate(() => document.activeElement.closest("[data-entry]")?.textContent)).includes("Little"), "the first entry");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Escape");
    eq(await count.innerText(), `${all} terms`, "after Escape");
    await page.keyboard.type("zzzz");
    ok((await page.locator("#sift-none").innerText()).includes("zzzz"), "the empty state");
    await page.locator("#sift-none button").click();
    eq(await page.locator("[data-entry]:visible").count(), all, "after Show all");
    // A related term that the filter hides shows when it is asked for.
    await input.fill("thirty-two threads");
    await page.locator("#warp").locator("xpath=..").locator(".see a[href='#lane']").click();
    ok(await page.locator("#lane").isVisible(), "the related term");
    await until(() => page.evaluate(() => {
      const bar = document.querySelector(".sift").getBoundingClientRect().bottom;
      const top = document.querySelector("#lane").getBoundingClientRect().top;
      return top >= bar - 1 && top < innerHeight;
    }), "the related term to stand below the filter");
  });
});

test("the glossary says where a term is used, and its links lead there", async () => {
  await on("chapters/glossary/", async (page) => {
    const uses = await page.locator("#occupancy").locator("xpath=..").locator(".see a[href*='/chapters/foundations/']").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    ok(uses.length >= 1, "occupancy is used nowhere");
    for (const address of uses) {
      await page.goto(new URL(address, page.url()).href);
      ok(await page.locator("a.term[href$='#occupancy']").count() > 0, `${address} has no link to the term`);
      const { hash } = new URL(page.url());
      if (hash) ok(await page.locator(`[id="${hash.slice(1)}"]`).count() === 1, `${address}: no such heading`);
    }
  });
});

test("the reading list filters by kind and by words, and counts each source once", async () => {
  await on("chapters/reading/", async (page) => {
    const count = page.locator("#sift-count");
    const first = await page.locator("[data-entry='']").count();
    eq(await count.innerText(), `${first} sources`);
    ok(await page.locator("[data-entry=again]").count() >= 3, "no source stands in two groups");
    await page.locator(".kinds input[value=book]").check();
    eq(await page.locator("[data-entry]:visible").evaluateAll((all) => [...new Set(all.map((one) => one.dataset.kind))]), ["book"]);
    await page.keyboard.press("ArrowLeft"); // the kind before it
    ok((await page.locator("[data-entry]:visible").first().getAttribute("data-kind")) !== "book", "the arrow did nothing");
    await page.locator(".kinds input[value='']").check();
    await page.locator("#sift").fill("flashattention");
    ok(/^\d of \d+ sources$/.test(await count.innerText()), await count.innerText());
    for (const group of await page.locator("[data-group]:visible").all()) ok(await group.locator("[data-entry]:visible").count() > 0, "an empty group shows");
    // All 29 anchors, whether they head a group or the whole part.
    const anchors = ["start-here", "programming-model", "compilation", "foundational-kernel-exercises", "matrix-multiplication", "direct-implementation", "tensor-cores-low-precision", "attention", "triton", "cutlass-cute-tile", "other-hardware-stacks", "profiling", "scheduling-batching", "kv-cache-systems", "quantization", "speculative-decoding", "structured-decoding", "long-context-multimodal", "parallelism-collectives", "moe-serving", "disaggregation", "production-systems", "serving-benchmarks", "hardware-nvidia", "hardware-amd", "hardware-tpu", "hardware-trainium", "ai-generated-kernels", "watchlist"];
    eq(await page.evaluate((ids) => ids.filter((id) => !/^H[23]$/.test(document.getElementById(id)?.tagName ?? "")), anchors), [], "anchors without a heading");
  });
});

test("without JavaScript the lists read whole and show no dead filter", async () => {
  for (const address of ["chapters/glossary/", "chapters/reading/"]) {
    await on(address, async (page) => {
      eq(await page.locator(".sift").isVisible(), false, `${address}: the filter shows`);
      eq(await page.locator("[data-entry]:visible").count(), await page.locator("[data-entry]").count(), `${address}: entries`);
    }, { javaScriptEnabled: false });
  }
  await on("", async (page) => {
    eq(await page.locator(".progress").isVisible(), false, "the progress shows");
    eq(await page.locator("#go").innerText(), "Start with 0.1");
    ok((await page.locator(".toc").innerText()).includes("4 sections"), "the contents count no sections");
  }, { javaScriptEnabled: false });
  await on("privacy/", async (page) => eq(await page.locator("#erase").isVisible(), false, "a dead button"), { javaScriptEnabled: false });
});

test("one button removes what the book keeps, and nothing of others", async () => {
  await on("privacy/", async (page) => {
    await until(() => page.evaluate(async () => (await caches.keys()).length > 0), "the offline copy", 20_000);
    await page.evaluate(() => caches.open("another's"));
    await page.locator("#erase").click();
    await until(async () => (await page.locator("#erased").innerText()).startsWith("Removed: 2 entries and the copy"), "the answer");
    eq(await page.evaluate(async () => [Object.keys(localStorage), await caches.keys(), (await navigator.serviceWorker.getRegistrations()).length]), [["other"], ["another's"], 0]);
  }, { serviceWorkers: "allow", init: `if (!localStorage.getItem("other")) { localStorage.setItem("lk-theme", "dark"); localStorage.setItem("lk-device", "h200"); localStorage.setItem("other", "1"); }` });
});

test("a wrong address gets a page that names the nearest right one", async () => {
  const allow = /404/;
  for (const [address, words] of [["chapters/foundation/threads-blocks-warps/", /Perhaps you meant 1\.1 Threads/], ["info/privacy.html", /Perhaps you meant Privacy/], ["qqq/", /Nothing here/]]) {
    await on(address, async (page) => {
      const main = page.locator("main");
      await until(async () => words.test(await main.innerText()), `${words} for ${address}`);
      eq(await page.locator("#near").isVisible(), /Perhaps/.test(String(words)), "the guess");
      ok(await page.locator(".toc a").count() > 10, "no contents");
    }, { allow });
  }
});

test("previous and next lead through the book: every overview and every written section once, in order", async () => {
  await on("chapters/introduction/", async (page) => {
    const seen = [];
    for (let address = page.url(); address && seen.length < 60;) {
      await page.goto(address);
      seen.push(new URL(address).pathname);
      const [before, next] = await page.evaluate(() => ["prev", "next"].map((rel) => document.querySelector(`.next a[rel=${rel}]`)?.href ?? ""));
      eq(before ? new URL(before).pathname : "", seen.at(-2) ?? "", `before ${address}`);
      address = next;
    }
    const all = await page.evaluate(() => [...document.querySelectorAll(".side .chap > a")].map((one) => one.pathname).filter((one) => !/glossary|reading/.test(one)));
    eq(seen.filter((one) => all.includes(one)), all, "chapters");
    ok(seen.includes(path), "the section is not on the way");
    eq(new Set(seen).size, seen.length, "a page stands twice");
  });
});
