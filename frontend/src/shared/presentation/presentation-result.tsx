import { useEffect, useState } from 'react';
import type { Result, AnswerWall as Wall } from '../../api/types';
import { countOf, formatNumber, formatTime } from '../format';
import { decisionSentence, quorumSentenceOf } from '../result/chair-sentences';
import { shownElection } from '../result/election/shown-election';
import { isSurvey, unitsOf } from '../result/figures';
import { firstGroups } from '../result/record-words';
import { baseSentence } from '../result/shares';
import { unitAfter, weightName } from '../result/weight-names';
import { invalidWords, SECRECY_NAMES } from '../terms/secrecy';
import { AnswerWall } from './answer-wall';
import { PresentationVerdict } from './presentation-decision';
import { PresentationElection } from './presentation-election';
import { PresentationNumbers } from './presentation-numbers';
import { PresentationOptions } from './presentation-options';
import classes from './presentation-result.module.css';

interface PresentationResultProps {
  result: Result;
  /** The answers to a text question, if the organizer shows them. */
  wall: Wall | null;
  questionCount: number;
  /** The rounds that this presentation has shown. Their results appear again without the animation. */
  revealed: Set<string>;
  /** The shown stage of an election's count; 0 for the elected. */
  stage: number;
  onStage: (stage: number) => void;
}

const FEW = 4;
const SOME = 7;

/** The declared result: the verdict in words, and the figures behind it. */
export function PresentationResult(props: PresentationResultProps) {
  const { result, wall, questionCount, revealed, stage, onStage } = props;
  const { roundId, position, number, questionText, secrecy, groups, declared, record } = result;
  const election = shownElection(result);
  const [isNew] = useState(() => !revealed.has(roundId));
  useEffect(() => {
    revealed.add(roundId);
  }, [revealed, roundId]);

  return (
    <div className={classes.root} data-rows={rowsOf(result)} data-new={isNew}>
      <div className={classes.meta}>
        <span>
          Question {position} of {questionCount}
        </span>
        <span className={classes.mark}>Result</span>
        {number > 1 ? <span>Re-vote, round {number}</span> : null}
        {secrecy === 'unshown' ? null : <span>{SECRECY_NAMES[secrecy]}</span>}
        {groups && groups.length > 0 ? <span dir="auto">For {groups.join(', ')}</span> : null}
        {declared ? <span className={classes.declared}>Declared at {formatTime(declared.at)}</span> : null}
        {record ? <span className={classes.record}>Record {firstGroups(record.hash)}</span> : null}
      </div>
      <h2 className={classes.text} dir="auto">
        {questionText}
      </h2>
      {/* A stage needs the space of the verdict. */}
      {stage > 0 ? null : <PresentationVerdict result={result} />}
      {election ? (
        <PresentationElection result={result} election={election} step={stage} onStep={onStage} />
      ) : (
        <Figures result={result} wall={wall} />
      )}
      <p className={classes.note}>{notesOf(result).join(' ')}</p>
    </div>
  );
}

function Figures({ result, wall }: { result: Result; wall: Wall | null }) {
  const { numbers } = result;
  if (numbers) {
    return <PresentationNumbers result={{ ...result, numbers }} />;
  }
  if (result.questionType === 'OPEN_TEXT') {
    if (wall) {
      return <AnswerWall wall={wall} />;
    }
    return (
      <p className={classes.answers}>
        <strong>{formatNumber(result.votesCast.heads)}</strong>
        {result.votesCast.heads === 1 ? 'answer' : 'answers'}
      </p>
    );
  }
  return <PresentationOptions result={result} />;
}

function rowsOf({ options }: Result): 'few' | 'some' | 'many' {
  if (options.length <= FEW) {
    return 'few';
  }
  return options.length <= SOME ? 'some' : 'many';
}

function notesOf(result: Result): string[] {
  const { votesCast, register, decisionRule, differentTexts, decision, weightKind, secondWeight } = result;
  const weight = `, by ${weightName(weightKind)} ${formatNumber(votesCast.weight)} of ${formatNumber(register.weight)}${unitAfter(weightKind)}`;
  const voted = `${formatNumber(votesCast.heads)} of ${formatNumber(register.heads)} voted`;
  const notes = [`${unitsOf(decisionRule).includes('weight') ? voted + weight : voted}.`];
  if (secondWeight) {
    notes.push(secondWords(secondWeight, result.options));
  }
  const invalid = invalidWords(result);
  if (invalid !== null) {
    notes.push(invalid);
  }
  if (result.options.length > 0 && !result.election) {
    notes.push(baseSentence(result));
  }
  if (differentTexts !== null) {
    notes.push(`${countOf(differentTexts, 'different answer')}.`);
  }
  if (decision.outcome === 'undecided' && !isSurvey(result)) {
    // Not large enough for the back row, but still shown.
    const quorum = quorumSentenceOf(result);
    notes.push(decisionSentence(result), ...(quorum ? [quorum] : []));
  }
  return notes;
}

/** "Capital: 620 of 1,000 EUR voted; Yes 500, No 120." */
function secondWords(
  { kind, votesCast, register, options: sums }: NonNullable<Result['secondWeight']>,
  options: Result['options'],
): string {
  const each = sums.map(
    ({ id, weight }) => `${options.find((option) => option.id === id)?.text ?? ''} ${formatNumber(weight)}`,
  );
  const voted = `${kind.name}: ${formatNumber(votesCast.weight)} of ${formatNumber(register.weight)}${unitAfter(kind)} voted`;
  return `${[voted, ...(each.length > 0 ? [each.join(', ')] : [])].join('; ')}.`;
}
