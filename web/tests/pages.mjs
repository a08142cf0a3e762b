// The pages of a built site.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Paths of all HTML files, as they are asked for: "chapters/foundations/", "404.html". */
export function pages(folder, { redirects = false } = {}) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".html"))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .filter((path) => redirects || !readFileSync(join(folder, path), "utf8").includes('http-equiv="refresh"'))
    .map((path) => path.replace(/(^|\/)index\.html$/, "$1"))
    .sort();
}

/** Every `of`th page, beginning with number `part`: a sweep over all pages is several tests, so that each ends in time. */
export const share = (folder, part, of) => pages(folder).filter((_, at) => at % of === part);
