// The editor: which text is open, what the author's worker says of it, the page beside it, and the ways in and out for files.
import type { Entry, Fault, FromAuthor, ToAuthor } from "./author-messages";
import { chosen, dropped, Files, FolderError } from "./edit_files";
import type { Folder } from "./edit_files";
import { words as marked, Writing } from "./edit_text";
import { page } from "./page";
import type { FromPreview, ToPreview } from "./preview";
import { zip } from "./zip";

const about = page();
const by = <T extends HTMLElement>(id: string, kind: new () => T): T => {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no #${id}.`);
  return found;
};
const main = by("main", HTMLElement);
const wait = by("edit-wait", HTMLDivElement);
const select = by("edit-file", HTMLSelectElement);
const openButton = by("edit-open", HTMLButtonElement);
const revertButton = by("edit-revert", HTMLButtonElement);
const saveButton = by("edit-save", HTMLButtonElement);
const said = by("edit-kept", HTMLParagraphElement);
const count = by("edit-count", HTMLParagraphElement);
const list = by("edit-list", HTMLOListElement);
const frame = by("edit-frame", HTMLIFrameElement);

class Editor {
  private readonly worker = new Worker(new URL("./author.js", import.meta.url).href);
  private readonly writing = new Writing((text) => this.typed(text));
  private entries: Entry[] = [];
  private problems: Fault[] = [];
  private turn = 0;
  private title = "";
  private timer = 0;
  private since = 0;
  private storing = 0;
  private undo: { path: string; text: string } | undefined;
  private shown: FromAuthor & { type: "preview" } | undefined;
  private previewed = "";
  private ready = false;
  private tables = 0;

