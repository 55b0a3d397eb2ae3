import { SegmentedControl, Skeleton, VisuallyHidden } from '@mantine/core';
import { useThrottledValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import { PAGE_SIZE } from '../../../api/page';
import type { RegisterEntry } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { type NamedKinds, weightAmount } from '../../../shared/result/weight-names';
import { votedWords } from '../../../shared/terms/cast-on';
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

/** The voters in the register who have not voted yet, by name. On request, those who have, and where. */
export function MissingVoters({ meetingId, questionId, roundId, voteCount, isOpen }: MissingVotersProps) {
  const root = useRef<HTMLElement>(null);
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [voted, setVoted] = useState(false);
  const missing = useQuery(roundQueries.register(meetingId, roundId, { voted, search, page }));
  const round = useQuery(roundQueries.ofMeeting(meetingId)).data?.find(({ id }) => id === roundId);
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
    <section ref={root} className={classes.root} aria-label="People who may vote" tabIndex={-1}>
      <p className={classes.note}>
        {isOpen
          ? 'The list updates while voting is open. It never shows how a person voted.'
          : 'Voting is closed. The list never shows how a person voted.'}
      </p>
      <AdmitLatecomer meetingId={meetingId} roundId={roundId} isOpen={isOpen} />
      <VotedFilter
        voted={voted}
        onChange={(next) => {
          setVoted(next);
          setPage(1);
        }}
      />
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
            {voted ? votedCount(total, search) : countWords(total, search, isOpen)}
          </p>
          <ul className={classes.list}>
            {missing.data.rows.map((person) => (
              <PersonRow
                key={person.endUserId}
                meetingId={meetingId}
                questionId={questionId}
                person={person}
                weights={weightsOf(person, round)}
                isOpen={isOpen}
              />
            ))}
          </ul>
          <ListPages
            label={voted ? 'those who have voted' : 'those who have not voted'}
            page={page}
            total={total}
            onPage={setPage}
          />
        </>
      ) : null}
    </section>
  );
}

function VotedFilter({ voted, onChange }: { voted: boolean; onChange: (voted: boolean) => void }) {
  return (
    <SegmentedControl
      aria-label="Show"
      value={voted ? 'voted' : 'missing'}
      onChange={(shown) => onChange(shown === 'voted')}
      data={[
        { value: 'missing', label: 'Without a vote' },
        { value: 'voted', label: 'Voted' },
      ]}
    />
  );
}

interface PersonRowProps extends Pick<MissingVotersProps, 'meetingId' | 'questionId' | 'isOpen'> {
  person: RegisterEntry;
  weights: string;
}

function PersonRow({ meetingId, questionId, person, weights, isOpen }: PersonRowProps) {
  const { endUserId, name, username, hasVoted, holder } = person;
  return (
    <li className={classes.entry}>
      <span className={classes.who}>
        <span className={classes.name} dir="auto">
          {name}
        </span>
        <span className={classes.quiet}>
          {username}, {weights}
        </span>
        {holder ? <span className={classes.quiet}>Proxy holder: {holder}</span> : null}
      </span>
      {hasVoted ? (
        <span className={classes.quiet}>{votedWords(person)}</span>
      ) : isOpen ? (
        <ExcludeVoter meetingId={meetingId} questionId={questionId} endUserId={endUserId} name={name} />
      ) : null}
    </li>
  );
}

/** "weight 1.5", or "Floor area 250.5 m², Capital 1,000 EUR" */
function weightsOf(
  { weight, secondWeight }: RegisterEntry,
  { weightKind, secondWeightKind }: NamedKinds = {},
): string {
  const first = weightAmount(weight, weightKind);
  return secondWeightKind && secondWeight !== null
    ? `${first}, ${weightAmount(secondWeight, secondWeightKind)}`
    : first;
}

function votedCount(total: number, search: string): string {
  const people = countOf(total, 'person', 'people');
  return search === '' ? `${people} voted` : `${people} found`;
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
