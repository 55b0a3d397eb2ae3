import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Meeting } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser, sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import { toCreateMeetingBody, toInstant } from './meeting-form';

let meetings: Meeting[];

beforeEach(() => {
  meetings = [sampleMeeting()];
  server.use(
    http.get('/client/meetings', ({ response }) => response(200).json(meetings)),
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
});

it('offers each meeting what its status allows', async () => {
  meetings = [
    sampleMeeting({ id: 'm1', title: 'Scheduled one', maxParticipants: 200 }),
    sampleMeeting({ id: 'm2', title: 'Running one', status: 'ACTIVE' }),
    sampleMeeting({ id: 'm3', title: 'Draft one', status: 'DRAFT' }),
  ];
  await renderApp('/client/meetings', { as: clientAdmin });
  const scheduled = within(await screen.findByRole('row', { name: /Scheduled one/ }));
  expect(scheduled.getByRole('button', { name: 'Start' })).toBeInTheDocument();
  expect(scheduled.getByText('184/200')).toBeInTheDocument();
  expect(scheduled.getByRole('link', { name: 'Questions' })).toHaveAttribute(
    'href',
    '/client/meetings/m1/questions',
  );
  expect(scheduled.getByRole('link', { name: 'Control' })).toHaveAttribute(
    'href',
    '/client/meetings/m1/control',
  );
  const running = within(screen.getByRole('row', { name: /Running one/ }));
  expect(running.getByRole('button', { name: 'End' })).toBeInTheDocument();
  expect(running.queryByRole('button', { name: 'Start' })).not.toBeInTheDocument();
  const draft = within(screen.getByRole('row', { name: /Draft one/ }));
  expect(draft.queryByRole('button')).not.toBeInTheDocument();
});

it('starts a meeting, and ends it only after asking', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/start', ({ response }) => {
      meetings = [sampleMeeting({ status: 'ACTIVE' })];
      return response(200).json(sampleMeeting({ status: 'ACTIVE' }));
    }),
    http.post('/client/meetings/{meetingId}/end', ({ response }) => {
      meetings = [sampleMeeting({ status: 'COMPLETED' })];
      return response(200).json(sampleMeeting({ status: 'COMPLETED' }));
    }),
  );
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Start' }));
  expect(await screen.findByText('Meeting started successfully')).toBeInTheDocument();

  await user.click(await screen.findByRole('button', { name: 'End' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End this meeting?' }));
  await user.click(dialog.getByRole('button', { name: 'End Meeting' }));
  expect(await screen.findByText('Meeting ended successfully')).toBeInTheDocument();
  expect(await screen.findByText('Completed', { selector: 'td *' })).toBeInTheDocument();
});

it('says why a meeting was not started', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/start', ({ response }) =>
      response(409).json({
        error: 'The meeting is over',
        message: 'The meeting is over',
        code: 'meeting_not_startable',
      }),
    ),
  );
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Start' }));
  expect(await screen.findByText('The meeting is over')).toBeInTheDocument();
});

