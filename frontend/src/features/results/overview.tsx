import { electionWaits } from '../../shared/result/election/election-waits';
import { isSurvey } from '../../shared/result/figures';
import { OutcomeBadge } from '../../shared/result/outcome-badge';
import { Card } from '../../shared/ui/card';
import classes from './overview.module.css';
import type { QuestionRounds } from './question-results';
import { questionAnchor } from './question-results';

/** Each question with its decision, and a link to it. */
export function Overview({ questions }: { questions: QuestionRounds[] }) {
  return (
    <Card title="Overview">
      <ol className={classes.list}>
        {questions.map(({ questionId, position, text, latest, rounds }) => (
          <li key={questionId} className={classes.entry}>
            <span className={classes.position}>{position}</span>
            <button
              type="button"
              className={classes.link}
              dir="auto"
              data-printed
              onClick={() => goTo(questionId)}
            >
              {text}
            </button>
            <span className={classes.state}>
              {[
                ...(rounds.length > 1 ? [`${rounds.length} rounds`] : []),
                latest.declared ? 'Declared' : 'Not declared yet',
              ].join(' · ')}
            </span>
            {isSurvey(latest) ? (
              <span>Survey</span>
            ) : (
              <OutcomeBadge outcome={latest.decision.outcome} isWaiting={electionWaits(latest)} />
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function goTo(questionId: string) {
  const heading = document.getElementById(questionAnchor(questionId));
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'start' });
}
