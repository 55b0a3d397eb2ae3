/** The value that the server wrote into the page's head; "" without one. */
function servedMeta(name: string): string {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content.replace(/\/+$/, '');
}

/** The path at which the server mounted the app ("" or "/plenum"). */
export const basePath = servedMeta('plenum-base-path');

/** The origin at which others reach the app; the organizer may use another one, such as localhost. */
export const publicOrigin = servedMeta('plenum-public-url') || window.location.origin;

/** Absolute, because tests and workers have no page to resolve a relative address against. */
export const apiUrl = `${window.location.origin}${basePath}/api`;
