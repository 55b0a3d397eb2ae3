/** The token of the link that opened this page; kept as long as the page is loaded. */
let taken: string | null = null;

/**
 * Returns the token after `#` in the address, and removes it from the address bar at once. So it is not visible to
 * bystanders, and not part of a copied address or of the browser's history.
 */
export function takeJoinToken(): string | null {
  const token = window.location.hash.slice(1);
  if (token) {
    taken = token;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  }
  return taken;
}
