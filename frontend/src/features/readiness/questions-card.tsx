import { useQuery } from '@tanstack/react-query';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { TextLink } from '../../shared/ui/text-link';
import { questionQueries } from '../questions/queries';

/** Tells of a meeting without questions, because it cannot be started. */
export function QuestionsCard({ meetingId }: { meetingId: string }) {
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  return questions.data?.length === 0 ? (
    <Card title="Questions">
      <p>
        This meeting has no questions, so it cannot be started.{' '}
        <TextLink to={paths.meetingQuestions(meetingId)}>Add a question</TextLink>
      </p>
    </Card>
  ) : null;
}
