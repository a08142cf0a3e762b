// Runs esbuild's command line: Debian's package is enough, so that building the book needs no npm.
import { spawn } from "node:child_process";

/** Resolves to what `esbuild ARGS` prints; `input` goes to its standard input. */
export function esbuild(args, input = "") {
  return new Promise((done, no) => {
    const run = spawn("esbuild", args, { stdio: ["pipe", "pipe", "inherit"] });
    const parts = [];
    run.stdout.on("data", (part) => parts.push(part));
    run.on("error", () => no(new Error("there is no esbuild on the PATH (Debian: apt-get install esbuild; elsewhere: npm install --global esbuild)")));
    run.on("close", (code) => code === 0 ? done(Buffer.concat(parts).toString()) : no(new Error(`esbuild ${args.join(" ")} failed; its message is above`)));
    run.stdin.on("error", () => undefined); // it may end without reading, which its status tells
    run.stdin.end(input);
  });
}
