import type { FileCheck } from '../../api/types';
import { countOf } from '../../shared/format';
import classes from './verify-page.module.css';

const MOST_SHOWN = 20;

/** Each contradiction in a file. */
export function Findings({ check }: { check: FileCheck }) {
  const places = [
    ...check.faults.map((fault) => ({ place: 'Audit log', words: `${fault}.` })),
    ...check.differences.map((found) => ({ place: found.field, words: differenceWords(found) })),
    ...check.rounds.flatMap(({ name, differences }) =>
      differences.map((found) => ({ place: `${name}, ${found.field}`, words: differenceWords(found) })),
    ),
  ];
  if (places.length === 0) {
    return null;
  }
  const more = places.length - MOST_SHOWN;
  return (
    <>
      <h3 className={classes.heading}>What does not match</h3>
      <ul className={classes.findings} aria-label="What does not match">
        {places.slice(0, MOST_SHOWN).map(({ place, words }) => (
          <li key={`${place}: ${words}`}>
            <strong dir="auto">{place}</strong>
            <span dir="auto">{words}</span>
          </li>
        ))}
      </ul>
      {more > 0 ? <p className={classes.more}>… and {countOf(more, 'more place')}.</p> : null}
    </>
  );
}

function differenceWords({ file, expected }: { file: string; expected: string }): string {
  return expected.startsWith('it must be ')
    ? `The file says ${file}; ${expected}.`
    : `The file says ${file}; expected: ${expected}.`;
}
