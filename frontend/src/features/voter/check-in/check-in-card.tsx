import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { api, unwrap } from '../../../api/client';
import type { VoterMeeting } from '../../../api/types';
import { formatTime } from '../../../shared/format';
import type { LiveState } from '../../../shared/live/live-events';
import { drawQrCode } from '../../../shared/presentation/qr-drawing';
import { openQuestion } from '../open-question';
import classes from './check-in-card.module.css';

/** The stream tells a check-in at once; this finds one that the stream missed. */
const CHECK_EVERY_MS = 30_000;

interface CheckInCardProps {
  meetingId: string;
  state: LiveState;
  meeting: VoterMeeting | undefined;
}

/** Whether the voter is checked in, unless the meeting is over. */
export function CheckInCard({ meetingId, state, meeting }: CheckInCardProps) {
  const open = openQuestion(state);
  const fetched = meeting?.questions.find(({ id, roundId }) => id === open?.id && roundId === open.roundId);
  // Just after an opening the round is not fetched yet, while its ballot is already on the screen.
  const canVote = open !== null && fetched?.isInRegister !== false;
  return state.status === 'COMPLETED' || state.status === 'CANCELLED' ? null : (
    <OwnCheckIn meetingId={meetingId} known={state.ownCheckIn} canVote={canVote} />
  );
}

interface OwnCheckInProps {
  meetingId: string;
  /** Whether this voter was checked in or out since the last snapshot, if the stream has told that. */
  known: boolean | undefined;
  /** The voter is in the register of the open question as far as is known, by a proxy for example. */
  canVote: boolean;
}

/** Whether the voter is checked in, the code for the desk, and self check-in where it is on. */
function OwnCheckIn({ meetingId, known, canVote }: OwnCheckInProps) {
  const key = ['voter', 'check-in', meetingId];
  const queryClient = useQueryClient();
  const own = useQuery({
    queryKey: key,
    queryFn: ({ signal }) =>
      unwrap(api.GET('/voting/meetings/{meetingId}/check-in', { params: { path: { meetingId } }, signal })),
    refetchInterval: CHECK_EVERY_MS,
  });
  const { refetch } = own;
  useEffect(() => {
    // A snapshot does not contain it, and reaches all phones at the same moment. So only the voter's own event counts: what
    // it told holds until the next one.
    if (known !== undefined) {
      void refetch();
    }
  }, [known, refetch]);

  if (!own.data) {
    return null;
  }
  const { entry, code, selfCheckIn } = own.data;
  if (entry) {
    return (
      <p className={classes.here} role="status">
        You are checked in since {formatTime(entry.at)}
        {entry.role === 'PERSON' ? '' : `, ${entry.by}`}.
      </p>
    );
  }
  return (
    <section className={classes.root} aria-labelledby="check-in">
      <h2 id="check-in" className={classes.title}>
        You are not checked in
      </h2>
      <p>
        Show this code at a check-in desk. Until then you do not count as present
        {canVote ? '' : ' and cannot vote'}.
      </p>
      <OwnCode code={code} />
      {selfCheckIn ? (
        <SelfCheckIn
          meetingId={meetingId}
          onDone={() => void queryClient.invalidateQueries({ queryKey: key })}
        />
      ) : null}
    </section>
  );
}

/** Dark on white in both themes: not every camera reads inverted codes. */
function OwnCode({ code }: { code: string }) {
  const { size, path } = drawQrCode(code);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="Your check-in code"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}

/** The code from the presentation, which a scanned link brings along. */
function scannedCode(): string {
  return /^#check-in=(\d{6})$/.exec(window.location.hash)?.[1] ?? '';
}

function SelfCheckIn({ meetingId, onDone }: { meetingId: string; onDone: () => void }) {
  const [code, setCode] = useState(scannedCode);
  const send = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST('/voting/meetings/{meetingId}/check-in', {
          params: { path: { meetingId } },
          body: { code },
        }),
      ),
    onSuccess: onDone,
  });

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    send.mutate();
  }

  return (
    <form className={classes.form} onSubmit={handleSubmit}>
      <TextInput
        label="Or type the code on the presentation"
        size="lg"
        inputMode="numeric"
        autoComplete="off"
        value={code}
        error={send.isError ? messageOf(send.error, 'You could not be checked in') : undefined}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <Button type="submit" size="lg" h={56} fullWidth loading={send.isPending} disabled={code.trim() === ''}>
        Check in
      </Button>
    </form>
  );
}
