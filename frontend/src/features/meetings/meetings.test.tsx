import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EndUser, Meeting } from '../../api/types';
import { noQuorum } from '../../shared/terms/quorum-form';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser, sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import {
  emptyMeeting,
  type MeetingFormValues,
  toCreateMeetingBody,
  toInstant,
  toLocalTime,
} from './meeting-form';
import {
  type InvitationChange,
  type Invited,
  invitationChange,
  nobodyInvited,
} from './participants/participants';
import { offsetText } from './time-zone';

const TITLE = 'Annual general meeting';

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

/** Opens the menu of a row and returns what is in it. */
async function openMenu(user: UserEvent, title: string) {
  await user.click(await screen.findByRole('button', { name: `Actions for ${title}` }));
  return within(await screen.findByRole('menu', { name: `Actions for ${title}` }));
}

it('offers each meeting what its status allows', async () => {
  meetings = [
    sampleMeeting({ id: 'm1', title: 'Scheduled one', maxParticipants: 200 }),
    sampleMeeting({ id: 'm2', title: 'Running one', status: 'ACTIVE' }),
    sampleMeeting({ id: 'm3', title: 'Draft one', status: 'DRAFT' }),
  ];
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  const scheduled = within(await screen.findByRole('row', { name: /Scheduled one/ }));
  expect(screen.getByRole('heading', { name: 'All Meetings (3)' })).toBeInTheDocument();
  expect(scheduled.getByRole('button', { name: 'Start' })).toBeInTheDocument();
  expect(scheduled.getByText('184/200')).toBeInTheDocument();
  const running = within(screen.getByRole('row', { name: /Running one/ }));
  expect(running.queryByRole('button', { name: 'Start' })).not.toBeInTheDocument();
  expect(running.getByRole('link', { name: 'Control' })).toHaveAttribute(
    'href',
    '/client/meetings/m2/control',
  );
  const draft = within(screen.getByRole('row', { name: /Draft one/ }));
  expect(draft.getByRole('link', { name: 'Questions' })).toHaveAttribute(
    'href',
    '/client/meetings/m3/questions',
  );

  const names = (menu: Awaited<ReturnType<typeof openMenu>>) =>
    menu.getAllByRole('menuitem').map(({ textContent }) => textContent);
  expect(names(await openMenu(user, 'Scheduled one'))).toEqual([
    'Questions',
    'Control',
    'Readiness Check',
    'Edit',
    'Delete',
  ]);
  await user.keyboard('{Escape}');
  expect(names(await openMenu(user, 'Draft one'))).toEqual(['Control', 'Readiness Check', 'Edit', 'Delete']);
  await user.keyboard('{Escape}');
  expect(names(await openMenu(user, 'Running one'))).toEqual([
    'End',
    'Questions',
    'Readiness Check',
    'Results',
    'Edit',
    'DeleteNot while the meeting is running',
  ]);
});

it('marks what is test data', async () => {
  meetings = [
    sampleMeeting({ title: 'TEST_meeting', isTest: true }),
    sampleMeeting({ id: 'm2', title: 'Real one' }),
  ];
  await renderApp('/client/meetings', { as: clientAdmin });
  const test = within(await screen.findByRole('row', { name: /TEST_meeting/ }));
  expect(test.getByText('Test')).toHaveAttribute('title', 'Test data: it counts in no figure and no export.');
  expect(within(screen.getByRole('row', { name: /Real one/ })).queryByText('Test')).not.toBeInTheDocument();
});

it('starts a meeting once, and ends it only after asking', async () => {
  let starts = 0;
  server.use(
    http.post('/client/meetings/{meetingId}/start', async ({ response }) => {
      starts += 1;
      await delay(50);
      meetings = [sampleMeeting({ status: 'ACTIVE' })];
      return response(200).json(sampleMeeting({ status: 'ACTIVE' }));
    }),
    http.post('/client/meetings/{meetingId}/end', ({ response }) => {
      meetings = [sampleMeeting({ status: 'COMPLETED' })];
      return response(200).json(sampleMeeting({ status: 'COMPLETED' }));
    }),
  );
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.dblClick(await screen.findByRole('button', { name: 'Start' }));
  expect(await screen.findByText('Meeting started successfully')).toBeInTheDocument();
  expect(starts).toBe(1);

  await screen.findByText('Active', { selector: 'td *' });
  await user.click((await openMenu(user, TITLE)).getByRole('menuitem', { name: 'End' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'End this meeting?' }));
  await user.click(dialog.getByRole('button', { name: 'End Meeting' }));
  expect(await screen.findByText('Meeting ended successfully')).toBeInTheDocument();
  expect(await screen.findByText('Completed', { selector: 'td *' })).toBeInTheDocument();
});

