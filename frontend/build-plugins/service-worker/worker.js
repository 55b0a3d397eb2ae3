// The service worker: shows the app's own page on a reload without a network. It keeps files of the build only, never
// an answer of the API and never an address, because both may contain tokens.
//
// The build replaces BUILD, see plugin.ts. Without modules and newer features: the oldest supported browsers run this.

const { version, entry, files, screens } = BUILD;

const scope = self.registration.scope;
/** Other installations on the same host share the storage, so their caches have another path in the name. */
const cachesOfScope = `plenum ${new URL(scope).pathname} `;
const cacheName = `${cachesOfScope}${version}`;

const PAGE_TIMEOUT_MS = 4000;
/** A proxy answers so while the server restarts. */
const SERVER_IS_AWAY = [502, 503, 504];
const IS_GONE = [404, 410];

let isRetired = false;
let isChecked = false;

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (isRetired || request.method !== 'GET' || !request.url.startsWith(scope)) {
    return;
  }
  const path = request.url.slice(scope.length).split(/[?#]/)[0];
  if (path.startsWith('assets/')) {
    event.respondWith(assetFor(event));
  } else if (
    request.mode === 'navigate' &&
    request.destination === 'document' &&
    screens.includes(path.split('/')[0])
  ) {
    event.respondWith(pageFor(event));
  }
});

async function install() {
  const page = await fetchPage();
  if (page === null) {
    // Another instance of the server has another version at the moment. The browser tries again later.
    throw new Error('The page is of another build than this worker.');
  }
  const cache = await caches.open(cacheName);
  await cache.addAll(files.map((file) => new URL(file, scope).href));
  await cache.put(scope, page);
  await self.skipWaiting();
}

async function activate() {
  await deleteCaches((name) => name !== cacheName);
  await self.clients.claim();
}

/** The server's page if it belongs to this build, otherwise null. */
async function fetchPage() {
  const response = await fetch(scope, { cache: 'no-cache' });
  // Browsers refuse a redirected response for another navigation.
  if (!response.ok || response.redirected) {
    return null;
  }
  return (await response.clone().text()).includes(entry) ? response : null;
}

/** From the network, so that a new build is shown at once. Without an answer in time, the page of this build. */
async function pageFor(event) {
  const answer = fetch(event.request);
  event.waitUntil(answer.then(checkOnce).catch(() => undefined));
  const timeout = new Promise((resolve) => setTimeout(resolve, PAGE_TIMEOUT_MS));
  const response = await Promise.race([answer, timeout]).catch(() => undefined);
  if (response && !SERVER_IS_AWAY.includes(response.status)) {
    return response;
  }
  return (await caches.match(scope, { cacheName, ignoreVary: true })) || answer;
}

/** The names of assets contain a hash of their content, so a kept one is never outdated. */
async function assetFor(event) {
  const { url } = event.request;
  const kept = await caches.match(url, { cacheName, ignoreVary: true });
  if (kept) {
    return kept;
  }
  const response = await fetch(event.request);
  if (response.status === 200) {
    const copy = response.clone();
    const keeping = caches.open(cacheName).then((cache) => cache.put(url, copy));
    // Without space for it, it is fetched again the next time.
    event.waitUntil(keeping.catch(() => undefined));
  }
  return response;
}

/**
 * After the first page that the server answers. If the server has no worker any more, this one ends. Otherwise its page
 * is renewed, because it also contains settings of the server.
 */
async function checkOnce(response) {
  if (isChecked || !response.ok) {
    return;
  }
  isChecked = true;
  const script = await fetch(self.location.href, { cache: 'no-cache' });
  if (IS_GONE.includes(script.status)) {
    isRetired = true;
    await deleteCaches(() => true);
    await self.registration.unregister();
    return;
  }
  const page = await fetchPage();
  if (page !== null) {
    const cache = await caches.open(cacheName);
    await cache.put(scope, page);
  }
}

async function deleteCaches(isOld) {
  const names = (await caches.keys()).filter((name) => name.startsWith(cachesOfScope) && isOld(name));
  await Promise.all(names.map((name) => caches.delete(name)));
}
