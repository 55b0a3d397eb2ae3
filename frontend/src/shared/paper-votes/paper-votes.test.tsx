import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../../api/api-error';
import { FakeTellers, paperQuestion, ROUND_ID } from '../../test/fake-tellers';
import { renderPart } from '../../test/render-part';
import { LeftBatches } from './left-batches';
import { type DraftPlace, paperDraftNote } from './paper-draft';
import type { PaperQuestion } from './paper-question';
import { PaperVotes } from './paper-votes';

const PLACE: DraftPlace = { key: 'batch-of-a-test', storage: () => window.sessionStorage, owner: null };

let tellers: FakeTellers;

beforeEach(() => {
  tellers = new FakeTellers();
});

function open(question: PaperQuestion | null = paperQuestion(), by = 'Tellers 1') {
  return renderPart(<PaperVotes api={tellers.api(by)} place={PLACE} question={question} isFocused />);
}

/** The page after a reload, or of another teller. */
function reopen(question: PaperQuestion | null = paperQuestion(), by = 'Tellers 1') {
  cleanup();
  return open(question, by);
}

const search = () => screen.findByLabelText('Name or username');
const UNSHOWN = { secrecy: 'unshown' } as const;

type User = ReturnType<typeof open>['user'];

/** Enters a ballot by the keyboard alone: a part of the name, the number of the option. */
async function type(user: User, name: string, key: string) {
  await user.type(await search(), `${name}{Enter}`);
  await screen.findByRole('heading', { level: 4 });
  await user.keyboard(`${key}{Enter}`);
}

async function mark(user: User, name: string) {
  await user.type(await search(), `${name}{Enter}`);
  await screen.findByText(new RegExp(`^${name}.* is marked\\.`, 'i'));
}

