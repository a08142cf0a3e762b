// `lk serve --content` beside a writer: how long after a save the page shows it, and whether the reader's place is kept.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, lk, root, scratch, section, until, visit } from "./harness.mjs";

const file = "chapters/1-foundations/compute-bound-and-memory-bound.md";

/** Saves the section `count` times with other words; gives [{ ms from the save to the frame that shows them, moved: pixels }]. */
export async function saves(count) {
  const content = mkdtempSync(join(scratch, "live-"));
  cpSync(join(root, "content"), content, { recursive: true });
  const port = await freePort();
  const child = spawn(lk, ["serve", "--content", content, ...(process.env.ASSETS ? ["--assets", process.env.ASSETS] : []), "--port", String(port)], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  const gone = new Promise((done) => child.on("exit", done));
  try {
    const url = `http://127.0.0.1:${port}/`;
    await until(async () => child.exitCode === null && (await fetch(url)).ok, `lk serve to answer (it said: ${said})`, 20_000);
    const before = readFileSync(join(content, file), "utf8");
    const end = before.indexOf("\n\n", before.indexOf("\n---\n", 4) + 8); // of the first paragraph
    const found = [];
    await visit(url + section, async (page) => {
      for (let n = 1; n <= count; n++) {
        await page.waitForLoadState("load");
        await page.waitForTimeout(400); // the reader reads; the page's events are connected
        const top = await page.evaluate(() => {
          scrollTo({ top: 900, behavior: "instant" });
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(scrollY))));
        });
        const saved = Date.now();
        writeFileSync(join(content, file), `${before.slice(0, end)} Save number ${100 + n}.${before.slice(end)}`);
        const seen = await until(async () => {
          const got = await page.evaluate(() => window.seen).catch(() => undefined); // undefined while the page turns
          return got?.n === 100 + n && got;
        }, `save ${n} to show (lk said: ${said})`, 20_000);
        found.push({ ms: seen.at - saved, moved: Math.abs(seen.top - top) });
      }
    }, { allow: /net::ERR|EventSource|Failed to load resource/, init: () => {
      const look = () => {
        const n = Number(/Save number (\d+)\./.exec(document.querySelector("article")?.textContent ?? "")?.[1]);
        // Shown is what the frame after this one has painted.
        if (n) requestAnimationFrame(() => (window.seen = { n, at: Date.now(), top: scrollY }));
        else requestAnimationFrame(look);
      };
      look();
    } });
    return found;
  } finally {
    child.kill();
    await gone;
  }
}
