import type { Question } from '../../../api/types';
import { optionLetter, questionTypeLabel } from '../../../shared/question-types';
import { OptionSign } from '../../../shared/result/option-sign';
import { ruleNameOfElection } from '../../../shared/result/result-words';
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

/** The candidates with their lines, and the rule of the election. */
function Candidates({ question: { optionsList, decisionRule } }: { question: Question }) {
  const election = decisionRule?.kind === 'election' ? decisionRule.election : null;
  return (
    <>
      {election ? <p className={classes.answerHint}>{ruleNameOfElection(election)}</p> : null}
      <ol className={classes.options} data-long={optionsList.length > 4}>
        {optionsList.map(({ id, text }, index) => {
          const candidate = election?.candidates?.[index];
          return (
            <li key={id} className={classes.option}>
              <span className={classes.letter}>{index + 1}</span>
              <span className={classes.optionText} dir="auto">
                {candidate?.isWithdrawn ? <s>{text}</s> : text}
                {candidate?.isWithdrawn ? ' (withdrawn)' : ''}
                {candidate?.line ? <span className={classes.candidateLine}> {candidate.line}</span> : null}
              </span>
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Answers({ question }: { question: Question }) {
  switch (question.questionType) {
    case 'ELECTION':
      return <Candidates question={question} />;
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
