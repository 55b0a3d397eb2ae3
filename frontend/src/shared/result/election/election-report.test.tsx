import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { electionResult, electionTie } from '../../../test/election-samples';
import { renderPart } from '../../../test/render-part';
import type { ElectionStage } from '../../elections/election-types';
import { listed } from '../listed';
import { fateAfter, hasAmount, tiedNames, waitsForLot } from './election-names';
import { ElectionReport } from './election-report';

const cells = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('names the elected in order, with what each election rests on', () => {
  renderPart(<ElectionReport election={electionResult()} />);
  const elected = within(screen.getByRole('list', { name: 'Elected, in the order of election' }));
  expect(elected.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Nadia Brandt Flat 12reached the quota',
    'Tomas Wellerlast place',
  ]);
  expect(screen.getByText('Single transferable vote (Scottish rules), 2 seats')).toBeInTheDocument();
});

it('has the stages as a table, candidates down and stages across, and their words', () => {
  renderPart(<ElectionReport election={electionResult()} />);
  const table = within(screen.getByRole('table', { name: 'Votes at each of 3 stages' }));
  expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Candidate',
    'Stage 1Count',
    'Stage 2Surplus of Nadia Brandt',
    'Stage 3Exclusion of Imani Okoye',
  ]);
  expect(cells(table.getByRole('row', { name: /^Nadia/ }))).toEqual([
    '28.00000elected',
    '20.00000',
    '20.00000',
  ]);
  expect(cells(table.getByRole('row', { name: /^Tomas/ }))).toEqual([
    '15.00000',
    '18.71424',
    '36.42848elected',
  ]);
  expect(cells(table.getByRole('row', { name: /^Imani/ }))).toEqual(['14.00000', '17.71424', '–excluded']);
  expect(cells(table.getByRole('row', { name: /^Non-transferable/ }))).toEqual([
    '0.00000',
    '0.57144',
    '0.57144',
  ]);
  expect(table.queryByRole('row', { name: /^Lost/ })).toBeNull();
  const words = within(screen.getByRole('list', { name: 'What happened at each stage' }));
  expect(words.getAllByRole('listitem')[2]).toHaveTextContent(
    'Stage 3. Imani Okoye is excluded. Tomas Weller takes the last place.',
  );
});

it('tells valid ballots, abstentions and invalid ones apart, and lists the faults', () => {
  renderPart(<ElectionReport election={electionResult()} />);
  const ballots = within(screen.getByRole('table', { name: 'Ballots' }));
  expect(
    ballots
      .getAllByRole('row')
      .slice(1)
      .map(({ textContent }) => textContent),
  ).toEqual(['Cast60', 'Valid57', 'Abstentions2', 'Invalid1']);
  expect(within(screen.getByRole('list', { name: 'Ballot faults' })).getByRole('listitem')).toHaveTextContent(
    '1 ballot ranked a candidate twice and is invalid.',
  );
});

it('has the pairs of Schulze in both directions', () => {
  const pairs = {
    candidates: [1, 2],
    preferred: [
      ['0', '31'],
      ['26', '0'],
    ],
    paths: [
      ['0', '31'],
      ['0', '0'],
    ],
  };
  renderPart(
    <ElectionReport election={electionResult({ method: 'schulze', pairs, order: [[1], [2, 3]] })} />,
  );
  const table = within(screen.getByRole('table', { name: /^Votes that prefer/ }));
  expect(cells(table.getByRole('row', { name: 'Nadia Brandt 31' }))).toEqual(['', '31']);
  expect(cells(table.getByRole('row', { name: 'Tomas Weller 26' }))).toEqual(['26', '']);
  expect(
    screen.getByText('Order of all candidates: 1. Nadia Brandt; 2. Tomas Weller and Imani Okoye.'),
  ).toBeInTheDocument();
});

it('has the seats of the lists with their divisors, and the answers for each candidate', () => {
  renderPart(
    <ElectionReport
      election={electionResult({
        lists: [
          {
            list: 1,
            name: 'Greens',
            votes: '40',
            seats: [
              { seat: 1, divisor: 1 },
              { seat: 3, divisor: 3 },
            ],
          },
          { list: 2, name: 'Gardeners', votes: '17', seats: [] },
        ],
        answers: [{ candidate: 3, yes: '12', no: '30', abstain: '2', isMet: false }],
      })}
    />,
  );
  expect(cells(screen.getByRole('row', { name: /^Greens/ }))).toEqual([
    '40',
    '2',
    'seat 1 (÷ 1), seat 3 (÷ 3)',
  ]);
  expect(cells(screen.getByRole('row', { name: /^Gardeners/ }))).toEqual(['17', '0', '–']);
  const answers = within(screen.getByRole('table', { name: 'Answers for each candidate' }));
  expect(cells(answers.getByRole('row', { name: /^Imani/ }))).toEqual(['12', '30', '2', 'Not met']);
});

