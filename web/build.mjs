// usage: node web/build.mjs [--out build/web] [--wasm build/wasm]
// Bundles the scripts and style sheets and lays the WebAssembly modules beside them. (`scripts/test types` checks the types.)
import { copyFile, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { esbuild } from "./esbuild.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(here);

function option(name, fallback) {
  const at = process.argv.indexOf(name);
  if (at < 0) return fallback;
  const value = process.argv[at + 1];
  if (!value) fail(`${name} needs a folder.`);
  return resolve(value);
}
function fail(message) {
  console.error(`web/build.mjs: ${message}`);
  process.exit(1);
}

const out = option("--out", join(root, "build/web"));
const wasm = option("--wasm", join(root, "build/wasm"));
const target = "--target=es2022,chrome105,firefox121,safari16";
const cssTarget = "--target=chrome112,firefox121,safari17";

const critical = ["fonts", "tokens", "base", "shell", "text"];
const rest = ["figures", "drawing", "math", "parts", "pages", "print"];

async function css(names) {
  let text = "";
  for (const name of names) {
    const path = join(here, "css", `${name}.css`);
    if (existsSync(path)) text += await readFile(path, "utf8");
  }
  // The dark rule serves twice: chosen by the reader, and by the system while the reader has not chosen.
  text = text.replace(/:root\[data-theme="dark"\] (\{[^}]*\})/, (rule, body) => `${rule}\n@media (prefers-color-scheme: dark) { :root:not([data-theme]) ${body} }`);
  return esbuild(["--loader=css", "--minify", cssTarget], text);
}

async function bundle(into) {
  const common = ["--bundle", "--minify", target, `--outdir=${into}`, "--legal-comments=none", "--log-level=warning"];
  const modules = ["main", "figures", "embed", "lab", "search", "lists", "place", "help", "share", "hover", "keys_list", "edit", "preview", "run"];
  const classic = ["worker", "author", "run_worker", "sw", "theme"];
  const files = (names) => names.map((name) => join(here, `${name}.ts`));
  await Promise.all([
    esbuild([...files(modules), ...common, "--format=esm"]),
    esbuild([...files(classic), ...common, "--format=iife"]),
  ]);
  await writeFile(join(into, "critical.css"), await css(critical));
  await writeFile(join(into, "style.css"), await css(rest));
  // Sheets of one kind of page each, and of what opens on demand.
  for (const name of ["lab", "home", "lists", "search", "keys", "edit", "run"]) await writeFile(join(into, `${name}.css`), await css([name]));
  // What the editor frames may be any page of text.
  await writeFile(join(into, "preview.css"), await css(["home", "lists", "preview"]));
}

async function copyModules(into) {
  if (!existsSync(wasm)) return;
  for (const name of await readdir(wasm))
    if (/^(reader(?:-[a-z]+)?|lab|sim|search|author|kernels)\.(wasm|js|mjs|data)$/.test(name)) await copyFile(join(wasm, name), join(into, name));
}

const temporary = `${out}.new`;
try {
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  await Promise.all([bundle(temporary), copyModules(temporary)]);
  await rm(out, { recursive: true, force: true });
  await rename(temporary, out);
} catch (error) {
  await rm(temporary, { recursive: true, force: true });
  fail(error instanceof Error ? error.message : String(error));
}
for (const name of (await readdir(out)).sort()) {
  const bytes = await readFile(join(out, name));
  console.log(`${name.padEnd(14)} ${String(bytes.length).padStart(8)} bytes, ${String(brotliCompressSync(bytes).length).padStart(7)} brotli`);
}
