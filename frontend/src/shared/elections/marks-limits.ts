import type { ElectionPaper } from './election-types';
import {
  isAbstention,
  isBlank,
  isOnlyNone,
  isWithinLimits,
  marksCount,
  neededMarks,
  plural,
  pointsGiven,
  readChoices,
} from './marks';

/**
 * The reason why a ballot with marks cannot be submitted yet; null if it can be. The control keeps to the upper limits,
 * so only a ballot with too few marks, or a draft from before a change of the question, has one.
 */
export function marksProblem(election: ElectionPaper, answers: string[]): string | null {
  if (isWithinLimits(election, answers)) {
    return null;
  }
  if (election.marks === 'points' && election.votes !== null) {
    return votesProblem(election, election.votes, pointsGiven(answers));
  }
  const needed = neededMarks(election, answers);
  if (needed < election.least) {
    return `${leastWords(election)} You have ${doneWords(election, needed)}.`;
  }
  const count = marksCount(election, answers);
  const marked = election.marks === 'list' ? readChoices(answers).length : count;
  return `Mark at most ${candidates(election.most ?? 0)}. You have marked ${marked}.`;
}

function votesProblem({ least }: ElectionPaper, votes: number, given: number): string {
  if (given > votes) {
    return `You have ${votes} votes. Take ${given - votes} away.`;
  }
  return `Give at least ${plural(least, 'vote')}. You have given ${given}.`;
}

function leastWords({ marks, least, candidates: all }: ElectionPaper): string {
  switch (marks) {
    case 'answers':
      return least >= all.length ? 'Answer for each candidate.' : `Answer for at least ${candidates(least)}.`;
    case 'choices':
      return `Choose at least ${candidates(least)}.`;
    case 'ranking':
      return `Rank at least ${candidates(least)}.`;
    case 'points':
      return `Give points to at least ${candidates(least)}.`;
    case 'list':
      return 'Choose a list.';
  }
}

function doneWords({ marks }: ElectionPaper, count: number): string {
  const verbs = {
    answers: 'answered',
    choices: 'chosen',
    ranking: 'ranked',
    points: 'marked',
    list: 'chosen',
  };
  return `${verbs[marks]} ${count}`;
}

function candidates(count: number): string {
  return plural(count, 'candidate');
}

/** The marks that a ballot could still take. Approval has no number of them, and a list is one mark. */
export function marksLeft(election: ElectionPaper, answers: string[]): number {
  const { marks, most, votes, candidates } = election;
  if (
    isAbstention(answers) ||
    isBlank(answers) ||
    isOnlyNone(election, answers) ||
    marks === 'list' ||
    (marks === 'choices' && most === null)
  ) {
    return 0;
  }
  const standing = candidates.filter(({ isWithdrawn }) => !isWithdrawn).length;
  return votes === null
    ? Math.min(most ?? standing, standing) - neededMarks(election, answers)
    : votes - pointsGiven(answers);
}
