import { type CandidateField, newCandidate } from './election-form';

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
