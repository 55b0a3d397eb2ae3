import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Invitations, Meeting, Recipient } from '../../../api/types';
import { FakeEventSource, installFakeEventSource } from '../../../test/fake-event-source';
import { liveState, timed } from '../../../test/live-samples';
import { clientAdmin } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { sampleMeeting, sampleQuestion } from '../../../test/samples';
import { http, server } from '../../../test/server';

installFakeEventSource();

const LINK = 'http://plenum.test/vote/abc';

let meeting: Meeting;
let invitations: Invitations;
/** The requests that were sent, in order. */
let sent: unknown[];

function recipient(change: Partial<Recipient>): Recipient {
  return {
    endUserId: change.name ?? 'ada',
    name: 'Ada Byron',
    username: 'ada',
    email: 'ada@riverside.test',
    status: 'none',
    sentTo: null,
    error: null,
    sentAt: null,
    ...change,
  };
}

function counts(change: Partial<Invitations['counts']>): Invitations['counts'] {
  return {
    invited: 3,
    withoutAddress: 0,
    inactive: 0,
    notSent: 0,
    pending: 0,
    sent: 0,
    failed: 0,
    unknown: 0,
    ...change,
  };
}

beforeEach(() => {
  sent = [];
  meeting = sampleMeeting({ status: 'SCHEDULED' });
  const rows = [
    recipient({}),
    recipient({ name: 'Bo Nilsen', status: 'failed', error: 'The mail server refused the address.' }),
    recipient({ name: 'Cleo Marsh', status: 'sent', sentAt: '2026-11-20T10:00:00Z' }),
  ];
  invitations = {
    canSendEmail: true,
    subject: 'Invitation: Annual general meeting',
    text: `Hello,\n\nJoin here: ${LINK}`,
    link: LINK,
    counts: counts({ notSent: 1, failed: 1, sent: 1 }),
    data: rows,
    meta: { page: 1, pageSize: 50, total: 3 },
  };
  server.use(
    http.get('/client/meetings/{meetingId}', ({ response }) => response(200).json(meeting)),
    http.get('/client/questions/meeting/{meetingId}', ({ response }) =>
      response(200).json([sampleQuestion()]),
    ),
    http.get('/client/meetings/{meetingId}/rounds', ({ response }) => response(200).json([])),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) =>
      response(200).json(timed(liveState({ meetingId: meeting.id, status: meeting.status }))),
    ),
    http.post('/client/meetings/{meetingId}/generate-link', ({ response }) =>
      response(200).json({ invitationLink: 'abc' }),
    ),
    http.get('/client/meetings/{meetingId}/invitations', ({ query, response }) => {
      expect(query.get('publicUrl')).toBe('http://plenum.test');
      return response(200).json(invitations);
    }),
    http.post('/client/meetings/{meetingId}/invitations/send', async ({ request, response }) => {
      sent.push(await request.json());
      return response(202).json({
        queued: 2,
        skipped: { alreadySent: 1, withoutAddress: 0, inactive: 0, pending: 0 },
        counts: invitations.counts,
      });
    }),
  );
});

async function openInvitations() {
  const { user } = await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  const live = liveState({ meetingId: meeting.id, status: meeting.status });
  act(() => FakeEventSource.latest.send('connected', live, live.version));
  await user.click(await screen.findByRole('button', { name: 'Send Invitations' }));
  const panel = within(await screen.findByRole('dialog', { name: 'Send Invitations' }));
  await panel.findByRole('heading', { name: 'Send by email' });
  return { user, panel };
}

it('offers a text, a link and a QR code to pass on', async () => {
  const { user, panel } = await openInvitations();
  await user.click(panel.getByRole('button', { name: 'Copy Text' }));
  expect(await navigator.clipboard.readText()).toBe(invitations.text);
  await user.click(panel.getByRole('button', { name: 'Copy Subject' }));
  expect(await navigator.clipboard.readText()).toBe(invitations.subject);
  await user.click(panel.getByRole('button', { name: 'Copy Link' }));
  expect(await navigator.clipboard.readText()).toBe(LINK);
  expect(panel.getByRole('img', { name: `QR code of ${LINK}` })).toBeInTheDocument();
});

