import type { MeetingResults, MeetingStatus } from '../../api/types';
import { formatPeriod } from '../../shared/format';
import { atOpeningWords, quorumWords } from '../../shared/result/result-words';
import type { NamedKind } from '../../shared/result/weight-names';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import classes from './results-page.module.css';

interface MeetingFactsProps extends Pick<MeetingResults, 'meeting'> {
  /** What the meeting counts as weight. */
  kind: NamedKind;
}

/** The data of the meeting itself. */
export function MeetingFacts({ meeting, kind }: MeetingFactsProps) {
  const { organization, scheduledStart, scheduledEnd, status, quorum } = meeting;
  return (
    <dl className={classes.facts}>
      <dt>Organization</dt>
      <dd>{organization}</dd>
      {scheduledStart && scheduledEnd ? (
        <>
          <dt>Scheduled time</dt>
          <dd>{formatPeriod(scheduledStart, scheduledEnd)}</dd>
        </>
      ) : null}
      <dt>Status</dt>
      <dd>
        <MeetingStatusBadge status={status as MeetingStatus} />
      </dd>
      <dt>Quorum</dt>
      <dd>
        {quorum
          ? `${quorumWords(quorum, kind)}${quorum.attendance === 'present' ? ` ${atOpeningWords(quorum)}` : ''}`
          : 'None'}
      </dd>
    </dl>
  );
}
