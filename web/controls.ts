// The controls of one figure: native inputs, kept in step with the figure's fields.
import type { FieldSpec, Option } from "./engine";
import { fromPosition, read, share } from "./numbers";

export interface Sink {
  /// The reader set a field. `settled` is false while a slider moves.
  set(field: string, value: string, settled: boolean): void;
  /// The hand is over a slider: these are the values that it can give, the nearest first.
  near(field: string, values: Iterable<string>): void;
}

type Control = HTMLInputElement | HTMLSelectElement;

/// One field's elements, looked up once: a drag asks for them at every move.
interface Parts {
  block: HTMLElement;
  controls: Control[];
  range: HTMLInputElement | undefined;
  box: HTMLInputElement | undefined;
  /// The line under the slider is an element of its own: a style set on the slider makes the browser match all of its parts.
  line: HTMLElement;
  unit: Element | null;
  shown: Element | null;
}

function parts(block: HTMLElement): Parts {
  const controls = [...block.querySelectorAll<Control>("input, select")];
  const input = (type: string): HTMLInputElement | undefined =>
    controls.find((one): one is HTMLInputElement => one instanceof HTMLInputElement && one.type === type);
  const range = input("range");
  const line = document.createElement("i");
  line.className = "line";
  range?.before(line);
  return { block, controls, range, box: input("text"), line, unit: block.querySelector(".unit"), shown: block.querySelector("output.num") };
}

export class Controls {
  private specs = new Map<string, FieldSpec>();
  private readonly parts = new Map<string, Parts>();
  private pressed = false;

  constructor(form: HTMLFormElement, private readonly sink: Sink) {
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => this.input(event));
    form.addEventListener("change", (event) => this.change(event));
    form.addEventListener("keydown", (event) => this.key(event));
    form.addEventListener("pointerdown", () => (this.pressed = true));
    for (const name of ["pointerup", "pointercancel"]) addEventListener(name, () => (this.pressed = false));
    for (const block of form.querySelectorAll<HTMLElement>("[data-field]")) {
      const found = parts(block);
      this.parts.set(block.dataset["field"] ?? "", found);
      this.fill(found);
    }
    form.addEventListener("pointerover", ({ target }) => {
      if (target instanceof HTMLInputElement && target.type === "range" && !this.pressed) this.sink.near(this.field(target), this.values(target));
    });
    form.autocomplete = "off";
    const picker = document.querySelector("#device");
    for (const list of picker ? form.querySelectorAll<HTMLSelectElement>("[data-kind=device] select") : []) {
      const { value } = list;
      list.replaceChildren(...picker?.cloneNode(true).childNodes ?? []);
      list.value = value;
    }
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

  /// What the slider can give, from where it stands outwards.
  private *values(slider: HTMLInputElement): Generator<string> {
    const spec = this.specs.get(this.field(slider));
    if (!spec) return;
    const log = spec.steps === "log";
    const step = log ? 1 : Number(slider.step) || 1;
    const [min, max, from] = [Number(slider.min), Number(slider.max), Number(slider.value)];
    for (let away = step; from - away >= min || from + away <= max; away += step)
      for (const place of [from + away, from - away])
        if (place >= min && place <= max) yield log ? fromPosition(place, spec) : String(Number(place.toPrecision(12)));
  }

  private fill({ range, line }: Parts): void {
    if (range) line.style.backgroundSize = `${(100 * share(Number(range.value), Number(range.min), Number(range.max))).toFixed(2)}% 2px, 100% 2px`;
  }

  private input({ target }: Event): void {
    if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
    const field = this.field(target);
    const value = this.at(target);
    const own = this.parts.get(field);
    if (own) this.fill(own);
    if (own?.box) {
      own.box.value = value;
      this.valid(own.box);
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
      const own = this.parts.get(spec.id);
      if (!own) continue;
      const { block, range, box } = own;
      if (before?.changed !== spec.changed) block.classList.toggle("changed", spec.changed);
      if (before && sameSpec(before, spec) && !box?.hasAttribute("aria-invalid")) {
        // Nothing moved here; a thumb between two steps still comes to rest.
        if (range && !this.pressed) this.placeSlider(own, range, spec);
        continue;
      }
      this.place(own, spec);
      if (spec.unavailable && !(before && sameOptions(before, spec))) this.options(block, spec.unavailable);
      const name = spec.doc && block.querySelector<HTMLElement>(".lab, .check");
      if (name && spec.doc) name.title = spec.doc;
    }
  }

  private place(own: Parts, spec: FieldSpec): void {
    const { unit, shown } = own; // "element", "elements"
    if (unit && unit.textContent !== spec.unit) unit.textContent = spec.unit;
    if (shown) shown.textContent = spec.shown;
    for (const control of own.controls) {
      if (control instanceof HTMLSelectElement) control.value = spec.value;
      else if (control.type === "radio") control.checked = control.value === spec.value;
      else if (control.type === "checkbox") control.checked = spec.value === "on" || spec.value === "true";
      else if (control.type === "range") this.placeSlider(own, control, spec);
      else if (document.activeElement !== control || control.value === (control.dataset["value"] ?? control.defaultValue) || !control.hasAttribute("aria-invalid")) {
        if (control.value !== spec.value && (document.activeElement !== control || read(control.value) !== undefined)) control.value = spec.value;
        control.dataset["value"] = spec.value;
        if (control.value === spec.value) this.valid(control);
      }
    }
  }

  private placeSlider(own: Parts, slider: HTMLInputElement, spec: FieldSpec): void {
    const log = spec.steps === "log";
    const [min, max] = log ? [0, spec.positions] : [spec.lo, spec.hi];
    const resized = Number(slider.min) !== min || Number(slider.max) !== max;
    if (resized) {
      slider.min = String(min);
      slider.max = String(max);
    }
    if (this.pressed) {
      if (resized) this.fill(own);
      return; // the hand owns the thumb; its end is read out, not its way
    }
    const place = String(log ? spec.position : spec.value);
    if (slider.value !== place) slider.value = place;
    if (slider.getAttribute("aria-valuetext") !== spec.shown) slider.setAttribute("aria-valuetext", spec.shown);
    this.fill(own);
  }

  private options(block: HTMLElement, unavailable: readonly Option[]): void {
    const why = new Map(unavailable.map(({ id, why_not }) => [id, why_not]));
    for (const option of block.querySelectorAll<HTMLOptionElement | HTMLInputElement>("option, input[type=radio]")) {
      const not = why.get(option.value);
      option.disabled = not !== undefined;
      if (option instanceof HTMLInputElement && option.parentElement) option.parentElement.title = not ?? "";
    }
    const names = new Map<string, string[]>();
    for (const { label, why_not } of unavailable) names.set(why_not, [...names.get(why_not) ?? [], label]);
    const reasons = [...names].map(([reason, labels]) => `${labels.join(", ")}: ${reason}`);
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

function sameOptions(a: FieldSpec, b: FieldSpec): boolean {
  const [is, to] = [a.unavailable ?? [], b.unavailable ?? []];
  return is.length === to.length && is.every(({ id, why_not }, at) => id === to[at]?.id && why_not === to[at]?.why_not);
}

function sameSpec(a: FieldSpec, b: FieldSpec): boolean {
  return a.value === b.value && a.lo === b.lo && a.hi === b.hi && a.shown === b.shown && sameOptions(a, b);
}
