// Brings a drawing to a new state by changing only what differs: most of it, axes and labels, stays from move to move.
// The texts of the drawing's parts are compared first, so that what stays is not even parsed.

interface Parts {
  svg: Element;
  open: string;
  parts: string[];
}

const shown = new WeakMap<Element, Parts>();
const parser = document.createElement("template");

/// The outer tag and the texts of the elements right below it. Attribute values hold no ">": the renderer escapes it.
function split(text: string): { open: string; parts: string[] } | undefined {
  const tag = /<(\/?)[a-zA-Z][^>]*?(\/?)>/g;
  const first = tag.exec(text);
  if (!first) return undefined;
  const parts: string[] = [];
  let depth = 0;
  let start = tag.lastIndex;
  for (let found = tag.exec(text); found; found = tag.exec(text)) {
    if (found[1]) depth--;
    else if (!found[2]) depth++;
    if (depth < 0) return text.slice(start, found.index).trim() ? undefined : { open: first[0], parts };
    if (depth > 0) continue;
    parts.push(text.slice(start, tag.lastIndex));
    start = tag.lastIndex;
  }
  return undefined;
}

function parse(text: string): Element | null {
  parser.innerHTML = text;
  const element = parser.content.firstElementChild;
  element?.remove();
  return element;
}

function attributes(old: Element, next: Element): void {
  const wanted = next.attributes;
  for (let at = 0; at < wanted.length; at++) {
    const { name, value } = wanted[at] as Attr;
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old.attributes.length > wanted.length)
    for (const { name } of [...old.attributes]) if (!next.hasAttribute(name)) old.removeAttribute(name);
}

function morph(node: ChildNode, to: ChildNode): void {
  if (node.nodeName !== to.nodeName) node.replaceWith(to);
  else if (node instanceof Element && to instanceof Element) {
    attributes(node, to);
    line(node, [...node.childNodes], [...to.childNodes], null);
  } else if (node.nodeValue !== to.nodeValue) node.nodeValue = to.nodeValue;
}

/// Turns the run `is` of children into the run `wanted`; what is new stands before `after`.
function line(holder: Element, is: ChildNode[], wanted: ChildNode[], after: ChildNode | null): void {
  is.forEach((node, at) => {
    const to = wanted[at];
    if (to) morph(node, to);
    else node.remove();
  });
  for (const to of wanted.slice(is.length)) holder.insertBefore(to, after);
}

/// Shows `svg`, the text of one element, in `holder`.
export function draw(holder: Element, svg: string): void {
  const next = split(svg);
  const now = shown.get(holder);
  if (!next || !now || now.svg.parentNode !== holder || now.svg.children.length !== now.parts.length) {
    const element = parse(svg);
    holder.replaceChildren(...(element ? [element] : []));
    if (element && next && element.children.length === next.parts.length) shown.set(holder, { svg: element, ...next });
    else shown.delete(holder);
    return;
  }
  const [is, wanted] = [now.parts, next.parts];
  const short = Math.min(is.length, wanted.length);
  const children = [...now.svg.children];
  const changed = next.open !== now.open;
  let start = 0;
  let end = 0;
  while (start < short && is[start] === wanted[start]) start++;
  while (end < short - start && is[is.length - 1 - end] === wanted[wanted.length - 1 - end]) end++;
  const same = is.length === wanted.length;
  const come = wanted.slice(start, wanted.length - end).filter((part, at) => !same || part !== is[start + at]);
  if (changed || come.length) {
    const element = parse(`${next.open}${come.join("")}</svg>`);
    if (element) {
      if (changed) attributes(now.svg, element);
      const stay = children.slice(start, children.length - end).filter((_, at) => !same || wanted[start + at] !== is[start + at]);
      line(now.svg, stay, [...element.children], children[children.length - end] ?? null);
    }
  } else if (start < is.length - end) {
    for (const child of children.slice(start, children.length - end)) child.remove();
  }
  shown.set(holder, { svg: now.svg, ...next });
}
