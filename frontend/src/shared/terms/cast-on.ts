import type { CastOn, RegisterEntry } from '../../api/types';

const VOTED: Record<CastOn, string> = {
  PAPER: 'Voted on paper',
  VOTING_PLACE: 'Voted at a voting place',
};

/** "Voted on paper"; null for a person who has not voted. */
export function votedWords({ hasVoted, castOn }: Pick<RegisterEntry, 'hasVoted' | 'castOn'>): string | null {
  return hasVoted ? (castOn ? VOTED[castOn] : 'Has voted') : null;
}
