import { useParams } from 'react-router';
import { useNow } from '../../shared/live/use-now';
import { usePresentationStream } from '../../shared/live/use-presentation-stream';
import { paths, publicUrl } from '../../shared/paths';
import { LoadingScreen } from '../../shared/ui/loading-screen';
import { WallView } from '../../shared/wall/wall-view';
import classes from './presentation-page.module.css';

/** The big screen of the hall: public, and without anything to press. */
export function PresentationPage() {
  const { meetingId = '' } = useParams();
  const live = usePresentationStream(meetingId);
  const now = useNow(1_000);

  if (live.refusal) {
    return <WallError text="Meeting not found" />;
  }
  if (live.state === null) {
    return live.status === 'offline' ? (
      <WallError text="Failed to load meeting data" hint="This screen tries again by itself." />
    ) : (
      <LoadingScreen text="Loading Plenum..." />
    );
  }
  return (
    <main className={classes.root}>
      <title>{`${live.state.title} · Plenum`}</title>
      <WallView
        presentation={live.state}
        connection={live.status}
        heardAt={live.heardAt}
        now={now}
        joinUrl={publicUrl(paths.participantLogin(live.state.clientCode))}
      />
    </main>
  );
}

function WallError({ text, hint }: { text: string; hint?: string }) {
  return (
    <main className={classes.error}>
      <title>Error · Plenum</title>
      <h1>Error</h1>
      <p role="alert">{text}</p>
      {hint ? <p className={classes.hint}>{hint}</p> : null}
    </main>
  );
}
