import { basePath } from '../api/base-path';

/**
 * Registers the worker that keeps the app for a reload without a network. Browsers offer workers on https and localhost
 * only; elsewhere the app works without one. After the page, so that voters' screens do not wait for it.
 */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator)) {
    return;
  }
  const register = () => {
    navigator.serviceWorker
      .register(`${basePath}/service-worker.js`, { scope: `${basePath}/`, updateViaCache: 'none' })
      // The server may have no worker, and the browser may refuse storage.
      .catch(() => undefined);
  };
  if (document.readyState === 'complete') {
    register();
  } else {
    window.addEventListener('load', register, { once: true });
  }
}
