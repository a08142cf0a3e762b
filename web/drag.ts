// Dragging marks. The pointer is captured by the drawing's container, which stays while the marks in it are replaced.

export interface Grip {
  field: string;
  panel: number;
  mark: number;
}

export interface Hand {
  /// The pointer is at `x` px of the drawing.
  move(grip: Grip, x: number): void;
  /// A click or tap on a mark that sets "field=value".
  set(pair: string): void;
}

function grip(of: Element): Grip | undefined {
  const group = of.closest<SVGElement>("[data-drag]");
  if (!group) return undefined;
  return { field: group.dataset["drag"] ?? "", panel: Number(group.dataset["panel"]), mark: Number(group.dataset["mark"]) };
}

export function drags(draw: HTMLElement, hand: Hand): void {
  let held: { pointer: number; grip: Grip; from: number; offset: number; moved: boolean } | undefined;
  const left = (): number => (draw.querySelector("svg") ?? draw).getBoundingClientRect().left;

  draw.addEventListener("pointerdown", (event) => {
    if (held || event.button !== 0 || !(event.target instanceof Element)) return;
    const found = grip(event.target);
    if (!found) return;
    const handle = event.target.closest("[data-drag]")?.querySelector(".hit") ?? undefined;
    const box = handle?.getBoundingClientRect();
    const offset = box ? box.left + box.width / 2 - event.clientX : 0;
    held = { pointer: event.pointerId, grip: found, from: event.clientX, offset, moved: false };
    draw.setPointerCapture(event.pointerId);
    draw.dataset["held"] = found.field;
    event.preventDefault(); // no text selection; focus stays where it was
  });

  draw.addEventListener("pointermove", (event) => {
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.moved && Math.abs(event.clientX - held.from) < 2) return;
    held.moved = true;
    // The mark may have been replaced, and another may stand before it now.
    const again = draw.querySelector(`[data-drag="${held.grip.field}"]`);
    const now = again ? grip(again) : undefined;
    if (now) held.grip = now;
    hand.move(held.grip, event.clientX + held.offset - left());
  });

  const end = (event: PointerEvent): void => {
    if (!held || event.pointerId !== held.pointer) return;
    held = undefined;
    delete draw.dataset["held"];
  };
  for (const name of ["pointerup", "pointercancel", "lostpointercapture"] as const) draw.addEventListener(name, end);

  draw.addEventListener("click", (event) => {
    const pair = event.target instanceof Element ? event.target.closest<SVGElement>("[data-set]")?.dataset["set"] : undefined;
    if (pair) hand.set(pair);
  });
}
