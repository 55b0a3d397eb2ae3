import type { Question } from '../../../api/types';
import { optionLetter } from '../../../shared/question-types';
import classes from './options-cell.module.css';

const PREVIEW = 3;

/** The first options of a question: lettered for multiple choice, numbered for yes/no. */
export function OptionsCell({ question }: { question: Question }) {
  const { optionsList, questionType } = question;
  if (optionsList.length === 0) {
    return <span className={classes.none}>No options</span>;
  }
  return (
    <ul className={classes.list}>
      {optionsList.slice(0, PREVIEW).map((option, index) => (
        <li key={option.id} className={classes.option}>
          <span className={classes.mark}>
            {questionType === 'MULTIPLE_CHOICE' ? optionLetter(index) : index + 1}.
          </span>{' '}
          {option.text}
        </li>
      ))}
      {optionsList.length > PREVIEW ? (
        <li className={classes.none}>+{optionsList.length - PREVIEW} more</li>
      ) : null}
    </ul>
  );
}
