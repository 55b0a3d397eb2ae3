import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../api/api-error';
import type { Question, Round } from '../../../api/types';
import type { ElectionOutcome } from '../../../shared/elections/election-types';
import { resultQueries } from '../../../shared/result/queries';
import { SeatsCard } from '../../../shared/result/seats/seats-card';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import { questionQueries } from '../../questions/queries';
import { useAddNextBallot } from '../mutations';
import classes from './round-results.module.css';

const REFRESH_MS = 10_000;

/** The seats of a declared election, and the next ballot if one is needed. */
export function RoundSeats({ meetingId, round }: { meetingId: string; round: Round }) {
  // Answers and next ballots of other organizers are no steps, so no event tells of them.
  const elections = useQuery({ ...resultQueries.elections(meetingId), refetchInterval: REFRESH_MS });
  const outcome = elections.data?.find(({ rounds }) => rounds.includes(round.id));
  if (!outcome) {
    return elections.isError ? (
      <FormError message={messageOf(elections.error, 'The seats could not be loaded')} />
    ) : null;
  }
  return (
    <SeatsCard meetingId={meetingId} outcome={outcome}>
      <NextBallot meetingId={meetingId} outcome={outcome} />
    </SeatsCard>
  );
}

function NextBallot({ meetingId, outcome }: { meetingId: string; outcome: ElectionOutcome }) {
  const roundId = outcome.rounds.at(-1) ?? '';
  const agenda = useQuery({ ...questionQueries.ofMeeting(meetingId), refetchInterval: REFRESH_MS });
  const add = useAddNextBallot(meetingId, roundId);
  const next = agenda.data?.find((question) => followedRound(question) === roundId);
  if (next) {
    return (
      <p className={classes.quiet}>
        The next ballot is question {next.orderIndex}. Open it when the hall is ready.
      </p>
    );
  }
  return outcome.next === null ? null : (
    <>
      <div>
        <BusyButton isBusy={add.isPending} busyLabel="Adding…" onClick={() => add.mutate()}>
          Add the next ballot
        </BusyButton>
      </div>
      <FormError message={add.error ? messageOf(add.error, 'The next ballot could not be added') : null} />
    </>
  );
}

/** The round that an election on the agenda continues. */
function followedRound({ decisionRule }: Question): string | null {
  return decisionRule?.kind === 'election' ? (decisionRule.election.follows?.round ?? null) : null;
}
