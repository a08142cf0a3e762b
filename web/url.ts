// The state of figures in the address: `roofline.intensity=12`. Only what differs from the default stands there.

import { Pause } from "./pause";

export type Values = Map<string, string>;

export function parse(query: string): Values {
  return new Map(new URLSearchParams(query));
}

/// The part of a query that belongs to one figure on the page.
export function figureState(search: string, uid: string): Values {
  const values: Values = new Map();
  for (const [key, value] of new URLSearchParams(search))
    if (key.startsWith(`${uid}.`)) values.set(key.slice(uid.length + 1), value);
  return values;
}

const escape = (text: string): string => encodeURIComponent(text).replace(/%2C/g, ",").replace(/%3A/g, ":");

export function write(values: Values, prefix = ""): string {
  return [...values].map(([key, value]) => `${escape(prefix + key)}=${escape(value)}`).join("&");
}

/// `search` with the state of figure `uid` replaced; everything else stays as it was.
export function withFigure(search: string, uid: string, values: Values): string {
  const others: Values = new Map();
  for (const [key, value] of new URLSearchParams(search)) if (!key.startsWith(`${uid}.`)) others.set(key, value);
  const text = [write(others), write(values, `${uid}.`)].filter(Boolean).join("&");
  return text ? `?${text}` : "";
}

const waiting = new Map<string, Values>();
const rest = new Pause(150, () => flush());

function flush(): void {
  rest.stop();
  let search = location.search;
  for (const [uid, values] of waiting) search = withFigure(search, uid, values);
  waiting.clear();
  if (search !== location.search) history.replaceState(history.state, "", location.pathname + search + location.hash);
}

/// Replaces the figure's part of the address once it rests: browsers limit how often that may happen, and it costs a frame.
export function replaceState(uid: string, values: Values): void {
  waiting.set(uid, new Map(values));
  rest.wait();
}

/// Writes what is waiting now, e.g. before a new history entry.
export function settle(): void {
  if (rest.waits) flush();
}

/// Forgets what is waiting: the reader has gone to another entry of the history.
export function forget(): void {
  waiting.clear();
  flush();
}

export function dropParameter(name: string): void {
  settle();
  const url = new URL(location.href);
  if (!url.searchParams.has(name)) return;
  const rest = new Map([...url.searchParams].filter(([key]) => key !== name));
  const text = write(rest);
  history.replaceState(history.state, "", location.pathname + (text ? `?${text}` : "") + location.hash);
}
