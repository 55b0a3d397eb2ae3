import { Notice } from '../notice';

/** Reports that declared results are not shown, because the database was manipulated. */
export function DamagedResults({ count }: { count: number }) {
  return (
    <Notice tone="refused" title={count === 1 ? 'A result is damaged' : `${count} results are damaged`}>
      <p>
        The record of {count === 1 ? 'a declared result' : 'these declared results'} was changed or removed
        after the declaration. Nothing is shown in its place. Ask the organizer what was declared.
      </p>
    </Notice>
  );
}
