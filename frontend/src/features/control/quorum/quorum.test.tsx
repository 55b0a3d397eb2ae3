import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { LiveState } from '../../../shared/live/live-events';
import {
  endedRound,
  given,
  haveRounds,
  hear,
  installControl,
  onScreen,
  openControl,
  refused,
} from '../../../test/control-fixture';
import { http, server } from '../../../test/server';

installControl();

type QuorumState = NonNullable<LiveState['quorum']>;

/** Half of 180 people must be present, and 64 are. */
function quorum(change: Partial<QuorumState> = {}): QuorumState {
  return {
    quorum: { comparison: 'at_least', numerator: 1, denominator: 2, unit: 'heads', attendance: 'present' },
    atOpening: 'warn',
    present: { heads: 64, weight: 70.5 },
    represented: { heads: 0, weight: 0 },
    eligible: { heads: 180, weight: 201.5 },
    attending: 64,
    needed: 90,
    percent: 35.56,
    isMet: false,
    ...change,
  };
}

const met = () => quorum({ present: { heads: 90, weight: 101 }, attending: 90, percent: 50, isMet: true });

const meter = () => within(screen.getByRole('region', { name: 'Quorum' }));
const TOO_FEW = 'Quorum not met: 64 present, 90 needed.';

describe('the quorum', () => {
  it('is not shown where there is none', async () => {
    await openControl();
    await screen.findByRole('button', { name: 'Start Question' });
    expect(screen.queryByRole('region', { name: 'Quorum' })).not.toBeInTheDocument();
  });

  it('is shown with the figures of the server, and announced when it is met', async () => {
    await openControl({ quorum: quorum() });
    await screen.findByRole('region', { name: 'Quorum' });
    expect(
      meter().getByText('64 present, 90 needed. The quorum is at least 1/2 of 180; 35.56 % are present.'),
    ).toBeInTheDocument();
    const verdict = meter().getByRole('status');
    expect(verdict).toHaveTextContent('Quorum not met');
    hear({ quorum: met() });
    expect(meter().getByRole('status')).toBe(verdict);
    expect(verdict).toHaveTextContent('Quorum met');
    expect(meter().getByText(/^90 present, 90 needed\. .* 50\.00 % are present\.$/)).toBeInTheDocument();
  });

  it.each([
    [null, 'Present: 44, by proxy: 3.'],
    [{ eligible: 60, selfCheckIn: false }, 'Checked in: 44, by proxy: 3.'],
  ])('says how many are represented, with check-in %o', async (checkIn, parts) => {
    const state = quorum({
      present: { heads: 44, weight: 59 },
      represented: { heads: 3, weight: 4 },
      attending: 47,
      needed: 30,
      percent: 78.33,
      eligible: { heads: 60, weight: 70 },
      isMet: true,
    });
    await openControl({ quorum: state, checkIn });
    await screen.findByRole('region', { name: 'Quorum' });
    const words = '47 present or represented, 30 needed. The quorum is at least 1/2 of 60;';
    const text = `${words} 78.33\u00a0% are present or represented. ${parts}`;
    expect(
      meter().getByText((_, element) => element?.textContent === text && element.tagName === 'P'),
    ).toBeInTheDocument();
  });

  it.each([
    [
      'by weight, digit for digit',
      quorum({
        quorum: { ...quorum().quorum, unit: 'weight', comparison: 'more_than' },
        attending: 70.0125,
        needed: 100.7501,
      }),
      'Weight 70.0125 present, 100.7501 needed. The quorum is more than 1/2 of weight 201.5; 35.56 % is present.',
    ],
    [
      'of votes',
      quorum({ quorum: { ...quorum().quorum, comparison: 'more_than', attendance: 'voted' }, needed: 91 }),
      '64 voted, 91 needed. The quorum is more than 1/2 of 180; 35.56 % have voted.',
    ],
    [
      'of nobody',
      quorum({ attending: 0, eligible: { heads: 0, weight: 0 }, needed: null, percent: null }),
      '0 present, nobody may vote. The quorum is at least 1/2.',
    ],
  ])('is described in words: %s', async (_name, state, words) => {
    await openControl({ quorum: state });
    expect(await screen.findByText(words)).toBeInTheDocument();
  });
});

