import type { ElectionResult, ElectionStage } from '../../elections/election-types';
import { candidateName, fateAfter, hasAmount, stageKind, votesAt } from './election-names';
import classes from './election-report.module.css';

/** The stages of a count: candidates down, stages across, and under it what happened at each stage. */
export function StagesTable({ election }: { election: ElectionResult }) {
  const { stages } = election;
  if (stages.length === 0) {
    return null;
  }
  return (
    <>
      {/* A scrolling box must be reachable by keyboard. */}
      <section
        className={classes.wide}
        aria-label="Votes at each stage"
        tabIndex={stages.length > 2 ? 0 : undefined}
      >
        <table className={classes.table}>
          <caption className={classes.caption}>
            {stages.length > 1 ? `Votes at each of ${stages.length} stages` : 'Votes'}
          </caption>
          <thead>
            <tr>
              <th scope="col">Candidate</th>
              {stages.map((stage) => (
                <th key={stage.number} scope="col" className={classes.cell}>
                  Stage {stage.number}
                  <span className={classes.kind}>{stageKind(election, stage)}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {candidatesOf(election).map((candidate) => (
              <CandidateStages key={candidate} election={election} candidate={candidate} />
            ))}
          </tbody>
          <tbody>
            <AmountRow label={quotaLabel(stages)} stages={stages} amountOf={({ quota }) => quota} />
            <AmountRow
              label="Non-transferable"
              stages={stages}
              amountOf={({ nonTransferable }) => nonTransferable}
            />
            <AmountRow
              label="Lost by cutting decimals"
              stages={stages}
              amountOf={({ remainder }) => remainder}
            />
          </tbody>
        </table>
      </section>
      <ol className={classes.stages} aria-label="What happened at each stage">
        {stages.map((stage) => (
          <li key={stage.number}>
            <strong>Stage {stage.number}.</strong> {stage.words.join(' ')}
          </li>
        ))}
      </ol>
    </>
  );
}

/** The candidates with a figure at any stage, in the order of the ballot. */
function candidatesOf({ candidates, stages }: ElectionResult): number[] {
  const numbers = new Set(stages.flatMap(({ votes }) => votes.map(({ candidate }) => candidate)));
  const named = candidates.map(({ number }) => number).filter((number) => numbers.has(number));
  return [...named, ...[...numbers].filter((number) => !named.includes(number))];
}

function CandidateStages({ election, candidate }: { election: ElectionResult; candidate: number }) {
  return (
    <tr>
      <th scope="row" className={classes.label} dir="auto">
        {candidateName(election, candidate)}
      </th>
      {election.stages.map((stage) => {
        const fate = fateAfter(election, candidate, stage.number);
        const isNew = fate !== null && fateAfter(election, candidate, stage.number - 1) !== fate;
        return (
          <td key={stage.number} className={classes.cell} data-fate={fate ?? undefined}>
            {votesAt(stage, candidate)}
            {isNew ? <span className={classes.fate}>{fate}</span> : null}
          </td>
        );
      })}
    </tr>
  );
}

/** The quota elects. Half of the votes, as in an instant runoff, does not: more is needed. */
function quotaLabel(stages: ElectionStage[]): string {
  return stages.some(({ quota, isQuotaEnough }) => quota !== null && !isQuotaEnough)
    ? 'Needed: more than'
    : 'Quota';
}

interface AmountRowProps {
  label: string;
  stages: ElectionStage[];
  amountOf: (stage: ElectionStage) => string | null;
}

/** A row of another amount, if there is any at a stage. */
function AmountRow({ label, stages, amountOf }: AmountRowProps) {
  const amounts = stages.map(amountOf);
  if (amounts.every((amount) => amount === null || !hasAmount(amount))) {
    return null;
  }
  return (
    <tr className={classes.total}>
      <th scope="row">{label}</th>
      {stages.map((stage, index) => (
        <td key={stage.number} className={classes.cell}>
          {amounts[index] ?? '–'}
        </td>
      ))}
    </tr>
  );
}
