import { fireEvent, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { session } from '../../api/session';
import type { Desk } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderPart } from '../../test/render-part';
import { http, server } from '../../test/server';
import { Desks } from './desks';

let desks: Desk[];
let bodies: unknown[];

beforeEach(async () => {
  window.localStorage.setItem('accessToken', 'token');
  window.localStorage.setItem('refreshToken', 'refresh');
  desks = [];
  bodies = [];
  server.use(
    http.get('/auth/me', ({ response }) => response(200).json({ user: clientAdmin })),
    http.get('/client/meetings/{meetingId}/desks', ({ response }) =>
      response(200).json({ success: true, data: desks }),
    ),
    http.post('/client/meetings/{meetingId}/desks', async ({ request, response }) => {
      const body = await request.json();
      bodies.push(body);
      const desk = sampleDesk({ name: body.name, purpose: body.purpose ?? 'CHECK_IN' });
      desks = [...desks, desk];
      return response(201).json({ desk, token: 'desk_secret-of-the-link' });
    }),
  );
  await session.resolve();
});

function sampleDesk(change: Partial<Desk> = {}): Desk {
  return {
    id: `desk-${desks.length}`,
    name: 'Desk 1',
    purpose: 'CHECK_IN',
    madeAt: '2026-11-21T17:30:00Z',
    madeBy: 'Maria Keller',
    revokedAt: null,
    ...change,
  };
}

describe('desks', () => {
  it('are made for a purpose, with a name that fits it', async () => {
    desks = [sampleDesk()];
    const { user } = renderPart(
      <Desks meetingId="m1" title="Desks" purposes={['CHECK_IN', 'VOTING_PLACE', 'TELLERS']} />,
    );
    expect(await screen.findByText('Check-in, made by Maria Keller')).toBeVisible();
    expect(screen.getByLabelText('Name of the desk')).toHaveValue('Desk 2');
    await user.selectOptions(screen.getByLabelText('What the link is for'), 'Tellers');
    expect(screen.getByText(/^The teller enters votes on paper/)).toBeVisible();
    expect(screen.getByLabelText('Name of the desk')).toHaveValue('Tellers 1');
    await user.click(screen.getByRole('button', { name: 'Make a desk' }));
    expect(await screen.findByRole('img', { name: 'QR code of the link of Tellers 1' })).toBeVisible();
    expect(screen.getByText(/\/desk#desk_secret-of-the-link$/)).toBeVisible();
    expect(bodies).toEqual([{ name: 'Tellers 1', purpose: 'TELLERS' }]);
    const row = (await screen.findByText('Tellers, made by Maria Keller')).closest('li');
    expect(within(row as HTMLElement).getByRole('button', { name: 'Revoke Tellers 1' })).toBeVisible();
    expect(screen.getByLabelText('Name of the desk')).toHaveValue('Tellers 2');
  });

  it('for other purposes are not listed', async () => {
    desks = [sampleDesk(), sampleDesk({ id: 'd2', name: 'Front room', purpose: 'VOTING_PLACE' })];
    renderPart(<Desks meetingId="m1" title="Desks" purposes={['VOTING_PLACE', 'TELLERS']} />);
    expect(await screen.findByText('Voting place, made by Maria Keller')).toBeVisible();
    expect(screen.queryByText(/^Check-in, /)).not.toBeInTheDocument();
    expect(screen.getByLabelText('Name of the desk')).toHaveValue('Voting place 2');
  });

  it('are made once, also when the form is sent twice, and show their link', async () => {
    renderPart(<Desks meetingId="m1" title="Desks" purposes={['CHECK_IN']} />);
    const form = (await screen.findByLabelText('Name of the desk')).closest('form') as HTMLFormElement;
    fireEvent.submit(form);
    fireEvent.submit(form);
    expect(await screen.findByText(/\/desk#desk_secret-of-the-link$/)).toBeVisible();
    expect(bodies).toHaveLength(1);
  });
});
