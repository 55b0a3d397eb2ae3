import { useRef } from 'react';
import { useSearchParams } from 'react-router';

interface AddressParams {
  params: URLSearchParams;
  /** Sets the parameters given, and removes those that are empty. */
  change: (changes: Record<string, string | undefined>, options?: { replace: boolean }) => void;
}

/** The parameters of the address, and changes to them. */
export function useAddressParams(): AddressParams {
  const [params, setParams] = useSearchParams();
  // A change may come before the one before it is rendered, and must not undo it.
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
