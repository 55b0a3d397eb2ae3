import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { PAGE_SIZE } from '../../../api/page';
import { countOf, formatNumber } from '../../../shared/format';
import { ListPages } from '../../../shared/ui/list-pages';
import { LoadError } from '../../../shared/ui/load-error';
import { SearchInput } from '../../../shared/ui/search-input';
import { useFocusHeld } from '../../../shared/ui/use-focus-held';
import { roundQueries } from '../queries';
import { AdmitLatecomer } from './admit-latecomer';
import { ExcludeVoter } from './exclude-voter';
import classes from './missing-voters.module.css';

interface MissingVotersProps {
  meetingId: string;
  questionId: string;
  roundId: string;
  /** The number of votes received. Each new vote removes a person from the list. */
  voteCount: number;
  isOpen: boolean;
}

/** The shortest interval between two requests for the names. */
const REFRESH_MS = 3_000;

/** The voters in the register who have not voted yet, by name. */
export function MissingVoters({ meetingId, questionId, roundId, voteCount, isOpen }: MissingVotersProps) {
  const root = useRef<HTMLElement>(null);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const missing = useQuery(roundQueries.missing(meetingId, roundId, { search, page }));
  const seenVotes = useThrottledValue(voteCount, REFRESH_MS);
  const { refetch } = missing;
  useFocusHeld(root, missing.data);

  // biome-ignore lint/correctness/useExhaustiveDependencies: also when the round ends, for the last votes.
  useEffect(() => {
    void refetch();
  }, [seenVotes, isOpen, refetch]);

  const total = missing.data?.total ?? 0;
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (missing.data && !missing.isPlaceholderData && page > pages) {
    // The voters of the last page have voted meanwhile.
    setPage(pages);
  }

  function handleSearch(text: string) {
    setSearch(text);
    setPage(1);
  }

  return (
    <section ref={root} className={classes.root} aria-label="People who have not voted" tabIndex={-1}>
      <p className={classes.note}>
        {isOpen
          ? 'The list updates while voting is open. It never shows how a person voted.'
          : 'Voting is closed. The list never shows how a person voted.'}
      </p>
      <AdmitLatecomer meetingId={meetingId} roundId={roundId} isOpen={isOpen} />
      <SearchInput label="Search by name or username" value={search} onSearch={handleSearch} />
      {missing.isError ? (
        <LoadError
          message={messageOf(missing.error, 'The names could not be loaded')}
          isRetrying={missing.isFetching}
          onRetry={() => void missing.refetch()}
        />
      ) : null}
      {missing.isPending ? <LoadingNames /> : null}
      {missing.data ? (
        <>
          <p className={classes.count} role="status">
            {countWords(total, search, isOpen)}
          </p>
          <ul className={classes.list}>
            {missing.data.rows.map(({ endUserId, name, username, weight }) => (
              <li key={endUserId} className={classes.entry}>
                <span className={classes.who}>
                  <span className={classes.name} dir="auto">
                    {name}
                  </span>
                  <span className={classes.quiet}>
                    {username}, weight {formatNumber(weight)}
                  </span>
                </span>
                {isOpen ? (
                  <ExcludeVoter
                    meetingId={meetingId}
                    questionId={questionId}
                    endUserId={endUserId}
                    name={name}
                  />
                ) : null}
              </li>
            ))}
          </ul>
          <ListPages label="those who have not voted" page={page} total={total} onPage={setPage} />
        </>
      ) : null}
    </section>
  );
}

function countWords(total: number, search: string, isOpen: boolean): string {
  if (search !== '') {
    return total === 0
      ? 'No one with this name is still to vote'
      : `${countOf(total, 'person', 'people')} found`;
  }
  if (total === 0) {
    return isOpen ? 'Everyone has voted' : 'Everyone voted';
  }
  const people = countOf(total, 'person', 'people');
  return isOpen ? `${people} ${total === 1 ? 'has' : 'have'} not voted yet` : `${people} did not vote`;
}

function LoadingNames() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the names...</VisuallyHidden>
      <Skeleton height={44} />
      <Skeleton height={44} mt="xs" />
      <Skeleton height={44} mt="xs" />
    </div>
  );
}
