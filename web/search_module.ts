// The search module: an index, texts as they come, questions and answers.
import { type Core, read, send, start } from "./reader";

export interface Segment {
  text: string;
  mark?: boolean;
}
export interface Link {
  url: string;
  title: string;
}
export interface Result extends Link {
  kind: "term" | "section" | "heading" | "figure" | "source" | "page";
  number: string;
  page: string;
  score: number;
  marked: Segment[];
  snippet: Segment[];
  headings: { url: string; marked: Segment[] }[];
}
export interface Answer {
  results: Result[];
  corrected: { typed: string; read: string }[];
  suggestions: Link[];
  missing: { page: number; file: string }[];
  cut: boolean;
}
export interface Search {
  query(words: string, limit: number, snippets: boolean): Answer;
  start(): Link[];
  /// The texts of a page, as the file holds them that an answer missed.
  text(page: number, bytes: Uint8Array): void;
}

interface Exports extends Core {
  lk_text(at: number, size: number, page: number): number;
  lk_query(at: number, size: number, limit: number, snippets: number): number;
  lk_start(): number;
}

function result<T>(json: string): T {
  const { result: value, error } = JSON.parse(json) as { result: T; error?: { what: string; hint: string } };
  if (error) throw new Error(error.hint ? `${error.what}: ${error.hint}` : error.what);
  return value;
}

/// The bytes behind an address; its error says what the network answered.
export async function bytes(url: string): Promise<Uint8Array> {
  const got = await fetch(url);
  if (!got.ok) throw new Error(`${new URL(url).pathname} answered ${got.status}`);
  return new Uint8Array(await got.arrayBuffer());
}

export async function loadSearch(moduleUrl: string, indexUrl: string): Promise<Search> {
  const [core, index] = await Promise.all([start(moduleUrl, "search") as Promise<Exports>, bytes(indexUrl)]);
  result<true>(send(core, core.lk_init, index));
  const search: Search = {
    query: (words, limit, snippets) => result(send(core, (at, size) => core.lk_query(at, size, limit, snippets ? 1 : 0), words)),
    start: () => result(read(core, core.lk_start())),
    text: (page, file) => void result<true>(send(core, (at, size) => core.lk_text(at, size, page), file)),
  };
  // Browsers compile what runs, and better what runs often: a few milliseconds now make the first letters quick.
  for (let round = 0; round < 4; round++)
    for (const { title } of search.start())
      for (const words of [title, `how ${title.slice(1)}`]) search.query(words, 10, true);
  return search;
}
