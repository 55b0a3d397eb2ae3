import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Result } from '../../api/types';
import { electionResult, resultOfElection } from '../../test/election-samples';
import { renderPart } from '../../test/render-part';
import { sampleResult, weighted } from '../../test/result-samples';
import { PresentationResult } from './presentation-result';

const byWeight: Result['decisionRule'] = {
  kind: 'majority',
  conditions: [
    { units: 'weight', base: 'yes_plus_no', comparison: 'more_than', numerator: 1, denominator: 2 },
  ],
};

function show(result: Result) {
  renderPart(
    <PresentationResult
      result={result}
      wall={null}
      questionCount={1}
      revealed={new Set()}
      stage={0}
      onStage={() => undefined}
    />,
  );
}

it('names the kinds of weight, with the sums by the second one', () => {
  show(weighted({ decisionRule: byWeight }));
  const table = within(screen.getByRole('table', { name: 'Votes per option' }));
  expect(table.getByRole('columnheader', { name: 'Votes by Floor area' })).toBeInTheDocument();
  expect(screen.getByText(/by Floor area 183\.25 of 201\.5 m²\./)).toHaveTextContent(
    'Capital: 62,000 of 100,000 EUR voted; Yes 50,000, No 12,000.',
  );
});

it('says weight without a kind', () => {
  show(sampleResult({ decisionRule: byWeight }));
  expect(screen.getByRole('columnheader', { name: 'Votes by weight' })).toBeInTheDocument();
  expect(screen.getByText(/voted, by weight 183\.25 of 201\.5\./)).toBeInTheDocument();
});

it('lists nobody as elected where the quorum was missed', () => {
  const decision: Result['decision'] = { outcome: 'quorum_missed', elected: [], tie: null };
  show(resultOfElection(electionResult(), { decision }));
  expect(screen.getByText('Nobody is elected.')).toBeInTheDocument();
  expect(screen.getByText('Result, after 3 stages')).toBeInTheDocument();
  expect(screen.queryByRole('list', { name: 'Elected, in the order of election' })).not.toBeInTheDocument();
});
