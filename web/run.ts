// "Run this": a sheet with a listing's source, its launch and what the interpreter says of both. Everything runs in this browser.
import { page } from "./page";
import type { FromRun, Launch, RunAnswer, ToRun, Wish } from "./run_messages";
import { compact, counterTable, element, findingList, sentence, shown, timeView } from "./run_view";

const here = (name: string): string => new URL(`./${name}`, import.meta.url).href;
const shownLines = 4096; // beyond, a gutter of counts is no help

function style(): Promise<void> {
  return new Promise((done) => {
    const link = element("link");
    link.rel = "stylesheet";
    link.href = here("run.css");
    link.onload = link.onerror = () => done();
    document.head.append(link);
  });
}

interface Shape {
  grid: HTMLInputElement;
  block: HTMLInputElement;
  dynamic_shared: HTMLInputElement;
}

class Sheet {
  private readonly dialog = element("dialog", "run");
  private readonly title = element("h2", "", "Run this");
  private readonly source = element("textarea", "run__src");
  private readonly marks = element("div", "run__marks");
  private readonly gutter = element("div", "run__gutter");
  private readonly counter = element("select");
  private readonly form = element("form", "run__form");
  private readonly fields = element("div", "run__fields");
  private readonly go = element("button", "btn btn--main", "Run");
  private readonly stopper = element("button", "btn", "Stop");
  private readonly undo = element("button", "btn", "Back to the listing");
  private readonly bar = element("progress");
  private readonly status = element("p", "run__status");
  private readonly results = element("div", "run__results");
  private readonly styled = style();
  private worker: Worker | undefined;
  private asked = 0;
  private launch: Launch | undefined;
  private shape: Shape | undefined;
  private arguments = new Map<string, HTMLInputElement>();
  private last: RunAnswer | undefined;
  private before: RunAnswer | undefined;
  private began = 0;

