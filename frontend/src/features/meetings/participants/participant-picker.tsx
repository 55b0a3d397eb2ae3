import { Button, Checkbox } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useId, useMemo, useRef, useState } from 'react';
import { hintOf, referenceOf } from '../../../api/api-error';
import type { EndUser } from '../../../api/types';
import { formatNumber } from '../../../shared/format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SearchInput } from '../../../shared/ui/search-input';
import { TableSkeleton } from '../../../shared/ui/table-skeleton';
import { endUserQueries } from '../../end-users/queries';
import { meetingQueries } from '../queries';
import { ParticipantList } from './participant-list';
import classes from './participant-picker.module.css';

interface ParticipantPickerProps {
  isForAll: boolean;
  endUserIds: string[];
  /** Those who are invited already, so that they can be shown without being searched for. */
  invited: EndUser[];
  /** The meeting has a list of its own: with nobody on it, nobody is invited. */
  hasList: boolean;
  /** All are put on the list of the meeting, and nobody who is added later. */
  isListedByName: boolean;
  error: string | undefined;
  onForAllChange: (isForAll: boolean) => void;
  onEndUserIdsChange: (change: (endUserIds: string[]) => string[]) => void;
}

const SEARCH_FROM = 8;
const REVIEWED_AT_ONCE = 100;

/** Who is invited: everybody active, or a choice. */
export function ParticipantPicker(props: ParticipantPickerProps) {
  const { isForAll, endUserIds, invited, hasList, isListedByName, error } = props;
  const { onForAllChange, onEndUserIdsChange } = props;
  const errorId = useId();
  const stats = useQuery(endUserQueries.stats());
  const [search, setSearch] = useState('');
  const choices = useInfiniteQuery({ ...meetingQueries.choices(search), enabled: !isForAll });
  const [people, setPeople] = useState(() => new Map(invited.map((endUser) => [endUser.id, endUser])));
  // While one looks through the selection, who is unticked stays in sight.
  const [reviewed, setReviewed] = useState<EndUser[] | null>(null);
  const [reviewedCount, setReviewedCount] = useState(REVIEWED_AT_ONCE);
  const chosen = useMemo(() => new Set(endUserIds), [endUserIds]);
  const found = useMemo(() => choices.data?.pages.flatMap(({ rows }) => rows), [choices.data]);
  const total = choices.data?.pages[0]?.total ?? 0;

  // The same function each time, so that one tick does not draw thousands of rows again.
  const latest = useRef(onEndUserIdsChange);
  latest.current = onEndUserIdsChange;
  const handleToggle = useCallback((endUser: EndUser, isChosen: boolean) => {
    setPeople((current) => new Map(current).set(endUser.id, endUser));
    latest.current((ids) => {
      const others = ids.filter((id) => id !== endUser.id);
      return isChosen ? [...others, endUser.id] : others;
    });
  }, []);

  function handleReview() {
    setReviewedCount(REVIEWED_AT_ONCE);
    setReviewed(
      reviewed
        ? null
        : endUserIds
            .flatMap((id) => people.get(id) ?? [])
            .sort((one, other) => one.name.localeCompare(other.name)),
    );
  }

  const matching = reviewed?.filter(({ name, username }) =>
    `${name} ${username}`.toLowerCase().includes(search.toLowerCase()),
  );

  return (
    <div>
      <Checkbox
        label={`Invite all active end users (${stats.data ? formatNumber(stats.data.active) : '...'} users)`}
        checked={isForAll}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        description={
          isForAll
            ? isListedByName
              ? 'Those who are active now. Whoever is added later has to be invited here.'
              : 'Whoever is added later may take part as well.'
            : undefined
        }
        onChange={(event) => onForAllChange(event.currentTarget.checked)}
      />
      {error ? (
        <p className={classes.error} id={errorId}>
          {error}
        </p>
      ) : null}
      {isForAll ? null : (
        <>
          {search !== '' || reviewed !== null || total >= SEARCH_FROM ? (
            <div className={classes.search}>
              <SearchInput label="Search participants" onSearch={setSearch} />
            </div>
          ) : null}
          {matching ? (
            <ParticipantList
              label="Selected end users"
              endUsers={matching.slice(0, reviewedCount)}
              total={matching.length}
              chosen={chosen}
              isLoadingMore={false}
              onToggle={handleToggle}
              onMore={() => setReviewedCount(reviewedCount + REVIEWED_AT_ONCE)}
            />
          ) : found ? (
            <ParticipantList
              label="End users"
              endUsers={found}
              total={choices.hasNextPage ? total : found.length}
              chosen={chosen}
              isLoadingMore={choices.isFetchingNextPage}
              onToggle={handleToggle}
              onMore={() => {
                if (!choices.isFetchingNextPage) {
                  void choices.fetchNextPage();
                }
              }}
            />
          ) : choices.isError ? (
            <ErrorState
              title="Failed to fetch end users"
              hint={hintOf(choices.error)}
              reference={referenceOf(choices.error)}
              onRetry={() => void choices.refetch()}
            />
          ) : (
            <TableSkeleton label="Loading end users..." />
          )}
          <div className={classes.summary}>
            <p className={classes.count} role="status">
              Selected: {formatNumber(endUserIds.length)} participants
            </p>
            {endUserIds.length > 0 || reviewed ? (
              <div className={classes.tools}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-pressed={reviewed !== null}
                  onClick={handleReview}
                >
                  {reviewed ? 'Show everybody' : 'Show selected'}
                </Button>
                <Button size="compact-sm" variant="default" onClick={() => onEndUserIdsChange(() => [])}>
                  Clear selection
                </Button>
              </div>
            ) : null}
          </div>
          {endUserIds.length === 0 ? (
            <p className={classes.hint}>
              {hasList
                ? 'With nobody selected, nobody may take part.'
                : 'With nobody selected, every active end user may take part.'}
            </p>
          ) : null}
        </>
      )}
    </div>
  );
}