it('shows how ties were decided, with the seed of a lot', () => {
  const decided = { at: '2026-11-21T18:10:00Z', decidedBy: 'Maria Keller' };
  renderPart(
    <ElectionReport
      election={electionResult({
        decisions: [
          {
            ...decided,
            tie: electionTie(),
            by: 'lot',
            seed: '7f3a',
            order: [3, 2],
            drawnBy: null,
            witnessedBy: null,
          },
          {
            ...decided,
            tie: electionTie({ stage: 3 }),
            by: 'lot_by_hand',
            seed: null,
            order: [2, 3],
            drawnBy: 'Aiko Mori',
            witnessedBy: 'Georg Hahn',
          },
        ],
      })}
    />,
  );
  const [drawn, byHand] = within(screen.getByRole('region', { name: 'Decided ties' })).getAllByRole(
    'listitem',
  );
  expect(drawn).toHaveTextContent(
    /Plenum drew the lot \(.*, started by Maria Keller\): 1\. Imani Okoye, 2\. Tomas Weller\..*Seed: 7f3a/,
  );
  expect(byHand).toHaveTextContent(
    /Aiko Mori drew the lot, and Georg Hahn saw the draw \(entered by Maria Keller, .*\): 1\. Tomas Weller/,
  );
  expect(byHand).not.toHaveTextContent('Seed');
});

it('says that nobody is elected, and why', () => {
  renderPart(
    <ElectionReport
      election={electionResult({
        elected: [],
        vacancies: {
          seats: 2,
          why: 'requirement',
          words: '2 seats stay vacant: nobody has the required share.',
        },
      })}
    />,
  );
  expect(screen.getByText('Nobody is elected.')).toBeInTheDocument();
  expect(screen.getByText('2 seats stay vacant: nobody has the required share.')).toBeInTheDocument();
});

it('does not say that nobody is elected while a tie is open', () => {
  renderPart(<ElectionReport election={electionResult({ elected: [], tie: electionTie() })} />);
  expect(screen.getByText('Nobody is elected yet: a tie is not decided.')).toBeInTheDocument();
  expect(screen.queryByText('Nobody is elected.')).not.toBeInTheDocument();
});

it('lets only a run-off for seats pass without a lot', () => {
  expect(waitsForLot(null, 'lot')).toBe(false);
  expect(waitsForLot(electionTie({ matter: 'seats' }), 'lot')).toBe(true);
  expect(waitsForLot(electionTie({ matter: 'seats' }), 'run_off')).toBe(false);
  expect(waitsForLot(electionTie({ matter: 'exclusion' }), 'run_off')).toBe(true);
});

it('lets those excluded in the count of one seat stand again for the next', () => {
  const [count, , exclusion] = electionResult().stages;
  const stage = (number: number, change: Partial<ElectionStage>): ElectionStage => ({
    ...(count as ElectionStage),
    number,
    ...change,
  });
  const election = electionResult({
    method: 'irv',
    stages: [
      stage(1, { isQuotaEnough: false }),
      stage(2, { ...exclusion, number: 2, of: [2] }),
      stage(3, { ...exclusion, number: 3, of: [3] }),
      stage(4, { kind: 'next_seat', votes: [2, 3].map((candidate) => ({ candidate, votes: '20' })) }),
      stage(5, { ...exclusion, number: 5, of: [3], votes: [{ candidate: 2, votes: '40' }] }),
    ],
    elected: [
      { candidate: 1, stage: 3, by: 'majority', list: null },
      { candidate: 2, stage: 4, by: 'majority', list: null },
    ],
  });
  const fates = (candidate: number) =>
    [1, 2, 3, 4, 5].map((number) => fateAfter(election, candidate, number));
  expect(fates(1)).toEqual([null, null, 'elected', 'elected', 'elected']);
  expect(fates(2)).toEqual([null, 'excluded', 'excluded', 'elected', 'elected']);
  expect(fates(3)).toEqual([null, null, 'excluded', null, 'excluded']);
  renderPart(<ElectionReport election={election} />);
  const table = within(screen.getByRole('table', { name: 'Votes at each of 5 stages' }));
  const row = (name: RegExp) => cells(table.getByRole('row', { name }));
  expect(row(/^Needed: more than/)[0]).toBe('20');
  expect(table.queryByRole('row', { name: /^Quota/ })).not.toBeInTheDocument();
  expect(row(/^Tomas/).map((text) => text?.replace(/[^a-z]/g, ''))).toEqual([
    '',
    'excluded',
    '',
    'elected',
    '',
  ]);
  expect(row(/^Imani/).map((text) => text?.replace(/[^a-z]/g, ''))).toEqual([
    '',
    '',
    'excluded',
    '',
    'excluded',
  ]);
});

it('names tied lists by their lists', () => {
  const lists = [{ list: 2, name: 'Gardeners', votes: '17', seats: [] }];
  const named = (matter: 'list_seats' | 'seats') =>
    tiedNames(electionResult({ lists }), electionTie({ matter, numbers: [2] }));
  expect(named('list_seats')).toEqual([{ number: 2, name: 'Gardeners' }]);
  expect(named('seats')).toEqual([{ number: 2, name: 'Tomas Weller' }]);
});

it('knows amounts of nothing, and puts names in a row', () => {
  expect(['0', '0.00000', ''].map(hasAmount)).toEqual([false, false, false]);
  expect(['0.00001', '10', '1'].map(hasAmount)).toEqual([true, true, true]);
  expect([[], ['A'], ['A', 'B'], ['A', 'B', 'C']].map(listed)).toEqual(['', 'A', 'A and B', 'A, B and C']);
});
