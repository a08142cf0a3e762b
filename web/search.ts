// The search panel: a field over a list of results. Keys move through the list while the field keeps the focus.
import { sheet } from "./page";
import type { Page } from "./page";
import type { SearchPanel } from "./search_button";
import { type Answer, bytes, type Link, loadSearch, type Result, type Search, type Segment } from "./search_module";

const shown = 10;
const here = (name: string): string => new URL(`./${name}`, import.meta.url).href;

function element<K extends keyof HTMLElementTagNameMap>(name: K, className = "", words = ""): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  if (className) made.className = className;
  if (words) made.textContent = words;
  return made;
}

function fill(into: HTMLElement, segments: Segment[]): HTMLElement {
  for (const { text, mark } of segments) into.append(mark ? element("mark", "", text) : text);
  return into;
}

const labels: Record<Result["kind"], string> = { term: "Aa", section: "", heading: "", figure: "Fig", source: "Ref", page: "" };

function place(result: Result): string {
  if (result.kind === "term") return "Glossary";
  if (result.kind === "source") return "Further reading";
  if (result.kind === "figure") return result.number ? `Figure ${result.number} · ${result.page}` : result.page;
  return result.title === result.page ? "" : result.page;
}

class Panel implements SearchPanel {
  private readonly dialog = element("dialog", "seek");
  private readonly input = element("input", "seek__q");
  private readonly note = element("p", "seek__note");
  private readonly list = element("div", "seek__list");
  private readonly again = element("button", "btn seek__again", "Try again");
  private options: HTMLAnchorElement[] = [];
  private active = -1;
  private search: Search | undefined;
  private loading: Promise<void> | undefined;
  private readonly asked = new Map<number, Promise<void>>(); // pages whose texts are here or on their way
  private readonly styled = sheet(here("search.css"));

