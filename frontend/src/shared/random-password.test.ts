import { expect, it } from 'vitest';
import { randomPassword } from './random-password';

it('is twelve characters from letters, digits and !@#$%^&*, another one each time', () => {
  const passwords = Array.from({ length: 200 }, randomPassword);
  for (const password of passwords) {
    expect(password).toMatch(/^[A-Za-z0-9!@#$%^&*]{12}$/);
  }
  expect(new Set(passwords).size).toBe(200);
});

it('has no character that is mistaken for another one on paper', () => {
  const passwords = Array.from({ length: 500 }, randomPassword).join('');
  expect(passwords).not.toMatch(/[0OoQ1lIij!5Ss$2Zz8BbGgqcvwxukpy]/);
  expect(new Set(passwords).size).toBe(39);
});
