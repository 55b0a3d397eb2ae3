import type { CastOn } from '../../api/types';

export interface CastVote {
  castOn?: CastOn | null;
  votedByProxy?: boolean;
}

export const BY_HOLDER = 'The holder of your proxy voted for you';

/** Where or by whom this voter's vote was cast; null if the voter cast it on a device. */
export function castElsewhere({ castOn, votedByProxy }: CastVote): string | null {
  if (votedByProxy) {
    return `${BY_HOLDER}.`;
  }
  return castOn ? `Your vote was cast ${castOn === 'PAPER' ? 'on paper' : 'at a voting place'}.` : null;
}

export const ELSEWHERE_COUNTS = 'It counts. If this is wrong, speak to the organizer.';
