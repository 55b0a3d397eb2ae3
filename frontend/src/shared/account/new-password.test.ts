import { expect, it } from 'vitest';
import { newPasswordErrors } from './new-password';

it('takes what is long enough and typed the same twice', () => {
  expect(newPasswordErrors('12345678', '12345678')).toEqual({});
  expect(newPasswordErrors('ä'.repeat(36), 'ä'.repeat(36))).toEqual({});
});

it('says all that is wrong at once', () => {
  const again = 'This is not the same';
  expect(newPasswordErrors('1234567', '')).toEqual({ password: 'Use at least 8 characters', again });
  expect(newPasswordErrors('1234567', '1234567')).toEqual({ password: 'Use at least 8 characters' });
  expect(newPasswordErrors('🗳🗳🗳🗳', '🗳🗳🗳🗳')).toEqual({ password: 'Use at least 8 characters' });
  expect(newPasswordErrors('ä'.repeat(37), 'ä')).toEqual({
    password: 'The password can have at most 72 bytes',
    again,
  });
  expect(newPasswordErrors('12345678', '12345679')).toEqual({ again });
});
