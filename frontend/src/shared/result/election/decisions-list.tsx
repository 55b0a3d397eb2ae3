import type { ElectionResult, TieDecision } from '../../elections/election-types';
import { formatDateTime } from '../../format';
import { tiedNames } from './election-names';
import classes from './election-report.module.css';

/** The ties and how they were decided, so that everybody can repeat a lot. */
export function DecisionsList({ election }: { election: ElectionResult }) {
  const { decisions } = election;
  return decisions.length > 0 ? (
    <section className={classes.part} aria-label="Decided ties">
      <h4 className={classes.head}>Decided ties</h4>
      <ul className={classes.sentences}>
        {decisions.map((decision) => (
          <li key={`${decision.tie.stage} ${decision.tie.numbers.join()}`}>
            {decision.tie.words} {decisionWords(election, decision)}
            {decision.seed ? (
              <span className={classes.seed}>
                Seed: <code>{decision.seed}</code>
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  ) : null;
}

function decisionWords(election: ElectionResult, decision: TieDecision): string {
  const { tie, by, order, drawnBy, witnessedBy, at, decidedBy } = decision;
  const drawn = tiedNames(election, { ...tie, numbers: order })
    .map(({ name }, index) => `${index + 1}. ${name}`)
    .join(', ');
  const time = formatDateTime(at);
  if (by === 'lot') {
    return `Plenum drew the lot (${time}${decidedBy ? `, started by ${decidedBy}` : ''}): ${drawn}.`;
  }
  const how = drawnBy ? `${drawnBy} drew the lot` : 'The lot was drawn by hand';
  const witness = witnessedBy ? `, and ${witnessedBy} saw the draw` : '';
  return `${how}${witness} (entered${decidedBy ? ` by ${decidedBy}` : ''}, ${time}): ${drawn}.`;
}
