import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApiError } from '../../api/api-error';
import { usePresentationStream } from '../../shared/live/use-presentation-stream';
import { paths, publicUrl } from '../../shared/paths';
import { PresentationCheckIn } from '../../shared/presentation/presentation-check-in';
import { PresentationView } from '../../shared/presentation/presentation-view';
import { LoadingScreen } from '../../shared/ui/loading-screen';
import { PresentationControls } from './presentation-controls';
import classes from './presentation-page.module.css';
import { presentationQueries } from './queries';
import { useIdle } from './use-idle';
import { useAwake } from './use-wake-lock';

/** The time for which the cursor, the controls and the hint stay after the last movement. */
const IDLE_AFTER_MS = 5_000;

/** The presentation for the hall: public, and without interaction. */
export function PresentationPage() {
  const { meetingId = '' } = useParams();
  const live = usePresentationStream(meetingId);
  const question = live.state?.currentQuestion;
  const declaredRoundId = question?.declaredRoundId ?? null;
  const wallVersion = question?.answerWall ?? null;
  const result = useQuery(presentationQueries.result(meetingId, declaredRoundId));
  const wall = useQuery(presentationQueries.wall(meetingId, declaredRoundId, wallVersion));
  const isWallCurrent = wallVersion !== null && !(wall.isPlaceholderData && wall.failureCount > 0);
  const isIdle = useIdle(IDLE_AFTER_MS);
  const isAwake = useAwake();

  if (live.refusal) {
    return <PresentationError text="Meeting not found" />;
  }
  if (live.state === null) {
    return live.status === 'offline' ? (
      <PresentationError text="Failed to load meeting data" hint="This screen tries again automatically." />
    ) : (
      <LoadingScreen text="Loading Plenum..." />
    );
  }
  return (
    <main className={classes.root} data-idle={isIdle}>
      <title>{`${live.state.title} · Plenum`}</title>
      <PresentationView
        presentation={live.state}
        connection={live.status}
        lastContactAt={live.lastContactAt}
        joinUrl={publicUrl(paths.participantLogin(live.state.clientCode))}
        result={result.data ?? null}
        wall={isWallCurrent ? (wall.data ?? null) : null}
        isResultDamaged={isDamaged(result.failureReason)}
        checkIn={live.state.checkIn?.selfCheckIn ? <PresentationCheckIn meetingId={meetingId} /> : null}
      />
      <PresentationControls isIdle={isIdle} isAwake={isAwake} />
    </main>
  );
}

/** Whether the record is damaged. The query continues, because the operator may repair it. */
function isDamaged(failure: unknown): boolean {
  return failure instanceof ApiError && failure.code === 'record_damaged';
}

function PresentationError({ text, hint }: { text: string; hint?: string }) {
  return (
    <main className={classes.error}>
      <title>Error · Plenum</title>
      <h1>Error</h1>
      <p role="alert">{text}</p>
      {hint ? <p className={classes.hint}>{hint}</p> : null}
    </main>
  );
}
