// Gives the page's service worker (offline.js) what this page has loaded before it: the worker begins after the page.

const OWN_FILES = "/follow/files/";

async function controller() {
  await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => {
    navigator.serviceWorker.addEventListener("controllerchange", done, { once: true });
  });
}

// Asks again for all of it, from the browser's memory; the worker keeps the answers.
async function copyFiles(base) {
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
  const files = new Set(loaded.filter((address) => address.includes(OWN_FILES)));
  await Promise.all([`${base}/follow`, ...files].map((address) => fetch(address)));
}

// Starts the worker, where the browser has one. `copyView` asks for the view that is shown.
export async function keepForOffline(base, copyView) {
  if (!navigator.serviceWorker) return;
  try {
    await navigator.serviceWorker.register(`${base}/follow/offline.js`, { scope: `${base}/follow` });
    await controller();
    await Promise.all([copyFiles(base), copyView()]);
    document.documentElement.dataset.offline = "ready";
  } catch {
    // Without a network the page is then not there after a reload, as any other page.
  }
}
