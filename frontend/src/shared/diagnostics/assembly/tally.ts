import type { Result } from '../../../api/types';
import { hasOptions } from '../../question-types';

/** A vote that the server accepted. */
export interface SentVote {
  answers: string[];
  weight: number;
}

/** An amount, in heads and in weight. */
export interface Count {
  heads: number;
  weight: number;
}

/** Weights have four decimals. Sums of whole ten-thousandths are exact. */
const PARTS = 10_000;

export function countOf(people: readonly { weight: number }[]): Count {
  const parts = people.reduce((sum, { weight }) => sum + Math.round(weight * PARTS), 0);
  return { heads: people.length, weight: parts / PARTS };
}

/** Returns the differences between a result and the sent votes, a sentence each; empty if there are none. */
export function tallyDifferences(
  result: Result,
  register: readonly { weight: number }[],
  sent: readonly SentVote[],
): string[] {
  const everybody = countOf(register);
  const cast = countOf(sent);
  const silent = {
    heads: everybody.heads - cast.heads,
    weight: Math.round((everybody.weight - cast.weight) * PARTS) / PARTS,
  };
  return [
    ...differs('The register', result.register, everybody),
    ...differs('All votes together', result.votesCast, cast),
    ...differs('People who did not vote', result.notVoted, silent),
    ...differs('Invalid votes', result.invalid, { heads: 0, weight: 0 }),
    ...optionDifferences(result, sent),
    ...numberDifferences(result, sent),
    ...textDifferences(result, sent),
    ...electionDifferences(result, sent),
  ].map((difference) => `“${result.questionText}”: ${difference}`);
}

function differs(what: string, found: Count, expected: Count): string[] {
  return found.heads === expected.heads && found.weight === expected.weight
    ? []
    : [`${what}: ${inWords(found)} instead of ${inWords(expected)}.`];
}

function inWords({ heads, weight }: Count): string {
  return `${heads} with a weight of ${weight}`;
}

function optionDifferences({ questionType, options }: Result, sent: readonly SentVote[]): string[] {
  if (!hasOptions(questionType) && questionType !== 'ELECTION') {
    return options.length > 0 ? ['The result has options, but the question has none.'] : [];
  }
  const unknown = [...new Set(sent.flatMap(({ answers }) => answers))].filter(
    (answer) => !options.some(({ text }) => text === answer),
  );
  return [
    ...options.flatMap((option) =>
      differs(
        `Votes for ${option.text}`,
        option,
        countOf(sent.filter(({ answers }) => answers.includes(option.text))),
      ),
    ),
    ...unknown.map((answer) => `Votes for ${answer} are not in the result.`),
  ];
}

function numberDifferences({ questionType, numbers }: Result, sent: readonly SentVote[]): string[] {
  if (questionType !== 'RATING' && questionType !== 'PERCENTAGE') {
    return [];
  }
  if (numbers === null) {
    return ['The result has no numbers.'];
  }
  const given = new Set([...numbers.distribution.map(({ value }) => value), ...sent.map(numberOf)]);
  const nobody = { heads: 0, weight: 0 };
  const values = [...given].sort((a, b) => a - b);
  return values.flatMap((value) => {
    const found = numbers.distribution.find((one) => one.value === value) ?? nobody;
    return differs(`Votes for ${value}`, found, countOf(sent.filter((vote) => numberOf(vote) === value)));
  });
}

function numberOf({ answers }: SentVote): number {
  return Number(answers[0]);
}

function textDifferences({ questionType, differentTexts }: Result, sent: readonly SentVote[]): string[] {
  if (questionType !== 'OPEN_TEXT') {
    return [];
  }
  const different = new Set(sent.map(({ answers }) => answers[0])).size;
  return differentTexts === different
    ? []
    : [`There are ${differentTexts ?? 'no'} different texts instead of ${different}.`];
}

/** In an election of one person by the most votes, who was elected. */
function electionDifferences(
  { questionType, election, options }: Result,
  sent: readonly SentVote[],
): string[] {
  if (questionType !== 'ELECTION' || sent.length === 0) {
    return [];
  }
  if (!election) {
    return ['The result has no election.'];
  }
  const votes = options.map(({ text }) => sent.filter(({ answers }) => answers.includes(text)).length);
  const first = votes.indexOf(Math.max(...votes));
  const elected = election.elected.map(({ candidate }) => options[candidate - 1]?.text);
  const wanted = options[first]?.text;
  return elected.length === 1 && elected[0] === wanted
    ? []
    : [`Elected: ${elected.join(', ') || 'nobody'} instead of ${wanted}.`];
}

/** The outcome of a YES_NO question that needs more than half of yes and no, by weight. */
export function outcomeByWeight(sent: readonly SentVote[]): 'accepted' | 'rejected' {
  const weightOf = (answer: string) => countOf(sent.filter(({ answers }) => answers[0] === answer)).weight;
  return weightOf('Yes') > weightOf('No') ? 'accepted' : 'rejected';
}
