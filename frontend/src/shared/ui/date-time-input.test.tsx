import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { DateTimeInput } from './date-time-input';

function Part() {
  const [value, setValue] = useState('');
  return (
    <DateTimeInput
      type="date"
      label="Day"
      value={value}
      onChange={(event) => setValue(event.currentTarget.value)}
    />
  );
}

const field = () => screen.getByLabelText('Day');
const wrapper = () => field().parentElement;

it('is marked as empty until a date is in it', () => {
  renderPart(<Part />);
  expect(wrapper()).toHaveClass('empty');
  fireEvent.change(field(), { target: { value: '2026-11-21' } });
  expect(wrapper()).not.toHaveClass('empty');
  expect(field()).toHaveValue('2026-11-21');
});

it('says of half a date what is missing, and neither hides nor empties it', () => {
  renderPart(<Part />);
  // As browsers report it: a partial input has no value.
  Object.defineProperty(field(), 'validity', { value: { badInput: true } });
  fireEvent.blur(field());
  expect(wrapper()).not.toHaveClass('empty');
  expect(field()).toHaveAccessibleDescription('Enter the whole date');
  fireEvent.change(field(), { target: { value: '2026-11-21' } });
  expect(screen.queryByText('Enter the whole date')).not.toBeInTheDocument();
});
