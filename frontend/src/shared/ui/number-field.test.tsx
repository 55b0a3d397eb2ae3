import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { NumberField } from './number-field';

const rule = { least: 0, most: 100, decimals: 4, wanted: 'Must be a number from 0 to 100.' };

function Part() {
  const [text, setText] = useState('');
  return (
    <NumberField label="Weight" description="Voting power" rule={rule} value={text} onChange={setText} />
  );
}

it.each(['150', '2.55555', '1e5', '-5', '+5', '٣', 'half', '1 0'])(
  'keeps %j as it was typed, with the error beside it',
  async (text) => {
    const { user } = renderPart(<Part />);
    const field = screen.getByLabelText('Weight');
    await user.type(field, text);
    await user.tab();
    expect(field).toHaveValue(text);
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(screen.getByRole('alert')).toHaveTextContent('Must be a number from 0 to 100.');
  },
);

it.each([' 2.50 ', '2,5', '100'])('takes %j, and leaves it alone', async (text) => {
  const { user } = renderPart(<Part />);
  const field = screen.getByLabelText('Weight');
  await user.click(field);
  await user.paste(text);
  await user.tab();
  expect(field).toHaveValue(text);
  expect(screen.queryByRole('alert')).not.toBeInTheDocument();
});

it('says how a comma is read', async () => {
  const { user } = renderPart(<Part />);
  await user.type(screen.getByLabelText('Weight'), '2,5');
  expect(screen.getByLabelText('Weight')).toHaveAccessibleDescription('Read as 2.5');
});
