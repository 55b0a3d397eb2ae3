import { Button } from '@mantine/core';
import type { EndUser } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import classes from './participant-picker.module.css';
import { ParticipantRow } from './participant-row';

interface ParticipantListProps {
  label: string;
  endUsers: EndUser[];
  /** The total number, including those that are not shown yet. */
  total: number;
  chosen: ReadonlySet<string>;
  isLoadingMore: boolean;
  onToggle: (endUser: EndUser, isChosen: boolean) => void;
  onMore: () => void;
}

/** People with check boxes, loaded in parts. */
export function ParticipantList(props: ParticipantListProps) {
  const { label, endUsers, total, chosen, isLoadingMore, onToggle, onMore } = props;
  if (endUsers.length === 0) {
    return (
      <p className={classes.none} role="status">
        No end users found
      </p>
    );
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <ul className={classes.list} aria-label={label} tabIndex={0}>
        {endUsers.map((endUser) => (
          <ParticipantRow
            key={endUser.id}
            endUser={endUser}
            isChosen={chosen.has(endUser.id)}
            onToggle={onToggle}
          />
        ))}
      </ul>
      {total > endUsers.length ? (
        <div className={classes.more}>
          <span className={classes.hint}>
            {formatNumber(endUsers.length)} of {formatNumber(total)} shown
          </span>
          <Button size="compact-sm" variant="default" aria-disabled={isLoadingMore} onClick={onMore}>
            {isLoadingMore ? 'Loading...' : 'Show more'}
          </Button>
        </div>
      ) : null}
    </>
  );
}
