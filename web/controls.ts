// The controls of one figure: native inputs, kept in step with the figure's fields.
import type { FieldSpec, Option } from "./engine";
import { fromPosition, read, share } from "./numbers";

export interface Sink {
  /// The reader set a field. `settled` is false while a slider moves.
  set(field: string, value: string, settled: boolean): void;
}

type Control = HTMLInputElement | HTMLSelectElement;

export class Controls {
  private specs = new Map<string, FieldSpec>();
  private pressed = false;

  constructor(private readonly form: HTMLFormElement, private readonly sink: Sink) {
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => this.input(event));
    form.addEventListener("change", (event) => this.change(event));
    form.addEventListener("keydown", (event) => this.key(event));
    form.addEventListener("pointerdown", () => (this.pressed = true));
    for (const name of ["pointerup", "pointercancel"]) form.addEventListener(name, () => (this.pressed = false));
    for (const range of form.querySelectorAll<HTMLInputElement>("input[type=range]")) this.fill(range);
    form.autocomplete = "off";
  }

  private block(of: Element): HTMLElement | null {
    return of.closest<HTMLElement>("[data-field]");
  }

  private field(of: Element): string {
    return this.block(of)?.dataset["field"] ?? "";
  }

  /// Before the first answer the slider itself says what it covers.
  private at(slider: HTMLInputElement): string {
    const position = Number(slider.value);
    const spec = this.specs.get(this.field(slider));
    if (spec) return spec.steps === "log" ? fromPosition(position, spec) : slider.value;
    const { lo, hi, scale } = slider.dataset;
    return scale === "log" ? fromPosition(position, { lo: Number(lo), hi: Number(hi), positions: Number(slider.max) }) : slider.value;
  }

  private fill(slider: HTMLInputElement): void {
    slider.style.setProperty("--fill", `${(100 * share(Number(slider.value), Number(slider.min), Number(slider.max))).toFixed(2)}%`);
  }

  private text(field: string): HTMLInputElement | null {
    return this.form.querySelector<HTMLInputElement>(`[data-field="${field}"] input[type=text]`);
  }

  private input({ target }: Event): void {
    if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
    const field = this.field(target);
    const box = this.text(field);
    const value = this.at(target);
    this.fill(target);
    if (box) {
      box.value = value;
      this.valid(box);
    }
    this.sink.set(field, value, false);
  }

  private change({ target }: Event): void {
    if (!(target instanceof HTMLInputElement || target instanceof HTMLSelectElement)) return;
    const field = this.field(target);
    if (!field) return;
    if (target instanceof HTMLSelectElement) this.sink.set(field, target.value, true);
    else if (target.type === "checkbox") this.sink.set(field, target.checked ? "on" : "off", true);
    else if (target.type === "radio") this.sink.set(field, target.value, true);
    else if (target.type === "range") this.sink.set(field, this.at(target), true);
    else this.commit(target);
  }

  private key(event: KeyboardEvent): void {
    const { target } = event;
    if (!(target instanceof HTMLInputElement) || target.type !== "text") return;
    if (event.key === "Enter") {
      event.preventDefault();
      this.commit(target);
    } else if (event.key === "Escape") {
      event.preventDefault();
      const spec = this.specs.get(this.field(target));
      target.value = spec?.value ?? target.defaultValue;
      this.valid(target);
    }
  }

  private commit(box: HTMLInputElement): void {
    const block = this.block(box);
    const field = this.field(box);
    const spec = this.specs.get(field);
    const kind = spec?.kind ?? block?.dataset["kind"];
    if (kind === "text") {
      this.sink.set(field, box.value, true);
      return;
    }
    const value = read(box.value, block?.querySelector(".unit")?.textContent ?? "", spec);
    if (value === undefined) this.invalid(box, box.value.trim() ? "This is no number. Write 1.5 or 1,5." : "Write a number, such as 1.5.");
    else if (kind === "integer" && !Number.isInteger(Number(value))) this.invalid(box, "Only whole numbers are possible here.");
    else {
      this.valid(box);
      this.sink.set(field, value, true);
    }
  }

  private invalid(box: HTMLInputElement, words: string): void {
    const id = `${box.id}-wrong`;
    let line = document.getElementById(id);
    if (!line) {
      line = document.createElement("span");
      line.id = id;
      line.className = "wrong";
      line.setAttribute("role", "alert");
      this.block(box)?.append(line);
    }
    line.textContent = words;
    box.setAttribute("aria-invalid", "true");
    box.setAttribute("aria-describedby", id);
  }

  private valid(box: HTMLInputElement): void {
    if (!box.hasAttribute("aria-invalid")) return;
    document.getElementById(`${box.id}-wrong`)?.remove();
    box.removeAttribute("aria-invalid");
    box.removeAttribute("aria-describedby");
  }

  /// Brings the inputs in step with what the core made of the values.
  show(specs: readonly FieldSpec[]): void {
    for (const spec of specs) {
      const before = this.specs.get(spec.id);
      this.specs.set(spec.id, spec);
      const block = this.form.querySelector<HTMLElement>(`[data-field="${spec.id}"]`);
      if (!block) continue;
      if (before?.changed !== spec.changed) block.classList.toggle("changed", spec.changed);
      if (before && sameSpec(before, spec) && !block.querySelector("[aria-invalid]")) {
        // Nothing moved here; a thumb between two steps still comes to rest.
        const slider = this.pressed ? null : block.querySelector<HTMLInputElement>("input[type=range]");
        if (slider) this.placeSlider(slider, spec);
        continue;
      }
      this.place(block, spec);
      if (spec.options) this.options(block, spec.options);
    }
  }

  private place(block: HTMLElement, spec: FieldSpec): void {
    const unit = block.querySelector(".unit"); // "element", "elements"
    if (unit && unit.textContent !== spec.unit) unit.textContent = spec.unit;
    const shown = block.querySelector("output.num");
    if (shown) shown.textContent = spec.shown;
    for (const control of block.querySelectorAll<Control>("input, select")) {
      if (control instanceof HTMLSelectElement) control.value = spec.value;
      else if (control.type === "radio") control.checked = control.value === spec.value;
      else if (control.type === "checkbox") control.checked = spec.value === "on" || spec.value === "true";
      else if (control.type === "range") this.placeSlider(control, spec);
      else if (document.activeElement !== control || control.value === control.dataset["value"] || !control.hasAttribute("aria-invalid")) {
        if (control.value !== spec.value && (document.activeElement !== control || read(control.value) !== undefined)) control.value = spec.value;
        control.dataset["value"] = spec.value;
        if (control.value === spec.value) this.valid(control);
      }
    }
  }

  private placeSlider(slider: HTMLInputElement, spec: FieldSpec): void {
    const log = spec.steps === "log";
    const [min, max] = log ? [0, spec.positions] : [spec.lo, spec.hi];
    if (Number(slider.min) !== min || Number(slider.max) !== max) {
      slider.min = String(min);
      slider.max = String(max);
    }
    const place = String(log ? spec.position : spec.value);
    if (!this.pressed && slider.value !== place) slider.value = place;
    if (slider.getAttribute("aria-valuetext") !== spec.shown) slider.setAttribute("aria-valuetext", spec.shown);
    this.fill(slider);
  }

  private options(block: HTMLElement, options: readonly Option[]): void {
    for (const { id, why_not } of options) {
      const option = block.querySelector<HTMLOptionElement | HTMLInputElement>(`:is(option, input)[value="${id}"]`);
      if (!option) continue;
      option.disabled = Boolean(why_not);
      const holder = option instanceof HTMLInputElement ? option.parentElement : option;
      if (holder) holder.title = why_not ?? "";
    }
    const reasons = options.filter((option) => option.why_not).map((option) => `${option.label}: ${option.why_not}`);
    let hint = block.querySelector<HTMLElement>(".hint--why");
    if (!hint && reasons.length) {
      hint = document.createElement("span");
      hint.className = "hint hint--why";
      block.append(hint);
    }
    if (hint) {
      hint.textContent = reasons.join("; ");
      hint.hidden = !reasons.length;
    }
  }
}

function sameSpec(a: FieldSpec, b: FieldSpec): boolean {
  return a.value === b.value && a.lo === b.lo && a.hi === b.hi && a.shown === b.shown && JSON.stringify(a.options) === JSON.stringify(b.options);
}
