// The reader's device: chosen in the header, remembered, overridden by the address; numbers in the text follow it.
import { calm, json, memory } from "./page";
import { dropParameter } from "./url";

const key = "lk-device";

export class Device {
  private readonly listeners: (() => void)[] = [];
  private readonly select = document.querySelector<HTMLSelectElement>("select#device");
  private readonly known: ReadonlySet<string>;
  private chosen: string | undefined;

  constructor(private readonly bookDevice: string) {
    this.known = new Set([...(this.select?.options ?? [])].map(({ value }) => value));
    this.chosen = this.read();
    if (this.select) {
      this.select.autocomplete = "off";
      this.select.value = this.id;
      this.select.addEventListener("change", () => this.choose(this.select?.value ?? this.bookDevice));
    }
    if (this.id !== this.bookDevice) follow(this.id, false);
    delete document.documentElement.dataset["away"];
    addEventListener("popstate", () => this.adopt(this.read()));
    addEventListener("storage", (event) => {
      if (event.key === key) this.adopt(this.read());
    });
  }

  get id(): string {
    return this.chosen ?? this.bookDevice;
  }

  /// The reader's choice, or undefined while there is none.
  choice(): string | undefined {
    return this.chosen;
  }

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }

  private usable(id: string | null | undefined): string | undefined {
    return id && (this.known.size === 0 || this.known.has(id)) ? id : undefined;
  }

  private read(): string | undefined {
    return this.usable(new URLSearchParams(location.search).get("device")) ?? this.usable(memory.get(key));
  }

  private choose(id: string): void {
    memory.set(key, id === this.bookDevice ? undefined : id);
    dropParameter("device");
    this.adopt(id);
  }

  private adopt(id: string | undefined): void {
    const before = this.id;
    this.chosen = id;
    if (this.select) this.select.value = this.id;
    if (this.id === before) return;
    follow(this.id, true);
    for (const listener of this.listeners) listener();
  }
}

type Texts = Record<string, string>;

export function follow(device: string, show: boolean): void {
  const table = json<Record<string, Texts>>("lk-values") ?? {};
  for (const value of document.querySelectorAll<HTMLElement>("data.value[data-v]")) {
    let all = table[value.dataset["v"] ?? ""];
    if (value.dataset["all"]) all = JSON.parse(value.dataset["all"]) as Texts;
    const text = all?.[device];
    if (text === undefined) continue;
    const box = value.querySelector<HTMLElement>("span:not([aria-hidden])") ?? value;
    if (box.textContent === text) continue;
    box.textContent = text;
    value.setAttribute("value", /[\d.]+/.exec(text.replaceAll(",", ""))?.[0] ?? text);
    if (show && !calm()) fade(value);
  }
}

/// A changed number lights up and cools down.
function fade(value: HTMLElement): void {
  value.classList.remove("cooling");
  value.classList.add("fresh");
  requestAnimationFrame(() => requestAnimationFrame(() => {
    value.classList.add("cooling");
    value.classList.remove("fresh");
    setTimeout(() => value.classList.remove("cooling"), 700);
  }));
}
