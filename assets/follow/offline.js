// A service worker for the page for students: where the network is gone, a reload still shows the page and the view
// that was shown last. It keeps only what every student of the lecture gets. Browsers run it on https:// and localhost.
const CACHE = "glassformer follow 1";
const MOST_VIEWS = 3;
const MOST_KEEP_TIME = 1000; // milliseconds

const isView = (url) => url.pathname.includes("/follow/views/");
const isFile = (url) => url.pathname.includes("/follow/files/");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function keep(request, answer) {
  const cache = await caches.open(CACHE);
  await cache.put(request.url.split(/[?#]/)[0], answer);
  const views = (await cache.keys()).filter(({ url }) => isView(new URL(url)));
  for (const old of views.slice(0, -MOST_VIEWS)) await cache.delete(old);
}

// The answer waits until it is kept, but no longer than that, and goes out in any case: a storage that is full or slow
// must not hold up the lecture.
async function fromNetwork(event) {
  const answer = await fetch(event.request);
  if (answer.ok) {
    const keeping = keep(event.request, answer.clone()).catch(() => undefined);
    event.waitUntil(keeping);
    await Promise.race([keeping, new Promise((done) => setTimeout(done, MOST_KEEP_TIME))]);
  }
  return answer;
}

const fromCache = (request) => caches.match(request.url.split(/[?#]/)[0], { ignoreVary: true });

async function answer(event, url) {
  if (isFile(url)) return (await fromCache(event.request)) ?? fromNetwork(event);
  try {
    return await fromNetwork(event);
  } catch (error) {
    const kept = await fromCache(event.request);
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isPage = /\/follow\/?$/.test(url.pathname);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (isPage || isFile(url) || isView(url)) event.respondWith(answer(event, url));
});
