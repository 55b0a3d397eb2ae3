import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { hintOf, referenceOf } from '../../../api/api-error';
import { formatNumber } from '../../../shared/format';
import { ErrorState } from '../../../shared/ui/error-state';
import { SearchInput } from '../../../shared/ui/search-input';
import { TableSkeleton } from '../../../shared/ui/table-skeleton';
import { endUserQueries } from '../../end-users/queries';
import { ParticipantList } from './participant-list';
import classes from './participant-picker.module.css';
import {
  type ParticipantChoice,
  type ParticipantChoiceOptions,
  useParticipantChoice,
} from './use-participant-choice';

interface ParticipantPickerProps extends ParticipantChoiceOptions {
  isForAll: boolean;
  /** Whether the meeting has a list of its own. If that list is empty, no one is invited. */
  hasList: boolean;
  /** Whether all are put on the meeting's list, without people who are added later. */
  isListedByName: boolean;
  error: string | undefined;
  onForAllChange: (isForAll: boolean) => void;
}

const SEARCH_FROM = 8;

/** The choice of the invited people: all active ones, or some of them. */
export function ParticipantPicker(props: ParticipantPickerProps) {
  const { isForAll, endUserIds, hasList, onEndUserIdsChange } = props;
  const choice = useParticipantChoice(!isForAll, props);
  const { search, setSearch, review, total } = choice;

  return (
    <div>
      <AllCheckbox {...props} />
      {isForAll ? null : (
        <>
          {search !== '' || review.isOn || total >= SEARCH_FROM ? (
            <div className={classes.search}>
              <SearchInput label="Search participants" onSearch={setSearch} />
            </div>
          ) : null}
          <ChoiceList choice={choice} />
          <div className={classes.summary}>
            <p className={classes.count} role="status">
              Selected: {formatNumber(endUserIds.length)} participants
            </p>
            {endUserIds.length > 0 || review.isOn ? (
              <div className={classes.tools}>
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-pressed={review.isOn}
                  onClick={review.toggle}
                >
                  {review.isOn ? 'Show everybody' : 'Show selected'}
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

/** Invites all active end users, with the error of the whole choice below it. */
function AllCheckbox({ isForAll, isListedByName, error, onForAllChange }: ParticipantPickerProps) {
  const errorId = useId();
  const stats = useQuery(endUserQueries.stats());
  return (
    <>
      <Checkbox
        label={`Invite all active end users (${stats.data ? formatNumber(stats.data.active) : '...'} users)`}
        checked={isForAll}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? errorId : undefined}
        description={
          isForAll
            ? isListedByName
              ? 'Only people who are active now. Invite people who are added later here.'
              : 'People who are added later may take part as well.'
            : undefined
        }
        onChange={(event) => onForAllChange(event.currentTarget.checked)}
      />
      {error ? (
        <p className={classes.error} id={errorId}>
          {error}
        </p>
      ) : null}
    </>
  );
}

/** The selected end users during a review, otherwise the result of the search. */
function ChoiceList({ choice }: { choice: ParticipantChoice }) {
  const { query, found, total, chosen, toggle, review } = choice;
  if (review.matching) {
    return (
      <ParticipantList
        label="Selected end users"
        endUsers={review.matching.slice(0, review.count)}
        total={review.matching.length}
        chosen={chosen}
        isLoadingMore={false}
        onToggle={toggle}
        onMore={review.showMore}
      />
    );
  }
  if (found) {
    return (
      <ParticipantList
        label="End users"
        endUsers={found}
        total={query.hasNextPage ? total : found.length}
        chosen={chosen}
        isLoadingMore={query.isFetchingNextPage}
        onToggle={toggle}
        onMore={() => {
          if (!query.isFetchingNextPage) {
            void query.fetchNextPage();
          }
        }}
      />
    );
  }
  return query.isError ? (
    <ErrorState
      title="Failed to fetch end users"
      hint={hintOf(query.error)}
      reference={referenceOf(query.error)}
      onRetry={() => void query.refetch()}
    />
  ) : (
    <TableSkeleton label="Loading end users..." />
  );
}
