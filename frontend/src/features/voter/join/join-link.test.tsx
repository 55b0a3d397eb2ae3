import { act, screen, waitFor } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JoinView } from '../../../api/types';
import { undeliveredBallotNote } from '../../../shared/storage';
import { installFakeEventSource } from '../../../test/fake-event-source';
import { liveState, MEETING_ID, timed } from '../../../test/live-samples';
import { voter } from '../../../test/people';
import { renderApp } from '../../../test/render-app';
import { http, server } from '../../../test/server';
import { voterMeeting } from '../../../test/voter-samples';

installFakeEventSource();

const TOKEN = 'Jh3vN0q8wXk2ZcP5tL9yRbA7mD4sF1gE6uHoKiVnWxY';
const owner: JoinView = {
  name: 'Vera Lind',
  organization: 'Riverside Housing Cooperative',
  clientCode: 'riverside',
  meetingId: MEETING_ID,
  meetingTitle: 'Annual General Meeting',
  asks: 'NOTHING',
  codeTo: null,
};
const gone = () =>
  HttpResponse.json({ code: 'join_link_void', error: 'this personal link no longer works' }, { status: 404 });
const yes = () => screen.findByRole('button', { name: "Yes, that's me" });

/** The bodies of all sign-ins. */
let sent: unknown[];

function serve(link: JoinView) {
  server.use(
    http.post('/auth/join/look-up', async ({ request, response }) =>
      (await request.json()).token === TOKEN ? response(200).json(link) : response.untyped(gone()),
    ),
    http.post('/auth/join', async ({ request, response }) => {
      const body = await request.json();
      sent.push(body);
      return body.password === 'wrong'
        ? response.untyped(
            HttpResponse.json(
              { code: 'invalid_credentials', error: 'The password is wrong' },
              { status: 401 },
            ),
          )
        : response(200).json({
            token: 'access',
            refreshToken: 'refresh',
            deviceToken: 'device',
            user: voter,
          });
    }),
  );
}

function open(token = TOKEN) {
  window.location.hash = `#${token}`;
  return renderApp('/join');
}

beforeEach(() => {
  sent = [];
  server.use(
    http.get('/voting/meetings', ({ response }) => response(200).json({ success: true, meetings: [] })),
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({ success: true, meeting: voterMeeting({ organization: owner.organization }) }),
    ),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(liveState()))),
  );
});

afterEach(() => {
  vi.useRealTimers();
});

