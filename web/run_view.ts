// What a run found, as elements: time with its parts, counters beside the run before, findings.
import type { CounterKind, Finding, Prediction, RunAnswer, SourceProblem, Sums } from "./run_messages";

export function element<K extends keyof HTMLElementTagNameMap>(name: K, className = "", words = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (words) made.textContent = words;
  return made;
}

const plain = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en-US", { notation: "compact", maximumSignificantDigits: 3 });

export const count = (v: number): string => (Number.isInteger(v) || Math.abs(v) >= 1e4 ? whole : plain).format(v);
export const compact = (v: number): string => (Math.abs(v) < 1e4 ? count(v) : short.format(v));
export const percent = (v: number): string => `${plain.format(100 * v)}%`;
export const shown = (kind: CounterKind, v: number): string => (kind.ratio ? percent(v) : count(v));

/// Microseconds in the unit that reads best; the space does not break.
export function time(us: number): string {
  if (us < 1) return `${plain.format(1e3 * us)} ns`;
  if (us < 1e3) return `${plain.format(us)} µs`;
  if (us < 1e6) return `${plain.format(us / 1e3)} ms`;
  return `${plain.format(us / 1e6)} s`;
}

const sign = (ratio: number): string => `${ratio < 0 ? "−" : "+"}${plain.format(Math.abs(Math.round(1000 * ratio) / 10))}%`;
export function change(now: number, before: number): string {
  if (now === before) return "same";
  if (before === 0) return "new";
  const ratio = now / before - 1;
  if (Math.abs(ratio) < 5e-4) return "same";
  return now / before >= 2 ? `× ${plain.format(now / before)}` : sign(ratio);
}

function place(at: number[]): string {
  const [x = 0, y = 0, z = 0] = at;
  return z ? `(${x}, ${y}, ${z})` : y ? `(${x}, ${y})` : String(x);
}

/// The predicted time with its parts; `measured` where this very launch was measured, `before` the run before.
export function timeView(p: Prediction, device: string, measured: number | undefined, before: Prediction | undefined): HTMLElement {
  const box = element("section", "run__time");
  const head = element("p", "run__big");
  head.append(element("b", "", time(p.predicted_us)), ` predicted on ${device}`);
  if (before) head.append(" ", element("span", "run__delta", `${change(p.predicted_us, before.predicted_us)} against the run before`));
  box.append(head);
  const more: string[] = [];
  if (measured !== undefined) more.push(`Measured: ${time(measured)}; the prediction is off by ${sign(p.predicted_us / measured - 1)}.`);
  if (p.binding) more.push(`The limit: ${p.binding}.`);
  if (!p.calibrated) more.push(`Not calibrated for this device: constants of the ${p.constants_of}, scaled by the datasheet.`);
  if (more.length) box.append(element("p", "run__why", more.join(" ")));
  const list = element("dl", "run__terms");
  const parts = p.terms.filter((term) => term.us > 0.0005 * p.predicted_us);
  const most = Math.max(...parts.map((term) => term.us));
  for (const term of parts) {
    const name = element("dt", "", term.name);
    const value = element("dd");
    const bar = element("span", term.name === p.binding ? "run__bar run__bar--limit" : "run__bar");
    bar.style.setProperty("--part", String(term.us / most));
    value.append(bar, element("span", "run__us", time(term.us)));
    list.append(name, value);
  }
  box.append(list, element("p", "run__fine", "Parts overlap, so they do not add up. Computed from the counters below, with constants measured on an H200."));
  return box;
}

export function counterTable(kinds: CounterKind[], now: Sums, before: Sums | undefined): HTMLTableElement {
  const table = element("table", "run__table");
  const head = table.createTHead().insertRow();
  for (const words of before ? ["Counter", "This run", "Before", "Change"] : ["Counter", "This run"]) {
    const cell = element("th", "", words);
    cell.scope = "col";
    head.append(cell);
  }
  const body = table.createTBody();
  for (const kind of kinds) {
    const v = now[kind.id] ?? 0;
    const old = before?.[kind.id];
    if (!v && !old) continue;
    const row = body.insertRow();
    const name = element("th");
    name.scope = "row";
    const words = element("details");
    words.append(element("summary", "", kind.title), element("p", "", kind.definition));
    if (kind.ncu) {
      const ncu = element("p", "", "In Nsight Compute: ");
      ncu.append(element("code", "", kind.ncu));
      words.append(ncu);
    }
    name.append(words);
    row.append(name, element("td", "", shown(kind, v)));
    if (before) row.append(element("td", "", old === undefined ? "—" : shown(kind, old)), element("td", "", old === undefined ? "" : change(v, old)));
  }
  return table;
}

/// One line for each finding or problem of the source; `go` moves the editor there.
export function findingList(findings: Finding[], problems: SourceProblem[], go: (line: number, column: number) => void): HTMLElement {
  const list = element("ul", "run__found");
  const item = (kind: string, what: string, hint: string, line: number, column: number, more: string, bad: boolean): void => {
    const entry = element("li", bad ? "run__bad" : "run__mild");
    const button = element("button", "run__go", `Line ${line}`);
    button.type = "button";
    button.addEventListener("click", () => go(line, column));
    const words = element("p");
    words.append(button, " ", element("b", "", kind), ` ${what}${/[.!?]$/.test(what) ? "" : "."}${hint ? ` ${hint}${/[.!?]$/.test(hint) ? "" : "."}` : ""}`);
    entry.append(words);
    if (more) entry.append(element("p", "run__who", more));
    list.append(entry);
  };
  for (const p of problems) item(p.severity, p.what, p.hint, p.line, p.column, "", p.severity === "error");
  for (const f of findings) {
    const who = [`Block ${place(f.block)}, thread ${place(f.thread)}`];
    if (f.other) who.push(`against ${f.other_thread ? `thread ${place(f.other_thread)} in ` : ""}line ${f.other.line}`);
    if (f.times > 1) who.push(`${count(f.times)} times`);
    item(f.kind, f.what, f.hint, f.at.line, f.at.column, `${who.join(", ")}.`, true);
  }
  return list;
}

/// One sentence for the status line and for screen readers.
export function sentence(answer: RunAnswer, seconds: number): string {
  const errors = answer.problems.filter((p) => p.severity === "error").length;
  if (errors) return errors === 1 ? "One error in the source: nothing was run." : `${errors} errors in the source: nothing was run.`;
  const all = `${count(answer.blocks ?? 0)} ${answer.blocks === 1 ? "block" : "blocks"}`;
  const ran = answer.blocks_run === answer.blocks ? all : `${count(answer.blocks_run ?? 0)} of ${all}`;
  const found = answer.findings?.length ?? 0;
  const checks = found === 0 ? "The checks found nothing." : found === 1 ? "The checks found one fault." : `The checks found ${found} faults.`;
  return `${answer.stopped ? "Stopped after" : "Ran"} ${ran} in ${time(seconds * 1e6)}. ${checks}`;
}
