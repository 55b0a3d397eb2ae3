import { MantineProvider } from '@mantine/core';
import { render, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { MeetingResults } from '../../api/types';
import { sampleMeetingResults, sampleRemark } from '../../test/result-samples';
import { changedField, changedText } from './amendment-words';
import { ClosingRecords } from './closing-records';

const { meeting } = sampleMeetingResults();

const closing: MeetingResults['closings'][number] = {
  hash: '5df6e0e2761359d30a8275058e299fcc0381534545f55cf43e41983f5d4c9456',
  key: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
  signature: 'ab'.repeat(64),
  timestamp: { authority: 'Example Timestamps', at: '2026-11-21T20:00:04Z' },
  record: {
    format: 'plenum-closing/1',
    organizationId: 'c0000000-0000-7000-8000-000000000001',
    meeting,
    startedAt: '2026-11-21T17:00:00Z',
    endedAt: '2026-11-21T20:00:00Z',
    number: 1,
    previousHash: null,
    lastRecordHash: null,
    auditHead: null,
    recordedAt: '2026-11-21T20:00:00Z',
    isRecordedLater: false,
    agenda: [],
    attendance: [],
    remarks: [sampleRemark()],
    records: [],
  },
};

const amendment: MeetingResults['amendments'][number] = {
  number: 1,
  closing: 1,
  at: '2026-11-22T09:00:00Z',
  by: 'Maria Keller',
  subject: 'MEETING',
  subjectId: meeting.id,
  field: 'title',
  was: 'Assembly',
  became: 'Annual general meeting',
};

function show(parts: Partial<Pick<MeetingResults, 'closings' | 'amendments' | 'closingDamage'>>) {
  render(
    <MantineProvider>
      <ClosingRecords closings={[]} amendments={[]} closingDamage={[]} {...parts} />
    </MantineProvider>,
  );
}

it('nothing is shown before the meeting ends', () => {
  show({});
  expect(screen.queryByText('Closing record')).not.toBeInTheDocument();
});

it('the record is shown with its hash, and what was changed afterwards beside it', () => {
  show({ closings: [closing], amendments: [amendment, { ...amendment, number: 2, by: null }] });
  const records = within(screen.getByRole('list', { name: 'Closing records' }));
  expect(records.getByText(/0 results, 1 remark, 0 attendance notes/)).toBeInTheDocument();
  expect(records.getByText(/Record 5df6 e0e2 7613/)).toHaveTextContent(
    'Timestamped by Example Timestamps at',
  );
  const changes = within(screen.getByRole('list', { name: 'Changes after the end' }));
  const [first, second] = changes.getAllByRole('listitem');
  expect(first).toHaveTextContent('Title of the meetingBefore: Assembly Now: Annual general meeting');
  expect(first).toHaveTextContent('Maria Keller');
  expect(second).toHaveTextContent('nobody signed in');
});

it('damage is told', () => {
  show({ closingDamage: ['The last closing record is missing.'] });
  expect(screen.getByText(/The last closing record is missing. Ask the operator/)).toBeInTheDocument();
});

it('every kind of change has its words', () => {
  expect(changedField({ subject: 'REMARK', field: 'struck' })).toBe('Remark struck through');
  expect(changedField({ subject: 'REMARK', field: 'text' })).toBe('Remark added');
  expect(changedField({ subject: 'QUESTION', field: 'text' })).toBe('Question');
  expect(changedField({ subject: 'RESULT', field: 'recordHash' })).toBe('Result declared');
  expect(changedField({ subject: 'MEETING', field: 'other' })).toBe('Meeting');
  expect(changedText({ field: 'text', was: 'Old?', became: null })).toBe('Removed: Old?');
  expect(changedText({ field: 'text', was: null, became: 'New.' })).toBe('New.');
  const moved = { field: 'scheduledEnd', was: '2026-11-21T20:00:00Z', became: '2026-11-21T21:00:00Z' };
  expect(changedText(moved)).not.toContain('T20');
});

it('an amended quorum is told in words', () => {
  const half =
    '{"unit": "heads", "attendance": "present", "numerator": 1, "comparison": "at_least", "denominator": 2} BAR';
  const votes =
    '{"unit": "heads", "minimum": 1500, "attendance": "voted", "secondCall": {"unit": "heads", "minimum": 15, "attendance": "voted"}} WARN';
  expect(changedText({ field: 'quorum', was: half, became: votes })).toBe(
    'Before: At least 1/2 of the register must be present, by heads. If the quorum is not met, no question can be opened.\n' +
      'Now: At least 1,500 must have voted, by heads. On a second call: At least 15 must have voted, by heads.',
  );
  expect(changedText({ field: 'quorum', was: '{"unit" BAR', became: null })).toBe('Removed: {"unit" BAR');
  expect(changedText({ field: 'quorum', was: '{broken} BAR', became: null })).toBe('Removed: {broken} BAR');
});
