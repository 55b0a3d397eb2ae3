import { type ComponentType, lazy, Suspense } from 'react';
import { Notice } from '../notice';
import type { ReceiptProps } from './receipt';

const Receipt = lazy<ComponentType<ReceiptProps>>(() =>
  import('./receipt').then(
    (loaded) => ({ default: loaded.Receipt }),
    () => ({ default: Nothing }),
  ),
);

function Nothing() {
  return null;
}

/** A stored ballot of a secret question. Its answer is shown nowhere. */
export function SealedVote(props: ReceiptProps) {
  return (
    <Notice tone="stored" title="Your ballot is in the urn">
      <Suspense fallback={null}>
        <Receipt {...props} />
      </Suspense>
    </Notice>
  );
}
