import { useQuery } from '@tanstack/react-query';
import { groupQueries } from '../../shared/groups/queries';
import { paths } from '../../shared/paths';
import { Card } from '../../shared/ui/card';
import { TextLink } from '../../shared/ui/text-link';
import { meetingQueries } from '../meetings/queries';
import { questionQueries } from '../questions/queries';
import classes from './readiness.module.css';

/** The groups that the meeting and its questions are for. An empty one is a warning: nobody could vote. */
export function GroupsCard({ meetingId }: { meetingId: string }) {
  const meeting = useQuery(meetingQueries.detail(meetingId));
  const questions = useQuery(questionQueries.ofMeeting(meetingId));
  const groups = useQuery(groupQueries.list());
  const places = [
    ...(meeting.data?.groupIds ?? []).map((id) => ({ id, place: 'the meeting' })),
    ...(questions.data ?? []).flatMap(({ groupIds, orderIndex }) =>
      groupIds.map((id) => ({ id, place: `question ${orderIndex}` })),
    ),
    ...(questions.data ?? []).flatMap(({ decisionRule, orderIndex }) =>
      (decisionRule?.kind === 'majority' ? (decisionRule.inEach ?? []) : []).map((id) => ({
        id,
        place: `the rule of question ${orderIndex}`,
      })),
    ),
  ];
  const used = (groups.data ?? []).filter(({ id }) => places.some((place) => place.id === id));
  return used.length === 0 ? null : (
    <Card title="Groups" description="The groups that this meeting and its questions are for.">
      <ul className={classes.advice} aria-label="Groups">
        {used.map(({ id, name, members }) => (
          <li key={id}>
            <TextLink to={paths.clientGroupMembers(id)}>{name}</TextLink>
            {members === 0 ? ' has no members' : ` has ${members} ${members === 1 ? 'member' : 'members'}`}.
            Used by{' '}
            {places
              .filter((place) => place.id === id)
              .map(({ place }) => place)
              .join(', ')}
            .{members === 0 ? ' Nobody can vote in it.' : ''}
          </li>
        ))}
      </ul>
    </Card>
  );
}
