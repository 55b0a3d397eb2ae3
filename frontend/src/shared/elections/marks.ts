import type { CandidateReply, ElectionPaper } from './election-types';

/* The marks on a ballot, and the texts in which a ballot sends them. Candidates go by their numbers. */

/** The answer that elects nobody. It is alone on a ballot. */
export const ABSTAIN = 'abstain';
/** A ballot without a mark. It is alone, too. */
export const BLANK = 'blank';

export function isAbstention(answers: string[]): boolean {
  return answers[0] === ABSTAIN;
}

export function isBlank(answers: string[]): boolean {
  return answers[0] === BLANK;
}

/** The chosen candidates: "3". On a ballot with lists, those chosen on the list. */
export function readChoices(answers: string[]): number[] {
  return answers.filter((answer) => /^\d+$/.test(answer)).map(Number);
}

const REPLIES: CandidateReply[] = ['yes', 'no', 'abstain'];

/** The answer for each candidate: "3=yes". */
export function readReplies(answers: string[]): Map<number, CandidateReply> {
  return new Map(
    pairsOf(answers, '=').flatMap(([number, written]) => {
      const reply = REPLIES.find((one) => one === written);
      return reply ? [[number, reply] as const] : [];
    }),
  );
}

/** The votes or points for each candidate: "3=2". */
export function readPoints(answers: string[]): Map<number, number> {
  return new Map(
    pairsOf(answers, '=').flatMap(([number, written]) =>
      /^\d+$/.test(written) ? [[number, Number(written)] as const] : [],
    ),
  );
}

/** The ranks, the first one first: "1:3" is candidate 3 in rank 1. Candidates of one rank are equal. */
export function readRanks(answers: string[]): number[][] {
  const ranks: number[][] = [];
  for (const [rank, candidate] of pairsOf(answers, ':')) {
    const place = rank - 1;
    ranks[place] = [...(ranks[place] ?? []), Number(candidate)];
  }
  // A hole in the array is a skipped rank. The control writes none, so a stored draft has none either.
  return ranks.filter(Boolean);
}

/** The chosen list: "list=2". */
export function readList(answers: string[]): number | null {
  const written = answers.find((answer) => /^list=\d+$/.test(answer));
  return written === undefined ? null : Number(written.slice('list='.length));
}

function pairsOf(answers: string[], separator: string): [number, string][] {
  return answers.flatMap((answer): [number, string][] => {
    const [number = '', rest = ''] = answer.split(separator);
    return /^\d+$/.test(number) && rest !== '' ? [[Number(number), rest]] : [];
  });
}

/** The number of marks on a ballot, as its limits count them. */
export function marksCount({ marks }: Pick<ElectionPaper, 'marks'>, answers: string[]): number {
  switch (marks) {
    case 'choices':
      return readChoices(answers).length;
    case 'answers':
      return readReplies(answers).size;
    case 'points':
      // No points and 0 points are the same.
      return [...readPoints(answers).values()].filter((count) => count > 0).length;
    case 'ranking':
      return readRanks(answers).flat().length;
    case 'list':
      return readList(answers) === null ? 0 : 1;
  }
}

export function pointsGiven(answers: string[]): number {
  return [...readPoints(answers).values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Whether a ballot keeps the limits of its election, as far as the server checks them. A ballot without marks, an abstention
 * and a blank one have none.
 */
export function isWithinLimits(election: ElectionPaper, answers: string[]): boolean {
  if (answers.length === 0 || isAbstention(answers) || isBlank(answers) || isOnlyNone(election, answers)) {
    return true;
  }
  const { marks, least, most, votes } = election;
  const count = votes === null ? marksCount(election, answers) : pointsGiven(answers);
  const limited = marks === 'list' ? readChoices(answers).length : count;
  const needed = votes === null ? neededMarks(election, answers) : count;
  return needed >= least && limited <= (votes ?? most ?? limited);
}

/** The marks that a lower limit counts. Where each candidate needs an answer, "None of the above" needs none. */
export function neededMarks(election: ElectionPaper, answers: string[]): number {
  return election.marks === 'answers'
    ? [...readReplies(answers).keys()].filter((number) => number !== election.noneOfTheAbove).length
    : marksCount(election, answers);
}

/** "None of the above" is an answer of its own among choices, however many have to be chosen. */
export function isOnlyNone({ marks, noneOfTheAbove }: ElectionPaper, answers: string[]): boolean {
  return marks === 'choices' && noneOfTheAbove !== null && answers.join() === String(noneOfTheAbove);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The part of an election that puts marks into words. */
export type MarkWording = Pick<ElectionPaper, 'marks' | 'votes' | 'noneOfTheAbove'> &
  Record<'candidates' | 'lists', { number: number; name: string }[]>;

/** The answers as texts to read, in the words of the server. */
export function markTexts(election: MarkWording, answers: string[]): string[] {
  if (isAbstention(answers)) {
    return ['Abstain'];
  }
  if (isBlank(answers)) {
    return ['Blank'];
  }
  const name = (number: number) => nameOf(election, number);
  switch (election.marks) {
    case 'choices':
      return readChoices(answers).map(name);
    case 'answers':
      return [...readReplies(answers)].map(([number, reply]) => `${name(number)}: ${reply}`);
    case 'points':
      return [...readPoints(answers)].map(
        ([number, count]) => `${name(number)}: ${plural(count, election.votes === null ? 'point' : 'vote')}`,
      );
    case 'ranking':
      return readRanks(answers).flatMap((ranked, place) =>
        ranked.map((number) => `${place + 1}. ${name(number)}`),
      );
    case 'list':
      return [...listTexts(election, answers), ...readChoices(answers).map(name)];
  }
}

function listTexts({ lists }: MarkWording, answers: string[]): string[] {
  const list = lists.find(({ number }) => number === readList(answers));
  return list ? [`List: ${list.name}`] : [];
}

export const NONE_OF_THE_ABOVE = 'None of the above';

/** The name of a candidate, or of "None of the above". */
export function nameOf(
  { candidates: all, noneOfTheAbove }: Pick<MarkWording, 'candidates' | 'noneOfTheAbove'>,
  number: number,
): string {
  return number === noneOfTheAbove
    ? NONE_OF_THE_ABOVE
    : (all.find((candidate) => candidate.number === number)?.name ?? `Candidate ${number}`);
}
