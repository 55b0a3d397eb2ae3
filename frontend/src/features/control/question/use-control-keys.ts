import { useEffect, useEffectEvent } from 'react';

export type ControlKey = 'previous' | 'main' | 'next' | 'cancel' | 'minutes';

const KEYS: Record<string, ControlKey> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  ' ': 'main',
  Escape: 'cancel',
  m: 'minutes',
  M: 'minutes',
};

/** A second press this soon is an accident, and would end what the first one opened. */
const SLIP_MS = 600;

const TYPING = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** An open menu or list uses the arrow keys, and letters to find an entry. */
const HAS_OWN_KEYS = '[role="menu"], [role="listbox"]';
const PRESSED_BY_SPACE = 'button, summary, [role="button"], [role="tab"], [role="menuitem"]';

/** Handles the keys of the control view for any focus, except where a key has another meaning. */
export function useControlKeys(isOn: boolean, onKey: (key: ControlKey) => void): void {
  const handleKey = useEffectEvent(onKey);

  useEffect(() => {
    if (!isOn) {
      return;
    }
    let lastPress = Number.NEGATIVE_INFINITY;
    function handleKeyDown(event: KeyboardEvent) {
      const key = controlKeyOf(event);
      if (key === null) {
        return;
      }
      if (key !== 'cancel') {
        // Otherwise the page would scroll as well, or the letter would be typed into the opened field.
        event.preventDefault();
      }
      if (event.repeat || (key === 'main' && event.timeStamp - lastPress < SLIP_MS)) {
        return;
      }
      if (key === 'main') {
        lastPress = event.timeStamp;
      }
      handleKey(key);
    }
    document.addEventListener('keydown', handleKeyDown);
    return () => document.removeEventListener('keydown', handleKeyDown);
  }, [isOn]);
}

function controlKeyOf(event: KeyboardEvent): ControlKey | null {
  const key = KEYS[event.key];
  if (key === undefined || event.defaultPrevented || hasModifier(event)) {
    return null;
  }
  const target = event.target instanceof Element ? event.target : null;
  const isMeantElsewhere =
    target?.closest(TYPING) ||
    (key !== 'cancel' && target?.closest(HAS_OWN_KEYS)) ||
    (key === 'main' && target?.closest(PRESSED_BY_SPACE)) ||
    document.querySelector('[aria-modal="true"]');
  return isMeantElsewhere ? null : key;
}

function hasModifier({ altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent): boolean {
  return altKey || ctrlKey || metaKey || shiftKey;
}
