import { expect, it } from 'vitest';
import { joinLinksSheet } from './join-links-sheet';

it('has one row for each link, without formulas', () => {
  const link = { endUserId: 'e1', name: '=SUM(1)', username: 'vera', email: null, token: 'abc' };
  const sheet = joinLinksSheet(
    { organization: 'Riverside', links: [link], hasCheckIn: false },
    new Date('2026-11-25T12:00:00Z'),
  );
  expect(sheet.name).toBe('personal-links-2026-11-25.csv');
  expect(sheet.text).toBe(
    "\uFEFFOrganization,Name,Username,Email,Personal Link\r\nRiverside,'=SUM(1),vera,,http://plenum.test/join#abc\r\n",
  );
});

it('has the codes for the desks of a meeting with check-in', () => {
  const endUserId = '019a9d5e-0000-7000-8000-000000000003';
  const link = { endUserId, name: 'Vera', username: 'vera', email: null, token: 'abc' };
  const sheet = joinLinksSheet({ organization: 'Riverside', links: [link], hasCheckIn: true }, new Date());
  const [headings, row] = sheet.text.split('\r\n');
  expect(headings).toMatch(/,Check-in Code$/);
  expect(row).toMatch(/,PLENUM-IN:019A9D5E000070008000000000000003$/);
});
