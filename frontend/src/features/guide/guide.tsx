import { useQuery } from '@tanstack/react-query';
import { SplitGrid } from '../../shared/ui/split-grid';
import { endUserQueries } from '../end-users/queries';
import { FirstSteps } from './first-steps';
import { hasBeenLive, nextMeeting } from './next-meeting';
import { NextMeetingCard } from './next-meeting-card';
import { guideQueries } from './queries';

/** What to do next: the path to the first meeting, and later the next meeting with what it lacks. */
export function Guide() {
  const meetings = useQuery(guideQueries.meetings());
  const stats = useQuery(endUserQueries.stats());
  const next = meetings.data ? nextMeeting(meetings.data, Date.now()) : null;
  const isRehearsed = useQuery({ ...guideQueries.isRehearsed(next?.id ?? ''), enabled: next !== null });

  // The guide is a help. Without its facts, the rest of the dashboard leads everywhere as well.
  if (!meetings.data || !stats.data || (next && isRehearsed.isPending)) {
    return null;
  }
  if (!hasBeenLive(meetings.data)) {
    return (
      <SplitGrid>
        <FirstSteps hasPeople={stats.data.total > 0} meeting={next} isRehearsed={isRehearsed.data ?? false} />
      </SplitGrid>
    );
  }
  return next ? (
    <SplitGrid>
      <NextMeetingCard
        meeting={next}
        activePeople={stats.data.active}
        isRehearsed={isRehearsed.data ?? null}
      />
    </SplitGrid>
  ) : null;
}
