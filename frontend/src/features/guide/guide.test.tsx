import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Meeting } from '../../api/types';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import { sampleMeeting } from '../../test/samples';
import { http, server } from '../../test/server';
import { nextMeeting } from './next-meeting';
import { emptyQuickVote, toQuickMeeting } from './quick-vote-body';

const given = {} as { meetings: Meeting[]; people: number; isRehearsed: boolean };

const SILENT = { answered: 0, silent: 0, absent: 0, neverSignedIn: 0 };

beforeEach(() => {
  given.meetings = [];
  given.people = 0;
  given.isRehearsed = false;
  server.use(
    http.get('/client/activity', ({ response }) => response(200).json({ success: true, data: [] })),
    http.get('/client/meetings', ({ response }) => response(200).json(given.meetings)),
    http.get('/client/end-users/stats', ({ response }) =>
      response(200).json({
        success: true,
        data: { total: given.people, active: given.people, inactive: 0, totalWeight: given.people },
      }),
    ),
    http.get('/client/meetings/{meetingId}/rehearsal', () =>
      Response.json({ rehearsal: given.isRehearsed ? { id: 'h1' } : null, counts: SILENT, data: [] }),
    ),
  );
});

async function openSteps() {
  await renderApp('/client', { as: clientAdmin });
  return within(await screen.findByRole('region', { name: 'Your first meeting' }));
}

describe('the path to the first meeting', () => {
  it('leads to the first step, and to the later ones once there is a meeting', async () => {
    const steps = await openSteps();
    expect(steps.getAllByRole('listitem')).toHaveLength(5);
    expect(steps.getByRole('link', { name: 'Add people' })).toHaveAttribute('aria-current', 'step');
    expect(steps.getByRole('link', { name: 'Plan a meeting' })).toHaveAttribute(
      'href',
      '/client/meetings?create=1',
    );
    expect(steps.queryByRole('link', { name: 'Write the questions' })).not.toBeInTheDocument();
  });

  it('ticks what is there', async () => {
    given.people = 3;
    given.isRehearsed = true;
    given.meetings = [sampleMeeting({ id: 'm1', status: 'DRAFT', questionCount: 2 })];
    const steps = await openSteps();
    expect(steps.getAllByText('(done)')).toHaveLength(4);
    const live = steps.getByRole('link', { name: 'Go live' });
    expect(live).toHaveAttribute('href', '/client/meetings/m1/control');
    expect(live).toHaveAttribute('aria-current', 'step');
  });

  it('is not finished by test data', async () => {
    given.meetings = [sampleMeeting({ isTest: true, startedAt: '2026-11-21T17:00:00Z' })];
    const steps = await openSteps();
    expect(steps.queryByText('(done)')).not.toBeInTheDocument();
  });
});

it('later shows the next meeting, its state and what it lacks', async () => {
  given.people = 3;
  given.meetings = [
    sampleMeeting({ id: 'm0', status: 'COMPLETED', startedAt: '2026-11-01T17:00:00Z' }),
    sampleMeeting({ id: 'm1', status: 'SCHEDULED', title: 'Budget meeting', questionCount: 0 }),
  ];
  await renderApp('/client', { as: clientAdmin });
  const card = within(await screen.findByRole('region', { name: 'Next meeting' }));
  expect(card.getByText('Budget meeting')).toBeInTheDocument();
  const missing = within(card.getByRole('list', { name: 'Still missing' }));
  expect(missing.getByRole('link', { name: 'Write the questions' })).toHaveAttribute(
    'href',
    '/client/meetings/m1/questions',
  );
  expect(missing.getByRole('link', { name: 'Rehearse' })).toHaveAttribute(
    'href',
    '/client/meetings/m1/readiness',
  );
  expect(missing.queryByRole('link', { name: 'Add people' })).not.toBeInTheDocument();
});

it('prefers a running meeting, then the nearest one ahead, then the last one that was missed', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const at = (id: string, day: string, status: Meeting['status']) =>
    sampleMeeting({
      id,
      status,
      scheduledStartTime: `2026-11-${day}T17:00:00Z`,
      scheduledEndTime: `2026-11-${day}T20:00:00Z`,
    });
  const missed = at('missed', '10', 'SCHEDULED');
  const near = at('near', '22', 'DRAFT');
  const far = at('far', '28', 'SCHEDULED');
  const running = at('running', '20', 'ACTIVE');
  const over = at('over', '21', 'COMPLETED');
  expect(nextMeeting([far, over, near, missed, running], now)?.id).toBe('running');
  expect(nextMeeting([far, over, near, missed], now)?.id).toBe('near');
  expect(nextMeeting([over, missed], now)?.id).toBe('missed');
  expect(nextMeeting([over], now)).toBeNull();
});

