import { useQueries, useQuery } from '@tanstack/react-query';
import type { Question, RehearsalReport, SecrecyForecast } from '../../api/types';
import { isAlwaysByHeads } from '../../shared/terms/secrecy';
import { Card } from '../../shared/ui/card';
import { questionQueries } from '../questions/queries';
import { readinessQueries } from './queries';
import classes from './readiness.module.css';
import { sealingWords } from './readiness-text';

interface SecrecyCardProps {
  meetingId: string;
  report: RehearsalReport | undefined;
}

/** Whether the secret questions of the meeting will stay secret, and whether the devices can seal ballots. */
export function SecrecyCard({ meetingId, report }: SecrecyCardProps) {
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const secret = (questions.data ?? []).filter(({ secrecy }) => secrecy === 'secret');
  return secret.length > 0 ? (
    <Card
      title="Secret Questions"
      description="Totals of few votes can show how somebody voted. This is the check with the people who may vote now. It is repeated when a question opens."
    >
      <Forecasts meetingId={meetingId} questions={secret} />
      {report ? <p>{sealingWords(report)}</p> : null}
    </Card>
  ) : null;
}

function Forecasts({ meetingId, questions }: { meetingId: string; questions: Question[] }) {
  const kinds = [...new Set(questions.map(({ weightKindId }) => weightKindId))];
  const forecasts = useQueries({
    queries: kinds.map((kindId) => readinessQueries.secrecyForecast(meetingId, kindId)),
  });
  const all = forecasts.flatMap(({ data }) => (data ? [data] : []));
  if (all.length < kinds.length) {
    const hasFailed = forecasts.some(({ isError }) => isError);
    return hasFailed ? <p role="alert">The check could not be loaded.</p> : null;
  }
  return (
    <ul className={classes.advice} aria-label="Secrecy">
      {questions.map((question) => {
        const forecast = all[kinds.indexOf(question.weightKindId)];
        return (
          <li key={question.id}>
            <strong>Question {question.orderIndex}</strong>: {forecast ? riskWords(question, forecast) : ''}
          </li>
        );
      })}
    </ul>
  );
}

function riskWords(question: Question, { people, byWeight, byHeads }: SecrecyForecast): string {
  if (people === 0) {
    return 'nobody may vote yet.';
  }
  const risk = question.countsHeads || isAlwaysByHeads(question) ? byHeads : byWeight;
  if (risk === null) {
    return 'no vote can be inferred from the totals, unless all are equal.';
  }
  const remedy = byHeads === null ? ' Counting by heads avoids that.' : '';
  return `${risk.charAt(0).toLowerCase()}${risk.slice(1)}.${remedy}`;
}
