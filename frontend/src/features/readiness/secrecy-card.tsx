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
  // Questions that count the same among the same people have one forecast.
  const counted = [...new Map(questions.map((question) => [countedBy(question), question])).entries()];
  const keys = counted.map(([key]) => key);
  const forecasts = useQueries({
    queries: counted.map(([, question]) => readinessQueries.secrecyForecast(meetingId, question)),
  });
  const all = forecasts.flatMap(({ data }) => (data ? [data] : []));
  if (all.length < keys.length) {
    const hasFailed = forecasts.some(({ isError }) => isError);
    return hasFailed ? <p role="alert">The check could not be loaded.</p> : null;
  }
  return (
    <ul className={classes.advice} aria-label="Secrecy">
      {questions.map((question) => {
        const forecast = all[keys.indexOf(countedBy(question))];
        return (
          <li key={question.id}>
            <strong>Question {question.orderIndex}</strong>: {forecast ? riskWords(question, forecast) : ''}
          </li>
        );
      })}
    </ul>
  );
}

function countedBy({ weightKindId, groupIds }: Question): string {
  return [weightKindId, ...[...groupIds].sort()].join();
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
