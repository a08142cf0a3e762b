// usage: node web/tests/run.mjs [filter]
// Builds the book, serves it and drives it with Chromium. Runs the tests whose "file: name" holds the filter, as many at once as there are processors (or
// JOBS); those that time something run last, alone.
import { fork } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { finish, lk, tests } from "./harness.mjs";

if (!existsSync(lk)) {
  console.error(`There is no ${lk}. Run scripts/run --build-only, or name the program in LK.`);
  process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const all = [];
for (const file of readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort()) {
  const before = tests.length;
  await import(join(here, file));
  for (const one of tests.slice(before)) all.push({ ...one, title: `${file.replace(".test.mjs", "")}: ${one.name}` });
}

/** Runs one test; gives undefined or what was wrong. */
async function result({ run }) {
  let timer;
  try {
    await Promise.race([run(), new Promise((_, no) => (timer = setTimeout(() => no(new Error("took more than three minutes")), 180_000)))]);
  } catch (error) {
    return process.env.TRACE ? String(error?.stack ?? error) : String(error?.message ?? error).split("\n").slice(0, 12).join("\n");
  } finally {
    clearTimeout(timer);
  }
}

if (process.send) {
  // A worker: one test for each number it is sent.
  process.on("SIGINT", () => {}); // the first process ends it
  process.on("message", async (at) => {
    if (at === "end") {
      await finish();
      process.exit(0);
    }
    const began = Date.now();
    const fault = await result(all[at]);
    process.send({ at, fault, ms: Date.now() - began });
  });
} else {
  process.exitCode = await lead();
}

async function lead() {
  const filter = process.argv[2] ?? "";
  const chosen = [...all.keys()].filter((at) => all[at].title.includes(filter));
  if (chosen.length === 0) {
    console.log(`No test has "${filter}" in its name.\n0 passed, 1 failed`);
    return 1;
  }
  let passed = 0;
  let failed = 0;
  let stopped = false;
  process.on("SIGINT", () => (stopped = true));
  const tell = ({ at, fault, ms }) => {
    if (fault === undefined) passed++;
    else failed++;
    console.log(`${fault === undefined ? "ok   " : "FAIL "} ${all[at].title} (${ms} ms)${fault === undefined ? "" : `\n      ${fault.replaceAll("\n", "\n      ")}`}`);
  };
  const work = async (queue) => {
    let worker;
    while (queue.length > 0 && !stopped) {
      worker ??= fork(fileURLToPath(import.meta.url));
      const at = queue.shift();
      const answer = await new Promise((done) => {
        const ended = (status, signal) => done({ at, fault: `the process of the tests ended (${signal ?? `status ${status}`})`, ms: 0, ended: true });
        worker.once("exit", ended);
        worker.once("message", (message) => {
          worker.off("exit", ended);
          done(message);
        });
        worker.send(at);
      });
      if (answer.ended) worker = undefined;
      tell(answer);
    }
    if (!worker) return;
    const gone = new Promise((done) => worker.once("exit", done));
    worker.send("end");
    await gone;
  };
  const shared = chosen.filter((at) => !all[at].alone);
  const jobs = Math.max(1, Math.min(Number(process.env.JOBS) || availableParallelism(), shared.length));
  await Promise.all(Array.from({ length: jobs }, () => work(shared)));
  await work(chosen.filter((at) => all[at].alone));
  console.log(`${passed} passed, ${failed} failed`);
  return failed || stopped ? 1 : 0;
}
