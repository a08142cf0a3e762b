// Runs in the browser: five searches over the same passages. Each engine gives { load(), search(words) -> addresses, best first }.

/** Pages cut into passages as a reader sees them: parts of sections, entries of the glossary and of the reading list. */
export async function passages(paths) {
  const out = [];
  for (const path of paths) {
    const page = new DOMParser().parseFromString(await (await fetch(`/site${path}`)).text(), "text/html");
    const main = page.querySelector("main");
    main.querySelectorAll("svg, script, select, button, form, .fig__tools, .data").forEach((one) => one.remove());
    const title = main.querySelector("h1")?.textContent ?? "";
    const words = (element) => element.textContent.replace(/\s+/g, " ").trim();
    const add = (anchor, heading, text) => out.push({ id: out.length, url: path + (anchor ? `#${anchor}` : ""), title, heading, text });
    const entries = [...main.querySelectorAll(".gl dl > div")];
    if (entries.length) for (const entry of entries) add(entry.querySelector("dt").id, words(entry.querySelector("dt")), [...entry.querySelectorAll("dd:not(.see)")].map(words).join(" "));
    else if (main.querySelector(".reading")) for (const entry of main.querySelectorAll("li.entry")) add(entry.id, words(entry.firstElementChild ?? entry), words(entry));
    else {
      let now = { anchor: "", heading: "", text: "" };
      const walk = (element) => {
        for (const child of element.children) {
          if (/^H[23]$/.test(child.tagName) && child.id) {
            add(now.anchor, now.heading, now.text);
            now = { anchor: child.id, heading: words(child), text: "" };
          } else if (child.querySelector(":scope > h2[id], :scope > h3[id]")) walk(child);
          else now.text += ` ${words(child)}`;
        }
      };
      walk(main);
      add(now.anchor, now.heading, now.text);
    }
  }
  return out;
}

export const engines = {
  ours: async ({ module, index, texts }) => {
    const { loadSearch } = await import("/search_module.mjs");
    const began = performance.now();
    const search = await loadSearch(module, index);
    const load = performance.now() - began; // downloads, compiles, warms up
    for (const [page, file] of texts) search.text(page, new Uint8Array(await (await fetch(file)).arrayBuffer()));
    return { load, search: (words) => search.query(words, 10, false).results.map(({ url }) => url), full: (words) => search.query(words, 10, true) };
  },
  lunr: async ({ documents }) => {
    await import("/lunr.js");
    const { lunr } = globalThis;
    const built = lunr(function () {
      this.ref("id");
      this.field("title", { boost: 5 });
      this.field("heading", { boost: 7 });
      this.field("text");
      documents.forEach((one) => this.add(one));
    });
    const json = JSON.stringify(built);
    const began = performance.now();
    const index = lunr.Index.load(JSON.parse(json));
    const load = performance.now() - began;
    const ask = (words) => {
      // Its query language takes ':', '*', '~', '+', '-' and '^' for itself.
      const plain = words.replace(/[:*~+^-]/g, " ");
      return index.search(plain);
    };
    return { load, bytes: json, search: (words) => ask(words).slice(0, 10).map(({ ref }) => documents[ref].url), more: (words) => ask(words).map(({ ref }) => documents[ref].url) };
  },
  minisearch: async ({ documents }) => {
    const { default: MiniSearch } = await import("/minisearch.js");
    const options = { fields: ["title", "heading", "text"], storeFields: ["url"], searchOptions: { boost: { title: 5, heading: 7 }, prefix: true, fuzzy: 0.2 } };
    const built = new MiniSearch(options);
    built.addAll(documents);
    const json = JSON.stringify(built);
    const began = performance.now();
    const index = MiniSearch.loadJSON(json, options);
    const load = performance.now() - began;
    return { load, bytes: json, search: (words) => index.search(words).map(({ url }) => url) };
  },
  flexsearch: async ({ documents }) => {
    const { default: FlexSearch } = await import("/flexsearch.js");
    const make = () => new FlexSearch.Document({ tokenize: "forward", document: { id: "id", index: ["heading", "title", "text"] } });
    const built = make();
    documents.forEach((one) => built.add(one));
    const parts = new Map();
    await built.export((key, data) => void parts.set(key, data ?? ""));
    const index = make();
    const began = performance.now();
    for (const [key, data] of parts) await index.import(key, data);
    const load = performance.now() - began;
    const search = (words) => {
      const fields = index.search(words, { limit: 20, suggest: true });
      return [...new Set(fields.flatMap(({ result }) => result))].map((id) => documents[id].url);
    };
    return { load, bytes: [...parts].map(([key, data]) => `${key}${data}`).join(""), search };
  },
  pagefind: async () => {
    const pagefind = await import("/pagefind/pagefind.js");
    const began = performance.now();
    await pagefind.init();
    const load = performance.now() - began;
    const search = async (words) => (await pagefind.search(words)).results.slice(0, 10);
    // Addresses come with the fragments, one file each.
    const urls = async (results) => {
      const out = [];
      for (const one of results) {
        const { url, sub_results: parts } = await one.data();
        const at = new URL(url, location.href).pathname.replace(/^\/site/, "");
        // The glossary and the reading list are one page to it: the best part says which entry.
        const best = [...(parts ?? [])].sort((a, b) => b.weighted_locations.reduce((s, l) => s + l.balanced_score, 0) - a.weighted_locations.reduce((s, l) => s + l.balanced_score, 0));
        const lists = /\/chapters\/(glossary|reading)\/$/.test(at);
        if (lists) for (const part of best.slice(0, 10)) out.push(at + new URL(part.url, location.href).hash);
        else out.push(at);
      }
      return out;
    };
    return { load, search, urls };
  },
};

/** Every query once, in a page that has not asked anything yet. */
export async function run(name, about, queries) {
  const engine = await engines[name](about);
  const times = [];
  const found = [];
  for (const words of queries) {
    const began = performance.now();
    const answer = engine.search(words);
    const got = answer instanceof Promise ? await answer : answer;
    times.push(performance.now() - began);
    found.push(engine.urls ? await engine.urls(got) : engine.more ? engine.more(words).slice(0, 40) : got);
  }
  const full = [];
  if (engine.full) for (const words of queries) {
    const began = performance.now();
    engine.full(words);
    full.push(performance.now() - began);
  }
  return { times, found, full, load: engine.load, bytes: engine.bytes ?? "" };
}
