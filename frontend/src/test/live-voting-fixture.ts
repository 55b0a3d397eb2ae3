import { act, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import type { VoterMeeting, VoterResult } from '../api/types';
import type { LiveState } from '../shared/live/live-events';
import { FakeEventSource, installFakeEventSource } from './fake-event-source';
import { type liveQuestion, liveState, MEETING_ID, timed } from './live-samples';
import { voter } from './people';
import { renderApp } from './render-app';
import { http, server } from './server';
import { voterMeeting, voterQuestion } from './voter-samples';

/** The initial data of each test, reset before each one. */
export const given = {} as {
  meeting: VoterMeeting;
  live: LiveState;
  results: VoterResult[];
};

installFakeEventSource();

export const VOTE = '/voting/meetings/{meetingId}/questions/{questionId}/vote';

/** The answers of each ballot that arrived. */
export function acceptVotes(): string[][] {
  const received: string[][] = [];
  server.use(
    http.post(VOTE, async ({ request, response }) => {
      const { answers: sent } = await request.json();
      const answers = sent ?? [];
      received.push(answers);
      given.meeting = {
        ...given.meeting,
        questions: [voterQuestion({ hasVoted: true, userVote: answers, votedAt: '2026-11-21T13:00:05Z' })],
      };
      return response(201).json({
        success: true,
        vote: { id: 'v1', answers, castAt: '2026-11-21T13:00:05Z', receipt: null },
      });
    }),
  );
  return received;
}

export async function join(state: Partial<LiveState> = {}) {
  const app = await renderApp(`/voting/meeting/${MEETING_ID}`, { as: voter });
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(0));
  given.live = liveState(state);
  send('connected', given.live, given.live.version);
  return app;
}

/** Goes back to the page of the meeting, whose stream begins with the present state. */
export async function reopen(goBack: () => Promise<void>) {
  const streams = FakeEventSource.all.length;
  await goBack();
  await waitFor(() => expect(FakeEventSource.all.length).toBeGreaterThan(streams));
  send('connected', given.live, given.live.version);
}

export function send(type: string, data: unknown, version: number) {
  act(() => FakeEventSource.latest.send(type, data, version));
}

export function activate(question: ReturnType<typeof liveQuestion>, version: number) {
  given.live = { ...given.live, version, currentQuestion: question };
  send('question_activated', { ...question, voteCount: 0, registerSize: 10, step: version }, version);
}

export const submitButton = () => screen.findByRole('button', { name: /^Submit Vote/ });

export function arrangeVoting() {
  given.meeting = voterMeeting();
  given.live = liveState();
  given.results = [];
  server.use(
    http.get('/voting/meetings/{meetingId}', ({ response }) =>
      response(200).json({ success: true, meeting: given.meeting }),
    ),
    http.get('/voting/meetings/{meetingId}/results', ({ response }) => response(200).json(given.results)),
    http.get('/sse/meetings/{meetingId}/state', ({ response }) => response(200).json(timed(given.live))),
  );
}
