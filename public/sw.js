// Pages of the catalogue that were visited can be read without a network (docs/decisions/010-offline.md). Registered as
// /sw.js?v=BUILD, where the owner's words for the shop follow the build: with other words all copies begin anew.
const BUILD = new URL(location.href).searchParams.get("v");
const PAGES = `pages ${BUILD}`;
const FILES = `files ${BUILD}`;
const MOST = { [PAGES]: 60, [FILES]: 300 };
const OFFLINE = "/offline.html";
const OFFLINE_FILES = [OFFLINE, "/offline.js", "/places/tote-480.avif"];

// A page has two renderings, by currency; home has each with and without the privacy notice. The last one is kept: a
// script in its head puts prices into the chosen order.
/** The same for everybody: nothing of an account, a cart, a checkout, an order or an API is ever kept. */
const PAGE = /^\/(shop|about|returnpolicy|shipping-policy|privacy-policy|singleProduct\/[^/]+|collections\/[^/]+)?$/i;
const IMMUTABLE = /^\/(assets|images)\//;
const FILE = /^\/(home|places|fonts)\/|^\/[\w-]+\.(svg|png|webmanifest)$|^\/offline\.js$/;

addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(OFFLINE_FILES.map((file) => new Request(file, { cache: "no-cache" })))));
  skipWaiting(); // pages come from the network first: nobody is held on an old build
});

addEventListener("activate", (event) => {
  event.waitUntil(Promise.all([removeOldBuilds(), clients.claim(), keepOpenPages()]));
});

/** The page that was read while this was being installed was visited too. */
async function keepOpenPages() {
  for (const { url } of await clients.matchAll({ includeUncontrolled: true })) {
    const { path, page, data } = twins(new URL(url));
    if (PAGE.test(path)) await Promise.all([fetchAndKeep(page), fetchAndKeep(data)]);
  }
}

async function removeOldBuilds() {
  for (const name of await caches.keys()) if (!(name in MOST)) await caches.delete(name);
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (IMMUTABLE.test(url.pathname)) event.respondWith(cacheFirst(event));
  else if (FILE.test(url.pathname)) event.respondWith(cacheThenRefresh(event));
  else if (request.mode === "navigate" || url.pathname.endsWith(".data")) event.respondWith(networkFirst(event, url));
});

async function cacheFirst(event) {
  return (await caches.match(event.request)) ?? keep(event, FILES, event.request, await fetch(event.request));
}

async function cacheThenRefresh(event) {
  const fresh = fetch(event.request).then((answer) => keep(event, FILES, event.request, answer));
  const kept = await caches.match(event.request);
  if (!kept) return fresh;
  event.waitUntil(fresh.catch(() => undefined));
  return kept;
}

/** A page's address and that of its data, without what says which parts of the data are wanted. */
function twins(url) {
  const query = new URLSearchParams(url.search);
  query.delete("_routes");
  const search = query.size > 0 ? `?${query}` : "";
  const path = url.pathname.replace(/(\/_)?\.data$/, "") || "/";
  const data = `${path === "/" ? "/_" : path}.data${search}`;
  return { path, page: path + search, data, asked: url.pathname.endsWith(".data") ? data : path + search };
}

async function networkFirst(event, url) {
  const { path, page, data, asked } = twins(url);
  try {
    const answer = await fetch(event.request);
    tell(event, false);
    if (!PAGE.test(path) || url.searchParams.has("_routes")) return answer;
    // The same page is asked for as a document or as data, as the shopper comes to it: both are kept.
    if (!navigator.connection?.saveData) event.waitUntil(fetchAndKeep(asked === page ? data : page));
    return keep(event, PAGES, asked, answer);
  } catch (error) {
    tell(event, true);
    const kept = await caches.match(asked);
    if (kept) return kept;
    if (event.request.mode !== "navigate") throw error;
    return (await caches.match(OFFLINE)) ?? Response.error();
  }
}

async function fetchAndKeep(address) {
  if (await caches.match(address)) return;
  const answer = await fetch(address).catch(() => undefined);
  if (answer) await put(address.startsWith("/assets/") ? FILES : PAGES, address, answer);
}

/** Hands an answer on and puts a copy away. */
function keep(event, name, key, answer) {
  event.waitUntil(put(name, key, answer.clone()));
  return answer;
}

/** Puts a good answer away, with the scripts and styles that a page needs, and the oldest ones out when there are too many. */
async function put(name, key, answer) {
  if (answer.status !== 200 || answer.redirected) return;
  if (answer.headers.get("Cache-Control")?.includes("no-store")) return; // made for one visitor
  const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
  const needs = isPage ? new Set((await answer.clone().text()).match(/\/assets\/[\w.-]+\.(js|css)/g)) : [];
  const cache = await caches.open(name);
  await cache.put(key, answer);
  const keys = (await cache.keys()).filter(({ url }) => !OFFLINE_FILES.includes(new URL(url).pathname));
  for (const old of keys.slice(0, Math.max(0, keys.length - MOST[name]))) await cache.delete(old);
  for (const file of needs) await fetchAndKeep(file);
}

/** Says to the page (its bar, app/ui/frame/offline-bar.tsx) whether the network answered. */
function tell(event, offline) {
  const id = event.resultingClientId || event.clientId;
  event.waitUntil(clients.get(id).then((client) => client?.postMessage({ offline })));
}
