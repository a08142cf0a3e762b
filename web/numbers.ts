// Numbers as people type them, and the positions of sliders.

/// Plain text of a typed number, or undefined. "1,5" is one and a half everywhere; "10,000" and "1 000" are thousands;
/// a unit after the number may stand.
export function read(typed: string, unit = ""): string | undefined {
  let text = typed.trim().replace(/[\s\u00a0\u2009\u202f_'’]/g, "").replace(/\u2212/g, "-");
  const tail = unit.replace(/\s/g, "");
  if (tail && text.toLowerCase().endsWith(tail.toLowerCase())) text = text.slice(0, -tail.length);
  const comma = text.lastIndexOf(",");
  const dot = text.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) {
    // Both: the last one divides whole from part, the other groups.
    text = comma > dot ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  } else if (/^-?[1-9]\d{0,2}(,\d{3})+$/.test(text)) {
    text = text.replaceAll(",", "");
  } else {
    text = text.replace(",", ".");
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? String(value) : undefined;
}

export interface Range {
  lo: number;
  hi: number;
  step: number;
  log: boolean;
}

/// Positions of a logarithmic slider run from 0 to this.
export const positions = 1000;

export function toPosition(value: number, range: Range): number {
  if (!range.log) return value;
  return Math.round((positions * Math.log(value / range.lo)) / Math.log(range.hi / range.lo));
}

const digits = (step: number): number => (step > 0 && step < 1 ? Math.min(12, Math.ceil(-Math.log10(step) - 1e-9)) : 0);

function onStep(value: number, range: Range): number {
  const stepped = range.step > 0 ? range.lo + Math.round((value - range.lo) / range.step) * range.step : value;
  return Math.min(range.hi, Math.max(range.lo, stepped));
}

/// The value at a slider position, as plain text. `current` is where it stands: a key press that moves the thumb by less
/// than a step still moves the value.
export function fromPosition(position: number, range: Range, current: number): string {
  if (!range.log) return String(position);
  const before = toPosition(current, range);
  if (position <= 0) return String(range.lo);
  if (position >= positions) return String(range.hi);
  const raw = range.lo * (range.hi / range.lo) ** (position / positions);
  let value = onStep(Number(raw.toPrecision(3)), range);
  if (value === current && position !== before) value = onStep(current + Math.sign(position - before) * range.step, range);
  return String(Number(value.toFixed(Math.max(digits(range.step), 0))));
}

/// Share of the track that lies left of the thumb.
export function share(position: number, min: number, max: number): number {
  return max > min ? Math.min(1, Math.max(0, (position - min) / (max - min))) : 0;
}
