import type { PaperBatch, PaperBatchHead } from '../../api/types';
import { countOf, formatNumber, formatTime } from '../format';
import type { StatusTone } from '../ui/status-badge';

type Person = PaperBatch['people'][number];

export const STATES: Record<PaperBatchHead['state'], { label: string; tone: StatusTone }> = {
  WAITING: { label: 'Not confirmed', tone: 'warning' },
  CONFIRMED: { label: 'Counted', tone: 'good' },
  DISCARDED: { label: 'Discarded', tone: 'neutral' },
};

/** "Entered at 14:05 by Desk 2. Confirmed at 14:07 by Maria Keller." */
export function historyWords(batch: PaperBatchHead): string {
  const { state, enteredAt, enteredBy, closedAt, closedBy, isOwn } = batch;
  const entered = `Entered at ${formatTime(enteredAt)} by ${enteredBy}${isOwn ? ' (you)' : ''}.`;
  if (closedAt === null) {
    return entered;
  }
  const verb = state === 'CONFIRMED' ? 'Confirmed' : 'Discarded';
  return `${entered} ${verb} at ${formatTime(closedAt)}${closedBy === null ? '' : ` by ${closedBy}`}.`;
}

/** "12 votes", and once the batch is confirmed "12 votes, 11 counted" */
export function ballotsWords({ ballots, counted }: PaperBatchHead): string {
  return `${countOf(ballots, 'vote')}${counted === null ? '' : `, ${formatNumber(counted)} counted`}`;
}

/** What became of a closed batch, in sentences. Empty while it waits. */
export function outcomeSentences({ state, people, counted }: PaperBatch): string[] {
  if (state === 'DISCARDED') {
    return ['The batch is discarded. None of its votes is counted.'];
  }
  if (state === 'WAITING') {
    return [];
  }
  const before = people.filter(({ outcome }) => outcome === 'VOTED_BEFORE');
  const outside = people.filter(({ outcome }) => outcome === 'NOT_IN_REGISTER');
  return [
    `${formatNumber(counted ?? 0)} counted.`,
    before.length > 0
      ? `${formatNumber(before.length)} had voted before: ${names(before)}. The earlier ${before.length === 1 ? 'vote counts' : 'votes count'}.`
      : null,
    outside.length > 0
      ? `${formatNumber(outside.length)} not in the register: ${names(outside)}. Not counted.`
      : null,
  ].filter((sentence) => sentence !== null);
}

function names(people: Person[]): string {
  return people.map(({ name }) => name).join(', ');
}

export const OUTCOMES: Record<Person['outcome'], string> = {
  WAITING: '',
  COUNTED: 'Counted',
  VOTED_BEFORE: 'Had voted before',
  NOT_IN_REGISTER: 'Not in the register',
  DISCARDED: 'Not counted',
};
