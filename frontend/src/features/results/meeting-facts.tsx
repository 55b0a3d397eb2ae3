import type { MeetingResults, MeetingStatus } from '../../api/types';
import { formatPeriod } from '../../shared/format';
import { atOpeningWords, quorumWords } from '../../shared/result/result-words';
import { MeetingStatusBadge } from '../../shared/ui/meeting-status-badge';
import classes from './results-page.module.css';

/** The data of the meeting itself. */
export function MeetingFacts({ meeting }: Pick<MeetingResults, 'meeting'>) {
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
          ? `${quorumWords(quorum)}${quorum.attendance === 'present' ? ` ${atOpeningWords(quorum)}` : ''}`
          : 'None'}
      </dd>
    </dl>
  );
}
