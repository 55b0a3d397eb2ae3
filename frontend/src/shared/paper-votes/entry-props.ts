import type { RegisterEntry } from '../../api/types';
import { votedWords } from '../terms/cast-on';
import type { PaperApi } from './paper-api';
import type { PaperDraft } from './paper-draft';
import type { PaperQuestion } from './paper-question';
import type { DraftChange } from './use-paper-draft';

export interface EntryProps {
  api: PaperApi;
  question: PaperQuestion;
  /** Null before the first person. */
  draft: PaperDraft | null;
  isFocused: boolean;
  onChange: (change: DraftChange) => void;
}

/** The reason why this person cannot be added to the batch; null if they can. */
export function refusalOf(person: RegisterEntry, draft: PaperDraft | null): string | null {
  if (draft?.people.some(({ endUserId }) => endUserId === person.endUserId)) {
    return 'Is in this batch';
  }
  return votedWords(person);
}
