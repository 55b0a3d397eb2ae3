const SHOWN_GROUPS = 4;

/** The first groups of a record hash or a fingerprint, as people compare them: "5df6 e0e2 7613 59d3". */
export function firstGroups(hash: string): string {
  return groupsOf(hash).slice(0, SHOWN_GROUPS).join(' ');
}

/** All of a record hash or a fingerprint, in groups of four. */
export function allGroups(hash: string): string {
  return groupsOf(hash).join(' ');
}

function groupsOf(hash: string): string[] {
  return hash.match(/.{1,4}/g) ?? [];
}
