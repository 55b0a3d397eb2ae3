import type { PresentationState } from '../live/live-events';
import { spokenRole } from '../option-roles';
import { optionLetter, questionTypeLabel } from '../question-types';
import { OptionSign } from '../result/option-sign';
import { SECRECY_NAMES } from '../terms/secrecy';
import { MANY_FROM, questionLength } from './list-layout';
import { PresentationCandidates } from './presentation-candidates';
import { PresentationList } from './presentation-list';
import type { PresentationPhase } from './presentation-phase';
import classes from './presentation-question.module.css';

export type PresentationQuestionState = NonNullable<PresentationState['currentQuestion']>;

interface PresentationQuestionProps {
  question: PresentationQuestionState;
  phase: PresentationPhase;
  questionCount: number;
}

const LONG_FROM = 140;
const DENSE_FROM = 600;

/** The question, large, with its possible answers. */
export function PresentationQuestion({ question, phase, questionCount }: PresentationQuestionProps) {
  const { maxChoices, options, questionText, questionType, ratingMax, secrecy, groups } = question;
  return (
    <div
      className={classes.root}
      data-length={lengthOf(question)}
      data-many={options.length >= MANY_FROM}
      data-question={questionLength(questionText)}
      data-phase={phase}
    >
      <div className={classes.meta}>
        <div className={classes.labels}>
          <span>
            Question {question.orderIndex} of {questionCount}
          </span>
          <span className={classes.type}>{questionTypeLabel(questionType, ratingMax)}</span>
          <span>{SECRECY_NAMES[secrecy]}</span>
          {groups && groups.length > 0 ? <span dir="auto">For {groups.join(', ')}</span> : null}
          {maxChoices !== null && maxChoices < options.length ? (
            <span>{maxChoices === 1 ? 'Choose one' : `Choose up to ${maxChoices}`}</span>
          ) : null}
        </div>
        {phase === 'closed' ? null : (
          <span className={classes.phase}>{phase === 'open' ? 'Voting is open' : 'Voting is not open'}</span>
        )}
      </div>
      <h2 className={classes.text} dir="auto">
        {questionText}
      </h2>
      <Answers question={question} />
    </div>
  );
}

/** Long texts get more similar sizes, so that the smallest part is as large as possible. */
export function lengthOf({ questionText, options }: PresentationQuestionState): 'short' | 'long' | 'dense' {
  const letters = options.reduce((sum, option) => sum + option.length, questionText.length);
  if (letters > DENSE_FROM || options.length >= MANY_FROM) {
    return 'dense';
  }
  return questionText.length > LONG_FROM ? 'long' : 'short';
}

function Answers({ question }: { question: PresentationQuestionState }) {
  const { questionType, questionText, options, ratingMax } = question;
  switch (questionType) {
    case 'OPEN_TEXT':
      return <p className={classes.hint}>Provide your text response</p>;
    case 'RATING':
      return <Rating max={ratingMax ?? 5} />;
    case 'PERCENTAGE':
      return <p className={classes.hint}>Enter percentage (0-100%)</p>;
    case 'YES_NO':
      return options.length > 0 ? (
        <Options questionText={questionText} options={options} hasSigns />
      ) : (
        <YesNoTiles />
      );
    case 'ELECTION':
      return <PresentationCandidates question={question} />;
    case 'MULTIPLE_CHOICE':
      return <Options questionText={questionText} options={options} />;
  }
}

interface OptionsProps {
  questionText: string;
  options: string[];
  hasSigns?: boolean;
}

function Options({ questionText, options, hasSigns = false }: OptionsProps) {
  const entries = options.map((option, position) => ({
    key: option,
    text: option,
    content: (
      <>
        <span className={classes.letter}>{optionLetter(position)}</span>
        {hasSigns ? (
          <span className={classes.sign}>
            <OptionSign role={spokenRole(option)} size="1.2em" />
          </span>
        ) : null}
        <bdi className={classes.optionText}>{option}</bdi>
      </>
    ),
  }));
  return <PresentationList questionText={questionText} entries={entries} />;
}

function Rating({ max }: { max: number }) {
  return (
    <>
      <p className={classes.hint}>Rate from 1 to {max}</p>
      <div className={classes.scale} aria-hidden="true">
        {Array.from({ length: max }, (_, position) => position + 1).map((step) => (
          <span key={step} className={classes.step}>
            {step}
          </span>
        ))}
      </div>
    </>
  );
}

function YesNoTiles() {
  return (
    <div className={classes.tiles}>
      <span className={classes.tile}>
        <OptionSign role={spokenRole('yes')} size="1em" />
        YES
      </span>
      <span className={classes.tile}>
        <OptionSign role={spokenRole('no')} size="1em" />
        NO
      </span>
    </div>
  );
}
