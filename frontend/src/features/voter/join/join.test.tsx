import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ballotDraftNote,
  forgetVoter,
  heldKey,
  keepNotesOf,
  pendingMeetingNote,
  undeliveredBallotNote,
  voteNotes,
} from '../../../shared/storage';
import { installFakeEventSource } from '../../../test/fake-event-source';
import { liveState, MEETING_ID, timed } from '../../../test/live-samples';
import { clientAdmin, voter } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { http, NO_BRANDING, server } from '../../../test/server';
import { voterMeeting } from '../../../test/voter-samples';

installFakeEventSource();

const client = {
  id: 'c1',
  name: 'Riverside Housing Cooperative',
  clientCode: 'riverside',
  branding: NO_BRANDING,
};
const keptBallot = {
  userId: voter.id,
  questionId: 'q1',
  roundId: 'r1',
  text: 'Shall the accounts be approved?',
  type: 'SINGLE_CHOICE' as const,
  orderIndex: 1,
  answers: ['No'],
};
const pendingMeeting = { meetingId: MEETING_ID, linkToken: 'abc', meetingTitle: 'Annual General Meeting' };

beforeEach(() => {
  server.use(
    http.get('/public/client/{clientCode}', ({ params, response }) =>
      params.clientCode === 'riverside'
        ? response(200).json({ success: true, client })
        : response.untyped(HttpResponse.json({ error: 'x', code: 'client_not_found' }, { status: 404 })),
    ),
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({
        success: true,
        meeting: voterMeeting({ organization: client.name }),
      }),
    ),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(liveState()))),
  );
});

function letIn(user = voter) {
  server.use(
    http.post('/auth/end-user/login', async ({ request, response }) => {
      const { username, password, clientCode } = await request.json();
      return username === 'vera' && password === 'secret' && clientCode === 'riverside'
        ? response(200).json({ token: 'access', refreshToken: 'refresh', deviceToken: 'device', user })
        : response.untyped(
            HttpResponse.json(
              { error: 'Wrong username or password', code: 'invalid_credentials' },
              { status: 401 },
            ),
          );
    }),
  );
}

describe('the portal', () => {
  it('wants a code', async () => {
    const { user } = await renderApp('/participant');
    await user.click(await screen.findByRole('button', { name: 'Continue' }));
    expect(screen.getByText('Please enter your organization code')).toBeInTheDocument();
  });

  it('leads to the sign-in of the organization, in lower case', async () => {
    const { user, location } = await renderApp('/participant');
    await user.type(await screen.findByLabelText('Organization Code'), ' RiverSide{Enter}');
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    expect(await screen.findByRole('heading', { name: client.name })).toBeInTheDocument();
    expect(screen.getByText('RIVERSIDE')).toBeInTheDocument();
  });

  it('gets a wrong code back to be mended', async () => {
    const { location } = await renderApp('/participant/login/riverbank');
    expect(await screen.findByText('Invalid organization code')).toBeInTheDocument();
    expect(location()).toBe('/participant');
    expect(await screen.findByLabelText('Organization Code')).toHaveValue('riverbank');
  });

  it('does not hear of the wrong code any more once it is mended', async () => {
    const { user, location } = await renderApp('/participant/login/riverbank');
    const field = await screen.findByLabelText('Organization Code');
    expect(field).toHaveAccessibleDescription('Invalid organization code');
    expect(screen.getByRole('alert')).toHaveTextContent('Invalid organization code');
    await user.clear(field);
    expect(screen.queryByText('Invalid organization code')).not.toBeInTheDocument();
    await user.type(field, 'riverside{Enter}');
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    expect(await screen.findByRole('heading', { name: client.name })).toBeInTheDocument();
    expect(screen.queryByText('Invalid organization code')).not.toBeInTheDocument();
  });

  it('says when the organization could not be asked for', async () => {
    server.use(
      http.get('/public/client/{clientCode}', ({ response }) => response.untyped(HttpResponse.error())),
    );
    await renderApp('/participant/login/riverside');
    expect(await screen.findByText('Failed to load organization information')).toBeInTheDocument();
  });

  it('says when to try again where too many wrong codes were tried, and keeps the code', async () => {
    const error =
      'Too many unknown organization codes were tried in your network. Please try again in 3 seconds.';
    server.use(
      http.get('/public/client/{clientCode}', ({ response }) =>
        response(429).json({ error, message: error, code: 'too_many_tries' }),
      ),
    );
    await renderApp('/participant/login/riverside');
    expect(await screen.findByText(error)).toBeInTheDocument();
    expect(await screen.findByLabelText('Organization Code')).toHaveValue('riverside');
  });
});

