import { expect, it } from 'vitest';
import { electionResult, electionTie } from '../../../test/election-samples';
import { lotEffect, placeEffect } from './lot-effect';

const election = electionResult();

it('says at each place what it means to be drawn there', () => {
  const effects = (change: Parameters<typeof electionTie>[0]) =>
    [0, 1, 2].map((place) => placeEffect(election, electionTie(change), place));
  expect(effects({ matter: 'exclusion' })).toEqual(['excluded', null, null]);
  expect(effects({ matter: 'first_surplus' })).toEqual(['surplus transferred first', null, null]);
  expect(effects({ matter: 'seats', wanted: 2 })).toEqual(['gets a seat', 'gets a seat', null]);
  expect(effects({ matter: 'list_seats', wanted: 1 })).toEqual(['gets a seat', null, null]);
});

it('puts the effect into words, with the names once they are chosen', () => {
  const words = (change: Parameters<typeof electionTie>[0], drawn: string[]) =>
    lotEffect(election, electionTie(change), drawn);
  expect(words({ matter: 'exclusion' }, ['', ''])).toBe('The candidate drawn first is excluded at stage 2.');
  expect(words({ matter: 'exclusion' }, ['Imani Okoye', ''])).toBe('Imani Okoye is excluded at stage 2.');
  expect(words({ matter: 'first_surplus' }, ['Imani Okoye', ''])).toBe(
    'The surplus of Imani Okoye is transferred first, at stage 2.',
  );
  expect(words({ matter: 'seats' }, ['', 'Tomas Weller'])).toBe('The candidate drawn first gets the seat.');
  expect(words({ matter: 'seats' }, ['Imani Okoye', ''])).toBe('Imani Okoye gets the seat.');
  expect(words({ matter: 'seats', wanted: 2 }, ['Imani Okoye', '', ''])).toBe(
    'The first 2 candidates drawn get the 2 seats.',
  );
  expect(words({ matter: 'seats', wanted: 2 }, ['Imani Okoye', 'Tomas Weller', ''])).toBe(
    'Imani Okoye and Tomas Weller get the 2 seats.',
  );
  expect(words({ matter: 'list_seats' }, ['', ''])).toBe('The list drawn first gets the seat.');
});

it('promises nobody a seat by the method of Schulze, in which a candidate can be ahead of another', () => {
  const tie = electionTie({ matter: 'seats' });
  const schulze = electionResult({ method: 'schulze' });
  expect(lotEffect(schulze, tie, ['Imani Okoye', ''])).toBe(
    'The candidate drawn first gets the seat, unless another one of the tied is ahead of this one.',
  );
  expect(lotEffect(schulze, { ...tie, wanted: 2 }, [])).toBe(
    'The first 2 candidates drawn get the 2 seats, unless another one of the tied is ahead of one of them.',
  );
  expect(placeEffect(schulze, tie, 0)).toBeNull();
});
