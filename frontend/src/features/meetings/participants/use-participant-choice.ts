import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { EndUser } from '../../../api/types';
import { meetingQueries } from '../queries';

export interface ParticipantChoiceOptions {
  endUserIds: string[];
  /** The invited people, to show them without a search. */
  invited: EndUser[];
  onEndUserIdsChange: (change: (endUserIds: string[]) => string[]) => void;
}

const REVIEWED_AT_ONCE = 100;

/** The end users to choose from: the result of the search, or a review of the selected ones. */
export function useParticipantChoice(isOn: boolean, options: ParticipantChoiceOptions) {
  const { endUserIds, invited, onEndUserIdsChange } = options;
  const [search, setSearch] = useState('');
  const query = useInfiniteQuery({ ...meetingQueries.choices(search), enabled: isOn });
  const [people, setPeople] = useState(() => new Map(invited.map((endUser) => [endUser.id, endUser])));
  const review = useReview(search, () => endUserIds.flatMap((id) => people.get(id) ?? []));
  const chosen = useMemo(() => new Set(endUserIds), [endUserIds]);
  const found = useMemo(() => query.data?.pages.flatMap(({ rows }) => rows), [query.data]);

  // A stable function, so that one tick does not render thousands of rows again.
  const latest = useRef(onEndUserIdsChange);
  latest.current = onEndUserIdsChange;
  const toggle = useCallback((endUser: EndUser, isChosen: boolean) => {
    setPeople((current) => new Map(current).set(endUser.id, endUser));
    latest.current((ids) => {
      const others = ids.filter((id) => id !== endUser.id);
      return isChosen ? [...others, endUser.id] : others;
    });
  }, []);

  return {
    search,
    setSearch,
    query,
    found,
    /** The number of matching end users on the server. */
    total: query.data?.pages[0]?.total ?? 0,
    chosen,
    toggle,
    review,
  };
}

export type ParticipantChoice = ReturnType<typeof useParticipantChoice>;

/** A list of the selected end users. An unticked end user stays in it until the review ends. */
function useReview(search: string, selected: () => EndUser[]) {
  const [reviewed, setReviewed] = useState<EndUser[] | null>(null);
  const [count, setCount] = useState(REVIEWED_AT_ONCE);

  return {
    isOn: reviewed !== null,
    /** The reviewed end users that match the search. Null without a review. */
    matching:
      reviewed?.filter(({ name, username }) =>
        `${name} ${username}`.toLowerCase().includes(search.toLowerCase()),
      ) ?? null,
    /** The number of shown end users. */
    count,
    showMore: () => setCount(count + REVIEWED_AT_ONCE),
    toggle: () => {
      setCount(REVIEWED_AT_ONCE);
      setReviewed(reviewed ? null : selected().sort((one, other) => one.name.localeCompare(other.name)));
    },
  };
}
