import { Button, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { hintOf } from '../../../api/api-error';
import { countOf } from '../../../shared/format';
import { FormError } from '../../../shared/ui/form-error';
import { SearchInput } from '../../../shared/ui/search-input';
import { useUnfolded } from '../../../shared/ui/use-unfolded';
import { endUserQueries } from '../../end-users/queries';
import classes from './candidates-editor.module.css';
import { type CandidateField, newCandidate } from './election-form';

/** The most people in the list at once. The search finds the others. */
const AT_ONCE = 8;

interface PickPeopleProps {
  /** The names of the present candidates. */
  names: string[];
  onPick: (candidate: CandidateField) => void;
}

/** Adds people of the organization as candidates, one by one. */
export function PickPeople({ names, onPick }: PickPeopleProps) {
  const { isUnfolded, unfold, fold, opener } = useUnfolded();
  if (!isUnfolded) {
    return (
      <Button ref={opener} variant="default" size="xs" onClick={unfold}>
        Pick People
      </Button>
    );
  }
  return (
    <div className={classes.paste}>
      <People names={names} onPick={onPick} />
      <div className={classes.add}>
        <Button variant="default" size="xs" onClick={fold}>
          Done
        </Button>
      </div>
    </div>
  );
}

function People({ names, onPick }: PickPeopleProps) {
  const [search, setSearch] = useState('');
  // Two people can have one name, so a person is known by the id.
  const [picked, setPicked] = useState<Record<string, string>>({});
  const [said, setSaid] = useState('');
  const people = useQuery(
    endUserQueries.list({
      page: 1,
      pageSize: AT_ONCE,
      sort: 'name',
      status: 'active',
      ...(search ? { search } : {}),
    }),
  );
  const { rows = [], total = 0 } = people.data ?? {};
  const more = total - rows.length;

  function handlePick(id: string, name: string) {
    if (!isCandidate(id)) {
      setPicked({ ...picked, [id]: name });
      setSaid(`${name} is a candidate now.`);
      onPick(newCandidate({ name }));
    }
  }

  /** Until the name is changed or removed in the form. */
  function isCandidate(id: string): boolean {
    return picked[id] !== undefined && names.includes(picked[id]);
  }

  return (
    <>
      <SearchInput label="Search people" value={search} onSearch={setSearch} isFocused />
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      <FormError message={people.error ? `The people could not be loaded. ${hintOf(people.error)}` : null} />
      <ul className={classes.people} aria-label="People">
        {rows.map(({ id, name, username }) => (
          <li key={id} className={classes.person}>
            <span className={classes.personName} dir="auto">
              {name} <span className={classes.username}>{username}</span>
            </span>
            <Button
              variant="default"
              size="xs"
              className={classes.pick}
              aria-label={isCandidate(id) ? `Added: ${name}, ${username}` : `Add ${name}, ${username}`}
              aria-disabled={isCandidate(id) || undefined}
              onClick={() => handlePick(id, name)}
            >
              {isCandidate(id) ? 'Added' : 'Add'}
            </Button>
          </li>
        ))}
      </ul>
      {people.data && rows.length === 0 ? <p className={classes.username}>No end users found</p> : null}
      {more > 0 ? (
        <p
          className={classes.username}
        >{`${countOf(more, 'more person', 'more people')}: search for a name.`}</p>
      ) : null}
    </>
  );
}
