// Numbers as people type them, and the positions of sliders.

/// Plain text of a typed number, or undefined. "1,5" is one and a half everywhere; "10,000" and "1 000" are thousands, unless
/// only the fraction lies within `range`: up to 10,000, "206,125" is a little over 206. A unit after the number may stand.
export function read(typed: string, unit = "", range: { lo: number; hi: number } = { lo: -Infinity, hi: Infinity }): string | undefined {
  let text = typed.trim().replace(/[\s\u00a0\u2009\u202f_'’]/g, "").replace(/\u2212/g, "-");
  // One element, eight elements: either form may stand.
  const tail = unit.replace(/\s/g, "").toLowerCase().replace(/(?<=[a-z]{3})s$/, "");
  const bare = text.toLowerCase().replace(/(?<=[a-z]{3})s$/, "");
  if (tail && bare.endsWith(tail)) text = text.slice(0, bare.length - tail.length);
  const comma = text.lastIndexOf(",");
  const dot = text.lastIndexOf(".");
  if (comma >= 0 && dot >= 0) {
    // Both: the last one divides whole from part, the other groups.
    text = comma > dot ? text.replaceAll(".", "").replace(",", ".") : text.replaceAll(",", "");
  } else if (/^-?[1-9]\d{0,2}(,\d{3})+$/.test(text)) {
    const within = (value: number): boolean => value >= range.lo && value <= range.hi;
    const grouped = text.replaceAll(",", "");
    const fraction = text.replace(",", ".");
    text = !within(Number(grouped)) && within(Number(fraction)) ? fraction : grouped;
  } else {
    text = text.replace(",", ".");
  }
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? String(value) : undefined;
}

/// A logarithmic slider stands on whole positions from 0 to `positions`, evenly spaced in ratio.
export interface Range {
  lo: number;
  hi: number;
  positions: number;
}

/// The value at a position, as plain text: three digits, as the core rounds them.
export function fromPosition(position: number, { lo, hi, positions }: Range): string {
  if (position <= 0) return String(lo);
  if (position >= positions) return String(hi);
  return String(Math.min(hi, Math.max(lo, Number((lo * (hi / lo) ** (position / positions)).toPrecision(3)))));
}

/// Share of the track that lies left of the thumb.
export function share(position: number, min: number, max: number): number {
  return max > min ? Math.min(1, Math.max(0, (position - min) / (max - min))) : 0;
}
