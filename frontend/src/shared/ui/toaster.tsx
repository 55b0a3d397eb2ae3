import { Notification, Portal } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Reference } from './reference';
import { type Toast, type Tone, toasts } from './toast';
import classes from './toaster.module.css';

const DURATION_MS = 4000;
/** Longer, because people write the reference down or press its button. */
const REFERENCE_DURATION_MS = 12_000;

const COLOR: Record<Tone, string> = {
  success: 'var(--plenum-good)',
  error: 'var(--plenum-danger)',
  info: 'var(--plenum-info)',
};

/** Shows the toasts of the whole app, above everything else. */
export function Toaster() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.shown);
  return (
    <Portal>
      <div className={classes.root}>
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} />
        ))}
      </div>
    </Portal>
  );
}

/** Disappears by itself, but not while it is hovered or focused. */
function ToastCard({ toast: { id, tone, message, reference } }: { toast: Toast }) {
  const [isPointedAt, setIsPointedAt] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  const isHeld = isPointedAt || isFocused;

  useEffect(() => {
    if (isHeld) {
      return;
    }
    const timer = window.setTimeout(
      () => toasts.dismiss(id),
      reference ? REFERENCE_DURATION_MS : DURATION_MS,
    );
    return () => window.clearTimeout(timer);
  }, [id, isHeld, reference]);

  return (
    <Notification
      className={classes.toast}
      color={COLOR[tone]}
      withBorder
      closeButtonProps={{ 'aria-label': 'Dismiss' }}
      onClose={() => toasts.dismiss(id)}
      onMouseEnter={() => setIsPointedAt(true)}
      onMouseLeave={() => setIsPointedAt(false)}
      onFocus={() => setIsFocused(true)}
      onBlur={() => setIsFocused(false)}
    >
      {message}
      {reference ? (
        <div>
          <Reference id={reference} />
        </div>
      ) : null}
    </Notification>
  );
}
