import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CreateMeetingBody } from '../../api/types';
import { noQuorum } from '../../shared/terms/quorum-form';
import { arrangeMeetings } from '../../test/meetings-fixture';
import { clientAdmin } from '../../test/people';
import { arrangeQuestions } from '../../test/questions-fixture';
import { renderApp } from '../../test/render-app';
import { sampleEndUser, sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import { toCreateMeetingBody, toInstant } from './meeting-form';
import { offsetText } from './time-zone';

beforeEach(() => {
  arrangeMeetings();
  arrangeQuestions();
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
    const { user, dialog, location } = await openForm();
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
    // The questions are the next step.
    await waitFor(() => expect(location()).toBe('/client/meetings/m9/questions'));
  });

  it('takes the title, the quorum and the questions of a template, and keeps a title that was typed', async () => {
    const sent: CreateMeetingBody[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleMeeting());
      }),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(200).json({ success: true, added: 2, participantCount: 2 }),
      ),
    );
    const { user, dialog } = await openForm();
    const template = dialog.getByLabelText('Template');
    const title = dialog.getByLabelText(/Meeting Title/);
    await user.selectOptions(template, 'By-laws');
    expect(title).toHaveValue('Change of the by-laws');
    await user.selectOptions(template, 'Board election');
    expect(title).toHaveValue('Board election');
    await user.clear(title);
    await fillIn({ user, dialog });
    await user.selectOptions(template, 'Survey');
    expect(title).toHaveValue('Budget');
    await user.selectOptions(template, 'By-laws');
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      quorum: { numerator: 1, denominator: 2, attendance: 'present' },
      questions: [
        {
          questionType: 'YES_NO',
          options: ['Yes', 'No', 'Abstain'],
          decisionRule: { kind: 'majority', conditions: [{ numerator: 2, denominator: 3 }] },
        },
      ],
    });
  });

  it('has elections in the template of a board election', async () => {
    const sent: CreateMeetingBody[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleMeeting());
      }),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(200).json({ success: true, added: 2, participantCount: 2 }),
      ),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.selectOptions(dialog.getByLabelText('Template'), 'Board election');
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.questions).toEqual([
      expect.objectContaining({
        questionType: 'ELECTION',
        options: ['Candidate 1', 'Candidate 2'],
        decisionRule: { kind: 'election', election: { method: 'plurality', seats: 1 } },
      }),
      expect.objectContaining({
        questionType: 'ELECTION',
        decisionRule: { kind: 'election', election: { method: 'plurality', seats: 3 } },
      }),
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
      'People who are added later may take part as well.',
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
    // A limit needs a list.
    await user.type(dialog.getByLabelText('Max Participants'), '50');
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created but failed to add participants')).toBeInTheDocument();
    const everybody = dialog.getByLabelText('Invite all active end users (2 users)');
    expect(everybody).toBeInvalid();
    expect(everybody).toHaveAccessibleDescription(
      'Only people who are active now. Invite people who are added later here. The meeting has room for 1 participants',
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

  it('leaves the limit of a meeting for groups to the server, which knows the members', async () => {
    const sent: CreateMeetingBody[] = [];
    server.use(
      http.get('/client/groups', ({ response }) =>
        response(200).json({
          success: true,
          data: [{ id: 'g1', name: 'Board', members: 1 }],
        }),
      ),
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleMeeting());
      }),
      http.post('/client/meetings/{meetingId}/participants', ({ response }) =>
        response(200).json({ success: true, added: 2, participantCount: 1 }),
      ),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await dialog.findByLabelText('Invite all active end users (2 users)');
    await user.type(dialog.getByLabelText('Max Participants'), '1');
    expect(dialog.getByText(/^2 people would take part/)).toBeInTheDocument();
    await user.click(await dialog.findByRole('checkbox', { name: /Board/ }));
    expect(dialog.queryByText(/would take part/)).not.toBeInTheDocument();
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(sent).toEqual([expect.objectContaining({ maxParticipants: 1, groupIds: ['g1'] })]);
  });

  it('opens an active meeting only after its participants are set', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push((await request.json()).status);
        return response(201).json(sampleMeeting({ id: 'm9', status: 'DRAFT' }));
      }),
      http.post('/client/meetings/{meetingId}/participants', async ({ request, response }) => {
        sent.push(await request.json());
        return response(200).json({ success: true, added: 1, participantCount: 1 });
      }),
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        sent.push(await request.json());
        return response(200).json(sampleMeeting({ id: 'm9', status: 'ACTIVE' }));
      }),
    );
    const { user, dialog } = await openForm();
    await fillIn({ user, dialog });
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await user.click(await dialog.findByLabelText('Invite all active end users (2 users)'));
    await user.click(await dialog.findByLabelText('Tomas Okafor'));
    await user.click(dialog.getByRole('button', { name: 'Create Meeting' }));
    expect(await screen.findByText('Meeting created successfully')).toBeInTheDocument();
    expect(sent).toEqual(['DRAFT', { endUserIds: ['e2'], addAllActive: false }, { status: 'ACTIVE' }]);
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
    template: 'blank' as const,
    title: ' Budget ',
    description: ' ',
    scheduledStartTime: '2026-12-01T18:00:59',
    scheduledEndTime: '2026-12-01T20:00',
    status: 'SCHEDULED' as const,
    maxParticipants: '',
    isRecurring: false,
    recurringPattern: 'Weekly',
    quorum: noQuorum,
    countsSurveysAtEnd: true,
    hasCheckIn: false,
    selfCheckIn: false,
    confirmsRestart: false,
    isForAll: true,
    endUserIds: [],
    groupIds: [],
    weightKindId: null,
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
