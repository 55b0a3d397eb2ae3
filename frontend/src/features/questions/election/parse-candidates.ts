import { type CandidateField, type ElectionFields, namedCandidates, newCandidate } from './election-form';

/** Candidates from pasted lines: "Name", or "Name; line". Empty lines are left out. */
export function parseCandidates(text: string): CandidateField[] {
  return text
    .split(/\r?\n/)
    .map((row) => row.trim())
    .filter((row) => row !== '')
    .map((row) => {
      const [name = '', ...line] = row.split(/[;\t]/);
      return newCandidate({ name: name.trim(), line: line.join(';').trim() });
    });
}

/** The election with the names in the box for pasting as candidates, in place of fields that are still empty. */
export function withPasted<Fields extends Pick<ElectionFields, 'candidates' | 'pasted'>>(
  fields: Fields,
): Fields {
  const pasted = parseCandidates(fields.pasted);
  return pasted.length === 0
    ? fields
    : { ...fields, candidates: [...namedCandidates(fields), ...pasted], pasted: '' };
}