describe('deleting a meeting', () => {
  async function openDialog() {
    const app = await renderApp('/client/meetings', { as: clientAdmin });
    await app.user.click((await openMenu(app.user, TITLE)).getByRole('menuitem', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Delete this meeting?' }));
    return { ...app, dialog };
  }

  it('is asked about, and done once', async () => {
    let deletions = 0;
    server.use(
      http.delete('/client/meetings/{meetingId}', ({ response }) => {
        deletions += 1;
        meetings = [];
        return response(200).json({ success: true });
      }),
    );
    const { user, dialog } = await openDialog();
    expect(
      dialog.getByText('Are you sure you want to delete the meeting? This action cannot be undone.'),
    ).toBeInTheDocument();
    expect(dialog.getByText(`“${TITLE}”`)).toBeInTheDocument();
    expect(dialog.getByText(/7 questions/)).toBeInTheDocument();
    await user.dblClick(dialog.getByRole('button', { name: 'Delete Meeting' }));
    expect(await screen.findByText('Meeting deleted successfully')).toBeInTheDocument();
    expect(await screen.findByText('No meetings found')).toBeInTheDocument();
    expect(deletions).toBe(1);
  });

  it('is called off by Cancel', async () => {
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('button', { name: `Actions for ${TITLE}` })).toHaveFocus());
  });

  it('says why it was refused, in the words of the server', async () => {
    server.use(
      http.delete('/client/meetings/{meetingId}', ({ response }) =>
        response(409).json({
          error: 'An active meeting cannot be deleted; end it first',
          message: 'x',
          code: 'meeting_active',
        }),
      ),
    );
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Delete Meeting' }));
    expect(await screen.findByText('An active meeting cannot be deleted; end it first')).toBeInTheDocument();
  });

  it('says that the server could not be reached', async () => {
    server.use(http.delete('/client/meetings/{meetingId}', () => HttpResponse.error()));
    const { user, dialog } = await openDialog();
    await user.click(dialog.getByRole('button', { name: 'Delete Meeting' }));
    expect(
      await screen.findByText('Failed to delete meeting: the server could not be reached'),
    ).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Delete Meeting' })).toBeInTheDocument();
  });

  it('is not offered while the meeting runs: the menu says why', async () => {
    meetings = [sampleMeeting({ status: 'ACTIVE' })];
    const { user } = await renderApp('/client/meetings', { as: clientAdmin });
    const item = (await openMenu(user, TITLE)).getByRole('menuitem', { name: /Delete/ });
    expect(item).toHaveAttribute('aria-disabled', 'true');
    expect(item).toHaveTextContent('Not while the meeting is running');
    await user.click(item);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });
});

it('asks the server for what the address says, and changes the address', async () => {
  const asked: string[] = [];
  server.use(
    http.get('/client/meetings', ({ request, response }) => {
      asked.push(new URL(request.url).search);
      return response(200).json(meetings);
    }),
  );
  const { user, location } = await renderApp('/client/meetings?status=SCHEDULED&search=annual', {
    as: clientAdmin,
  });
  await screen.findByRole('row', { name: new RegExp(TITLE) });
  expect(asked[0]).toContain('search=annual&status=SCHEDULED');
  expect(screen.getByRole('searchbox', { name: 'Search meetings' })).toHaveValue('annual');
  meetings = [];
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'Cancelled');
  expect(await screen.findByText('Try adjusting your search or filters')).toBeInTheDocument();
  expect(location()).toBe('/client/meetings?status=CANCELLED&search=annual');
  await user.selectOptions(screen.getByRole('combobox', { name: 'Filter by status' }), 'All Status');
  await waitFor(() => expect(location()).toBe('/client/meetings?search=annual'));
});

