import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { CopyMeetingBody } from '../../api/types';
import { arrangeMeetings, given, openMenu, TITLE } from '../../test/meetings-fixture';
import { clientAdmin } from '../../test/people';
import { arrangeQuestions } from '../../test/questions-fixture';
import { renderApp } from '../../test/render-app';
import { sampleMeeting, sampleRound } from '../../test/samples';
import { http, server } from '../../test/server';

beforeEach(arrangeMeetings);

it('offers each meeting what its status allows', async () => {
  given.meetings = [
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
    'Proxies',
    'Votes on Paper',
    'Edit',
    'Copy',
    'Delete',
  ]);
  await user.keyboard('{Escape}');
  expect(names(await openMenu(user, 'Draft one'))).toEqual([
    'Control',
    'Readiness Check',
    'Proxies',
    'Votes on Paper',
    'Edit',
    'Copy',
    'Delete',
  ]);
  await user.keyboard('{Escape}');
  expect(names(await openMenu(user, 'Running one'))).toEqual([
    'End',
    'Questions',
    'Readiness Check',
    'Proxies',
    'Votes on Paper',
    'Results',
    'Edit',
    'Copy',
    'DeleteNot while the meeting is running',
  ]);
});

it('leads to the check-in of a meeting that has one, until it has ended', async () => {
  given.meetings = [
    sampleMeeting({ title: 'With a desk', status: 'SCHEDULED', checkIn: 'ON' }),
    sampleMeeting({ id: 'm2', title: 'Over', status: 'COMPLETED', checkIn: 'ON' }),
  ];
  const { user } = await renderApp('/client/meetings', { as: clientAdmin });
  await screen.findByRole('row', { name: /With a desk/ });
  expect((await openMenu(user, 'With a desk')).getByRole('menuitem', { name: 'Check-in' })).toHaveAttribute(
    'href',
    expect.stringMatching(/\/control\?panel=check-in$/),
  );
  await user.keyboard('{Escape}');
  expect(
    (await openMenu(user, 'Over')).queryByRole('menuitem', { name: 'Check-in' }),
  ).not.toBeInTheDocument();
});

it('marks what is test data', async () => {
  given.meetings = [
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
      given.meetings = [sampleMeeting({ status: 'ACTIVE' })];
      return response(200).json(sampleMeeting({ status: 'ACTIVE' }));
    }),
    http.get('/client/meetings/{meetingId}/rounds', ({ response }) =>
      response(200).json([sampleRound({ id: 'r1' }), sampleRound({ id: 'r2', number: 2 })]),
    ),
    http.post('/client/meetings/{meetingId}/end', ({ response }) => {
      given.meetings = [sampleMeeting({ status: 'COMPLETED' })];
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
  // A re-vote counts once, with the round that it repeats.
  expect(
    await dialog.findByText(/^1 result is not declared\. \d+ questions were never asked\.$/),
  ).toBeVisible();
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
        given.meetings = [];
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

  it('with results asks for the title, and offers their export first', async () => {
    given.meetings = given.meetings.map((meeting) => ({ ...meeting, status: 'COMPLETED' }));
    let exported = '';
    server.use(
      http.get('/client/meetings/{meetingId}/results/export', ({ query, response }) => {
        exported = query.get('format') ?? '';
        return response.untyped(HttpResponse.json({ error: 'x', code: 'unavailable' }, { status: 503 }));
      }),
    );
    const { user, dialog } = await openDialog();
    const confirm = dialog.getByRole('button', { name: 'Delete Meeting' });
    expect(confirm).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Signed results (JSON)' }));
    await waitFor(() => expect(exported).toBe('json'));
    await user.type(dialog.getByRole('textbox', { name: `Type “${TITLE}” to go on` }), TITLE);
    expect(confirm).toBeEnabled();
  });

  it.each(['SCHEDULED', 'DRAFT'] as const)(
    'with results asks for the title also if its status was set back to %s',
    async (status) => {
      given.meetings = [sampleMeeting({ status, startedAt: '2026-11-21T17:00:00Z' })];
      const { dialog } = await openDialog();
      expect(dialog.getByRole('button', { name: 'Delete Meeting' })).toBeDisabled();
      expect(dialog.getByRole('textbox', { name: `Type “${TITLE}” to go on` })).toBeInTheDocument();
      expect(dialog.getByRole('button', { name: 'Signed results (JSON)' })).toBeInTheDocument();
    },
  );

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
    given.meetings = [sampleMeeting({ status: 'ACTIVE' })];
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
      return response(200).json(given.meetings);
    }),
  );
  const { user, location } = await renderApp('/client/meetings?status=SCHEDULED&search=annual', {
    as: clientAdmin,
  });
  await screen.findByRole('row', { name: new RegExp(TITLE) });
  expect(asked[0]).toContain('search=annual&status=SCHEDULED');
  expect(screen.getByRole('searchbox', { name: 'Search meetings' })).toHaveValue('annual');
  given.meetings = [];
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
      return response(200).json(given.meetings);
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

it('copies a meeting with another title and time, and leads to the questions of the copy', async () => {
  arrangeQuestions();
  const sent: unknown[] = [];
  server.use(
    http.post('/client/meetings/{meetingId}/copy', async ({ params, request, response }) => {
      sent.push(params.meetingId, await request.json());
      return response(201).json(sampleMeeting({ id: 'm9', status: 'DRAFT' }));
    }),
  );
  const { user, location } = await renderApp('/client/meetings', { as: clientAdmin });
  await user.click((await openMenu(user, TITLE)).getByRole('menuitem', { name: 'Copy' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Copy Meeting' }));
  expect(dialog.getByLabelText(/Meeting Title/)).toHaveValue(`Copy of ${TITLE}`);
  await user.click(dialog.getByRole('button', { name: 'Copy Meeting' }));
  await waitFor(() => expect(location()).toBe('/client/meetings/m9/questions'));
  const original = sampleMeeting();
  const [id, body] = sent as [string, CopyMeetingBody];
  expect(id).toBe(original.id);
  expect(body.title).toBe(`Copy of ${TITLE}`);
  const length = Date.parse(original.scheduledEndTime) - Date.parse(original.scheduledStartTime);
  expect(Date.parse(body.scheduledEndTime) - Date.parse(body.scheduledStartTime)).toBe(length);
  expect(Date.parse(body.scheduledStartTime)).toBeGreaterThan(Date.parse(original.scheduledStartTime));
});
