// The worker transport: the same module on another thread.
import type { Answer, Ask } from "./engine";
import { loadReader } from "./reader";

let reader: Promise<(request: string) => string> | undefined;
let where: { reader: string; world: string } | undefined;

self.onmessage = async ({ data }: MessageEvent<Ask | { reader: string; world: string }>) => {
  if ("reader" in data) {
    where = data;
    return;
  }
  const { id, request } = data;
  let answer: Answer;
  try {
    reader ??= loadReader(where?.reader ?? "", where?.world ?? "");
    answer = { id, response: (await reader)(request) };
  } catch (error) {
    reader = undefined;
    answer = { id, failure: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(answer);
};
