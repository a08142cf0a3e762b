// Brings a drawing to a new state by changing only what differs: most of it, axes and labels, stays from move to move.
// The texts of two drawings are compared; a parser is asked only for elements that are new.

/// One element of a drawing's text. Attributes stand in single quotes (as figure.render gives them),
/// their values hold no ">" and no "'": the renderer escapes both.
interface Piece {
  text: string;
  /// Where its opening tag ends and its closing one begins.
  opened: number;
  close: number;
  /// The elements in it, once asked for; null when other text stands between them.
  children?: Piece[] | null;
}

const shown = new WeakMap<Element, Piece>();
const parser = document.createElement("template");
const [less, more, slash] = [60, 62, 47];

/// The elements of a text, or nothing when other text stands between them.
function split(text: string, from: number, to: number): Piece[] | null {
  const pieces: Piece[] = [];
  for (let start = from; start < to;) {
    if (text.charCodeAt(start) !== less) return null;
    const opened = text.indexOf(">", start) + 1;
    if (!opened) return null;
    let end = opened;
    let close = opened;
    if (text.charCodeAt(opened - 2) !== slash) {
      for (let depth = 1; depth;) {
        close = text.indexOf("<", end);
        end = text.indexOf(">", close) + 1;
        if (close < 0 || !end) return null;
        if (text.charCodeAt(close + 1) === slash) depth--;
        else if (text.charCodeAt(end - 2) !== slash) depth++;
      }
    }
    pieces.push({ text: text.slice(start, end), opened: opened - start, close: close - start });
    start = end;
  }
  return pieces;
}

const children = (piece: Piece): Piece[] | null => (piece.children ??= split(piece.text, piece.opened, piece.close));

function parse(text: string): Element[] {
  parser.innerHTML = `<svg>${text}</svg>`;
  return [...(parser.content.firstElementChild?.children ?? [])];
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: "\"" };
const plain = (text: string): string => text.includes("&")
  ? text.replace(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (entity, name: string | undefined, code: string | undefined) => name ? entities[name] ?? entity : String.fromCodePoint(Number(code)))
  : text;

function named(text: string): string {
  let end = 1;
  for (let code = text.charCodeAt(end); code > 32 && code !== slash && code !== more; code = text.charCodeAt(++end));
  return text.slice(1, end);
}

/// Gives `node`, whose opening tag was the first `a` characters of `is`, the attributes of the first `b` of `to`.
function attributes(node: Element, is: string, a: number, to: string, b: number): void {
  // What both begin with and end with needs no look: most moves change one number.
  let same = 0;
  const short = Math.min(a, b);
  while (same < short && is.charCodeAt(same) === to.charCodeAt(same)) same++;
  if (same === a && same === b) return;
  let at = to.lastIndexOf(" ", same - 1);
  while (at > 0 && quoted(to, at)) at = to.lastIndexOf(" ", at - 1);
  if (at < 0) at = to.indexOf(" ");
  let before = is.startsWith(to.slice(0, at)) ? at : -1;
  let kept = before >= 0;
  while (at > 0 && at < b) {
    const value = to.indexOf("='", at);
    if (value < 0 || value >= b) break;
    const end = to.indexOf("'", value + 2);
    const name = to.slice(at + 1, value);
    let old: string | undefined;
    if (kept && is.startsWith(to.slice(at, value + 2), before)) {
      const stop = is.indexOf("'", before + value + 2 - at);
      old = is.slice(before + value + 2 - at, stop);
      before = stop + 1;
    } else {
      kept = false;
    }
    const now = to.slice(value + 2, end);
    if (now !== old) node.setAttribute(name, plain(now));
    at = end + 1;
    if (to.charCodeAt(at) !== 32) break;
  }
  if (kept && is.charCodeAt(before) !== 32) return;
  // Other attributes than before: those that are gone go.
  for (const { name } of [...node.attributes]) if (!to.slice(0, b).includes(` ${name}='`)) node.removeAttribute(name);
}

/// Whether position `at` of an opening tag lies in a value.
function quoted(tag: string, at: number): boolean {
  let marks = 0;
  for (let from = tag.indexOf("'"); from >= 0 && from < at; from = tag.indexOf("'", from + 1)) marks++;
  return marks % 2 === 1;
}

/// Turns `node`, which shows `is`, into `to`. False when only a new node can be that.
function patch(node: Element, is: Piece, to: Piece): boolean {
  if (is.text === to.text) return true;
  if (named(is.text) !== named(to.text)) return false;
  attributes(node, is.text, is.opened, to.text, to.opened);
  const old = children(is);
  const next = children(to);
  if (old?.length === 0 && next?.length === 0) return true;
  if (old && next && old.length === node.children.length) {
    line(node, old, next);
    return true;
  }
  const text = node.firstChild;
  if (!old && !next && text instanceof Text && node.childNodes.length === 1) {
    const words = to.text.slice(to.opened, to.close);
    if (words.includes("<")) return false;
    text.data = plain(words);
    return true;
  }
  return false;
}

/// Turns the children of `holder`, which show `is`, into `wanted`. What has the same text stays as it is; between two
/// such elements the others are changed in order.
function line(holder: Element, is: Piece[], wanted: Piece[]): void {
  const keep = (old: Piece | undefined, piece: Piece | undefined): boolean => {
    if (!old || old.text !== piece?.text) return false;
    if (old.children) piece.children = old.children;
    return true;
  };
  let from = 0;
  while (from < is.length && keep(is[from], wanted[from])) from++;
  let until = is.length;
  let end = wanted.length;
  while (until > from && end > from && keep(is[until - 1], wanted[end - 1])) until--, end--;
  if (from === until && from === end) return;
  const nodes = [...holder.children];
  const places = new Map<string, number>(); // the last of equal texts: they are rare
  for (let at = from; at < until; at++) places.set((is[at] as Piece).text, at);
  let waiting: Piece[] = [];
  const settle = (to: number): void => {
    const before = nodes[to] ?? null;
    for (const piece of waiting) {
      const [node, old] = [nodes[from], is[from]];
      if (from < to && node && old) {
        if (!patch(node, old, piece)) node.replaceWith(...parse(piece.text));
        from++;
      } else {
        for (const made of parse(piece.text)) holder.insertBefore(made, before);
      }
    }
    for (; from < to; from++) nodes[from]?.remove();
    waiting = [];
  };
  for (let n = from; n < end; n++) {
    const piece = wanted[n] as Piece;
    // The nearest one: an equal text far ahead would tear everything between them down.
    const at = places.get(piece.text);
    if (at === undefined || at < from || at - from > waiting.length + 8) {
      waiting.push(piece);
      continue;
    }
    settle(at);
    keep(is[at], piece);
    from = at + 1;
  }
  settle(until);
}

/// A drawing's text with what was found in it so far. Shown again, it need not be looked through again.
export interface Drawing {
  svg: string;
  piece?: unknown;
}

/// Shows `drawing`, the text of one element, in `holder`.
export function draw(holder: Element, drawing: Drawing): void {
  const { svg } = drawing;
  const known = drawing.piece as Piece | null | undefined;
  const pieces = known === undefined ? split(svg, 0, svg.length) : undefined;
  const next = known ?? (pieces?.length === 1 ? pieces[0] : undefined);
  drawing.piece = next ?? null;
  const now = shown.get(holder);
  const node = holder.firstElementChild;
  if (!(next && now && node && holder.childNodes.length === 1 && patch(node, now, next))) holder.innerHTML = svg;
  if (next) shown.set(holder, next);
  else shown.delete(holder);
}
