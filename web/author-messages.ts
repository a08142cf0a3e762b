// What the editor and its worker tell each other.

export interface Entry {
  kind: "home" | "chapter" | "section" | "page" | "glossary" | "reading";
  file: string;
  number: string;
  title: string;
  url: string;
  written: boolean;
}
export interface Fault {
  severity: "error" | "warning";
  file: string;
  line: number;
  column: number;
  what: string;
  hint: string;
  /// UTF-16 units of the file's text; equal when the place names no line.
  from: number;
  to: number;
}
export interface Preview {
  file: string;
  url: string;
  title: string;
  html: string;
}
/// Bytes as they are for files that nobody has changed here.
export type Bytes = string | Uint8Array;

export type ToAuthor =
  /// First of all: the path of the site and the module's address.
  | { type: "begin"; base: string; module: string }
  /// All files at once, in place of those before.
  | { type: "files"; turn: number; files: [path: string, bytes: Bytes][] }
  /// Some files are other now; undefined: gone.
  | { type: "put"; turn: number; files: [path: string, bytes: Bytes | undefined][] }
  /// The page to show from now on.
  | { type: "show"; turn: number; file: string }
  /// A preview that asks for its figures.
  | { type: "port"; port: MessagePort };

/// Answers carry the turn of the newest message that they know of.
export type FromAuthor =
  | { type: "outline"; turn: number; title: string; entries: Entry[] }
  | { type: "preview"; turn: number; page?: Preview; why?: { what: string; hint: string } }
  | { type: "problems"; turn: number; problems: Fault[]; ms: number }
  | { type: "failed"; why: string };
