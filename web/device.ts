// The reader's device: chosen in the header, remembered, overridden by the address; numbers in the text follow it.
import { calm, memory } from "./page";
import { dropParameter } from "./url";

const key = "lk-device";

export class Device {
  private readonly listeners: (() => void)[] = [];
  private readonly select = document.querySelector<HTMLSelectElement>("select#device");
  private readonly options: readonly HTMLOptionElement[];
  private readonly known: ReadonlySet<string>;
  private chosen: string | undefined;

  constructor(private readonly bookDevice: string) {
    this.options = [...(this.select?.options ?? [])];
    this.known = new Set(this.options.map(({ value }) => value));
    this.chosen = this.read();
    if (this.select) {
      this.select.autocomplete = "off";
      this.select.value = this.id;
      this.select.addEventListener("change", () => this.choose(this.select?.value ?? this.bookDevice));
    }
    if (this.id !== this.bookDevice) this.follow(false);
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

  /// Numbers in the text take the device's texts; again when text has been replaced.
  follow(show: boolean): void {
    follow(this.id, this.options, this.bookDevice, show);
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
    this.follow(true);
    for (const listener of this.listeners) listener();
  }
}

/// Numbers in the text. data-all holds their texts in the order of the picker, a space between: empty where a device cannot have the number,
/// nothing behind the last that can. There the number of the book's device stays, as in the figures, marked as such.
function follow(device: string, options: readonly HTMLOptionElement[], book: string, show: boolean): void {
  const at = options.findIndex(({ value }) => value === device);
  const own = options.findIndex(({ value }) => value === book);
  if (at < 0) return;
  for (const value of document.querySelectorAll<HTMLElement>("data.value[data-all]")) {
    const all = (value.dataset["all"] ?? "").split(" ");
    const text = all[at] || all[own] || value.textContent || "";
    const borrowed = !all[at] && at !== own;
    value.classList.toggle("value--book", borrowed);
    value.dataset["title"] ??= value.title;
    value.title = borrowed ? `For the ${options[own]?.text ?? book}: the ${options[at]?.text ?? device} has no such number` : value.dataset["title"];
    if (value.textContent === text) continue;
    value.textContent = text;
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
