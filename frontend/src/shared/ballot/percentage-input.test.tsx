import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { toAnswers } from './ballot';
import { PercentageInput } from './percentage-input';

function Part() {
  const [text, setText] = useState('');
  return <PercentageInput className={undefined} text={text} isDisabled={false} onChange={setText} />;
}

const typed = async (text: string, how: 'type' | 'paste') => {
  const { user } = renderPart(<Part />);
  const field = screen.getByRole('textbox', { name: 'Percentage' });
  await user.click(field);
  await (how === 'type' ? user.keyboard(text) : user.paste(text));
  await user.tab();
  return field;
};

it.each([
  ['37.5', '37.5'],
  ['37,5', '37.5'],
  ['0', '0'],
  ['100', '100'],
  ['100.0000', '100'],
  ['33.333', '33.333'],
  ['49.8750', '49.875'],
  ['7.', '7'],
  ['.5', '0.5'],
  ['007', '7'],
  [' 12 % ', '12'],
])('keeps %j as it was typed or pasted, and hands in %s', async (text, sent) => {
  for (const how of ['type', 'paste'] as const) {
    const field = await typed(text, how);
    expect(field).toHaveValue(text);
    expect(field).not.toHaveAttribute('aria-invalid', 'true');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
    expect(toAnswers('PERCENTAGE', [text])).toEqual([sent]);
    document.body.replaceChildren();
  }
});

it.each([
  '150',
  '100.0001',
  '33.33333',
  '1e5',
  '+5',
  '-5',
  '٣',
  '３',
  '5 0',
  '1.000,5',
  '1,000.5',
  'abc',
  '.',
  '%',
  '5%%',
])('keeps %j as it was typed, and says beside it what is wanted', async (text) => {
  const field = await typed(text, 'type');
  expect(field).toHaveValue(text);
  expect(field).toHaveAttribute('aria-invalid', 'true');
  expect(field).toHaveAccessibleDescription(/^Enter a number from 0 to 100 with at most 4 decimals/);
  expect(screen.getByRole('alert')).toHaveTextContent(/^Enter a number from 0 to 100/);
});

it('says how a number with a comma is read', async () => {
  const field = await typed('33,333', 'paste');
  expect(field).toHaveAccessibleDescription('Read as 33.333\u00a0%');
});
