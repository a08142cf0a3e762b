// The files that the editor works on: the book's own or those of a folder, what was changed in them, and where the changes are kept.
import type { Bytes } from "./author-messages";

const key = "lk-edit";
const folderKey = "lk-edit-folder";

interface Kept {
  /// The file that was open last.
  at: string;
  /// Changed texts, of the book and of the folder that was opened.
  book: Record<string, string>;
  folder: Record<string, string>;
  /// What the book's texts were when the changes to them began, as digests.
  was: Record<string, string>;
}
interface KeptFolder {
  name: string;
  files: Record<string, string>;
}

export interface Folder {
  name: string;
  files: Map<string, Uint8Array>;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const lines = (text: string): string => text.replace(/\r\n?/g, "\n"); // as a textarea has them

function stored<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") as T ?? undefined;
  } catch {
    return undefined;
  }
}

/// Undefined: removed. False when there is no room or the storage is closed.
function store(name: string, value: unknown): boolean {
  try {
    if (value === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

/// FNV-1a, 32 bits: tells another text from the same one, no more.
function digest(text: string): string {
  let hash = 0x811C9DC5;
  for (let n = 0; n < text.length; n++) hash = Math.imul(hash ^ text.charCodeAt(n), 0x01000193);
  return (hash >>> 0).toString(16);
}

const texts = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(value && typeof value === "object" ? value : {}).filter((pair): pair is [string, string] => typeof pair[1] === "string"));

export class Files {
  private readonly book: Map<string, string>;
  private origin: Map<string, string>;
  private edits: Map<string, string>;
  private was: Map<string, string>;
  private folderName: string | undefined;
  /// What was written here last, and when.
  private mine = { path: "", at: -Infinity };
  at: string;
  /// What was changed is not lost when the page closes.
  kept = true;

  constructor(book: Record<string, string>) {
    this.book = new Map(Object.entries(book));
    const held = stored<KeptFolder>(folderKey);
    this.folderName = held?.name;
    this.origin = held?.name ? new Map(Object.entries(texts(held.files))) : this.book;
    const before = this.read();
    this.edits = new Map(Object.entries(this.folderName === undefined ? before.book : before.folder));
    this.was = new Map(Object.entries(before.was));
    this.at = before.at;
    addEventListener("storage", (event) => {
      if (event.key === key && event.newValue) this.adopt();
    });
  }

  /// Told of files that another tab has changed.
  onAdopted: (paths: string[]) => void = () => undefined;

  /// The name of the opened folder; undefined: the book itself.
  get folder(): string | undefined {
    return this.folderName;
  }

  /// Every path there is, in order.
  paths(): string[] {
    return [...new Set([...this.origin.keys(), ...this.edits.keys()])].sort();
  }

  has(path: string): boolean {
    return this.origin.has(path) || this.edits.has(path);
  }

  /// With the line ends of a textarea; undefined: there is no such file.
  text(path: string): string | undefined {
    const origin = this.origin.get(path);
    return this.edits.get(path) ?? (origin === undefined ? undefined : lines(origin));
  }

  all(): [string, Bytes][] {
    return this.paths().map((path) => [path, this.text(path) ?? ""]);
  }

  changed(): string[] {
    return [...this.edits.keys()].sort();
  }

  isChanged(path: string): boolean {
    return this.edits.has(path);
  }

  /// The book has another text now than the one that the changes began with.
  isOutdated(path: string): boolean {
    return this.folderName === undefined && this.edits.has(path) && (this.was.get(path) ?? "") !== digest(this.origin.get(path) ?? "");
  }

  set(path: string, text: string): void {
    this.mine = { path, at: performance.now() };
    const origin = this.origin.get(path);
    if (origin !== undefined && lines(origin) === text) this.edits.delete(path);
    else {
      if (!this.edits.has(path)) this.was.set(path, digest(origin ?? ""));
      this.edits.set(path, text);
    }
  }

  /// Back to what it was. Gives the changed text, for an undo.
  revert(path: string): string | undefined {
    const text = this.edits.get(path);
    this.edits.delete(path);
    return text;
  }

  /// The bytes to take away: line ends as the file had them.
  bytes(path: string): Uint8Array<ArrayBuffer> {
    const text = this.text(path) ?? "";
    const origin = this.origin.get(path) ?? "";
    const theirs = origin.includes("\r\n") && !/(^|[^\r])\n/.test(origin);
    return new TextEncoder().encode(theirs ? text.replaceAll("\n", "\r\n") : text);
  }

  /// Works on a folder from now on, without changes.
  open({ name, files }: Folder): void {
    this.save();
    this.origin = new Map([...files].map(([path, bytes]) => [path, decoder.decode(bytes)]));
    this.folderName = name;
    this.edits = new Map();
    this.kept = store(folderKey, { name, files: Object.fromEntries(this.origin) } satisfies KeptFolder);
    this.save();
  }

  /// Back to the book and what was changed in it.
  close(): void {
    this.origin = this.book;
    this.folderName = undefined;
    this.edits = new Map(Object.entries(this.read().book));
    store(folderKey, undefined);
    this.kept = true;
    this.save();
  }

  /// Writes down what was changed. Only `path` when it is given: another tab may be at work on others.
  save(path?: string): boolean {
    const held = this.read();
    const side = this.folderName === undefined ? "book" : "folder";
    if (path === undefined) held[side] = Object.fromEntries(this.edits);
    else if (this.edits.has(path)) held[side][path] = this.edits.get(path) ?? "";
    else delete held[side][path];
    if (side === "book") {
      held.folder = {};
      held.was = Object.fromEntries(Object.keys(held.book).map((one) => [one, this.was.get(one) ?? held.was[one] ?? ""]));
    }
    held.at = this.at;
    const empty = !Object.keys(held.book).length && this.folderName === undefined;
    const done = store(key, empty ? undefined : held);
    this.kept = done && (this.folderName === undefined || stored<KeptFolder>(folderKey)?.name === this.folderName);
    return this.kept;
  }

  private read(): Kept {
    const held = stored<Partial<Kept>>(key);
    return { at: typeof held?.at === "string" ? held.at : "", book: texts(held?.book), folder: texts(held?.folder), was: texts(held?.was) };
  }

  private adopt(): void {
    if (this.folderName !== undefined) return;
    const { book, was } = this.read();
    // The other tab may have written before it saw what was typed here a moment ago: then this tab says it again.
    const { path: typed, at } = this.mine;
    const own = this.edits.get(typed);
    if (own !== undefined && book[typed] !== own && performance.now() - at < 5000) {
      book[typed] = own;
      this.save(typed);
    }
    for (const [path, one] of Object.entries(was)) if (!this.edits.has(path)) this.was.set(path, one);
    const paths = [...new Set([...Object.keys(book), ...this.edits.keys()])].filter((path) => book[path] !== this.edits.get(path));
    this.edits = new Map(Object.entries(book));
    if (paths.length) this.onAdopted(paths);
  }
}

/* folders */

const most = 3000;
const skipped = /(^|\/)(\.|node_modules\/|build\/)|~$/;
const wanted = /\.(md|json|csv)$|(^|\/)listings\/[^/]+$/;

export class FolderError extends Error {}

/// The book's files among those of a folder: below the uppermost book.json.
async function book(all: Map<string, () => Promise<File>>, name: string): Promise<Folder> {
  const outlines = [...all.keys()].filter((path) => /(^|\/)book\.json$/.test(path)).sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const outline = outlines[0];
  if (outline === undefined) throw new FolderError(`“${name}” holds no book.json. Choose the content folder of a book.`);
  const below = outline.slice(0, -"book.json".length);
  const files = new Map<string, Uint8Array>();
  for (const [path, file] of all)
    if (path.startsWith(below)) files.set(path.slice(below.length), new Uint8Array(await (await file()).arrayBuffer()));
  return { name: below.split("/").at(-2) ?? name, files };
}

/// What an <input type=file webkitdirectory> gave.
export function chosen(list: FileList): Promise<Folder> {
  const all = new Map<string, () => Promise<File>>();
  for (const file of list) if (wanted.test(file.webkitRelativePath) && !skipped.test(file.webkitRelativePath)) all.set(file.webkitRelativePath, () => Promise.resolve(file));
  return book(all, list[0]?.webkitRelativePath.split("/")[0] ?? "The folder");
}

/// What was dropped. Its entries must be taken within the event.
export function dropped(transfer: DataTransfer): Promise<Folder> {
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((one): one is FileSystemEntry => one !== null);
  return walked(entries);
}

async function walked(entries: FileSystemEntry[]): Promise<Folder> {
  if (!entries.some(({ isDirectory }) => isDirectory)) throw new FolderError("That is no folder. Drop the content folder of a book: the one that holds book.json.");
  const all = new Map<string, () => Promise<File>>();
  const queue = [...entries];
  for (let seen = 0, next = queue.shift(); next; next = queue.shift()) {
    const path = next.fullPath.replace(/^\//, "");
    if (skipped.test(next.isDirectory ? `${path}/` : path)) continue;
    if (++seen > most) throw new FolderError("There are thousands of files in it. Drop the content folder of a book alone: the one that holds book.json.");
    if (next.isDirectory) queue.push(...await inside(next as FileSystemDirectoryEntry));
    else if (wanted.test(path)) {
      const entry = next as FileSystemFileEntry;
      all.set(path, () => new Promise((done, no) => entry.file(done, no)));
    }
  }
  return book(all, entries[0]?.name ?? "The folder");
}

/// Readers of folders give a part at a time, and nothing at the end.
async function inside(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, no) => reader.readEntries(done, no));
    if (!some.length) return all;
    all.push(...some);
  }
}
