import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render-part';
import { sampleResult, weighted } from '../../../test/result-samples';
import { DetailsBody } from './details-body';
import { OptionBars } from './option-bars';

it('names kinds of weight, and has the sums by the second one', () => {
  renderPart(<DetailsBody result={weighted()} />);
  for (const name of ['Votes per option, in heads and in Floor area', 'Votes, in heads and in Floor area']) {
    const table = within(screen.getByRole('table', { name }));
    expect(table.getByRole('columnheader', { name: 'Floor area (m²)' })).toBeInTheDocument();
  }
  const second = within(screen.getByRole('table', { name: 'Votes, in Capital' }));
  expect(second.getByRole('row', { name: 'Yes 50,000' })).toBeInTheDocument();
  expect(second.getByRole('row', { name: 'Register 100,000' })).toBeInTheDocument();
});

it('says weight without a kind, and has no second table', () => {
  renderPart(<DetailsBody result={sampleResult()} />);
  expect(screen.getByRole('table', { name: 'Votes, in heads and in weight' })).toBeInTheDocument();
  expect(screen.getAllByRole('table')).toHaveLength(2);
});

it('names the kind beside the bars of a rule by weight', () => {
  renderPart(
    <OptionBars
      result={weighted({
        decisionRule: {
          kind: 'majority',
          conditions: [
            { units: 'weight', base: 'yes_plus_no', comparison: 'more_than', numerator: 1, denominator: 2 },
          ],
        },
      })}
    />,
  );
  expect(screen.getByRole('list', { name: 'Votes per option' })).toHaveTextContent(
    /Floor area \(m²\) 140\.5/,
  );
});
