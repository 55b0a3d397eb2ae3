import { screen, waitFor, within } from '@testing-library/react';
import { delay, HttpResponse } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { MeetingResults, Remark } from '../../api/types';
import { catchDownloads } from '../../test/catch-downloads';
import { clientAdmin } from '../../test/people';
import { renderApp } from '../../test/render-app';
import {
  sampleLogEntry,
  sampleMeetingResults,
  sampleRemark,
  sampleResult,
  weighted,
} from '../../test/result-samples';
import { sampleMeeting, sampleWeightKind } from '../../test/samples';
import { http, server } from '../../test/server';

let results: MeetingResults;
let remarks: Remark[];

beforeEach(() => {
  results = sampleMeetingResults();
  remarks = [];
  // Charts need a layout, which jsdom does not have. So none is ever rendered.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  server.use(
    http.get('/client/meetings/{meetingId}/results', ({ response }) => response(200).json(results)),
    http.get('/client/meetings/{meetingId}/remarks', ({ response }) => response(200).json(remarks)),
    http.get('/client/meetings/{meetingId}/rounds/{roundId}/answers', ({ response }) =>
      response(200).json({ data: [], meta: { page: 1, pageSize: 50, total: 0 } }),
    ),
  );
});

async function openPage() {
  const app = await renderApp('/client/meetings/m1/results', { as: clientAdmin });
  await screen.findByText('Annual general meeting');
  return app;
}

const cells = (row: HTMLElement) => within(row).getAllByRole('cell');

describe('a record', () => {
  const record = {
    hash: '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
    key: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    recordedAt: '2026-11-21T18:10:02Z',
    isRecordedLater: true,
    timestamp: { authority: 'Example Timestamps', at: '2026-11-21T18:10:04Z' },
  };

  it('stands beside its declared result, with the key that signed it', async () => {
    results.rounds = [sampleResult({ record })];
    await openPage();
    const facts = screen.getByText(/^5df6 e0e2 .* 4c94 56|^5df6 e0e2/);
    expect(facts).toHaveTextContent('signed with the key 2c26 b46b 68ff c68f f99b');
    expect(facts).toHaveTextContent('recorded later');
    expect(facts).toHaveTextContent('Timestamped by Example Timestamps at');
  });

  it('that is damaged is named, and nothing of its result is shown', async () => {
    results.rounds = [];
    results.damaged = [{ roundId: 'r9', position: 2, number: 1, damage: 'its record is missing' }];
    await openPage();
    expect(
      screen.getByText(/^1 declared result is not shown.*question 2, round 1 \(its record is missing\)/),
    ).toBeVisible();
  });
});

