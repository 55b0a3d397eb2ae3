import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { sampleResult } from '../../test/result-samples';
import { OptionsTally } from './options-tally';

function rowOf(name: string) {
  return within(screen.getByRole('row', { name: new RegExp(`^${name}`) }));
}

it('draws a bar as long as the percentage, and none where there is nothing: an outline would be seen', () => {
  const options = sampleResult().options.map((option) =>
    option.role === 'yes'
      ? { ...option, headsPercent: 100 }
      : { ...option, text: 'Abstain', role: 'abstain' as const, heads: 0, headsPercent: 0 },
  );
  renderPart(<OptionsTally result={sampleResult({ options })} />);
  expect(rowOf('Yes').getByRole('rowheader').querySelector('.bar')).toHaveStyle({ width: '100%' });
  expect(rowOf('Abstain').getByRole('rowheader').querySelector('.track')).toBeEmptyDOMElement();
});
