import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { liveQuestion } from '../../../test/live-samples';
import { renderPart } from '../../../test/render-part';
import { http, server } from '../../../test/server';
import { tokenOf } from '../../../test/tokens';
import { AttendeeRow } from './attendee-row';
import type { Attendee } from './queries';

type InSince = NonNullable<Attendee['present']>;

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
  return renderPart(<AttendeeRow meetingId="m" person={person} kind={null} open={open} />);
}

const admit = { name: 'Admit Ada Ash to the open vote' };

it.each([
  [ada.present?.at ?? '', /^Checked in at \d.*\. The desk sent it at \d.*, after voting opened$/],
  ['2026-11-21T18:01:00Z', /^Checked in at [^.]*, after voting opened$/],
])(
  'admits somebody whose check-in at %s arrived after the opening, for the true reason',
  async (at, reason) => {
    window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
    const sent: unknown[] = [];
    server.use(
      http.post('/client/meetings/{meetingId}/rounds/{roundId}/admissions', async ({ request, response }) => {
        sent.push(await request.json());
        const admitted = { id: 'ada', name: 'Ada Ash', username: 'ada', weight: 2.5 };
        return response(201).json({ at, by: 'Anna Berg', kind: 'ADMITTED', person: admitted, reason: '' });
      }),
    );
    const { user } = renderRow({ ...ada, present: { ...(ada.present as InSince), at } });
    expect(screen.getByText('ada, weight 2.5')).toBeInTheDocument();
    await user.click(screen.getByRole('button', admit));
    expect(await screen.findByText('Admitted to the open vote')).toBeInTheDocument();
    expect(sent).toEqual([{ endUserId: 'ada', reason: expect.stringMatching(reason) }]);
  },
);

it('does not offer it for those who were known to be there, and for holders without a vote', () => {
  renderRow({ ...ada, present: { at: OPENED, notedAt: OPENED, by: 'Desk 1', number: 4 } });
  expect(screen.queryByRole('button', admit)).not.toBeInTheDocument();
  renderRow({ ...ada, mayVote: false, weight: 0 });
  expect(screen.queryByRole('button', admit)).not.toBeInTheDocument();
  expect(screen.getByText('ada, no vote of their own')).toBeInTheDocument();
});

it('says to whom the person gave a proxy', () => {
  renderRow({ ...ada, holders: ['Ben Cole', 'Cleo Marsh'] });
  const given = 'Gave a proxy to Ben Cole and Cleo Marsh. It rests while Ada Ash is here';
  expect(screen.getByText(given)).toBeInTheDocument();
});