it('sorts by the title', async () => {
  const asked: (string | null)[] = [];
  server.use(
    http.get('/client/meetings', ({ query, response }) => {
      asked.push(query.get('sort'));
      return response(200).json(meetings);
    }),
  );
  const { user, location } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Meeting' }));
  await waitFor(() => expect(asked.at(-1)).toBe('name'));
  expect(location()).toBe('/client/meetings?sort=name');
  expect(screen.getByRole('columnheader', { name: 'Meeting' })).toHaveAttribute('aria-sort', 'ascending');
});

it('opens the form of a new meeting for whoever comes from the dashboard', async () => {
  const { user, location } = await renderApp('/client/meetings?create=1', { as: clientAdmin });
  const dialog = within(await screen.findByRole('dialog', { name: 'Create New Meeting' }));
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(location()).toBe('/client/meetings');
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
    expect(dialog.getByText('1 of 900 shown')).toBeInTheDocument();
    await user.type(dialog.getByRole('searchbox', { name: 'Search participants' }), 'zoe{Enter}');
    await user.click(await dialog.findByLabelText('Zoe Zander'));
    expect(dialog.queryByLabelText('Vera Lind')).not.toBeInTheDocument();
    expect(dialog.getByText('Selected: 2 participants')).toBeInTheDocument();
  });

  async function fillIn({ user, dialog }: Pick<Awaited<ReturnType<typeof openForm>>, 'user' | 'dialog'>) {
    await user.type(dialog.getByLabelText(/Meeting Title/), 'Budget');
    fireEvent.change(dialog.getByLabelText(/Start Time/), { target: { value: '2026-12-01T18:00' } });
    fireEvent.change(dialog.getByLabelText(/End Time/), { target: { value: '2026-12-01T20:00' } });
  }

  it('invites everybody, those who are added later as well', async () => {
    const sent: string[] = [];
    server.use(
      http.post('/client/meetings', ({ response }) => {
        sent.push('made');
        return response(201).json(sampleMeeting());
      }),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) => {
        sent.push('listed');
        return response(200).json({ success: true, added: 2, participantCount: 2 });
      }),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    expect(await dialog.findByLabelText('Invite all active end users (2 users)')).toHaveAccessibleDescription(
      'Whoever is added later may take part as well.',
    );
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(sent).toEqual(['made', 'listed']);
  });

  it('says so when the meeting was made but nobody could be invited, and does not make it twice', async () => {
    const sent: unknown[] = [];
    let isFull = true;
    server.use(
      http.post('/client/meetings', ({ response }) => {
        sent.push('made');
        return response(201).json(
          sampleMeeting({
            id: 'm9',
            title: 'Budget',
            description: null,
            status: 'DRAFT',
            maxParticipants: 50,
            scheduledStartTime: toInstant('2026-12-01T18:00'),
            scheduledEndTime: toInstant('2026-12-01T20:00'),
          }),
        );
      }),
      http.put('/client/meetings/{meetingId}', async ({ request, params, response }) => {
        sent.push([params.meetingId, await request.json()]);
        return response(200).json(sampleMeeting({ id: 'm9' }));
      }),
      http.post('/client/meetings/{meetingId}/participants', async ({ request, response }) => {
        sent.push(await request.json());
        return isFull
          ? response(409).json({
              error: 'The meeting has room for 1 participants',
              message: 'x',
              code: 'too_many_participants',
            })
          : response(200).json({ success: true, added: 2, participantCount: 2 });
      }),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    // Only a list can keep a limit.
    await user.type(dialog.getByLabelText('Max Participants'), '50');
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created but failed to add participants')).toBeInTheDocument();
    const everybody = dialog.getByLabelText('Invite all active end users (2 users)');
    expect(everybody).toBeInvalid();
    expect(everybody).toHaveAccessibleDescription(
      'Those who are active now. Whoever is added later has to be invited here. The meeting has room for 1 participants',
    );
    expect(screen.getByRole('dialog', { name: 'Edit Meeting' })).toBeInTheDocument();

    isFull = false;
    await user.click(dialog.getByRole('button', { name: 'Update Meeting' }));
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual(['made', { addAllActive: true }, ['m9', {}], { addAllActive: true }]);
  });

  it('says beside a limit that it is too low for a meeting that is for everybody', async () => {
    const { user, dialog } = await openForm();
    await dialog.findByLabelText('Invite all active end users (2 users)');
    const limit = dialog.getByLabelText('Max Participants');
    await user.type(limit, '2');
    expect(dialog.queryByText(/would take part/)).not.toBeInTheDocument();
    await user.clear(limit);
    await user.type(limit, '1');
    expect(limit).toHaveAccessibleDescription(
      '2 people would take part, everybody who is active. The meeting cannot start until fewer are invited or the limit is raised.',
    );
  });

  it('sees that there is too little room before anything is made', async () => {
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.type(dialog.getByLabelText('Max Participants'), '1');
    await dialog.findByLabelText('Invite all active end users (2 users)');
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(dialog.getByText('The meeting has room for 1 participants')).toBeInTheDocument();
    expect(dialog.getByText('Please check the marked fields.')).toBeInTheDocument();
  });

  it('shows what the server refuses at its field', async () => {
    server.use(
      http.post('/client/meetings', ({ response }) =>
        response(422).json({
          error: 'title Must be at most 200 characters long.',
          message: 'x',
          code: 'invalid_input',
          fields: { title: ['Must be at most 200 characters long.'] },
        }),
      ),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    await waitFor(() =>
      expect(dialog.getByLabelText(/Meeting Title/)).toHaveAccessibleDescription(
        'Must be at most 200 characters long.',
      ),
    );
    expect(dialog.getByLabelText(/Meeting Title/)).toHaveFocus();
  });

  it('keeps what was typed when the server cannot be reached, and sends once for two clicks', async () => {
    let requests = 0;
    server.use(
      http.post('/client/meetings', async () => {
        requests += 1;
        await delay(50);
        return HttpResponse.error();
      }),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.dblClick(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'Failed to create meeting: the server could not be reached',
    );
    expect(requests).toBe(1);
    expect(dialog.getByLabelText(/Meeting Title/)).toHaveValue('Budget');
  });

  it('is sent with Enter', async () => {
    const titles: string[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        titles.push((await request.json()).title);
        return response(201).json(sampleMeeting());
      }),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(200).json({ success: true, added: 2, participantCount: 2 }),
      ),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.type(dialog.getByLabelText(/Meeting Title/), ' 2027{Enter}');
    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(titles).toEqual(['Budget 2027']);
  });

  it('asks before it throws away what was typed', async () => {
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/Meeting Title/), 'Budget');
    await user.click(dialog.getByRole('button', { name: 'Cancel' }));
    const question = within(await screen.findByRole('dialog', { name: 'Discard your changes?' }));
    await user.click(question.getByRole('button', { name: 'Keep editing' }));
    expect(dialog.getByLabelText(/Meeting Title/)).toHaveValue('Budget');
  });

  it('says in which time zone the times are', async () => {
    const { dialog } = await openForm();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    expect(dialog.getByText(new RegExp(`^Times are in ${zone}`))).toBeInTheDocument();
  });

  it('warns that a meeting set to Active is open at once', async () => {
    const { user, dialog } = await openForm();
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    expect(dialog.getByText(/opens this meeting at once/)).toBeInTheDocument();
  });
});

