import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EndUser, Meeting } from '../../api/types';
import { arrangeMeetings, given, openMenu, TITLE } from '../../test/meetings-fixture';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleEndUser, sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import { emptyMeeting, type MeetingFormValues, participantsRule, toLocalTime } from './meeting-form';
import {
  type InvitationChange,
  type Invited,
  invitationChange,
  nobodyInvited,
} from './participants/participants';

beforeEach(arrangeMeetings);

describe('the form of a meeting that exists', () => {
  let sent: unknown[];
  let meeting: Meeting;
  let invited: EndUser[];

  beforeEach(() => {
    sent = [];
    meeting = sampleMeeting({ id: 'm1', scheduledStartTime: '2026-11-21T17:00:30Z' });
    given.meetings = [meeting];
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

  it('has no quorum until one is switched on, which is described in words', async () => {
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
        'More than 2/3 of the register must be present, by weight. Present means connected at opening, or voted. If the quorum is not met, no question can be opened.',
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

  it('can remove invited people who are inactive, and can undo it before it is saved', async () => {
    invited = [
      sampleEndUser(),
      sampleEndUser({ id: 'e3', name: 'Ines Duarte', username: 'ines', isActive: false }),
    ];
    const { user, dialog, save } = await openForm();
    const row = await dialog.findByLabelText('Ines Duarte (Inactive)');
    expect(row).toBeChecked();
    await user.click(row);
    expect(row).not.toBeChecked();
    expect(row).toHaveFocus();
    await user.click(row);
    expect(row).toBeChecked();
    await user.click(row);
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([{ put: {} }, { delete: { endUserIds: ['e3'] } }]);
  });

  it('knows that everybody is invited, and then has nothing to send', async () => {
    invited = [
      sampleEndUser(),
      sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas' }),
      sampleEndUser({ id: 'e3', name: 'Ines Duarte', username: 'ines', isActive: false }),
      // Excluded from the figures.
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

  describe('with people on the list who are in none of the groups that the meeting loses', () => {
    beforeEach(() => {
      meeting = { ...meeting, groupIds: ['g1'] };
      const outside = sampleEndUser({ id: 'e2', name: 'Tomas Okafor', username: 'tomas' });
      server.use(
        http.get('/client/groups', ({ response }) =>
          response(200).json({
            success: true,
            data: [{ id: 'g1', name: 'Board', members: 1 }],
          }),
        ),
        http.get('/client/meetings/{meetingId}/participants', ({ query, response }) =>
          response(200).json(
            [...invited, ...(query.get('outsideGroups') === 'true' ? [outside] : [])].map((endUser) => ({
              endUser,
            })),
          ),
        ),
        http.get('/client/end-users/stats', ({ response }) =>
          response(200).json({ success: true, data: { total: 9, active: 9, inactive: 0, totalWeight: 9 } }),
        ),
      );
    });

    async function openAndRemove() {
      const form = await openForm();
      expect(form.dialog.getByText('Selected: 2 participants')).toBeInTheDocument();
      await form.user.click(await form.dialog.findByLabelText('Tomas Okafor'));
      await form.user.click(await form.dialog.findByRole('checkbox', { name: /Board/ }));
      await form.save();
      return form;
    }

    const removal = { delete: { endUserIds: ['e2'] } };

    it('removes them before a running meeting loses the group, so that they are never let in', async () => {
      meeting = { ...meeting, status: 'ACTIVE' };
      await openAndRemove();
      expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
      expect(sent).toEqual([removal, { put: { groupIds: [] } }]);
    });

    it('keeps the groups of the meeting if they cannot be removed', async () => {
      server.use(
        http.delete('/client/meetings/{meetingId}/participants', async ({ request }) => {
          sent.push({ delete: await request.json() });
          return HttpResponse.error();
        }),
      );
      const { dialog } = await openAndRemove();
      expect(await dialog.findByRole('alert')).toHaveTextContent(
        'Failed to update meeting: the server could not be reached',
      );
      expect(sent).toEqual([removal]);
      expect(screen.queryByText(/The participants were removed/)).not.toBeInTheDocument();
    });

    it('says that they were removed if the rest fails, and invites them again when they are chosen again', async () => {
      server.use(http.put('/client/meetings/{meetingId}', () => HttpResponse.error(), { once: true }));
      const { user, dialog, save } = await openAndRemove();
      expect(
        await screen.findByText('The participants were removed, but saving the other changes failed.'),
      ).toBeInTheDocument();
      await user.click(dialog.getByLabelText('Tomas Okafor'));
      await save();
      expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
      expect(sent).toEqual([
        removal,
        { put: { groupIds: [] } },
        { post: { endUserIds: ['e2'], addAllActive: false } },
      ]);
    });
  });

  it('starts the meeting after its participants are set', async () => {
    const { user, dialog, save } = await openForm();
    await user.type(dialog.getByLabelText('Max Participants'), '2');
    await user.click(await dialog.findByLabelText('Tomas Okafor'));
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      { put: { maxParticipants: 2 } },
      { post: { endUserIds: ['e2'], addAllActive: false } },
      { put: { status: 'ACTIVE' } },
    ]);
  });

  it('does not start the meeting for others when its participants cannot be set', async () => {
    let isDown = true;
    server.use(
      http.delete('/client/meetings/{meetingId}/participants', async ({ request, response }) => {
        sent.push({ delete: await request.json() });
        return isDown
          ? HttpResponse.error()
          : response(200).json({ success: true, removed: 1, participantCount: 0 });
      }),
    );
    const { user, dialog, save } = await openForm();
    await user.click(await dialog.findByLabelText('Vera Lind'));
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await save();
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The meeting was saved, but its participants were not, so it was not started. Please try again.',
    );
    isDown = false;
    const removal = { delete: { endUserIds: [sampleEndUser().id] } };
    expect(sent).toEqual([{ put: {} }, removal]);
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent.slice(2)).toEqual([{ put: {} }, removal, { put: { status: 'ACTIVE' } }]);
  });

  it('says that all but the start was saved', async () => {
    server.use(
      http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
        const { status } = await request.json();
        return status === 'ACTIVE'
          ? response(409).json({ error: 'There is no room', message: 'x', code: 'too_many_participants' })
          : response(200).json(meeting);
      }),
    );
    const { user, dialog, save } = await openForm();
    await user.click(await dialog.findByLabelText('Tomas Okafor'));
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await save();
    expect(await screen.findByText('The meeting was saved, but not started.')).toBeInTheDocument();
    expect(screen.getByText('There is no room')).toBeInTheDocument();
    expect(screen.queryByText('Meeting updated successfully')).not.toBeInTheDocument();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  describe('when the response to the start is lost', () => {
    async function startUnanswered(outcome: 'carried out' | 'not carried out' | 'unreachable') {
      let isLost = false;
      server.use(
        http.get('/client/meetings/{meetingId}', ({ response }) =>
          isLost && outcome === 'unreachable' ? HttpResponse.error() : response(200).json(meeting),
        ),
        http.put('/client/meetings/{meetingId}', async ({ request, response }) => {
          const { status } = await request.json();
          if (status !== 'ACTIVE') {
            return response(200).json(meeting);
          }
          isLost = true;
          if (outcome === 'carried out') {
            meeting = { ...meeting, status };
          }
          return HttpResponse.error();
        }),
      );
      const { user, dialog, save } = await openForm();
      await user.click(await dialog.findByLabelText('Tomas Okafor'));
      await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
      await save();
    }

    it('sees that the meeting is running', async () => {
      await startUnanswered('carried out');
      expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
      expect(screen.queryByText(/not started/)).not.toBeInTheDocument();
    });

    it('sees that the meeting is not running', async () => {
      await startUnanswered('not carried out');
      expect(await screen.findByText('The meeting was saved, but not started.')).toBeInTheDocument();
    });

    it('says that the start is not known if the meeting cannot be read either', async () => {
      await startUnanswered('unreachable');
      expect(await screen.findByText(/it is not known whether it was started/)).toBeInTheDocument();
      expect(screen.queryByText(/but not started/)).not.toBeInTheDocument();
    });
  });

  it('stores nothing of a restart that is not confirmed', async () => {
    meeting = { ...meeting, status: 'COMPLETED' };
    const { user, dialog, save } = await openForm();
    await user.click(await dialog.findByLabelText('Tomas Okafor'));
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await save();
    expect(await dialog.findByText('Confirm this, or choose another status.')).toBeInTheDocument();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('checkbox', { name: 'Start this meeting again' }));
    await save();
    expect(await screen.findByText('Meeting updated successfully')).toBeInTheDocument();
    expect(sent).toEqual([
      { put: {} },
      { post: { endUserIds: ['e2'], addAllActive: false } },
      { put: { status: 'ACTIVE', confirmRestart: true } },
    ]);
  });

  it('shows the missing confirmation of a restart together with a limit that is not valid', async () => {
    meeting = { ...meeting, status: 'COMPLETED' };
    const { user, dialog, save } = await openForm();
    await user.type(dialog.getByLabelText('Max Participants'), '0');
    await user.selectOptions(dialog.getByLabelText('Status'), 'Active');
    await save();
    expect(await dialog.findByText(participantsRule.wanted)).toBeInTheDocument();
    expect(dialog.getByText('Confirm this, or choose another status.')).toBeInTheDocument();
    expect(sent).toEqual([]);
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
