import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render-part';
import { PercentageSlider } from './percentage-slider';

it('says that nothing is chosen before it is touched, and chooses whole numbers', () => {
  const onChange = vi.fn();
  renderPart(<PercentageSlider value={null} isDisabled={false} onChange={onChange} />);
  const slider = screen.getByRole('slider', { name: 'Percentage' });
  expect(slider).toHaveAttribute('aria-valuetext', 'Nothing chosen');

  fireEvent.change(slider, { target: { value: '42' } });
  expect(onChange).toHaveBeenLastCalledWith(42);
});

it('shows a typed number with its decimals, and slides on from it in whole ones', () => {
  const onChange = vi.fn();
  renderPart(<PercentageSlider value={37.25} isDisabled={false} onChange={onChange} />);
  const slider = screen.getByRole('slider');
  expect(slider).toHaveValue('37.25');
  expect(slider).toHaveAttribute('aria-valuetext', '37.25 %');

  fireEvent.change(slider, { target: { value: '38.25' } });
  expect(onChange).toHaveBeenLastCalledWith(38);
});