describe('a result', () => {
  it('names the kinds of weight that were counted', async () => {
    const result = weighted();
    const checks = result.arithmetic.checks.map((check) => ({ ...check, unit: 'second_weight' as const }));
    results.rounds = [{ ...result, arithmetic: { ...result.arithmetic, checks } }];
    await openPage();
    expect(screen.getByText(/^Yes: 120 of 164 \(yes and no, by Capital\)/)).toBeVisible();
    expect(screen.getByText(/^172, Floor area 193 m² \(/)).toBeVisible();
    expect(screen.getByRole('table', { name: 'Votes, in Capital' })).toBeVisible();
  });

  it('has its verdict, its arithmetic and every figure as the server gives them', async () => {
    results.rounds = [
      sampleResult({
        votesCast: { heads: 1164, weight: 1183.2501 },
        quorum: {
          comparison: 'at_least',
          numerator: 1,
          denominator: 2,
          unit: 'heads',
          attendance: 'present',
        },
        arithmetic: {
          ...sampleResult().arithmetic,
          quorum: {
            quorum: {
              comparison: 'at_least',
              numerator: 1,
              denominator: 2,
              unit: 'heads',
              attendance: 'present',
            },
            attending: 172,
            register: 180,
            percent: 95.56,
            needed: { amount: 90, isEnough: true, isRoundedUp: false },
            isMet: true,
            sentence: 'Quorum met: 172 of 180 in the register by heads were present, 95.56 %',
          },
        },
      }),
    ];
    await openPage();
    const question = within(screen.getByRole('region', { name: '1. Do you approve the budget?' }));
    expect(question.getByText('Accepted')).toBeInTheDocument();
    expect(
      question.getByText('120 of 164 votes were yes; more than half was needed. Accepted.'),
    ).toBeInTheDocument();
    expect(question.getByText('Quorum met: 172 present, 90 needed.')).toBeInTheDocument();
    expect(question.getByText('Present: connected at opening, or voted.')).toBeInTheDocument();
    expect(question.getByText('172, weight 193 (connected at opening, or voted)')).toBeInTheDocument();
    expect(
      question.getByText(
        'Yes: 120 of 164 (yes and no, by heads), 73.17 %. More than 1/2, that is at least 83, were needed.',
      ),
    ).toBeInTheDocument();
    expect(question.getByText('More than 1/2 of yes and no, by heads. A tie rejects.')).toBeInTheDocument();
    const row = (name: RegExp) => cells(question.getByRole('row', { name })).map((cell) => cell.textContent);
    expect(row(/^Yes/)).toEqual(['120, 73\u00a0%', '140.5, 77\u00a0%']);
    expect(row(/^Votes cast/)).toEqual(['1,164', '1,183.2501']);
    expect(row(/^Invalid/)).toEqual(['0', '0']);
    expect(row(/^Not voted/)).toEqual(['16', '18.25']);
    expect(row(/^Register/)).toEqual(['180', '201.5']);
    expect(question.getByText('more than half')).toBeInTheDocument();
    expect(question.getByText('Percentages are of the yes and no votes.')).toBeInTheDocument();
  });

  it('says when and by whom it was declared, or that it is not', async () => {
    results.rounds = [
      sampleResult({ declared: { at: '2026-11-21T18:10:02Z', by: 'Maria Keller' }, status: 'DECLARED' }),
      sampleResult({
        questionId: 'q2',
        roundId: 'r2',
        position: 2,
        questionText: 'And the rest?',
        secrecy: 'named',
      }),
    ];
    await openPage();
    const first = within(screen.getByRole('region', { name: /^1\./ }));
    expect(first.getByText(/^Declared .* by Maria Keller$/)).toBeInTheDocument();
    expect(first.queryByText('Named vote')).not.toBeInTheDocument();
    const second = within(screen.getByRole('region', { name: /^2\./ }));
    expect(second.getByText('Not declared yet')).toBeInTheDocument();
    expect(second.getByText('The exports show how each person voted.')).toBeInTheDocument();
  });

  it('keeps the earlier rounds of a question in sight, with the reason for the next', async () => {
    results.rounds = [
      sampleResult({
        decision: { outcome: 'rejected', elected: [], tie: null },
        questionText: 'The first words?',
      }),
      sampleResult({ roundId: 'r2', number: 2, reason: 'The microphone failed' }),
    ];
    await openPage();
    const question = within(screen.getByRole('region', { name: '1. Do you approve the budget?' }));
    const rounds = question.getAllByRole('article');
    expect(rounds.map((round) => within(round).getByRole('heading', { level: 3 }).textContent)).toEqual([
      'Round 1',
      'Round 2 – re-vote: The microphone failed',
    ]);
    const [earlier, later] = rounds.map((round) => within(round));
    expect(earlier?.getByText('The first words?')).toBeInTheDocument();
    expect(earlier?.getByText('Rejected')).toBeInTheDocument();
    expect(later?.getByText('Accepted')).toBeInTheDocument();
  });

  it('is the one of the last round, also if the agenda has changed before it', async () => {
    results.rounds = [
      sampleResult({ roundId: 'r2', number: 2, position: 2 }),
      sampleResult({ position: 3, decision: { outcome: 'rejected', elected: [], tie: null } }),
      sampleResult({ roundId: 'r3', questionId: 'q3', position: 3, questionText: 'And the rest?' }),
    ];
    await openPage();
    const overview = within(screen.getByRole('region', { name: 'Overview' }));
    expect(overview.getAllByRole('listitem').map((entry) => entry.textContent)).toEqual([
      expect.stringMatching(/^2Do you approve the budget\?.*Accepted/),
      expect.stringMatching(/^3And the rest\?/),
    ]);
    const question = within(screen.getByRole('region', { name: '2. Do you approve the budget?' }));
    const rounds = question.getAllByRole('article').map((round) => within(round));
    expect(rounds[0]?.getByText('Rejected')).toBeInTheDocument();
    expect(rounds[1]?.getByText('Accepted')).toBeInTheDocument();
  });

  it('marks the elected, and says of the quorum once that it was missed', async () => {
    const missed = 'Quorum missed: 12 of 180 in the register by heads were present, 6.67 %';
    const quorum = {
      comparison: 'at_least',
      numerator: 1,
      denominator: 2,
      unit: 'heads',
      attendance: 'present',
    } as const;
    results.rounds = [
      sampleResult({
        questionType: 'MULTIPLE_CHOICE',
        decisionRule: { kind: 'plurality', unit: 'heads', seats: 1 },
        decision: { outcome: 'elected', elected: ['no'], tie: null },
      }),
      sampleResult({
        questionId: 'q2',
        roundId: 'r2',
        position: 2,
        quorum,
        decision: { outcome: 'quorum_missed', elected: [], tie: null },
        arithmetic: {
          checks: [],
          sentence: missed,
          quorum: {
            quorum,
            attending: 12,
            register: 180,
            percent: 6.67,
            needed: { amount: 90, isEnough: true, isRoundedUp: false },
            isMet: false,
            sentence: missed,
          },
        },
      }),
    ];
    await openPage();
    const election = within(screen.getByRole('region', { name: /^1\./ }));
    expect(election.getByRole('row', { name: /^No.*Elected/ })).toBeInTheDocument();
    expect(election.getByRole('row', { name: /^Yes/ })).not.toHaveTextContent('Elected');
    const second = within(screen.getByRole('region', { name: /^2\./ }));
    expect(second.getByText('Quorum missed')).toBeInTheDocument();
    expect(second.getAllByText('Quorum not met: 12 present, 90 needed.')).toHaveLength(1);
  });

  it('shows who was admitted and excluded, when, why and by whom', async () => {
    const person = { name: 'Ada Young', username: 'ada.young', weight: 1.5 };
    results.rounds = [
      sampleResult({
        log: [
          sampleLogEntry(),
          sampleLogEntry({ kind: 'ADMITTED', person, reason: 'Came late' }),
          sampleLogEntry({ kind: 'PASSWORD_SET', person, reason: 'Lost the letter' }),
          sampleLogEntry({ kind: 'JOINED', person }),
        ],
      }),
    ];
    await openPage();
    expect(
      screen.getByText('Ada Young (ada.young, weight 1.5) admitted by Maria Keller'),
    ).toBeInTheDocument();
    expect(screen.getByText('Came late')).toBeInTheDocument();
    expect(
      screen.getByText('Password of Ada Young (ada.young, weight 1.5) set by Maria Keller'),
    ).toBeInTheDocument();
    expect(screen.getByText('Lost the letter')).toBeInTheDocument();
    expect(
      screen.getByText(
        'Ada Young (ada.young, weight 1.5) joined the register when voting was opened again by Maria Keller',
      ),
    ).toBeInTheDocument();
    expect(screen.queryByText(/Voting opened/)).not.toBeInTheDocument();
  });

  it('of numbers has its averages and every value', async () => {
    const distribution = Array.from({ length: 60 }, (_, value) => ({
      value: value + 0.5,
      heads: 1,
      weight: 1.25,
    }));
    results.rounds = [
      sampleResult({
        questionType: 'PERCENTAGE',
        options: [],
        decisionRule: null,
        numbers: { mean: 29.5001, weightedMean: 30.0625, median: 30, weightedMedian: null, distribution },
      }),
    ];
    const { user } = await openPage();
    expect(screen.getByText('29.5 %', { selector: 'dd' })).toBeInTheDocument();
    expect(screen.getByText('30.1 %', { selector: 'dd' })).toBeInTheDocument();
    const table = within(screen.getByRole('table', { name: /^Votes per answer/ }));
    expect(table.getByRole('row', { name: /^0\.5\s%/ })).toHaveTextContent('1.25');
    expect(table.queryByRole('row', { name: /^59\.5\s%/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Page 2' }));
    expect(table.getByRole('row', { name: /^59\.5\s%/ })).toBeInTheDocument();
  });

  it('of an open question has the answers, searched by the server', async () => {
    const asked: string[] = [];
    server.use(
      http.get('/client/meetings/{meetingId}/rounds/{roundId}/answers', ({ request, response }) => {
        const search = new URL(request.url).searchParams.get('search') ?? '';
        asked.push(search);
        const all = [
          { text: 'More bicycle stands', heads: 3, weight: 3.5 },
          { text: 'A longer break', heads: 1, weight: 1 },
        ];
        const found = all.filter(({ text }) => text.toLowerCase().includes(search));
        return response(200).json({ data: found, meta: { page: 1, pageSize: 50, total: found.length } });
      }),
    );
    results.rounds = [
      sampleResult({ questionType: 'OPEN_TEXT', options: [], decisionRule: null, differentTexts: 2 }),
    ];
    const { user } = await openPage();
    expect(await screen.findByText('2 different answers')).toBeInTheDocument();
    expect(screen.getByText('3 voters, weight 3.5')).toBeInTheDocument();
    await user.type(screen.getByRole('searchbox', { name: 'Search answers' }), 'break');
    expect(await screen.findByText('1 answer found')).toBeInTheDocument();
    expect(screen.queryByText('More bicycle stands')).not.toBeInTheDocument();
    expect(asked).toEqual(['', 'break']);
  });
});

describe('the page', () => {
  it('says that there is nothing yet, and that what is open is not shown', async () => {
    results = sampleMeetingResults({
      rounds: [],
      meeting: { ...results.meeting, status: 'ACTIVE' },
    });
    await openPage();
    expect(screen.getByText('No results yet')).toBeInTheDocument();
    expect(screen.getByText(/after its votes are counted/)).toBeInTheDocument();
  });

  it('leads from the overview to a question', async () => {
    results.rounds = Array.from({ length: 6 }, (_, index) =>
      sampleResult({
        roundId: `r${index}`,
        questionId: `q${index}`,
        position: index + 1,
        questionText: `Motion ${index + 1}`,
      }),
    );
    const { user } = await openPage();
    const overview = within(screen.getByRole('region', { name: 'Overview' }));
    expect(overview.getAllByRole('listitem')).toHaveLength(6);
    // jsdom does not implement it, and the test does not need it.
    Element.prototype.scrollIntoView = () => undefined;
    await user.click(overview.getByRole('button', { name: 'Motion 6' }));
    expect(screen.getByRole('heading', { name: '6. Motion 6' })).toHaveFocus();
  });

  it('has the attendance as a table beside its chart', async () => {
    results.attendance = [
      {
        at: '2026-11-21T18:04:00Z',
        present: { heads: 170, weight: 190.0001 },
        eligible: { heads: 180, weight: 201.5 },
        isQuorate: true,
      },
    ];
    await openPage();
    const table = within(screen.getByRole('table', { name: /^Attendance over time/ }));
    const row = table.getAllByRole('row')[1];
    expect(row && cells(row).map((cell) => cell.textContent)).toEqual([
      '170',
      '190.0001',
      '180',
      '201.5',
      'Met',
    ]);
  });

  it('names check-in where it counted, not connections, and those by proxy', async () => {
    results.rounds = [sampleResult({ presence: 'CHECKED_IN', represented: { heads: 3, weight: 4 } })];
    results.attendance = [
      {
        at: '2026-11-21T18:04:09Z',
        present: { heads: 44, weight: 59 },
        eligible: { heads: 60, weight: 70 },
        isQuorate: true,
      },
    ];
    await openPage();
    expect(await screen.findByText(/ Checked in at opening: 170, weight 190\.$/)).toBeInTheDocument();
    expect(screen.getByText('3, weight 4 (not present, the holder of the proxy was)')).toBeInTheDocument();
    expect(
      screen.getByText('People who were checked in and may vote, over the course of the meeting.'),
    ).toBeInTheDocument();
    expect(screen.queryByText(/onnected/)).not.toBeInTheDocument();
    // Several notes fall into one minute.
    expect(screen.getByRole('rowheader', { name: /:04:09$/ })).toBeInTheDocument();
  });

  it('has the represented people in the attendance where there were some', async () => {
    const count = (heads: number, weight: number) => ({ heads, weight });
    results.attendance = [
      { at: '2026-11-21T18:04:00Z', present: count(8, 10), eligible: count(20, 25), isQuorate: false },
      {
        at: '2026-11-21T18:20:00Z',
        present: count(9, 11),
        represented: count(4, 4.5),
        eligible: count(20, 25),
        isQuorate: true,
      },
    ];
    await openPage();
    const table = await screen.findByRole('table', { name: /^Attendance over time/ });
    expect(within(table).getByRole('columnheader', { name: 'Represented' })).toBeInTheDocument();
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent),
      );
    expect(cells).toEqual([
      ['8', '10', '0', '0', '20', '25', 'Missed'],
      ['9', '11', '4', '4.5', '20', '25', 'Met'],
    ]);
  });

  it('names the kind of weight of the meeting in the attendance', async () => {
    const kind = sampleWeightKind();
    server.use(
      http.get('/client/weight-kinds', ({ response }) => response(200).json({ success: true, data: [kind] })),
      http.get('/client/meetings/{meetingId}', ({ response }) =>
        response(200).json(sampleMeeting({ weightKindId: kind.id })),
      ),
    );
    results.attendance = [
      {
        at: '2026-11-21T18:04:00Z',
        present: { heads: 170, weight: 190.25 },
        eligible: { heads: 180, weight: 201.5 },
        isQuorate: true,
      },
    ];
    await openPage();
    const table = await screen.findByRole('table', {
      name: 'Attendance over time, in heads and in Floor area',
    });
    expect(within(table).getAllByRole('columnheader', { name: 'Floor area (m²)' })).toHaveLength(2);
  });

  it('says that the meeting does not exist', async () => {
    server.use(
      http.get('/client/meetings/{meetingId}/results', ({ response }) =>
        response(404).json({ error: 'x', message: 'x', code: 'meeting_not_found' }),
      ),
    );
    await renderApp('/client/meetings/m1/results', { as: clientAdmin });
    expect(await screen.findByText('Meeting not found')).toBeInTheDocument();
  });

  it('can be asked for again when it could not be loaded', async () => {
    let isDown = true;
    server.use(
      http.get('/client/meetings/{meetingId}/results', ({ response }) =>
        isDown ? HttpResponse.error() : response(200).json(results),
      ),
    );
    const { user } = await renderApp('/client/meetings/m1/results', { as: clientAdmin });
    expect(await screen.findByText('Failed to load results')).toBeInTheDocument();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('region', { name: '1. Do you approve the budget?' })).toBeInTheDocument();
  });
});

describe('the export', () => {
  async function openMenu() {
    const { user } = await openPage();
    await user.click(screen.getByRole('button', { name: 'Export Results' }));
    const menu = within(await screen.findByRole('menu', { name: 'Export Results' }));
    return { user, menu };
  }

  it.each([
    ['Minutes as PDF', 'pdf'],
    ['Excel (XLSX)', 'xlsx'],
    ['CSV', 'csv'],
    ['JSON', 'json'],
  ])(
    'as %s comes under the name that the server gives, in the time zone of this device',
    async (label, format) => {
      const files = catchDownloads();
      const asked: string[] = [];
      server.use(
        http.untyped.get('*/api/client/meetings/:id/results/export', async ({ request }) => {
          asked.push(new URL(request.url).search);
          await delay(20);
          return new HttpResponse('content', {
            headers: { 'Content-Disposition': `attachment; filename="agm-results.${format}"` },
          });
        }),
      );
      const { user, menu } = await openMenu();
      await user.dblClick(menu.getByRole('menuitem', { name: label }));
      expect(await screen.findByText(`Results exported to agm-results.${format}`)).toBeInTheDocument();
      const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
      const origin = encodeURIComponent('http://plenum.test');
      expect(asked).toEqual([`?format=${format}&timeZone=${zone}&publicUrl=${origin}`]);
      expect(files.map(({ name }) => name)).toEqual([`agm-results.${format}`]);
    },
  );

  it('as an archive is one signed file', async () => {
    const files = catchDownloads();
    const asked: string[] = [];
    server.use(
      http.untyped.get('*/api/client/meetings/:id/archive', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new HttpResponse('content', {
          headers: { 'Content-Disposition': 'attachment; filename="agm-archive.json"' },
        });
      }),
    );
    const { user, menu } = await openMenu();
    await user.click(menu.getByRole('menuitem', { name: 'Archive (everything, signed)' }));
    expect(await screen.findByText('Results exported to agm-archive.json')).toBeInTheDocument();
    const zone = encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone);
    expect(asked).toEqual([`?timeZone=${zone}&publicUrl=${encodeURIComponent('http://plenum.test')}`]);
    expect(files.map(({ name }) => name)).toEqual(['agm-archive.json']);
  });

  it('says what went wrong', async () => {
    server.use(http.untyped.get('*/api/client/meetings/:id/results/export', () => HttpResponse.error()));
    const { user, menu } = await openMenu();
    await user.click(menu.getByRole('menuitem', { name: 'CSV' }));
    expect(
      await screen.findByText('Failed to export results: the server could not be reached'),
    ).toBeInTheDocument();
  });
});