describe('a personal link', () => {
  it('leads to the meeting with one tap, and leaves the address bar at once', async () => {
    serve(owner);
    const { user, location } = await open();
    expect(await screen.findByRole('heading', { name: 'You are Vera Lind?' })).toBeInTheDocument();
    expect(window.location.hash).toBe('');
    expect(screen.getByText(/Annual General Meeting/)).toBeInTheDocument();
    expect(screen.queryByLabelText('Password')).not.toBeInTheDocument();
    await user.click(await yes());
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
    expect(sent).toEqual([expect.objectContaining({ token: TOKEN })]);
  });

  it('gives way to that of the next person in the same tab, with nothing left of the first', async () => {
    const second = TOKEN.replaceAll('J', 'K');
    serve({ ...owner, asks: 'PASSWORD' });
    const { user } = await open();
    await user.click(await yes());
    expect(screen.getByText('Please enter your password')).toBeInTheDocument();
    server.use(
      http.post('/auth/join/look-up', async ({ request, response }) =>
        (await request.json()).token === second
          ? response(200).json({ ...owner, name: 'Ben Birch', asks: 'PASSWORD' })
          : response.untyped(gone()),
      ),
    );
    act(() => {
      window.location.hash = `#${second}`;
    });
    expect(await screen.findByRole('heading', { name: 'You are Ben Birch?' })).toBeInTheDocument();
    expect(screen.queryByText('Please enter your password')).not.toBeInTheDocument();
    expect(window.location.hash).toBe('');
    await user.type(screen.getByLabelText('Password'), 'right');
    await user.click(await yes());
    await waitFor(() => expect(sent).toEqual([expect.objectContaining({ token: second })]));
  });

  it('says that a vote of somebody else on the device is kept', async () => {
    const kept = { questionId: 'q1', roundId: 'r1', text: 'Roof?', type: 'TEXT' as const, orderIndex: 1 };
    undeliveredBallotNote.save(MEETING_ID, { ...kept, userId: 'somebody-else', answers: ['Yes'] });
    serve(owner);
    await open();
    await yes();
    expect(
      screen.getByText(/^A vote on this device is not yet delivered\. It will be sent/),
    ).toBeInTheDocument();
  });

  it('leads to the list of meetings if it is for none', async () => {
    serve({ ...owner, meetingId: null, meetingTitle: null });
    const { user, location } = await open();
    await user.click(await yes());
    await waitFor(() => expect(location()).toBe('/voting'));
  });

  it('signs nobody in who says no, and offers the ordinary sign-in', async () => {
    serve(owner);
    const { user } = await open();
    await user.click(await screen.findByRole('button', { name: 'No' }));
    expect(screen.getByRole('heading', { name: 'This link belongs to Vera Lind' })).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Sign in with username and password' })).toHaveAttribute(
      'href',
      '/participant/login/riverside',
    );
    expect(sent).toEqual([]);
  });

  it('asks for the password if the organization wants it', async () => {
    serve({ ...owner, asks: 'PASSWORD' });
    const { user, location } = await open();
    await user.click(await yes());
    expect(screen.getByText('Please enter your password')).toBeInTheDocument();
    await user.type(screen.getByLabelText('Password'), 'wrong');
    await user.click(await yes());
    expect(await screen.findByText('The password is wrong')).toBeInTheDocument();
    await user.clear(screen.getByLabelText('Password'));
    await user.type(screen.getByLabelText('Password'), 'right');
    await user.click(await yes());
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
  });

  it('says what to do when it does not work', async () => {
    serve(owner);
    await open('made-up');
    expect(
      await screen.findByRole('heading', { name: 'This personal link no longer works' }),
    ).toBeInTheDocument();
    expect(screen.getByText(/ask your organizer for a new link/)).toBeInTheDocument();
  });

  it('says so when somebody else has used it up', async () => {
    serve(owner);
    server.use(http.post('/auth/join', ({ response }) => response.untyped(gone())));
    const { user } = await open();
    await user.click(await yes());
    expect(
      await screen.findByRole('heading', { name: 'This personal link no longer works' }),
    ).toBeInTheDocument();
  });

  it('signs in by the same id after a lost response, which used the link up', async () => {
    serve(owner);
    let attemptId: unknown = null;
    server.use(
      http.post('/auth/join', async ({ request, response }) => {
        const body = await request.json();
        sent.push(body);
        if (attemptId === null) {
          attemptId = body.attemptId;
          return response.untyped(HttpResponse.error());
        }
        return body.attemptId === attemptId
          ? response(200).json({
              token: 'access',
              refreshToken: 'refresh',
              deviceToken: 'device',
              user: voter,
            })
          : response.untyped(gone());
      }),
    );
    const { user, location } = await open();
    await user.click(await yes());
    expect(await screen.findByRole('alert')).toBeInTheDocument();
    await user.click(await yes());
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
    expect(attemptId).toMatch(/^[0-9a-f-]{36}$/);
    expect(sent).toHaveLength(2);
  });

  it('asks for the code that is mailed to the owner', async () => {
    serve({ ...owner, asks: 'EMAIL_CODE', codeTo: 'v…@example.org' });
    const requested: unknown[] = [];
    server.use(
      http.post('/auth/join/code', async ({ request, response }) => {
        requested.push(await request.json());
        return response(202).json({ success: true });
      }),
      http.post('/auth/join', async ({ request, response }) => {
        const body = await request.json();
        sent.push(body);
        return body.code === '123456'
          ? response(200).json({
              token: 'access',
              refreshToken: 'refresh',
              deviceToken: 'device',
              user: voter,
            })
          : response.untyped(
              HttpResponse.json(
                { code: 'wrong_join_code', error: 'this code is wrong or too old; request a new one' },
                { status: 401 },
              ),
            );
      }),
    );
    const { user, location } = await open();
    await user.click(await yes());
    const code = await screen.findByLabelText('Code');
    expect(requested).toEqual([{ token: TOKEN }]);
    expect(screen.getByText(/v…@example\.org/)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: /^Send another code in/ })).toBeDisabled();
    const submit = screen.getByRole('button', { name: 'Sign in' });
    await user.click(submit);
    expect(screen.getByText('Please enter the code')).toBeInTheDocument();
    expect(sent).toEqual([]);
    await user.type(code, '654321');
    await user.click(submit);
    expect(await screen.findByText(/This code is wrong or too old/i)).toBeInTheDocument();
    await user.clear(code);
    await user.type(code, '123 456');
    await user.click(submit);
    await waitFor(() => expect(location()).toBe(`/voting/meeting/${MEETING_ID}`));
    expect(sent).toMatchObject([
      { token: TOKEN, code: '654321' },
      { token: TOKEN, code: '123456' },
    ]);
  });

  it('keeps the code step while its owner reads the mail, also over a network that fails meanwhile', async () => {
    serve({ ...owner, asks: 'EMAIL_CODE', codeTo: 'v…@example.org' });
    server.use(http.post('/auth/join/code', ({ response }) => response(202).json({ success: true })));
    const { user } = await open();
    await user.click(await yes());
    await user.type(await screen.findByLabelText('Code'), '123');
    let lookUps = 0;
    server.use(
      http.post('/auth/join/look-up', ({ response }) => {
        lookUps += 1;
        return response.untyped(HttpResponse.error());
      }),
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    await act(async () => {
      window.dispatchEvent(new Event('visibilitychange'));
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    expect(screen.getByLabelText('Code')).toHaveValue('123');
    expect(lookUps).toBe(0);
  });
});