describe('a quick vote', () => {
  beforeEach(() => {
    given.people = 3;
  });

  async function openForm() {
    const app = await renderApp('/client', { as: clientAdmin });
    await app.user.click(await screen.findByRole('link', { name: 'Quick Vote' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Quick Vote' }));
    return { ...app, dialog };
  }

  it('creates a running meeting with its question, opens it, and leads to the control view', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('/client/meetings', async ({ request, response }) => {
        sent.push(await request.json());
        return response(201).json(sampleMeeting({ id: 'm9', status: 'ACTIVE' }));
      }),
      http.get('/client/questions/meeting/{meetingId}', () => Response.json([{ id: 'q9' }])),
      http.put('/client/meetings/{meetingId}/current-question', async ({ request, params }) => {
        sent.push(params.meetingId, await request.json());
        return Response.json({});
      }),
    );
    const { user, dialog, location } = await openForm();
    await user.type(dialog.getByLabelText(/^Question/), 'Shall we take a break?');
    await user.click(dialog.getByRole('button', { name: 'Open Voting' }));
    await waitFor(() => expect(location()).toBe('/client/meetings/m9/control'));
    expect(sent).toEqual([
      expect.objectContaining({
        title: 'Shall we take a break?',
        status: 'ACTIVE',
        questions: [
          expect.objectContaining({
            questionType: 'YES_NO',
            options: ['Yes', 'No'],
            decisionRule: expect.objectContaining({ kind: 'majority' }),
          }),
        ],
      }),
      'm9',
      { questionId: 'q9' },
    ]);
    expect(screen.queryByRole('dialog', { name: 'Discard your changes?' })).not.toBeInTheDocument();
  });

  it('has a title with plain blanks only, whatever blanks its question has', () => {
    const titleOf = (questionText: string) => toQuickMeeting({ ...emptyQuickVote, questionText }, 0).title;
    expect(titleOf('Item 4:\tapprove the  budget?\nOf 2027.')).toBe('Item 4: approve the budget?');
    expect(titleOf('Approve the budget?\u2028Of 2027.')).toBe('Approve the budget?');
    expect(titleOf('Approve the budget?\r\nOf 2027.')).toBe('Approve the budget?');
  });

  it('shows at the question what the server refuses of the title', async () => {
    const error = 'Must not contain a bell.';
    server.use(
      http.post('/client/meetings', ({ response }) =>
        response.untyped(
          HttpResponse.json({ error: 'Validation failed', fields: { title: [error] } }, { status: 422 }),
        ),
      ),
    );
    const { user, dialog } = await openForm();
    await user.type(dialog.getByLabelText(/^Question/), 'Ring?');
    await user.click(dialog.getByRole('button', { name: 'Open Voting' }));
    await waitFor(() =>
      expect(dialog.getByLabelText(/^Question/)).toHaveAccessibleDescription(expect.stringContaining(error)),
    );
    expect(dialog.getByText('Please check the marked fields.')).toBeInTheDocument();
  });

  it('leads to the meeting as well if only the opening fails, and says so', async () => {
    server.use(
      http.post('/client/meetings', ({ response }) =>
        response(201).json(sampleMeeting({ id: 'm9', status: 'ACTIVE' })),
      ),
      http.get('/client/questions/meeting/{meetingId}', () => Response.json([{ id: 'q9' }])),
      http.put('/client/meetings/{meetingId}/current-question', () => Response.error()),
    );
    const { user, dialog, location } = await openForm();
    await user.type(dialog.getByLabelText(/^Question/), 'Shall we take a break?');
    await user.click(dialog.getByRole('button', { name: 'Open Voting' }));
    await waitFor(() => expect(location()).toBe('/client/meetings/m9/control'));
    expect(screen.getByText(/its voting did not open/)).toBeInTheDocument();
  });

  it('wants a question, and two different options for a choice', async () => {
    const { user, dialog } = await openForm();
    await user.selectOptions(dialog.getByLabelText('Answers'), 'Multiple choice');
    await user.type(dialog.getByLabelText(/^Options/), 'Red');
    await user.click(dialog.getByRole('button', { name: 'Open Voting' }));
    expect(dialog.getByLabelText(/^Question/)).toBeInvalid();
    expect(dialog.getByText('Please provide at least 2 options')).toBeInTheDocument();
  });

  it('says that nobody could vote', async () => {
    given.people = 0;
    const { dialog } = await openForm();
    expect(await dialog.findByText(/there are no active end users/)).toBeInTheDocument();
  });
});
