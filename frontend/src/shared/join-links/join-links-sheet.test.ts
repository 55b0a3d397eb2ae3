import { expect, it } from 'vitest';
import { joinLinksSheet } from './join-links-sheet';

it('has one row for each link, without formulas', () => {
  const link = { endUserId: 'e1', name: '=SUM(1)', username: 'vera', email: null, token: 'abc' };
  const sheet = joinLinksSheet('Riverside', [link], new Date('2026-11-25T12:00:00Z'));
  expect(sheet.name).toBe('personal-links-2026-11-25.csv');
  expect(sheet.text).toBe(
    "\uFEFFOrganization,Name,Username,Email,Personal Link\r\nRiverside,'=SUM(1),vera,,http://plenum.test/join#abc\r\n",
  );
});
