// What the service worker and the pages tell each other.

export type FromWorker = { type: "lk-offline" } & (
  | { state: "saving"; percent: number; update: boolean }
  | { state: "ready"; bytes: number; version: string }
  | { state: "failed"; why: string; update: boolean }
);

export type ToWorker = { type: "status" } | { type: "activate" };
