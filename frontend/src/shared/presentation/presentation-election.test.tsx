import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { electionResult, resultOfElection } from '../../test/election-samples';
import { renderPart } from '../../test/render-part';
import type { ElectionResult, ElectionStage } from '../elections/election-types';
import { PresentationElection } from './presentation-election';

function Steps({ election = electionResult() }: { election?: ElectionResult }) {
  const [step, setStep] = useState(0);
  return (
    <PresentationElection
      result={resultOfElection(election)}
      election={election}
      step={step}
      onStep={setStep}
    />
  );
}

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map(({ textContent }) => textContent);

it('begins with the elected, in their order, by the stages that elected them', () => {
  renderPart(<Steps />);
  expect(rowsOf('Votes per candidate')).toEqual([
    'CandidateVotes by heads',
    'Nadia Brandt, Flat 12Elected28, 49\u00a0%',
    'Tomas WellerElected36.42848, 64\u00a0%',
    'Imani Okoyeexcluded0, 0\u00a0%',
  ]);
  expect(
    screen.getByText(
      'Percentages are of the valid ballots. The elected have their votes of the stage that elected them.',
    ),
  ).toBeInTheDocument();
  expect(screen.getByRole('status')).toHaveTextContent('Result, after 3 stages');
  expect(screen.queryByRole('button', { name: 'Previous stage' })).not.toBeInTheDocument();
});

it('has no stages to step through where there is only one', async () => {
  const [stage] = electionResult().stages;
  const elected = [{ candidate: 1, stage: 1, by: 'most_votes', list: null }];
  const { user } = renderPart(
    <Steps election={electionResult({ method: 'plurality', elected, stages: stage ? [stage] : [] })} />,
  );
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
  await user.keyboard('{ArrowRight}');
  expect(rowsOf('Votes per candidate')).toEqual([
    'CandidateVotes by heads',
    'Nadia Brandt, Flat 12Elected28, 49\u00a0%',
    'Tomas Weller15, 26\u00a0%',
    'Imani Okoye14, 25\u00a0%',
  ]);
});

it('counts each seat of several anew, and shows the elected by the count of their seat', async () => {
  const [count] = electionResult().stages;
  const stage = (
    number: number,
    kind: ElectionStage['kind'],
    of: number[],
    ...votes: [number, string][]
  ) => ({
    ...(count as ElectionStage),
    number,
    kind,
    of,
    votes: votes.map(([candidate, amount]) => ({ candidate, votes: amount })),
  });
  const { user } = renderPart(
    <Steps
      election={electionResult({
        method: 'irv',
        stages: [
          stage(1, 'count', [], [1, '25'], [2, '20'], [3, '12']),
          stage(2, 'exclusion', [3], [1, '31'], [2, '26']),
          stage(3, 'next_seat', [], [2, '27'], [3, '30']),
        ],
        elected: [
          { candidate: 1, stage: 2, by: 'majority', list: null },
          { candidate: 3, stage: 3, by: 'majority', list: null },
        ],
      })}
    />,
  );
  expect(rowsOf('Votes per candidate').slice(1)).toEqual([
    'Nadia Brandt, Flat 12Elected31, 54\u00a0%',
    'Imani OkoyeElected30, 53\u00a0%',
    'Tomas Weller27, 47\u00a0%',
  ]);
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(rowsOf('Votes at stage 3').slice(1)).toEqual([
    'Imani OkoyeElected30, 53\u00a0%',
    'Tomas Weller27, 47\u00a0%',
  ]);
});

it('has no shares of answers that would contradict a rule of another base', () => {
  const election = electionResult({
    method: 'per_candidate',
    answers: [{ candidate: 1, yes: '40', no: '10', abstain: '7', isMet: true }],
    elected: [{ candidate: 1, stage: 1, by: 'required_share', list: null }],
    stages: [],
  });
  const requirement = {
    base: 'register',
    comparison: 'more_than',
    numerator: 1,
    denominator: 2,
  } as const;
  const result = resultOfElection(election, {
    decisionRule: { kind: 'election', election: { method: 'per_candidate', requirement } },
  });
  renderPart(<PresentationElection result={result} election={election} step={0} onStep={() => {}} />);
  expect(rowsOf('Yes votes per candidate').slice(1)).toEqual(['Nadia Brandt, Flat 12Elected40, –']);
  expect(screen.queryByText(/Percentages/)).not.toBeInTheDocument();
});