  constructor() {
    const { dialog, title, source, marks, gutter, counter, form, fields, go, stopper, undo, bar, status, results } = this;
    dialog.setAttribute("aria-labelledby", "run-title");
    title.id = "run-title";
    const shut = element("button", "btn", "Close");
    shut.type = "button";
    shut.addEventListener("click", () => dialog.close());
    const head = element("header", "run__head");
    head.append(title, shut);

    source.spellcheck = false;
    source.setAttribute("autocapitalize", "off");
    source.setAttribute("autocomplete", "off");
    source.setAttribute("aria-label", "Source of the kernel. Tab leaves the field.");
    source.wrap = "off";
    marks.setAttribute("aria-hidden", "true");
    gutter.setAttribute("aria-hidden", "true");
    source.addEventListener("input", () => this.edited());
    const sheet = element("div", "run__sheet");
    sheet.append(marks, source);
    const editor = element("div", "run__editor");
    editor.append(gutter, sheet);
    const pick = element("label", "run__pick", "Beside each line: ");
    counter.addEventListener("change", () => this.number());
    pick.append(counter);
    const left = element("div", "run__left");
    left.append(pick, editor);

    for (const [button, type] of [[go, "submit"], [stopper, "button"], [undo, "button"]] as const) button.type = type;
    stopper.hidden = undo.hidden = bar.hidden = true;
    bar.setAttribute("aria-label", "Progress of the run");
    bar.max = 1;
    status.setAttribute("role", "status");
    const row = element("div", "run__row");
    row.append(go, stopper, undo);
    form.append(fields, row, bar, status);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    stopper.addEventListener("click", () => this.stop());
    undo.addEventListener("click", () => {
      if (this.launch) source.value = this.launch.source;
      this.edited();
      source.focus();
    });
    const right = element("div", "run__right");
    right.append(form, results);
    const body = element("div", "run__body");
    body.append(left, right);
    dialog.append(head, body);
    dialog.addEventListener("close", () => this.stop());
    dialog.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.run();
      }
    });
    document.body.append(dialog);
  }

  async open(file: string, kernel: string, opener: HTMLElement): Promise<void> {
    await this.styled;
    this.dialog.addEventListener("close", () => opener.focus(), { once: true });
    this.dialog.showModal();
    if (this.launch?.file === file && this.launch.function === kernel) return;
    this.launch = undefined;
    this.last = this.before = undefined;
    this.results.replaceChildren();
    this.fields.replaceChildren();
    this.source.value = "";
    this.number();
    this.go.disabled = true;
    this.say("Loading the interpreter …");
    this.send({ kind: "open", kernels: here("kernels.wasm"), kit: here("kit.json"), ask: { file, kernel, device: this.device() } });
  }

  private device(): string {
    return document.querySelector<HTMLSelectElement>("header select[name=device], #device")?.value ?? page().device;
  }

  private send(message: { kind: "stop" } | Omit<Extract<ToRun, { kind: "open" }>, "id"> | Omit<Extract<ToRun, { kind: "run" }>, "id">): void {
    if (!this.worker) {
      this.worker = new Worker(here("run_worker.js"));
      this.worker.onmessage = ({ data }: MessageEvent<FromRun>) => this.got(data);
      this.worker.onerror = () => this.fail("The interpreter did not load. Check the connection, then close and open this sheet again.");
    }
    this.worker.postMessage({ ...message, id: ++this.asked });
  }

  private got(message: FromRun): void {
    if (message.id !== this.asked) return;
    switch (message.kind) {
      case "launch":
        this.begin(message.launch);
        break;
      case "progress":
        this.bar.value = message.progress;
        break;
      case "answer":
        this.answered(message.answer);
        break;
      default:
        this.fail(message.words);
    }
  }

  private say(words: string, wrong = false): void {
    this.status.textContent = words;
    this.status.classList.toggle("run__status--wrong", wrong);
  }

  private busy(is: boolean): void {
    this.go.disabled = is;
    this.stopper.hidden = this.bar.hidden = !is;
    this.bar.removeAttribute("value");
    this.dialog.setAttribute("aria-busy", String(is));
  }

  private fail(words: string): void {
    this.busy(false);
    this.say(words, true);
    if (!this.launch) {
      this.worker?.terminate();
      this.worker = undefined;
      this.go.disabled = true;
    }
  }

  private stop(): void {
    if (this.bar.hidden) return;
    this.send({ kind: "stop" });
    this.busy(false);
    this.say("Stopped.");
  }

  private field(name: string, label: string, value: string, hint = ""): HTMLInputElement {
    const box = element("div", "run__field");
    const words = element("label", "", label);
    const input = element("input");
    input.type = "text";
    input.id = `run-${name}`;
    input.value = value;
    input.autocomplete = "off";
    input.spellcheck = false;
    words.htmlFor = input.id;
    box.append(words, input);
    if (hint) {
      const small = element("small", "", hint);
      small.id = `run-${name}-hint`;
      input.setAttribute("aria-describedby", small.id);
      box.append(small);
    }
    this.fields.append(box);
    return input;
  }

  private begin(launch: Launch): void {
    this.launch = launch;
    this.title.textContent = `Run ${launch.function} of ${launch.file}`;
    this.source.value = launch.source;
    this.fields.replaceChildren();
    this.shape = {
      grid: this.field("grid", "Grid", launch.grid, "blocks: X or X,Y"),
      block: this.field("block", "Block", launch.block, "threads: X or X,Y"),
      dynamic_shared: this.field("shared", "Dynamic shared memory", launch.dynamic_shared, "bytes"),
    };
    this.arguments.clear();
    for (const { name, type, pointer, text } of launch.arguments)
      this.arguments.set(name, this.field(`arg-${name}`, `${name}: ${type}`, text, pointer ? "zeros, ones, iota or random, then : and the count" : ""));
    this.edited();
    this.go.disabled = false;
    this.reveal(launch.function);
    this.run();
  }

  /// Scrolls the editor to the kernel: listings begin with what the host needs.
  private reveal(name: string): void {
    const at = this.source.value.search(new RegExp(`__global__[^;{]*\\b${name.replace(/<.*/, "").replace(/\W/g, "")}\\s*\\(`));
    if (at > 0) this.toLine(this.source.value.slice(0, at).split("\n").length, 1, false);
  }

  private toLine(line: number, column: number, focus: boolean): void {
    const lines = this.source.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, words) => sum + words.length + 1, 0);
    const row = this.source.clientHeight / Math.max(1, lines.length);
    const editor = this.source.closest(".run__editor");
    if (editor) editor.scrollTop = Math.max(0, (line - 3) * row);
    this.source.setSelectionRange(at + column - 1, at + (lines[line - 1]?.length ?? 0));
    if (focus) this.source.focus({ preventScroll: true });
    if (focus && matchMedia("(max-width: 60em)").matches) editor?.scrollIntoView({ block: "nearest" });
  }

  private edited(): void {
    this.undo.hidden = !this.launch || this.source.value === this.launch.source;
    this.source.rows = this.source.value.split("\n").length;
    this.last = this.last && { ...this.last, lines: [], findings: [], problems: [] };
    this.number();
  }

  private untouched(wish: Wish): boolean {
    const { launch } = this;
    return !!launch && wish.source === launch.source && wish.grid === launch.grid && wish.block === launch.block && wish.dynamic_shared === launch.dynamic_shared &&
      launch.arguments.every(({ name, text }) => wish.arguments[name] === text);
  }

  private run(): void {
    const { launch, shape } = this;
    if (!launch || !shape || this.go.disabled) return;
    const wish: Wish = {
      source: this.source.value, file: launch.file, kernel: launch.function, grid: shape.grid.value, block: shape.block.value, dynamic_shared: shape.dynamic_shared.value,
      arguments: Object.fromEntries([...this.arguments].map(([name, input]) => [name, input.value])),
      device: this.device(), flushed: launch.flushed, registers: this.source.value === launch.source ? launch.registers : 0,
    };
    this.measured = this.untouched(wish) ? launch.measured_us : undefined;
    this.busy(true);
    this.say("Running …");
    this.began = performance.now();
    this.send({ kind: "run", wish });
  }

  private measured: number | undefined;

  private answered(answer: RunAnswer): void {
    this.busy(false);
    if (this.last?.totals) this.before = this.last;
    this.last = answer;
    this.say(sentence(answer, (performance.now() - this.began) / 1e3), answer.problems.some((p) => p.severity === "error"));
    const parts: HTMLElement[] = [];
    if (answer.problems.length || answer.findings?.length) parts.push(findingList(answer.findings ?? [], answer.problems, (line, column) => this.toLine(line, column, true)));
    const name = document.querySelector<HTMLOptionElement>(`option[value="${answer.device ?? ""}"]`)?.textContent ?? answer.device ?? "";
    if (answer.prediction) parts.push(timeView(answer.prediction, name, this.measured, this.before?.prediction));
    if (answer.counters && answer.totals) parts.push(counterTable(answer.counters, answer.totals, this.before?.totals));
    for (const note of answer.notes ?? []) parts.push(element("p", "run__fine", note));
    this.results.replaceChildren(...parts);
    this.choices();
    this.number();
  }

  /// The counters that a line can show.
  private choices(): void {
    const kinds = (this.last?.counters ?? []).filter(({ id }) => this.last?.lines?.some((line) => line.counters[id]));
    if (!kinds.length) return;
    const chosen = this.counter.value;
    this.counter.replaceChildren(...kinds.map(({ id, title }) => {
      const option = element("option", "", title);
      option.value = id;
      return option;
    }));
    if (kinds.some(({ id }) => id === chosen)) this.counter.value = chosen;
  }

  /// Line numbers, counts beside them, and what the checks found, under the text.
  private number(): void {
    const lines = this.source.value.split("\n");
    const kind = this.last?.counters?.find(({ id }) => id === this.counter.value);
    const counts = new Map((this.last?.lines ?? []).map(({ line, counters }) => [line, kind ? counters[kind.id] ?? 0 : 0]));
    const most = kind?.ratio ? 1 : Math.max(1, ...counts.values());
    const bad = new Set([...(this.last?.findings ?? []).flatMap(({ at, other }) => [at.line, ...(other ? [other.line] : [])]), ...(this.last?.problems ?? []).map(({ line }) => line)]);
    this.gutter.replaceChildren(...lines.slice(0, shownLines).map((_, n) => {
      const row = element("div", "run__n");
      const v = counts.get(n + 1);
      const number = element("span", "run__v", v && kind ? (kind.ratio ? shown(kind, v) : compact(v)) : "");
      if (v) number.style.setProperty("--heat", String(v / most));
      row.append(number, element("span", "run__no", String(n + 1)));
      return row;
    }));
    this.marks.replaceChildren(...lines.slice(0, shownLines).map((_, n) => element("div", bad.has(n + 1) ? "run__mark" : "")));
  }
}

let sheet: Sheet | undefined;

export function open(file: string, kernel: string, opener: HTMLElement): void {
  sheet ??= new Sheet();
  void sheet.open(file, kernel, opener);
}
