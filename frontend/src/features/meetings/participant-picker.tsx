import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatNumber } from '../../shared/format';
import { ErrorState } from '../../shared/ui/error-state';
import { SearchInput } from '../../shared/ui/search-input';
import { TableSkeleton } from '../../shared/ui/table-skeleton';
import { endUserQueries } from '../end-users/queries';
import classes from './participant-picker.module.css';

interface ParticipantPickerProps {
  isForAll: boolean;
  endUserIds: string[];
  onForAllChange: (isForAll: boolean) => void;
  onEndUserIdsChange: (endUserIds: string[]) => void;
}

/** People shown at once: most organizations in full; of larger ones the search finds the others. */
const SHOWN_AT_ONCE = 200;
const SEARCH_FROM = 8;

/** Who is invited: everybody active, or a choice. */
export function ParticipantPicker(props: ParticipantPickerProps) {
  const { isForAll, endUserIds, onForAllChange, onEndUserIdsChange } = props;
  const stats = useQuery(endUserQueries.stats());
  const [search, setSearch] = useState('');
  const endUsers = useQuery({
    ...endUserQueries.list({ page: 1, pageSize: SHOWN_AT_ONCE, ...(search ? { search } : {}) }),
    enabled: !isForAll,
  });

  function handleToggle(endUserId: string, isChosen: boolean) {
    onEndUserIdsChange(isChosen ? [...endUserIds, endUserId] : endUserIds.filter((id) => id !== endUserId));
  }

  return (
    <div>
      <Checkbox
        label={`Invite all active end users (${stats.data ? formatNumber(stats.data.active) : '...'} users)`}
        checked={isForAll}
        onChange={(event) => onForAllChange(event.currentTarget.checked)}
      />
      {isForAll ? null : endUsers.data ? (
        <>
          {search !== '' || endUsers.data.total >= SEARCH_FROM ? (
            <div className={classes.search}>
              <SearchInput label="Search participants" onSearch={setSearch} />
            </div>
          ) : null}
          {endUsers.data.rows.length > 0 ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
            <ul className={classes.list} aria-label="End users" tabIndex={0}>
              {endUsers.data.rows.map((endUser) => (
                <li key={endUser.id} className={classes.row}>
                  <Checkbox
                    label={endUser.isActive ? endUser.name : `${endUser.name} (Inactive)`}
                    description={endUser.username}
                    disabled={!endUser.isActive}
                    checked={endUserIds.includes(endUser.id)}
                    onChange={(event) => handleToggle(endUser.id, event.currentTarget.checked)}
                  />
                </li>
              ))}
            </ul>
          ) : (
            <p className={classes.none}>No end users found</p>
          )}
          {endUsers.data.total > endUsers.data.rows.length ? (
            <p className={classes.hint}>
              {formatNumber(endUsers.data.rows.length)} of {formatNumber(endUsers.data.total)} shown. Search
              to find the others; who is selected stays selected.
            </p>
          ) : null}
          <p className={classes.count} role="status">
            Selected: {formatNumber(endUserIds.length)} participants
          </p>
          {endUserIds.length === 0 ? (
            <p className={classes.hint}>With nobody selected, every active end user may take part.</p>
          ) : null}
        </>
      ) : endUsers.isError ? (
        <ErrorState title="Failed to fetch end users" onRetry={() => void endUsers.refetch()} />
      ) : (
        <TableSkeleton label="Loading end users..." />
      )}
    </div>
  );
}
