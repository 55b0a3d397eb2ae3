import { useRef } from 'react';
import { useSearchParams } from 'react-router';

interface AddressParams {
  params: URLSearchParams;
  /** Sets these parameters, and removes the empty ones. */
  change: (changes: Record<string, string | undefined>, options?: { replace: boolean }) => void;
}

/** The parameters of the address, and a function to change them. */
export function useAddressParams(): AddressParams {
  const [params, setParams] = useSearchParams();
  // A second change may come before the first one is rendered, and must not undo it.
  const latest = useRef({ rendered: params, params });
  if (latest.current.rendered !== params) {
    latest.current = { rendered: params, params };
  }

  function change(changes: Record<string, string | undefined>, options?: { replace: boolean }) {
    const next = new URLSearchParams(latest.current.params);
    for (const [key, value] of Object.entries(changes)) {
      if (value) {
        next.set(key, value);
      } else {
        next.delete(key);
      }
    }
    latest.current.params = next;
    setParams(next, options);
  }

  return { params, change };
}
