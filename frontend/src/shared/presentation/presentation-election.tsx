import { useEffect, useEffectEvent, useRef } from 'react';
import type { Result } from '../../api/types';
import type { ElectionResult, ElectionStage } from '../elections/election-types';
import { briefWords, hasAmount, stageKind } from '../result/election/election-names';
import { nobodyWords } from '../result/election/shown-election';
import { outcomeShares, stageShares } from './election-shares';
import classes from './presentation-election.module.css';
import { PresentationOptions } from './presentation-options';

interface PresentationElectionProps {
  result: Result;
  election: ElectionResult;
  /** The shown stage from 1; 0 for the outcome. */
  step: number;
  onStep: (step: number) => void;
}

/**
 * The figures that decided, and the count one stage at a time if it has several. Arrow keys or buttons change the stage;
 * nothing moves by itself.
 */
export function PresentationElection({ result, election, step, onStep }: PresentationElectionProps) {
  const { stages } = election;
  const last = stages.length > 1 ? stages.length : 0;
  const stage = stages[step - 1];
  const root = useStepKeys((by) => onStep(Math.min(Math.max(step + by, 0), last)));

  return (
    <div ref={root} className={classes.root}>
      {stage ? <StageView {...{ result, election, stage }} /> : <OutcomeView {...{ result, election }} />}
      {last > 0 ? (
        <section className={classes.steps} aria-label="Stages of the count">
          {stage ? (
            <button
              type="button"
              className={classes.button}
              aria-keyshortcuts="ArrowLeft"
              onClick={() => onStep(step - 1)}
            >
              {step === 1 ? 'Back to the result' : 'Previous stage'}
            </button>
          ) : null}
          <span className={classes.place} role="status">
            {stage ? `Stage ${step} of ${last}` : `Result, after ${last} stages`}
          </span>
          <button
            type="button"
            className={classes.button}
            aria-disabled={step === last}
            aria-keyshortcuts="ArrowRight"
            onClick={() => onStep(Math.min(step + 1, last))}
          >
            {stage ? 'Next stage' : 'Show the stages'}
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

interface ViewProps {
  result: Result;
  election: ElectionResult;
}

function OutcomeView({ result, election }: ViewProps) {
  const { base, ...shares } = outcomeShares(result, election);
  return (
    <>
      {election.elected.length > 0 ? null : <p className={classes.nobody}>{nobodyWords(election)}</p>}
      {shares.result.options.length > 0 ? (
        <>
          <PresentationOptions {...shares} />
          {base === null ? null : <p className={classes.note}>{base}</p>}
        </>
      ) : null}
    </>
  );
}

/** "Quota: 20.", or for half of the votes "More than 20 needed." */
function neededWords(quota: string, isEnough: boolean): string {
  return isEnough ? `Quota: ${quota}.` : `More than ${quota} needed.`;
}

/** One stage: what happened in words, and the votes of each candidate. */
function StageView({ result, election, stage }: ViewProps & { stage: ElectionStage }) {
  const { base, ...shares } = stageShares(result, election, stage);
  const amounts = [
    ...(stage.quota === null ? [] : [neededWords(stage.quota, stage.isQuotaEnough)]),
    ...(hasAmount(stage.nonTransferable) ? [`Non-transferable: ${stage.nonTransferable}.`] : []),
  ];
  return (
    <>
      <div className={classes.happened}>
        <p className={classes.kind}>{stageKind(election, stage)}</p>
        {briefWords(election, stage).map((sentence) => (
          <p key={sentence} dir="auto">
            {sentence}
          </p>
        ))}
      </div>
      <PresentationOptions {...shares} />
      <p className={classes.note}>{[...amounts, base].join(' ')}</p>
    </>
  );
}