describe('the form of a new meeting', () => {
  async function openForm() {
    const app = await renderApp('/client/meetings', { as: clientAdmin });
    await app.user.click(await screen.findByRole('button', { name: 'Create Meeting' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Create New Meeting' }));
    return { ...app, dialog };
  }

  it('wants title, start and end', async () => {
    const { user, dialog } = await openForm();
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(dialog.getByRole('alert')).toHaveTextContent('Please fill in all required fields');
    expect(dialog.getByLabelText(/Meeting Title/)).toBeInvalid();
    expect(dialog.getByLabelText(/Start Time/)).toBeInvalid();
    await waitFor(() => expect(dialog.getByLabelText(/Meeting Title/)).toHaveFocus());
  });

  it('creates the meeting and invites the chosen people', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleMeeting({ id: 'm9' }));
      }),
      http.post('/client/meetings/{meetingId}/participants', async ({ params, request, response }) => {
        sent.push(params.meetingId, await request.json());
        return response(200).json({ success: true, added: 1, participantCount: 1 });
      }),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Meeting Title/), 'Budget');
    fireEvent.change(dialog.getByLabelText(/Start Time/), { target: { value: '2026-12-01T18:00' } });
    fireEvent.change(dialog.getByLabelText(/End Time/), { target: { value: '2026-12-01T20:00' } });
    await user.click(await dialog.findByLabelText('Invite all active end users (2 users)'));
    expect(await dialog.findByLabelText('Ines Duarte (Inactive)')).toBeDisabled();
    await user.click(dialog.getByLabelText('Tomas Okafor'));
    expect(dialog.getByText('Selected: 1 participants')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));

    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      {
        title: 'Budget',
        scheduledStartTime: toInstant('2026-12-01T18:00'),
        scheduledEndTime: toInstant('2026-12-01T20:00'),
        status: 'DRAFT',
        isRecurring: false,
      },
      'm9',
      { endUserIds: ['e2'], addAllActive: false },
    ]);
  });

  it('finds the people of a large organization, and keeps who is chosen', async () => {
    server.use(
      http.get('/client/end-users', ({ query, response }) =>
        response(200).json({
          success: true,
          data: query.get('search')
            ? [sampleEndUser({ id: 'e900', name: 'Zoe Zander', username: 'zoe' })]
            : [sampleEndUser()],
          meta: { page: 1, pageSize: 200, total: query.get('search') ? 1 : 900 },
        }),
      ),
    );
    const { user, dialog } = await openForm();
    await user.click(await dialog.findByLabelText('Invite all active end users (2 users)'));
    await user.click(await dialog.findByLabelText('Vera Lind'));
    expect(dialog.getByText(/1 of 900 shown/)).toBeInTheDocument();
    await user.type(dialog.getByRole('searchbox', { name: 'Search participants' }), 'zoe{Enter}');
    await user.click(await dialog.findByLabelText('Zoe Zander'));
    expect(dialog.queryByLabelText('Vera Lind')).not.toBeInTheDocument();
    expect(dialog.getByText('Selected: 2 participants')).toBeInTheDocument();
  });

  it('says so when the meeting was made but nobody could be invited', async () => {
    server.use(
      http.post('/client/meetings', ({ response }) => response(201).json(sampleMeeting())),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(503).json({ error: 'x', message: 'x', code: 'x' }),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Meeting Title/), 'Budget');
    fireEvent.change(dialog.getByLabelText(/Start Time/), { target: { value: '2026-12-01T18:00' } });
    fireEvent.change(dialog.getByLabelText(/End Time/), { target: { value: '2026-12-01T20:00' } });
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created but failed to add participants')).toBeInTheDocument();
  });
});

describe('toCreateMeetingBody', () => {
  const values = {
    title: ' Budget ',
    description: ' ',
    scheduledStartTime: '2026-12-01T18:00:59',
    scheduledEndTime: '2026-12-01T20:00',
    status: 'SCHEDULED' as const,
    maxParticipants: '',
    isRecurring: false,
    recurringPattern: 'Weekly',
    isForAll: true,
    endUserIds: [],
  };

  it('cuts times to the minute and leaves out what is empty or off', () => {
    expect(toCreateMeetingBody(values)).toEqual({
      title: 'Budget',
      scheduledStartTime: new Date('2026-12-01T18:00').toISOString(),
      scheduledEndTime: new Date('2026-12-01T20:00').toISOString(),
      status: 'SCHEDULED',
      isRecurring: false,
    });
  });

  it('sends a limit and a pattern where there are any', () => {
    expect(toCreateMeetingBody({ ...values, maxParticipants: 200, isRecurring: true })).toMatchObject({
      maxParticipants: 200,
      isRecurring: true,
      recurringPattern: 'Weekly',
    });
  });
});
