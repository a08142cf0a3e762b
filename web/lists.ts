// Filters the glossary and the reading list as the reader types. Without a script everything stands there to be read.

interface Entry {
  element: HTMLElement;
  text: string;
  kind: string;
  /// Described elsewhere on the page, and counted there.
  again: boolean;
}

/// What is compared: lower case, without accents, with plain apostrophes, dashes and spaces.
const plain = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[\u2018\u2019]/g, "'").replace(/[\u2010-\u2015]/g, "-").replace(/\s+/g, " ");

function sift(bar: HTMLElement): void {
  const list = document.querySelector<HTMLElement>("[data-list]");
  const input = bar.querySelector<HTMLInputElement>("#sift");
  const count = bar.querySelector<HTMLOutputElement>("#sift-count");
  const none = document.querySelector<HTMLElement>("#sift-none");
  if (!list || !input || !count || !none) return;
  const what = bar.dataset["sift"] ?? "entries";
  const entries: Entry[] = [...list.querySelectorAll<HTMLElement>("[data-entry]")].map((element) => ({
    element,
    // What an entry says, not where it is used: that would match nearly all.
    text: plain([...element.querySelectorAll("dt, dd:not(.see), a, small:not(.cited), p")].map((one) => one.closest(".see, .cited") ? "" : one.textContent).join(" ")),
    kind: element.dataset["kind"] ?? "",
    again: element.dataset["entry"] === "again",
  }));
  const groups = [...list.querySelectorAll<HTMLElement>("[data-group]")];
  const letters = [...document.querySelectorAll<HTMLAnchorElement>(".az a")];
  const total = entries.filter((one) => !one.again).length;
  const kind = (): string => bar.querySelector<HTMLInputElement>("input[name=kind]:checked")?.value ?? "";

  const apply = (): void => {
    const wanted = plain(input.value).split(" ").filter(Boolean);
    const only = kind();
    let shown = 0;
    for (const one of entries) {
      const fits = (!only || one.kind === only) && wanted.every((word) => one.text.includes(word));
      one.element.hidden = !fits;
      if (fits && !one.again) shown++;
    }
    for (const group of groups) group.hidden = !group.querySelector("[data-entry]:not([hidden])");
    for (const letter of letters) {
      const gone = document.getElementById(letter.hash.slice(1))?.closest<HTMLElement>("[data-group]")?.hidden ?? false;
      if (gone) letter.setAttribute("aria-disabled", "true");
      else letter.removeAttribute("aria-disabled");
    }
    const filtered = wanted.length > 0 || only !== "";
    list.toggleAttribute("data-sifted", filtered);
    count.textContent = filtered ? `${shown} of ${total} ${what}` : `${total} ${what}`;
    none.hidden = shown > 0;
    if (!shown) empty(input.value.trim(), only !== "");
  };

  const all = (): void => {
    input.value = "";
    const every = bar.querySelector<HTMLInputElement>("input[name=kind][value='']");
    if (every) every.checked = true;
    apply();
  };

  // One button for good: a new one at each letter would go from under a finger that is pressing it.
  const why = document.createElement("span");
  const back = document.createElement("button");
  back.type = "button";
  back.textContent = `Show all ${what}`;
  back.addEventListener("click", () => {
    all();
    input.focus();
  });
  none.append(why, back, ".");
  const empty = (typed: string, narrowed: boolean): void => {
    why.textContent = `None of the ${what} ${narrowed ? "of this kind " : ""}has “${typed}” in it. Fewer letters find more. `;
  };

  input.addEventListener("input", apply);
  bar.addEventListener("change", apply);
  input.addEventListener("keydown", (event) => {
    const first = entries.find((one) => !one.element.hidden)?.element.querySelector<HTMLElement>("a");
    if (event.key === "Escape" && input.value) {
      event.preventDefault();
      input.value = "";
      apply();
    } else if ((event.key === "Enter" || event.key === "ArrowDown") && first) {
      event.preventDefault();
      first.focus();
      first.scrollIntoView({ block: "center" });
    }
  });
  // Up and down go from entry to entry, and back into the field.
  list.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp" || !list.hasAttribute("data-sifted")) return;
    const shown = entries.filter((one) => !one.element.hidden);
    const at = shown.findIndex((one) => one.element.contains(document.activeElement));
    if (at < 0) return;
    event.preventDefault();
    const next = shown[at + (event.key === "ArrowDown" ? 1 : -1)];
    if (next) next.element.querySelector<HTMLElement>("a")?.focus();
    else if (event.key === "ArrowUp") input.focus();
  });
  // A link to an entry that is hidden shows it.
  const reveal = (): void => {
    const target = location.hash ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (!target?.closest("[hidden]")) return;
    all();
    target.scrollIntoView();
  };
  addEventListener("hashchange", reveal);
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#']") : null;
    const target = link ? document.getElementById(link.hash.slice(1)) : null;
    if (target?.closest("[data-list] [hidden]")) all();
  });
  if (input.value || kind()) apply(); // what the browser restored
}

const bar = document.querySelector<HTMLElement>("[data-sift]");
if (bar) sift(bar);