describe('remarks and incidents', () => {
  it('are listed, added and deleted', async () => {
    remarks = [sampleRemark()];
    const sent: unknown[] = [];
    server.use(
      http.post('/client/meetings/{meetingId}/remarks', async ({ request, response }) => {
        const body = await request.json();
        sent.push(body);
        const remark = sampleRemark({ ...body, id: 'new' });
        remarks = [...remarks, remark];
        return response(201).json(remark);
      }),
      http.delete('/client/meetings/{meetingId}/remarks/{remarkId}', ({ params, response }) => {
        remarks = remarks.filter(({ id }) => id !== params.remarkId);
        return response(204).empty();
      }),
    );
    const { user } = await openPage();
    expect(await screen.findByText('The treasurer left the room.')).toBeInTheDocument();
    await user.click(screen.getByRole('radio', { name: 'Incident' }));
    await user.type(screen.getByLabelText(/^Note/), 'The light went out.');
    await user.click(screen.getByRole('button', { name: 'Note Incident' }));
    const notes = within(screen.getByRole('region', { name: 'Remarks and incidents' }));
    await waitFor(() => expect(notes.getAllByRole('listitem')).toHaveLength(2));
    expect(sent).toEqual([{ kind: 'INCIDENT', text: 'The light went out.' }]);
    const entry = within(
      notes
        .getAllByRole('listitem')
        .find(({ textContent }) => textContent?.includes('treasurer')) as HTMLElement,
    );
    await user.click(entry.getByRole('button', { name: /^Delete the note/ }));
    await user.click(entry.getByRole('button', { name: 'Delete Note' }));
    await waitFor(() => expect(screen.queryByText('The treasurer left the room.')).not.toBeInTheDocument());
  });
});