describe('a batch of a named vote', () => {
  it('is entered by the keyboard alone, one person after another', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    expect(await screen.findByText('Ada Ash is added. 1 person in this batch.')).toBeVisible();
    expect(await search()).toHaveFocus();
    await type(user, 'birch', '2');
    const list = within(screen.getByRole('list', { name: 'People in this batch' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Ben Birch.*No/),
      expect.stringMatching(/^Ada Ash.*Yes/),
    ]);
    await user.click(screen.getByRole('button', { name: 'Enter batch of 2 votes' }));
    expect(await screen.findByText(/^Batch 1 with 2 votes is entered\./)).toBeVisible();
    expect(tellers.entered).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        ballots: [
          { endUserId: 'id-of-ada', answers: ['Yes'] },
          { endUserId: 'id-of-ben', answers: ['No'] },
        ],
      },
    ]);
    expect(paperDraftNote.read(PLACE)).toBeNull();
    expect(await search()).toHaveFocus();
  });

  it('takes nobody who has voted, and nobody twice', async () => {
    const { user } = open();
    await type(user, 'ash', '3');
    await user.type(await search(), 'a');
    const found = within(await screen.findByRole('list', { name: 'People found' }));
    expect(found.queryByRole('button', { name: /Ada Ash/ })).not.toBeInTheDocument();
    expect(found.getByText('Is in this batch')).toBeVisible();
    expect(found.getByText('Voted at a voting place')).toBeVisible();
    await user.clear(await search());
    await user.type(await search(), 'dogwood{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Dora Dogwood: Voted at a voting place.');
  });

  it('changes and removes ballots', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    await user.click(await screen.findByRole('button', { name: 'Change Ada Ash' }));
    await user.click(screen.getByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Change the vote' }));
    expect(await screen.findByText(/^Ada Ash is changed\./)).toBeVisible();
    expect(paperDraftNote.read(PLACE)?.people).toMatchObject([{ name: 'Ada Ash', answers: ['No'] }]);
    await user.click(screen.getByRole('button', { name: 'Remove Ada Ash' }));
    expect(screen.queryByRole('button', { name: /^Enter batch/ })).not.toBeInTheDocument();
  });

  it('survives a reload, and is sent again with the same id after a lost response', async () => {
    const first = open();
    await type(first.user, 'ash', '1');
    const { user } = reopen();
    expect(await screen.findByText('1 person in this batch.')).toBeVisible();
    tellers.lost = 1;
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    expect(await screen.findByText(/^The batch of 1 vote is not delivered yet\./)).toBeVisible();
    expect(screen.queryByLabelText('Name or username')).not.toBeInTheDocument();
    // A reload meanwhile goes on with the same batch.
    reopen();
    expect(await screen.findByText(/^Batch 1 with 1 vote is entered\./)).toBeVisible();
    expect(tellers.entered.length).toBeGreaterThan(1);
    expect(new Set(tellers.entered.map(({ id }) => id)).size).toBe(1);
    expect(tellers.batches).toHaveLength(1);
  });

  it('stays with the reason if the server refuses it', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    tellers.refusal = new ApiError(409, { code: 'round_not_open', error: 'Voting is not open.' });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    expect(await screen.findByText('Voting is not open.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Enter batch of 1 vote' })).toBeEnabled();
  });

  it('keeps its id if the session ends after a lost response, and is entered once', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    tellers.lost = 1;
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText(/^The batch of 1 vote is not delivered yet\./);
    tellers.refusal = new ApiError(401, { code: 'session_ended', error: 'Your session has ended.' });
    expect(await screen.findByText('Your session has ended.')).toBeVisible();
    tellers.refusal = null;
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    expect(await screen.findByText(/^Batch 1 with 1 vote is entered\./)).toBeVisible();
    expect(new Set(tellers.entered.map(({ id }) => id)).size).toBe(1);
    expect(tellers.batches).toHaveLength(1);
  });

  it('has another id once its votes are corrected', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    tellers.refusal = new ApiError(401, { code: 'session_ended', error: 'Your session has ended.' });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText('Your session has ended.');
    tellers.refusal = null;
    await user.click(screen.getByRole('button', { name: 'Change Ada Ash' }));
    await user.click(screen.getByRole('radio', { name: 'No' }));
    await user.click(screen.getByRole('button', { name: 'Change the vote' }));
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText(/^Batch 1 with 1 vote is entered\./);
    expect(new Set(tellers.entered.map(({ id }) => id)).size).toBe(2);
  });

  it('has another id after a refusal of its votes', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    tellers.refusal = new ApiError(409, { code: 'batch_id_taken', error: 'Another batch has this id' });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText('Another batch has this id');
    tellers.refusal = null;
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText(/^Batch 1 with 1 vote is entered\./);
    expect(new Set(tellers.entered.map(({ id }) => id)).size).toBe(2);
  });

  it('names the person whose ballot the server refuses', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    await type(user, 'birch', '1');
    const text = 'This person has already voted';
    tellers.refusal = new ApiError(409, {
      code: 'already_voted',
      error: text,
      fields: { 'ballots.1.endUserId': [text] },
    });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 2 votes' }));
    expect(await screen.findByText('Ben Birch: This person has already voted')).toBeVisible();
  });

  it('stays after a double click on the button that discards it', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    await user.dblClick(screen.getByRole('button', { name: 'Discard' }));
    expect(screen.getByRole('button', { name: 'Yes, discard 1 vote' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Enter batch of 1 vote' })).toBeVisible();
  });

  it('takes the reason of its refusal with it when it is discarded', async () => {
    const { user } = open();
    await type(user, 'ash', '1');
    tellers.refusal = new ApiError(409, { code: 'already_voted', error: 'Ada Ash has voted.' });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    expect(await screen.findByText('Ada Ash has voted.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('button', { name: 'Yes, discard 1 vote' }));
    expect(screen.queryByText('Ada Ash has voted.')).not.toBeInTheDocument();
    tellers.refusal = null;
    await type(user, 'birch', '1');
    expect(screen.queryByText('Ada Ash has voted.')).not.toBeInTheDocument();
  });

  it('shows the reason of its refusal at its own question alone', async () => {
    let show: (question: PaperQuestion | null) => void = () => undefined;
    const api = tellers.api('Tellers 1');
    function Page() {
      const [question, setQuestion] = useState<PaperQuestion | null>(paperQuestion);
      show = setQuestion;
      return <PaperVotes api={api} place={PLACE} question={question} />;
    }
    const { user } = renderPart(<Page />);
    await type(user, 'ash', '1');
    tellers.refusal = new ApiError(409, { code: 'round_not_open', error: 'Voting is not open.' });
    await user.click(screen.getByRole('button', { name: 'Enter batch of 1 vote' }));
    await screen.findByText('Voting is not open.');
    tellers.refusal = null;
    act(() => show(null));
    act(() => show(paperQuestion()));
    expect(screen.getByText('Voting is not open.')).toBeVisible();
    act(() => show(paperQuestion({ roundId: 'another-round', text: 'And the cellar?' })));
    expect(await search()).toBeVisible();
    expect(screen.queryByText('Voting is not open.')).not.toBeInTheDocument();
  });

  it('is kept while no question is open, and discarded when another one opens', async () => {
    const first = open();
    await type(first.user, 'ash', '1');
    reopen(null);
    expect(screen.getByText(/^No question is open\./)).toBeVisible();
    expect(screen.getByText(/^This device keeps the batch/)).toHaveTextContent('“Is the roof repaired?”');
    const { user } = reopen(paperQuestion({ roundId: 'another-round', text: 'And the cellar?' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Voting on “Is the roof repaired?” has ended. The batch of 1 person that you were entering is discarded.',
    );
    expect(paperDraftNote.read(PLACE)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'OK' }));
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('a batch of a vote that is not named', () => {
  it('is a list of people, and numbers that match it', async () => {
    const { user } = open(paperQuestion(UNSHOWN));
    await mark(user, 'ada');
    expect(screen.getByText(/^A batch of one person tells the tellers/)).toBeVisible();
    await mark(user, 'ben');
    await mark(user, 'cleo');
    const send = screen.getByRole('button', { name: 'Enter batch of 3 votes' });
    await user.type(screen.getByLabelText('Yes'), '2');
    expect(screen.getByText('2 of 3. 1 vote missing.')).toBeVisible();
    expect(send).toBeDisabled();
    await user.type(screen.getByLabelText('No'), '2');
    expect(screen.getByText('4 of 3. 1 vote too many.')).toBeVisible();
    expect(send).toBeDisabled();
    await user.clear(screen.getByLabelText('No'));
    await user.type(screen.getByLabelText('No'), 'x');
    expect(screen.getByText('Correct the numbers.')).toBeVisible();
    await user.clear(screen.getByLabelText('No'));
    await user.type(screen.getByLabelText('Abstain'), '1');
    expect(screen.getByText('3 of 3. The numbers match.')).toBeVisible();
    await user.click(send);
    await screen.findByText(/^Batch 1 with 3 votes is entered\./);
    expect(tellers.entered[0]).toMatchObject({
      people: ['id-of-ada', 'id-of-ben', 'id-of-cleo'],
      counts: [
        { answers: ['Yes'], count: 2 },
        { answers: ['Abstain'], count: 1 },
      ],
    });
    expect(tellers.entered[0]).not.toHaveProperty('ballots');
  });

  it('has people of one weight', async () => {
    const { user } = open(paperQuestion(UNSHOWN));
    await mark(user, 'ada');
    await user.type(await search(), 'elder');
    const found = within(await screen.findByRole('list', { name: 'People found' }));
    expect(await found.findByText(/^The people of a batch have the same weight, here 1\./)).toBeVisible();
    expect(found.queryByRole('button')).not.toBeInTheDocument();
  });

  it('counts equal ballots of other types', async () => {
    const { user } = open(paperQuestion({ ...UNSHOWN, type: 'MULTIPLE_CHOICE', maxChoices: 2 }));
    await mark(user, 'ada');
    await mark(user, 'ben');
    await user.click(screen.getByRole('checkbox', { name: 'Yes' }));
    await user.click(screen.getByRole('checkbox', { name: 'No' }));
    await user.clear(screen.getByLabelText('Votes with these answers'));
    await user.type(screen.getByLabelText('Votes with these answers'), '2');
    await user.click(screen.getByRole('button', { name: 'Add these votes' }));
    expect(screen.getByText('2 of 2. The numbers match.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Enter batch of 2 votes' }));
    await waitFor(() => expect(tellers.entered[0]?.counts).toEqual([{ answers: ['Yes', 'No'], count: 2 }]));
  });
});

describe('a secret vote', () => {
  it('takes no paper, which the screen explains', () => {
    open(paperQuestion({ secrecy: 'secret' }));
    expect(screen.getByText(/^This is a secret vote\. It takes no votes on paper/)).toBeVisible();
    expect(screen.queryByLabelText('Name or username')).not.toBeInTheDocument();
  });
});

describe('the second teller', () => {
  async function enterTwo(question = paperQuestion()) {
    await tellers.api('Tellers 1').enter(
      ROUND_ID,
      question.secrecy === 'named'
        ? {
            id: 'b1',
            ballots: [
              { endUserId: 'id-of-ada', answers: ['Yes'] },
              { endUserId: 'id-of-ben', answers: ['No'] },
            ],
          }
        : { id: 'b1', people: ['id-of-ada', 'id-of-ben'], counts: [{ answers: ['Yes'], count: 2 }] },
      new AbortController().signal,
    );
  }

  it('compares the ballots, confirms them, and reads what became of them', async () => {
    await enterTwo();
    tellers.people = tellers.people.map((person) =>
      person.name === 'Ben Birch' ? { ...person, hasVoted: true } : person,
    );
    const { user } = open(paperQuestion(), 'Maria Keller');
    await user.click(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' }));
    const ballots = within(await screen.findByRole('list', { name: 'Votes of the batch' }));
    expect(ballots.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Ada Ash.*Yes$/),
      expect.stringMatching(/^Ben Birch.*No$/),
    ]);
    await user.click(screen.getByRole('button', { name: 'Confirm 2 votes' }));
    expect(await screen.findByText('1 counted.')).toBeVisible();
    expect(screen.getByText('1 had voted before: Ben Birch. The earlier vote counts.')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Confirm/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Back to the batches' }));
    expect(await screen.findByText('Batch 1: 2 votes, 1 counted')).toBeVisible();
    expect(screen.getByText('No batch waits for a second teller.')).toBeVisible();
  });

  it('is somebody else', async () => {
    await enterTwo();
    const { user } = open();
    expect(await screen.findByText(/^1 batch waits for a second teller\./)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show: batch 1' }));
    expect(
      await screen.findByText(
        'You entered this batch, so another teller confirms it, with a link of their own, or an organizer.',
      ),
    ).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Confirm/ })).not.toBeInTheDocument();
  });

  it('sees numbers instead of answers where votes are not named', async () => {
    await enterTwo(paperQuestion(UNSHOWN));
    const { user } = open(paperQuestion(UNSHOWN), 'Maria Keller');
    await user.click(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' }));
    expect(await screen.findByRole('list', { name: 'Votes by answer' })).toHaveTextContent('Yes2');
    expect(screen.getByRole('list', { name: 'Votes of the batch' })).not.toHaveTextContent('Yes');
    tellers.refusal = new ApiError(409, {
      code: 'set_not_countable',
      error: 'None of these votes was counted, because Ada Bell has voted before',
    });
    await user.click(screen.getByRole('button', { name: 'Confirm 2 votes' }));
    const told = await screen.findAllByText(/because Ada Bell has voted before/);
    expect(told[0]).toBeVisible();
  });

  it('does not call a batch unchanged if no response came', async () => {
    await enterTwo();
    const { user } = open(paperQuestion(), 'Maria Keller');
    await user.click(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' }));
    tellers.refusal = ApiError.unreachable();
    await user.click(screen.getByRole('button', { name: 'Confirm 2 votes' }));
    const told = await screen.findAllByText(/^No response came from the server\./);
    expect(told[0]).toBeVisible();
  });

  it('discards a batch that differs, after a question', async () => {
    await enterTwo();
    const { user } = open(paperQuestion(), 'Maria Keller');
    await user.click(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' }));
    await user.click(await screen.findByRole('button', { name: 'Discard the batch' }));
    expect(tellers.batches[0]?.state).toBe('WAITING');
    await user.click(screen.getByRole('button', { name: 'Yes, discard 2 votes' }));
    expect(await screen.findByText('The batch is discarded. None of its votes is counted.')).toBeVisible();
  });

  it('keeps a batch after a double click on the button that discards it', async () => {
    await enterTwo();
    const { user } = open(paperQuestion(), 'Maria Keller');
    await user.click(await screen.findByRole('button', { name: 'Compare and confirm: batch 1' }));
    await user.dblClick(await screen.findByRole('button', { name: 'Discard the batch' }));
    expect(screen.getByRole('button', { name: 'Yes, discard 2 votes' })).toBeVisible();
    expect(tellers.batches[0]?.state).toBe('WAITING');
  });

  it('shows what waits after the end, and discards it', async () => {
    await enterTwo();
    cleanup();
    const round = { id: ROUND_ID, text: 'Is the roof repaired?' };
    const { user } = renderPart(<LeftBatches api={tellers.api('Maria Keller')} round={round} />);
    expect(
      await screen.findByText(/^Voting has ended, and 1 batch of votes on paper was not confirmed\./),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Discard batch 1' }));
    expect(tellers.batches[0]?.state).toBe('WAITING');
    await user.click(screen.getByRole('button', { name: 'Yes, discard 2 votes of batch 1' }));
    await waitFor(() => expect(screen.queryByText(/^Voting has ended, and/)).not.toBeInTheDocument());
    expect(tellers.batches[0]?.state).toBe('DISCARDED');
  });
});
