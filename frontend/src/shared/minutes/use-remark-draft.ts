import { useState } from 'react';
import type { CreateRemarkBody } from '../../api/types';
import { useNoteRemark } from './mutations';

const EMPTY_DRAFT: CreateRemarkBody = { kind: 'REMARK', text: '' };

export type RemarkDraft = ReturnType<typeof useRemarkDraft>;

/**
 * The remark that is being written, and the request that stores it. It belongs to the screen, so that closing the panel
 * neither loses the text nor keeps it after it was stored.
 */
export function useRemarkDraft(meetingId: string) {
  const [draft, setDraft] = useState(EMPTY_DRAFT);
  const note = useNoteRemark(meetingId, (noted) =>
    // Text that was typed meanwhile is the next remark.
    setDraft((current) => (isSame(current, noted) ? EMPTY_DRAFT : current)),
  );
  return { draft, setDraft, note };
}

/** The text is sent without the blanks around it. */
function isSame(draft: CreateRemarkBody, noted: CreateRemarkBody): boolean {
  return draft.kind === noted.kind && draft.text.trim() === noted.text;
}
