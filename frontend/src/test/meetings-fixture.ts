import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { Meeting } from '../api/types';
import { sampleEndUser, sampleMeeting } from './samples';
import { http, server } from './server';

/** The initial data of each test, reset before each one. */
export const given = {} as {
  meetings: Meeting[];
};

export const TITLE = 'Annual general meeting';

/** Opens the menu of a row and returns its items. */
export async function openMenu(user: UserEvent, title: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
  return within(await screen.findByRole('menu', { name: `Actions for ${title}` }));
}

export function arrangeMeetings() {
  given.meetings = [sampleMeeting()];
  server.use(
    http.get('/client/meetings', ({ response }) => response(200).json(given.meetings)),
    http.get('/client/end-users/stats', ({ response }) =>
      response(200).json({ success: true, data: { total: 3, active: 2, inactive: 1, totalWeight: 5 } }),
    ),
    http.get('/client/end-users', ({ response }) =>
      response(200).json({
        success: true,
        data: [
          sampleEndUser(),
          sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas' }),
          sampleEndUser({ id: 'e3', name: 'Ines Duarte', username: 'ines', isActive: false }),
        ],
      }),
    ),
  );
}