describe('the choice of participants', () => {
  it('loads more of a long list, and shows who is selected', async () => {
    server.use(
      http.get('/client/end-users', ({ query, response }) => {
        const first = query.get('page') === '1';
        const data = Array.from({ length: 3 }, (_, index) => {
          const number = (first ? 0 : 3) + index + 1;
          return sampleEndUser({ id: `e${number}`, name: `Voter ${number}`, username: `voter${number}` });
        });
        return response(200).json({ success: true, data, meta: { page: 1, pageSize: 3, total: 5000 } });
      }),
    );
    const { user } = await renderApp('/client/meetings?create=1', { as: clientAdmin });
    const dialog = within(await screen.findByRole('dialog', { name: 'Create New Meeting' }));
    await user.click(await dialog.findByLabelText('Invite all active end users (2 users)'));
    await user.click(await dialog.findByLabelText('Voter 3'));
    expect(dialog.getByText('3 of 5,000 shown')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Show more' }));
    await user.click(await dialog.findByLabelText('Voter 5'));
    expect(dialog.getByText('6 of 5,000 shown')).toBeInTheDocument();
    expect(dialog.getByText('Selected: 2 participants')).toBeInTheDocument();

    await user.click(dialog.getByRole('button', { name: 'Show selected' }));
    const selected = within(dialog.getByRole('list', { name: 'Selected end users' }));
    expect(selected.getAllByRole('checkbox')).toHaveLength(2);
    await user.click(selected.getByLabelText('Voter 3'));
    expect(selected.getByLabelText('Voter 3')).not.toBeChecked();
    expect(dialog.getByText('Selected: 1 participants')).toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Clear selection' }));
    expect(dialog.getByText('Selected: 0 participants')).toBeInTheDocument();
  });
});

describe('the form of a meeting that exists', () => {
  let sent: unknown[];
  let meeting: Meeting;
  let invited: EndUser[];

  beforeEach(() => {
    sent = [];
    meeting = sampleMeeting({ id: 'm1', scheduledStartTime: '2026-11-21T17:00:30Z' });
    meetings = [meeting];
    invited = [sampleEndUser()];
    server.use(
      http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
      http.get('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(200).json(invited.map((endUser) => ({ endUser }))),
      ),
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        const body = await request.json();
        sent.push({ put: body });
        return response(200).json(meeting);
      }),
      http.post('/client/meetings/{meetingId}/participants', async ({ request, response }) => {
        sent.push({ post: await request.json() });
        return response(200).json({ success: true, added: 1, participantCount: 1 });
      }),
      http.delete('/client/meetings/{meetingId}/participants', async ({ request, response }) => {
        sent.push({ delete: await request.json() });
        return response(200).json({ success: true, removed: 1, participantCount: 0 });
      }),
    );
  });

  async function openForm() {
    const app = await renderApp('/client/meetings', { as: clientAdmin });
    await app.user.click((await openMenu(app.user, TITLE)).getByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Meeting' }));
    await waitFor(() => expect(dialog.getByLabelText(/Meeting Title/)).toHaveFocus());
    const save = () => app.user.click(dialog.getByRole('button', { name: 'Update Meeting' }));
    return { ...app, dialog, save };
  }

  it('holds the meeting, with times cut to the minute', async () => {
    meeting = { ...meeting, maxParticipants: 200, isRecurring: true, recurringPattern: 'Weekly' };
    const { dialog } = await openForm();
    expect(dialog.getByLabelText(/Meeting Title/)).toHaveValue(TITLE);
    expect(dialog.getByLabelText('Description')).toHaveValue('Accounts and elections');
    expect(dialog.getByLabelText(/Start Time/)).toHaveValue(toLocalTime('2026-11-21T17:00:30Z'));
    expect(toLocalTime('2026-11-21T17:00:30Z')).toHaveLength(16);
    expect(dialog.getByLabelText('Status')).toHaveValue('SCHEDULED');
    expect(dialog.getByLabelText('Max Participants')).toHaveValue('200');
    expect(dialog.getByLabelText('Recurring')).toBeChecked();
    expect(dialog.getByLabelText('Recurring Pattern')).toHaveValue('Weekly');
  });

  it('sends only what was changed, so that nobody’s start of the meeting is undone', async () => {
    const { user, dialog, save } = await openForm();
    await user.clear(dialog.getByLabelText('Description'));
    await user.type(dialog.getByLabelText('Max Participants'), '20');
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([{ put: { description: null, maxParticipants: 20 } }]);
  });

  it('has no quorum until one is switched on, which is told in words', async () => {
    const { user, dialog, save } = await openForm();
    const quorum = dialog.getByRole('switch', { name: 'Quorum' });
    expect(quorum).not.toBeChecked();
    await user.click(quorum);
    await user.selectOptions(dialog.getByLabelText('Comparison'), 'More than');
    await user.selectOptions(dialog.getByLabelText('Fraction'), '2/3');
    await user.selectOptions(dialog.getByLabelText('Quorum counted by'), 'Weight');
    await user.selectOptions(dialog.getByLabelText('At opening, while too few are present'), 'Do not open');
    expect(
      dialog.getByText(
        'More than 2/3 of the register must be present, by weight. While too few are present, no question can be opened.',
      ),
    ).toBeInTheDocument();
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    const sentQuorum = {
      comparison: 'more_than',
      numerator: 2,
      denominator: 3,
      unit: 'weight',
      attendance: 'present',
      atOpening: 'bar',
    };
    expect(sent).toEqual([{ put: { quorum: sentQuorum } }]);
  });

  it('bars nothing before the opening where people must have voted', async () => {
    meeting = {
      ...meeting,
      quorum: {
        comparison: 'at_least',
        numerator: 1,
        denominator: 2,
        unit: 'heads',
        attendance: 'present',
        atOpening: 'bar',
      },
    };
    const { user, dialog, save } = await openForm();
    expect(dialog.getByRole('switch', { name: 'Quorum' })).toBeChecked();
    await user.selectOptions(dialog.getByLabelText('Must'), 'Have voted');
    expect(dialog.queryByLabelText(/At opening/)).not.toBeInTheDocument();
    await save();
    await waitFor(() =>
      expect(sent).toEqual([
        { put: { quorum: { ...meeting.quorum, attendance: 'voted', atOpening: 'warn' } } },
      ]),
    );
  });

  it('takes the quorum away when it is switched off', async () => {
    meeting = {
      ...meeting,
      quorum: {
        comparison: 'at_least',
        numerator: 5,
        denominator: 9,
        unit: 'heads',
        attendance: 'present',
        atOpening: 'warn',
      },
    };
    const { user, dialog, save } = await openForm();
    expect(dialog.getByLabelText('Denominator')).toHaveValue('9');
    await user.click(dialog.getByRole('switch', { name: 'Quorum' }));
    await save();
    await waitFor(() => expect(sent).toEqual([{ put: { quorum: null } }]));
  });

  it('shows what the server refuses of the quorum at its field', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}', ({ response }) =>
        response(422).json({
          error: 'x',
          message: 'x',
          code: 'invalid_input',
          fields: { 'quorum.attendance': ['Not like this.'] },
        }),
      ),
    );
    const { user, dialog, save } = await openForm();
    await user.click(dialog.getByRole('switch', { name: 'Quorum' }));
    await save();
    expect(await dialog.findByText('Please check the marked fields.')).toBeInTheDocument();
    expect(dialog.getByLabelText('Must')).toHaveAccessibleDescription('Not like this.');
  });

  it('sends the differences of who is invited', async () => {
    const { user, dialog, save } = await openForm();
    expect(dialog.getByLabelText('Invite all active end users (2 users)')).not.toBeChecked();
    expect(await dialog.findByLabelText('Vera Lind')).toBeChecked();
    await user.click(dialog.getByLabelText('Vera Lind'));
    await user.click(dialog.getByLabelText('Tomas Okafor'));
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      { put: {} },
      { delete: { endUserIds: [sampleEndUser().id] } },
      { post: { endUserIds: ['e2'], addAllActive: false } },
    ]);
  });

  it('knows that everybody is invited, and then has nothing to send', async () => {
    invited = [
      sampleEndUser(),
      sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas' }),
      sampleEndUser({ id: 'e3', name: 'Ines Duarte', username: 'ines', isActive: false }),
      // Nobody, as far as figures go.
      sampleEndUser({ id: 'e4', name: 'TEST_voter', username: 'TEST_voter', isTest: true }),
    ];
    const { dialog, save } = await openForm();
    expect(dialog.getByLabelText('Invite all active end users (2 users)')).toBeChecked();
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([{ put: {} }]);
  });

  it('says at the participants that there is no room, and keeps the choice', async () => {
    server.use(
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(409).json({
          error: 'The meeting has room for 1 participants',
          message: 'x',
          code: 'too_many_participants',
        }),
      ),
    );
    const { user, dialog, save } = await openForm();
    await user.click(await dialog.findByLabelText('Tomas Okafor'));
    await save();
    expect(await dialog.findByText('The meeting has room for 1 participants')).toBeInTheDocument();
    expect(dialog.getByLabelText('Tomas Okafor')).toBeChecked();
    expect(screen.queryByText('Meeting updated successfully')).not.toBeInTheDocument();
  });

  it('warns before it stops a running meeting', async () => {
    meeting = { ...meeting, status: 'ACTIVE' };
    const { user, dialog, save } = await openForm();
    expect(dialog.queryByText(/This meeting is running/)).not.toBeInTheDocument();
    await user.selectOptions(dialog.getByLabelText('Status'), 'Completed');
    expect(dialog.getByText(/a vote that is open ends with the votes received so far/)).toBeInTheDocument();
    await save();
    await waitFor(() => expect(sent).toEqual([{ put: { status: 'COMPLETED' } }]));
  });

  it('shows the error of the server', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}', ({ response }) =>
        response(404).json({ error: 'The meeting does not exist', message: 'x', code: 'meeting_not_found' }),
      ),
    );
    const { dialog, save } = await openForm();
    await save();
    expect(await dialog.findByRole('alert')).toHaveTextContent('The meeting does not exist');
  });

  it('offers another try when the meeting cannot be loaded', async () => {
    let isDown = true;
    server.use(
      http.get('/client/meetings/{meetingId}/participants', ({ response }) =>
        isDown ? HttpResponse.error() : response(200).json([]),
      ),
    );
    const { user } = await renderApp('/client/meetings', { as: clientAdmin });
    await user.click((await openMenu(user, TITLE)).getByRole('menuitem', { name: 'Edit' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit Meeting' }));
    const retry = await dialog.findByRole('button', { name: 'Try again' });
    isDown = false;
    await user.click(retry);
    expect(await dialog.findByLabelText(/Meeting Title/)).toHaveValue(TITLE);
  });
});

describe('invitationChange', () => {
  const before: Invited = { hasList: true, isForAll: false, endUserIds: ['a', 'b'] };
  const all: Invited = { hasList: true, isForAll: true, endUserIds: ['a', 'b'] };
  const open: Invited = { hasList: false, isForAll: true, endUserIds: ['a', 'b'] };

  it.each<[string, Invited, Partial<MeetingFormValues>, InvitationChange]>([
    ['everybody for a new meeting', nobodyInvited, { isForAll: true }, invite('all')],
    ['everybody, with a limit', nobodyInvited, { isForAll: true, maxParticipants: '9' }, invite('all')],
    ['a limit where there is no list', open, { isForAll: true, maxParticipants: '9' }, invite('all')],
    ['no limit where there is no list', open, { isForAll: true }, invite(null)],
    ['a limit where everybody is listed', all, { isForAll: true, maxParticipants: '9' }, invite(null)],
    ['nobody named for a new meeting', nobodyInvited, { isForAll: false, endUserIds: [] }, invite(null)],
    ['everybody where some were invited', before, { isForAll: true, endUserIds: ['a', 'b'] }, invite('all')],
    ['everybody where everybody was listed', all, { isForAll: true, endUserIds: ['a', 'b'] }, invite(null)],
    ['nobody of a list', before, { isForAll: false, endUserIds: [] }, { remove: ['a', 'b'], add: null }],
    ['the same people', before, { isForAll: false, endUserIds: ['b', 'a'] }, invite(null)],
    ['a list where there was none', open, { isForAll: false, endUserIds: ['a'] }, invite(['a'])],
  ])('%s', (_, invited, chosen, expected) => {
    expect(invitationChange(invited, { ...emptyMeeting, ...chosen })).toEqual(expected);
  });

  function invite(whom: 'all' | string[] | null): InvitationChange {
    const add = whom === 'all' ? ({ addAllActive: true } as const) : whom && { endUserIds: whom };
    return { remove: [], add };
  }
});

describe('offsetText', () => {
  it.each([
    [0, 'UTC'],
    [60, 'UTC+1'],
    [330, 'UTC+5:30'],
    [-210, 'UTC\u22123:30'],
  ])('%d minutes are %s', (minutes, text) => {
    expect(offsetText(minutes)).toBe(text);
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
    quorum: noQuorum,
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
    expect(toCreateMeetingBody({ ...values, maxParticipants: '200', isRecurring: true })).toMatchObject({
      maxParticipants: 200,
      isRecurring: true,
      recurringPattern: 'Weekly',
    });
  });
});
