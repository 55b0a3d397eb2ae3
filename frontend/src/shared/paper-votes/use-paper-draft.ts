import { useEffect, useRef, useState } from 'react';
import { randomUuid } from '../../api/random-uuid';
import { type DraftPlace, emptyDraft, type PaperDraft, paperDraftNote } from './paper-draft';
import type { PaperQuestion } from './paper-question';

export type DraftChange = Partial<Pick<PaperDraft, 'id' | 'people' | 'counts' | 'isSending'>>;

/**
 * The batch that is being entered on this device. It survives a reload. The batch of an earlier round is discarded when
 * another round opens, and not before: the same round may be reopened.
 */
export function usePaperDraft(place: DraftPlace, question: PaperQuestion | null) {
  const [draft, setDraft] = useState<PaperDraft | null>(() => paperDraftNote.read(place));
  /** The id with which this tab last read or stored its batch. */
  const storedId = useRef(draft?.id ?? null);
  const [discarded, setDiscarded] = useState<PaperDraft | null>(null);

  if (question !== null && draft !== null && draft.roundId !== question.roundId) {
    setDraft(null);
    setDiscarded(draft.people.length > 0 ? draft : null);
  }

  useEffect(() => {
    if (draft === null) {
      if (storedId.current !== null) {
        paperDraftNote.remove(place, storedId.current);
      }
      storedId.current = null;
    } else if (paperDraftNote.save(place, draft)) {
      storedId.current = draft.id;
    }
  }, [place, draft]);

  return {
    draft,
    /** The batch of an earlier round, until the teller has seen it. */
    discarded,
    dismissDiscarded: () => setDiscarded(null),
    change: (next: DraftChange) =>
      setDraft((current) => {
        const base = current ?? (question === null ? null : emptyDraft(question));
        return base === null ? null : { ...base, ...renewed(next), ...next };
      }),
    clear: () => setDraft(null),
  };
}

/**
 * A new id for other votes: the server may have stored the ones before with the old id, and would answer with them instead
 * of the correction.
 */
function renewed({ people, counts }: DraftChange): Pick<PaperDraft, 'id'> | null {
  return people === undefined && counts === undefined ? null : { id: randomUuid() };
}
