import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { sampleResult } from '../../test/result-samples';
import { OptionsTally } from './options-tally';

function barOf(name: string) {
  const row = within(screen.getByRole('row', { name: new RegExp(`^${name}(?!t)`) }));
  return row.getByRole('rowheader').querySelector('.track');
}

it('draws a bar as long as the percentage, and none where there is nothing: an outline would be seen', () => {
  const options = sampleResult().options.map((option) =>
    option.role === 'yes'
      ? { ...option, heads: 164 }
      : { ...option, text: 'Abstain', role: 'abstain' as const, heads: 0 },
  );
  renderPart(<OptionsTally result={sampleResult({ options })} />);
  expect(barOf('Yes')?.querySelector('.bar')).toHaveStyle({ width: '100%' });
  expect(barOf('Abstain')).toBeEmptyDOMElement();
});

it('has a line at the share that was needed, with its words', () => {
  renderPart(<OptionsTally result={sampleResult()} />);
  expect(barOf('Yes')?.querySelector('.line')).not.toBeNull();
  expect(barOf('No')?.querySelector('.line')).toBeNull();
  expect(screen.getByText('more than half')).toBeInTheDocument();
});
