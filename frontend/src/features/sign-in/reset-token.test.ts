import { afterEach, expect, it } from 'vitest';
import { takeResetToken } from './reset-token';

afterEach(() => window.history.replaceState(null, '', '/'));

it('takes the token out of the address bar, and keeps it for the page', () => {
  expect(takeResetToken()).toBeNull();
  window.history.replaceState({ idx: 3 }, '', '/reset-password#token=a-b_c');
  expect(takeResetToken()).toBe('a-b_c');
  expect(window.location.href).not.toContain('a-b_c');
  expect(window.history.state).toEqual({ idx: 3 });
  // React renders a page twice during development.
  expect(takeResetToken()).toBe('a-b_c');
});