describe('the entry', () => {
  it('shows the code as it stands on screens and slips', async () => {
    const { user } = await renderApp('/participant');
    const field = await screen.findByLabelText('Organization Code');
    await user.type(field, 'Mitte-26');
    expect(field).toHaveValue('mitte-26');
    expect(screen.getByText('MITTE-26')).toBeInTheDocument();
  });

  it('follows a pasted invitation, whose capitals count', async () => {
    server.use(
      http.get('/meetings/by-link/{linkToken}', ({ params, response }) => {
        expect(params.linkToken).toBe('aBcD');
        return response(200).json({ id: MEETING_ID, title: 'Meeting', clientId: 'c1', client });
      }),
    );
    const { user, location } = await renderApp('/participant');
    await user.click(await screen.findByLabelText('Organization Code'));
    await user.paste(`${window.location.origin}/vote/aBcD`);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    expect(await screen.findByText("You're joining: Meeting")).toBeInTheDocument();
  });

  it('does not follow a link to another website', async () => {
    const { user, location } = await renderApp('/participant');
    await user.type(await screen.findByLabelText('Organization Code'), 'https://elsewhere.example/a{Enter}');
    expect(screen.getByRole('alert')).toHaveTextContent('This link leads to another website');
    expect(location()).toBe('/participant');
  });

  it('leads organizers to their sign-in', async () => {
    await renderApp('/participant');
    expect(await screen.findByRole('link', { name: 'Organizers sign in here' })).toHaveAttribute(
      'href',
      '/client/login',
    );
  });
});

