import type { CSSProperties } from 'react';
import type { PresentationState } from '../live/live-events';
import { optionLetter } from '../question-types';
import classes from './wall-question.module.css';

type WallQuestionState = NonNullable<PresentationState['currentQuestion']>;

interface WallQuestionProps {
  question: WallQuestionState;
  questionCount: number;
  typeLabel: string;
}

const TWO_COLUMNS_FROM = 5;

/** The question, large, with what can be answered. */
export function WallQuestion({ question, questionCount, typeLabel }: WallQuestionProps) {
  const { maxChoices, options } = question;
  return (
    <div className={classes.root} data-long={question.questionText.length > 140}>
      <div className={classes.meta}>
        <span>
          Question {question.orderIndex} of {questionCount}
        </span>
        <span className={classes.type}>{typeLabel}</span>
        {maxChoices !== null && maxChoices < options.length ? <span>Choose up to {maxChoices}</span> : null}
        <span className={classes.phase} data-open={question.isOpen}>
          {question.isOpen ? 'Voting is open' : 'Voting is not open'}
        </span>
      </div>
      <h2 className={classes.text}>{question.questionText}</h2>
      <Answers question={question} />
    </div>
  );
}

function Answers({ question }: { question: WallQuestionState }) {
  const { questionType, options, ratingMax } = question;
  switch (questionType) {
    case 'OPEN_TEXT':
      return <p className={classes.hint}>Provide your text response</p>;
    case 'RATING':
      return <p className={classes.hint}>Rate from 1 to {ratingMax ?? 5}</p>;
    case 'PERCENTAGE':
      return <p className={classes.hint}>Enter percentage (0-100%)</p>;
    case 'YES_NO':
      return options.length > 0 ? <Options options={options} /> : <YesNoTiles />;
    case 'MULTIPLE_CHOICE':
      return <Options options={options} />;
  }
}

function Options({ options }: { options: string[] }) {
  return (
    <ol
      className={classes.options}
      data-columns={options.length >= TWO_COLUMNS_FROM ? 2 : 1}
      style={{ '--rows': Math.ceil(options.length / 2) } as CSSProperties}
    >
      {options.map((option, position) => (
        <li key={option} className={classes.option}>
          <span className={classes.letter}>{optionLetter(position)}</span>
          <span className={classes.optionText}>{option}</span>
        </li>
      ))}
    </ol>
  );
}

function YesNoTiles() {
  return (
    <div className={classes.tiles}>
      <span className={classes.tile}>YES</span>
      <span className={classes.tile}>NO</span>
    </div>
  );
}
