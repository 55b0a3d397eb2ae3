import { expect, it } from 'vitest';
import type { Credentials } from '../../../api/types';
import { toCsv } from '../../../shared/csv';
import { countGuardedPasswords, credentialsSheet } from './credentials-sheet';

const CREDENTIALS: Credentials = {
  organization: 'Riverside Housing Cooperative',
  clientCode: 'riverside',
  name: 'Jürgen Müller-Lüdenscheid',
  username: 'jurgen.muller-ludenscheid',
  password: 'aB3$efgh1l0O',
  email: null,
  loginInstructions: 'Open the participant portal.',
};

it('writes no cell that a spreadsheet would carry out', () => {
  const people = [
    {
      ...CREDENTIALS,
      name: '=HYPERLINK("x")',
      username: '+anna',
      password: '@bcdefgh',
      email: '-a@example.org',
    },
    { ...CREDENTIALS, name: 'Berg, Anna\nB', username: 'a=b', password: 'a"b,c123' },
  ];
  const { name, text } = credentialsSheet(people, new Date('2026-11-21T10:00:00Z'));
  expect(name).toBe('riverside-credentials-2026-11-21.csv');
  const address = 'http://plenum.test/participant/login/riverside';
  const start = 'Riverside Housing Cooperative,riverside';
  expect(text).toBe(
    [
      '\uFEFFOrganization,Organization Code,Name,Username,Password,Email,Sign In At',
      `${start},"'=HYPERLINK(""x"")",'+anna,'@bcdefgh,'-a@example.org,${address}`,
      `${start},"Berg, Anna\nB",a=b,"a""b,c123",,${address}`,
      '',
    ].join('\r\n'),
  );
  expect(countGuardedPasswords(people)).toBe(1);
});

it.each([
  ['\tx', "'\tx"],
  ['\r=x', "'\r'=x"],
  ['\nx', "'\nx"],
  ['  =1+1', "'  =1+1"],
  ['\u00A0\uFEFF@x', "'\u00A0\uFEFF@x"],
  ['＝1+1', "'＝1+1"],
  ['－1', "'－1"],
  ["Anna;=cmd|'/c calc'!A0;x", "Anna;'=cmd|'/c calc'!A0;x"],
  ['Anna\t -1\r\n+2', "Anna\t' -1\r\n'+2"],
  ['x;;\n=1', "x;;\n'=1"],
  ['a=1', 'a=1'],
  ['Müller-Lüdenscheid', 'Müller-Lüdenscheid'],
  ["a, -1; 4; O'Hara", "a, -1; 4; O'Hara"],
])('guards %j as the server does', (written, expected) => {
  const cell = toCsv([[written]]).slice(1, -2);
  expect(cell.startsWith('"') ? cell.slice(1, -1) : cell).toBe(expected);
});
