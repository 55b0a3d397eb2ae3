import { type RefObject, useEffect, useRef, useState } from 'react';

interface Unfolded<Opener extends HTMLElement> {
  isUnfolded: boolean;
  unfold: () => void;
  fold: () => void;
  /** The button that opens the form: it gets the focus back. */
  opener: RefObject<Opener | null>;
}

/** A form that replaces the button that opened it. When it closes, the button returns with the focus. */
export function useUnfolded(): Unfolded<HTMLButtonElement> {
  const [isUnfolded, setIsUnfolded] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const wasUnfolded = useRef(false);

  useEffect(() => {
    if (wasUnfolded.current && !isUnfolded) {
      opener.current?.focus();
    }
    wasUnfolded.current = isUnfolded;
  }, [isUnfolded]);

  return {
    isUnfolded,
    unfold: () => setIsUnfolded(true),
    fold: () => setIsUnfolded(false),
    opener,
  };
}
