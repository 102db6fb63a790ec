/* The service worker of a site: it keeps the pages at the first visit, and the files of the live page
 * once that page has them, so that all work offline. Python puts `site` before this script. */

/** @typedef {{ files: string[], pages: string, networks: string }} Site files to keep; two names that change with contents */
/** @typedef {Event & { request: Request, data: string[], waitUntil: (work: Promise<unknown>) => void, respondWith: (answer: Promise<Response>) => void }} Asked */

const worker = /** @type {any} */ (globalThis);
const { files, pages, networks } = /** @type {Site} */ (worker.site);
const own = (/** @type {string} */ name) => `${worker.registration.scope} ${name}`;

/** Keep files under a name, unless they are kept. @param {string} name @param {string[]} addresses @param {RequestCache} cache */
async function keep(name, addresses, cache) {
  const kept = await caches.open(own(name));
  const found = await Promise.all(addresses.map((address) => kept.match(address)));
  const missing = addresses.filter((_, i) => !found[i]);
  await kept.addAll(missing.map((address) => new Request(address, { cache })));
}

/** Forget what earlier versions of this site kept; the origin may have other sites. */
async function clean() {
  const current = [own(pages), own(networks)];
  const names = (await caches.keys()).filter((name) => name.startsWith(own("")));
  await Promise.all(names.map((name) => current.includes(name) || caches.delete(name)));
  await worker.clients.claim();
}

/** @param {Request} request */
async function answer(request) {
  const address = new URL(request.url);
  if (address.pathname.endsWith("/")) address.pathname += "index.html";
  const kept = await caches.match(address, { ignoreSearch: true });
  return kept && !kept.redirected ? kept : fetch(request);
}

/** @type {Record<string, (event: Asked) => void>} */
const listeners = {
  install: (event) =>
    event.waitUntil(keep(pages, files, "no-cache").then(() => worker.skipWaiting())),
  activate: (event) => event.waitUntil(clean()),
  message: (event) => event.waitUntil(keep(networks, event.data, "force-cache")),
  fetch: (event) => {
    if (event.request.method === "GET") event.respondWith(answer(event.request));
  },
};
for (const [name, listener] of Object.entries(listeners)) worker.addEventListener(name, listener);
