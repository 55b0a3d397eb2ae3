import { act, screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PresentationState } from '../../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from '../../test/fake-event-source';
import { MEETING_ID, presentationState } from '../../test/live-samples';
import { renderApp } from '../../test/render-app';
import { http, server } from '../../test/server';

installFakeEventSource();

const question: NonNullable<PresentationState['currentQuestion']> = {
  questionText: 'Shall the accounts be approved?',
  questionType: 'YES_NO',
  options: ['Yes', 'No', 'Abstain'],
  ratingMax: null,
  maxChoices: null,
  isOpen: true,
  orderIndex: 2,
  openedAt: null,
};

beforeEach(() => {
  server.use(
    http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
      response(200).json(presentationState()),
    ),
  );
});

async function show(state: Partial<PresentationState>) {
  await renderApp(`/presentation/meeting/${MEETING_ID}`);
  await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
  act(() => FakeEventSource.latest.send('connected', presentationState(state), 10));
}

describe('the big screen', () => {
  it('needs no token', async () => {
    await show({});
    expect(FakeEventSource.latest.url).toMatch(
      new RegExp(`/api/public/meetings/${MEETING_ID}/presentation/stream$`),
    );
  });

  it.each([
    [{ status: 'COMPLETED' }, 'Meeting Completed', 'Thank you for participating!'],
    [{ status: 'SCHEDULED' }, 'Meeting Not Active', 'Please wait for the moderator to start the meeting'],
    [{ status: 'ACTIVE' }, 'Waiting for Question', 'The moderator will start the next question shortly'],
  ] as const)('says what the hall waits for: %o', async (state, title, text) => {
    await show(state);
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument();
    expect(screen.getByText(text)).toBeInTheDocument();
  });

  it('shows the question with lettered options and counts the votes', async () => {
    await show({ currentQuestion: question, voteCount: 131, registerSize: 180, participantCount: 164 });
    expect(await screen.findByRole('heading', { name: question.questionText })).toBeInTheDocument();
    expect(screen.getByText('Yes/No Question')).toBeInTheDocument();
    const options = within(screen.getByRole('list')).getAllByRole('listitem');
    expect(options.map((option) => option.textContent)).toEqual(['AYes', 'BNo', 'CAbstain']);
    expect(screen.getByText('164 participants')).toBeInTheDocument();
    expect(screen.getByText('131 of 180').parentElement).toHaveTextContent('131 of 180 votes received');

    act(() => FakeEventSource.latest.send('vote_count', { voteCount: 132, registerSize: 180 }, 11));
    expect(screen.getByText('132 of 180')).toBeInTheDocument();
  });

  it('tells open from shown by more than colour', async () => {
    await show({ currentQuestion: { ...question, isOpen: false } });
    expect(await screen.findByText('Voting is not open')).toBeInTheDocument();
    expect(screen.queryByText(/votes received/)).not.toBeInTheDocument();
    act(() =>
      FakeEventSource.latest.send(
        'question_activated',
        presentationState({ version: 11, currentQuestion: question, registerSize: 180 }),
        11,
      ),
    );
    expect(screen.getByText('Voting is open')).toBeInTheDocument();
    expect(screen.getByText('0 of 180')).toBeInTheDocument();
  });

  it.each([
    [{ questionType: 'RATING', ratingMax: 10 }, 'Rating (1-10)', 'Rate from 1 to 10'],
    [{ questionType: 'RATING', ratingMax: 5 }, 'Rating (1-5)', 'Rate from 1 to 5'],
    [{ questionType: 'OPEN_TEXT' }, 'Open Text', 'Provide your text response'],
    [{ questionType: 'PERCENTAGE' }, 'Percentage', 'Enter percentage (0-100%)'],
  ] as const)('hints at the answer: %o', async (change, label, hint) => {
    await show({ currentQuestion: { ...question, options: [], ...change } });
    expect(await screen.findByText(hint)).toBeInTheDocument();
    expect(screen.getByText(label)).toBeInTheDocument();
  });

  it('shows big tiles for a yes/no question without options', async () => {
    await show({ currentQuestion: { ...question, options: [] } });
    expect(await screen.findByText('YES')).toBeInTheDocument();
    expect(screen.getByText('NO')).toBeInTheDocument();
  });

  it('tells how to join', async () => {
    await show({});
    expect(await screen.findByText('plenum.test/participant')).toBeInTheDocument();
    expect(screen.getByText('RIVERSIDE')).toBeInTheDocument();
    expect(
      screen.getByRole('img', { name: 'QR code of http://plenum.test/participant/login/riverside' }),
    ).toBeInTheDocument();
  });

  it('keeps the last state with its age when the server is gone', async () => {
    await show({ currentQuestion: question, registerSize: 180 });
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    act(() => FakeEventSource.latest.break());
    expect(await screen.findByText(/No connection, last update \d+ seconds? ago/)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: question.questionText })).toBeInTheDocument();
  });

  it('says when there is no such meeting', async () => {
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.json({ error: 'x', code: 'meeting_not_found' }, { status: 404 })),
      ),
    );
    await renderApp(`/presentation/meeting/${MEETING_ID}`);
    await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
    act(() => FakeEventSource.latest.break());
    expect(await screen.findByRole('heading', { name: 'Error' }, { timeout: 3_000 })).toBeInTheDocument();
    expect(screen.getByText('Meeting not found')).toBeInTheDocument();
  });

  it('says when the data could not be loaded', async () => {
    server.use(
      http.get('/public/meetings/{meetingId}/presentation', ({ response }) =>
        response.untyped(HttpResponse.error()),
      ),
    );
    await renderApp(`/presentation/meeting/${MEETING_ID}`);
    await waitFor(() => expect(FakeEventSource.all).toHaveLength(1));
    act(() => FakeEventSource.latest.break());
    expect(
      await screen.findByText('Failed to load meeting data', {}, { timeout: 3_000 }),
    ).toBeInTheDocument();
  });
});
