import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { NewPasswordInput } from './new-password-input';

function Field() {
  const [value, setValue] = useState('');
  return <NewPasswordInput value={value} onChange={setValue} />;
}

const field = () => screen.getByLabelText(/^Password/) as HTMLInputElement;

it('makes one up, shows it and lets it be copied', async () => {
  const { user } = renderPart(<Field />);
  expect(screen.queryByRole('button', { name: 'Copy password' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Generate' }));
  expect(field().value).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/);
  expect(field()).toHaveAttribute('type', 'text');
  await user.click(screen.getByRole('button', { name: 'Copy password' }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toBe(field().value);
});

it('says to screen readers that it is wrong', () => {
  renderPart(<NewPasswordInput value="short" error="Minimum 8 characters" onChange={() => undefined} />);
  expect(field()).toHaveAttribute('aria-invalid', 'true');
  expect(field()).toHaveAccessibleDescription('Minimum 8 characters');
});

it('hides what is typed until it is asked for', async () => {
  const { user } = renderPart(<Field />);
  await user.type(field(), 'long enough');
  expect(field()).toHaveAttribute('type', 'password');
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(field()).toHaveAttribute('type', 'text');
});
