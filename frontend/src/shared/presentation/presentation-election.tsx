import { useEffect, useEffectEvent, useRef } from 'react';
import type { ElectionResult, ElectionStage } from '../elections/election-types';
import { candidateName, fateAfter, hasAmount, stageKind, votesAt } from '../result/election/election-names';
import { nobodyWords } from '../result/election/shown-election';
import classes from './presentation-election.module.css';

interface PresentationElectionProps {
  election: ElectionResult;
  /** The shown stage from 1; 0 for the elected. */
  step: number;
  onStep: (step: number) => void;
}

/** The elected, and the count one stage at a time. Arrow keys or buttons change the stage; nothing moves by itself. */
export function PresentationElection({ election, step, onStep }: PresentationElectionProps) {
  const { stages } = election;
  const last = stages.length;
  const stage = stages[step - 1];
  const outcome = election.elected.length > 0 ? 'Elected' : 'Result';
  const root = useStepKeys((by) => onStep(Math.min(Math.max(step + by, 0), last)));

  return (
    <div ref={root} className={classes.root}>
      {stage ? <StageView election={election} stage={stage} /> : <Elected election={election} />}
      {last > 0 ? (
        <section className={classes.steps} aria-label="Stages of the count">
          <button
            type="button"
            className={classes.button}
            aria-disabled={step === 0}
            aria-keyshortcuts="ArrowLeft"
            onClick={() => onStep(Math.max(step - 1, 0))}
          >
            {step === 1 ? outcome : 'Previous stage'}
          </button>
          <span className={classes.place} role="status">
            {stage
              ? `Stage ${step} of ${last}`
              : `${outcome}, after ${last} ${last === 1 ? 'stage' : 'stages'}`}
          </span>
          <button
            type="button"
            className={classes.button}
            aria-disabled={step === last}
            aria-keyshortcuts="ArrowRight"
            onClick={() => onStep(Math.min(step + 1, last))}
          >
            {step === 0 ? 'First stage' : 'Next stage'}
          </button>
        </section>
      ) : null}
    </div>
  );
}

/** The arrow keys work without a focus, except in the preview of the control view, where they belong to the page. */
function useStepKeys(onStep: (by: number) => void) {
  const root = useRef<HTMLDivElement>(null);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (by !== undefined && !hasModifier && !root.current?.closest('[inert]')) {
      onStep(by);
    }
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
  return root;
}

const MANY_FROM = 6;

function Elected({ election }: { election: ElectionResult }) {
  const { elected, candidates } = election;
  return elected.length > 0 ? (
    <ol
      className={classes.elected}
      data-many={elected.length >= MANY_FROM}
      aria-label="Elected, in the order of election"
    >
      {elected.map(({ candidate }, index) => {
        const person = candidates.find(({ number }) => number === candidate);
        return (
          <li key={candidate} dir="auto">
            <span className={classes.number}>{index + 1}</span>
            <span className={classes.name}>{person?.name}</span>
            {person?.line ? <span className={classes.line}>{person.line}</span> : null}
          </li>
        );
      })}
    </ol>
  ) : (
    <p className={classes.nobody}>{nobodyWords(election)}</p>
  );
}

/** One stage: what happened in words, and the votes of each candidate, the most first. */
function StageView({ election, stage }: { election: ElectionResult; stage: ElectionStage }) {
  const rows = [...stage.votes].sort((one, other) => Number(other.votes) - Number(one.votes));
  return (
    <>
      <div className={classes.happened}>
        <p className={classes.kind}>{stageKind(election, stage)}</p>
        {stage.words.map((sentence) => (
          <p key={sentence} dir="auto">
            {sentence}
          </p>
        ))}
      </div>
      <table className={classes.table} data-many={rows.length >= MANY_FROM}>
        <caption className={classes.caption}>Votes at stage {stage.number}</caption>
        <tbody>
          {rows.map(({ candidate }) => (
            <tr key={candidate} data-fate={fateAfter(election, candidate, stage.number) ?? undefined}>
              <th scope="row" dir="auto">
                {candidateName(election, candidate)}
              </th>
              <td className={classes.votes}>{votesAt(stage, candidate)}</td>
              <td className={classes.fate}>{fateAfter(election, candidate, stage.number) ?? ''}</td>
            </tr>
          ))}
          {stage.quota === null ? null : <AmountRow label="Quota" amount={stage.quota} />}
          {hasAmount(stage.nonTransferable) ? (
            <AmountRow label="Non-transferable" amount={stage.nonTransferable} />
          ) : null}
        </tbody>
      </table>
    </>
  );
}

function AmountRow({ label, amount }: { label: string; amount: string }) {
  return (
    <tr className={classes.amount}>
      <th scope="row">{label}</th>
      <td className={classes.votes}>{amount}</td>
      <td />
    </tr>
  );
}