it.each<[string, Partial<ElectionResult>, string, string[], string?]>([
  [
    'the answers yes for each candidate',
    {
      method: 'per_candidate',
      answers: [
        { candidate: 1, yes: '40', no: '10', abstain: '7', isMet: true },
        { candidate: 2, yes: '20', no: '30', abstain: '7', isMet: false },
      ],
      elected: [{ candidate: 1, stage: 1, by: 'required_share', list: null }],
      stages: [],
    },
    'Yes votes per candidate',
    ['CandidateYes votes', 'Nadia Brandt, Flat 12Elected40, 80\u00a0%', 'Tomas Weller20, 40\u00a0%'],
    'Percentages are of the yes and no votes for each candidate.',
  ],
  [
    'points as shares of all points',
    { method: 'score', stages: electionResult().stages.slice(0, 1), elected: [] },
    'Points per candidate',
    [
      'CandidatePoints',
      'Nadia Brandt, Flat 1228, 49\u00a0%',
      'Tomas Weller15, 26\u00a0%',
      'Imani Okoye14, 25\u00a0%',
    ],
  ],
  [
    'the votes and seats of lists',
    {
      method: 'lists',
      lists: [
        { list: 1, name: 'Greens', votes: '40', seats: [{ seat: 1, divisor: 1 }] },
        { list: 2, name: 'Gardeners', votes: '17', seats: [] },
      ],
    },
    'Votes per list',
    ['ListVotes by heads', 'Greens: 1 seatElected40, 70\u00a0%', 'Gardeners17, 30\u00a0%'],
  ],
])('shows %s', (_, change, table, rows, base) => {
  renderPart(<Steps election={electionResult(change)} />);
  expect(rowsOf(table)).toEqual(rows);
  expect(screen.getByText(base ?? /^Percentages are of/)).toBeInTheDocument();
});

it('calls half of the votes no quota: more is needed', async () => {
  const half = electionResult();
  const stages = half.stages.map((stage) => ({ ...stage, isQuotaEnough: false }));
  const { user } = renderPart(<Steps election={{ ...half, stages }} />);
  await user.click(screen.getByRole('button', { name: 'Show the stages' }));
  expect(screen.getByText(/^More than 20 needed\./)).toBeInTheDocument();
  expect(screen.queryByText(/Quota/)).not.toBeInTheDocument();
});

it('shows one stage at a time by buttons', async () => {
  const { user } = renderPart(<Steps />);
  await user.click(screen.getByRole('button', { name: 'Show the stages' }));
  expect(screen.getByRole('table', { name: 'Votes at stage 1' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Back to the result' })).toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Next stage' }));
  await user.click(screen.getByRole('button', { name: 'Next stage' }));
  // The elected first, and the most votes first.
  expect(rowsOf('Votes at stage 3')).toEqual([
    'CandidateVotes by heads',
    'Tomas WellerElected36.42848, 64\u00a0%',
    'Nadia Brandt, Flat 12Elected20, 35\u00a0%',
    'Imani Okoyeexcluded0, 0\u00a0%',
  ]);
  expect(screen.getByText(/^Quota: 20\. Non-transferable: 0\.57144\./)).toBeInTheDocument();
  expect(screen.getByText('Exclusion of Imani Okoye')).toBeInTheDocument();
  expect(screen.getByText('Tomas Weller takes the last place.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Next stage' })).toHaveAttribute('aria-disabled', 'true');
});

it('counts the excluded where their names would fill the screen', async () => {
  const [count] = electionResult().stages;
  const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
  const names = numbers.slice(2).map((number) => `Candidate ${number}`);
  const excluded: ElectionStage = {
    ...(count as ElectionStage),
    number: 2,
    kind: 'exclusion',
    of: numbers.slice(2),
    words: [`${names.slice(0, -1).join(', ')} and ${names.at(-1)} had no votes and were excluded.`],
    votes: numbers.map((candidate) => ({ candidate, votes: candidate <= 2 ? '9' : '0' })),
  };
  const candidates = numbers.map((number) => ({
    number,
    name: `Candidate ${number}`,
    line: null,
    isWithdrawn: false,
    support: '1',
  }));
  const { user } = renderPart(
    <Steps
      election={electionResult({ candidates, elected: [], stages: [count as ElectionStage, excluded] })}
    />,
  );
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(screen.getByText('Exclusion of 38 candidates')).toBeInTheDocument();
  expect(screen.getByText('38 candidates had no votes and were excluded.')).toBeInTheDocument();
  expect(rowsOf('Votes at stage 2')).toHaveLength(3);
  expect(screen.getByText('38 more candidates have no votes. The phones show them all.')).toBeInTheDocument();
});

it('follows the arrow keys, and stops at both ends', async () => {
  const { user } = renderPart(<Steps />);
  const status = screen.getByRole('status');
  await user.keyboard('{ArrowLeft}');
  expect(status).toHaveTextContent('Result, after 3 stages');
  await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}{ArrowRight}');
  expect(status).toHaveTextContent('Stage 3 of 3');
  await user.keyboard('{Shift>}{ArrowLeft}{/Shift}');
  expect(status).toHaveTextContent('Stage 3 of 3');
  await user.keyboard('{ArrowLeft}');
  expect(status).toHaveTextContent('Stage 2 of 3');
});

it('leaves the arrow keys to the page around a preview', async () => {
  const { user } = renderPart(
    <div inert>
      <Steps />
    </div>,
  );
  await user.keyboard('{ArrowRight}');
  expect(screen.getByText('Result, after 3 stages')).toBeInTheDocument();
});
