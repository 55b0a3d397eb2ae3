import type { CastOn } from '../../api/types';

/** Where this voter's vote was cast, if not on a device. */
export function castElsewhere(castOn: CastOn): string {
  return `Your vote was cast ${castOn === 'PAPER' ? 'on paper' : 'at a voting place'}.`;
}

export const ELSEWHERE_COUNTS = 'It counts. If this is wrong, speak to the organizer.';