describe('opening with the names of a template', () => {
  const withOptions = (...texts: string[]) => {
    const options = texts.map((text, index) => ({
      id: `o${index}`,
      text,
      position: index + 1,
      role: 'choice' as const,
    }));
    given.questions = given.questions.map((question) => ({ ...question, optionsList: options }));
  };

  it('is asked for, together with a quorum that is not met', async () => {
    withOptions('Candidate 1', 'Nadia Brandt', 'Candidate 3');
    const { user } = await openControl({ quorum: quorum() });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    const guard = await screen.findByRole('alertdialog', {
      name: '“Candidate 1” and “Candidate 3” are placeholders of the template.',
    });
    expect(guard).toHaveTextContent(TOO_FEW);
    expect(given.asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Start anyway' }));
    await screen.findByRole('button', { name: 'End Question' });
  });

  it('is not asked for once they are replaced', async () => {
    withOptions('Nadia Brandt', 'Candidate of the board');
    const { user } = await openControl();
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await screen.findByRole('button', { name: 'End Question' });
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
  });
});

describe('opening while too few are present', () => {
  it('is asked for, and not by a slip: what has the focus waits', async () => {
    const { user } = await openControl({ quorum: quorum() });
    await user.dblClick(await screen.findByRole('button', { name: 'Start Question' }));
    expect(await screen.findByRole('alertdialog', { name: TOO_FEW })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Wait' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Wait' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(given.asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Start Question' }));
    await user.click(await screen.findByRole('button', { name: 'Start anyway' }));
    await screen.findByRole('button', { name: 'End Question' });
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });

  it('is asked for by keyboard as well: Space opens nothing', async () => {
    const { user } = await openControl({ quorum: quorum() });
    await screen.findByRole('button', { name: 'Start Question' });
    await user.keyboard(' ');
    expect(await screen.findByRole('alertdialog', { name: TOO_FEW })).toBeInTheDocument();
    // This presses the focused button.
    await user.keyboard(' ');
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(given.asked).toEqual([]);
  });

  it('is asked for also to open a question again', async () => {
    haveRounds(endedRound({ status: 'ENDED', countedAt: null }));
    const { user } = await openControl({ quorum: quorum() });
    await user.click(await screen.findByRole('button', { name: 'Reopen' }));
    expect(await screen.findByRole('alertdialog', { name: TOO_FEW })).toBeInTheDocument();
  });

  it('says while it asks that enough are present', async () => {
    const { user } = await openControl({ quorum: quorum() });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await screen.findByRole('alertdialog');
    hear({ quorum: met() });
    expect(screen.getByRole('alertdialog', { name: 'The quorum is met now.' })).toBeInTheDocument();
    await user.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Start Question' }));
    await screen.findByRole('button', { name: 'End Question' });
  });

  it('is not asked for where votes are counted for the quorum: nobody can have voted yet', async () => {
    const { user } = await openControl({
      quorum: quorum({ quorum: { ...quorum().quorum, attendance: 'voted' }, attending: 0, percent: 0 }),
    });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    await screen.findByRole('button', { name: 'End Question' });
    expect(given.asked).toEqual([{ questionId: 'q1' }]);
  });

  it('is held against the own quorum of a question that is not on the screen yet', async () => {
    const [first, ...others] = given.questions;
    if (first) {
      const own = { ...quorum().quorum, unit: 'weight' as const, numerator: 2, denominator: 3 };
      given.questions = [{ ...first, quorum: own }, ...others];
    }
    const { user } = await openControl({ quorum: met() });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    expect(
      await screen.findByRole('alertdialog', {
        name: 'Quorum not met: weight 101 of 201.5 present, at least 2/3 needed.',
      }),
    ).toBeInTheDocument();
  });

  it('is barred where the meeting wants that, with the reason at the button, until enough are there', async () => {
    const { user } = await openControl({ quorum: quorum({ atOpening: 'bar' }) });
    const start = await screen.findByRole('button', { name: 'Start Question' });
    expect(start).toHaveAttribute('aria-disabled', 'true');
    expect(start).toHaveAccessibleDescription(
      'Voting cannot be opened. Quorum not met: 64 present, 90 needed.',
    );
    await user.click(start);
    await user.keyboard(' ');
    expect(given.asked).toEqual([]);
    hear({ quorum: { ...met(), atOpening: 'bar' } });
    expect(start).not.toHaveAttribute('aria-disabled');
    await user.click(start);
    await screen.findByRole('button', { name: 'End Question' });
  });

  it('does not bar ending', async () => {
    await openControl({
      quorum: quorum({ atOpening: 'bar' }),
      currentQuestion: { ...onScreen(given.questions[0]), isActive: true, roundId: 'r1' },
      registerSize: 180,
    });
    expect(await screen.findByRole('button', { name: 'End Question' })).not.toHaveAttribute('aria-disabled');
  });

  it('is refused by the server with its figures, shown in place', async () => {
    const error = 'Too few are present: 89 of 180. At least 90 are needed.';
    server.use(
      http.put('/client/meetings/{meetingId}/current-question', ({ response }) =>
        response.untyped(refused('quorum_missed', error)),
      ),
    );
    const { user } = await openControl({ quorum: { ...met(), atOpening: 'bar' } });
    await user.click(await screen.findByRole('button', { name: 'Start Question' }));
    const panel = within(await screen.findByRole('region', { name: /^Question Control/ }));
    expect(await panel.findByText(error)).toBeInTheDocument();
  });

  it('once more is warned of in its dialog', async () => {
    haveRounds(endedRound());
    const { user } = await openControl({ quorum: quorum() });
    await user.click(await screen.findByRole('button', { name: 'Re-vote' }));
    const dialog = await screen.findByRole('dialog', { name: 'Start a re-vote?' });
    await waitFor(() => expect(dialog).toHaveTextContent(TOO_FEW));
  });
});
