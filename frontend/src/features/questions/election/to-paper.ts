import type { ElectionMethod, ElectionPaper, MarksKind } from '../../../shared/elections/election-types';
import { type ElectionFields, namedCandidates, toElection } from './election-form';

const MARKS: Record<ElectionMethod, MarksKind> = {
  per_candidate: 'answers',
  plurality: 'choices',
  cumulative: 'points',
  approval: 'choices',
  irv: 'ranking',
  stv_scottish: 'ranking',
  schulze: 'ranking',
  borda: 'ranking',
  score: 'points',
  lists: 'list',
};

/** The election as voters will get it, for the preview. The server draws an order by lot, so the preview has none. */
export function toPaper(fields: ElectionFields): ElectionPaper {
  const rule = toElection(fields);
  const candidates = namedCandidates(fields).map(({ name, line, about, isWithdrawn }, index) => ({
    number: index + 1,
    name: name.trim(),
    line: line.trim() || null,
    about: about.trim() || null,
    isWithdrawn,
  }));
  const byName = [...candidates].sort((one, other) => one.name.localeCompare(other.name));
  return {
    method: rule.method,
    marks: MARKS[rule.method],
    seats: orNull(rule.seats),
    canLeaveBlank: rule.blank !== 'invalid',
    noneOfTheAbove: rule.noneOfTheAbove ? candidates.length + 1 : null,
    allowsEqual: rule.allowsEqual ?? rule.method === 'schulze',
    order: rule.order === 'rotated' ? 'rotated' : 'fixed',
    ballotOrder: (rule.order === 'by_name' ? byName : candidates).map(({ number }) => number),
    candidates,
    lists: (rule.lists ?? []).map((list, index) => ({ ...list, number: index + 1 })),
    ...limitsOf(fields, candidates.length),
  };
}

type Limits = Pick<ElectionPaper, 'least' | 'most' | 'votes' | 'mostForOne'>;

/** The limits of the marks. A number that is being typed counts as missing. */
function limitsOf(fields: ElectionFields, count: number): Limits {
  const rule = toElection(fields);
  const none = { votes: null, mostForOne: null };
  switch (rule.method) {
    case 'per_candidate':
      return { ...none, least: rule.unanswered === 'invalid' ? count : 1, most: null };
    case 'plurality':
      return { ...none, least: rule.leastChoices ?? 1, most: orNull(rule.mostChoices) ?? orNull(rule.seats) };
    case 'approval':
      return { ...none, least: rule.leastChoices ?? 1, most: orNull(rule.mostChoices) };
    case 'cumulative': {
      const votes = orNull(rule.votes) ?? orNull(rule.seats) ?? 1;
      return {
        least: rule.needsAllVotes ? votes : 1,
        most: null,
        votes,
        mostForOne: orNull(rule.mostForOne) ?? votes,
      };
    }
    case 'score':
      return { least: rule.leastMarked ?? 1, most: null, votes: null, mostForOne: orNull(rule.points) ?? 5 };
    case 'lists':
      return { ...none, least: 1, most: orNull(rule.mostChoices) ?? 0 };
    default:
      return { ...none, least: rule.leastRanks ?? 1, most: orNull(rule.mostRanks) };
  }
}

function orNull(value: number | null | undefined): number | null {
  return value === undefined || value === null || Number.isNaN(value) ? null : value;
}
