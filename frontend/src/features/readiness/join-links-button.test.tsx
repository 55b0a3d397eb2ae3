import { screen, within } from '@testing-library/react';
import { act, useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../test/render-part';
import { sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import { tokenOf } from '../../test/tokens';
import { JoinLinksButton } from './join-links-button';

let offer: (isOffered: boolean) => void;

function Page() {
  const [isOffered, setIsOffered] = useState(true);
  offer = setIsOffered;
  return <JoinLinksButton meeting={{ ...sampleMeeting(), hasCheckIn: false }} isOffered={isOffered} />;
}

it('keeps personal links on the screen when the last person has signed in', async () => {
  window.localStorage.setItem('accessToken', tokenOf({ sub: 'maria' }));
  server.use(
    http.get('/client/join-links/settings', ({ response }) => response(200).json({ asks: 'NOTHING' })),
    http.post('/client/join-links', ({ response }) =>
      response(200).json({
        success: true,
        data: [{ endUserId: 'e1', name: 'Vera Lind', username: 'vera', email: null, token: 'secret' }],
      }),
    ),
  );
  const { user } = renderPart(<Page />);
  await user.click(await screen.findByRole('button', { name: 'Personal links' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Personal links' }));
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  expect(await panel.findByText('1 personal link made')).toBeInTheDocument();
  act(() => offer(false));
  expect(screen.queryByRole('button', { name: 'Personal links', hidden: true })).not.toBeInTheDocument();
  expect(panel.getByText('1 personal link made')).toBeInTheDocument();
});
