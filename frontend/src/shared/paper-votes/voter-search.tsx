import { TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { messageOf } from '../../api/api-error';
import type { RegisterEntry } from '../../api/types';
import { formatNumber } from '../format';
import { lengthProblem } from '../text-length';
import { FOUND, type SearchRegister } from './paper-api';
import { paperQueries } from './paper-queries';
import classes from './voter-search.module.css';

const PAUSE_MS = 150;
/** The limit of the server. */
const LONGEST = 200;

interface VoterSearchProps {
  find: SearchRegister;
  roundId: string;
  label: string;
  isFocused: boolean;
  /** The reason why this person cannot be chosen; null if they can. */
  refusal: (person: RegisterEntry) => string | null;
  onChoose: (person: RegisterEntry) => void;
}

/** The people of the register that a typed text finds, and the one that Enter chooses. */
function useVoterSearch({ find, roundId, refusal, onChoose }: VoterSearchProps) {
  const [text, setText] = useState('');
  const [sent, setSent] = useState('');
  /** Null for the first person who can be chosen. */
  const [place, setPlace] = useState<number | null>(null);
  /** Enter was pressed before the people were found. */
  const [isEntered, setIsEntered] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim();
  const query = useQuery({ ...paperQueries.search(find, roundId, sent), placeholderData: keepPreviousData });
  const people = wanted === '' || sent === '' ? [] : (query.data ?? []);
  const isFound = wanted !== '' && sent === wanted && query.data !== undefined && !query.isPlaceholderData;
  const first = Math.max(
    0,
    people.findIndex((person) => refusal(person) === null),
  );
  const chosen = people[Math.min(place ?? first, people.length - 1)];

  useEffect(() => {
    const timer = window.setTimeout(() => setSent(wanted), PAUSE_MS);
    return () => window.clearTimeout(timer);
  }, [wanted]);

  function change(next: string) {
    setText(next);
    setPlace(null);
    setIsEntered(false);
    setProblem(null);
  }

  function choose(person: RegisterEntry) {
    const reason = refusal(person);
    if (reason !== null) {
      setIsEntered(false);
      setProblem(`${person.name}: ${reason}.`);
      return;
    }
    change('');
    input.current?.focus();
    onChoose(person);
  }

  const chooseFound = useEffectEvent(() => {
    if (chosen) {
      choose(chosen);
    }
  });

  useEffect(() => {
    if (isEntered && isFound) {
      chooseFound();
    }
  }, [isEntered, isFound]);

  function handleKey(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setPlace(Math.max(0, Math.min(people.length - 1, (place ?? first) + step)));
    } else if (event.key === 'Escape') {
      change('');
    } else if (event.key === 'Enter') {
      event.preventDefault();
      setSent(wanted);
      setIsEntered(wanted !== '');
    }
  }

  return { text, input, query, people, chosen, isFound, problem, change, choose, handleKey };
}

/** Finds a person in the register while the name is typed. */
export function VoterSearch(props: VoterSearchProps) {
  const { label, isFocused, refusal } = props;
  const { text, input, query, people, chosen, isFound, problem, ...search } = useVoterSearch(props);
  const tooLong = lengthProblem(text, LONGEST);
  return (
    <div className={classes.root}>
      <TextInput
        ref={input}
        type="search"
        label={label}
        description="Use the arrow keys to highlight a person, and Enter to select."
        size="lg"
        autoFocus={isFocused}
        autoComplete="off"
        spellCheck={false}
        error={tooLong}
        value={text}
        onChange={(event) => search.change(event.currentTarget.value)}
        onKeyDown={search.handleKey}
      />
      {problem ? (
        <p className={classes.problem} role="alert">
          {problem}
        </p>
      ) : null}
      {query.isError && text.trim() !== '' ? (
        <p className={classes.problem} role="alert">
          {messageOf(query.error, 'The register could not be read')}. This screen tries again.
        </p>
      ) : null}
      {isFound && people.length === 0 ? (
        <p role="status">Nobody with this name or username is in the register of this question.</p>
      ) : null}
      {people.length > 0 ? (
        <ul className={classes.list} aria-label="People found">
          {people.map((person) => (
            <PersonRow
              key={person.endUserId}
              person={person}
              isChosen={person === chosen}
              refusal={refusal(person)}
              onChoose={() => search.choose(person)}
            />
          ))}
        </ul>
      ) : null}
      {people.length >= FOUND ? <p>Type more of the name to find others.</p> : null}
    </div>
  );
}

interface PersonRowProps {
  person: RegisterEntry;
  isChosen: boolean;
  refusal: string | null;
  onChoose: () => void;
}

function PersonRow({ person, isChosen, refusal, onChoose }: PersonRowProps) {
  const { name, username, weight, holder } = person;
  const words = (
    <>
      <span className={classes.name} dir="auto">
        {name}
      </span>
      <span className={classes.facts}>
        {username}, weight {formatNumber(weight)}
      </span>
      {holder ? <span className={classes.facts}>Proxy holder: {holder}</span> : null}
    </>
  );
  return (
    <li>
      {refusal === null ? (
        <button type="button" className={classes.person} data-chosen={isChosen} onClick={onChoose}>
          {words}
        </button>
      ) : (
        <div className={classes.person} data-chosen={isChosen} data-refused>
          {words}
          <span className={classes.reason}>{refusal}</span>
        </div>
      )}
    </li>
  );
}
