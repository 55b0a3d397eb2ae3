import { type RefObject, useEffect, useRef, useState } from 'react';

interface Unfolded<Opener extends HTMLElement> {
  isUnfolded: boolean;
  unfold: () => void;
  fold: () => void;
  /** Goes to the button that unfolds it: it gets the keyboard back. */
  opener: RefObject<Opener | null>;
}

/** A form that takes the place of the button that opened it, and gives it back. */
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
