// The lab page: every [data-lab] element gets a canvas of the figure it names, and its words beside it for those who cannot see it.
// <div data-lab="roofline" data-uid="roofline" data-title="Where a kernel lands"></div>; what it holds stays until the canvas is there.
import { LabModule } from "./lab_module";
import type { LabState } from "./lab_module";
import { LabView } from "./lab_view";
import { after, memory, page } from "./page";
import { figureState, parse, replaceState, withFigure, write } from "./url";

export interface Placed {
  view: LabView;
  uid: string;
}

const address = (name: string): string => new URL(name, import.meta.url).href;

export class Lab {
  private readonly views = new Map<HTMLElement, Placed>();
  private readonly words = new Map<HTMLElement, Words>();
  private constructor(private readonly module: LabModule, private readonly bookDevice: string) {}

  static async start(): Promise<Lab> {
    const about = page();
    const lab = new Lab(await LabModule.load(address, about.world), about.device);
    for (const host of document.querySelectorAll<HTMLElement>("[data-lab]")) lab.add_view(host);
    const picker = document.querySelector<HTMLSelectElement>("select#device");
    picker?.addEventListener("change", () => {
      for (const { view } of lab.views.values()) view.device(picker.value);
    });
    return lab;
  }

  /// A canvas in `host`, whose data-lab names the figure. Its state comes from the address and goes there.
  add_view(host: HTMLElement): LabView {
    const figure = host.dataset["lab"] ?? "";
    const uid = host.dataset["uid"] ?? figure;
    const title = host.dataset["title"] ?? figure;
    this.remove_view(host);
    const words = new Words(title, uid);
    const view: LabView = new LabView(this.module, host, {
      figure,
      query: write(figureState(location.search, uid)),
      device: this.device(),
      label: `${title}, live figure`,
      help: words.help.id,
      changed: (state) => {
        replaceState(uid, parse(state.query));
        this.links(figure, uid, state);
        words.say(state);
      },
      link: (): string => location.origin + location.pathname + withFigure(location.search, uid, parse(view.state().query)) + location.hash,
    });
    host.append(words.element);
    host.dataset["live"] = "";
    this.views.set(host, { view, uid });
    this.words.set(host, words);
    return view;
  }

  remove_view(host: HTMLElement): void {
    this.views.get(host)?.view.remove();
    this.words.get(host)?.element.remove();
    this.views.delete(host);
    this.words.delete(host);
    delete host.dataset["live"];
  }

  view(host: HTMLElement): LabView | undefined {
    return this.views.get(host)?.view;
  }

  private device(): string {
    return new URLSearchParams(location.search).get("device") ?? memory.get("lk-device") ?? this.bookDevice;
  }

  /// Links back to the figure in its section carry the state.
  private links(figure: string, uid: string, state: LabState): void {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(`a[data-lab-back="${uid}"], a[data-lab-back="${figure}"]`)) {
      const url = new URL(link.href);
      link.href = url.pathname + withFigure("", figure, parse(state.query)) + url.hash;
    }
  }
}

/// The figure in words: a sentence that is read out when it changes, the table, and how the keyboard works.
class Words {
  readonly element = document.createElement("div");
  readonly help = document.createElement("p");
  private readonly live = document.createElement("output");
  private readonly table = document.createElement("table");
  private waiting = 0;

  constructor(title: string, uid: string) {
    this.element.className = "vh";
    this.live.setAttribute("aria-live", "polite");
    this.help.id = `lab-help-${uid}`;
    this.help.textContent = "Up and Down go from control to control. On a slider, Left and Right change the value, and Enter lets you type one. " +
      "Enter opens a list and turns a switch. Escape ends typing. Tab leaves the figure.";
    this.table.createCaption().textContent = `${title}: data`;
    this.element.append(this.live, this.help, this.table);
  }

  say(state: LabState): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => after(() => this.write(state)), 250);
  }

  private write(state: LabState): void {
    this.live.textContent = [state.summary, ...state.notices].join(" ");
    const head = document.createElement("thead");
    const names = head.insertRow();
    for (const column of state.columns) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = column;
      names.append(cell);
    }
    const body = document.createElement("tbody");
    for (const row of state.rows) {
      const line = body.insertRow();
      for (const text of row) line.insertCell().textContent = text === "\u2014" ? "not available" : text;
    }
    for (const part of [this.table.tHead, ...this.table.tBodies]) part?.remove();
    this.table.append(head, body);
  }
}

/// Ready when all views of the page stand; tests and other scripts of the page wait for it.
export const ready: Promise<Lab> = Lab.start();
ready.catch((error: unknown) => {
  for (const host of document.querySelectorAll<HTMLElement>("[data-lab]")) {
    const note = document.createElement("p");
    note.className = "fig__note fig__note--error";
    note.textContent = `The lab did not start: ${error instanceof Error ? error.message : String(error)}`;
    host.append(note);
  }
});
