import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useId } from 'react';
import type { BallotCandidate } from '../../elections/election-types';
import { plural, pointsGiven, readPoints } from '../../elections/marks';
import { writePoints } from '../../elections/marks-writing';
import { CandidateAbout, CandidateText } from './candidate-text';
import classes from './election.module.css';
import type { MarksProps } from './marks-props';

/**
 * Votes or points for candidates, by steps of one. On a cumulative ballot they share a sum. On a score ballot, 0 points
 * can be written down, and count like none.
 */
export function PointsBallot(props: MarksProps) {
  const { election, candidates, answers, isDisabled, labelledBy, describedBy, onChange } = props;
  const points = readPoints(answers);
  const isSum = election.votes !== null;
  const left = election.votes === null ? null : election.votes - pointsGiven(answers);
  const most = election.mostForOne ?? election.votes ?? Number.POSITIVE_INFINITY;
  const unit = isSum ? 'vote' : 'point';

  function handleCount({ number, name }: BallotCandidate, count: number | null) {
    const next = new Map(points);
    if (count === null) {
      next.delete(number);
    } else {
      next.set(number, count);
    }
    const inOrder = candidates.flatMap((one) => {
      const given = next.get(one.number);
      return given === undefined ? [] : [[one.number, given] as const];
    });
    const has = count === null ? `no ${unit}s` : plural(count, unit);
    onChange(writePoints(new Map(inOrder)), `${name} has ${has}.`);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would repeat the question as its legend.
    <div role="group" aria-labelledby={labelledBy} aria-describedby={describedBy}>
      <ul className={classes.list}>
        {candidates.map((candidate) => {
          const count = points.get(candidate.number) ?? null;
          return (
            <StepperRow
              key={candidate.number}
              candidate={candidate}
              count={count}
              unit={unit}
              canAdd={!isDisabled && (count ?? 0) < most && left !== 0}
              canTake={!isDisabled && count !== null}
              onAdd={() => handleCount(candidate, (count ?? 0) + 1)}
              onTake={() => handleCount(candidate, oneLess(count ?? 0, isSum))}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** Without votes, a candidate has no mark. Points may be 0. */
function oneLess(count: number, isSum: boolean): number | null {
  return count === 0 || (isSum && count === 1) ? null : count - 1;
}

interface StepperRowProps {
  candidate: BallotCandidate;
  count: number | null;
  unit: string;
  canAdd: boolean;
  canTake: boolean;
  onAdd: () => void;
  onTake: () => void;
}

function StepperRow(props: StepperRowProps) {
  const { candidate, count, unit, canAdd, canTake, onAdd, onTake } = props;
  const id = useId();
  return (
    <li className={classes.card} data-chosen={count !== null && count > 0}>
      <div className={classes.stepperRow}>
        <div id={id} className={classes.cardName}>
          <CandidateText candidate={candidate} />
        </div>
        {candidate.isWithdrawn ? null : (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset would need the name a second time.
          <div className={classes.stepper} role="group" aria-labelledby={id}>
            <StepButton label={`One ${unit} less for ${candidate.name}`} isOn={canTake} onPress={onTake}>
              <IconMinus size={20} stroke={2} aria-hidden="true" />
            </StepButton>
            <span className={classes.count}>{count ?? '–'}</span>
            <StepButton label={`One ${unit} more for ${candidate.name}`} isOn={canAdd} onPress={onAdd}>
              <IconPlus size={20} stroke={2} aria-hidden="true" />
            </StepButton>
          </div>
        )}
      </div>
      <CandidateAbout candidate={candidate} />
    </li>
  );
}

interface StepButtonProps {
  label: string;
  isOn: boolean;
  onPress: () => void;
  children: React.ReactNode;
}

/** Stays in the tab order at its limit, so that the focus is not lost. */
export function StepButton({ label, isOn, onPress, children }: StepButtonProps) {
  return (
    <button
      type="button"
      className={classes.step}
      aria-label={label}
      aria-disabled={!isOn}
      onClick={() => {
        if (isOn) {
          onPress();
        }
      }}
    >
      {children}
    </button>
  );
}