describe('the camera', () => {
  const stop = vi.fn();
  const seen: { rawValue: string }[][] = [];

  function giveCamera(getUserMedia: () => Promise<unknown>, formats = ['qr_code']) {
    class FakeDetector {
      static getSupportedFormats = () => Promise.resolve(formats);
      detect = () => Promise.resolve(seen.shift() ?? []);
    }
    vi.stubGlobal('BarcodeDetector', FakeDetector);
    Object.defineProperty(navigator, 'mediaDevices', { configurable: true, value: { getUserMedia } });
    vi.spyOn(HTMLMediaElement.prototype, 'play').mockResolvedValue();
  }

  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    Reflect.deleteProperty(navigator, 'mediaDevices');
    seen.length = 0;
    stop.mockClear();
  });

  it('reads a QR code, and is switched off then', async () => {
    giveCamera(() => Promise.resolve({ getTracks: () => [{ stop }] }));
    seen.push([], [{ rawValue: `${window.location.origin}/participant/login/riverside` }]);
    const { user, location } = await renderApp('/participant');
    await user.click(await screen.findByRole('button', { name: 'Scan a QR code' }));
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    await waitFor(() => expect(stop).toHaveBeenCalledOnce());
  });

  it('says that a scanned link leads elsewhere', async () => {
    giveCamera(() => Promise.resolve({ getTracks: () => [{ stop }] }));
    seen.push([{ rawValue: 'https://elsewhere.example/menu' }]);
    const { user } = await renderApp('/participant');
    await user.click(await screen.findByRole('button', { name: 'Scan a QR code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This link leads to another website');
    await waitFor(() => expect(stop).toHaveBeenCalledOnce());
  });

  it('is switched off when the page is left, and when it is closed', async () => {
    giveCamera(() => Promise.resolve({ getTracks: () => [{ stop }] }));
    const { user } = await renderApp('/participant');
    await user.click(await screen.findByRole('button', { name: 'Scan a QR code' }));
    await screen.findByLabelText('Camera');
    await user.click(screen.getByRole('button', { name: 'Close the camera' }));
    await waitFor(() => expect(stop).toHaveBeenCalledOnce());
    expect(screen.queryByLabelText('Camera')).not.toBeInTheDocument();
  });

  it('that is not allowed leaves the field', async () => {
    giveCamera(() => Promise.reject(new Error('NotAllowedError')));
    const { user } = await renderApp('/participant');
    await user.click(await screen.findByRole('button', { name: 'Scan a QR code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The camera cannot be used');
  });

  it('is not offered where the browser reads no QR codes', async () => {
    giveCamera(() => Promise.reject(new Error('not asked')), ['ean_13']);
    await renderApp('/participant');
    await screen.findByLabelText('Organization Code');
    expect(screen.queryByRole('button', { name: 'Scan a QR code' })).not.toBeInTheDocument();
  });
});

describe('a former code', () => {
  beforeEach(() => {
    server.use(
      http.get('/public/client/{clientCode}', ({ response }) =>
        response(200).json({ success: true, client: { ...client, clientCode: 'mitte-26' } }),
      ),
    );
  });

  it('is answered with the current one', async () => {
    await renderApp('/participant/login/riverside');
    expect(await screen.findByText('MITTE-26')).toBeInTheDocument();
  });

  it('leads a voter who is signed in to the meetings', async () => {
    const { location } = await renderApp('/participant/login/riverside-old', {
      as: { ...voter, clientCode: 'mitte-26' },
    });
    await waitFor(() => expect(location()).toBe('/voting'));
  });
});

describe('the sign-in', () => {
  async function signIn(path = '/participant/login/riverside', password = 'secret') {
    const app = await renderApp(path);
    await app.user.type(await screen.findByLabelText('Username'), 'vera');
    await app.user.type(screen.getByLabelText('Password'), password);
    await app.user.click(screen.getByRole('button', { name: 'Sign In' }));
    return app;
  }

  it('leads to the meetings', async () => {
    letIn();
    const { location } = await signIn();
    expect(await screen.findByText('Login successful!')).toBeInTheDocument();
    expect(await screen.findByRole('heading', { name: 'Your Meetings' })).toBeInTheDocument();
    expect(location()).toBe('/voting');
  });

  it('leads to the meeting of the invitation, and forgets the invitation', async () => {
    letIn();
    pendingMeetingNote.save(pendingMeeting);
    const { location } = await signIn();
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
    expect(pendingMeetingNote.read()).toBeNull();
  });

  it('shows which meeting it is for', async () => {
    pendingMeetingNote.save(pendingMeeting);
    await renderApp('/participant/login/riverside');
    expect(await screen.findByText("You're joining: Annual General Meeting")).toBeInTheDocument();
  });

  it('says what was wrong', async () => {
    letIn();
    await signIn('/participant/login/riverside', 'wrong');
    expect(await screen.findByRole('alert')).toHaveTextContent('Wrong username or password');
  });

  it('wants both fields, and an organization', async () => {
    const { user } = await renderApp('/participant/login/riverside');
    await user.click(await screen.findByRole('button', { name: 'Sign In' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please enter username and password');
  });

  it('cannot do without the organization', async () => {
    await signIn('/participant/login');
    expect(screen.getByRole('alert')).toHaveTextContent('Organization information missing');
    expect(screen.getByRole('link', { name: 'Enter the code' })).toHaveAttribute('href', '/participant');
  });
});

describe('an invitation', () => {
  function invite(clientId = voter.clientId ?? '') {
    server.use(
      http.get('/meetings/by-link/{linkToken}', ({ params, response }) =>
        params.linkToken === 'abc'
          ? response(200).json({ id: MEETING_ID, title: 'Annual General Meeting', clientId, client })
          : response.untyped(HttpResponse.json({ error: 'x', code: 'not_found' }, { status: 404 })),
      ),
    );
  }

  it('leads somebody without a session to the sign-in, and is remembered', async () => {
    invite();
    const { location } = await renderApp('/vote/abc');
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    expect(await screen.findByText("You're joining: Annual General Meeting")).toBeInTheDocument();
    expect(pendingMeetingNote.read()).toEqual(pendingMeeting);
  });

  it('leads a voter of the organization straight to the meeting', async () => {
    invite();
    const { location } = await renderApp('/vote/abc', { as: voter });
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
    expect(pendingMeetingNote.read()).toBeNull();
  });

  it('leads a voter of another organization to the sign-in of this one', async () => {
    invite();
    const { location } = await renderApp('/vote/abc', {
      as: { ...voter, clientId: 'another', clientCode: 'another' },
    });
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
    expect(await screen.findByText("You're joining: Annual General Meeting")).toBeInTheDocument();
  });

  it('is not for those who run meetings', async () => {
    invite();
    await renderApp('/vote/abc', { as: clientAdmin });
    expect(
      await screen.findByText('You need to log in as a participant to join this meeting'),
    ).toBeInTheDocument();
  });

  it('that is not known leads to the portal', async () => {
    invite();
    await renderApp('/vote/unknown');
    expect(await screen.findByRole('heading', { name: 'Invalid Invitation' })).toBeInTheDocument();
    expect(
      screen.getByText(
        'Failed to process invitation link. The meeting may not exist or the link may have expired.',
      ),
    ).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Go to Participant Portal' })).toHaveAttribute(
      'href',
      '/participant',
    );
    expect(screen.queryByRole('button', { name: 'Try again' })).not.toBeInTheDocument();
  });

  it.each([
    ['did not answer', () => HttpResponse.error()],
    ['is broken', () => HttpResponse.json({ error: 'x', code: 'x' }, { status: 500 })],
    ['is busy', () => HttpResponse.json({ error: 'x', code: 'x' }, { status: 429 })],
  ])('can be tried again when the server %s, and is not said to be invalid', async (_, answer) => {
    server.use(http.get('/meetings/by-link/{linkToken}', ({ response }) => response.untyped(answer())));
    const { user, location } = await renderApp('/vote/abc');
    await screen.findByRole('button', { name: 'Try again' });
    expect(screen.queryByText(/Invalid Invitation|Failed to process/)).not.toBeInTheDocument();
    invite();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(location()).toBe('/participant/login/riverside'));
  });
});

describe('the list of meetings', () => {
  const summary = {
    description: null,
    startTime: '2026-11-21T13:00:00Z',
    endTime: '2026-11-21T16:00:00Z',
    isRehearsing: false,
  };

  it('offers each meeting what its status allows', async () => {
    server.use(
      http.get('/voting/meetings', ({ response }) =>
        response(200).json({
          success: true,
          meetings: [
            { ...summary, id: 'm1', title: 'Running', status: 'ACTIVE' },
            { ...summary, id: 'm2', title: 'Coming', status: 'SCHEDULED' },
            { ...summary, id: 'm3', title: 'Over', status: 'COMPLETED' },
            { ...summary, id: 'm4', title: 'Off', status: 'CANCELLED' },
          ],
        }),
      ),
    );
    await renderApp('/voting', { as: voter });
    const card = async (title: string) => {
      const element = (await screen.findByRole('heading', { name: title })).closest('article');
      return within(element as HTMLElement);
    };
    expect((await card('Running')).getByRole('link', { name: 'Join Meeting' })).toHaveAttribute(
      'href',
      '/voting/meeting/m1',
    );
    expect((await card('Coming')).getByRole('button', { name: 'Not Started Yet' })).toBeDisabled();
    expect((await card('Over')).getByRole('button', { name: 'Completed' })).toBeDisabled();
    expect((await card('Off')).getByRole('button', { name: 'Unavailable' })).toBeDisabled();
  });

  it('says when there is none', async () => {
    await renderApp('/voting', { as: voter });
    expect(await screen.findByText('No Meetings Available')).toBeInTheDocument();
    expect(
      screen.getByText("You don't have any active or upcoming meetings at the moment."),
    ).toBeInTheDocument();
  });

  it('can be asked for again when it failed', async () => {
    server.use(http.get('/voting/meetings', ({ response }) => response.untyped(HttpResponse.error())));
    const { user } = await renderApp('/voting', { as: voter });
    expect(await screen.findByText(/^Failed to load meetings/)).toBeInTheDocument();
    server.use(
      http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    );
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('No Meetings Available')).toBeInTheDocument();
  });

  it('says what the name of a test person means', async () => {
    await renderApp('/voting', { as: { ...voter, name: 'TEST_Vera' } });
    expect(
      await screen.findByRole('heading', { name: 'Your name marks you as test data' }),
    ).toBeInTheDocument();
  });

  it('is left by logging out, and nothing of the votes stays on the device', async () => {
    server.use(http.post('/auth/logout', ({ response }) => response(200).json({ success: true })));
    voteNotes.add('m1', { id: 'q1', text: 'x', type: 'TEXT', userAnswers: ['x'], answeredAt: 'now' });
    const { user, location } = await renderApp('/voting', { as: voter });
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await waitFor(() => expect(location()).toBe('/participant'));
    expect(localStorage.length).toBe(0);
  });

  it('keeps nothing of a voter for the next one who signs in, except a vote that is not delivered', async () => {
    keepNotesOf(voter);
    undeliveredBallotNote.save(MEETING_ID, keptBallot);
    localStorage.setItem(heldKey(MEETING_ID), JSON.stringify({ userId: voter.id }));
    ballotDraftNote.save(MEETING_ID, keptBallot);
    voteNotes.add(MEETING_ID, { id: 'q1', text: 'x', type: 'TEXT', userAnswers: ['x'], answeredAt: 'now' });
    keepNotesOf(voter);
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).not.toBeNull();

    const next = { ...voter, id: 'somebody-else' };
    letIn(next);
    const { user } = await renderApp('/participant/login/riverside');
    expect(await screen.findByText(/A vote on this device is not yet delivered/)).toBeInTheDocument();
    await user.type(await screen.findByLabelText('Username'), 'vera');
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.click(screen.getByRole('button', { name: 'Sign In' }));
    await screen.findByRole('heading', { name: 'Your Meetings' });
    expect(screen.queryByText(/not yet delivered/i)).not.toBeInTheDocument();
    expect(undeliveredBallotNote.isKept(voter.id)).toBe(false);
    expect(undeliveredBallotNote.isKept(next.id)).toBe(false);
    expect(ballotDraftNote.read(MEETING_ID, voter.id)).toBeNull();
    expect(voteNotes.answered(MEETING_ID)).toEqual([]);

    // Both may vote in the same meeting, and log out.
    undeliveredBallotNote.save(MEETING_ID, { ...keptBallot, userId: next.id, answers: ['No'] });
    forgetVoter();
    keepNotesOf(voter);
    expect(undeliveredBallotNote.read(MEETING_ID, voter.id)).toMatchObject(keptBallot);
    expect(undeliveredBallotNote.isHeld(MEETING_ID, voter.id)).toBe(true);
    expect(undeliveredBallotNote.isKept(next.id)).toBe(false);
  });
});

describe('a vote that somebody has left on a shared device', () => {
  const DAY_MS = 86_400_000;
  const others = { ...voter, id: 'somebody-else' };

  afterEach(() => vi.useRealTimers());

  it('is kept for three days', () => {
    vi.useFakeTimers();
    keepNotesOf(voter);
    undeliveredBallotNote.save(MEETING_ID, keptBallot);
    keepNotesOf(others);
    vi.setSystemTime(Date.now() + 3 * DAY_MS - 1_000);
    keepNotesOf(others);
    expect(undeliveredBallotNote.isAnyKept()).toBe(true);
    vi.setSystemTime(Date.now() + 2_000);
    keepNotesOf(others);
    expect(undeliveredBallotNote.isAnyKept()).toBe(false);
  });

  it('is given up for the votes of twenty people after it', () => {
    vi.useFakeTimers();
    for (let person = 0; person <= 21; person += 1) {
      keepNotesOf({ ...voter, id: `p${person}` });
      undeliveredBallotNote.save(MEETING_ID, { ...keptBallot, userId: `p${person}` });
      vi.setSystemTime(Date.now() + 1_000);
    }
    const kept = Object.keys(localStorage).filter((key) => key.includes('undeliveredBallot_'));
    // With the one of the last person, who is signed in.
    expect(kept).toHaveLength(21);
    keepNotesOf({ ...voter, id: 'p0' });
    expect(undeliveredBallotNote.isKept('p0')).toBe(false);
    keepNotesOf({ ...voter, id: 'p2' });
    expect(undeliveredBallotNote.isKept('p2')).toBe(true);
  });
});
