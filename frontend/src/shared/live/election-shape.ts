import { ELECTION_METHODS } from '../elections/methods';
import { flag, listOf, nullable, number, object, oneOf, text } from '../shape';

/** The election of a question, as a ballot needs it. The shape of `ElectionPaper`. */
export const electionPaperShape = object({
  method: oneOf(...ELECTION_METHODS),
  marks: oneOf('answers', 'choices', 'points', 'ranking', 'list'),
  seats: nullable(number),
  least: number,
  most: nullable(number),
  votes: nullable(number),
  mostForOne: nullable(number),
  allowsEqual: flag,
  canLeaveBlank: flag,
  noneOfTheAbove: nullable(number),
  order: oneOf('fixed', 'rotated'),
  ballotOrder: listOf(number),
  candidates: listOf(
    object({
      number,
      name: text,
      line: nullable(text),
      about: nullable(text),
      isWithdrawn: flag,
    }),
  ),
  lists: listOf(object({ number, name: text, candidates: listOf(number) })),
});
