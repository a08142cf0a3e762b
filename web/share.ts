// The box under a figure with text to copy: a link to its state, or code that embeds it. It comes when somebody asks for it.
import { confirm, copy } from "./page";

export interface Sharing {
  figure: HTMLElement;
  uid: string;
  /// What a link to the state is.
  address(): string;
  /// The state for another page, "roofline.intensity=12".
  query(): string;
  /// The box has gone.
  closed(): void;
  sized(): void;
}

/// The frame, and a line that gives it the height it reports.
function code({ figure, query }: Sharing): string {
  const tool = figure.querySelector<HTMLElement>("[data-tool=embed]");
  const base = (tool?.dataset["url"] ?? `/embed/${figure.dataset["figure"] ?? ""}/`).split("?")[0] ?? "";
  const state = query();
  const url = new URL(base + (state ? `?${state}` : ""), location.href).href;
  const title = figure.querySelector(".fig__head :is(h2, h3)")?.textContent?.trim() ?? figure.dataset["figure"] ?? "";
  const height = Math.ceil(figure.getBoundingClientRect().height);
  const fit = `addEventListener("message",({data:d,source:s})=>{if(d?.type==="learn-kernels:height")for(const f of document.querySelectorAll("iframe"))if(f.contentWindow===s)f.height=d.height})`;
  return `<iframe src="${url}" title="${title.replaceAll('"', "&quot;")}" width="100%" height="${height}" loading="lazy"></iframe><script>${fit}</script>`;
}

/// Opens the box in place of one that is open. What it returns brings its text up to date.
export function box(what: "link" | "embed", sharing: Sharing): () => void {
  const { figure, uid, closed, sized } = sharing;
  figure.querySelector(".embed-code")?.remove();
  const text = (): string => what === "link" ? sharing.address() : code(sharing);
  const made = document.createElement("div");
  made.className = "embed-code";
  const input = document.createElement("input");
  input.type = "text";
  input.readOnly = true;
  input.id = `${uid}-${what}-text`;
  input.value = text();
  input.setAttribute("aria-label", what === "link" ? "Link to this state" : "Code to embed this figure");
  input.addEventListener("focus", () => input.select());
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    if (await copy(input.value)) confirm(button, "Copied");
    else input.select();
  });
  made.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    closed();
    figure.querySelector<HTMLElement>(`[data-tool=${what}]`)?.focus();
  });
  made.append(input, button);
  figure.querySelector(".fig__tools")?.append(made);
  input.focus();
  sized();
  return () => {
    input.value = text();
  };
}
