/** Of the link that this page was opened by; kept for as long as the page is. */
let taken: string | null = null;

/**
 * The token behind `#` in the address of this page, which goes from the address bar at once: who looks over a shoulder,
 * a copied address and the browser's list of visited pages do not have it.
 */
export function takeResetToken(): string | null {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token');
  if (token) {
    taken = token;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  }
  return taken;
}
