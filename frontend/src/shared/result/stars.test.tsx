import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { MeanHeadline } from './mean-headline';

const numbers = { mean: 2.25, weightedMean: null, median: 2, weightedMedian: null, distribution: [] };

function widths(): (string | undefined)[] {
  return [...document.querySelectorAll<HTMLElement>('.filled')].map(({ style }) => style.width);
}

it('fills stars up to the mean of a rating', () => {
  renderPart(<MeanHeadline result={{ questionType: 'RATING', ratingMax: 4, numbers }} />);
  expect(widths()).toEqual(['100%', '100%', '25%', '0%']);
  expect(screen.getByText('of 4')).toBeInTheDocument();
});

it('has no stars for a percentage', () => {
  renderPart(
    <MeanHeadline
      result={{ questionType: 'PERCENTAGE', ratingMax: null, numbers: { ...numbers, mean: 61.44 } }}
    />,
  );
  expect(widths()).toEqual([]);
  expect(screen.getByText('61.4')).toBeInTheDocument();
});
