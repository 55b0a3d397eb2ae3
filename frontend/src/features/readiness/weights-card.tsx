import { useQueries, useQuery } from '@tanstack/react-query';
import type { MissingWeights, Question } from '../../api/types';
import { countOf, formatNumber } from '../../shared/format';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { TextLink } from '../../shared/ui/text-link';
import { useWeightKinds } from '../../shared/weights/use-weight-kinds';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import { type CountedKind, readinessQueries } from './queries';
import classes from './readiness.module.css';

/** A kind with the places that count it. */
interface UsedKind extends CountedKind {
  places: string[];
}

/**
 * The kinds of weight that the meeting and its questions count. A person without a value of a kind is a warning: the vote counts
 * zero.
 */
export function WeightsCard({ meetingId }: { meetingId: string }) {
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const kinds = useWeightKinds();
  const used = meeting.data && questions.data ? usedKinds(meeting.data, questions.data) : [];
  const answers = useQueries({
    queries: used.map((kind) => readinessQueries.missingWeights(meetingId, kind)),
  });
  return used.length === 0 ? null : (
    <Card
      title="Weights"
      description="What this meeting and its questions count. No value is the same as zero."
    >
      <ul className={classes.advice} aria-label="Weights">
        {used.map((kind, index) => (
          <li key={`${kind.weightKindId} ${kind.groupIds.join()}`}>
            <strong>{kinds.find(({ id }) => id === kind.weightKindId)?.name ?? 'A kind of weight'}</strong>:{' '}
            {answers[index]?.data ? <Missing found={answers[index].data} /> : null}
            {answers[index]?.isError ? <span role="alert">The check could not be loaded.</span> : null} Used
            by {kind.places.join(', ')}.
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Missing({ found: { people, first } }: { found: MissingWeights }) {
  if (people === 0) {
    return <>everybody who may vote has a value.</>;
  }
  const more = people - first.length;
  return (
    <>
      {countOf(people, 'person', 'people')} who may vote {people === 1 ? 'has' : 'have'} no value, so{' '}
      {people === 1 ? 'this vote counts' : 'these votes count'} zero:{' '}
      {first.map(({ endUserId, name }, index) => (
        <span key={endUserId}>
          {index === 0 ? '' : ', '}
          <TextLink to={paths.clientEndUser(endUserId)}>{name}</TextLink>
        </span>
      ))}
      {more > 0 ? ` and ${formatNumber(more)} more` : ''}.
    </>
  );
}

function usedKinds(
  meeting: { weightKindId: string | null; groupIds: string[] },
  questions: Question[],
): UsedKind[] {
  const used: UsedKind[] = [];
  function add(weightKindId: string | null | undefined, groupIds: string[], place: string) {
    if (!weightKindId) {
      return;
    }
    const known = used.find((kind) => kind.weightKindId === weightKindId && isSame(kind.groupIds, groupIds));
    if (known) {
      known.places.push(place);
    } else {
      used.push({ weightKindId, groupIds, places: [place] });
    }
  }
  add(meeting.weightKindId, [], 'the meeting');
  for (const { weightKindId, secondWeightKindId, groupIds, orderIndex } of questions) {
    add(weightKindId, groupIds, `question ${orderIndex}`);
    add(secondWeightKindId, groupIds, `the second weight of question ${orderIndex}`);
  }
  return used;
}

function isSame(some: string[], others: string[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}
