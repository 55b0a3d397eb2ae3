import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { undeliveredBallotNote } from '../../../shared/storage';
import { liveQuestion, MEETING_ID } from '../../../test/live-samples';
import { voter } from '../../../test/people';
import { tokenOf } from '../../../test/tokens';
import { submitSealed } from './submit-sealed';

beforeEach(() => {
  window.localStorage.setItem('accessToken', tokenOf({ sub: voter.id }));
  // The server seals the ballots, so the device is ready with each one at once.
  vi.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
});

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

const question = liveQuestion({ secrecy: 'secret' });

function submit(answer: string, isLeft: boolean) {
  const deliver = vi.fn(() => !isLeft);
  const ended = submitSealed({
    meetingId: MEETING_ID,
    userId: voter.id,
    question,
    answers: [answer],
    deliver,
  });
  return { deliver, ended };
}

it('keeps the ballot of a page that was left', async () => {
  await submit('Yes', true).ended;
  expect(undeliveredBallotNote.read(MEETING_ID, voter.id)?.answers).toEqual(['Yes']);
});

it('drops the ballot of a page that was left if a newer one starts right after it', async () => {
  const newer = new Promise<ReturnType<typeof submit>>((resolve) => {
    setTimeout(() => resolve(submit('No', false)));
  });
  await submit('Yes', true).ended;
  const { deliver, ended } = await newer;
  await ended;
  expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toBeNull();
  expect(deliver).toHaveBeenCalledWith(expect.objectContaining({ answers: ['No'] }));
});
