// The book as far as its first chapter, for bars that were set for a text of that length: other sections, the terms and sources that came with them, and
// pages that only they need are left out. New entries of glossary and reading list stand at the ends of their files.
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const first = { terms: 87, sources: 141 };

/** Writes that book into `folder`, a copy of content/. */
export function chapterOne(content, folder) {
  cpSync(content, folder, { recursive: true });
  for (const entry of readdirSync(join(folder, "chapters"), { recursive: true })) {
    if (entry.endsWith(".md") && !entry.endsWith("index.md") && !entry.includes("1-foundations")) rmSync(join(folder, "chapters", entry));
  }
  const change = (name, use) => {
    const value = JSON.parse(readFileSync(join(folder, name), "utf8"));
    use(value);
    writeFileSync(join(folder, name), JSON.stringify(value));
  };
  change("book.json", (book) => (book.pages = book.pages.filter(({ id }) => id !== "model")));
  rmSync(join(folder, "pages/model.md"));
  for (const name of ["home.md", "pages/about.md"]) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, "utf8").replace(/\[([^\]]*)\]\(section:model[^)]*\)/g, "$1"));
  }
  const tables = ["devices.json", "models.json"].map((name) => readFileSync(join(folder, name), "utf8")).join();
  let sources;
  change("reading.json", (reading) => {
    reading.sources = reading.sources.filter(({ id }, n) => n < first.sources || tables.includes(`"${id}"`));
    sources = new Set(reading.sources.map(({ id }) => id));
    for (const group of reading.parts.flatMap((part) => part.groups)) group.sources = group.sources.filter((id) => sources.has(id));
  });
  change("glossary.json", (glossary) => {
    glossary.terms = glossary.terms.slice(0, first.terms);
    const terms = new Set(glossary.terms.map(({ id }) => id));
    for (const term of glossary.terms) {
      for (const [key, known] of [["see", terms], ["sources", sources]]) {
        term[key] = (term[key] ?? []).filter((id) => known.has(id));
        if (!term[key].length) delete term[key];
      }
    }
  });
  return folder;
}
