// The editor's worker: the author module with the files of a book. What was typed is put in and shown first; the check of the whole
// book follows, unless more has come by then.
import type { Bytes, Entry, Fault, FromAuthor, Preview, ToAuthor } from "./author-messages";
import { send, start } from "./reader";
import type { Core } from "./reader";

interface Author extends Core {
  lk_put(at: number, size: number, path: number): number;
  lk_remove(at: number, size: number): number;
  lk_call(at: number, size: number): number;
}

interface Envelope<T> {
  result?: T;
  error?: { what: string; hint: string };
}

const encoder = new TextEncoder();
let begun: Promise<Author> | undefined;
let base = "/";
let turn = 0;
let shown = "";
let outlined = "";
let waiting = 0;

const tell = (message: FromAuthor): void => self.postMessage(message);

async function begin(at: string, module: string): Promise<Author> {
  const author = await start(module, "author") as Author;
  send(author, author.lk_init, at);
  return author;
}

function put(author: Author, path: string, bytes: Bytes | undefined): void {
  if (bytes === undefined) {
    send(author, author.lk_remove, path);
    return;
  }
  const name = encoder.encode(path);
  const text = typeof bytes === "string" ? encoder.encode(bytes) : bytes;
  const both = new Uint8Array(name.length + text.length);
  both.set(name);
  both.set(text, name.length);
  send(author, (at, size) => author.lk_put(at, size, name.length), both);
}

function call<T>(author: Author, method: string, params: Record<string, unknown> = {}): Envelope<T> {
  return JSON.parse(send(author, author.lk_call, JSON.stringify({ method, params }))) as Envelope<T>;
}

function preview(author: Author): void {
  const { result, error } = call<Preview>(author, "author.preview", { file: shown });
  tell({ type: "preview", turn, ...(result ? { page: result } : {}), ...(error ? { why: error } : {}) });
}

function outline(author: Author): void {
  const text = send(author, author.lk_call, '{"method":"author.outline"}');
  if (text === outlined) return;
  outlined = text;
  const { result } = JSON.parse(text) as Envelope<{ title: string; entries: Entry[] }>;
  if (result) tell({ type: "outline", turn, ...result });
}

function check(author: Author): void {
  const began = performance.now();
  const { result } = call<{ problems: Fault[] }>(author, "author.check");
  tell({ type: "problems", turn, problems: result?.problems ?? [], ms: performance.now() - began });
}

/// Runs once all messages that are here have been taken: several edits cost one preview.
function soon(author: Author): void {
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    try {
      if (shown) preview(author);
      outline(author);
      waiting = setTimeout(() => {
        try {
          check(author);
        } catch (error) {
          broke(error);
        }
      });
    } catch (error) {
      broke(error);
    }
  });
}

function broke(error: unknown): void {
  tell({ type: "failed", why: error instanceof Error ? error.message : String(error) });
}

async function take(message: ToAuthor): Promise<void> {
  if (message.type === "begin") {
    base = message.base;
    begun = begin(base, message.module);
    await begun;
    return;
  }
  const author = await begun;
  if (!author) return;
  if (message.type === "port") {
    message.port.onmessage = ({ data }: MessageEvent<{ id: number; request: string }>) => {
      try {
        message.port.postMessage({ id: data.id, response: send(author, author.lk_call, data.request) });
      } catch (error) {
        message.port.postMessage({ id: data.id, failure: error instanceof Error ? error.message : String(error) });
      }
    };
    return;
  }
  turn = message.turn;
  if (message.type === "show") shown = message.file;
  else {
    if (message.type === "files") {
      send(author, author.lk_init, base);
      outlined = ""; // told again, be it the same
    }
    for (const [path, bytes] of message.files) put(author, path, bytes);
  }
  soon(author);
}

self.onmessage = ({ data }: MessageEvent<ToAuthor>) => {
  take(data).catch(broke);
};
