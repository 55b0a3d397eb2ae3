import { formatTime } from '../format';
import { useServerNow } from '../live/use-now';

/** The time of the server: the clock of the laptop at the projector may be wrong. */
export function PresentationClock({ className }: { className: string | undefined }) {
  const now = new Date(useServerNow(1_000)).toISOString();
  return <time className={className}>{formatTime(now)}</time>;
}
