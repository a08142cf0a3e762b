// The list of keys, which opens over the page when somebody asks for it.
import { link, on, search, turn } from "./keys";
import { sheet } from "./page";

type Line = [keys: string[], does: string];

function lines(): [title: string, lines: Line[]][] {
  const everywhere: Line[] = [];
  const previous = link("prev")?.querySelector("b")?.textContent;
  const next = link("next")?.querySelector("b")?.textContent;
  everywhere.push([["["], previous ? `Previous: ${previous}` : "Previous section"], [["]"], next ? `Next: ${next}` : "Next section"]);
  if (search()) everywhere.push([["/"], "Search"]);
  everywhere.push([["?"], "These keys"], [["Esc"], "Close what has opened"]);
  const all: [string, Line[]][] = [["Everywhere", everywhere]];
  if (document.querySelector("figure[data-figure]"))
    all.push(["In a figure", [
      [["Tab"], "From control to control"],
      [["←", "→"], "Move a slider by one step"],
      [["Page Up", "Page Down"], "Move it further"],
      [["Home", "End"], "Move it to its ends"],
      [["Enter"], "Take the number that was typed"],
      [["Esc"], "Bring the old number back"],
    ]]);
  return all;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, text = "", css = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (text) made.textContent = text;
  if (css) made.className = css;
  return made;
}

function dialog(): HTMLDialogElement {
  const box = element("dialog", "", "keys");
  box.setAttribute("aria-labelledby", "keys-title");
  const title = element("h2", "Keys");
  title.id = "keys-title";
  box.append(title);
  for (const [name, list] of lines()) {
    const rows = element("dl");
    for (const [keys, does] of list) {
      const row = element("div");
      const names = element("dt");
      keys.forEach((key, n) => names.append(n ? " " : "", element("kbd", key)));
      row.append(names, element("dd", does));
      rows.append(row);
    }
    box.append(element("h3", name), rows);
  }
  const label = element("label");
  const choice = element("input");
  choice.type = "checkbox";
  choice.checked = on();
  choice.addEventListener("change", () => turn(choice.checked));
  label.append(choice, " Single keys are on");
  const close = element("button", "Close", "btn");
  close.type = "button";
  close.addEventListener("click", () => box.close());
  const end = element("div", "", "keys__end");
  end.append(label, close);
  box.append(end);
  // A click beside the box lands on the dialog itself.
  box.addEventListener("click", (event) => {
    if (event.target !== box) return;
    const { left, right, top, bottom } = box.getBoundingClientRect();
    if (event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom) box.close();
  });
  box.addEventListener("close", () => box.remove());
  return box;
}

let styled: Promise<void> | undefined;

export async function show(): Promise<void> {
  await (styled ??= sheet(new URL("./keys.css", import.meta.url).href));
  if (document.querySelector("dialog[open]")) return;
  const box = dialog();
  document.body.append(box);
  box.showModal();
  box.querySelector<HTMLElement>(".btn")?.focus();
}
