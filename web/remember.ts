// Answers that were computed once: the core is a pure function of its request, so the same state need not be asked for twice.
import type { Engine, Methods, RenderParams, Rendered } from "./engine";

/// `engine` with a memory of its last drawings: `room` letters of them, the longest unused goes first.
export function remembering(engine: Engine, room: number): Engine {
  const kept = new Map<string, Rendered>();
  let held = 0;
  const render = async (params: RenderParams): Promise<Rendered> => {
    const key = JSON.stringify(params);
    const known = kept.get(key);
    const answer = known ?? await engine.call("figure.render", params);
    kept.delete(key);
    kept.set(key, answer);
    if (!known) held += answer.svg.length;
    for (const [oldest, { svg }] of kept) {
      if (held <= room || oldest === key) break;
      kept.delete(oldest);
      held -= svg.length;
    }
    return answer;
  };
  return {
    call<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
      return method === "figure.render" ? render(params as RenderParams) as Promise<Methods[M][1]> : engine.call(method, params);
    },
  };
}

/// Runs `tasks` one after the other while the page has nothing else to do. Gives what stops them.
export function whenIdle(tasks: Iterator<() => Promise<unknown>>): () => void {
  let stopped = false;
  const later = (run: (left: () => number) => void): void => {
    if ("requestIdleCallback" in window) requestIdleCallback((deadline) => run(() => deadline.timeRemaining()));
    else setTimeout(() => run(() => 0), 30);
  };
  const some = (left: () => number): void => {
    void (async () => {
      do {
        const { value, done } = tasks.next();
        if (done || stopped) return;
        await value();
      } while (left() > 4);
      later(some);
    })();
  };
  later(some);
  return () => { stopped = true; };
}
