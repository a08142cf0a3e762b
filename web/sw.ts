// Keeps the whole book. The site writer puts the manifest before this script: every file with its hash and size.
// One cache holds one version; a version serves only when it is complete, and then alone.
import type { FromWorker, ToWorker } from "./sw-messages";

declare const self: ServiceWorkerGlobalScope & {
  LK_BUILD: { version: string; files: [path: string, sha256: string, bytes: number][] };
};

const { version, files } = self.LK_BUILD;
const base = new URL(self.registration.scope).pathname;
const family = `lk ${base} `;
const name = family + version;
const paths = new Map(files.map(([path, hash, bytes]) => [path, { hash, bytes }]));
const total = files.reduce((sum, [, , bytes]) => sum + bytes, 0);
const mark = "x-lk-sha256";
const complete = `${base}?complete`; // an entry of caches that hold their whole version

async function tell(message: FromWorker): Promise<void> {
  for (const client of await self.clients.matchAll({ includeUncontrolled: true, type: "window" })) client.postMessage(message);
}

const hex = (buffer: ArrayBuffer): string => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/// The file from the network, checked against the manifest. A stale copy of the browser's own gets one more chance.
async function fetched(path: string, hash: string): Promise<Response> {
  for (const cache of ["no-cache", "reload"] as const) {
    const response = await fetch(path, { cache, credentials: "same-origin" }).catch(() => {
      throw new Error("the connection was lost.");
    });
    if (!response.ok && !(response.status === 404 && path.endsWith("/404.html"))) throw new Error(`the server answered ${response.status} for ${path}.`);
    const body = await response.arrayBuffer();
    if (hex(await crypto.subtle.digest("SHA-256", body)) !== hash) continue;
    const headers = new Headers(response.headers);
    headers.delete("content-encoding");
    headers.set("content-length", String(body.byteLength));
    headers.set(mark, hash);
    return new Response(body, { status: 200, headers });
  }
  throw new Error(`${path} is not the file this version was built with.`);
}

async function earlier(): Promise<Cache[]> {
  const names = (await caches.keys()).filter((one) => one.startsWith(family));
  return Promise.all(names.map((one) => caches.open(one)));
}

/// What an earlier version, or an earlier attempt, already holds with the same hash.
async function held(path: string, hash: string, stores: Cache[]): Promise<Response | undefined> {
  for (const store of stores) {
    const found = await store.match(path);
    if (found?.headers.get(mark) === hash) return found;
  }
  return undefined;
}

async function save(): Promise<void> {
  const update = Boolean(self.registration.active);
  const stores = await earlier();
  const cache = await caches.open(name);
  let done = 0;
  let said = -1;
  const progress = async (bytes: number): Promise<void> => {
    done += bytes;
    const percent = total ? Math.floor((100 * done) / total) : 100;
    if (percent === said) return;
    said = percent;
    await tell({ type: "lk-offline", state: "saving", percent, update });
  };
  const queue = [...files];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [path, hash, bytes] = next;
      await cache.put(path, (await held(path, hash, stores)) ?? (await fetched(path, hash)));
      await progress(bytes);
    }
  };
  const working = [work(), work(), work(), work()];
  try {
    await Promise.all(working);
    await cache.put(complete, new Response(version));
  } catch (error) {
    queue.length = 0;
    await Promise.allSettled(working); // the last word is that it failed
    const why = error instanceof Error ? error.message : String(error);
    await tell({ type: "lk-offline", state: "failed", why, update });
    throw error;
  }
}

self.addEventListener("install", (event) => event.waitUntil(save()));

self.addEventListener("activate", (event) => event.waitUntil((async () => {
  // Pages of the version before may still be open and load a part of theirs: that one cache stays until the next change.
  let spared = 0;
  for (const old of (await caches.keys()).filter((one) => one.startsWith(family) && one !== name).reverse())
    if (spared || !(await (await caches.open(old)).match(complete))) await caches.delete(old);
    else spared++;
  await self.clients.claim();
  await tell({ type: "lk-offline", state: "ready", bytes: total, version });
})()));

self.addEventListener("message", (event) => {
  const data = event.data as ToWorker;
  if (data.type === "activate") void self.skipWaiting();
  else if (data.type === "status")
    event.source?.postMessage({ type: "lk-offline", state: "ready", bytes: total, version } satisfies FromWorker);
});

/// A part of a kept file, for players and download managers.
async function slice(response: Response, range: string): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = from ? Number(from) : Math.max(0, bytes.byteLength - Number(to));
  const end = from && to ? Math.min(Number(to), bytes.byteLength - 1) : bytes.byteLength - 1;
  const headers = new Headers(response.headers);
  if ((!from && !to) || start > end) {
    headers.set("content-range", `bytes */${bytes.byteLength}`);
    return new Response(null, { status: 416, headers });
  }
  headers.set("content-range", `bytes ${start}-${end}/${bytes.byteLength}`);
  headers.set("content-length", String(end - start + 1));
  return new Response(bytes.slice(start, end + 1), { status: 206, headers });
}

async function kept(path: string): Promise<Response | undefined> {
  return (await caches.open(name)).match(path);
}

async function navigate(url: URL, request: Request): Promise<Response> {
  const path = url.pathname.replace(/\/index\.html$/, "/");
  const page = paths.has(path) ? await kept(path) : undefined;
  if (page) return page;
  if (paths.has(`${path}/`)) return Response.redirect(`${path}/${url.search}`, 302);
  try {
    return await fetch(request);
  } catch {
    const missing = await kept(`${base}404.html`);
    if (!missing) return Response.error();
    return new Response(await missing.blob(), { status: 404, statusText: "Not Found", headers: missing.headers });
  }
}

async function asset(url: URL, request: Request): Promise<Response> {
  let found = paths.has(url.pathname) ? await kept(url.pathname) : undefined;
  // A page of the version before asks for its own parts; their names hold their hashes.
  if (!found && url.pathname.startsWith(`${base}assets/`))
    for (const store of await earlier()) found ??= await store.match(url.pathname);
  if (!found) return fetch(request);
  const range = request.headers.get("range");
  return range ? slice(found, range) : found;
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(base)) return;
  if (url.pathname === location.pathname) return; // the worker's own script always comes from the network
  event.respondWith(request.mode === "navigate" ? navigate(url, request) : asset(url, request));
});
