import type { ElectionResult, ElectionTie } from '../../elections/election-types';
import { listed } from '../listed';

/**
 * What being drawn at this place, from 0, means for a tie; null for the places that decide nothing by themselves. In the method
 * of Schulze a candidate who is ahead of another comes first whatever the lot says, so no place there has a seat for sure.
 */
export function placeEffect(
  { method }: Pick<ElectionResult, 'method'>,
  { matter, wanted }: ElectionTie,
  place: number,
): string | null {
  switch (matter) {
    case 'exclusion':
      return place === 0 ? 'excluded' : null;
    case 'first_surplus':
      return place === 0 ? 'surplus transferred first' : null;
    case 'seats':
    case 'list_seats':
      return place < wanted && method !== 'schulze' ? 'gets a seat' : null;
  }
}

/** The effect of a lot in a sentence. `drawn` are the names by place, as far as they are chosen; empty texts for the others. */
export function lotEffect(
  { method }: Pick<ElectionResult, 'method'>,
  { matter, wanted, stage }: ElectionTie,
  drawn: string[],
): string {
  const first = drawn[0] || null;
  switch (matter) {
    case 'exclusion':
      return `${first ?? 'The candidate drawn first'} is excluded at stage ${stage}.`;
    case 'first_surplus':
      return `The surplus of ${first ?? 'the candidate drawn first'} is transferred first, at stage ${stage}.`;
    case 'seats':
    case 'list_seats': {
      const seats = wanted === 1 ? 'the seat' : `the ${wanted} seats`;
      if (method === 'schulze') {
        return wanted === 1
          ? 'The candidate drawn first gets the seat, unless another one of the tied is ahead of this one.'
          : `The first ${wanted} candidates drawn get ${seats}, unless another one of the tied is ahead of one of them.`;
      }
      const winners = drawn.slice(0, wanted);
      if (winners.length === wanted && winners.every((name) => name !== '')) {
        return wanted === 1 ? `${listed(winners)} gets the seat.` : `${listed(winners)} get ${seats}.`;
      }
      const who = matter === 'list_seats' ? 'list' : 'candidate';
      return wanted === 1
        ? `The ${who} drawn first gets the seat.`
        : `The first ${wanted} ${who}s drawn get ${seats}.`;
    }
  }
}
