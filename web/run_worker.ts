// Runs kernels on another thread, in slices: messages between them stop a run or ask for another.
import { type Core, read, send, start } from "./reader";
import type { FromRun, ToRun } from "./run_messages";

interface Kernels extends Core {
  lk_launch(at: number, size: number): number;
  lk_start(at: number, size: number): number;
  lk_advance(steps: number): number;
  lk_answer(): number;
}

const slice = 1 << 19; // warp instructions: some tens of milliseconds
let module: Promise<Kernels> | undefined;
let current = 0;

function result(json: string): unknown {
  const { result: value, error } = JSON.parse(json) as { result?: unknown; error?: { what: string; hint: string } };
  if (error) throw new Error(error.hint ? `${error.what} (${error.hint}).` : `${error.what}.`);
  return value;
}

async function load(kernels: string, kit: string): Promise<Kernels> {
  const [core, got] = await Promise.all([start(kernels, "kernels") as Promise<Kernels>, fetch(kit)]);
  if (!got.ok) throw new Error(`${kit} answered ${got.status}`);
  result(send(core, core.lk_init, new Uint8Array(await got.arrayBuffer())));
  return core;
}

const reply = (message: FromRun): void => self.postMessage(message);
const pause = (): Promise<void> => new Promise((done) => setTimeout(done));

self.onmessage = async ({ data }: MessageEvent<ToRun>) => {
  const { id } = data;
  current = id;
  try {
    if (data.kind === "stop") return;
    if (data.kind === "open") {
      module ??= load(data.kernels, data.kit);
      const core = await module;
      reply({ id, kind: "launch", launch: result(send(core, core.lk_launch, JSON.stringify(data.ask))) as never });
      return;
    }
    const core = await module;
    if (!core) throw new Error("Nothing was opened.");
    result(send(core, core.lk_start, JSON.stringify(data.wish)));
    for (let shown = 0;;) {
      const { done, progress } = result(read(core, core.lk_advance(slice))) as { done: boolean; progress: number };
      if (done) break;
      if (performance.now() - shown > 80) {
        shown = performance.now();
        reply({ id, kind: "progress", progress });
        await pause();
        if (current !== id) return; // stopped, or another run
      }
    }
    reply({ id, kind: "answer", answer: result(read(core, core.lk_answer())) as never });
  } catch (error) {
    if (data.kind === "open") module = undefined;
    reply({ id, kind: "failure", words: error instanceof Error ? error.message : String(error) });
  }
};
