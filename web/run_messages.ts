// What the sheet that runs kernels and its worker say to each other, and the shapes of the core's answers.

/// How the book launches a kernel: what the sheet starts from.
export interface Launch {
  kernel: string;
  file: string;
  function: string;
  source: string;
  values: string;
  grid: string;
  block: string;
  dynamic_shared: string;
  arguments: { name: string; type: string; pointer: boolean; text: string }[];
  flushed: boolean;
  registers: number;
  measured_us?: number;
}

/// What to run.
export interface Wish {
  source: string;
  file: string;
  kernel: string;
  grid: string;
  block: string;
  dynamic_shared: string;
  arguments: Record<string, string>;
  device: string;
  flushed: boolean;
  registers: number;
}

export interface Span {
  line: number;
  column: number;
  end_line: number;
  end_column: number;
}
export interface Finding {
  kind: string;
  what: string;
  hint: string;
  object: string;
  times: number;
  at: Span;
  other?: Span;
  block: number[];
  thread: number[];
  other_thread?: number[];
}
export interface SourceProblem {
  severity: "error" | "warning";
  line: number;
  column: number;
  what: string;
  hint: string;
}
export interface CounterKind {
  id: string;
  title: string;
  definition: string;
  ncu: string;
  ratio: boolean;
}
export type Sums = Record<string, number>;
export interface Prediction {
  predicted_us: number;
  binding?: string;
  terms: { name: string; us: number; can_bind: boolean }[];
  roofline_datasheet_us: number;
  calibrated: boolean;
  constants_of: string;
}
export interface RunAnswer {
  problems: SourceProblem[];
  kernel?: string;
  device?: string;
  stopped?: boolean;
  blocks?: number;
  blocks_run?: number;
  steps?: number;
  findings?: Finding[];
  counters?: CounterKind[];
  totals?: Sums;
  lines?: { line: number; counters: Sums }[];
  prediction?: Prediction;
  notes?: string[];
}

export type ToRun = { id: number } & (
  | { kind: "open"; kernels: string; kit: string; ask: { file: string; kernel: string; device: string } }
  | { kind: "run"; wish: Wish }
  | { kind: "stop" });
export type FromRun = { id: number } & (
  | { kind: "launch"; launch: Launch }
  | { kind: "progress"; progress: number }
  | { kind: "answer"; answer: RunAnswer }
  | { kind: "failure"; words: string });