  constructor(private readonly files: Files) {
    this.worker.onmessage = ({ data }: MessageEvent<FromAuthor>) => this.hear(data);
    this.worker.onerror = (event) => {
      event.preventDefault();
      this.broken("its worker stopped");
    };
    this.post({ type: "begin", base: about.base, module: new URL(new URL("./author.wasm", import.meta.url).href, location.href).href });
    this.post({ type: "files", turn: ++this.turn, files: this.files.all() });
    this.files.onAdopted = (paths) => this.adopted(paths);
    addEventListener("message", (event: MessageEvent<FromPreview>) => {
      if (event.source === frame.contentWindow && event.origin === location.origin) this.heard(event.data);
    });
    frame.contentWindow?.postMessage({ type: "lk-preview:hello" } satisfies ToPreview, location.origin);
    select.addEventListener("change", () => this.open(select.value, true));
    saveButton.addEventListener("click", () => this.download());
    revertButton.addEventListener("click", () => this.revert());
    addEventListener("pagehide", () => this.keep());
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.keep();
    });
    addEventListener("beforeunload", (event) => {
      this.keep();
      if (this.files.changed().length && !this.files.kept) event.preventDefault();
    });
    addEventListener("keydown", (event) => {
      if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      event.preventDefault(); // the browser would save this page
      this.keep();
    });
    addEventListener("popstate", () => this.open(this.asked() ?? this.files.at, false));
    new MutationObserver(() => this.theme()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  }

  private post(message: ToAuthor, transfer: Transferable[] = []): void {
    this.worker.postMessage(message, transfer);
  }

  /* what the others say */

  private hear(message: FromAuthor): void {
    switch (message.type) {
      case "outline": {
        const first = !this.entries.length;
        this.entries = message.entries;
        this.title = message.title;
        if (first) this.begin();
        else this.choices();
        break;
      }
      case "preview":
        this.shown = message;
        this.display();
        break;
      case "problems":
        // What was typed since moves the places; its own check is on the way.
        if (message.turn === this.turn && !this.timer) this.report(message.problems);
        main.dataset["checked"] = String(Math.round(message.ms));
        break;
      case "failed":
        this.broken(message.why);
        break;
      default:
    }
  }

  private broken(why: string): void {
    this.keep();
    wait.replaceChildren(`The editor stopped working: ${why}. ${this.files.kept ? "What you wrote is kept in this browser. " : ""}Reload the page.`);
    wait.hidden = false;
    wait.setAttribute("role", "alert");
  }

  private heard(message: FromPreview): void {
    if (message.type === "lk-preview:ready") {
      this.ready = true;
      this.previewed = "";
      const { port1, port2 } = new MessageChannel();
      this.post({ type: "port", port: port1 }, [port1]);
      this.tell({ type: "lk-preview:begin" }, [port2]);
      this.theme();
      this.display();
    } else if (message.type === "lk-preview:open") this.follow(message.href);
  }

  private tell(message: ToPreview, transfer: Transferable[] = []): void {
    if (this.ready) frame.contentWindow?.postMessage(message, location.origin, transfer);
  }

  private theme(): void {
    this.tell({ type: "lk-preview:theme", theme: document.documentElement.dataset["theme"] });
  }

  private display(): void {
    if (!this.shown || !this.ready) return;
    const { page: made, why } = this.shown;
    if (made) {
      this.tell({ type: "lk-preview:show", html: made.html, home: made.url === "/", fresh: this.previewed !== made.file, tables: this.tables, at: this.writing.share() });
      this.previewed = made.file;
    } else if (why) this.tell({ type: "lk-preview:why", ...why });
  }

  /// A link of the preview: pages of the book open here, others in a window of their own.
  private follow(href: string): void {
    const url = new URL(href);
    const path = url.origin === location.origin && url.pathname.startsWith(about.base) ? `/${url.pathname.slice(about.base.length)}` : "";
    const entry = this.entries.find((one) => one.url === path);
    if (entry) this.open(entry.file, true);
    else open(href, "_blank", "noopener");
  }

  /* which text */

  private asked(): string | undefined {
    const query = new URLSearchParams(location.search);
    const file = query.get("file");
    if (file && this.files.has(file)) return file;
    const id = query.get("section");
    return id ? this.entries.find(({ url }) => id === "home" ? url === "/" : url.endsWith(`/${id}/`))?.file : undefined;
  }

  private begin(): void {
    wait.hidden = true;
    for (const one of document.querySelectorAll<HTMLElement>("main > [hidden]")) if (one !== wait) one.hidden = false;
    this.choices();
    const known = (file: string | undefined): string | undefined => file && (this.files.has(file) || this.entries.some((one) => one.file === file)) ? file : undefined;
    this.open(known(this.asked()) ?? known(this.files.at) ?? this.entries.find(({ kind, written }) => kind === "section" && written)?.file ?? "home.md", false);
    main.dataset["ready"] = "";
  }

  private name(file: string): string {
    const entry = this.entries.find((one) => one.file === file);
    if (!entry) return file;
    return entry.kind === "chapter" ? `Chapter ${entry.number}: ${entry.title}` : [entry.number, entry.title].filter(Boolean).join(" ");
  }

  /// The list of texts: the book in its order, then its tables and listings.
  private choices(): void {
    const groups: [label: string, options: [file: string, words: string][]][] = [[this.title, []]];
    const named = new Set(this.entries.map(({ file }) => file));
    for (const one of this.entries) {
      const words = one.kind === "chapter" ? "Overview" : `${[one.number, one.title].filter(Boolean).join(" ")}${one.written || this.files.has(one.file) ? "" : " (not written yet)"}`;
      if (one.kind === "chapter") groups.push([`${one.number} ${one.title}`, []]);
      else if (one.kind === "glossary") groups.push(["More", []]);
      groups.at(-1)?.[1].push([one.file, words]);
    }
    const others = this.files.paths().filter((path) => !named.has(path));
    groups.push(["Tables", others.filter((path) => !path.startsWith("listings/")).map((path) => [path, path])]);
    groups.push(["Listings", others.filter((path) => path.startsWith("listings/")).map((path) => [path, path.slice("listings/".length)])]);
    select.replaceChildren(...groups.filter(([, options]) => options.length).map(([label, options]) => {
      const group = document.createElement("optgroup");
      group.label = label;
      group.append(...options.map(([file, words]) => new Option(this.files.isChanged(file) ? `${words} · edited` : words, file)));
      return group;
    }));
    if (![...select.options].some(({ value }) => value === this.files.at) && this.files.at) select.append(new Option(this.files.at, this.files.at));
    select.value = this.files.at;
  }

  /// What a section that is not written yet begins with.
  private blank(file: string): string {
    const entry = this.entries.find((one) => one.file === file);
    if (!entry || !file.endsWith(".md") || entry.kind === "home") return "";
    return `---\ntitle: ${entry.title}\nlede: \n---\n\n`;
  }

  private open(file: string, step: boolean): void {
    if (step && file === this.files.at && this.writing.area.value) return;
    this.flush();
    if (this.storing) this.keep(); // of the text that is left
    this.undo = undefined;
    this.files.at = file;
    if (![...select.options].some(({ value }) => value === file)) this.choices();
    select.value = file;
    this.writing.open(this.files.text(file) ?? this.blank(file), `Text of ${this.name(file)}`);
    const entry = this.entries.find((one) => one.file === file);
    const id = entry?.url === "/" ? "home" : entry?.url.split("/").at(-2);
    const address = `${location.pathname}?${entry && id ? `section=${encodeURIComponent(id)}` : `file=${file.split("/").map(encodeURIComponent).join("/")}`}`;
    if (step) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    document.title = `${this.name(file)} · Edit`;
    this.post({ type: "show", turn: ++this.turn, file });
    this.writing.show(this.problems.filter((one) => one.file === file));
    this.state();
  }

  /* writing */

  private typed(text: string): void {
    this.files.set(this.files.at, text);
    this.undo = undefined;
    // Soon after the last key, and at times while the keys keep coming.
    const now = performance.now();
    if (!this.timer) this.since = now;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), Math.max(0, Math.min(50, this.since + 300 - now)));
    clearTimeout(this.storing);
    this.storing = setTimeout(() => this.keep(), 250);
    this.state();
  }

  /// Hands what was typed to the worker.
  private flush(): void {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    this.put([this.files.at]);
  }

  private put(paths: string[]): void {
    if (paths.some((path) => !path.endsWith(".md"))) this.tables++;
    this.post({ type: "put", turn: ++this.turn, files: paths.map((path) => [path, this.files.text(path)]) });
  }

  private keep(): void {
    clearTimeout(this.storing);
    this.storing = 0;
    this.files.save(this.files.at);
    this.state();
  }

  /// What the bar says and offers.
  private state(): void {
    const changed = this.files.changed();
    const here = this.files.isChanged(this.files.at);
    const option = [...select.options].find(({ value }) => value === this.files.at);
    if (option && option.text.endsWith(" · edited") !== here) this.choices();
    revertButton.disabled = !here && !this.undo;
    revertButton.textContent = this.undo ? "Undo revert" : "Revert";
    revertButton.title = this.undo ? "Bring back what you wrote" : this.files.folder === undefined ? "Back to the book’s text" : "Back to the folder’s text";
    saveButton.disabled = !changed.length;
    saveButton.textContent = changed.length > 1 ? `Download ${changed.length} files` : "Download";
    saveButton.title = changed.length > 1 ? "All changed files as one archive" : (changed[0] ?? "");
    openButton.textContent = this.files.folder === undefined ? "Open a folder" : "Back to the book";
    openButton.title = this.files.folder === undefined ? "A content folder of your own; it stays on your machine" : `Closes the folder “${this.files.folder}”`;
    const where = this.files.folder === undefined ? "" : `Folder “${this.files.folder}”. `;
    const outdated = this.files.isOutdated(this.files.at) ? " The book’s own text is another now: compare before you replace it." : "";
    const words = changed.length
      ? `${where}${changed.length === 1 ? "One file" : `${changed.length} files`} changed, ${this.files.kept ? "kept in this browser" : "not kept: this browser has no room. Download before you leave"}.${outdated}`
      : `${where}${this.files.folder === undefined ? "Nothing you write leaves this browser." : "Nothing is uploaded."}`;
    if (said.textContent !== words) said.textContent = words;
    said.classList.toggle("bad", changed.length > 0 && !this.files.kept);
  }

  private revert(): void {
    const path = this.files.at;
    if (this.undo) {
      this.files.set(path, this.undo.text);
      this.undo = undefined;
    } else {
      const text = this.files.revert(path);
      this.undo = text === undefined ? undefined : { path, text };
    }
    this.again([path]);
  }

  private adopted(paths: string[]): void {
    this.undo = undefined;
    this.again(paths);
  }

  /// Some texts are other now, and not by typing.
  private again(paths: string[]): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.put(paths);
    if (paths.includes(this.files.at)) this.writing.replace(this.files.text(this.files.at) ?? this.blank(this.files.at));
    this.files.save(this.files.at);
    this.state();
  }

  /* problems */

  private report(problems: Fault[]): void {
    const at = this.files.at;
    this.problems = problems;
    const here = problems.filter(({ file }) => file === at);
    this.writing.show(here);
    const others = problems.length - here.length;
    const words = !problems.length ? "None" : [here.length ? `${here.length} in this text` : "", others ? `${others} in other files` : ""].filter(Boolean).join(", ");
    if (count.textContent !== words) count.textContent = words;
    by("edit-n", HTMLSpanElement).textContent = problems.length ? String(problems.length) : "";
    main.toggleAttribute("data-problems", problems.length > 0);
    list.replaceChildren(...[...here, ...problems.filter(({ file }) => file !== at)].slice(0, 200).map((one) => this.line(one)));
  }

  private line(fault: Fault): HTMLLIElement {
    const line = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.className = fault.severity;
    const where = document.createElement("span");
    const place = fault.line ? `${fault.line}${fault.column ? `:${fault.column}` : ""}` : "";
    where.textContent = fault.file === this.files.at ? place || "file" : [fault.file, place].filter(Boolean).join(":");
    const what = document.createElement("b");
    what.append(fault.severity === "warning" ? "Warning: " : "", ...marked(fault.what));
    button.append(where, what);
    if (fault.hint) {
      const hint = document.createElement("small");
      hint.append(...marked(fault.hint));
      button.append(hint);
    }
    button.addEventListener("click", () => {
      if (fault.file !== this.files.at) this.open(fault.file, true);
      this.pane("write");
      this.writing.go(fault);
    });
    line.append(button);
    return line;
  }

  /* files in and out */

  take(folder: Folder): void {
    this.keep();
    this.files.open(folder);
    this.restart();
  }

  leave(): void {
    const changed = this.files.changed().length;
    if (changed && !confirm(`Close the folder? ${changed === 1 ? "One file has" : `${changed} files have`} changes that you have not taken with you unless you downloaded them.`)) return;
    this.files.close();
    this.restart();
  }

  /// Other files altogether.
  private restart(): void {
    clearTimeout(this.timer);
    this.timer = 0;
    this.tables++;
    this.entries = [];
    this.problems = [];
    this.previewed = "";
    this.files.at = "";
    history.replaceState(null, "", location.pathname);
    this.post({ type: "files", turn: ++this.turn, files: this.files.all() });
  }

  private download(): void {
    this.flush();
    const changed = this.files.changed();
    const [only] = changed;
    if (only === undefined) return;
    const blob = changed.length === 1
      ? new Blob([this.files.bytes(only)], { type: "text/plain;charset=utf-8" })
      : zip(changed.map((path) => [path, this.files.bytes(path)]), new Date());
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = changed.length === 1 ? (only.split("/").at(-1) ?? only) : "content.zip";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  pane(name: string): void {
    main.dataset["pane"] = name;
    for (const tab of document.querySelectorAll<HTMLElement>(".edit__tabs button")) {
      const on = tab.id === `tab-${name}`;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
  }
}

/* ways in */

function folders(editor: Editor, files: Files): void {
  const input = document.createElement("input");
  input.type = "file";
  input.webkitdirectory = true;
  input.id = "edit-folder";
  input.hidden = true;
  input.tabIndex = -1;
  input.setAttribute("aria-label", "Content folder");
  openButton.after(input);
  const take = (folder: Promise<Folder>): void => {
    folder.then((one) => editor.take(one)).catch((error: unknown) => {
      said.textContent = error instanceof FolderError ? error.message : `The folder could not be read: ${error instanceof Error ? error.message : String(error)}.`;
      said.classList.add("bad");
    });
  };
  openButton.addEventListener("click", () => {
    if (files.folder === undefined) input.click();
    else editor.leave();
  });
  input.addEventListener("change", () => {
    if (input.files?.length) take(chosen(input.files));
    input.value = "";
  });
  const brings = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragover", (event) => {
    if (!brings(event)) return;
    event.preventDefault();
    main.dataset["drop"] = "";
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) delete main.dataset["drop"];
  });
  document.addEventListener("drop", (event) => {
    delete main.dataset["drop"];
    if (!brings(event) || !event.dataTransfer) return;
    event.preventDefault();
    take(dropped(event.dataTransfer));
  });
}

