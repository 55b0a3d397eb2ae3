/* Changes of a ranking: the ranks with their candidates, the first rank first. None of them leaves an empty rank. */

export function addLast(ranks: number[][], candidate: number): number[][] {
  return [...ranks, [candidate]];
}

export function remove(ranks: number[][], candidate: number): number[][] {
  return ranks.map((rank) => rank.filter((other) => other !== candidate)).filter((rank) => rank.length > 0);
}

/** Moves a candidate by one place. A candidate that shares a rank leaves it for a rank of its own. */
export function move(ranks: number[][], candidate: number, direction: 'up' | 'down'): number[][] {
  const place = placeOf(ranks, candidate);
  const rank = ranks[place];
  if (rank === undefined) {
    return ranks;
  }
  if (rank.length > 1) {
    const others = rank.filter((other) => other !== candidate);
    const parts = direction === 'up' ? [[candidate], others] : [others, [candidate]];
    return [...ranks.slice(0, place), ...parts, ...ranks.slice(place + 1)];
  }
  const target = direction === 'up' ? place - 1 : place + 1;
  const neighbour = ranks[target];
  if (neighbour === undefined) {
    return ranks;
  }
  return ranks.map((other, index) => (index === place ? neighbour : index === target ? rank : other));
}

/** Moves a candidate to the place of another one in the list, with a rank of its own. */
export function moveTo(ranks: number[][], candidate: number, target: number): number[][] {
  const listed = ranks.flat();
  const isUp = listed.indexOf(target) < listed.indexOf(candidate);
  const others = remove(ranks, candidate);
  const place = placeOf(others, target);
  if (candidate === target || place < 0) {
    return ranks;
  }
  const at = isUp ? place : place + 1;
  return [...others.slice(0, at), [candidate], ...others.slice(at)];
}

/** Whether a candidate has the same rank as the one listed before it. */
export function isEqualToBefore(ranks: number[][], candidate: number): boolean {
  return (ranks[placeOf(ranks, candidate)] ?? []).indexOf(candidate) > 0;
}

/** Gives a candidate the rank of the one listed before it, or takes it out of that rank with those after it. */
export function toggleEqual(ranks: number[][], candidate: number): number[][] {
  const place = placeOf(ranks, candidate);
  const rank = ranks[place] ?? [];
  const within = rank.indexOf(candidate);
  if (within > 0) {
    return [...ranks.slice(0, place), rank.slice(0, within), rank.slice(within), ...ranks.slice(place + 1)];
  }
  const before = ranks[place - 1];
  return before === undefined
    ? ranks
    : [...ranks.slice(0, place - 1), [...before, ...rank], ...ranks.slice(place + 1)];
}

/** The rank of a candidate from 1; 0 if it has none. */
export function rankOf(ranks: number[][], candidate: number): number {
  return placeOf(ranks, candidate) + 1;
}

function placeOf(ranks: number[][], candidate: number): number {
  return ranks.findIndex((rank) => rank.includes(candidate));
}
