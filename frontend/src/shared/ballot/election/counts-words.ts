import type { ElectionPaper } from '../../elections/election-types';
import {
  isAbstention,
  isBlank,
  isOnlyNone,
  marksCount,
  NONE_OF_THE_ABOVE,
  neededMarks,
  plural,
  pointsGiven,
  readChoices,
  readList,
} from '../../elections/marks';
import { marksProblem } from '../../elections/marks-limits';

/** What is marked, how much is left, and what is missing before the ballot can be submitted. */
export function countsWords(election: ElectionPaper, answers: string[]): string {
  if (isAbstention(answers)) {
    return 'A mark takes the abstention back.';
  }
  if (isBlank(answers)) {
    return 'The ballot has no marks. A mark takes this back.';
  }
  const problem = marksProblem(election, answers);
  return `${markedWords(election, answers)}${problem === null ? '' : ` ${problem}`}`;
}

function markedWords(election: ElectionPaper, answers: string[]): string {
  const standing = election.candidates.filter(({ isWithdrawn }) => !isWithdrawn).length;
  const all = standing + (election.noneOfTheAbove === null ? 0 : 1);
  const count = marksCount(election, answers);
  switch (election.marks) {
    case 'ranking':
      return rankedWords(election, count, all);
    case 'answers': {
      const needed = neededMarks(election, answers);
      return `${needed} of ${standing} answered, ${standing - needed} left.`;
    }
    case 'points':
      return pointsWords(election, answers, all);
    case 'choices':
      return isOnlyNone(election, answers)
        ? `${NONE_OF_THE_ABOVE} cannot be combined with a choice. Choosing someone clears it.`
        : choicesWords(election, count, standing);
    case 'list':
      return listWords(election, answers);
  }
}

function rankedWords({ most }: ElectionPaper, count: number, all: number): string {
  if (most !== null && most < all) {
    const full = count >= most ? ' To rank another, take one out first.' : '';
    return `${count} of at most ${most} ranked, ${most - count} left.${full}`;
  }
  return `${count} of ${all} ranked, ${all - count} left.`;
}

function choicesWords({ least, most }: ElectionPaper, count: number, standing: number): string {
  if (standing === 0) {
    // The preview of a form without names.
    return 'No candidates yet.';
  }
  const limit = most === null ? standing : Math.min(most, standing);
  if (limit >= standing && count > 0) {
    return `${count} of ${standing} chosen.`;
  }
  if (count === 0) {
    return least === limit
      ? `Choose ${plural(limit, 'candidate')}.`
      : `Choose up to ${plural(limit, 'candidate')}.`;
  }
  const full = count >= limit ? ' To choose another, clear one first.' : '';
  return `${count} of ${limit} chosen, ${limit - count} left.${full}`;
}

function pointsWords({ votes, mostForOne }: ElectionPaper, answers: string[], all: number): string {
  if (votes === null) {
    const given = marksCount({ marks: 'points' }, answers);
    return `${given} of ${all} have points, from 0 to ${mostForOne ?? 'any number'} each.`;
  }
  const left = votes - pointsGiven(answers);
  const limit = mostForOne !== null && mostForOne < votes ? ` At most ${mostForOne} for one candidate.` : '';
  return `${left} of ${plural(votes, 'vote')} left.${limit}`;
}

function listWords({ lists, most }: ElectionPaper, answers: string[]): string {
  const list = lists.find(({ number }) => number === readList(answers));
  if (!list) {
    return `Choose one of ${plural(lists.length, 'list')}.`;
  }
  const chosen = readChoices(answers).length;
  return most ? `List ${list.name}. ${chosen} of ${most} candidates on it chosen.` : `List ${list.name}.`;
}
