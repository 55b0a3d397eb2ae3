import { useQuery } from '@tanstack/react-query';
import { messageOf } from '../../../api/api-error';
import type { Question, Round } from '../../../api/types';
import { resultQueries } from '../../../shared/result/queries';
import { SeatsCard } from '../../../shared/result/seats/seats-card';
import { BusyButton } from '../../../shared/ui/busy-button';
import { FormError } from '../../../shared/ui/form-error';
import { questionQueries } from '../../questions/queries';
import { useAddNextBallot } from '../mutations';
import classes from './round-results.module.css';

/** The seats of a declared election, and the next ballot if one is needed. */
export function RoundSeats({ meetingId, round }: { meetingId: string; round: Round }) {
  const elections = useQuery(resultQueries.elections(meetingId));
  const outcome = elections.data?.find(({ rounds }) => rounds.includes(round.id));
  if (!outcome) {
    return elections.isError ? (
      <FormError message={messageOf(elections.error, 'The seats could not be loaded')} />
    ) : null;
  }
  return (
    <SeatsCard meetingId={meetingId} outcome={outcome}>
      {outcome.next ? <NextBallot meetingId={meetingId} roundId={outcome.next.roundId} /> : null}
    </SeatsCard>
  );
}

function NextBallot({ meetingId, roundId }: { meetingId: string; roundId: string }) {
  const agenda = useQuery(questionQueries.ofMeeting(meetingId));
  const add = useAddNextBallot(meetingId, roundId);
  const next = agenda.data?.find((question) => followedRound(question) === roundId);
  if (next) {
    return (
      <p className={classes.quiet}>
        The next ballot is question {next.orderIndex}. Open it when the hall is ready.
      </p>
    );
  }
  return (
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