it('is sent to those who have none, after asking', async () => {
  const { user, panel } = await openInvitations();
  await user.click(panel.getByRole('button', { name: 'Send to 2 people' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send to 2 people?' }));
  expect(sent).toEqual([]);
  invitations = { ...invitations, counts: counts({ pending: 2, sent: 1 }) };
  await user.click(question.getByRole('button', { name: 'Send to 2 people' }));
  expect(await screen.findByText('2 invitations on the way')).toBeInTheDocument();
  expect(sent).toEqual([{ timeZone: expect.any(String), publicUrl: 'http://plenum.test' }]);
  expect(await panel.findByText(/Sending: 1 of 3 done, 2 waiting/)).toBeInTheDocument();

  invitations = { ...invitations, counts: counts({ sent: 3 }) };
  await waitFor(() => expect(panel.queryByText(/Sending:/)).not.toBeInTheDocument());
  expect(panel.getByRole('button', { name: 'No one left to invite' })).toBeDisabled();
});

it('can be stopped while some wait', async () => {
  server.use(
    http.delete('/client/meetings/{meetingId}/invitations/pending', ({ response }) => {
      invitations = { ...invitations, counts: counts({ notSent: 2, sent: 1 }) };
      return response(200).json({ stopped: 2 });
    }),
  );
  invitations = { ...invitations, counts: counts({ pending: 2, sent: 1 }) };
  const { user, panel } = await openInvitations();
  await user.click(panel.getByRole('button', { name: 'Stop Sending' }));
  expect(await screen.findByText('2 invitations stopped, not sent')).toBeInTheDocument();
  expect(await panel.findByRole('button', { name: 'Send to 2 people' })).toBeInTheDocument();
});

it('is sent again only to somebody who is named, after asking', async () => {
  const { user, panel } = await openInvitations();
  expect(panel.getByText('The mail server refused the address.')).toBeInTheDocument();
  await user.click(panel.getByRole('button', { name: 'Send again to Cleo Marsh' }));
  const question = within(await screen.findByRole('dialog', { name: /^Send Cleo Marsh another/ }));
  expect(question.getByText(/will receive a second message at/)).toBeInTheDocument();
  await user.click(question.getByRole('button', { name: 'Send Again' }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]).toMatchObject({ endUserIds: ['Cleo Marsh'], again: true });
});

it('contains personal links if the organizer chooses it, with a reason during a vote', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/invitations/send', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      if (!body.passwordReason) {
        return response(409).json({
          code: 'password_reason_needed',
          error: '1 person may vote on “Approve?”, and voting is open',
          message: '1 person may vote on “Approve?”, and voting is open',
        });
      }
      return response(202).json({
        queued: 2,
        skipped: { alreadySent: 1, withoutAddress: 0, inactive: 0, pending: 0 },
        counts: invitations.counts,
      });
    }),
  );
  const { user, panel } = await openInvitations();
  await user.click(panel.getByRole('button', { name: 'Send to 2 people' }));
  const question = within(await screen.findByRole('dialog', { name: 'Send to 2 people?' }));
  await user.click(question.getByRole('checkbox', { name: /^With a personal link/ }));
  await user.click(question.getByRole('button', { name: 'Send to 2 people' }));
  expect(await question.findByRole('alert')).toHaveTextContent('1 person may vote on “Approve?”');
  await user.type(question.getByRole('textbox', { name: /^Reason for the new password/ }), ' Lost letters ');
  await user.click(question.getByRole('button', { name: 'Send to 2 people' }));
  expect(await screen.findByText('2 invitations on the way')).toBeInTheDocument();
  expect(sent).toEqual([
    expect.objectContaining({ personalLinks: true }),
    expect.objectContaining({ personalLinks: true, passwordReason: 'Lost letters' }),
  ]);
});

