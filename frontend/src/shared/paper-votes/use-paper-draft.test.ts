import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { paperQuestion } from '../../test/fake-tellers';
import { type DraftPlace, emptyDraft, type PaperDraft, paperDraftNote } from './paper-draft';
import { usePaperDraft } from './use-paper-draft';

const PLACE: DraftPlace = {
  key: 'batch-of-tabs',
  storage: () => window.localStorage,
  owner: null,
};
const NEXT = paperQuestion({ roundId: 'the-next-round', text: 'And the cellar?' });

function batch(question = paperQuestion()): PaperDraft {
  const ada = { endUserId: 'id-of-ada', name: 'Ada Ash', username: 'ada', weight: 1, answers: ['Yes'] };
  return { ...emptyDraft(question), people: [ada] };
}

/** A tab that was opened during the first round. */
function openTab() {
  return renderHook((question) => usePaperDraft(PLACE, question), { initialProps: paperQuestion() });
}

afterEach(() => void vi.restoreAllMocks());

it('discards the batch of an earlier round, and leaves the next batch of another tab on the device', () => {
  paperDraftNote.save(PLACE, batch());
  const { result, rerender } = openTab();
  const ofOtherTab = batch(NEXT);
  paperDraftNote.save(PLACE, ofOtherTab);
  rerender(NEXT);
  expect(result.current.discarded?.text).toBe('Is the roof repaired?');
  expect(paperDraftNote.read(PLACE)).toEqual(ofOtherTab);
});

it('removes the batch that the teller discards, as it was changed last', () => {
  paperDraftNote.save(PLACE, batch());
  const { result } = openTab();
  act(() => result.current.change({ people: [] }));
  expect(paperDraftNote.read(PLACE)?.people).toEqual([]);
  act(() => result.current.clear());
  expect(paperDraftNote.read(PLACE)).toBeNull();
});

it('removes the batch that is on the device, even if the last change of it could not be stored', () => {
  paperDraftNote.save(PLACE, batch());
  const { result } = openTab();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('The storage is full.', 'QuotaExceededError');
  });
  act(() => result.current.change({ people: [] }));
  expect(paperDraftNote.read(PLACE)?.people).toHaveLength(1);
  act(() => result.current.clear());
  expect(paperDraftNote.read(PLACE)).toBeNull();
});

it('removes a batch that it discards as soon as it is read', () => {
  paperDraftNote.save(PLACE, batch());
  const { result } = renderHook(() => usePaperDraft(PLACE, NEXT));
  expect(result.current.discarded).not.toBeNull();
  expect(paperDraftNote.read(PLACE)).toBeNull();
});

it('leaves the batch of another tab when it has none itself', () => {
  const { rerender } = openTab();
  const ofOtherTab = batch(NEXT);
  paperDraftNote.save(PLACE, ofOtherTab);
  rerender(NEXT);
  expect(paperDraftNote.read(PLACE)).toEqual(ofOtherTab);
});
