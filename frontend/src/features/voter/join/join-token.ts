import { useEffect, useState } from 'react';

/** The token of the link that opened this page; kept as long as the page is loaded. */
let taken: string | null = null;

/**
 * Returns the token after `#` in the address, and removes it from the address bar at once. So it is not visible to
 * bystanders, and not part of a copied address or of the browser's history.
 */
function takeJoinToken(): string | null {
  const token = window.location.hash.slice(1);
  if (token) {
    taken = token;
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search);
  }
  return taken;
}

/** The token of the last opened link. Another link in the same tab changes only the part after `#`, and loads no page. */
export function useJoinToken(): string | null {
  const [token, setToken] = useState(takeJoinToken);
  useEffect(() => {
    const handleChange = () => setToken(takeJoinToken());
    window.addEventListener('hashchange', handleChange);
    return () => window.removeEventListener('hashchange', handleChange);
  }, []);
  return token;
}
