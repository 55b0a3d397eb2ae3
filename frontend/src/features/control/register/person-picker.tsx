import { Skeleton, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { messageOf } from '../../../api/api-error';
import type { EndUser } from '../../../api/types';
import { countOf } from '../../../shared/format';
import { ListPages } from '../../../shared/ui/list-pages';
import { LoadError } from '../../../shared/ui/load-error';
import { SearchInput } from '../../../shared/ui/search-input';
import { endUserQueries } from '../../end-users/queries';
import classes from './person-picker.module.css';

interface PersonPickerProps {
  label: string;
  chosenId: string;
  error: ReactNode;
  onChoose: (person: EndUser) => void;
}

/** Finds an active end user of the organization by name or username. */
export function PersonPicker({ label, chosenId, error, onChoose }: PersonPickerProps) {
  const id = useId();
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const people = useQuery({
    ...endUserQueries.list({ status: 'active', page, sort: 'name', ...(search ? { search } : {}) }),
    // A late person may have been added a moment ago, on another screen.
    staleTime: 0,
  });

  function handleSearch(text: string) {
    setSearch(text);
    setPage(1);
  }

  return (
    <fieldset className={classes.root}>
      <legend className={classes.legend}>{label}</legend>
      <SearchInput label="Search active end users" value={search} onSearch={handleSearch} />
      {people.isError ? (
        <LoadError
          message={messageOf(people.error, 'The end users could not be loaded')}
          isRetrying={people.isFetching}
          onRetry={() => void people.refetch()}
        />
      ) : null}
      {people.isPending ? <LoadingPeople /> : null}
      {people.data ? (
        <section className={classes.found} aria-label="End users found">
          <p className={classes.count} role="status">
            {people.data.total === 0
              ? 'No active end user has this name'
              : `${countOf(people.data.total, 'active end user')}${search ? ' found' : ''}`}
          </p>
          <div className={classes.list}>
            {people.data.rows.map((person) => (
              <label key={person.id} className={classes.person} data-chosen={person.id === chosenId}>
                <input
                  type="radio"
                  className={classes.radio}
                  name={`${id}-person`}
                  value={person.id}
                  checked={person.id === chosenId}
                  aria-invalid={error ? true : undefined}
                  aria-describedby={error ? `${id}-error` : undefined}
                  onChange={() => onChoose(person)}
                />
                <span className={classes.words}>
                  <span className={classes.name} dir="auto">
                    {person.name}
                  </span>
                  <span className={classes.quiet}>{person.username}</span>
                </span>
              </label>
            ))}
          </div>
          <ListPages label="end users" page={page} total={people.data.total} onPage={setPage} />
        </section>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      ) : null}
    </fieldset>
  );
}

function LoadingPeople() {
  return (
    <div role="status">
      <VisuallyHidden>Loading the end users...</VisuallyHidden>
      <Skeleton height={240} />
    </div>
  );
}
