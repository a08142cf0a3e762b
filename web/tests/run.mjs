// usage: node web/tests/run.mjs [filter]
// Builds the book, serves it and drives it with Chromium. Runs the tests whose "file: name" holds the filter.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { finish, lk, tests } from "./harness.mjs";

if (!existsSync(lk)) {
  console.error(`There is no ${lk}. Run scripts/run --build-only, or name the program in LK.`);
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const filter = process.argv[2] ?? "";
const all = [];
for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  const before = tests.length;
  await import(join(here, file));
  for (const one of tests.slice(before)) all.push({ ...one, title: `${file.replace(".test.mjs", "")}: ${one.name}` });
}

let passed = 0;
let failed = 0;
let stopped = false;
process.on("SIGINT", () => (stopped = true));
for (const { title, run } of all.filter(({ title }) => title.includes(filter))) {
  if (stopped) break;
  const began = Date.now();
  let timer;
  try {
    await Promise.race([run(), new Promise((_, no) => (timer = setTimeout(() => no(new Error("took more than three minutes")), 180_000)))]);
    passed++;
    console.log(`ok    ${title} (${Date.now() - began} ms)`);
  } catch (error) {
    failed++;
    console.log(`FAIL  ${title} (${Date.now() - began} ms)\n      ${String(error?.message ?? error).split("\n").slice(0, 12).join("\n      ")}`);
    if (process.env.TRACE) console.log(error?.stack);
  } finally {
    clearTimeout(timer);
  }
}
await finish();
if (passed + failed === 0) {
  console.log(`No test has "${filter}" in its name.`);
  failed = 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
