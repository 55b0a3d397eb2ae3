import { ApiError, messageOf } from '../../../api/api-error';

const NOT_IN_REGISTER = 'This person is not in the register of this question';
const ENDED = 'Voting on this question has ended';

/** Why a person got no ballot. */
const NO_BALLOT: Record<string, string> = {
  already_voted: 'This person has already voted. Everybody votes once.',
  not_in_register: `${NOT_IN_REGISTER}, and cannot vote on it.`,
  round_not_open: `${ENDED}.`,
};

/** What a refusal means for the vote. No sentence names the person or the answer. */
const NO_VOTE: Record<string, string> = {
  already_voted: 'This person has already voted. That vote counts, and the one from this screen does not.',
  not_in_register: `${NOT_IN_REGISTER}. The vote is not counted.`,
  round_not_open: `${ENDED}, before the vote arrived. It is not counted.`,
  round_over: `${ENDED}, before the vote arrived. It is not counted.`,
  invalid_ballot: 'The answer does not fit the question. No vote was cast. Find the person again.',
  vote_key_unconfirmed:
    'The server could not confirm the key of this secret vote. No vote was cast. Tell the organizers.',
  ballot_not_found: 'The server does not know this ballot any more. No vote was cast. Find the person again.',
};

export function noBallotWords(error: unknown): string {
  return wordsOf(NO_BALLOT, error, 'The person got no ballot');
}

export function noVoteWords(error: unknown): string {
  return wordsOf(NO_VOTE, error, 'No vote was cast');
}

function wordsOf(words: Record<string, string>, error: unknown, fallback: string): string {
  return (error instanceof ApiError ? words[error.code] : undefined) ?? messageOf(error, fallback);
}

export const ENDED_DURING_BALLOT = `${ENDED}, before a vote was cast on this screen. Nothing is counted.`;
export const IDLE = 'Nobody touched the screen for a minute, so the ballot was closed. No vote was cast.';
/** The server seals anew each time, so it cannot tell a repeat from another vote. */
export const PERHAPS_COUNTED =
  'A vote of this person is counted. It is the one from this screen, unless the person voted elsewhere at the same moment. Do not vote again.';
export const STOPPED =
  'It is not known whether the last vote arrived. Find the person again: if it arrived, the person is shown as having voted.';
export const NOT_SEALED = 'The ballot could not be sealed. No vote was cast. Find the person again.';
