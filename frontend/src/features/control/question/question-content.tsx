import type { Question } from '../../../api/types';
import { optionLetter, questionTypeLabel } from '../../../shared/question-types';
import { OptionSign } from '../../../shared/result/option-sign';
import classes from './question-content.module.css';

/** A question as voters see it. */
export function QuestionContent({ question }: { question: Question }) {
  return (
    <>
      <p className={classes.type}>{questionTypeLabel(question.questionType, question.ratingMax)}</p>
      <p className={classes.text} dir="auto">
        {question.questionText}
      </p>
      <Answers question={question} />
    </>
  );
}

function Answers({ question }: { question: Question }) {
  switch (question.questionType) {
    case 'YES_NO':
    case 'MULTIPLE_CHOICE':
      return (
        <ol className={classes.options} data-long={question.optionsList.length > 4}>
          {question.optionsList.map(({ id, text, role }, position) => (
            <li key={id} className={classes.option}>
              <span className={classes.letter}>{optionLetter(position)}</span>
              <OptionSign role={role} />
              <span className={classes.optionText} dir="auto">
                {text}
              </span>
            </li>
          ))}
        </ol>
      );
    case 'RATING':
      return <p className={classes.answerHint}>Rate from 1 to {question.ratingMax ?? 5}</p>;
    case 'PERCENTAGE':
      return <p className={classes.answerHint}>Enter percentage (0-100%)</p>;
    case 'OPEN_TEXT':
      return <p className={classes.answerHint}>Provide your text response</p>;
  }
}
