import { later } from '../later';
import { Notice } from '../notice';
import type { ReceiptProps } from './receipt';

const Receipt = later<ReceiptProps>(() => import('./receipt').then((loaded) => loaded.Receipt));

/** A stored ballot of a secret question. Its answer is shown nowhere. */
export function SealedVote(props: ReceiptProps) {
  return (
    <Notice tone="stored" title="Your ballot is in the urn">
      <Receipt {...props} />
    </Notice>
  );
}