it('says what is missing where the server cannot send email', async () => {
  invitations = { ...invitations, canSendEmail: false };
  const { panel } = await openInvitations();
  expect(panel.getByText(/the server's operator sets PLENUM_SMTP_URL/)).toBeInTheDocument();
  expect(panel.queryByRole('button', { name: /^Send/ })).not.toBeInTheDocument();
});

it('warns that voters cannot open a draft', async () => {
  meeting = sampleMeeting({ status: 'DRAFT' });
  const { panel } = await openInvitations();
  expect(panel.getByText(/This meeting is a draft: voters cannot open it yet/)).toBeInTheDocument();
});

it('is over with the meeting', async () => {
  meeting = sampleMeeting({ status: 'COMPLETED' });
  invitations = { ...invitations, link: null, text: null };
  const { panel } = await openInvitations();
  expect(panel.getByText(/The meeting is over/)).toBeInTheDocument();
  expect(panel.queryByRole('button', { name: /^Send/ })).not.toBeInTheDocument();
});

it('says so where it could not be loaded', async () => {
  server.use(
    http.post('/client/meetings/{meetingId}/generate-link', ({ response }) =>
      response.untyped(HttpResponse.error()),
    ),
  );
  const { user } = await renderApp(`/client/meetings/${meeting.id}/control`, { as: clientAdmin });
  await user.click(await screen.findByRole('button', { name: 'Send Invitations' }));
  expect(await screen.findByText('Nothing was sent.')).toBeInTheDocument();
});

it('asks before the panel closes over personal links that are shown only once', async () => {
  const { user, panel } = await openInvitations();
  server.use(
    http.get('/client/join-links/settings', ({ response }) => response(200).json({ asks: 'NOTHING' })),
    http.post('/client/join-links', ({ response }) =>
      response(200).json({
        success: true,
        data: [{ endUserId: 'ada', name: 'Ada Byron', username: 'ada', email: null, token: 'secret' }],
      }),
    ),
  );
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  await user.click(await panel.findByRole('button', { name: 'Make personal links' }));
  expect(await panel.findByText('1 personal link made')).toBeInTheDocument();
  await user.keyboard('{Escape}');
  const question = within(await screen.findByRole('dialog', { name: 'Leave without the link?' }));
  expect(panel.getByText('1 personal link made')).toBeInTheDocument();
  await user.click(question.getByRole('button', { name: 'Leave without it' }));
  await waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Send Invitations' })).not.toBeInTheDocument(),
  );
});

function offerJoinLinks() {
  server.use(
    http.get('/client/join-links/settings', ({ response }) => response(200).json({ asks: 'NOTHING' })),
    http.post('/client/join-links', ({ response }) =>
      response(200).json({
        success: true,
        data: [{ endUserId: 'ada', name: 'Ada Byron', username: 'ada', email: null, token: 'secret' }],
      }),
    ),
  );
}

async function makeJoinLinks({ user, panel }: Awaited<ReturnType<typeof openInvitations>>) {
  await user.click(panel.getByRole('button', { name: 'Make personal links' }));
  await user.click(await panel.findByRole('button', { name: 'Make personal links' }));
  expect(await panel.findByText('1 personal link made')).toBeInTheDocument();
}

it('keeps personal links that are shown only once when a search fails', async () => {
  const opened = await openInvitations();
  const { user, panel } = opened;
  offerJoinLinks();
  server.use(
    http.get('/client/meetings/{meetingId}/invitations', ({ query, response }) =>
      query.get('search') === 'Bo'
        ? response.untyped(HttpResponse.json({ error: 'Something went wrong' }, { status: 400 }))
        : response(200).json(invitations),
    ),
  );
  await makeJoinLinks(opened);
  await user.type(panel.getByRole('searchbox', { name: 'Search by name or username' }), 'Bo');
  expect(await panel.findByText('Nothing was sent.', undefined, { timeout: 5_000 })).toBeInTheDocument();
  expect(panel.getByText('1 personal link made')).toBeInTheDocument();
  expect(panel.getByRole('button', { name: 'Copy Text' })).toBeInTheDocument();
});

it('keeps personal links when the invitation link is loaded again and fails', async () => {
  const opened = await openInvitations();
  offerJoinLinks();
  await makeJoinLinks(opened);
  let failures = 0;
  server.use(
    http.post('/client/meetings/{meetingId}/generate-link', ({ response }) => {
      failures += 1;
      return response.untyped(HttpResponse.json({ error: 'Something went wrong' }, { status: 400 }));
    }),
  );
  // A minute later, somebody comes back to the tab.
  const later = Date.now() + 60_000;
  const clock = vi.spyOn(Date, 'now').mockReturnValue(later);
  act(() => {
    window.dispatchEvent(new Event('visibilitychange'));
  });
  await waitFor(() => expect(failures).toBe(1));
  await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
  expect(opened.panel.getByText('1 personal link made')).toBeInTheDocument();
  clock.mockRestore();
});
