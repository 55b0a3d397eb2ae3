import { type DraftPlace, paperDraftNote } from '../../../shared/paper-votes/paper-draft';

/** Where the device of a teller keeps its batch: with its names and answers, until it is sent or the link ends. */
export function batchPlace(token: string): DraftPlace {
  return {
    key: `plenum.desk.paper.${token.slice(-12)}`,
    storage: () => window.localStorage,
    owner: null,
  };
}

/** Deletes the batch of a link that no longer works. */
export function forgetBatch(token: string): void {
  paperDraftNote.remove(batchPlace(token));
}
