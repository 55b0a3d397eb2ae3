import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Condition, Result } from '../../api/types';
import { renderPart } from '../../test/render-part';
import { sampleResult, weighted } from '../../test/result-samples';
import { decisionSentence, quorumSentence } from './chair-sentences';
import { averagesOf, unitsOf } from './figures';
import { GroupsTally } from './groups-tally';
import { OptionsTally } from './options-tally';
import { ruleWords } from './result-words';
import { logWords } from './round-log';
import { waysSentenceByWeight } from './ways';
import { kindsOf } from './weight-names';

const AREA = { id: 'w1', name: 'Floor area', unit: 'm²', decimals: 2 };

function withCheck(change: Partial<Result['arithmetic']['checks'][number]>): Result {
  const result = weighted();
  const checks = result.arithmetic.checks.map((check) => ({ ...check, part: 620, whole: 1_000, ...change }));
  return { ...result, arithmetic: { ...result.arithmetic, checks } };
}

const of = (units: Condition['units']): Condition => ({
  units,
  base: 'yes_plus_no',
  comparison: 'more_than',
  numerator: 1,
  denominator: 2,
});

describe('the words of a result by kinds of weight', () => {
  it('name the kind and its unit in place of the weight', () => {
    expect(decisionSentence(withCheck({ unit: 'weight' }))).toBe(
      'Floor area: 620 of 1,000 m² were yes; more than half was needed. Accepted.',
    );
    expect(decisionSentence(withCheck({ unit: 'second_weight', base: 'votes_cast' }))).toBe(
      'Capital: 620 of 1,000 EUR, abstentions included, were yes; more than half was needed. Accepted.',
    );
    expect(decisionSentence(withCheck({ unit: 'heads' }))).toBe(
      '620 of 1,000 votes were yes; more than half was needed. Accepted.',
    );
  });

  it('name it in the quorum, the rule, the averages, the log and the ways', () => {
    const quorum = {
      quorum: {
        comparison: 'at_least',
        numerator: 1,
        denominator: 2,
        unit: 'weight',
        attendance: 'present',
      } as const,
      attending: 620.5,
      needed: { amount: 500, isEnough: true },
      isMet: true,
      weightKind: AREA,
    };
    expect(quorumSentence(quorum)).toBe('Quorum met: Floor area 620.5 present, 500 needed.');
    const rule = { kind: 'majority', conditions: [of('both'), of('second_weight')] } as const;
    expect(ruleWords({ ...rule, conditions: [...rule.conditions] }, kindsOf(weighted()))).toContain(
      'by heads and by Floor area, in each; and more than 1/2 of yes and no, by Capital.',
    );
    const numbers = { mean: 1, weightedMean: 2, median: 1, weightedMedian: 2, distribution: [] };
    expect(averagesOf(numbers, false, AREA).map(({ label }) => label)).toContain('Mean by Floor area');
    const person = { name: 'Ada Young', username: 'ada', weight: 250.5 };
    expect(logWords({ at: '', kind: 'ADMITTED', by: null, person, reason: null }, AREA)).toBe(
      'Ada Young (ada, Floor area 250.5 m²) admitted',
    );
    const some = { heads: 2, weight: 0.000001 };
    const ways = { device: some, paper: some, votingPlace: { heads: 0, weight: 0 } };
    expect(waysSentenceByWeight({ ways, weightKind: AREA })).toBe(
      'By device 2, Floor area 0.000001 m²; on paper 2, Floor area 0.000001 m².',
    );
  });

  it('show bars of heads and of the weight, and none of the second one', () => {
    expect(unitsOf({ kind: 'majority', conditions: [of('weight'), of('second_weight')] })).toEqual([
      'weight',
    ]);
    expect(unitsOf({ kind: 'majority', conditions: [of('second_weight')] })).toEqual(['heads']);
  });
});

describe('the tables of a result by kinds of weight', () => {
  it('have the sums by the second weight in a table of their own', () => {
    renderPart(<OptionsTally result={weighted()} />);
    const first = screen.getByRole('table', { name: 'Votes per option, in heads and in Floor area' });
    expect(within(first).getByRole('columnheader', { name: 'Floor area (m²)' })).toBeInTheDocument();
    const second = within(screen.getByRole('table', { name: 'Votes, in Capital' }));
    expect(second.getByRole('columnheader', { name: 'Capital (EUR)' })).toBeInTheDocument();
    expect(second.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'Second weightCapital (EUR)',
      'Yes50,000',
      'No12,000',
      'Votes cast62,000',
      'Present70,000',
      'Register100,000',
    ]);
  });

  it('have those of each group too', () => {
    const count = { heads: 2, weight: 300 };
    const options = [{ id: 'yes', ...count }];
    const group = { name: 'Class A', register: count, present: count, votesCast: count, options };
    const second = { ...group, options: [{ id: 'yes', heads: 2, weight: 7 }] };
    const { secondWeight, ...result } = weighted({ inEach: [group] });
    if (!secondWeight) {
      throw new Error('The sample has no second weight.');
    }
    renderPart(<GroupsTally result={{ ...result, secondWeight: { ...secondWeight, inEach: [second] } }} />);
    expect(screen.getByRole('table', { name: 'Class A, in heads and in Floor area' })).toBeInTheDocument();
    const ofSecond = within(screen.getByRole('table', { name: 'Class A, in Capital' }));
    expect(ofSecond.getByRole('row', { name: 'Yes 7' })).toBeInTheDocument();
  });

  it('say weight without a kind, and have no second table', () => {
    renderPart(<OptionsTally result={sampleResult()} />);
    const table = within(screen.getByRole('table', { name: 'Votes per option, in heads and in weight' }));
    expect(table.getByRole('columnheader', { name: 'Weight' })).toBeInTheDocument();
    expect(screen.getAllByRole('table')).toHaveLength(1);
  });
});