/// On narrow windows one part shows at a time.
function tabs(editor: Editor): void {
  const all = [...document.querySelectorAll<HTMLElement>(".edit__tabs button")];
  all.forEach((tab, n) => {
    tab.addEventListener("click", () => editor.pane(tab.id.slice("tab-".length)));
    tab.addEventListener("keydown", ({ key }) => {
      const to = all[(n + (key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0) + all.length) % all.length];
      if (!to || to === tab) return;
      to.click();
      to.focus();
    });
  });
  for (const tab of all) {
    tab.parentElement?.setAttribute("role", "tablist");
    tab.setAttribute("role", "tab");
  }
  editor.pane("write");
  const narrow = matchMedia("(max-width: 63.9375em)");
  const roles = (): void => {
    for (const tab of all) {
      const pane = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (narrow.matches) pane?.setAttribute("role", "tabpanel");
      else pane?.removeAttribute("role");
    }
  };
  narrow.addEventListener("change", roles);
  roles();
}

async function start(): Promise<void> {
  wait.replaceChildren("The editor is loading.");
  const answer = await fetch(new URL("./content.json", import.meta.url));
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const files = new Files(await answer.json() as Record<string, string>);
  const editor = new Editor(files);
  folders(editor, files);
  tabs(editor);
}

start().catch((error: unknown) => {
  wait.replaceChildren(`The editor could not start: ${error instanceof Error ? error.message : String(error)}. Check the connection, then reload the page.`);
  wait.hidden = false;
  wait.setAttribute("role", "alert");
});
