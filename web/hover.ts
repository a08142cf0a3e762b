// A mark and its row of the table show each other; a tip near the pointer reads the row out.

const on = "data-on";

function clear(figure: HTMLElement): void {
  for (const lit of figure.querySelectorAll(`[${on}]`)) lit.removeAttribute(on);
}

function light(figure: HTMLElement, row: string): void {
  clear(figure);
  for (const part of figure.querySelectorAll(`[data-row="${row}"]`)) part.setAttribute(on, "");
}

/// "vector add, intensity 0.0833 FLOP/B, ..." as lines of the tip.
function words(figure: HTMLElement, row: string): string {
  const line = figure.querySelector(`table.data tr[data-row="${row}"]`);
  if (!line) return "";
  const heads = [...figure.querySelectorAll("table.data thead th")].map((cell) => cell.querySelector(".name")?.textContent ?? cell.textContent ?? "");
  // A missing value is a dash for the eye and words for the ear: the tip is for the eye.
  const seen = (cell: Element): string => (cell.querySelector("[aria-hidden]") ?? cell).textContent ?? "";
  return [...line.children].map((cell, at) => (at === 0 ? seen(cell) : `${heads[at]?.trim()}: ${seen(cell)}`)).join("\n");
}

/// Gives what to call after the drawing has changed: its elements may stand for other rows then.
export function hovers(figure: HTMLElement, draw: HTMLElement, ready: () => Promise<void>): () => void {
  let tip: HTMLElement | undefined;
  let row: string | undefined;
  const hide = (): void => {
    row = undefined;
    tip?.remove();
    tip = undefined;
    clear(figure);
  };

  draw.addEventListener("pointerover", async (event) => {
    if (!(event.target instanceof Element) || draw.dataset["held"]) return;
    const found = event.target.closest<SVGElement>("[data-row]")?.dataset["row"];
    if (found === undefined || found === "-1") {
      if (row !== undefined) hide();
      return;
    }
    if (found === row) return;
    row = found;
    light(figure, found);
    await ready();
    if (row !== found) return;
    light(figure, found);
    const text = words(figure, found);
    if (!text) return;
    if (!tip) {
      tip = document.createElement("div");
      tip.className = "tip";
      tip.setAttribute("aria-hidden", "true"); // the table says the same
      document.body.append(tip);
    }
    tip.textContent = text;
    const { clientX, clientY } = event;
    const { width, height } = tip.getBoundingClientRect();
    const x = Math.min(Math.max(8, clientX + 14), innerWidth - width - 8);
    const y = clientY + 18 + height > innerHeight ? clientY - height - 10 : clientY + 18;
    tip.style.left = `${x + scrollX}px`;
    tip.style.top = `${y + scrollY}px`;
  });
  draw.addEventListener("pointerleave", hide);
  draw.addEventListener("pointerdown", hide);

  figure.addEventListener("pointerover", (event) => {
    if (!(event.target instanceof Element)) return;
    const line = event.target.closest<HTMLElement>("tr[data-row]");
    if (line?.dataset["row"] !== undefined) light(figure, line.dataset["row"]);
    else if (!draw.contains(event.target)) clear(figure);
  });
  figure.addEventListener("pointerleave", hide);
  return () => {
    if (!figure.querySelector(`[${on}]`)) return;
    if (row === undefined) clear(figure);
    else light(figure, row);
  };
}
