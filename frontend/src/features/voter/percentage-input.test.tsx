import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { PercentageInput } from './percentage-input';

function Part() {
  const [value, setValue] = useState<number | null>(null);
  return (
    <>
      <PercentageInput className={undefined} value={value} isDisabled={false} onChange={setValue} />
      <output>{String(value)}</output>
    </>
  );
}

it.each([
  ['37.5', '37.5', '37.5 %'],
  ['37,5', '37.5', '37.5 %'],
  ['0', '0', '0 %'],
  ['100', '100', '100 %'],
  ['101', '10', '10 %'],
  ['7.125', '7.12', '7.12 %'],
  ['-4e1', '41', '41 %'],
  ['abc', 'null', ''],
  ['.', 'null', ''],
  ['12 %', '12', '12 %'],
])('makes of %j the number %s, and shows it as %j', async (typed, value, text) => {
  const { user } = renderPart(<Part />);
  const field = screen.getByRole('textbox', { name: 'Percentage' });
  await user.type(field, typed);
  await user.tab();
  expect(screen.getByRole('status')).toHaveTextContent(value);
  expect(field).toHaveValue(text);
});

it('can be emptied again', async () => {
  const { user } = renderPart(<Part />);
  const field = screen.getByRole('textbox', { name: 'Percentage' });
  await user.type(field, '40');
  await user.clear(field);
  expect(screen.getByRole('status')).toHaveTextContent('null');
});
