import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { liveQuestion } from '../../../test/live-samples';
import { renderPart } from '../../../test/render-part';
import { AttendeeRow } from './attendee-row';
import type { Attendee } from './queries';

const OPENED = '2026-11-21T18:00:00Z';

const ada: Attendee = {
  id: 'ada',
  name: 'Ada Ash',
  username: 'ada',
  weight: 2.5,
  mayVote: true,
  groups: [],
  proxies: 0,
  holders: [],
  present: { at: '2026-11-21T17:59:00Z', notedAt: '2026-11-21T18:01:00Z', by: 'Desk 1', number: 4 },
};

function renderRow(person: Attendee) {
  const open = liveQuestion({ openedAt: OPENED, roundId: 'r1' });
  renderPart(<AttendeeRow meetingId="m" person={person} kind={null} open={open} />);
}

const admit = { name: 'Admit Ada Ash to the open vote' };

it('offers to admit somebody whose desk had no network before the opening', () => {
  renderRow(ada);
  expect(screen.getByText('ada, weight 2.5')).toBeInTheDocument();
  expect(screen.getByRole('button', admit)).toBeInTheDocument();
});

it('does not offer it for those who were known to be there, and for holders without a vote', () => {
  renderRow({ ...ada, present: { at: OPENED, notedAt: OPENED, by: 'Desk 1', number: 4 } });
  expect(screen.queryByRole('button', admit)).not.toBeInTheDocument();
  renderRow({ ...ada, mayVote: false, weight: 0 });
  expect(screen.queryByRole('button', admit)).not.toBeInTheDocument();
  expect(screen.getByText('ada, no vote of their own')).toBeInTheDocument();
});

it('says to whom the person gave a proxy', () => {
  renderRow({ ...ada, holders: ['Ben Cole', 'Cleo Marsh'] });
  const given = 'Gave a proxy to Ben Cole, Cleo Marsh, which rests while they are here';
  expect(screen.getByText(given)).toBeInTheDocument();
});