  constructor(private readonly about: Page) {
    const { dialog, input, note, list, again } = this;
    dialog.setAttribute("aria-label", "Search the book");
    input.type = "search";
    input.id = "seek-q";
    for (const [name, value] of Object.entries({ role: "combobox", "aria-label": "Search the book", "aria-autocomplete": "list", "aria-controls": "seek-list",
      "aria-expanded": "false", autocomplete: "off", autocapitalize: "off", spellcheck: "false", enterkeyhint: "go", placeholder: "Search the book" })) input.setAttribute(name, value);
    list.id = "seek-list";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Results");
    note.setAttribute("role", "status");
    again.type = "button";
    again.hidden = true;
    const shut = element("button", "tool seek__shut", "Close");
    shut.type = "button";
    const head = element("div", "seek__head");
    head.append(input, shut);
    const body = element("div", "seek__body");
    body.append(note, again, list);
    dialog.append(head, body);
    document.body.append(dialog);

    input.addEventListener("input", () => this.answer());
    input.addEventListener("keydown", (event) => this.key(event));
    again.addEventListener("click", () => this.load());
    shut.addEventListener("click", () => this.close());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) this.close(); // beside the panel
    });
    list.addEventListener("pointermove", ({ target }) => {
      const option = target instanceof Element ? target.closest<HTMLAnchorElement>("[role=option]") : null;
      if (option) this.mark(this.options.indexOf(option), false);
    });
    list.addEventListener("click", (event) => {
      const option = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("[role=option]") : null;
      if (option && !event.ctrlKey && !event.metaKey && !event.shiftKey) this.leave(option);
    });
    void this.load();
  }

  open(): void {
    void this.styled.then(() => {
      if (!this.dialog.open) this.dialog.showModal();
      this.input.focus();
      this.input.select();
      if (!this.search && !this.loading) void this.load();
    });
  }

  private close(): void {
    this.dialog.close();
    // Where nothing had the focus before, the hidden field would keep it until the next frame, and with it the next key.
    if (this.dialog.contains(document.activeElement)) this.input.blur();
  }

  private load(): Promise<void> {
    const focus = document.activeElement === this.again;
    this.again.hidden = true;
    if (focus) this.input.focus();
    this.say("Loading the search …");
    this.loading = loadSearch(here("search.wasm"), here("search.bin")).then((search) => {
      this.search = search;
      this.answer();
    }, (error: unknown) => {
      this.loading = undefined;
      this.again.hidden = false;
      this.show([]);
      this.note.classList.remove("vh");
      this.say(`The search could not be loaded (${error instanceof Error ? error.message : String(error)}). Check the connection, then try again.`);
    });
    return this.loading;
  }

  private say(words: string): void {
    if (this.note.textContent !== words) this.note.textContent = words;
  }

  /// `late`: the texts have been waited for.
  private answer(late = false): void {
    const { search } = this;
    const words = this.input.value;
    if (!search) return;
    try {
      if (!words.trim()) {
        this.say("Words, names in code, \"phrases in quotes\". For example:");
        this.note.classList.remove("vh");
        this.show(search.start().map((link) => this.link(link)));
        return;
      }
      const answer = search.query(words, shown, true);
      this.render(words, answer, late);
      if (!late && answer.missing.length) void this.complete(search, words, answer);
    } catch (error) {
      this.show([]);
      this.note.classList.remove("vh");
      this.say(`The search failed: ${error instanceof Error ? error.message : String(error)}.`);
    }
  }

  /// Fetches the texts that an answer missed, and answers again.
  private async complete(search: Search, words: string, { missing }: Answer): Promise<void> {
    await Promise.all(missing.map(({ page, file }) => {
      const coming = this.asked.get(page) ?? bytes(here(file)).then((got) => search.text(page, got));
      this.asked.set(page, coming);
      // A text that does not come leaves its snippet out; the next query asks again.
      return coming.catch(() => void this.asked.delete(page));
    }));
    if (this.input.value === words) this.answer(true);
  }

  private render(words: string, answer: Answer, late = false): void {
    const { results, corrected, suggestions, missing, cut } = answer;
    const typed = words.trim().length > 60 ? `${words.trim().slice(0, 60)}…` : words.trim();
    const read = corrected.map((one) => `“${one.typed}” is not in the book; this is for “${one.read}”.`).join(" ");
    let note = "";
    if (results.length) note = `${read}${cut ? " Only the first 24 words count." : ""}`.trim() || (results.length === 1 ? "1 result" : `${results.length} results`);
    else if (missing.length) note = late ? "The texts to look for this phrase in did not load. Check the connection, then type on." : "Looking through the text …";
    else note = `Nothing found for “${typed}”. ${suggestions.length ? "Did you mean:" : "Try another word, or fewer; the glossary lists the book’s own."}`;
    this.say(note);
    this.note.classList.toggle("vh", results.length > 0 && !read && !cut);
    const options = results.flatMap((result) => [this.result(result, missing.length > 0 && !late), ...result.headings.map((one) => this.heading(one))]);
    this.show(results.length ? options : suggestions.length ? suggestions.map((link) => this.link(link)) : missing.length ? [] : [this.link({ url: "/chapters/glossary/", title: "Glossary" })], late);
  }

  private option(url: string, className: string): HTMLAnchorElement {
    const made = element("a", className);
    made.href = this.about.base + url.replace(/^\//, "");
    made.setAttribute("role", "option");
    made.setAttribute("aria-selected", "false");
    made.tabIndex = -1;
    return made;
  }

  private result(result: Result, waits: boolean): HTMLAnchorElement {
    const made = this.option(result.url, "seek__hit");
    const body = element("span", "seek__words");
    const head = element("span", "seek__title");
    head.append(fill(element("b"), result.marked));
    const where = place(result);
    if (where) head.append(" ", element("small", "", where));
    body.append(head);
    if (result.snippet.length || waits) body.append(fill(element("span", "seek__snip"), result.snippet));
    made.append(element("span", "seek__n", labels[result.kind] || result.number), " ", body);
    return made;
  }

  private heading({ url, marked }: Result["headings"][number]): HTMLAnchorElement {
    const made = this.option(url, "seek__hit seek__hit--more");
    made.append(element("span", "seek__n"), fill(element("span", "seek__words"), marked));
    return made;
  }

  private link({ url, title }: Link): HTMLAnchorElement {
    const made = this.option(url, "seek__hit");
    made.append(element("span", "seek__n", "Aa"), " ", element("span", "seek__words", title));
    return made;
  }

  /// `again`: the same answer, with more in it.
  private show(options: HTMLAnchorElement[], again = false): void {
    const before = again ? this.options[this.active]?.href : undefined;
    this.options = options;
    options.forEach((option, n) => (option.id = `seek-${n}`));
    this.list.replaceChildren(...options);
    this.list.hidden = !options.length;
    this.input.setAttribute("aria-expanded", String(options.length > 0));
    this.active = -1;
    // The first result stands ready for Enter; one that was chosen stays chosen while its snippet comes.
    const same = before ? options.findIndex((option) => option.href === before) : -1;
    this.mark(this.input.value.trim() ? Math.max(0, same) : same, same > 0);
  }

  private mark(n: number, scroll = true): void {
    this.options[this.active]?.setAttribute("aria-selected", "false");
    this.active = n < this.options.length ? n : -1;
    const option = this.options[this.active];
    if (!option) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    option.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", option.id);
    if (scroll) option.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const last = this.options.length - 1;
    if (event.key === "ArrowDown" && last >= 0) this.mark(this.active >= last ? 0 : this.active + 1);
    else if (event.key === "ArrowUp" && last >= 0) this.mark(this.active <= 0 ? last : this.active - 1);
    else if (event.key === "Escape") this.close();
    else if (event.key === "Enter") {
      const option = this.options[this.active];
      if (!option) return;
      if (event.ctrlKey || event.metaKey) open(option.href, "_blank", "noopener");
      else option.click();
    } else return;
    event.preventDefault();
  }

  /// A result of the page that is open: the focus goes along.
  private leave(option: HTMLAnchorElement): void {
    this.close();
    const to = new URL(option.href);
    if (to.pathname !== location.pathname || !to.hash) return;
    const target = document.getElementById(decodeURIComponent(to.hash.slice(1)));
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }
}

export function panel(about: Page): SearchPanel {
  return new Panel(about);
}
